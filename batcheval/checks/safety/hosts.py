"""Where addresses lead: the host that a browser would connect to, whatever the spelling.

After the URL Standard of the WHATWG: the user part ends at the last `@`, a backslash is a slash, a
host is decoded, brought to ASCII (UTS #46) and, if it ends in a number, an IPv4 address in any of
its spellings.
"""

import re
import socket
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, NamedTuple
from urllib.parse import unquote

import idna

from batcheval.errors import BadArgumentError

ADDRESS: Final = re.compile(r"(?i)(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*):[/\\]{2}([^\s<>\"'`]*)")
_NO_HOST: Final = frozenset({"file", "data", "about", "javascript"})
_BARE: Final = re.compile(r"[^\s<>\"'`@/\\]+(?:\.[^\s<>\"'`@/\\]+|:\d+)(?:[/\\?#]\S*)?\Z")
_NUMBER: Final = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)\Z")


class Place(NamedTuple):
    """A host, and the port where it is given."""

    host: str
    port: str


def addresses(text: str, named: bool) -> list[Place]:
    """The places that a text leads to.

    Args:
        text: of an argument.
        named: the argument is called `url`, `host` or so: one without a scheme counts too.

    Example:
        >>> addresses("see https://good.com@evil.com:8443/x", False)
        [Place(host='evil.com', port='8443')]
    """
    found = [
        place(match[2])
        for match in ADDRESS.finditer(text)
        if match[1].lower() not in _NO_HOST and match[2]
    ]
    bare = text.strip()
    if named and not found and (bare.startswith(("//", "\\\\")) or _BARE.match(bare)):
        found.append(place(bare.lstrip("/\\")))
    return found


@lru_cache(maxsize=4096)
def place(rest: str) -> Place:
    """The host and port of an address after its scheme and slashes.

    A host that cannot be one is given as it is spelled, so that it is in no list.
    """
    authority = re.split(r"[/\\?#]", rest, maxsplit=1)[0].rpartition("@")[2].rstrip(".,;)")
    if authority.startswith("["):
        inner, _, port = authority[1:].partition("]")
        return Place(_ipv6(inner), port.removeprefix(":"))
    host, _, port = authority.partition(":")
    return Place(_ascii(unquote(host)), port)


def _ipv6(text: str) -> str:
    try:
        address = IPv6Address(text.partition("%")[0])
        return str(address.ipv4_mapped or address)
    except AddressValueError:
        return f"[{text}]"


def _ascii(host: str) -> str:
    try:
        name = host.lower() if host.isascii() else idna.uts46_remap(host, std3_rules=False)
        if not name.isascii():
            name = idna.encode(name, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        return host
    name = name.removesuffix(".")
    if _NUMBER.match(name.rpartition(".")[2]):
        try:
            return str(IPv4Address(socket.inet_aton(name)))
        except OSError:
            return name
    return name


class Allowed:
    """A list of domains, IP addresses and networks, each perhaps with a port.

    Example:
        >>> allowed = Allowed(["example.com", "10.0.0.0/8"], True)
        >>> [allowed(Place(host, "")) for host in ("a.example.com", "badexample.com", "10.1.2.3")]
        [True, False, True]
    """

    def __init__(self, domains: Iterable[str], subdomains: bool) -> None:
        self._subdomains = subdomains
        self._exact: set[tuple[str, str]] = set()
        self._below: set[tuple[str, str]] = set()
        self._networks = []
        for entry in domains:
            if re.fullmatch(r"[0-9a-fA-F:.]+/[0-9]{1,3}", entry):
                try:
                    self._networks.append(ip_network(entry, strict=False))
                except ValueError:
                    raise BadArgumentError("domains", "a list of domains", entry) from None
                continue
            wild = entry.startswith("*.")
            at = place(entry[2:] if wild else f"[{entry}]" if entry.count(":") > 1 and "[" not in
                       entry else entry)  # fmt: skip
            if not at.host or re.search(r"[/\\?#@\s*]", entry[2:] if wild else entry):
                raise BadArgumentError("domains", "a list of domains such as 'example.com'", entry)
            (self._below if wild else self._exact).add(at)

    def __call__(self, at: Place) -> bool:
        """Whether it is in the list."""
        if any((at.host, port) in self._exact for port in (at.port, "")):
            return True
        try:
            address = ip_address(at.host)
        except ValueError:
            return self._is_below(at)
        return any(address in network for network in self._networks)

    def _is_below(self, at: Place) -> bool:
        labels = at.host.split(".")
        above = (".".join(labels[n:]) for n in range(1, len(labels)))
        lists = (self._below, self._exact) if self._subdomains else (self._below,)
        return any(
            (host, port) in known for host in above for port in (at.port, "") for known in lists
        )
