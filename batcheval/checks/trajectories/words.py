"""What was expected of a run, in words."""

from collections.abc import Iterator
from typing import Final

from batcheval.checks.trajectories.expectations import Expectation
from batcheval.errors import quoted

LONGEST: Final = 110  # characters of all that was asked
SHOWN: Final = 60  # characters of names

_ORDER: Final = {"strict": "exactly in this order", "unordered": "in any order"}


def route_in_words(expected: Expectation) -> str:
    """The expected steps: `take 'a', 'b' in this order`."""
    route = expected.steps
    if route is None or not route.steps:
        return "take no step"
    names = _cut(quoted(route.names[:SHOWN]), SHOWN)
    return f"take {names} {_ORDER.get(expected.order, 'in this order')}"


def in_words(expected: Expectation) -> str:
    """All that is expected, cut where it is long.

    Example:
        >>> in_words(Expectation(max_steps=3, blacklisted_tools=["refund"]))
        "take at most 3 steps, avoid 'refund', retry a tool at most 2 times in a row"
    """
    return _cut(", ".join(_parts(expected)), LONGEST)


def _parts(expected: Expectation) -> Iterator[str]:
    if expected.steps is not None:
        yield route_in_words(expected)
    limits = {
        "take at most {:g} steps": expected.max_steps,
        "use at most {:g} tokens": expected.max_total_tokens,
        "last at most {:g} ms": expected.max_total_duration_ms,
    }
    yield from (words.format(limit) for words, limit in limits.items() if limit is not None)
    if expected.no_redundant_calls:
        yield "repeat no call"
    barred = [*(expected.blacklisted_tools or ())[:SHOWN]]
    barred += [", ".join(names) for names in (expected.blacklisted_sequences or ())[:SHOWN]]
    if barred:
        yield f"avoid {quoted(barred)}"
    yield f"retry a tool at most {expected.most_retries:g} times in a row"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
