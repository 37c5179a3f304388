"""The reliability of a run as a page for the terminal, as Markdown, as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from batcheval.errors import BadArgumentError, quoted
from batcheval.report.rendering import Format
from batcheval.report.styles import STYLES, Style, counted, decimal, ranged
from batcheval.trials import Reliability

_SHOWN: Final = 10  # names of tasks
_COUNTS: Final = ("always", "sometimes", "never")
_FLAKY: Final = ("flaky", "task", "trials", "successes", "mean", "spread")


def render_reliability(found: Reliability, format: Format = "text", flakiest: int = 3) -> str:
    r"""How reliable a run is: what its trials are, a table of scorers, pass@k and pass^k, tasks.

    Args:
        found: as `reliability` gives it.
        format: `text`, a page; `markdown`, the same; `json`, an object with all there is, tables as
            lists of rows, null for none, and the tasks that each k leaves out by name.
        flakiest: how many of the flakiest tasks to show of each scorer.

    Raises:
        BadArgumentError: there is no such format.

    Example:
        >>> from batcheval import reliability
        >>> rows = {"task_id": ["a", "a"], "right": [1.0, 0.0]}
        >>> found = reliability(pl.DataFrame({"trace_id": ["1", "2"], **rows}))
        >>> print(render_reliability(found).split("\n\n")[0])
        the run: 2 rows, trials of 1 task by 'task_id'
        a trial succeeds with a score of 1
    """
    if format == "json":
        return json.dumps(_document(found), default=str, ensure_ascii=False, indent=2)
    if format not in STYLES:
        raise BadArgumentError("format", f"one of {quoted([*STYLES, 'json'])}", format)
    return "\n\n".join(part for part in _parts(found, STYLES[format], flakiest) if part)


def _document(found: Reliability) -> dict[str, Any]:
    names = [name for name in found.__dataclass_fields__ if name not in _TABLES]
    facts = {name: getattr(found, name) for name in names}
    rows = [
        {**row, "left_out": found.left_out(row["scorer"], row["k"])["task"].to_list()}
        for row in found.at_k.to_dicts()
    ]
    return {**facts, "scorers": found.scorers.to_dicts(), "at_k": rows} | {
        "tasks": found.tasks.to_dicts()
    }


_TABLES: Final = ("scorers", "at_k", "tasks")


def _parts(found: Reliability, style: Style, flakiest: int) -> Iterator[str]:
    interval = f"{100 * found.confidence:.4g}% interval"
    yield style.lines(list(_said(found)))
    yield style.table(
        ("scorer", "tasks", "trials", "unscored", "mean", interval, "spread", *_COUNTS),
        [_scorer(row) for row in found.scorers.to_dicts()],
    )
    yield style.table(
        ("scorer", "k", "tasks", "pass@k", interval, "pass^k", interval),
        [_at_k(row) for row in found.at_k.to_dicts()],
    )
    yield style.lines(list(_said_of_left_out(found)))
    flaky = found.tasks.filter(pl.col("spread") > 0)
    first = flaky.group_by("scorer", maintain_order=True).head(flakiest)
    if first.height:
        yield style.table(_FLAKY, [_task(row) for row in first.to_dicts()])


def _said(found: Reliability) -> Iterator[str]:
    tasks = found.tasks["task"].n_unique()
    yield (
        f"{found.run}: {counted(found.rows, 'row')}, trials of {counted(tasks, 'task')}"
        f" by '{found.task}'"
    )
    at_least = "" if found.threshold == 1 else "at least "
    yield f"a trial succeeds with a score of {at_least}{found.threshold:g}"
    if found.without_task:
        alone = counted(found.without_task, "row")
        yield f"warning: {alone} without '{found.task}' left out"
    if len(found.runs) > 1:
        some = quoted(found.runs[:_SHOWN]) + (" …" if len(found.runs) > _SHOWN else "")
        yield f"the rows of {len(found.runs):,} runs count alike: {some} (FILE@RUN takes one)"
    if found.repeated:
        again = counted(found.repeated, "row")
        yield f"warning: {again} with the task, run and 'trial' of an earlier one"


def _said_of_left_out(found: Reliability) -> Iterator[str]:
    """A line for each k and set of tasks; most often it is the same for all scorers."""
    lines: dict[tuple[int, str, int], list[str]] = {}
    for row in found.at_k.filter(pl.col("left_out") > 0).to_dicts():
        tasks = found.left_out(row["scorer"], row["k"])["task"].to_list()
        some = quoted(tasks[:_SHOWN]) + (" …" if len(tasks) > _SHOWN else "")
        lines.setdefault((row["k"], some, len(tasks)), []).append(row["scorer"])
    for (k, some, count), scorers in lines.items():
        every = len(scorers) == found.scorers.height
        of = "" if every else f"{', '.join(scorers)}: "
        have = "has" if count == 1 else "have"
        which = f"{counted(count, 'task')} {have} fewer than {counted(k, 'scored trial')}"
        yield f"k = {k}: {of}left out, since {which}: {some}"


def _scorer(row: Mapping[str, Any]) -> list[str]:
    return [
        row["scorer"],
        *(f"{row[name]:,}" for name in ("tasks", "trials", "unscored")),
        decimal(row["mean"]),
        ranged(row["low"], row["high"]),
        decimal(row["spread"]),
        *(f"{row[name]:,}" for name in _COUNTS),
    ]


def _at_k(row: Mapping[str, Any]) -> list[str]:
    cells = [row["scorer"], f"{row['k']:,}", f"{row['tasks']:,}"]
    for name in ("pass_at_k", "pass_hat_k"):
        cells += [decimal(row[name]), ranged(row[f"{name}_low"], row[f"{name}_high"])]
    return cells


def _task(row: Mapping[str, Any]) -> Sequence[str]:
    counts = (f"{row[name]:,}" for name in ("trials", "successes"))
    return row["scorer"], row["task"], *counts, decimal(row["mean"]), decimal(row["spread"])
