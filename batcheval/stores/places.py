"""Questions to a place, be it a path here or an address."""

from pathlib import Path
from typing import TypeAlias

from batcheval.stores.address import Address
from batcheval.stores.heads import head
from batcheval.stores.listing import files_in, size_at
from batcheval.stores.ranges import RemoteFile

Place: TypeAlias = Path | Address


def is_there(place: Place) -> bool:
    """Whether a file is there, or anything else of this name."""
    if isinstance(place, Path):
        return place.exists()
    return is_file(place) or is_folder(place)


def is_file(place: Place) -> bool:
    """Whether a file is there."""
    return place.is_file() if isinstance(place, Path) else size_at(place) is not None


def is_folder(place: Place) -> bool:
    """Whether there are files below it."""
    if isinstance(place, Path):
        return place.is_dir()
    return size_at(place) is None and bool(files_in(place))


def within(folder: Place, name: str) -> Place:
    """A file in a folder."""
    if isinstance(folder, Path):
        return folder / name
    return folder._replace(key=f"{folder.key.rstrip('/')}/{name}".lstrip("/"))


def children(folder: Place) -> list[Place]:
    """The files that lie in a folder itself, by name."""
    if isinstance(folder, Path):
        return sorted(folder.iterdir())
    return [file for file, _ in files_in(folder) if within(folder, file.name) == file]


def beginning(place: Place, count: int) -> bytes:
    """The first bytes of a file.

    Raises:
        OSError: the file here cannot be read.
        BatchevalError: the one at an address cannot, as `RemoteFile` says.
    """
    if isinstance(place, Address):
        return head(place).data[:count]
    with place.open("rb") as file:
        return file.read(count)


def text_of(place: Place) -> str:
    """All of a small text file; for errors see `beginning`."""
    if isinstance(place, Path):
        return place.read_text("utf-8")
    with RemoteFile(place) as file:
        return file.readall().decode()
