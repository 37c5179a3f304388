"""What there is at an address: a file, a folder of files, or the files that a pattern names."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from glob import has_magic
from typing import Final

from batcheval.errors import MissingFileError
from batcheval.stores.address import Address
from batcheval.stores.connection import connected
from batcheval.stores.failures import told
from batcheval.stores.heads import head

_ANY_DEPTH: Final = "**"


def is_pattern(address: Address) -> bool:
    """Whether the address names files by a pattern, which no web server understands."""
    return not address.is_web and has_magic(address.key)


def size_at(address: Address) -> int | None:
    """The bytes of a file; None if there is none at the address, though there may be a folder.

    Raises:
        MissingBucketError, DeniedError, NoCredentialsError, StoreFailedError: nobody can tell.
    """
    import obstore

    if not address.key or address.key.endswith("/"):
        return None
    try:
        if address.is_web:  # not all of them answer questions about a file
            return head(address).size
        store, path = connected(address)
        with told(address):
            return int(obstore.head(store, path)["size"])
    except MissingFileError:
        return None


def version_of(address: Address) -> str:
    """By which this file is told from another that takes its name: the store's tag, and its bytes.

    Raises:
        MissingFileError, DeniedError, NoCredentialsError, StoreFailedError: nobody can tell.
    """
    found = head(address)
    return f"{found.tag} {found.size}"


def files_in(folder: Address) -> list[tuple[Address, int]]:
    """The files in a folder and those below it, by name, each with its bytes; hidden ones not.

    Raises:
        MissingBucketError, DeniedError, NoCredentialsError, StoreFailedError: nobody can tell.
    """
    prefix = folder.key.rstrip("/")
    below = len(prefix) + 1 if prefix else 0
    found = ((key, bytes_) for key, bytes_ in _listed(folder, prefix))
    return _sorted(folder, (f for f in found if not _is_hidden(f[0][below:])))


def files_like(pattern: Address) -> list[tuple[Address, int]]:
    """The files whose names fit a pattern of `*`, `?`, `[...]` and, for any folders, `**`."""
    parts = pattern.key.split("/")
    fixed = next(place for place, part in enumerate(parts) if has_magic(part))
    found = _listed(pattern, "/".join(parts[:fixed]))
    return _sorted(pattern, (f for f in found if _fits(f[0].split("/"), parts)))


def _listed(address: Address, prefix: str) -> Iterator[tuple[str, int]]:
    import obstore

    if address.is_web:
        return
    store, _ = connected(address)
    with told(address):
        for batch in obstore.list(store, prefix or None):
            yield from ((found["path"], found["size"]) for found in batch)


def _sorted(at: Address, found: Iterator[tuple[str, int]]) -> list[tuple[Address, int]]:
    by_name = sorted(found, key=lambda file: file[0].split("/"))
    return [(at._replace(key=key), bytes_) for key, bytes_ in by_name]


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def _fits(parts: list[str], pattern: list[str]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == _ANY_DEPTH:
        folders = next((n for n, part in enumerate(parts) if part.startswith(".")), len(parts))
        return any(_fits(parts[place:], pattern[1:]) for place in range(folders + 1))
    if not parts or parts[0].startswith(".") > pattern[0].startswith("."):
        return False
    return fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])
