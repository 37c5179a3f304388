"""A comparison of two runs as a page for the terminal, as Markdown, as JSON."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

import polars as pl

from batcheval.comparing import Comparison
from batcheval.errors import BadArgumentError, quoted
from batcheval.report.layout import Row, escaped, markdown_table, text_table
from batcheval.report.rendering import Format
from batcheval.report.said import interval, said_of_pairs, said_of_scorer, signed

_MAIN: Final = ("pairs", "base", "candidate", "difference")
_COUNTS: Final = ("wins", "ties", "losses", "p (Holm)", "verdict")
TEST_HEADS: Final = ("scorer", "test", "p", "p (Holm)", "p (BH)", "interval", "effect", "detectable")


class _Style(NamedTuple):
    table: Callable[[Row, Sequence[Row]], str]
    title: Callable[[str], str]
    lines: Callable[[Sequence[str]], str]


_STYLES: Final = {
    "text": _Style(text_table, str, "\n".join),
    "markdown": _Style(
        markdown_table,
        lambda title: f"### {escaped(title)}",
        lambda lines: "\n".join(f"- {escaped(line)}" for line in lines),
    ),
}


def render_comparison(comparison: Comparison, format: Format = "text") -> str:
    r"""A comparison: how rows were paired, a table of scorers, tests, verdicts, slices.

    Args:
        comparison: as `compare` gives it.
        format: `text`, a page; `markdown`, the same; `json`, an object with all that the comparison
            holds, tables as lists of rows, null for none.

    Raises:
        BadArgumentError: there is no such format.

    Example:
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
    if format == "json":
        return json.dumps(_document(comparison), default=str, ensure_ascii=False, indent=2)
    if format not in _STYLES:
        raise BadArgumentError("format", f"one of {quoted([*_STYLES, 'json'])}", format)
    return "\n\n".join(_parts(comparison, _STYLES[format]))


def _document(comparison: Comparison) -> dict[str, Any]:
    names = [name for name in comparison.__dataclass_fields__ if name not in ("scorers", "slices")]
    facts = {name: getattr(comparison, name) for name in names}
    for name in ("base_rows", "candidate_rows", "settings"):
        facts[name] = asdict(facts[name])
    tables = {"scorers": comparison.scorers, "slices": comparison.slices}
    return facts | {name: table.to_dicts() for name, table in tables.items()}


def _parts(comparison: Comparison, style: _Style) -> Iterator[str]:
    confidence, rows = comparison.settings.confidence, comparison.scorers.to_dicts()
    heads = ("scorer", *_MAIN, f"{100 * confidence:.4g}% interval", *_COUNTS)
    yield style.lines(list(said_of_pairs(comparison)))
    yield style.table(heads, [main_cells(row) for row in rows])
    yield style.lines([said_of_scorer(row, confidence, len(rows)) for row in rows])
    yield style.table(TEST_HEADS, [test_cells(row) for row in rows])
    for (column, value), part in _slices(comparison.slices):
        yield style.title(f"{column} is null" if value is None else f"{column} = {value}")
        yield style.table(heads, [main_cells(row) for row in part.to_dicts()])


def _slices(slices: pl.DataFrame) -> list[tuple[tuple[Any, ...], pl.DataFrame]]:
    parts = slices.partition_by("column", "value", as_dict=True, maintain_order=True)
    return list(parts.items())


def main_cells(row: Mapping[str, Any]) -> list[str]:
    """A row of the main table."""
    return [
        row["scorer"],
        f"{row['n']:,}",
        _plain(row["base"]),
        _plain(row["candidate"]),
        signed(row["difference"]),
        interval(row),
        *(f"{row[name]:,}" for name in ("wins", "ties", "losses")),
        _likelihood(row["p_holm"]),
        row["verdict"],
    ]


def test_cells(row: Mapping[str, Any]) -> list[str]:
    """A row of the table of tests, under `TEST_HEADS`."""
    effect = f"{row['effect_name']} {_plain(row['effect'])}" if row["effect_name"] else "-"
    return [
        row["scorer"],
        row["test"] or "-",
        *(_likelihood(row[name]) for name in ("p", "p_holm", "p_bh")),
        row["interval"] or "-",
        effect,
        _plain(row["mde"]),
    ]


def _plain(number: float | None) -> str:
    return "-" if number is None else f"{number:.3f}"


def _likelihood(p: float | None) -> str:
    """A p value; one that is not quite 0 or 1 does not look so."""
    if p is None:
        return "-"
    if p < 0.0005:
        return "<0.001"
    return ">0.999" if 0.9995 <= p < 1 else f"{p:.3f}"
