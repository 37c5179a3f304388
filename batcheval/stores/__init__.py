"""Files in object stores and on web servers: found, read in ranges, written whole."""

from batcheval.stores.address import Address, is_address, located
from batcheval.stores.connection import SCAN_OPTIONS
from batcheval.stores.heads import looking
from batcheval.stores.listing import files_in, files_like, is_pattern, size
from batcheval.stores.ranges import RemoteFile

__all__ = [
    "SCAN_OPTIONS",
    "Address",
    "RemoteFile",
    "files_in",
    "files_like",
    "is_address",
    "is_pattern",
    "located",
    "looking",
    "size",
]
