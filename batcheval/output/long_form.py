"""The long form: a row for each trace and scorer."""

from collections.abc import Sequence

import polars as pl

from batcheval.errors import TakenColumnError
from batcheval.output.plain import json_text
from batcheval.schema import IDENTITY

_ITEM = "\0item"  # no column of a dump is called that


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
    parts = [part for part in ("details", "reason") if _any_has(part, scorer_ids, schema)]
    for name in keep:
        if name in ("scorer", "score", *parts):
            raise TakenColumnError(name)
    items = pl.concat_list(_item(scorer_id, parts, schema) for scorer_id in scorer_ids)
    rows = lazy.select(*dict.fromkeys((*IDENTITY, *keep)), items.alias(_ITEM))
    return rows.explode(_ITEM).unnest(_ITEM)


def _any_has(part: str, scorer_ids: Sequence[str], schema: pl.Schema) -> bool:
    return any(f"{scorer_id}_{part}" in schema for scorer_id in scorer_ids)


def _item(scorer_id: str, parts: Sequence[str], schema: pl.Schema) -> pl.Expr:
    fields = [pl.lit(scorer_id).alias("scorer"), pl.col(scorer_id).cast(pl.Float64).alias("score")]
    for part in parts:
        name = f"{scorer_id}_{part}"
        text = pl.lit(None, pl.String) if name not in schema else pl.col(name)
        if part == "details" and name in schema:
            text = json_text(name, schema[name])
        fields.append(text.alias(part))
    return pl.struct(fields)
