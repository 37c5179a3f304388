"""Files put into stores: whole, or not at all."""

from contextlib import suppress
from pathlib import Path

from batcheval.errors import DeniedError, MissingFileError, UnwritablePathError
from batcheval.stores.address import Address
from batcheval.stores.connection import connected
from batcheval.stores.failures import told
from batcheval.stores.heads import head


def require_store(address: Address) -> None:
    """See to it, before the work, that a file can stand at an address.

    Raises:
        UnwritablePathError: it is a web server, or no file is named.
        MissingBucketError, NoCredentialsError, StoreFailedError: as it says.
    """
    if address.is_web:
        raise UnwritablePathError(str(address), "web servers take no files")
    if not address.name or address.key.endswith("/"):
        raise UnwritablePathError(str(address), "it is a folder")
    # Who may write need not be allowed to read.
    with suppress(MissingFileError, DeniedError):
        head(address)


def put(file: Path, address: Address) -> None:
    """Send a file, a large one in several parts; it is seen once all of them are there.

    Raises:
        MissingBucketError, DeniedError, NoCredentialsError, StoreFailedError: it was not taken.
    """
    import obstore

    store, path = connected(address)
    with told(address):
        obstore.put(store, path, file)


def removed(address: Address) -> None:
    """Take a file away, if it is there.

    Raises:
        MissingBucketError, DeniedError, NoCredentialsError, StoreFailedError: it stays.
    """
    import obstore

    store, path = connected(address)
    with suppress(MissingFileError), told(address):
        obstore.delete(store, path)
