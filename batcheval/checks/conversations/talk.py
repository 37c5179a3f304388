"""The messages of all rows of a batch end to end, and whose they are."""

from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Role: TypeAlias = Literal["user", "assistant", "system"]

# The words for a role in dumps that came with messages of their own.
ROLES: Final[dict[str, tuple[str, ...]]] = {
    "user": ("user", "human"),
    "assistant": ("assistant", "ai", "model"),
    "system": ("system", "developer"),
}


class Talk(NamedTuple):
    """Messages end to end.

    Attributes:
        lengths: how many there are in each row.
        starts: the place of the first of each row.
        rows: the row of each.
        roles: the role of each, as the dump has it.
        texts: what each says, `""` where it says nothing.
    """

    lengths: Ints
    starts: Ints
    rows: Ints
    roles: pl.Series
    texts: pl.Series

    def by(self, role: Role) -> Bools:
        """Which messages are of a role."""
        return self.roles.is_in(ROLES[role]).fill_null(False).to_numpy()

    def with_text(self) -> Bools:
        """Which messages say more than white space."""
        return (self.texts.str.strip_chars() != "").to_numpy()


def talk_of(messages: pl.Series) -> Talk:
    """The messages in a column of lists of them."""
    lengths = messages.list.len().fill_null(0).cast(pl.Int64).to_numpy()
    flat = messages.explode(empty_as_null=False, keep_nulls=False)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    texts = flat.struct.field("content").fill_null("")
    return Talk(lengths, np.cumsum(lengths) - lengths, rows, flat.struct.field("role"), texts)


def last_of(marked: Bools, groups: Ints, count: int) -> Ints:
    """The place of the last marked item of each group, -1 where there is none.

    Args:
        marked: by item.
        groups: the group of each item, -1 for none.
        count: of groups.

    Example:
        >>> marked = np.array([True, True, False])
        >>> last_of(marked, np.array([0, 0, 1]), 2).tolist()
        [1, -1]
    """
    last = np.full(count, -1, np.int64)
    places = np.flatnonzero(marked & (groups >= 0))
    np.maximum.at(last, groups[places], places)
    return last
