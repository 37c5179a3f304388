"""What a store's refusals and silences mean, each in one line."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from batcheval.errors import (
    BatchevalError,
    ChangedFileError,
    DeniedError,
    MissingBucketError,
    MissingFileError,
    NoCredentialsError,
    StoreFailedError,
)
from batcheval.stores.address import Address

_STATUS: Final = re.compile(r"status code: (\d{3})(?: (\w[\w ]*\w))?")
_CODE: Final = re.compile(r"<Code>(\w+)</Code>")
_NO_BUCKET: Final = re.compile(r"NoSuchBucket|ContainerNotFound|bucket does not exist", re.I)
# Whoever has no credentials asks the machine that this one may run on.
_UNASKED: Final = re.compile(r"169\.254\.|metadata\.google|error: Missing |must be specified")
_HINTS: Final = {
    "s3": "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true"
    " for a public bucket; profiles need the package 'boto3'",
    "gs": "set GOOGLE_APPLICATION_CREDENTIALS, or run 'gcloud auth application-default login'",
    "az": "set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
}


@contextmanager
def told(address: Address) -> Iterator[None]:
    """Say in one line what keeps the store from doing what is asked of it.

    Raises:
        MissingFileError: there is no such file.
        MissingBucketError: there is no such bucket.
        NoCredentialsError: none were found.
        DeniedError: those that were found do not allow it.
        ChangedFileError: the file is another one now.
        StoreFailedError: anything else, after some tries.
    """
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, FileNotFoundError, ValueError) as error:
        raise _meaning(address, str(error)) from error


def _meaning(address: Address, text: str) -> BatchevalError:
    named = str(address)
    if _UNASKED.search(text.partition("\n")[0]):
        scheme = {"s3a": "s3", "gs": "gs"}.get(address.scheme, address.scheme)
        return NoCredentialsError(named, _HINTS.get(scheme, _HINTS["az"]))
    found = _STATUS.search(text)
    status, words = found.groups("") if found else ("", "")
    if not address.is_web and (_NO_BUCKET.search(text) or (status == "404" and "list" in text)):
        return MissingBucketError(named, address.bucket)
    if status in ("404", "410"):
        return MissingFileError(named, "there is no such file")
    if status in ("401", "403"):
        code = _CODE.search(text)
        return DeniedError(named, code[1] if code else f"{status} {words}")
    if status == "412":
        return ChangedFileError(named)
    return StoreFailedError(named, _reason(text, status, words))


def _reason(text: str, status: str, words: str) -> str:
    """Of the many lines of an error, what matters."""
    tries = re.search(r"after (\d+) retries", text)
    after = f", {int(tries[1]) + 1} times" if tries and tries[1] != "0" else ""
    if re.search(r"timed out|kind: Timeout", text):
        return f"it did not answer in time{after}"
    if "kind: Connect" in text:
        cause = re.search(r"(dns error|Connection refused|certificate[^\"]*)", text)
        return f"no connection{after}{f' ({cause[1].lower()})' if cause else ''}"
    if status.startswith("3") or "redirect" in text:
        return "the bucket is in another region; set AWS_REGION"
    if status:
        return f"it answered {status} {words}{after}".rstrip()
    return text.partition("\n")[0].partition(" error: ")[2] or text.partition("\n")[0]
