"""Scorer ids that can all head a column of one table."""

from collections.abc import Iterable, Iterator
from itertools import count

from batcheval.errors import BadIdError, BatchevalError, DuplicateIdError
from batcheval.schema import CANONICAL

_OTHERS = ("details", "reason")

# The columns of traces, save the one that a check has its name from; a table of scores has it not.
_COLUMNS = tuple(name for name in CANONICAL if name != "trajectory")


def require_ids(ids: Iterable[str], kept: Iterable[str] = ()) -> None:
    """Raise unless each id can head a column, and none takes another's or the traces' column.

    Args:
        ids: those of the scorers of one table.
        kept: further columns that the table will have.

    Raises:
        BadIdError: an id is blank, cannot be printed, or reads as a pattern of column names.
        DuplicateIdError: an id, or its `<id>_details` or `<id>_reason`, is taken.
    """
    for mistake in id_mistakes(ids, kept):
        raise mistake


def id_mistakes(ids: Iterable[str], kept: Iterable[str] = ()) -> Iterator[BatchevalError]:
    """All that `require_ids` would raise, one by one."""
    owners = dict.fromkeys((*_COLUMNS, *kept), "a column of the traces")
    for scorer_id in ids:
        if not scorer_id.strip() or not scorer_id.isprintable() or is_pattern(scorer_id):
            yield BadIdError(scorer_id)
        elif scorer_id in owners:
            yield DuplicateIdError(scorer_id, owners[scorer_id])
        for other in _OTHERS:
            if (taken := f"{scorer_id}_{other}") in owners:
                clash = f"scorer '{taken}', whose name its {other} would have"
                yield DuplicateIdError(scorer_id, clash)
            owners[taken] = f"the {other} of scorer '{scorer_id}'"
        owners[scorer_id] = f"scorer '{scorer_id}'"


def is_pattern(name: str) -> bool:
    """Whether polars would take the name for several columns."""
    return name == "*" or (name.startswith("^") and name.endswith("$"))


def free_id(scorer_id: str, taken: Iterable[str]) -> str:
    """The id itself, or with the first number behind it that makes it fit beside those `taken`.

    Example:
        >>> free_id("includes", []), free_id("includes", ["includes", "includes_2"])
        ('includes', 'includes_3')
    """
    columns = {*_COLUMNS, *(name for other in taken for name in _columns(other))}
    tries = (scorer_id if n == 1 else f"{scorer_id}_{n}" for n in count(1))
    return next(name for name in tries if columns.isdisjoint(_columns(name)))


def _columns(scorer_id: str) -> tuple[str, ...]:
    return (scorer_id, *(f"{scorer_id}_{other}" for other in _OTHERS))
