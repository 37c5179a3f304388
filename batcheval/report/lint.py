"""What was found in a suite, and what its scorers cost, as a page or as JSON."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from batcheval.costing import WAYS, Cost
from batcheval.errors import BadArgumentError
from batcheval.linting import SEVERITIES, Finding, Lint
from batcheval.report.rendering import Format
from batcheval.report.styles import STYLES, counted

_HEADS: Final = ("scorer", "reads", "by", "rows a second")
_MOST: Final = 1_000_000  # rows a second; more cannot be told on a sample


def render_lint(found: Lint, format: Format = "text") -> str:
    """The findings, errors first, then the costs.

    Args:
        found: as `lint` gives it.
        format: `text`, `markdown`, or `json`: an object with `suite`, `traces`, `findings` (of
            `severity`, `about`, `message`), `costs` (of `scorer`, `rows`, `seconds`, `way`,
            `columns`, `rows_per_second`) and `together`, a cost or null.

    Raises:
        BadArgumentError: there is no such format.
    """
    if format == "json":
        return json.dumps(_document(found), indent=2, ensure_ascii=False)
    if format not in STYLES:
        raise BadArgumentError("format", "text, markdown or json", format)
    style = STYLES[format]
    blocks = [style.title(_title(found)), style.lines([*_findings(found.findings)])]
    if found.costs:
        blocks.append(style.table(_HEADS, [_row(cost) for cost in found.costs]))
        blocks.append(style.lines([*_below(found)]))
    return "\n\n".join(blocks)


def _title(found: Lint) -> str:
    on = "" if found.traces is None else f", tried on {counted(found.traces, 'trace')}"
    return f"suite '{found.name}'{on}"


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    for severity, about, message in findings:
        yield f"{severity:7}  {about}{': ' * bool(about)}{message}"
    counts = {kind: sum(one.severity == kind for one in findings) for kind in SEVERITIES}
    told = [counted(number, kind) for kind, number in counts.items() if number]
    yield ", ".join(told) or "nothing found"


def _row(cost: Cost) -> Sequence[str]:
    by = "polars" if cost.way == "expression" else cost.way
    return cost.scorer, ", ".join(cost.columns) or "-", by, _rate(cost.rows_per_second)


def _rate(rows_per_second: float) -> str:
    """A rate to two digits.

    Example:
        >>> _rate(123_456), _rate(87.4), _rate(3e7)
        ('120,000', '87', '>1,000,000')
    """
    if rows_per_second > _MOST:
        return f">{_MOST:,}"
    return f"{float(f'{rows_per_second:.2g}'):,.0f}"


def _below(found: Lint) -> Iterator[str]:
    if found.together is not None and len(found.costs) > 1:
        apart = 1 / sum(1 / cost.rows_per_second for cost in found.costs)
        yield (
            f"all in one pass: {_rate(found.together.rows_per_second)} rows a second on one core;"
            f" one after the other: {_rate(apart)}"
        )
    if found.traces is None:
        yield "measured on made-up traces, with outputs of 20 to 300 words"
    for way, words in WAYS.items():
        if way != "expression" and any(cost.way == way for cost in found.costs):
            yield f"{way}: {words}"


def _document(found: Lint) -> dict[str, Any]:
    return {
        "suite": found.name,
        "traces": found.traces,
        "findings": [one._asdict() for one in found.findings],
        "costs": [_cost(cost) for cost in found.costs],
        "together": found.together and _cost(found.together),
    }


def _cost(cost: Cost) -> dict[str, Any]:
    return {**asdict(cost), "rows_per_second": cost.rows_per_second}
