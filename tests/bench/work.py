"""One measurement, in a process of its own: `python work.py NAME ARGUMENTS…` prints its cost.

The clock starts after the imports. `to nothing` means that every column is read and handed over
batch by batch, in order, and then dropped: the least that a consumer of the table must pay.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import reduce
from pathlib import Path
from shutil import rmtree

import msgspec
import polars as pl
from memory import Memory

from batcheval import compare, load_suite, plan_parts, read_traces, score_parts, write_scores
from batcheval.comparing import find_slices
from batcheval.parts.measuring import measured
from batcheval.parts.record import record_at
from batcheval.readers import records
from batcheval.schema.columns import CALL, CANONICAL
from batcheval.scorer import Scorer

TEXT = ["trace_id", "run", "task_id", "trial", "output", "source", "line"]
CALLS = ["trace_id", "run", "task_id", "trial", "tool_calls", "source", "line"]
COLUMNS = {"text": TEXT, "calls": CALLS, "both": [*TEXT, "tool_calls"]}

# What the lines hold, and no more: the schema that polars is given.
IN_LINES = "trace_id run task_id trial input output tool_calls expected model error input_tokens"
IN_LINES += " latency_ms metadata"
IN_CALLS = "id name args result error state duration_ms"

Job = Callable[[], object]


def to_nothing(table: pl.LazyFrame) -> Job:
    return lambda: table.sink_batches(lambda _: None, engine="streaming")


def polars_parquet(file: str, columns: str) -> Job:
    return to_nothing(pl.scan_parquet(file).select(COLUMNS[columns]))


def polars_parquet_collected(file: str, columns: str) -> Job:
    table = pl.scan_parquet(file).select(COLUMNS[columns])
    return lambda: table.collect(engine="streaming")


def polars_ndjson(file: str, columns: str) -> Job:
    fields = {name: dict(CALL.to_schema())[name] for name in IN_CALLS.split()}
    schema = {name: CANONICAL[name] for name in IN_LINES.split()}
    schema |= {"tool_calls": pl.List(pl.Struct(fields))}
    wanted = [name for name in COLUMNS[columns] if name in schema]
    return to_nothing(pl.scan_ndjson(file, schema=schema).select(wanted))


def traces(file: str, columns: str) -> Job:
    return to_nothing(read_traces(file).select(COLUMNS[columns]))


def scores(file: str, out: str, suite: str, *ids: str) -> Job:
    """Traces to a Parquet file of scores, with all scorers of the suite or with those named."""
    chosen = scorers(suite, ids)
    return lambda: write_scores(read_traces(file), chosen, out)


def by_parts(file: str, out: str, suite: str, workers: str, size: str) -> Job:
    """The same part by part into a folder, or one file where `out` has an ending."""
    rmtree(out, ignore_errors=True)
    chosen, many = scorers(suite, ()), int(workers)
    return lambda: score_parts(plan_parts(file, size=int(size)), chosen, out, workers=many)


def on_ray(file: str, out: str, suite: str, workers: str, size: str) -> Job:
    """The same on a Ray cluster of this machine, its start and its end included."""
    rmtree(out, ignore_errors=True)
    chosen, many = scorers(suite, ()), int(workers)

    def scored() -> None:
        import ray

        ray.init(num_cpus=many, include_dashboard=False, log_to_driver=False)
        score_parts(plan_parts(file, size=int(size)), chosen, out, engine="ray")
        ray.shutdown()

    return scored


def side_by_side(file: str, out: str, suite: str, runs: str, size: str) -> Job:
    """So many runs of one worker at a time: what the machine allows of as many workers."""

    def together() -> None:
        argv = [sys.executable, __file__, "by_parts", file]
        started = [
            subprocess.Popen([*argv, f"{out}{run}/", suite, "1", size], stdout=subprocess.DEVNULL)
            for run in range(int(runs))
        ]
        assert not any([process.wait() for process in started])

    return together


def gone_on(file: str, out: str, suite: str, size: str) -> Job:
    """A finished run started again: what is there is looked at, and nothing scored."""
    by_parts(file, out, suite, "1", size)()
    return lambda: score_parts(plan_parts(file, size=int(size)), scorers(suite, ()), out)


def bookkeeping(file: str, out: str, suite: str, size: str) -> Job:
    """What a run does so that it could go on: every part's bytes and record are looked at."""
    by_parts(file, out, suite, "1", size)()
    parts, written = plan_parts(file, size=int(size)), sorted(Path(out).glob("part-*.parquet"))
    return lambda: ([*measured(parts.parts)], [*map(record_at, written)])


def in_memory(file: str, suite: str, *ids: str) -> Job:
    """The scores alone, of a table that is in memory already."""
    table = pl.read_parquet(file).lazy()
    columns = [scorer.score.alias(scorer.id) for scorer in scorers(suite, ids)]
    return lambda: table.select(columns).collect(engine="streaming")


def in_memory_of_few(file: str, suite: str, rows: str, *ids: str) -> Job:
    """The same of the first rows, for what takes long."""
    table = pl.read_parquet(file, n_rows=int(rows)).lazy()
    columns = [scorer.score.alias(scorer.id) for scorer in scorers(suite, ids)]
    return lambda: table.select(columns).collect(engine="streaming")


def in_memory_alone(file: str, suite: str) -> Job:
    """The same, scorer by scorer."""
    table = pl.read_parquet(file).lazy()
    columns = [scorer.score.alias(scorer.id) for scorer in scorers(suite, ())]

    def each() -> None:
        for column in columns:
            table.select(column).collect(engine="streaming")

    return each


def scorers(suite: str, ids: tuple[str, ...]) -> list[Scorer]:
    return [one for one in load_suite(suite).scorers if not ids or one.id in ids]


def join(base: str, candidate: str) -> Job:
    """The rows of two runs side by side, and no more."""
    tables = (pl.scan_parquet(file) for file in (base, candidate))
    joined = reduce(lambda one, other: one.join(other, on="task_id"), tables)
    return lambda: joined.collect()


def comparison(base: str, candidate: str, resamples: str, cluster: str = "") -> Job:
    return lambda: compare(base, candidate, resamples=int(resamples), cluster=cluster or None)


def slices(base: str, candidate: str, *columns: str) -> Job:
    return lambda: find_slices(base, candidate, columns=columns, resamples=0)


def plain_json(path: str) -> Job:
    """Every record of a dump as Python objects, which are dropped: the least that Python pays."""

    def decode() -> None:
        for file in sorted(Path(path).iterdir()) if Path(path).is_dir() else [Path(path)]:
            if file.suffix == ".jsonl":
                with file.open("rb") as lines:
                    for line in lines:
                        msgspec.json.decode(line)
            else:
                msgspec.json.decode(file.read_bytes())

    return decode


def layout(path: str, columns: str, processes: str = "0") -> Job:
    """A dump of another layout, in this process or others: what scoring needs, or all columns."""
    records.workers_for = lambda size: int(processes)
    scoring = ["trace_id", "input", "output", "tool_calls"]
    wanted = scoring if columns == "scoring" else list(CANONICAL)
    return to_nothing(read_traces(path).select(wanted))


JOBS: tuple[Callable[..., Job], ...] = (
    *(
        polars_parquet,
        polars_parquet_collected,
        polars_ndjson,
        traces,
        scores,
        in_memory,
        in_memory_of_few,
        in_memory_alone,
    ),
    *(join, comparison, slices, plain_json, layout, by_parts, on_ray, side_by_side, gone_on),
    bookkeeping,
)


OF_MANY = ("by_parts", "on_ray", "side_by_side")  # jobs that start processes


def cpu_seconds() -> float:
    """User and system time of this process and of those it has waited for."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(use.ru_utime + use.ru_stime for use in map(resource.getrusage, who))


def peak_mb() -> float:
    """The largest resident size; ru_maxrss would begin with that of the parent process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def main(name: str, *arguments: str) -> None:
    job = next(job for job in JOBS if job.__name__ == name)(*arguments)
    cpu, wall = cpu_seconds(), time.perf_counter()
    with Memory() if name in OF_MANY else nullcontext() as memory:
        job()
    cost = {"cpu": cpu_seconds() - cpu, "wall": time.perf_counter() - wall, "peak": peak_mb()}
    if memory is not None:
        cost |= {"peak": max(cost["peak"], memory.largest), "total": memory.total}
    print(json.dumps(cost))


if __name__ == "__main__":
    main(*sys.argv[1:])
