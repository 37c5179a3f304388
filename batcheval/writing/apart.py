"""No output takes the place of an input."""

import os

from batcheval.errors import OutputIsInputError
from batcheval.output import quarantine_path
from batcheval.readers import ReadLog
from batcheval.stores import Address, Place


def require_apart(out: Place, log: ReadLog) -> None:
    """Raise `OutputIsInputError` if a file to be written would replace a file of traces."""
    for written in (out, quarantine_path(out)):
        if isinstance(written, Address):
            if str(written) in log.sources:
                raise OutputIsInputError(written)
            continue
        for source in log.sources:
            both = os.path.exists(written) and os.path.exists(source)  # noqa: PTH110 - never raises
            if both and written.samefile(source):
                raise OutputIsInputError(written)
