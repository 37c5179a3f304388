"""What was read, and what became of it, in a sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

_OF_LINES = ("rows", "blank", "quarantined")
_OF_ROWS = {
    "repaired": "repaired",
    "without_output": "without output",
    "unpaired": "results without a call",
}
_MANY = 0.1  # of the traces
_MOSTLY = 0.5  # of the records


def count_lines(counts: Mapping[str, Any]) -> list[str]:
    """The counts of a scores file: a line of numbers, then a warning if trace ids are repeated.

    Example:
        >>> count_lines({"lines": 1000, "rows": 997, "blank": 1, "quarantined": 2, "repaired": 3})
        ['1,000 lines: 997 rows, 1 blank, 2 quarantined; 3 repaired']
    """
    read = [_counted(counts, key) for key in _OF_LINES if counts.get(key) or key == "rows"]
    others = [f"{counts[key]:,} {word}" for key, word in _OF_ROWS.items() if counts.get(key)]
    if lost := counts.get("lost_columns"):
        others.append(f"not all of {', '.join(lost)} could be read")
    if counts.get("scored", counts["rows"]) != counts["rows"]:
        others.append(f"{counts['scored']:,} scored")
    lines = ["; ".join([f"{_counted(counts, 'lines')}: {', '.join(read)}", *others])]
    if layouts := counts.get("layouts"):
        lines.append(_read_as(layouts, counts["records"], counts.get("idle", 0)))
        if counts.get("idle", 0) > counts["records"] * _MOSTLY:
            lines.append("warning: most records are no part of a trace; is it another layout?")
    if nameless := counts.get("nameless"):
        several = f"{nameless:,} traces have no id: each is"
        lines.append(f"{'1 trace has no id: it is' if nameless == 1 else several} what a file says")
    if copies := counts.get("copies"):
        lines.append(f"warning: said in an earlier file, word for word: {', '.join(copies)}")
    repeated = counts.get("repeated_ids") or {}
    rows = counts.get("scored", counts["rows"])
    if counts.get("without_output") and counts["without_output"] == rows:
        lines.append("warning: no trace has an output; is it in a column of another name?")
    if (unasked := counts.get("without_input", 0)) and unasked >= rows * _MANY:
        share = f"{unasked:,} of {rows:,} traces have" if unasked < rows else "no trace has"
        no = "no" if unasked < rows else "an"
        lines.append(f"warning: {share} {no} input, which a scorer reads")
    for tool, near in counts.get("unmet_tools", {}).items():
        hint = f"; did you mean '{near}'?" if near else ""
        lines.append(f"warning: no call of a tool '{tool}' was found{hint}")
    if passed := counts.get("passed_over"):
        lines.append(f"passed over, since they hold no traces: {', '.join(passed)}")
    lines += [_warning(repeated)] if repeated.get("ids") else []
    return ["".join(char if char.isprintable() else " " for char in line) for line in lines]


def _read_as(layouts: Mapping[str, int], records: int, idle: int) -> str:
    names = [name + (f" ({files:,} files)" if files > 1 else "") for name, files in layouts.items()]
    return f"read as {', '.join(names)}: {records:,} record{'s' * (records != 1)}" + (
        f", {idle:,} of them no part of a trace" if idle else ""
    )


def _counted(counts: Mapping[str, Any], key: str) -> str:
    number = counts.get(key) or 0
    return f"{number:,} {key[:-1] if number == 1 and key in ('lines', 'rows') else key}"


def _warning(repeated: Mapping[str, Any]) -> str:
    ids, rows = repeated["ids"], repeated["rows"]
    examples: Sequence[Mapping[str, Any]] = repeated.get("examples") or ()
    what = f"warning: {ids:,} repeated trace id{'s' * (ids != 1)}, on {rows:,} rows"
    among = ": " if len(examples) >= ids else ", among them "
    return what + (among + ", ".join(map(_example, examples)) if examples else "")


def _example(example: Mapping[str, Any]) -> str:
    parts = [f"{key} {example[key]!r}" for key in ("run", "trial") if example.get(key) is not None]
    named = repr(example["trace_id"]) + (f" of {', '.join(parts)}" if parts else "")
    more = f" and {example['more']:,} more" if example.get("more") else ""
    return f"{named} ({', '.join(example['places'])}{more})"
