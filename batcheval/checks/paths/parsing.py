"""The text of a path, such as `search+ (summarize | respond)`, as a tree."""

import re
from typing import Final

from batcheval.checks.operands import operand
from batcheval.checks.paths.tree import Call, Choice, Node, Repeat, Sequence
from batcheval.errors import BadArgumentError

DEEPEST: Final = 50  # groups within groups
MOST_TIMES: Final = 1_000  # of a repeat such as {2,5}

_WORD: Final = r"[\w\-/:]+"
_TOKEN: Final = re.compile(
    rf"""(?P<name>{_WORD})|"(?P<double>[^"]+)"|'(?P<single>[^']+)'|\.|[|()]"""
    r"|(?P<times>[*+?]|\{\s*(?P<low>\d{0,9})\s*(?P<comma>,?)\s*(?P<high>\d{0,9})\s*\})"
)
_DOTTED: Final = re.compile(rf"(?<={_WORD[:-1]})\.|\.(?={_WORD})")
_ODD: Final = "a name with such characters needs quotes"
_WRONG_TIMES: Final = f"a number of times is 0 to {MOST_TIMES:,}, as in {{2}} or {{1,3}}"
_SPACE: Final = re.compile(r"\s*")

_TIMES: Final[dict[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def tree_of(text: object) -> Node:
    """The tree of a path.

    Raises:
        BadArgumentError: it is none; the message tells the place.

    Example:
        >>> tree_of("a b?")
        Sequence(parts=(Call(name='a'), Repeat(part=Call(name='b'), low=0, high=1)))
    """
    if not isinstance(text, str):
        raise BadArgumentError("path", "a path such as 'search+ (summarize | respond)'", text)
    operand("path", text)
    parser = _Parser(text)
    tree = parser.choice(0)
    if parser.at < len(text):
        raise parser.error("this closes no group")
    return tree


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self._skip()

    def choice(self, depth: int) -> Node:
        parts = [self._sequence(depth)]
        while self._takes("|"):
            parts.append(self._sequence(depth))
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def error(self, problem: str, at: int | None = None) -> BadArgumentError:
        at = self.at if at is None else at
        rest = f", '{self.text[at:][:20]}'" if at < len(self.text) else ", its end"
        wanted = f"a path of tool names ({problem} at character {at + 1}{rest})"
        return BadArgumentError("path", wanted, self.text)

    def _sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            parts.append(self._repeated(depth))
        if not parts:
            raise self.error("a tool name is missing")
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, depth: int) -> Node:
        part = self._single(depth)
        if (found := self._token()) is None or found["times"] is None:
            return part
        low, high = self._times(found)
        self._move(found.end())
        if (again := self._token()) is not None and again["times"]:
            raise self.error("a second number of times needs a group")
        return Repeat(part, low, high)

    def _single(self, depth: int) -> Node:
        start, found = self.at, self._token()
        if found is None:
            raise self.error(_WRONG_TIMES if self._takes("{") else _ODD)
        if found["times"]:
            raise self.error("there is nothing to repeat")
        if found[0] == "(":
            return self._group(start, depth)
        if found[0] == "." and _DOTTED.match(self.text, start):
            raise self.error("a name with a dot needs quotes, and '.' for any tool a space")
        self._move(found.end())
        return Call(found["name"] or found["double"] or found["single"])

    def _group(self, start: int, depth: int) -> Node:
        if depth == DEEPEST:
            raise self.error("groups are nested too deeply")
        self._move(start + 1)
        inner = self.choice(depth + 1)
        if not self._takes(")"):
            raise self.error("a group is not closed that begins", start)
        return inner

    def _times(self, found: re.Match[str]) -> tuple[int, int | None]:
        if found["times"] in _TIMES:
            return _TIMES[found["times"]]
        low = int(found["low"] or 0)
        high = (int(found["high"]) if found["high"] else None) if found["comma"] else low
        if not (found["low"] or found["high"]) or max(low, high or 0) > MOST_TIMES:
            raise self.error(_WRONG_TIMES)
        if high is not None and high < low:
            raise self.error("the least number of times is above the largest")
        return low, high

    def _token(self) -> re.Match[str] | None:
        return _TOKEN.match(self.text, self.at)

    def _takes(self, mark: str) -> bool:
        if not self.text.startswith(mark, self.at):
            return False
        self._move(self.at + 1)
        return True

    def _move(self, at: int) -> None:
        self.at = at
        self._skip()

    def _skip(self) -> None:
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
