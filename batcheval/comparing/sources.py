"""What scores do not hold, read again from the traces that they were made of."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from batcheval.comparing.evidence import holds, read_by, shortened, with_evidence
from batcheval.comparing.runs import Run
from batcheval.errors import LostTracesError, MissingFileError, NoFilesError, UnkeptColumnError
from batcheval.rehearsal import first_line

PLACE: Final = "\0place"

# How a trace is known again: where it was read, or, if its file has another name now, by its ids.
_EXACT: Final = ("trace_id", "source", "line")
_BY_IDS: Final = (("trace_id", "run", "trial"), ("trace_id", "run"), ("trace_id",))


def looked_up(
    run: Run, wanted: Mapping[str, str], traces: pl.LazyFrame | None = None, short: bool = False
) -> Run:
    """The run with those of the columns `wanted` that its scores lack, from its traces.

    Args:
        run: whose scores say where each trace was read (`source` and `line`).
        wanted: names as `with_evidence` takes them, each with the option that asks for it.
        traces: the canonical table; without, the files that the scores name are read again.
        short: texts of the column `input` are `shortened`.

    Returns:
        The run, its scores with the columns `wanted`.

    Raises:
        UnkeptColumnError: the scores do not say where their traces are.
        LostTracesError: the files are gone, or some of the traces are.
        MissingColumnsError: the traces lack a column too.
    """
    wanted = {name: option for name, option in wanted.items() if not holds(run.scores, name)}
    if not wanted:
        return run
    option, name = next((option, name) for name, option in wanted.items())
    table = traces_again(run, wanted) if traces is None else traces
    table = with_evidence(table, wanted)
    values = [_value(name, short) for name in wanted]
    ways = [_EXACT] if traces is None else [way for way in (_EXACT, *_BY_IDS) if _told(run, way)]
    for way in ways:
        known = run.scores.select(place(way, traces is not None)).collect()
        rows = table.select(place(way, traces is not None), *values)
        found = _collected(rows.join(known.lazy().unique(), on=PLACE, how="semi"), run, wanted)
        if found.height:
            break
    _require_all(run, option, name, known, found, way)
    found = found.unique(PLACE, keep="first")
    scores = run.scores.drop(wanted, strict=False).with_columns(place(way, traces is not None))
    joined = scores.join(found.lazy(), on=PLACE, how="left", maintain_order="left").drop(PLACE)
    return replace(run, scores=joined)


def place(way: Sequence[str], moved: bool = False) -> pl.Expr:
    """A hash of what a trace is known by; of the source, its file name alone if it has moved."""
    columns = [
        pl.col(name).cast(pl.Int64 if name in ("line", "trial") else pl.String) for name in way
    ]
    if moved and way == _EXACT:
        columns[1] = columns[1].str.extract(r"([^/\\]*)$")
    return pl.struct(columns).hash(seed=0).alias(PLACE)


def sources_of(run: Run) -> list[str]:
    """The files that the traces of a run were read from, as they were named then."""
    if run.sources or "source" not in run.scores.collect_schema():
        return list(run.sources)
    names = run.scores.select(pl.col("source").cast(pl.String).drop_nulls().unique())
    return sorted(names.collect().to_series().to_list())


def traces_again(run: Run, wanted: Mapping[str, str]) -> pl.LazyFrame:
    """The traces that scores were made of, from the files that they name; for errors see above."""
    from batcheval.readers import read_traces

    have = run.scores.collect_schema()
    sources, (name, option) = sources_of(run), next(iter(wanted.items()))
    if not {"source", "line"} <= set(have):
        raise UnkeptColumnError(option, name, f"the scores of {run.name}", have)
    columns = [read_by(name) for name in wanted]
    try:
        if not sources or "-" in sources:
            raise MissingFileError("-", "they came from no file that can be read again")
        return read_traces(*sources, columns=columns, **run.reading)
    except (MissingFileError, NoFilesError) as error:
        raise LostTracesError(run.name, option, name, str(error)) from error


def _collected(rows: pl.LazyFrame, run: Run, wanted: Mapping[str, str]) -> pl.DataFrame:
    try:
        return rows.collect(engine="streaming")
    except pl.exceptions.PolarsError as error:  # a file is damaged
        name, option = next(iter(wanted.items()))
        raise LostTracesError(run.name, option, name, first_line(error)) from error


def _value(name: str, short: bool) -> pl.Expr:
    text = pl.col(name)
    return shortened(text).alias(name) if short and name == "input" else text


def _told(run: Run, way: Sequence[str]) -> bool:
    """Whether the scores tell all of these."""
    if not set(way) <= set(run.scores.collect_schema()):
        return False
    nulls = run.scores.select(pl.col(way).is_null().any()).collect().row(0)
    return not any(nulls)


def _require_all(
    run: Run, option: str, name: str, known: pl.DataFrame, found: pl.DataFrame, way: Sequence[str]
) -> None:
    missing = known.join(found, on=PLACE, how="anti").height
    if missing:
        lost = f"{missing:,} of {known.height:,} are not where they were"
        raise LostTracesError(run.name, option, name, lost)
    if way != _EXACT and found[PLACE].is_duplicated().any():
        raise LostTracesError(run.name, option, name, f"several have the same {' and '.join(way)}")
