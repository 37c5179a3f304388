"""A text that takes the place of a file once it is whole."""

from pathlib import Path

from batcheval.errors import WriteFailedError
from batcheval.output.replacement import Replacement


def write_text(path: str | Path, text: str) -> None:
    """Write a text in UTF-8, to a file that is there whole or as it was before.

    Raises:
        UnwritablePathError: no file can stand at `path`.
        WriteFailedError: the disk is full or failing.
    """
    replacement = Replacement(Path(path))
    file = replacement.open()
    try:
        file.write(text.encode("utf-8"))
        replacement.commit()
    except BaseException as error:
        replacement.discard()
        if isinstance(error, OSError):
            raise WriteFailedError(path, error) from error
        raise
