"""Texts of a few traces, fetched again from the sources that their scores name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import polars as pl

from batcheval.errors import BatchevalError, quoted
from batcheval.readers import read_traces
from batcheval.rehearsal import first_line

Read: TypeAlias = Callable[[Sequence[str]], pl.LazyFrame]

TEXT: Final = "text:"  # before the name of a text, since a scorer may have it too
TEXTS: Final = ("input", "output", "expected", "error")
PLACE: Final[dict[str, pl.DataType]] = {
    "trace_id": pl.String(),
    "source": pl.String(),
    "line": pl.Int64(),
}


@dataclass(frozen=True)
class Cases:
    """A few telling traces, or pairs of them.

    Attributes:
        frame: a row each.
        total: how many there are of which these are the worst.
        notes: why texts are missing, a sentence each.
    """

    frame: pl.DataFrame
    total: int
    notes: list[str]


def with_texts(rows: pl.DataFrame, read: Read | None = None) -> tuple[pl.DataFrame, list[str]]:
    """The rows with `text:input`, and `output`, `expected`, `error` so, null where not to be had.

    A trace is found again by its source, line and id, so that none is shown in place of another.

    Args:
        rows: few, with `trace_id` and, where the scores tell them, `source` and `line`.
        read: gives the traces of some sources; without, `read_traces`.
    """
    missing = [pl.lit(None, dtype).alias(n) for n, dtype in PLACE.items() if n not in rows]
    rows = rows.with_columns(missing).with_columns(pl.col(n).cast(d) for n, d in PLACE.items())
    names = rows["source"].drop_nulls().unique(maintain_order=True).to_list()
    there = [name for name in names if Path(name).exists()]
    notes = []
    if gone := [name for name in names if name not in there]:
        notes.append(f"texts are not shown of {quoted(gone[:5])}: no longer there")
    elif rows.height and not names:
        notes.append("texts are not shown: the scores name no source")
    found, problem = _found(rows, there, read or (lambda sources: read_traces(*sources)))
    notes += problem
    shown = rows.join(found, on=list(PLACE), how="left", nulls_equal=True, maintain_order="left")
    lost = shown.filter(pl.col("source").is_in(there) & pl.col(TEXT + "output").is_null()).height
    if lost and not problem:
        notes.append(f"texts are not shown of {lost:,}: they are no longer where they were read")
    return shown, notes


def _found(
    rows: pl.DataFrame, sources: Sequence[str], read: Read
) -> tuple[pl.DataFrame, list[str]]:
    texts = {TEXT + name: pl.String() for name in TEXTS}
    nothing = pl.DataFrame(schema={**PLACE, **texts})
    if not sources:
        return nothing, []
    wanted = pl.col("trace_id").is_in(rows["trace_id"].unique().to_list())
    try:
        named = [pl.col(name).alias(TEXT + name) for name in TEXTS]
        table = read(sources).filter(wanted).select(*PLACE, *named)
        found = table.collect(engine="streaming")
    except BatchevalError as error:
        return nothing, [f"texts are not shown: {error}"]
    except (pl.exceptions.PolarsError, OSError) as error:
        return nothing, [f"texts are not shown: {first_line(error)}"]
    casts = (pl.col(name).cast(dtype) for name, dtype in PLACE.items())
    return found.with_columns(casts).unique(list(PLACE), keep="first", maintain_order=True), []
