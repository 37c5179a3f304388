"""What the linear engine, polars' own, says of a pattern before any text is searched."""

import re
from functools import lru_cache
from typing import NamedTuple

import polars as pl


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
