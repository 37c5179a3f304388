"""How scores agree with labels as a page for the terminal, as Markdown, as JSON."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.agreeing import Agreement
from batcheval.errors import BadArgumentError, quoted
from batcheval.report.rendering import Format
from batcheval.report.styles import STYLES, Style, counted, decimal, ranged

_TABLES: Final = ("scorers", "pairs")

# The heads of tables; an interval is headed by its confidence.
_MAIN: Final = ("scorer", "rows", "unscored", "agreement", "", "kappa", "", "AUROC", "")
_ERRORS: Final = ("scorer", "tp", "fp", "fn", "tn", "precision", "", "recall", "", "F1", "")
_CUTS: Final = ("scorer", "best threshold", "", "Youden's J")


def render_agreement(found: Agreement, format: Format = "text") -> str:
    r"""How scores agree with labels: tables of scorers, checks that tell nothing, checks alike.

    Args:
        found: as `agree` gives it.
        format: `text`, a page; `markdown`, the same; `json`, an object with all that was found,
            tables as lists of rows, null for none.

    Raises:
        BadArgumentError: there is no such format.

    Example:
        >>> import polars as pl
        >>> from batcheval import agree
        >>> rows = {"trace_id": ["a", "b"], "good": [True, False], "right": [1.0, 1.0]}
        >>> print(render_agreement(agree(pl.DataFrame(rows), "good")).split("\n\n")[0])
        the run: 2 rows, 2 with a label 'good' in the scores
        1 good, 1 bad: 'true' is good, 'false' is bad
        a score of at least 0.5 passes
    """
    if format == "json":
        return json.dumps(_document(found), ensure_ascii=False, indent=2)
    if format not in STYLES:
        raise BadArgumentError("format", f"one of {quoted([*STYLES, 'json'])}", format)
    return "\n\n".join(part for part in _parts(found, STYLES[format]) if part)


def _document(found: Agreement) -> dict[str, Any]:
    names = [name for name in found.__dataclass_fields__ if name not in _TABLES]
    facts = {name: getattr(found, name) for name in names}
    facts["settings"] = found.settings._asdict()
    return facts | {name: getattr(found, name).to_dicts() for name in _TABLES}


def _parts(found: Agreement, style: Style) -> Iterator[str]:
    rows, interval = found.scorers.to_dicts(), f"{100 * found.settings.confidence:.4g}% interval"
    yield style.lines(list(_said(found)))
    for heads, cells, shown in (
        (_MAIN, _main, rows),
        (_ERRORS, _errors, rows),
        (_CUTS, _cut, [row for row in rows if _is_graded(row)]),
    ):
        named = [interval if head == "" else head for head in heads]
        yield style.table(named, [cells(row) for row in shown]) if shown else ""
    yield style.lines(list(_said_of_checks(found)))


def _is_graded(row: Mapping[str, Any]) -> bool:
    """Of passes and fails the best threshold is 1 however often it is drawn, and says nothing."""
    ends = (row[f"best_threshold{end}"] for end in ("", "_low", "_high"))
    return any(end not in (None, 1.0) for end in ends)


def _said(found: Agreement) -> Iterator[str]:
    labelled = found.good + found.bad
    where = f"with a label '{found.label}' in {found.home}"
    yield f"{found.run}: {counted(found.rows, 'row')}, {labelled:,} {where}"
    yield f"{found.good:,} good, {found.bad:,} bad: {found.meaning}"
    yield f"a score of at least {found.settings.threshold:g} passes"
    if found.unmatched:
        yield f"warning: {counted(found.unmatched, 'row')} without a trace in {found.home}"
    if found.cluster:
        yield f"rows with the same '{found.cluster}' are not taken to vary independently"
    if not found.good or not found.bad:
        kind = "good" if found.good else "bad"
        yield f"warning: every label is {kind}, so nothing tells whether checks tell them apart"


def _said_of_checks(found: Agreement) -> Iterator[str]:
    for row in found.scorers.to_dicts():
        rows = counted(row["scored"], "scored row")
        if row["constant"]:
            yield f"{row['scorer']} {row['constant']}: {rows}"
        if not row["n"]:
            yield f"warning: {row['scorer']} scored none of the labelled rows"
    for pair in found.pairs.to_dicts():
        yield (
            f"{pair['first']} and {pair['second']}: {pair['relation']} on {pair['same']:,} of"
            f" {counted(pair['n'], 'row')} (phi {pair['phi']:.3f})"
        )


def _main(row: Mapping[str, Any]) -> list[str]:
    cells = [row["scorer"], f"{row['n']:,}", f"{row['unscored']:,}"]
    return cells + _with_interval(row, "agreement", "kappa", "auroc")


def _errors(row: Mapping[str, Any]) -> list[str]:
    counts = [f"{row[name]:,}" for name in ("tp", "fp", "fn", "tn")]
    return [row["scorer"], *counts, *_with_interval(row, "precision", "recall", "f1")]


def _cut(row: Mapping[str, Any]) -> list[str]:
    return [row["scorer"], *_with_interval(row, "best_threshold"), decimal(row["youden"])]


def _with_interval(row: Mapping[str, Any], *names: str) -> list[str]:
    cells = []
    for name in names:
        cells += [decimal(row[name]), ranged(row[f"{name}_low"], row[f"{name}_high"])]
    return cells
