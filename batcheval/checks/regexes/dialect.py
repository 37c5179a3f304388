r"""Patterns that the linear engine cannot run, told to the `regex` package in its own words.

The dialect is that of the linear engine, and what only a backtracking engine can do: look-around
`(?=…) (?!…) (?<=…) (?<!…)`, back-references `\1 (?P=name) \k<name>`, atomic groups `(?>…)`,
possessive quantifiers `a++`, conditions `(?(1)…|…)` and comments `(?#…)`.
"""

from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

from batcheval.checks.regexes.classes import case_class, cased, character_class
from batcheval.checks.regexes.tokens import OPENS, Token, tokens, with_flags
from batcheval.errors import BadPatternError

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
    if token.kind in OPENS:
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
    item = with_flags(token.text, token.flags if is_class else token.flags - {"x"})
    letter = token.text.removeprefix("\\")
    if len(letter) > 1 or token.text == "." or (letter != token.text and letter.isalnum()):
        return character_class(item)
    return case_class(item) if "i" in token.flags and letter in cased() else rf"\U{ord(letter):08x}"


def _anchor(token: Token) -> str:
    """A place between characters."""
    if token.text in _BOUNDARIES:
        word = character_class(with_flags(r"\w", token.flags))
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
