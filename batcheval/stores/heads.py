"""The beginnings of files at addresses, which tell what these are and how large."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

from batcheval.stores.address import Address
from batcheval.stores.connection import connected
from batcheval.stores.failures import told

_HEAD: Final = 128 << 10  # bytes of the first range
_kept: ContextVar[dict[tuple[Address, int], "Head"] | None] = ContextVar("kept", default=None)


class RangesRefusedError(Exception):
    """The web server sends whole files only."""


class Head(NamedTuple):
    """The first bytes of a file, or those from some place on.

    Attributes:
        data: the bytes.
        size: of the whole file.
        tag: by which the store tells this file from another of its name, if it does.
    """

    data: bytes
    size: int
    tag: str | None


@contextmanager
def looking() -> Iterator[None]:
    """While this lasts, the beginning of a file is fetched once, however often it is opened."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def head(address: Address, start: int = 0) -> Head:
    """What stands at the beginning of a file, or at byte `start`; for errors see `told`.

    Raises:
        RangesRefusedError: it cannot be read so.
    """
    kept = _kept.get()
    if kept is None:
        return _head(address, start)
    if (address, start) not in kept:
        kept[address, start] = _head(address, start)
    return kept[address, start]


def _head(address: Address, start: int) -> Head:
    import obstore

    store, path = connected(address)
    with told(address):
        try:
            found = obstore.get(store, path, options={"range": (start, start + _HEAD)})
        except obstore.exceptions.GenericError as error:
            if "status code: 416" in str(error):  # no byte is there: the file is empty
                return Head(b"", start, None)
            raise
        except obstore.exceptions.NotSupportedError as error:
            raise RangesRefusedError from error
        tag = found.meta["e_tag"]
        strong = None if tag is None or tag.startswith("W/") else tag
        return Head(bytes(found.bytes()), found.meta["size"], strong)
