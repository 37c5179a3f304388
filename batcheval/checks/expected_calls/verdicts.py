"""The verdicts of the checks against expected calls."""

from typing import Any, NamedTuple

import polars as pl

from batcheval.checks.called.rules import rules
from batcheval.checks.expected_calls.batches import Asked, batch_of
from batcheval.checks.expected_calls.evidence import FIELDS, evidence
from batcheval.checks.expected_calls.expectations import literal
from batcheval.checks.expected_calls.measures import Measure
from batcheval.checks.operands import flag, sentence, share
from batcheval.checks.trajectories.verdicts import fields_of, text_of
from batcheval.errors import BadArgumentError
from batcheval.schema import TOOL_CALLS
from batcheval.scorer import Verdict, batched, passed


class Options(NamedTuple):
    """The arguments that all these checks take.

    Attributes:
        expected: calls, an expression, or None for the column `expected_tool_calls`.
        arguments: they count, not names alone.
        tolerance: see `Rules`.
        ignore_case: likewise.
        ignore: likewise.
        extra: likewise.
    """

    expected: Any
    arguments: Any
    tolerance: Any
    ignore_case: Any
    ignore: Any
    extra: Any

    def asked(self) -> tuple[Asked, pl.Expr | None]:
        """What is expected of rows, and the column in which they say it, if they do.

        Raises:
            BadArgumentError: an argument is of the wrong type, or says no calls.
            BadPatternError: no engine can read a pattern.
        """
        with_args = flag("arguments", self.arguments)
        by = rules(self.tolerance, self.ignore_case, self.ignore, self.extra)
        if self.expected is None or isinstance(self.expected, pl.Expr):
            own = pl.col("expected_tool_calls") if self.expected is None else self.expected
            return Asked(None, with_args, by), own
        return Asked(literal("expected", self.expected, with_args=with_args), with_args, by), None


def verdict(
    measure: Measure, options: Options, duty: str, threshold: object = None, *, single: bool = False
) -> Verdict:
    """The verdict of a measure.

    Args:
        measure: what is measured.
        options: what is expected.
        duty: what the run should do, in words.
        threshold: turns the score into 1.0 where it is reached, else 0.0.
        single: just one call may be expected.
    """
    asked, own = options.asked()
    if single and asked.fixed is not None and len(asked.fixed) != 1:
        raise BadArgumentError("expected", "one call", options.expected)
    least = None if threshold is None else share("threshold", threshold)

    def scores(*columns: pl.Series) -> pl.Series:
        return batch_of(asked, *columns).scores(measure)

    score = batched(scores, TOOL_CALLS, *([] if own is None else [own]))
    found = evidence(asked, own)
    scored = pl.when(score.is_not_null())
    duty = duty if least is None else f"{duty}: at least {least}"
    reason = sentence(score, f"the run made {{}}, and {duty}", text_of(found, pl.col("told")))
    details = scored.then(fields_of(found, FIELDS))
    if least is None:
        return Verdict(score, details, reason)
    return passed(score >= least, details, reason)
