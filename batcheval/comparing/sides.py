"""Pairs with all that is known of their two sides, some pairs at a time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import polars as pl
import polars.selectors as cs

from batcheval.comparing.distinct import KEY
from batcheval.comparing.joining import ROW
from batcheval.comparing.pairs import BASE, CANDIDATE
from batcheval.comparing.runs import Run
from batcheval.comparing.sources import looked_up
from batcheval.output.plain import json_text
from batcheval.schema import CANONICAL

AT_ONCE: Final = 50_000  # pairs whose texts are held in memory
TEXTS: Final = ("input", "expected", "output")

Runs: TypeAlias = tuple[Run, Run]

_PLACES: Final = ("trace_id", "source", "line")
_MORE: Final = ("_details", "_reason")


def schema_of(runs: Runs, pairs: pl.DataFrame, scorers: Sequence[str]) -> pl.Schema:
    """The columns that `side_by_side` gives."""
    keys = {name.removeprefix(KEY): t for name, t in pairs.schema.items() if name.startswith(KEY)}
    told = {name: pairs.schema[name] for name in ("worse", "better", "change")}
    texts = {name: CANONICAL[name] for name in TEXTS[:2]}
    sides = {BASE: runs[0].scores.collect_schema(), CANDIDATE: runs[1].scores.collect_schema()}
    ids = {side + n: CANONICAL[n] for side, have in sides.items() for n in _PLACES if n in have}
    said = {prefix + "output": CANONICAL["output"] for prefix in (BASE, CANDIDATE)}
    scored: dict[str, pl.DataType] = {}
    for scorer in scorers:
        scored |= {prefix + scorer: pl.Float64() for prefix in (BASE, CANDIDATE)}
        for more in _MORE:
            have_it = [prefix for prefix, have in sides.items() if scorer + more in have]
            scored |= {prefix + scorer + more: pl.String() for prefix in have_it}
    return pl.Schema({**told, **keys, **texts, **ids, **said, **scored})


def side_by_side(
    runs: Runs, pairs: pl.DataFrame, schema: pl.Schema, traces: pl.LazyFrame | None
) -> Iterator[pl.DataFrame]:
    """The pairs in order, with the texts of both sides.

    Args:
        runs: their rows numbered in `ROW`.
        pairs: with the numbers of the rows, under `base:` and `candidate:`.
        schema: as `schema_of` gives it.
        traces: where texts are looked up, instead of in the files that the scores name.
    """
    for part in pairs.iter_slices(AT_ONCE):
        frame = part.rename({name: name.removeprefix(KEY) for name in part.columns if KEY in name})
        for prefix, run in zip((BASE, CANDIDATE), runs, strict=True):
            side = _side(run, part[prefix + ROW], prefix, schema, traces)
            frame = frame.join(side, on=prefix + ROW, how="left", maintain_order="left")
        frame = frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
        yield frame.with_columns(cs.float().fill_nan(None))


def _side(
    run: Run, rows: pl.Series, prefix: str, schema: Mapping[str, pl.DataType],
    traces: pl.LazyFrame | None,
) -> pl.DataFrame:  # fmt: skip
    wanted = pl.LazyFrame({ROW: rows})
    own = replace(run, scores=run.scores.join(wanted, on=ROW, how="semi").collect().lazy())
    found = looked_up(own, dict.fromkeys(TEXTS, "the table of regressions"), traces).scores
    have = found.collect_schema()
    names = [name for name in have if prefix + name in schema and have[name] != pl.Float64]
    columns = [json_text(n, have[n]) if have[n].is_nested() else pl.col(n) for n in names]
    texts = TEXTS[:2] if prefix == BASE else ()
    return found.select(
        pl.col(ROW).alias(prefix + ROW),
        *texts,
        *(column.alias(prefix + name) for name, column in zip(names, columns, strict=True)),
    ).collect()
