"""The rows of a batch: the calls made, and which calls are expected of each."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise, repeat
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import polars as pl

from batcheval.checks.called.flat import Flat, Ints, Mask, flat
from batcheval.checks.called.rules import Rules
from batcheval.checks.expected_calls.counting import names_of
from batcheval.checks.expected_calls.expectations import Calls, from_text
from batcheval.checks.expected_calls.matching import Edges
from batcheval.checks.expected_calls.measures import Measure
from batcheval.schema.series import json_texts

Made: TypeAlias = tuple[str | None, str | None]  # the name and the arguments of a call
T = TypeVar("T")


class Asked(NamedTuple):
    """What is expected of rows.

    Attributes:
        fixed: calls for all rows, or None if each row says its own, as JSON text.
        with_args: arguments count, not names alone.
        by: how they are compared.
    """

    fixed: Calls | None
    with_args: bool
    by: Rules


class Batch(NamedTuple):
    """The rows of a batch.

    Attributes:
        calls: those that were made, with their `args` where some are expected.
        expected: the distinct expectations.
        places: which of them each row has.
        scored: whether it has any.
        by: how arguments are compared.
    """

    calls: Flat
    expected: list[Calls]
    places: Ints
    scored: Mask
    by: Rules

    def scores(self, measure: Measure) -> pl.Series:
        """A number for each row, null where it is unscored."""
        if "args" in self.calls.calls.columns:
            each = self.judged(lambda made, wanted, fits: measure.edges(fits, len(wanted)))
            values = np.array([np.nan if one is None else one for one in each], np.float64)
        else:
            values = measure.names(names_of(self.calls, self.expected, self.places))
        sizes = np.array([len(calls) for calls in self.expected], np.int64)[self.places]
        silent = ~self.scored | np.isnan(values)
        found = np.asarray(measure.finish(values, self.calls.counts(), sizes), np.float64)
        return pl.Series(np.where(silent, np.nan, found)).fill_nan(None)

    def judged(
        self, judge: Callable[[Sequence[Made], Calls, Edges], T], *, whole: bool = False
    ) -> list[T | None]:
        """What a function says of each run, asked once for equal ones; None where unscored.

        Args:
            judge: gets the calls made, those expected, and which of these each call fits.
            whole: it looks at calls that nothing is expected of, too.
        """
        calls, ids = self._distinct(whole)
        known: dict[tuple[int, tuple[int, ...]], T | None] = {}

        @cache
        def fits(place: int, number: int) -> tuple[int, ...]:
            (name, args), wanted = calls[number], enumerate(self.expected[place])
            return tuple(
                n for n, one in wanted if one.name == name and not one.differs(args, self.by)
            )

        def said(place: int, run: tuple[int, ...]) -> T | None:
            try:
                edges = [fits(place, number) for number in run]
                return judge([calls[number] for number in run], self.expected[place], edges)
            except TimeoutError:  # a pattern could not be looked for
                return None

        found: list[T | None] = []
        ends = pairwise(self.calls.starts().tolist())
        for place, scored, (start, end) in zip(
            self.places.tolist(), self.scored.tolist(), ends, strict=True
        ):
            key = place, tuple(ids[start:end])
            if scored and key not in known:
                known[key] = said(*key)
            found.append(known[key] if scored else None)
        return found

    def _distinct(self, whole: bool) -> tuple[list[Made], list[int]]:
        """The distinct calls, and which of them each call is; the first stands for all others."""
        named = {call.name for calls in self.expected for call in calls}
        meant = np.flatnonzero(self.calls.names.is_in(list(named)).to_numpy() | whole)
        kept = self.calls.calls[meant]
        args = kept["args"] if "args" in kept.columns else repeat(None, len(meant))
        numbers: dict[Made, int] = {(None, None): 0}
        ids = [0] * self.calls.rows.size
        for place, call in zip(meant.tolist(), zip(kept["name"], args, strict=True), strict=True):
            ids[place] = numbers.setdefault(call, len(numbers))
        return list(numbers), ids


def batch_of(asked: Asked, lists: pl.Series, own: Any = None) -> Batch:
    """The rows of a batch.

    Args:
        asked: what is expected.
        lists: the canonical column of calls.
        own: what each row says of that, a Series of JSON texts or of lists of names.
    """
    if asked.fixed is not None:
        read: list[Calls | None] = [asked.fixed]
        places = np.zeros(len(lists), np.int64)
    else:
        texts = json_texts(own)
        numbers = {text: number for number, text in enumerate(texts.unique())}
        read = [None if text is None else from_text(text, asked.with_args) for text in numbers]
        places = np.array([numbers[text] for text in texts], np.int64)
    expected = [calls or () for calls in read]
    needs = ["args"] if any(call.args is not None for calls in expected for call in calls) else []
    scored = np.array([calls is not None for calls in read], np.bool_)[places]
    return Batch(flat(lists, *needs), expected, places, scored, asked.by)
