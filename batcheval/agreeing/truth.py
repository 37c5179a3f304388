"""Labels as a person meant them: good, or bad."""

from collections.abc import Sequence
from math import isfinite
from typing import Final, NamedTuple

import polars as pl

from batcheval.errors import BadArgumentError, BadLabelsError, quoted
from batcheval.schema.numbers import to_number

GOOD: Final = (
    *("true", "pass", "passed", "yes", "y", "good", "correct", "right", "success", "successful"),
    *("ok", "accept", "accepted", "positive", "up", "thumbs_up", "thumbs up", "👍"),
)
BAD: Final = (
    *("false", "fail", "failed", "no", "n", "bad", "incorrect", "wrong", "failure", "error"),
    *("not ok", "reject", "rejected", "negative", "down", "thumbs_down", "thumbs down", "👎"),
)
_MEANING: Final = {**dict.fromkeys(GOOD, True), **dict.fromkeys(BAD, False)}
_NONE: Final = ("", "nan")


class Truth(NamedTuple):
    """What a person said of each row.

    Attributes:
        good: true, false, or null where there is no label.
        meaning: which labels are good ones, in words.
    """

    good: pl.Series
    meaning: str


def truth_of(
    values: pl.Series, label: str, positive: Sequence[str] = (), above: float | None = None
) -> Truth:
    """Labels of any type as true and false; null, NaN and blanks are no labels.

    Args:
        values: the labels.
        label: what they are called in messages.
        positive: those that are good, upper and lower case alike; all others are bad.
        above: labels are numbers, and good above this one. Without either, true and false, words
            such as `pass` and `wrong`, 1 and 0, and 1 and -1 are understood.

    Raises:
        BadArgumentError: both `positive` and `above` are given.
        BadLabelsError: it cannot be told what labels mean.

    Example:
        >>> found = truth_of(pl.Series(["Yes", "no", None]), "helpful")
        >>> found.good.to_list(), found.meaning
        ([True, False, None], "'yes' is good, 'no' is bad")
    """
    if positive and above is not None:
        raise BadArgumentError("above", "left out where 'positive' is given", above)
    if above is not None and not isfinite(above):
        raise BadArgumentError("above", "a number", above)
    texts = values.cast(pl.String).str.strip_chars().str.to_lowercase()
    texts = texts.set(texts.is_in(_NONE), None)
    counts = _counts(texts)
    if above is not None:
        return _numbers(texts, label, above)
    if positive:
        return _named(texts, label, list(counts), [value.strip().lower() for value in positive])
    return _understood(texts, label, counts)


def _counts(texts: pl.Series) -> dict[str, int]:
    """How often each text stands, the most frequent first."""
    counts = texts.drop_nulls().value_counts(name="count").rows()
    return dict(sorted(counts, key=lambda pair: (-pair[1], pair[0])))


def _numbers(texts: pl.Series, label: str, above: float) -> Truth:
    numbers = to_number(texts, pl.Float64())
    words = texts.filter(texts.is_not_null() & numbers.is_null())
    if len(words):
        raise BadLabelsError.no_numbers(label, words.unique(maintain_order=True).head(5))
    return Truth(numbers > above, f"above {above:g} is good")


def _named(texts: pl.Series, label: str, known: list[str], positive: list[str]) -> Truth:
    for value in positive:
        if value not in known:
            raise BadLabelsError.absent(label, value, known[:20])
    others = [value for value in known if value not in positive]
    return Truth(texts.is_in(positive), _told(positive, others))


def _understood(texts: pl.Series, label: str, counts: dict[str, int]) -> Truth:
    known = list(counts)
    numbers = to_number(pl.Series(known, dtype=pl.String), pl.Float64()).to_list()
    values = {number for number in numbers if number is not None}
    meaning = dict(_MEANING)
    if values <= {0.0, 1.0} or values <= {-1.0, 1.0}:
        meaning |= {t: n > 0 for t, n in zip(known, numbers, strict=True) if n is not None}
    unknown = [(text, count) for text, count in counts.items() if text not in meaning]
    if unknown:
        raise BadLabelsError.unclear(label, unknown, all(number is not None for number in numbers))
    good = texts.replace_strict(meaning, default=None, return_dtype=pl.Boolean)
    return Truth(
        good, _told([t for t in known if meaning[t]], [t for t in known if not meaning[t]])
    )


def _told(good: list[str], bad: list[str]) -> str:
    """Which are good and which bad, as far as there are any."""
    parts = []
    for names, word in ((good, "good"), (bad, "bad")):
        some = f"{quoted(names[:5])}{' …' if len(names) > 5 else ''}"
        parts += [f"{some} {'is' if len(names) == 1 else 'are'} {word}"] if names else []
    return ", ".join(parts)
