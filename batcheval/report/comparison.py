"""A comparison of two runs as a page for the terminal, as Markdown, as JSON."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from batcheval.comparing import Comparison
from batcheval.errors import BadArgumentError, quoted
from batcheval.judging import Judgement
from batcheval.report.comparison_cells import TEST_HEADS, heads_of, main_cells, parts_of, test_cells
from batcheval.report.comparison_comment import comparison_comment
from batcheval.report.found import (
    HEADS_OF_SEARCH,
    document_of_search,
    rows_of_search,
    said_of_search,
)
from batcheval.report.gates import gates_document
from batcheval.report.layout import text_table
from batcheval.report.rendering import FORMATS, Format
from batcheval.report.said import said_of_pairs, said_of_scorer


def render_comparison(
    comparison: Comparison, format: Format = "text", judgement: Judgement | None = None
) -> str:
    r"""A comparison: how rows were paired, a table of scorers, tests, verdicts, slices.

    Args:
        comparison: as `compare` gives it.
        format: `text`, a page; `markdown`, a comment for a pull request, the verdict first, wide
            tables folded, below 65,536 characters; `json`, an object with all that the comparison
            holds, tables as lists of rows, null for none.
        judgement: what became of the gates; in `markdown` and `json`, where some were asked.

    Raises:
        BadArgumentError: there is no such format.

    Example:
        >>> import polars as pl
        >>> from batcheval import compare
        >>> runs = [
        ...     pl.DataFrame({"trace_id": list("abcdef"), "right": [score] * 6})
        ...     for score in (0.0, 1.0)
        ... ]
        >>> print(render_comparison(compare(*runs)).split("\n\n")[0])
        base: 6 rows
        candidate: 6 rows
        6 pairs: rows with the same 'trace_id'
    """
    judged = judgement or Judgement([], None)
    if format == "json":
        document = _document(comparison) | gates_document(judged)
        return json.dumps(document, default=str, ensure_ascii=False, indent=2)
    if format == "markdown":
        return comparison_comment(comparison, judged)
    if format != "text":
        raise BadArgumentError("format", f"one of {quoted(FORMATS)}", format)
    return "\n\n".join(_parts(comparison))


def _document(comparison: Comparison) -> dict[str, Any]:
    apart = ("scorers", "slices", "found")
    names = [name for name in comparison.__dataclass_fields__ if name not in apart]
    facts = {name: getattr(comparison, name) for name in names}
    for name in ("base_rows", "candidate_rows", "settings"):
        facts[name] = asdict(facts[name])
    tables = {"scorers": comparison.scorers, "slices": comparison.slices}
    rows = {name: table.to_dicts() for name, table in tables.items()}
    return facts | rows | {"found": document_of_search(comparison.found)}


def _parts(comparison: Comparison) -> Iterator[str]:
    confidence, rows = comparison.settings.confidence, comparison.scorers.to_dicts()
    heads = heads_of(comparison)
    yield "\n".join(said_of_pairs(comparison))
    yield text_table(heads, [main_cells(row) for row in rows])
    yield "\n".join(said_of_scorer(row, confidence, len(rows)) for row in rows)
    yield text_table(TEST_HEADS, [test_cells(row) for row in rows])
    for name, part in parts_of(comparison.slices):
        yield name
        yield text_table(heads, [main_cells(row) for row in part.to_dicts()])
    if comparison.found is not None:
        yield "slices found"
        yield "\n".join(said_of_search(comparison.found, confidence))
        if cells := rows_of_search(comparison.found):
            yield text_table(HEADS_OF_SEARCH, cells)
