"""Files of web servers that send them whole."""

import atexit
import shutil
import tempfile
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from batcheval.errors import StoreFailedError
from batcheval.stores.address import Address

_PATIENCE: Final = 60  # seconds without a byte


def downloaded(address: Address) -> str:
    """A temporary file, there until the process ends, with the bytes of a file on the web.

    Raises:
        StoreFailedError: they do not come, or not all of them.
    """
    suffix = f"-{address.name}"
    file = tempfile.NamedTemporaryFile(prefix="batcheval-", suffix=suffix, delete=False)  # noqa: SIM115
    atexit.register(Path(file.name).unlink, missing_ok=True)
    try:
        with file, urlopen(str(address), timeout=_PATIENCE) as answer:
            shutil.copyfileobj(answer, file, 1 << 20)
    except (OSError, HTTPException) as error:
        raise StoreFailedError(str(address), str(error) or type(error).__name__) from error
    return file.name
