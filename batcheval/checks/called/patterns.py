"""Whether a pattern is found in a text: for values that lie in JSON, one by one."""

from typing import Final

import polars as pl

from batcheval.checks.regexes import is_linear
from batcheval.checks.regexes.backtracking import ROW_SECONDS, compiled
from batcheval.errors import BadPatternError

_QUICK: Final = 0.05  # seconds, above which the linear engine, slow to begin, is the faster one


def is_found(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text; both engines mean the same by it.

    Raises:
        BadPatternError: no engine can read the pattern.
        TimeoutError: it needs the backtracking engine, and runs out of its time.

    Example:
        >>> is_found("^par", "paris"), is_found("(?i)^PAR", "paris"), is_found("^is", "paris")
        (True, True, False)
    """
    if not is_linear(pattern):
        return compiled(pattern).search(text, timeout=ROW_SECONDS) is not None
    try:
        return compiled(pattern).search(text, timeout=_QUICK) is not None
    except (TimeoutError, BadPatternError):
        return bool(pl.Series([text]).str.contains(pattern, literal=False, strict=True).item())
