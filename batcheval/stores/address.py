"""Addresses: files in object stores and on web servers, named as paths are."""

import re
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from batcheval.errors import UnknownSchemeError

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SHOWN: Final = ("s3://", "gs://", "az://", "https://")
_STORES: Final = frozenset({"s3", "s3a", "gs", "az", "azure", "abfs", "abfss"})
_WEB: Final = frozenset({"http", "https"})


def is_address(path: object) -> bool:
    """Whether this names a file by a scheme, as `s3://bucket/key` does."""
    return _SCHEME.match(str(path)) is not None


def located(path: "str | Path | Address") -> "Path | Address":
    """What a path or an address names; both have `name`, `suffix` and `with_name`.

    Raises:
        UnknownSchemeError: the address is of a kind that is not read.

    Example:
        >>> located("s3://bucket/date=2026-01-01/traces.jsonl").suffix
        '.jsonl'
        >>> located("traces.jsonl") == Path("traces.jsonl")
        True
    """
    if isinstance(path, Address):
        return path
    if not is_address(path):
        return Path(path)
    scheme, _, rest = str(path).partition("://")
    address = Address(scheme.lower(), *_cut(scheme.lower(), rest))
    if scheme.lower() not in _STORES | _WEB:
        raise UnknownSchemeError(str(path), _SHOWN)
    return address


def _cut(scheme: str, rest: str) -> tuple[str, str]:
    bucket, _, key = rest.partition("/")
    return bucket, key


class Address(NamedTuple):
    """An address in its parts.

    Attributes:
        scheme: in small letters, such as `s3`.
        bucket: or container, or the host of a web server.
        key: what follows; on the web with the query.
    """

    scheme: str
    bucket: str
    key: str

    def __str__(self) -> str:
        """As it was spelled."""
        return f"{self.scheme}://{self.bucket}/{self.key}"

    @property
    def root(self) -> str:
        """The address of the whole bucket or server."""
        return f"{self.scheme}://{self.bucket}/"

    @property
    def is_web(self) -> bool:
        """Whether it is on a web server, which lists nothing and takes nothing."""
        return self.scheme in _WEB

    @property
    def name(self) -> str:
        """The last part, as a file would be called."""
        key = unquote(urlsplit(str(self)).path) if self.is_web else self.key
        return PurePosixPath(key).name

    @property
    def suffix(self) -> str:
        """The ending of the name, with its dot."""
        return PurePosixPath(self.name).suffix

    def with_name(self, name: str) -> "Address":
        """The address beside this one, called `name`."""
        folder, slash, _ = self.key.rpartition("/")
        return self._replace(key=f"{folder}{slash}{name}")
