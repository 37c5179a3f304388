"""Texts of other people's, shown as they are without doing anything."""

import unicodedata
from typing import Final, NamedTuple

LONGEST: Final = 4_000  # characters of one text on a page
_JOINERS: Final = "\u200c\u200d"  # emoji and some alphabets are spelled with them


class Cut(NamedTuple):
    """The beginning of a text, and how many characters more it has."""

    text: str
    more: int


def visible(text: str) -> str:
    r"""The text with its control characters, and what turns the direction of writing, spelled out.

    They could hide what is written, or turn it around (Boucher and Anderson 2021, "Trojan Source").

    Example:
        >>> visible("a\x00b\u202ec\td")
        'a\\x00b\\u202ec\td'
    """
    if text.isprintable():
        return text
    return "".join(char if _plain(char) else _spelled(char) for char in text)


def _plain(char: str) -> bool:
    if char.isprintable() or char in "\n\t" or char in _JOINERS:
        return True
    return unicodedata.category(char) in ("Zs", "Co")


def _spelled(char: str) -> str:
    code = ord(char)
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )


def cut(text: str, longest: int = LONGEST) -> Cut:
    """The text, up to so many characters; line ends of Windows are line ends.

    Example:
        >>> cut("abcdef", 4)
        Cut(text='abcd', more=2)
    """
    plain = text.replace("\r\n", "\n")
    return Cut(plain[:longest], max(len(plain) - longest, 0))
