"""The long form: a row for each trace and scorer."""

from collections.abc import Sequence

import polars as pl

from batcheval.errors import TakenColumnError
from batcheval.output.plain import json_text
from batcheval.schema import IDENTITY


def to_long(
    scores: pl.LazyFrame | pl.DataFrame, scorer_ids: Sequence[str], keep: Sequence[str] = ()
) -> pl.LazyFrame:
    """The scores with a row for each trace and scorer, lazily and row by row.

    Args:
        scores: as `score()` gives them, a row a trace.
        scorer_ids: the scorers whose rows are wanted, in the order of a trace's rows.
        keep: the kept columns among those of `scores`.

    Returns:
        Trace by trace: the identity columns, the kept ones, `scorer`, `score` (null where the trace
        is unscored) and, if any scorer has them, `details` (JSON text, since each scorer has fields
        of its own) and `reason`.

    Raises:
        TakenColumnError: a kept column is called `scorer`, `score`, `details` or `reason`.

    Example:
        >>> scores = pl.DataFrame({"trace_id": ["a", "b"], "includes": [1.0, None]})
        >>> names = ("run", "task_id", "trial", "source", "line")
        >>> scores = scores.with_columns(pl.lit(None).alias(name) for name in names)
        >>> to_long(scores, ["includes"]).select("trace_id", "scorer", "score").collect().rows()
        [('a', 'includes', 1.0), ('b', 'includes', None)]
    """
    lazy = scores.lazy()
    schema = lazy.collect_schema()
    columns = {"scorer": [pl.lit(scorer_id) for scorer_id in scorer_ids]}
    columns["score"] = [pl.col(scorer_id).cast(pl.Float64) for scorer_id in scorer_ids]
    for part in ("details", "reason"):
        if any(f"{scorer_id}_{part}" in schema for scorer_id in scorer_ids):
            columns[part] = [_text(f"{scorer_id}_{part}", schema) for scorer_id in scorer_ids]
    for name in keep:
        if name in columns:
            raise TakenColumnError(name)
    # Arrays explode many times faster than lists of structs.
    arrays = [pl.concat_arr(exprs).alias(name) for name, exprs in columns.items()]
    return lazy.select(*dict.fromkeys((*IDENTITY, *keep)), *arrays).explode(*columns)


def _text(name: str, schema: pl.Schema) -> pl.Expr:
    if name not in schema:
        return pl.lit(None, pl.String)
    return json_text(name, schema[name]) if schema[name].is_nested() else pl.col(name)
