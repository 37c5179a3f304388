"""A pattern cut into tokens, each with the flags that hold where it stands."""

import re
from typing import NamedTuple

from batcheval.checks.regexes.linear import refusal
from batcheval.errors import BadPatternError

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
OPENS = frozenset({"condition", "look", "atomic", "group", "capture"})
_BLANKS = re.compile(
    r"(?:[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]|#[^\n]*)+"
)


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
    lead = with_flags("", flags).removesuffix(")")
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


def with_flags(item: str, flags: frozenset[str]) -> str:
    """The item as a group of its own, for the linear engine."""
    on = "".join(flag for flag in "imsRux" if flag in flags)
    off = "".join(flag for flag in "imsRux" if flag not in flags)
    return f"(?{on}-U{off}:{item})"  # U is about repeats, of which an item has none


def _flags_after(token: Token, outer: list[frozenset[str]]) -> frozenset[str]:
    """The flags that hold after a token, `outer` being those to go back to, group by group."""
    flags = token.flags
    if token.kind == "close":
        return outer.pop() if outer else flags
    if token.kind in OPENS:
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
