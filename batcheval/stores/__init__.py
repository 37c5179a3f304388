"""Files in object stores and on web servers: found, read in ranges, written whole."""

from batcheval.stores.address import Address, is_address, located
from batcheval.stores.connection import options_of
from batcheval.stores.downloads import downloaded
from batcheval.stores.heads import RangesRefusedError, looking
from batcheval.stores.listing import files_in, files_like, is_pattern, size_at
from batcheval.stores.ranges import RemoteFile

__all__ = [
    "Address",
    "RangesRefusedError",
    "RemoteFile",
    "downloaded",
    "files_in",
    "files_like",
    "is_address",
    "is_pattern",
    "located",
    "looking",
    "options_of",
    "size_at",
]
