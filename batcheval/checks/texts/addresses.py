"""Which web addresses are well formed, by RFC 3986, RFC 1123 and RFC 5890."""

import re
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final

FOUND: Final = r"(?i)(?:https?|ftp)://[^\s<>\x22`]*"  # whatever begins like one
_URL: Final = re.compile(r"(?i)(?:https?|ftp)://([^/?#]*)([^#]*)(#.*)?\Z", re.DOTALL)
_AUTHORITY: Final = re.compile(r"(?:([^@]*)@)?(\[[^\]]*\]|[^:\[\]@]*)(?::([0-9]*))?\Z")
_ODD: Final = re.compile(r"%(?![0-9A-Fa-f]{2})|[\\^{}|\x00-\x20\x7f]")
_LABEL: Final = re.compile(r"[^\W_](?:[\w-]{0,61}[^\W_])?\Z")
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}


def trimmed(url: str) -> str:
    """An address without the marks of the sentence around it.

    Example:
        >>> trimmed("http://a.de/x_(y)."), trimmed("http://a.de/x)**,")
        ('http://a.de/x_(y)', 'http://a.de/x')
    """
    while url:
        last = url[-1]
        is_closing = last in _PAIRS and url.count(last) > url.count(_PAIRS[last])
        if not is_closing and last not in ".,;:!?'*_\u2019\u201d\u3001\u3002\uff0c":
            break
        url = url[:-1]
    return url


@lru_cache(maxsize=4096)
def is_valid(url: str, hosts: frozenset[str] | None = None) -> bool:
    """Whether an address is well formed and, if `hosts` are given, leads to one of them.

    Example:
        >>> is_valid("https://example.com/a?b=%20"), is_valid("https://example/%zz")
        (True, False)
    """
    parts = _URL.match(url)
    authority = _AUTHORITY.match(parts[1]) if parts else None
    if parts is None or authority is None or _ODD.search(url):
        return False
    host, port = authority[2].lower(), authority[3]
    if port and not 1 <= int(port[:6]) <= 65535:
        return False
    ours = hosts is None or any(host == known or host.endswith("." + known) for known in hosts)
    return ours and _is_host(host)


def _is_host(host: str) -> bool:
    try:
        if host.startswith("["):
            return IPv6Address(host[1:-1]).version == 6
        if re.fullmatch(r"[0-9.]+", host):
            return IPv4Address(host).version == 4
    except AddressValueError:
        return False
    labels = host.removesuffix(".").split(".")
    named = host == "localhost" or (len(labels) > 1 and not labels[-1].isdigit())
    return named and len(host) <= 253 and len(labels[-1]) > 1 and all(map(_LABEL.match, labels))
