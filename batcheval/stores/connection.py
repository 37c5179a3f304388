"""Connections to stores, with the credentials that the environment holds."""

import os
from contextlib import suppress
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from batcheval.stores.address import Address, is_address
from batcheval.stores.failures import told

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_OURS: Final = ("AWS_", "GOOGLE_", "AZURE_")
_TRIES: Final = 3  # after the first
_PATIENCE: Final = timedelta(seconds=60)
_CLIENT: Final[dict[str, Any]] = {
    "allow_http": True,  # somebody's own store is spelled so; the others are https
    "connect_timeout": "5s",
    "timeout": "60s",
}
_OF_SCANS: Final[dict[str, Any]] = {**_CLIENT, "allow_http": "true", "max_retries": _TRIES}


def options_of(path: object) -> dict[str, Any] | None:
    """What polars is told of the store when it scans a file; it has the same library below it."""
    return _OF_SCANS if is_address(path) else None


def connected(address: Address) -> "tuple[ObjectStore, str]":
    """The store of an address, and what the file is called in it.

    Raises:
        NoCredentialsError: none were found, and the store is none without.
    """
    environment = tuple((k, v) for k, v in sorted(os.environ.items()) if k.startswith(_OURS))
    with told(address):
        if address.is_web:
            return _store(str(address), environment), ""
        return _store(address.root, environment), address.key


@lru_cache(maxsize=64)  # a store keeps its connections open
def _store(root: str, environment: tuple[tuple[str, str], ...]) -> "ObjectStore":
    from obstore.store import HTTPStore, from_url

    how: dict[str, Any] = {
        "client_options": _CLIENT,
        "retry_config": {"max_retries": _TRIES, "retry_timeout": _PATIENCE},
    }
    if root.startswith("http"):
        return HTTPStore.from_url(root, **how)
    if root.startswith("s3") and not any(name in _TOLD for name, _ in environment):
        how["credential_provider"] = _of_profile()
    return from_url(root, **how)


# Where one of these is set, the store finds the credentials itself.
_TOLD: Final = (
    *("AWS_ACCESS_KEY_ID", "AWS_SKIP_SIGNATURE", "AWS_WEB_IDENTITY_TOKEN_FILE"),
    *("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"),
)


def _of_profile() -> Any:
    """The credentials of the AWS profile, where boto3 is there to find them."""
    with suppress(ImportError, ValueError):  # there are none
        from obstore.auth.boto3 import Boto3CredentialProvider

        return Boto3CredentialProvider()
    return None
