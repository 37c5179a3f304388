"""A suggested suite as a page for the terminal, as Markdown, as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from batcheval.errors import BadArgumentError, quoted
from batcheval.report.rendering import Format, percent
from batcheval.report.styles import STYLES, Style, counted, decimal
from batcheval.suggesting import Suggestion, Suggestions, tells

_HEADS: Final = ("suggestion", "runs", "hold", "at least", "broken by")
_LABELLED: Final = (
    *("suggestion", "good runs", "hold", "at least", "bad ones hold", "phi", "precision", "recall"),
    *("p (Holm)", "broken by"),
)
_ERRORS: Final = ("error", "tool", "calls", "runs")
_LONG: Final = 60  # characters of an error
_MANY: Final = 5  # errors on the page; JSON has more


def render_suggestions(found: Suggestions, format: Format = "text") -> str:
    r"""What is suggested, with support, breakers and what it tells; and the frequent errors.

    Args:
        found: as `suggest` gives it.
        format: `text`, a page; `markdown`, the same; `json`, an object with all that was found, the
            tables of checks among it, null for none.

    Raises:
        BadArgumentError: there is no such format.

    Example:
        >>> import polars as pl
        >>> from batcheval import suggest
        >>> traces = pl.DataFrame({"trace_id": [f"t{n}" for n in range(40)], "output": "Sunny."})
        >>> print(render_suggestions(suggest(traces)).split("\n\n")[1])
        suggestion                            runs    hold  at least  broken by
        ------------------------------------  ----  ------  --------  ---------
        the output has at most 6 characters     40  100.0%     92.7%          -
        the output has at least 6 characters    40  100.0%     92.7%          -
    """
    if format == "json":
        return json.dumps(asdict(found), ensure_ascii=False, indent=2)
    if format not in STYLES:
        raise BadArgumentError("format", f"one of {quoted([*STYLES, 'json'])}", format)
    return "\n\n".join(part for part in _parts(found, STYLES[format]) if part)


def _parts(found: Suggestions, style: Style) -> Iterator[str]:
    yield style.lines(list(_said(found)))
    labelled, level = bool(found.runs["bad"]), 1 - found.confidence
    heads = _LABELLED if labelled else _HEADS
    telling = [one for one in found.suggestions if tells(one, level)]
    others = [one for one in found.suggestions if not tells(one, level)]
    for title, several in (("these tell good runs from bad ones", telling), ("", others)):
        if several:
            yield style.title(title or "these hold, and do not tell them apart") if labelled else ""
            yield style.table(heads, [_cells(one, labelled) for one in several])
    if found.errors:
        yield style.title("frequent errors")
        extra = ("good", "bad") if labelled else ()
        yield style.table([*_ERRORS, *extra], [_error(one, extra) for one in found.errors[:_MANY]])
    yield style.lines(list(_last(found)))


def _said(found: Suggestions) -> Iterator[str]:
    runs = found.runs
    if found.good is None:
        yield f"{counted(runs['all'], 'run')}, all taken for good ones"
    else:
        rest = runs["all"] - runs["good"] - runs["bad"]
        more = f", {rest:,} neither" if rest else ""
        good, bad = counted(runs["good"], "good run"), f"{runs['bad']:,} bad"
        yield f"{good}, {bad}{more}; good is where {found.good}"
    sure = f"{found.share:.4g} of the good runs, with {found.confidence:.4g} confidence"
    yield f"a suggestion holds in at least {sure}; {found.tried:,} statements were tried"
    if not found.suggestions:
        yield "nothing is suggested: none of them is sure to hold"
    elif runs["bad"]:
        yield "p is adjusted for all that was tried; to break a suggestion is to be taken for bad"


def _last(found: Suggestions) -> Iterator[str]:
    for kind, number in found.left_out.items():
        yield f"and {number:,} more about {kind}"
    if found.labels:
        names = quoted(found.labels[:5])
        yield f"the traces have labels, {names}: --good tells which runs are good ones by them"


def _cells(one: Suggestion, labelled: bool) -> Sequence[str]:
    support = [f"{one.runs:,}", percent(one.share), one.sure]
    if labelled:
        support += [
            percent(one.bad_holds / one.bad_runs if one.bad_runs else None),
            decimal(one.phi),
            percent(one.precision),
            percent(one.recall),
            "-" if one.p_adjusted is None else f"{one.p_adjusted:.2g}",
        ]
    return one.says, *support, _broken(one)


def _broken(one: Suggestion) -> str:
    number = one.runs - one.holds
    if not number:
        return "-"
    return one.breakers[0] if number == 1 else f"{one.breakers[0]} and {number - 1:,} more"


def _error(one: Mapping[str, Any], extra: Sequence[str]) -> Sequence[str]:
    text = one["text"]
    shown = text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
    return shown, one["name"] or "-", *(f"{one[key]:,}" for key in ("calls", "runs", *extra))
