"""Lines that are nearly JSON, made JSON with a stated loss."""

import re
from collections.abc import Iterator
from typing import Final

# A string as JSON writers mean it (escapes may be wrong inside), or one of the words that Python
# writes for numbers that JSON has no place for.
_TOKEN: Final = re.compile(
    rb'"(?:[^"\\]++|\\.)*+(?:"|$)|-?\b(?:NaN|Infinity)\b',  # never looks at a byte twice
    re.DOTALL,
)
_PAIR_OR_LONE: Final = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_HALF: Final = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")  # of a pair, encoded like a character
_CONTROL: Final = re.compile(rb"[\x00-\x1f]")


def repair(line: bytes) -> bytes:
    r"""A line with what is known to go wrong put right.

    NaN and infinities become null; bytes that are no UTF-8 and lone halves of a surrogate pair
    become U+FFFD; raw control characters in strings are escaped. All else stays as it is.

    Example:
        >>> repair(b'{"cost": NaN, "output": "bad \\ud83d end"}')
        b'{"cost": null, "output": "bad \\ufffd end"}'
    """
    valid = _HALF.sub(b"\xef\xbf\xbd", line).decode("utf-8", "replace").encode()
    return _TOKEN.sub(lambda token: _mended(token[0]), valid.strip())


def attempts(line: bytes) -> Iterator[bytes]:
    """A line as it is and then, if that was of no use, repaired."""
    yield line
    yield repair(line)


def _mended(token: bytes) -> bytes:
    if token[:1] != b'"':
        return b"null"
    paired = _PAIR_OR_LONE.sub(lambda m: m[0] if len(m[0]) in (2, 12) else rb"\ufffd", token)
    return _CONTROL.sub(lambda m: b"\\u%04x" % ord(m[0]), paired)
