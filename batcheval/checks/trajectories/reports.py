"""The verdicts of the trajectory checks: scores, evidence and reasons."""

from typing import Any, Final

import polars as pl

from batcheval.checks.operands import listing
from batcheval.checks.trajectories.batches import Case
from batcheval.checks.trajectories.blacklist import blacklisted
from batcheval.checks.trajectories.combine import Weights, accuracy_of, judge
from batcheval.checks.trajectories.compare import Comparison, compare
from batcheval.checks.trajectories.failures import retried
from batcheval.checks.trajectories.verdicts import ASKED, Verdicts, fields_of, text_of
from batcheval.checks.trajectories.words import in_words, route_in_words
from batcheval.scorer import Verdict

_NAMES: Final = pl.List(pl.String)
_COUNTS: Final = dict.fromkeys(("matched_steps", "expected_steps", "actual_steps"), pl.Int64())
_LISTS: Final = dict.fromkeys(("missing", "extra", "out_of_order", "repeated"), _NAMES)
_PARTS: Final = {
    "accuracy": "steps",
    "efficiency": "efficiency",
    "tool_failures": "tool failures",
    "blacklist": "the blacklist",
    "nested": "the steps below",
}
_ACCURACY: Final[dict[str, Any]] = {**_COUNTS, **_LISTS}
_ALL: Final[dict[str, Any]] = {
    **dict.fromkeys(_PARTS, pl.Float64()),
    **_LISTS,
    **dict.fromkeys(("blacklisted", "retried"), _NAMES),
}


def accuracy_verdict(verdicts: Verdicts) -> Verdict:
    """How well runs keep to the steps that are asked for."""
    found = verdicts.evidence(_route_found, _ACCURACY, route_in_words)
    score = verdicts.scores(lambda case: accuracy_of(*case))
    return Verdict(score, fields_of(found, _ACCURACY), text_of(found, _route_reason()))


def _route_found(case: Case) -> tuple[Any, ...] | None:
    (run, expected), route = case, case.expected.steps
    if route is None:
        return None
    met = compare(run.steps, route, expected.order)
    return met.matched, len(route.steps), len(run.steps), *_lists(met)


def _lists(met: Comparison) -> tuple[list[str], ...]:
    return met.missing, met.extra, met.out_of_order, met.repeated


def _route_reason() -> pl.Expr:
    counts = [pl.col("matched_steps"), pl.col("expected_steps"), pl.col("actual_steps")]
    surplus = [pl.col(name).list.len() for name in ("extra", "repeated")]
    found = "the run met {} of {} steps in {} ({} extra, {} repeated), missed {}, and should {}"
    return pl.format(found, *counts, *surplus, listing(pl.col("missing")), pl.col(ASKED))


def trajectory_verdict(verdicts: Verdicts, weights: Weights) -> Verdict:
    """How well runs keep to all that is asked for."""
    found = verdicts.evidence(lambda case: _all_found(case, weights), _ALL, in_words)
    score = verdicts.scores(lambda case: judge(*case, weights).score)
    return Verdict(score, fields_of(found, _ALL), text_of(found, _reason()))


def _all_found(case: Case, weights: Weights) -> tuple[Any, ...]:
    run, expected = case
    parts = judge(run, expected, weights)[1:6]
    route = expected.steps
    met = (None,) * 4 if route is None else _lists(compare(run.steps, route, expected.order))
    hits = blacklisted(run.steps, expected) or []
    again = [tool.name for tool in retried(run.steps)]
    return *parts, *met, hits, again


def _reason() -> pl.Expr:
    parts = [
        pl.format(f"{{}} for {words}", pl.col(name).round(3).cast(pl.String))
        for name, words in _PARTS.items()
    ]
    told = pl.concat_str(parts, separator=", ", ignore_nulls=True)
    barred = pl.format("the run took {}, which is blacklisted", listing(pl.col("blacklisted")))
    is_barred = pl.col("blacklisted").list.len() > 0
    found = pl.when(is_barred).then(barred).otherwise(pl.format("the run scores {}", told))
    return pl.format("{}, and should {}", found, pl.col(ASKED))
