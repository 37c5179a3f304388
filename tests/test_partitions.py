"""Folders called `key=value` are columns, and are passed over where a condition excludes them."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from batcheval import plan_parts, read_traces


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
def test_keys_are_columns_and_prune(tmp_path: Path, ending: str) -> None:
    for n in (1, 2):
        folder = tmp_path / f"date=2026-01-0{n}" / f"shard={n}" / "team=a%20b"
        folder.mkdir(parents=True)
        frame = pl.DataFrame({"trace_id": [f"t{n}"], "output": ["x"], "shard": [9]})
        if ending == ".jsonl":
            frame.write_ndjson(folder / f"t{ending}")
        else:
            frame.write_parquet(folder / f"t{ending}")
    keys = ["date", "shard", "team"]
    rows = read_traces(tmp_path, columns=keys).select(keys).collect().rows()
    assert rows == [(date(2026, 1, n), n, "a b") for n in (1, 2)]
    parts = plan_parts(tmp_path, where="shard > 1 and output = 'x'", columns=["shard"])
    assert len(parts.log.sources) == 1
    assert parts.traces.select("trace_id", "shard").collect().rows() == [("t2", 2)]
