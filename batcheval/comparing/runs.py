"""What is compared: runs, opened from files, folders, parts of files and tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import polars as pl

from batcheval.errors import NotScoresError, UnknownRunError
from batcheval.stores import Address, Place, children, is_folder, is_there, located
from batcheval.summary import ScoresFile, open_scores
from batcheval.summary.files import is_long, scorer_ids
from batcheval.summary.scans import readable

_OF_SCORERS: Final = ("scorer", "score", "details", "reason")
ENDINGS: Final = (".parquet", ".jsonl", ".ndjson", ".csv")
_NTH: Final = "\0nth"


@dataclass(frozen=True)
class Run:
    """Scores with a row a trace.

    Attributes:
        name: how they are called in messages.
        scores: the rows.
        scorers: the columns of scores.
        file: all that was opened, of which `scores` may be a part; None for a table.
        reading: how traces are read again: further arguments of `read_traces`.
    """

    name: str
    scores: pl.LazyFrame
    scorers: list[str]
    file: ScoresFile | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)

    @property
    def metadata(self) -> dict[str, Any]:
        """What the file says of how it was made: suite, sources, counts."""
        return {} if self.file is None else self.file.metadata

    @property
    def sources(self) -> tuple[str, ...]:
        """The files that the traces were read from, where the scores say so."""
        named = self.metadata.get("sources")
        return tuple(map(str, named)) if isinstance(named, list) else ()

    def called(self, name: str) -> "Run":
        """The run under another name."""
        return replace(self, name=name)

    def numbered(self, column: str) -> "Run":
        """The run with the number of each row, from 0, in a further column."""
        return replace(self, scores=self.scores.with_row_index(column))


Source: TypeAlias = Path | Address | str | ScoresFile | Run | pl.LazyFrame | pl.DataFrame


def open_run(source: Source, name: str) -> Run:
    """A run, from whatever holds it.

    Args:
        source: a path or address of a scores file, of a folder of them, or `FILE@RUN` for
            those rows whose `run` is RUN; a `ScoresFile`; a table of scores, wide or long; or a
            run, taken as it is.
        name: what a table is called; paths are called as they are spelled.

    Raises:
        UnreadableFileError: there is no such file, or it is damaged.
        NotScoresError: there are no scores in it.
        UnknownRunError: the file has no such run.
    """
    if isinstance(source, Run):
        return source
    if isinstance(source, pl.LazyFrame | pl.DataFrame):
        lazy = source.lazy()
        source = ScoresFile(lazy, scorer_ids(lazy), is_long(lazy.collect_schema()))
    if isinstance(source, ScoresFile):
        return Run(name, _wide(source), source.scorers, source)
    file, run = split(str(source))
    with readable(file):
        whole = _folder(file) if is_folder(file) else open_scores(file)
        opened = whole
        if run is not None:
            opened = replace(whole, scores=_picked(whole.scores, file, run))
        return Run(f"'{source}'", _wide(opened), opened.scorers, whole)


def split(path: str) -> tuple[Place, str | None]:
    """The file and the run of `FILE@RUN`; the longest part that is there is the file."""
    places = [place for place, char in enumerate(path) if char == "@"]
    if places and not is_there(located(path)):
        for place in reversed(places):
            if is_there(located(path[:place])):
                return located(path[:place]), path[place + 1 :]
    return located(path), None


def _picked(scores: pl.LazyFrame, file: Place, run: str) -> pl.LazyFrame:
    if "run" not in scores.collect_schema():
        raise UnknownRunError(file, run, [])
    known = run_names(scores)
    if run not in known:
        raise UnknownRunError(file, run, known)
    return scores.filter(pl.col("run").cast(pl.String) == run)


def run_names(scores: pl.LazyFrame) -> list[str]:
    """The values of `run`, in order of appearance."""
    if "run" not in scores.collect_schema():
        return []
    names = scores.select(pl.col("run").cast(pl.String).drop_nulls().unique(maintain_order=True))
    return names.collect().to_series().to_list()


def _folder(folder: Place) -> ScoresFile:
    files = [path for path in children(folder) if path.suffix.lower() in ENDINGS]
    if not files:
        raise NotScoresError(f"'{folder}'", "it is a folder without a file of scores")
    opened = [open_scores(path) for path in files]
    scorers = list(dict.fromkeys(scorer for file in opened for scorer in file.scorers))
    rows = pl.concat([_wide(file) for file in opened], how="diagonal_relaxed")
    sources = [name for file in opened for name in file.metadata.get("sources", [])]
    told = {"sources": sources} if all("sources" in file.metadata for file in opened) else {}
    return ScoresFile(rows, scorers, metadata=told)


def _wide(file: ScoresFile) -> pl.LazyFrame:
    """A row a trace; a trace that stands twice in the long form stays two rows."""
    if not file.long:
        return file.scores
    names = [name for name in file.scores.collect_schema() if name not in _OF_SCORERS]
    nth = pl.int_range(pl.len()).over(*names, "scorer").alias(_NTH)
    rows = file.scores.with_columns(nth).group_by(*names, _NTH, maintain_order=True)
    return rows.agg(_of(scorer) for scorer in file.scorers).drop(_NTH)


def _of(scorer: str) -> pl.Expr:
    return pl.col("score").filter(pl.col("scorer") == scorer).first().alias(scorer)


def shared_scorers(base: Sequence[str], candidate: Sequence[str]) -> list[str]:
    """The scorers that both runs have, in the order of the base."""
    return [scorer for scorer in base if scorer in set(candidate)]
