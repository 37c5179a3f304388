"""What the details of scores point at: pieces of a text, calls, what is missing.

One table says which names of details hold what; a check of anybody's that uses these names for such
values has its evidence marked.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

SPANS: Final = ("spans",)  # with `start` and `end`, in code points of the text that is judged
QUOTES: Final = ("phrase", "found", "invalid", "most")  # texts that stand in it
CALLS: Final = ("calls",)  # numbers of calls, from 1
TOOLS: Final = ("failed_tools",)  # names of tools whose calls did not end well
MISSING: Final = ("missing", "missing_steps", "missing_elements")  # what was wanted


class Span(NamedTuple):
    """A piece of a text, in code points: `text[start:end]`, and the scorers that point at it."""

    start: int
    end: int
    scorers: tuple[str, ...]


def spans_in(text: str, details: Mapping[str, Any] | None, scorer: str) -> Iterator[Span]:
    """The pieces of a text that the details of one scorer point at.

    Example:
        >>> list(spans_in("Sorry!", {"phrase": "sorry"}, "polite"))
        [Span(start=0, end=5, scorers=('polite',))]
    """
    for name in SPANS:
        for span in _listed(details, name):
            if isinstance(span, Mapping) and {"start", "end"} <= span.keys():
                yield Span(span["start"], span["end"], (scorer,))
    folded = text.lower() if len(text.lower()) == len(text) else text
    for name in QUOTES:
        for quoted in _listed(details, name):
            if not isinstance(quoted, str) or not quoted.strip():
                continue
            start = text.find(quoted)
            start = folded.find(quoted.lower()) if start < 0 else start
            if start >= 0:
                yield Span(start, start + len(quoted), (scorer,))


def merged(spans: Sequence[Span]) -> list[Span]:
    """The same pieces in order, those that overlap made one.

    Example:
        >>> merged([Span(3, 6, ("b",)), Span(0, 4, ("a",))])
        [Span(start=0, end=6, scorers=('a', 'b'))]
    """
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start < found[-1].end:
            last = found.pop()
            names = tuple(dict.fromkeys((*last.scorers, *span.scorers)))
            found.append(Span(last.start, max(last.end, span.end), names))
        else:
            found.append(span)
    return found


def calls_in(calls: Sequence[Mapping[str, Any]], details: Mapping[str, Any] | None) -> list[int]:
    """The numbers of the calls, from 1, that the details of one scorer point at."""
    numbers = {n for name in CALLS for n in _listed(details, name) if isinstance(n, int)}
    tools = {tool for name in TOOLS for tool in _listed(details, name)}
    ended = {
        number
        for number, call in enumerate(calls, 1)
        if call["name"] in tools and call["state"] in ("error", "pending")
    }
    return sorted(number for number in numbers | ended if 1 <= number <= len(calls))


def missing_in(details: Mapping[str, Any] | None) -> list[str]:
    """What the details of one scorer say is missing."""
    return [str(value) for name in MISSING for value in _listed(details, name)]


def _listed(details: Mapping[str, Any] | None, name: str) -> list[Any]:
    value = (details or {}).get(name)
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []
