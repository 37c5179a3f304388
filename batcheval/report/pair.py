"""Two runs of one task, readable: scores next to each other, outputs, and where they differ."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.report.differences import marked
from batcheval.report.layout import text_table
from batcheval.report.run import cut, one_line, safe, text_block
from batcheval.report.said import signed

_SIDES: Final = ("base", "candidate")
_MORE: Final = ("_details", "_reason")
_OTHERS: Final = ("trace_id", "source", "line", "output")


def render_pair(row: Mapping[str, Any]) -> str:
    r"""A row of what `regressions` gives as a page.

    Example:
        >>> print(render_pair({"task_id": "t-1", "worse": ["polite"], "better": [], "change": -1.0,
        ...                    "input": "Sun?", "base:output": "No, sorry.",
        ...                    "candidate:output": "No.", "base:polite": 1.0,
        ...                    "candidate:polite": 0.0}))
        task_id t-1
        worse: polite
        <BLANKLINE>
        scorer   base  candidate  difference
        ------  -----  ---------  ----------
        polite  1.000      0.000      -1.000
        <BLANKLINE>
        input
            Sun?
        <BLANKLINE>
        base output
            No, sorry.
        <BLANKLINE>
        candidate output
            No.
        <BLANKLINE>
        left out by the candidate [-so-], new {+so+}
            [-No, sorry.-]{+No.+}
    """
    return "\n".join(safe(line).rstrip() for part in _parts(row) for line in part.split("\n"))


def _parts(row: Mapping[str, Any]) -> Iterator[str]:
    scorers = _scorers(row)
    yield ", ".join(f"{key} {one_line(row[key])}" for key in _keys(row))
    for side in _SIDES:
        if row.get(f"{side}:source"):
            place = f"{row[f'{side}:source']}:{row.get(f'{side}:line')}"
            yield f"{side} {one_line(row.get(f'{side}:trace_id'))}, {one_line(place)}"
    for word in ("worse", "better"):
        if names := _names(row[word]):
            yield f"{word}: {', '.join(map(one_line, names))}"
    yield ""
    yield text_table(("scorer", *_SIDES, "difference"), [_scores(row, name) for name in scorers])
    yield from _evidence(row, scorers)
    for title in ("input", "expected"):
        if row.get(title):
            yield from ("", *text_block(title, row[title]))
    texts = [row.get(f"{side}:output") or "" for side in _SIDES]
    for side, text in zip(_SIDES, texts, strict=True):
        yield from ("", *text_block(f"{side} output", text))
    same = "both outputs are the same"
    yield ""
    if texts[0] == texts[1]:
        yield same
    else:
        told = marked(*(cut(text) for text in texts))
        yield "left out by the candidate [-so-], new {+so+}"
        yield "\n".join(f"    {line}" for line in told.split("\n"))


def _keys(row: Mapping[str, Any]) -> list[str]:
    told = {"worse", "better", "change", "input", "expected"}
    keys = [key for key in row if ":" not in key and key not in told and row[key] is not None]
    return keys or ["change"]


def _scorers(row: Mapping[str, Any]) -> list[str]:
    """The scorers: whatever of the base is neither text nor place, nor told of another scorer."""
    names = [key.removeprefix("base:") for key in row if key.startswith("base:")]
    names = [name for name in names if name not in _OTHERS and f"candidate:{name}" in row]
    more = {name + ending for name in names for ending in _MORE}
    return [name for name in names if name not in more]


def _names(value: Any) -> list[str]:
    """A list of scorers; CSV has it as JSON."""
    names = json.loads(value) if isinstance(value, str) else value
    return list(names or ())


def _scores(row: Mapping[str, Any], name: str) -> list[str]:
    both = [row[f"{side}:{name}"] for side in _SIDES]
    change = None if None in both else both[1] - both[0]
    return [name, *("-" if score is None else f"{score:.3f}" for score in both), signed(change)]


def _evidence(row: Mapping[str, Any], scorers: list[str]) -> Iterator[str]:
    """What the scores of those that changed stand on."""
    changed = {*_names(row["worse"]), *_names(row["better"])}
    for name in (name for name in scorers if name in changed):
        for side in _SIDES:
            reason, details = (row.get(f"{side}:{name}{m}") for m in ("_reason", "_details"))
            if said := reason or details:
                yield ""
                yield from text_block(f"{name}, {side}", said)
