"""A summary as a table for the terminal, as Markdown, as JSON."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import polars as pl

from batcheval.errors import BadArgumentError, quoted
from batcheval.judging import Judgement
from batcheval.report.comment import comment, table_block, text_block
from batcheval.report.gates import gate_blocks, gates_document
from batcheval.report.layout import text_table
from batcheval.report.line_counts import count_lines
from batcheval.summary import BANDS

Format: TypeAlias = Literal["text", "markdown", "json"]
Counts: TypeAlias = Mapping[str, Any]

_HEADS: Final = ("scorer", "mean", *BANDS.values(), "scored", "unscored")


def render(
    summary: pl.DataFrame,
    counts: Counts | None = None,
    format: Format = "text",
    judgement: Judgement | None = None,
) -> str:
    """A summary and, below it, the counts of lines.

    Args:
        summary: as `summarize` gives it.
        counts: the `counts` of a scores file, or None.
        format: `text`, a table of which each head says what scores it counts; `markdown`, the same
            as a comment for a pull request, the verdict first, below 65,536 characters; `json`, an
            object with `scorers` (the rows, numbers as they are, null for none), `bands` (what
            scores each holds) and `counts`.
        judgement: what became of the gates; in `markdown` and `json`, where some were asked (as
            `verdict` and `gates`).

    Raises:
        BadArgumentError: there is no such format.

    Example:
        >>> from batcheval.summary import summarize
        >>> scores = pl.DataFrame({"trace_id": ["a", "b"], "polite": [1.0, 0.5]})
        >>> print(render(summarize(scores), {"lines": 2, "rows": 2}))
        scorer   mean    1.0  0.7 to <1  0.4 to <0.7  >0 to <0.4   0.0  scored  unscored
        ------  -----  -----  ---------  -----------  ----------  ----  ------  --------
        polite  0.750  50.0%       0.0%        50.0%        0.0%  0.0%       2         0
        <BLANKLINE>
        2 lines: 2 rows
    """
    if format not in FORMATS:
        raise BadArgumentError("format", f"one of {quoted(FORMATS)}", format)
    return FORMATS[format](summary, counts, judgement or Judgement([], None))


def _text(summary: pl.DataFrame, counts: Counts | None, judgement: Judgement) -> str:
    below = ["", *count_lines(counts)] if counts else []
    below += idle_lines(summary)
    return "\n".join([text_table(_HEADS, _rows(summary)), *below])


def idle_lines(summary: pl.DataFrame) -> list[str]:
    """A warning on scorers that found nothing to score."""
    idle = summary.filter(pl.col("scored") == 0)["scorer"].to_list()
    if not idle:
        return []
    return [f"warning: no trace has what {quoted(idle)} needs, so none was scored"]


def _markdown(summary: pl.DataFrame, counts: Counts | None, judgement: Judgement) -> str:
    lines = [*(count_lines(counts) if counts else []), *idle_lines(summary)]
    table = table_block(_HEADS, _rows(summary))
    return comment([*gate_blocks(judgement), table, text_block(lines)])


def _json(summary: pl.DataFrame, counts: Counts | None, judgement: Judgement) -> str:
    document = {"scorers": summary.to_dicts(), "bands": BANDS, "counts": counts}
    return json.dumps(document | gates_document(judgement), indent=2)


FORMATS: Final[dict[str, Callable[[pl.DataFrame, Counts | None, Judgement], str]]] = {
    "text": _text,
    "markdown": _markdown,
    "json": _json,
}


def _rows(summary: pl.DataFrame) -> Sequence[Sequence[str]]:
    return [cells(row) for row in summary.iter_rows(named=True)]


def cells(row: Mapping[str, Any]) -> list[str]:
    """A row of the table: scorer, mean, the shares in the bands, scored and unscored."""
    return [
        row["scorer"],
        "-" if row["mean"] is None else f"{row['mean']:.3f}",
        *(percent(row[band]) for band in BANDS),
        f"{row['scored']:,}",
        f"{row['unscored']:,}",
    ]


def percent(share: float | None) -> str:
    """A share in percent; one that is not quite all, or not quite none, does not look so."""
    if share is None:
        return "-"
    if 0 < share < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= share < 1 else f"{share:.1%}"
