"""Our checks: those of `peers.toml`, each on the columns that it reads."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import polars as pl

from batcheval import load_suite, read_traces
from batcheval.scorer import Scorer

SUITE = Path(__file__).with_name("peers.toml")


def job(scorer: Scorer) -> Callable[[list[dict[str, Any]]], Callable[[], pl.Series]]:
    column = scorer.score.alias("score")
    needed = sorted(set(column.meta.root_names()))

    def work(rows: list[dict[str, Any]]) -> Callable[[], pl.Series]:
        table = read(rows).select(needed).collect().lazy()
        return lambda: table.select(column).collect(engine="streaming")["score"]

    return work


def read(rows: list[dict[str, Any]]) -> pl.LazyFrame:
    with TemporaryDirectory() as folder:
        file = Path(folder, "rows.jsonl")
        file.write_bytes(msgspec.json.Encoder().encode_lines(rows))
        return read_traces(file).collect().lazy()


JOBS = {scorer.id: job(scorer) for scorer in load_suite(SUITE).scorers}
