"""`batcheval compare --regressions FILE`: every pair that changed, in a file."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from batcheval.comparing import Run


def require_apart(out: str, named: list[str], runs: "list[Run]") -> None:
    """Raise `OutputIsInputError` if `out` is a file that is read."""
    from batcheval.comparing import sources_of, split
    from batcheval.errors import OutputIsInputError

    read = {str(split(source)[0]) for source in named}.union(*map(sources_of, runs))
    if os.path.realpath(out) in set(map(os.path.realpath, read)):
        raise OutputIsInputError(out)


def written(
    out: str, runs: "list[Run]", key: tuple[str, ...], traces: "pl.LazyFrame | None"
) -> str:
    """Write the file; say where, and how many pairs changed."""
    from batcheval.comparing import regressions, write_regressions

    found = regressions(*runs[:2], key=key, traces=traces)
    write_regressions(found, out)
    return f"\nregressions: {out} ({found.worse:,} pairs got worse, {found.better:,} better)"
