"""Files in object stores and on web servers: found, read in ranges, written whole."""

from batcheval.stores.address import Address, is_address, located
from batcheval.stores.connection import options_of
from batcheval.stores.downloads import downloaded
from batcheval.stores.heads import RangesRefusedError, looking
from batcheval.stores.listing import files_in, files_like, is_pattern, size_at, version_of
from batcheval.stores.places import (
    Place,
    beginning,
    children,
    is_file,
    is_folder,
    is_there,
    text_of,
    within,
)
from batcheval.stores.ranges import RemoteFile
from batcheval.stores.uploads import put, removed, require_store

__all__ = [
    "Address",
    "Place",
    "RangesRefusedError",
    "RemoteFile",
    "beginning",
    "children",
    "downloaded",
    "files_in",
    "files_like",
    "is_address",
    "is_file",
    "is_folder",
    "is_pattern",
    "is_there",
    "located",
    "looking",
    "options_of",
    "put",
    "removed",
    "require_store",
    "size_at",
    "text_of",
    "version_of",
    "within",
]
