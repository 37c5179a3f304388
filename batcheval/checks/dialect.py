r"""Patterns that the linear engine cannot run, told to the `regex` package in its own words.

The dialect is that of the linear engine, and what only a backtracking engine can do: look-around
`(?=…) (?!…) (?<=…) (?<!…)`, back-references `\1 (?P=name) \k<name>`, atomic groups `(?>…)`,
possessive quantifiers `a++`, conditions `(?(1)…|…)` and comments `(?#…)`.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

import polars as pl

from batcheval.errors import BadPatternError

BASES = (
    "",
    r"\w",
    r"\d",
    r"\p{L}",
    r"\p{Lu}",
    r"\p{Ll}",
)  # what a class may be told as a change of
FEW = 24  # edges; a class with no more is quick enough when written out


class Refusal(NamedTuple):
    """Why a pattern cannot be read, and the 0-based code point where, if that is known."""

    reason: str
    position: int | None


@lru_cache(maxsize=1024)
def refusal(pattern: str) -> Refusal | None:
    """Why the linear engine refuses `pattern`; None where it takes it.

    Example:
        >>> refusal("a(b")
        Refusal(reason='unclosed group', position=1)
        >>> refusal("a(b)") is None
        True
    """
    try:
        pattern.encode()  # polars would take half a surrogate pair for something else
        pl.Series([""]).str.contains(pattern, literal=False, strict=True)
    except UnicodeEncodeError as error:
        return Refusal("half a surrogate pair is not a character", error.start)
    except pl.exceptions.ComputeError as error:
        return _told(str(error), pattern)
    return None


def _told(message: str, pattern: str) -> Refusal:
    """The refusal in a message of polars; a pattern that is merely too big has no position."""
    message = message.partition("\n\nThis error occurred")[0].removeprefix("regex error: ")
    picture, found, reason = message.rpartition("\nerror: ")
    if not found:
        return Refusal(reason.partition("\n")[0].rstrip(".").replace("Compiled", "compiled"), None)
    return Refusal(reason, _position(picture, pattern))


def _position(picture: str, pattern: str) -> int | None:
    """Where the carets of a message point; of several spots (a name given twice), to the last."""
    if "\n" not in pattern:
        return picture.rpartition("\n")[2].rindex(" ^") + 1 - 4
    # The lines of a longer pattern are numbered; a span over several of them is told in words.
    spans = re.findall(r"^on line (\d+) \(column (\d+)\) through", picture, re.M)
    spots = [(int(line), int(column) - 1) for line, column in spans] or [
        (int(found[2]), found[3].rindex(" ^") + 1 - len(found[1]))
        for found in re.finditer(r"^( *(\d+): ).*\n( +\^[ ^]*)$", picture, re.M)
    ]
    if not spots:
        return None
    line, column = spots[-1]
    return sum(len(above) + 1 for above in pattern.split("\n")[: line - 1]) + column


@lru_cache(maxsize=4096)
def character_class(item: str) -> str:
    r"""Spell for the `regex` package (V1, case-sensitive) what `item` matches in the linear engine.

    Args:
        item: a pattern that the linear engine reads and that matches one character at a time.

    Example:
        >>> character_class("[a-c]|é")
        '[\\U00000061-\\U00000063\\U000000e9]'
    """
    edges = _edges(_every_text().str.extract_all(f"(?:{item})+")[0].to_list())
    bases = BASES if len(edges) > FEW else BASES[:1]
    return min((_spelled(edges, base) for base in bases), key=len)


@lru_cache(maxsize=4096)
def case_class(item: str) -> str:
    r"""The same for an `item` that matches one cased letter and what folds together with it.

    Example:
        >>> case_class("(?i:k)")
        '[\\U0000004b\\U0000006b\\U0000212a]'
    """
    return _spelled(_edges(pl.Series([cased()]).str.extract_all(item)[0].to_list()), "")


@cache
def cased() -> str:
    """All characters that fold together with another one.

    Of those that fold together, all but one change when folded; `(?i)` brings in that one.
    """
    return "".join(_every_text().str.extract_all(r"(?i:\p{Changes_When_Casefolded})")[0])


def _edges(runs: Iterable[str]) -> frozenset[int]:
    """Where a set of characters starts and stops: so `^` of two sets is that of their edges.

    Args:
        runs: the set's characters, in stretches without a gap (other than that of the surrogates).
    """
    edges: set[int] = set()
    for run in runs:
        edges ^= {ord(run[0]), ord(run[-1]) + 1}
    return frozenset(edges)


def _spelled(edges: frozenset[int], base: str) -> str:
    """A bracketed class, told as what differs from a class that the `regex` package knows."""
    ends = sorted(edges ^ _edges_of(base))
    pairs = zip(ends[::2], [stop - 1 for stop in ends[1::2]], strict=True)
    changes = "".join(
        rf"\U{low:08x}" if low == high else rf"\U{low:08x}-\U{high:08x}" for low, high in pairs
    )
    if base:
        return f"[{base}~~[{changes}]]" if changes else f"[{base}]"
    return f"[{changes}]" if changes else "(?!)"


@cache
def _edges_of(base: str) -> frozenset[int]:
    """The edges of a class as the `regex` package knows it."""
    import regex

    found = regex.finditer(f"[{base}]+", _every_character(), regex.V1) if base else ()
    return _edges(match[0] for match in found)


@cache
def _every_character() -> str:
    """Every character that a text can hold, in order: all code points but the surrogates."""
    codes = array("I", chain(range(0xD800), range(0xE000, 0x110000)))
    return codes.tobytes().decode("utf-32")


@cache
def _every_text() -> pl.Series:
    """The same as a Series of one text, since each conversion would cost more than a search."""
    return pl.Series([_every_character()])


_TOKEN = re.compile(
    r"""
    (?P<comment> \(\?\#[^)]*\) )
    | (?P<reference> \(\?P=([^)]*)\) | \\k<([^>]*)> | \\([1-9][0-9]?) )
    | (?P<condition> \(\?\((\w+)\) )
    | (?P<look> \(\?<?[=!] )
    | (?P<atomic> \(\?> )
    | (?P<flags> \(\?([a-zA-Z-]+)\) )
    | (?P<group> \(\?([a-zA-Z-]*): )
    | (?P<capture> \(\?P?<([^>]*)> | \( )
    | (?P<close> \) )
    | (?P<bar> \| )
    | (?P<repeat> ( [*+?] | \{\s*[0-9]+\s*(?:,\s*[0-9]*\s*)?\} ) [?+]? )
    | (?P<anchor> [\^$] | \\b\{[a-z-]+\} | \\[AzbB<>] )
    | (?P<item> \\(?: [pPxuU]\{[^}]*\} | [pP]. | x.. | u.{4} | U.{8} | . ) | [^{] )
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENS = frozenset({"condition", "look", "atomic", "group", "capture"})
_BLANKS = re.compile(
    r"(?:[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]|#[^\n]*)+"
)
_BOUNDARIES = {  # {w} is a word character; `regex` has newer letters, so its own \b would not agree
    r"\b": "(?:(?<={w})(?!{w})|(?<!{w})(?={w}))",
    r"\B": "(?:(?<={w})(?={w})|(?<!{w})(?!{w}))",
    r"\b{start}": "(?:(?<!{w})(?={w}))",
    r"\b{end}": "(?:(?<={w})(?!{w}))",
    r"\<": "(?:(?<!{w})(?={w}))",
    r"\>": "(?:(?<={w})(?!{w}))",
    r"\b{start-half}": "(?<!{w})",
    r"\b{end-half}": "(?!{w})",
}
_LINES = {  # by the anchor and whether lines count (m) and may end in \r\n too (mR)
    ("^", ""): r"\A",
    ("$", ""): r"\Z",
    ("^", "m"): "(?m:^)",
    ("$", "m"): "(?m:$)",
    ("^", "mR"): r"(?:\A|(?<=\n)|(?<=\r)(?!\n))",
    ("$", "mR"): r"(?:\Z|(?=\r)|(?<!\r)(?=\n))",
}


class Token(NamedTuple):
    """A piece of a pattern, what is inside it, and the flags (of `imsRUux`) that hold there."""

    kind: str
    text: str
    inside: str
    start: int
    flags: frozenset[str]

    @property
    def is_beyond(self) -> bool:
        """Whether only a backtracking engine has such a piece, or means by it what is meant."""
        extras = {"comment", "reference", "condition", "look", "atomic"}
        return self.kind in extras or (self.kind == "repeat" and self.text[1:].endswith("+"))


def tokens(pattern: str) -> list[Token]:
    """Cut a pattern into tokens; the blanks and comments of verbose mode are left out.

    Raises:
        BadPatternError: a bracketed class or a repeat count is not written as it should be.
    """
    found: list[Token] = []
    outer: list[frozenset[str]] = []
    flags, place = frozenset("u"), 0
    while place < len(pattern):
        if "x" in flags and (blanks := _BLANKS.match(pattern, place)):
            place = blanks.end()
            continue
        token = _token(pattern, place, flags)
        flags = _flags_after(token, outer)
        place += len(token.text)
        found.append(token)
    return found


def _token(pattern: str, place: int, flags: frozenset[str]) -> Token:
    """The token that starts at `place`."""
    if pattern[place] == "[":
        return Token("item", pattern[place : _class_end(pattern, place, flags)], "", place, flags)
    found = _TOKEN.match(pattern, place)
    if found is None or found.lastgroup is None:
        raise BadPatternError(pattern, "a repeat count is written {n}, {n,} or {n,m}", place)
    inner = [text for text in found.groups()[found.re.groupindex[found.lastgroup] :] if text]
    return Token(found.lastgroup, found[0], "".join(inner), place, flags)


def _class_end(pattern: str, start: int, flags: frozenset[str]) -> int:
    """Where the bracketed class ends: at the first `]` with which the linear engine takes it."""
    lead = _with_flags("", flags).removesuffix(")")
    unclosed = "unclosed character class"
    for bracket in re.finditer("]", pattern[start:]):
        end = start + bracket.end()
        refused = refusal(lead + pattern[start:end] + ")")
        if refused is None:
            return end
        if refused.reason != unclosed:
            place = start + (refused.position or 0) - len(lead)
            raise BadPatternError(pattern, refused.reason, place)
    raise BadPatternError(pattern, unclosed, start)


def _with_flags(item: str, flags: frozenset[str]) -> str:
    """The item as a group of its own, for the linear engine."""
    on = "".join(flag for flag in "imsRux" if flag in flags)
    off = "".join(flag for flag in "imsRux" if flag not in flags)
    return f"(?{on}-U{off}:{item})"  # U is about repeats, of which an item has none


def _flags_after(token: Token, outer: list[frozenset[str]]) -> frozenset[str]:
    """The flags that hold after a token, `outer` being those to go back to, group by group."""
    flags = token.flags
    if token.kind == "close":
        return outer.pop() if outer else flags
    if token.kind in _OPENS:
        outer.append(flags)
    if token.kind not in {"flags", "group"}:
        return flags
    on, _, off = token.inside.partition("-")
    return (flags | set(on)) - set(off)


def linear_outline(pattern: str, found: list[Token]) -> str:
    """The pattern with all that is beyond the linear engine made harmless, letter for letter.

    Whatever the linear engine says of the outline, and where, goes for the pattern too.
    """
    text = list(pattern)
    for token in found:
        if token.is_beyond and token.kind != "repeat":
            text[token.start : token.start + len(token.text)] = _harmless(token)
    return "".join(text)


def _harmless(token: Token) -> str:
    """Something as long as the token that opens a group if it does, can be repeated if it can."""
    size = len(token.text)
    if token.kind == "reference":
        return r"\n" + "n" * (size - 2)
    if token.kind == "comment":
        return "(?:" + "n" * (size - 4) + ")"
    return "(?u:" if token.text.startswith("(?<") else "(?:" + "n" * (size - 3)


class Translation(NamedTuple):
    """A pattern in the words of `regex`, and the tokens that its pieces stand for."""

    pieces: list[str]
    found: list[Token]

    def origin(self, offset: int) -> int:
        """The place in the user's pattern of a place in the translated one."""
        ends = list(accumulate(map(len, self.pieces)))
        return self.found[min(bisect_right(ends, offset), len(ends) - 1)].start


def translate(pattern: str) -> Translation:
    """Tell a pattern, whose outline the linear engine takes, to the `regex` package (V1).

    Raises:
        BadPatternError: a reference to a group that is not there, or nothing to repeat.
    """
    found = [token for token in tokens(pattern) if token.kind != "comment"]
    captures = [token.inside for token in found if token.kind == "capture"]
    pieces: list[str] = []
    opened: list[int] = []
    atom: int | None = None  # the piece at which that starts which a repeat would repeat
    for place, token in enumerate(found):
        pieces.append(_piece(pattern, token, captures))
        if token.kind != "repeat":
            atom = _atom_after(token, place, opened)
        elif atom is None:
            raise BadPatternError(pattern, "nothing to repeat", token.start)
        elif found[place - 1].kind == "repeat":  # `a+*`: side by side they would not mean this
            pieces[atom], pieces[place] = "(?:" + pieces[atom], ")" + pieces[place]
    return Translation(pieces, found)


def _atom_after(token: Token, place: int, opened: list[int]) -> int | None:
    """The piece at which the atom starts that ends with this token."""
    if token.kind in _OPENS:
        opened.append(place)
    if token.kind == "close":
        return opened.pop()
    return place if token.kind in {"item", "anchor", "reference"} else None


def _piece(pattern: str, token: Token, captures: list[str]) -> str:
    """One token in the words of `regex`; flags are never told, since each piece minds its own."""
    match token.kind:
        case "item":
            return _item(token)
        case "anchor":
            return _anchor(token)
        case "repeat":
            return _repeat(token)
        case "reference" | "condition":
            number = _group_number(pattern, token, captures)
            same = rf"(?i-f:\g<{number}>)" if "i" in token.flags else rf"\g<{number}>"
            return same if token.kind == "reference" else f"(?({number})"
    return {"flags": "", "group": "(?:", "capture": "("}.get(token.kind, token.text)


def _item(token: Token) -> str:
    """What matches one character: written out from what it matches in the linear engine."""
    is_class = token.text.startswith("[")  # outside of one, a blank that got here is meant
    item = _with_flags(token.text, token.flags if is_class else token.flags - {"x"})
    letter = token.text.removeprefix("\\")
    if len(letter) > 1 or token.text == "." or (letter != token.text and letter.isalnum()):
        return character_class(item)
    return case_class(item) if "i" in token.flags and letter in cased() else rf"\U{ord(letter):08x}"


def _anchor(token: Token) -> str:
    """A place between characters."""
    if token.text in _BOUNDARIES:
        word = character_class(_with_flags(r"\w", token.flags))
        return _BOUNDARIES[token.text].format(w=word)
    if token.text.startswith("\\"):
        return token.text.upper()
    lines = "m" if "m" in token.flags else ""
    return _LINES[token.text, lines + "R" if lines and "R" in token.flags else lines]


def _repeat(token: Token) -> str:
    """A quantifier: greedy, lazy (the flag U swaps the two) or possessive."""
    count = "".join(token.inside.split())
    sign = token.text[len(token.inside) :]
    if sign == "+":
        return count + sign
    return count + ("?" if (sign == "?") != ("U" in token.flags) else "")


def _group_number(pattern: str, token: Token, captures: list[str]) -> int:
    """The number of the group that a reference or condition names."""
    if token.inside.isdecimal():
        return int(token.inside)
    if token.inside and token.inside in captures:
        return captures.index(token.inside) + 1
    raise BadPatternError(pattern, "unknown group", token.start)
