"""Files at addresses, read in ranges of bytes."""

import io
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from batcheval.errors import StoreFailedError
from batcheval.stores.address import Address
from batcheval.stores.connection import connected
from batcheval.stores.failures import told
from batcheval.stores.heads import head

if TYPE_CHECKING:
    from obstore import GetOptions

_STEP: Final = 8 << 20  # of the ranges after the first


class RemoteFile(io.RawIOBase):
    """A file at an address, read as a local one is.

    Ranges are fetched as they are asked for and, once it is read on from its beginning, one ahead;
    no more than that is held. All are of one version of the file.

    Args:
        address: where it is.
        start: the byte to begin with.
        stop: the byte before which to end; by default the end of the file.

    Raises:
        MissingFileError, MissingBucketError, DeniedError, NoCredentialsError, StoreFailedError: it
            cannot be opened.
    """

    def __init__(self, address: Address, start: int = 0, stop: int | None = None) -> None:
        self.name = str(address)
        self._address = address
        self._head = head(address, start)
        self.size = self._head.size
        self._first, self._at = start, start
        self._stop = self.size if stop is None else min(stop, self.size)
        self._held: tuple[int, bytes] = (start, self._head.data)
        self._ahead: tuple[int, Future[bytes]] | None = None
        self._thread = ThreadPoolExecutor(1, "batcheval-range")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self.size}[whence]
        self._at = max(0, base + place)
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Some of the next bytes; for errors see `told`."""
        wanted = min(len(buffer), self._stop - self._at)
        if wanted <= 0:
            return 0
        start, data = self._holding()
        part = memoryview(data)[self._at - start : self._at - start + wanted]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        super().close()

    def _holding(self) -> tuple[int, bytes]:
        """The bytes around the present place, and where they begin."""
        if self._first <= self._at < self._first + len(self._head.data):
            return self._first, self._head.data
        start, data = self._held
        if not start <= self._at < start + len(data):
            self._held = self._at, self._next()
            end = self._at + len(self._held[1])
            if end < self._stop:
                self._ahead = end, self._thread.submit(self._fetched, end)
        return self._held

    def _next(self) -> bytes:
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead[0] == self._at:
            return ahead[1].result()
        return self._fetched(self._at)

    def _fetched(self, start: int) -> bytes:
        import obstore

        store, path = connected(self._address)
        stop = min(start + _STEP, self._stop)
        how: GetOptions = {"range": (start, stop)}
        if self._head.tag is not None:
            how["if_match"] = self._head.tag
        with told(self._address):
            data = bytes(obstore.get(store, path, options=how).bytes())
        if len(data) < stop - start:
            raise StoreFailedError(self.name, f"it sent {len(data):,} of {stop - start:,} bytes")
        return data
