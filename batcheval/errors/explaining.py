"""What keeps one score from being explained."""

from collections.abc import Sequence

from batcheval.errors.base import DataError, quoted

__all__ = ["SeveralRowsError"]


class SeveralRowsError(DataError):
    """An id stands on several rows of the scores, and nothing says which is meant."""

    def __init__(self, trace_id: str, runs: Sequence[str], rows: int) -> None:
        mend = f"name one of its runs with --run: {quoted(runs)}"
        if len(runs) < 2:
            mend = "they are of one run, so only a file of scores of one of them tells them apart"
        super().__init__(f"the id '{trace_id}' stands on {rows:,} rows; {mend}")
