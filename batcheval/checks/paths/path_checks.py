"""Checks of the way that a run took: along a path, and in how many calls."""

from collections.abc import Mapping, Sequence

import polars as pl

from batcheval.checks.calls import COUNT, NAMES
from batcheval.checks.counts import calls
from batcheval.checks.operands import column, listing, quote, sentence
from batcheval.checks.paths.shortest import shortest_of
from batcheval.checks.paths.walks import arrived, compiled, kept
from batcheval.checks.trajectories.rules import tool_names
from batcheval.scorer import Verdict, batched, check

__all__ = ["call_efficiency", "path_matches"]


@check
def path_matches(path: str | pl.Expr, *, ignore: Sequence[str] = ()) -> Verdict:
    """The calls of the run, from the first to the last, are a way along `path`: 1.0, else 0.0.

    A path is a regular expression over tool names: `search+ (summarize | respond)` is any number of
    searches, one at least, then one of the others. One after the other, `|` for a choice, `*`, `+`,
    `?`, `{3}`, `{1,3}`, `{2,}` and `{,3}` for how often, groups in parentheses, `.` for any one
    tool. Names are letters, digits, `_`, `-`, `/` and `:`; others stand in quotes, as `"my.tool"`.
    `.* refund .*` looks for a call anywhere. Time is linear in the number of calls.

    Details: `kept_calls`, how many calls from the first on begin a way along the path;
    `actual_tools`.

    Args:
        path: the path; or an expression with one per row: one that is null or none is unscored.
        ignore: names of tools whose calls are passed over, such as `think`.

    Raises:
        BadArgumentError: `path` is none, or `ignore` no list of names; the message has the place.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "search", "respond")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:2]]})
        >>> path = path_matches("search+ (summarize | respond)")
        >>> traces.select(path.score).to_series().to_list()
        [1.0, 0.0]

    Source: Glushkov 1961; subsets as they are met, as in Thompson 1968.
    """
    if not isinstance(path, pl.Expr):
        compiled(path)
    wanted = column("path", path) if isinstance(path, pl.Expr) else pl.lit(path)
    called = _without(tool_names("ignore", ignore))
    score = batched(arrived, called, wanted)
    reached = _kept(called, wanted)
    found = "the run called {}, which {} the path {}"
    left = pl.format("leaves, from call {} on,", reached + 1)
    way = (
        pl.when(score == 1)
        .then(pl.lit("is on"))
        .when(reached < called.list.len())
        .then(left)
        .otherwise(pl.lit("ends before"))
    )
    reason = sentence(score, found, listing(called), way, quote(wanted))
    return Verdict(score, pl.struct(kept_calls=reached, actual_tools=called), reason)


@check
def call_efficiency(shortest: int | str | Mapping[str, int] | pl.Expr) -> Verdict:
    """The number of calls that are enough, by that of calls made: 1.0 for no more, down to 0.0.

    How many are enough is what the shortest good run of the same task took. A score depends on its
    row alone, so that comes from outside: `batcheval shortest TRACES --where "the run is good" -o
    shortest.json` writes it for each `task_id`. Runs that fail can be left out with `when`.

    Details: `actual_calls`, `shortest`.

    Args:
        shortest: the JSON or TOML file with a number for each `task_id`, or such a table; a number
            for all rows; or an expression with one per row, such as `metadata.shortest`. A row is
            unscored where there is none, or no task.

    Raises:
        BadArgumentError: `shortest` is none of these.

    Example:
        >>> calls = [{"name": "search", "state": "ok"}] * 4
        >>> traces = pl.DataFrame({"task_id": ["a", "b"], "tool_calls": [calls, calls]})
        >>> traces.select(call_efficiency({"a": 2, "b": 4}).score).to_series().to_list()
        [0.5, 1.0]

    Source: the ratio of optimal to actual steps, as in Anderson et al. 2018, "On evaluation of
    embodied navigation agents" (SPL), for runs that succeed.
    """
    enough = shortest_of(shortest)
    score = pl.when(enough >= COUNT).then(1.0).otherwise(enough / COUNT.clip(1))
    score = pl.when(enough.is_not_null()).then(score)
    found = "the run made {}, and the shortest made {}"
    reason = sentence(score, found, calls(COUNT), enough.cast(pl.Int64))
    return Verdict(score, pl.struct(actual_calls=COUNT, shortest=enough.cast(pl.Int64)), reason)


def _without(names: Sequence[str]) -> pl.Expr:
    if not names:
        return NAMES

    def rest(called: pl.Series) -> pl.Series:
        other = pl.element().is_in(names).not_()
        return called.list.eval(pl.when(other).then(pl.element()).drop_nulls())

    return NAMES.map_batches(rest, return_dtype=pl.List(pl.String), is_elementwise=True)


def _kept(called: pl.Expr, wanted: pl.Expr) -> pl.Expr:
    def run(rows: pl.Series) -> pl.Series:
        return kept(*rows.struct.unnest().get_columns())

    rows = pl.struct(called.alias("called"), wanted.alias("path"))
    return rows.map_batches(run, return_dtype=pl.Int64, is_elementwise=True)
