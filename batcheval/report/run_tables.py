"""What a page tells of one run, as tables for the terminal, as Markdown, as JSON."""

import json
from collections.abc import Iterator
from typing import Any, Final

from batcheval.findings import RunFindings
from batcheval.report.comment import LIMIT, comment, list_block, table_block
from batcheval.report.judgement import gate_lines
from batcheval.report.layout import text_table
from batcheval.report.rendering import Format, render
from batcheval.report.said import said_of_small

_HEADS: Final = ("scorer", "mean", "interval", "scored", "unscored")


def render_run(found: RunFindings, format: Format = "text") -> str:
    """The scorers, the gates and the slices of a run, without distributions and texts.

    Args:
        found: as `look_at_run` gives it.
        format: as for `render`. `json` has, besides what `render` has, `run` and `rows`, the
            intervals of the means, and `slices` with `small_slices` and `min_slice_size`.

    Raises:
        BadArgumentError: there is no such format.

    Example:
        >>> import polars as pl
        >>> from batcheval.findings import look_at_run
        >>> rows = {"trace_id": ["a", "b"], "city": ["Bern", "Bern"], "polite": [1.0, 0.5]}
        >>> print(render_run(look_at_run(pl.DataFrame(rows), by=["city"])))
        scorer   mean    1.0  0.7 to <1  0.4 to <0.7  >0 to <0.4   0.0  scored  unscored
        ------  -----  -----  ---------  -----------  ----------  ----  ------  --------
        polite  0.750  50.0%       0.0%        50.0%        0.0%  0.0%       2         0
        <BLANKLINE>
        city  scorer   mean        interval  scored  unscored
        ----  ------  -----  --------------  ------  --------
        Bern  polite  0.750  0.000 to 1.000       2         0
    """
    head = render(found.scorers, found.counts, format, found.judgement)
    small = list(said_of_small(found.small_slices, found.min_slice_size, "traces"))
    if format == "json":
        return json.dumps(_facts(found) | json.loads(head), indent=2, ensure_ascii=False)
    if format == "markdown":
        blocks = [table_block(heads, rows, f"Slices by {heads[0]}") for heads, rows in _by(found)]
        room = LIMIT - len(head.encode()) - 2
        return "\n\n".join(filter(None, [head, comment([*blocks, list_block(small)], room)]))
    tables = [text_table(heads, rows) for heads, rows in _by(found)]
    gates = gate_lines(found.judgement) if found.judgement.gates else []
    return "\n\n".join(filter(None, [head, *tables, "\n".join(small), "\n".join(gates)]))


def _facts(found: RunFindings) -> dict[str, Any]:
    return {
        "run": found.run.name.strip("'"),
        "rows": found.rows,
        "slices": found.slices.to_dicts(),
        "small_slices": found.small_slices,
        "min_slice_size": found.min_slice_size,
    }


def _by(found: RunFindings) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Of each column, the heads of the table of its slices, and the rows."""
    parts = found.slices.partition_by("column", as_dict=True, maintain_order=True)
    for (column,), table in parts.items():
        yield [str(column), *_HEADS], [_cells(row) for row in table.to_dicts()]


def _cells(row: dict[str, Any]) -> list[str]:
    low, high = row["low"], row["high"]
    return [
        "(null)" if row["value"] is None else row["value"],
        row["scorer"],
        "-" if row["mean"] is None else f"{row['mean']:.3f}",
        "-" if low is None or high is None else f"{low:.3f} to {high:.3f}",
        f"{row['scored']:,}",
        f"{row['unscored']:,}",
    ]
