"""The page of one run."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from batcheval import __version__
from batcheval.findings import RunFindings
from batcheval.report.page.axis import Scale
from batcheval.report.page.environment import fill
from batcheval.report.page.run_cases import worst_traces
from batcheval.report.page.safe import cut
from batcheval.report.page.views import (
    ROWS,
    SUITE,
    View,
    charts,
    facts,
    level_of,
    made,
    outcome,
)
from batcheval.report.rendering import cells, idle_lines
from batcheval.report.said import said_of_small
from batcheval.report.styles import counted
from batcheval.summary import BANDS

_WHOLE = Scale(0.0, 1.0)


def run_page(found: RunFindings) -> str:
    """A page of HTML that needs nothing else: verdict, scorers, distributions, slices, traces.

    Raises:
        MissingExtraError: the packages that make it are not installed.
    """
    scorers = found.scorers["scorer"].to_list()
    told = facts(found.counts)
    return fill(
        "run.html",
        version=__version__,
        polars=pl.__version__,
        title=found.run.name.strip("'"),
        panel=outcome(found.judgement) or _no_gates(found),
        confidence=level_of(found.confidence),
        caption=f"The mean of the scores of {counted(found.rows, 'trace')}, and the shares of them"
        " in bands",
        bands=list(BANDS.values()),
        key=[{"name": name, "said": said} for name, said in BANDS.items()],
        rows=[_row(row, found) for row in found.scorers.to_dicts()],
        warnings=idle_lines(found.scorers),
        **charts({scorer: {"run": found.histograms[scorer]} for scorer in scorers}),
        slices=_slices(found),
        small=list(said_of_small(found.small_slices, found.min_slice_size, "traces")),
        worst=worst_traces(found.worst, scorers),
        facts=told["facts"],
        fact_lines=told["lines"],
        made=made(found.version, level_of(found.confidence), _methods(found)),
        suite=cut(found.suite, SUITE) if found.suite else None,
    )


def _no_gates(found: RunFindings) -> View:
    scorers, rows = counted(found.scorers.height, "scorer"), counted(found.rows, "trace")
    said = "The suite has no gates, so there is no verdict."
    return {"word": f"{rows}, {scorers}", "tone": "", "said": said, "gates": [], "tally": []}


def _row(row: Mapping[str, Any], found: RunFindings) -> View:
    name, mean, *shares, scored, unscored = cells(row)
    starts = [0.0]
    for band in BANDS:
        starts.append(starts[-1] + 100 * (row[band] or 0.0))
    strip = [
        {"name": band, "start": round(start, 3), "width": round(100 * (row[band] or 0.0), 3)}
        for band, start in zip(BANDS, starts, strict=False)
    ]
    parts = (f"{share} {band}" for band, share in zip(BANDS.values(), shares, strict=True))
    interval = _interval(row["mean"], row["ci_low"], row["ci_high"], found.confidence)
    return {
        "scorer": name,
        "description": found.descriptions.get(name, ""),
        "mean": mean,
        "shares": shares,
        "scored": scored,
        "unscored": unscored,
        "strip": strip,
        "strip_label": f"shares: {', '.join(parts)}",
        **interval,
    }


def _interval(mean: float | None, low: float | None, high: float | None, level: float) -> View:
    ends = "-" if low is None or high is None else f"{low:.3f} to {high:.3f}"
    said = "nothing was scored" if mean is None else f"mean {mean:.3f}"
    label = f"{said}, {level_of(level)} interval {ends}" if ends != "-" else said
    return {"at": _WHOLE.whiskers(mean, low, high), "ends": ends, "label": label}


def _slices(found: RunFindings) -> list[View]:
    parts = found.slices.partition_by("column", as_dict=True, maintain_order=True)
    return [_slice(str(column), table, found) for (column,), table in parts.items()]


def _slice(column: str, table: pl.DataFrame, found: RunFindings) -> View:
    values, kept = table["value"].n_unique(), table
    caption = "Means of each slice"
    if table.height > ROWS:
        kept = table.sort("mean", maintain_order=True, nulls_last=True).head(ROWS)
        caption = f"The {ROWS:,} lowest of the {table.height:,} means"
    rows = [
        {
            "value": "(null)" if row["value"] is None else row["value"],
            "scorer": row["scorer"],
            "mean": "-" if row["mean"] is None else f"{row['mean']:.3f}",
            "scored": f"{row['scored']:,}",
            "unscored": f"{row['unscored']:,}",
            **_interval(row["mean"], row["low"], row["high"], found.confidence),
        }
        for row in kept.to_dicts()
    ]
    return {"column": column, "said": counted(values, "slice"), "caption": caption, "rows": rows}


def _methods(found: RunFindings) -> list[str]:
    names = found.scorers["interval"].drop_nulls().unique(maintain_order=True).to_list()
    said = [f"They are made by: {', '.join(names)}."] if names else []
    return [*said, "The traces of one task are a cluster."] if found.by_task else said
