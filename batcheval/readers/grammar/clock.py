"""How long things took, told from two times of any spelling."""

from datetime import UTC, datetime
from typing import Any


def elapsed_ms(start: Any, end: Any) -> float | None:
    """Milliseconds between two times: ISO texts, or numbers since 1970 of any unit.

    Example:
        >>> elapsed_ms("2025-09-03T00:47:19.293Z", "2025-09-03T00:47:20Z")
        707.0
        >>> elapsed_ms(1774712801000, 1774712801500), elapsed_ms(1.5, 2.75), elapsed_ms(None, "x")
        (500.0, 1250.0, None)
    """
    first, last = _micros(start), _micros(end)
    return None if first is None or last is None or last < first else (last - first) / 1000


def _micros(time: Any) -> int | None:
    """Microseconds since 1970; the unit of a number is told by its size."""
    if isinstance(time, str):
        try:
            moment = datetime.fromisoformat(time)
        except ValueError:
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1_000_000)
    if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time < 2**63:
        return None
    if time >= 1e17:
        return int(time) // 1000
    scale = 1 if time >= 1e14 else 1000 if time >= 1e11 else 1_000_000
    return round(time * scale)
