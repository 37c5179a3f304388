"""Make traces to measure with: the same rows as JSONL and as canonical Parquet.

    python tests/bench/generate.py [N] [FOLDER] [--seed SEED] [--pairs | --runs | --peers]

Rows are made and written a block at a time, so memory stays flat whatever N is. README.md says
what is in them.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import gettempdir
from typing import BinaryIO

import numpy as np
import polars as pl
from peer_rows import peer_rows
from polars.io.plugins import register_io_source
from prose import LENGTH, english
from rows import SCHEMA, Maker, frame, lines

BLOCK = 20_000
ROW_GROUP = 25_000
FOLDER = Path(gettempdir(), "batcheval-bench")


def write(count: int, folder: Path, seed: int) -> None:
    """Write `traces-<count>.jsonl` and `traces-<count>.parquet`."""
    jsonl, parquet = (folder / f"traces-{count}.{ending}" for ending in ("jsonl", "parquet"))
    part = parquet.with_suffix(".part")
    with jsonl.open("wb") as out:
        blocks = _blocks(count, Maker(seed), jsonl.name, out)
        table = register_io_source(lambda *_: blocks, schema=SCHEMA)
        table.sink_parquet(part, row_group_size=ROW_GROUP, engine="streaming")
    part.rename(parquet)


def _blocks(count: int, maker: Maker, source: str, out: BinaryIO) -> Iterator[pl.DataFrame]:
    for start in range(0, count, BLOCK):
        records, calls = maker.block(start, min(BLOCK, count - start))
        out.writelines(lines(records, calls))
        yield frame(records, calls, source, start + 1)


def write_pairs(count: int, folder: Path, seed: int) -> None:
    """Write `pairs-<count>.parquet`: outputs and expected texts of 200 words, sharing 100."""
    outputs, expected = zip(*_pairs(count, seed), strict=True)
    ids = [f"pair-{number}" for number in range(count)]
    table = {"trace_id": ids, "output": outputs, "expected": expected}
    pl.DataFrame(table).write_parquet(folder / f"pairs-{count}.parquet")


def _pairs(count: int, seed: int) -> Iterator[tuple[str, str]]:
    prose, dice = english(np.random.default_rng(seed)), Random(seed)
    for _ in range(count):
        first = int((LENGTH - 400) * dice.random())
        yield prose.cut(first, 200), prose.cut(first + 100, 200)


def write_peers(count: int, folder: Path, seed: int) -> None:
    """Write `peers-<count>.jsonl`: rows that `peers.py` gives to this library and to others."""
    rows = peer_rows(Maker(seed, calls=6 * count), list(_pairs(count, seed)))
    (folder / f"peers-{count}.jsonl").write_bytes(b"".join(rows))


def write_runs(count: int, folder: Path, seed: int) -> None:
    """Write `runs-<count>.parquet` and `others-<count>.parquet`: scores of two runs, 20 scorers.

    Ten scorers pass or fail, ten are graded, one score in fifty is missing; the tasks of the second
    run come in another order. Every task is about one of 10,000 documents.
    """
    random = np.random.default_rng(seed)
    for name, better, order in (("runs", 0.0, False), ("others", 0.01, True)):
        scores = {f"pass_{n}": random.random(count) < 0.8 + better for n in range(10)}
        scores |= {f"grade_{n}": random.random(count) ** (1 - better) for n in range(10)}
        missing = random.random((20, count)) < 0.02
        numbers = random.permutation(count) if order else np.arange(count)
        ids = pl.Series("task_id", numbers)
        table = pl.DataFrame(
            [
                pl.Series("trace_id", ids.cast(pl.String)),
                pl.Series("run", [name] * count),
                ("task-" + ids.cast(pl.String)).alias("task_id"),
                pl.Series("document", numbers % 10_000),
                *(
                    pl.Series(scorer, np.where(blank, np.nan, values), nan_to_null=True)
                    for (scorer, values), blank in zip(scores.items(), missing, strict=True)
                ),
            ]
        )
        table.write_parquet(folder / f"{name}-{count}.parquet", row_group_size=65_536)


def main() -> None:
    parser = argparse.ArgumentParser(description="Make traces to measure with.")
    parser.add_argument("count", nargs="?", type=int, default=200_000)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", action="store_true", help="pairs of texts instead of traces")
    parser.add_argument("--runs", action="store_true", help="scores of two runs instead of traces")
    parser.add_argument("--peers", action="store_true", help="rows for peers.py instead of traces")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    kinds = ((options.pairs, write_pairs), (options.runs, write_runs), (options.peers, write_peers))
    made = next((made for wanted, made in kinds if wanted), write)
    made(options.count, options.folder, options.seed)


if __name__ == "__main__":
    main()
