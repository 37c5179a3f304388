"""What the good runs of a dump have in common, counted frame by frame."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import msgspec
import polars as pl

from batcheval.checks.orders import names_per_row
from batcheval.suggesting.calls import GOOD, by_run, calls_of
from batcheval.suggesting.order import Pairs
from batcheval.suggesting.shapes import Shape
from batcheval.suggesting.sizes import sizes_of
from batcheval.suggesting.sums import MOST, Sums
from batcheval.suggesting.ways import path_of, ways_of

_MOST_TOOLS: Final = 500  # of which arguments are looked at
_MOST_LABELS: Final = 100  # texts of labels that are looked at, of each frame
_IS: Final = {"good": pl.col(GOOD).fill_null(False), "bad": ~pl.col(GOOD).fill_null(True)}


class Evidence:
    """Takes frames of the canonical table with `GOOD`; memory holds counts of bounded many names.

    Attributes:
        runs: the numbers of runs: all, `good` and `bad` ones.
        pairs: of tools, in good runs.
        shapes: by tool, of the arguments of its calls in good runs.
        offered: the tools in the definitions that traces bring along, the first 10,000.
        labels: the paths of the labels that traces bring along, the first 10,000.
    """

    def __init__(self) -> None:
        self.runs = {"all": 0, "good": 0, "bad": 0}
        self.pairs = Pairs()
        self.shapes: dict[str, Shape] = defaultdict(Shape)
        self.offered: set[str] = set()
        self.labels: set[str] = set()
        self._tools, self._errors = Sums("name"), Sums("name", "text")
        self._sizes, self._ends = Sums("what", "low", "high"), Sums("name")
        self._ways = Sums("way")

    def add(self, frame: pl.DataFrame) -> None:
        """Count the runs of a frame."""
        self.runs["all"] += frame.height
        for name, is_it in _IS.items():
            self.runs[name] += int(frame.select(is_it.sum()).item())
        calls = calls_of(frame)
        runs = by_run(calls)
        counts = [is_it.alias(name) for name, is_it in _IS.items()]
        self._tools.add(runs.select("name", *counts, runs=1, calls="calls", failed="failed"))
        self._errors.add(_errors(calls, frame).select("name", "text", "calls", *counts, runs=1))
        good = pl.col(GOOD).fill_null(False)
        of_good = calls.filter(good)
        self._sizes.add(sizes_of(frame.filter(good), of_good))
        self._add_good(of_good, runs.filter(good))
        self._add_texts(frame)

    def _add_texts(self, frame: pl.DataFrame) -> None:
        texts = frame["tool_definitions"].drop_nulls().unique().to_frame()
        names = texts.select(names_per_row(pl.col("tool_definitions")).explode().drop_nulls())
        _learn(self.offered, names.to_series().unique(maintain_order=True))
        for text in frame["labels"].drop_nulls().unique().head(_MOST_LABELS).sort():
            _learn(self.labels, (f"labels.{key}" for key in _keys(text)))

    def _add_good(self, calls: pl.DataFrame, runs: pl.DataFrame) -> None:
        self.pairs.add(runs)
        counted = calls.group_by("name", "args", maintain_order=True).agg(n=pl.len())
        for name, text, times in zip(*counted.get_columns(), strict=True):
            if name in self.shapes or len(self.shapes) < _MOST_TOOLS:
                self.shapes[name].add_text(text, times)
        ends = runs.with_columns(
            starts=(pl.col("first") == pl.col("first").min().over("row")),
            ends=(pl.col("last") == pl.col("last").max().over("row")),
        )
        self._ends.add(ends.select("name", "starts", "ends"))
        self._ways.add(ways_of(calls))

    def tools(self) -> pl.DataFrame:
        """A row a tool: in how many `good`, `bad` and all `runs` it is called, and its `calls`."""
        return self._tools.table()

    def errors(self) -> pl.DataFrame:
        """A row a tool and text of an error: how many `calls`, and in how many `runs`.

        The name is null for the errors of runs themselves; digits are `#`.
        """
        return self._errors.table()

    def sizes(self) -> pl.DataFrame:
        """As `sizes_of` has them, of the good runs."""
        return self._sizes.table()

    def path(self) -> tuple[str, int, int] | None:
        """As `path_of` has it, of the good runs."""
        ways = self._ways.table()
        return path_of(ways, self.runs["good"] - int(ways["n"].sum()))

    def ends(self) -> pl.DataFrame:
        """A row a tool: how many good runs it `starts` and `ends`."""
        return self._ends.table()


def _learn(known: set[str], names: Iterable[str]) -> None:
    """Add names to those that are known, but no more than can be held."""
    for name in names:
        if len(known) >= MOST:
            return
        known.add(name)


def _keys(text: str) -> list[str]:
    try:
        return list(msgspec.json.decode(text, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, RecursionError):
        return []


def _errors(calls: pl.DataFrame, frame: pl.DataFrame) -> pl.DataFrame:
    """A row a run and error that it met."""
    numbered = frame.select(
        pl.lit(None, pl.String).alias("name"), GOOD, text="error", row=pl.int_range(pl.len())
    )
    every = pl.concat([numbered, calls.select("name", GOOD, "text", "row")], how="diagonal_relaxed")
    told = every.drop_nulls("text").with_columns(
        pl.col("text").str.replace_all(r"\d+", "#").str.replace_all(r"\s+", " ").str.head(80)
    )
    return told.group_by("row", "name", "text").agg(pl.first(GOOD), calls=pl.len())


COLUMNS: Final = (
    *("trace_id", "output", "tool_calls", "tool_definitions", "error", "latency_ms"),
    *("cost", "total_tokens", "output_tokens", "labels"),
)
