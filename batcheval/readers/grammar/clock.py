"""Points in time as writers tell them: ISO texts, and numbers of any unit."""

import math
import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FRACTION: Final = re.compile(r"(?<=:\d\d)[.,](\d+)")
_UNITS: Final = ((10**11, 10**9), (10**14, 10**6), (10**17, 10**3))  # below it, nanoseconds each


def instant(value: Any) -> int | None:
    """Nanoseconds since 1970 of a time, None for what is none: for zero too, as OTLP has it.

    Args:
        value: an ISO text (UTC where it names no zone), a number or its digits (seconds, milli-,
            micro- or nanoseconds, told by their size), or OpenTelemetry's `[seconds, nanoseconds]`.

    Example:
        >>> instant("1970-01-01T00:00:01.5Z"), instant([2, 7]), instant("1715175600000000001")
        (1500000000, 2000000007, 1715175600000000001)
        >>> instant(1715175600.5), instant("soon"), instant(True)
        (1715175600500000000, None, None)
    """
    if value in (0, "0"):
        return None
    if isinstance(value, list):
        whole = len(value) == 2 and all(type(part) is int for part in value)
        return value[0] * 10**9 + value[1] if whole else None
    if isinstance(value, str):
        return int(value) * _unit(int(value)) if _is_digits(value) else _from_iso(value)
    if type(value) is int:
        return value * _unit(value)
    if isinstance(value, float) and math.isfinite(value):
        return round(value * 10**6) * _unit(value) // 10**6
    return None


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 30


def _unit(number: float) -> int:
    return next((unit for below, unit in _UNITS if abs(number) < below), 1)


def _from_iso(text: str) -> int | None:
    fraction = _FRACTION.search(text)
    digits = fraction.group(1) if fraction else ""
    try:
        moment = datetime.fromisoformat(_FRACTION.sub("", text, count=1).strip())
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000 + int(digits[:9].ljust(9, "0"))


def elapsed_ms(start: Any, end: Any) -> float | None:
    """Milliseconds between two times, of any spelling that `instant` reads.

    Example:
        >>> elapsed_ms("2025-09-03T00:47:19.293Z", "2025-09-03T00:47:20Z")
        707.0
        >>> elapsed_ms(1774712801000, 1774712801500), elapsed_ms(1.5, 2.75), elapsed_ms(None, "x")
        (500.0, 1250.0, None)
    """
    first, last = instant(start), instant(end)
    return None if first is None or last is None or last < first else (last - first) / 10**6
