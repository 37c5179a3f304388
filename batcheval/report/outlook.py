"""What scoring a dump will take, as text."""

from collections.abc import Iterator
from typing import Final

from batcheval.costing import Cost
from batcheval.parts import Outlook, Part
from batcheval.report.layout import text_table

_SHOWN: Final = 10  # parts
_MB: Final = 1e6


def render_outlook(outlook: Outlook) -> str:
    """The parts, the columns that are read, what each scorer costs, and what all comes to."""
    return "\n".join(_lines(outlook))


def _lines(outlook: Outlook) -> Iterator[str]:
    parts = outlook.parts.parts
    size = outlook.parts.size / _MB
    yield f"{size:,.1f} MB, about {outlook.traces:,} traces, in {_count(len(parts), 'part')}"
    yield ""
    yield text_table(("part", "of", "from byte", "to byte", "MB"), [*map(_part, parts[:_SHOWN])])
    if len(parts) > _SHOWN:
        yield f"and {len(parts) - _SHOWN:,} more"
    yield ""
    yield f"columns read: {', '.join(outlook.columns)}"
    yield ""
    heads = ("scorer", "traces/s", "CPU s", "computed by")
    yield text_table(heads, [_cost(cost, outlook.traces) for cost in outlook.costs])
    yield ""
    slow = [cost.scorer for cost in outlook.costs if cost.way == "backtracking"]
    if slow:
        yield f"on the slow path of patterns: {', '.join(slow)}"
    yield f"CPU: {_time(outlook.reading)} to read, {_time(outlook.scoring)} to score"
    processes = _count(max(1, outlook.workers), "process", "es")
    memory = f"{outlook.memory / _MB:,.0f} MB" + (" each" if outlook.workers > 1 else "")
    yield f"expected: {_time(outlook.seconds)} and {memory} in {processes}"


def _part(part: Part) -> tuple[str, ...]:
    first = part.files[0]
    name = first.source.name
    if len(part.files) > 1:
        name = f"{name} and {len(part.files) - 1} more"
        start, end = 0, part.size
    else:
        start, end = first.bytes
    return str(part.number), name, f"{start:,}", f"{end:,}", f"{part.size / _MB:,.1f}"


def _cost(cost: Cost, traces: int) -> tuple[str, ...]:
    each = cost.rows_per_second
    return cost.scorer, f"{each:,.0f}", f"{traces / each:,.1f}", cost.way


def _count(count: int, noun: str, plural: str = "s") -> str:
    return f"{count:,} {noun}{'' if count == 1 else plural}"


def _time(seconds: float) -> str:
    """`4.2 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60:,} h {minutes % 60} min"
