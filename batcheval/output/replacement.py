"""A file that takes the place of another once it is whole."""

import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from batcheval.errors import UnwritablePathError
from batcheval.interrupts import heard
from batcheval.stores import Address, Place, put, require_store

_BUFFER = 1 << 20


class Replacement:
    """A hidden file in the folder of `path`, to be renamed to `path` or to vanish.

    A link is followed, so that the file behind it is replaced and the link stays. For an address
    it is among the temporary files of this machine, and sent when it is whole.

    Raises:
        UnwritablePathError: no file can stand at `path`.
        MissingBucketError, NoCredentialsError, StoreFailedError: as it says.
    """

    def __init__(self, path: Place) -> None:
        self._named, self._address = path, path if isinstance(path, Address) else None
        if isinstance(path, Address):
            require_store(path)
            self._target = Path(tempfile.gettempdir(), path.name)
        else:
            self._target = Path(os.path.realpath(path))
            _require_place(path, self._target)
        self._hidden = self._target.with_name(f".batcheval-{os.getpid()}-{uuid4().hex[:12]}.tmp")
        self.file: BinaryIO

    def open(self) -> BinaryIO:
        """The hidden file, made now.

        Raises:
            UnwritablePathError: the folder takes no file.
        """
        try:
            self.file = self._hidden.open("xb", buffering=_BUFFER)
        except OSError as error:
            raise _unwritable(self._named, error) from error
        return self.file

    def commit(self) -> None:
        """Put the file, safe on the disk, at `path`, with the permissions of the one there.

        Raises:
            KeyboardInterrupt: somebody asked to end, so that the file may be a part only.
            DeniedError, StoreFailedError: the store did not take it.
        """
        if heard():
            raise KeyboardInterrupt
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        if self._address is not None:
            put(self._hidden, self._address)
            self._hidden.unlink()
            return
        with suppress(FileNotFoundError):
            shutil.copymode(self._target, self._hidden)
        self._hidden.replace(self._target)

    def discard(self) -> None:
        """Remove what was written; a file at `path` is as it was."""
        with suppress(OSError):  # closing writes what is left over: the disk may be full
            self.file.close()
        self._hidden.unlink(missing_ok=True)


def _require_place(path: Path, target: Path) -> None:
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        if not target.parent.exists():
            reason = f"there is no folder '{path.parent}'"
            raise UnwritablePathError(path, reason) from None
        return
    except OSError as error:
        raise _unwritable(path, error) from error
    if not stat.S_ISREG(mode):
        raise UnwritablePathError(path, f"it is {'a folder' if stat.S_ISDIR(mode) else 'no file'}")


def _unwritable(path: Place, error: OSError) -> UnwritablePathError:
    return UnwritablePathError(path, (error.strerror or str(error)).lower())
