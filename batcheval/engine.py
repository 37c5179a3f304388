"""Traces and scorers in, scores out: one lazy `select` over the whole table."""

from collections.abc import Sequence

import polars as pl

from batcheval.conditions import NULL, NUMBER, TRUTH, kind_of
from batcheval.errors import BadArgumentError, BadScorerError
from batcheval.ids import is_pattern, require_ids
from batcheval.rehearsal import fault
from batcheval.schema import IDENTITY, Frame, canonical, with_paths
from batcheval.scorer import Scorer, roots


def score(
    traces: Frame,
    scorers: Sequence[Scorer],
    *,
    keep: Sequence[str] = (),
    details: bool = False,
    reasons: bool = False,
) -> pl.LazyFrame:
    """Score every trace, lazily.

    Args:
        traces: the canonical table, or any frame or Arrow table that `schema.canonical` can bring
            to that form; one row a trace.
        scorers: the checks to apply; their ids become columns.
        keep: further columns of the traces to carry over, by name or by a path such as
            `metadata.city`.
        details: also write `<id>_details`, the evidence as a Struct.
        reasons: also write `<id>_reason`, one sentence.

    Returns:
        A row a trace, in the order of `traces`: the identity columns (`trace_id`, `run`,
        `task_id`, `trial`, `source`, `line`), the kept ones, and a Float64 column a scorer, in
        0..1, null where a trace is unscored.

    Raises:
        MissingColumnsError: a scorer or `keep` reads a column that the traces lack.
        DuplicateIdError: two scorers, or a scorer and a column, share a name.
        BadIdError: a scorer's id cannot head a column.
        BadScorerError: a scorer's expression does not fit the types of the columns.
        BadArgumentError: an argument is of another kind.

    Example:
        >>> from batcheval import checks
        >>> traces = pl.DataFrame({"trace_id": ["a", "b"], "output": ["Sunny.", "Rain."]})
        >>> score(traces, [checks.includes("sunny")]).collect()["includes"].to_list()
        [1.0, 0.0]
    """
    _require_kinds(scorers, keep)
    require_ids((scorer.id for scorer in scorers), keep)
    _require_fitting(traces, scorers, keep, details, reasons)
    return of_fitting(traces, scorers, keep, details, reasons)


def of_fitting(
    traces: Frame,
    scorers: Sequence[Scorer],
    keep: Sequence[str],
    details: bool,
    reasons: bool,
) -> pl.LazyFrame:
    """`score` for scorers that are known to fit, which trying out costs more than a few rows do."""
    table = with_paths(canonical(traces), _reads(scorers, keep, details, reasons))
    scores = table.select(*dict.fromkeys((*IDENTITY, *keep)), *_columns(scorers, details, reasons))
    # In a step of its own: polars shares work within a step, but not inside what it shares.
    return scores.with_columns(pl.col(scorer.id for scorer in scorers).fill_nan(None))


def _require_kinds(scorers: Sequence[Scorer], keep: Sequence[str]) -> None:
    """Say in a sentence what Python would say in riddles."""
    if isinstance(scorers, Scorer | str) or not all(isinstance(s, Scorer) for s in scorers):
        raise BadArgumentError(
            "scorers", "a list of scorers such as [checks.includes('a')]", scorers
        )
    if isinstance(keep, str) or any(is_pattern(name) for name in keep):
        raise BadArgumentError("keep", "a list of columns and paths", keep)


def _asked(scorer: Scorer, details: bool, reasons: bool) -> list[pl.Expr]:
    """Those parts of a scorer that are to be computed."""
    parts = [scorer.score, scorer.details if details else None, scorer.reason if reasons else None]
    return [part for part in parts if part is not None]


def _reads(
    scorers: Sequence[Scorer], keep: Sequence[str], details: bool, reasons: bool
) -> dict[str, str]:
    """Every column that is read, and by whom."""
    reads = {
        name: f"scorer '{scorer.id}'"
        for scorer in scorers
        for name in roots(_asked(scorer, details, reasons))
    }
    return {**dict.fromkeys(keep, "keep"), **reads}


def _require_fitting(
    traces: Frame,
    scorers: Sequence[Scorer],
    keep: Sequence[str],
    details: bool,
    reasons: bool,
) -> None:
    """Rehearse every score, so that a mistake shows before the scan."""
    table = with_paths(canonical(traces), _reads(scorers, keep, details, reasons))
    schema = table.collect_schema()
    for scorer in scorers:
        found = fault(schema, *_asked(scorer, details, reasons))
        if found is None and (kind := _kind(scorer.score, schema)) not in (TRUTH, NUMBER, NULL):
            found = f"its score must be {NUMBER} from 0 to 1, or {TRUTH}, but is {kind}"
        if found:
            raise BadScorerError(scorer.id, found)


def _kind(score: pl.Expr, schema: pl.Schema) -> str:
    (dtype,) = schema.to_frame().lazy().select(score).collect_schema().dtypes()
    return kind_of(dtype)


def _columns(scorers: Sequence[Scorer], details: bool, reasons: bool) -> list[pl.Expr]:
    # A scorer of somebody's own may be Boolean.
    columns = [s.score.cast(pl.Float64).alias(s.id) for s in scorers]
    if details:
        columns += [s.details.alias(f"{s.id}_details") for s in scorers if s.details is not None]
    if reasons:
        columns += [s.reason.alias(f"{s.id}_reason") for s in scorers if s.reason is not None]
    return columns
