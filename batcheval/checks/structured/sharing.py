"""What is made of a batch, kept while other checks of a suite may ask for the same.

Polars computes once what stands in several expressions, but anew inside of each shared one.
"""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final, TypeAlias

import polars as pl

MOST_BATCHES: Final = 4  # two threads, each with outputs and what is expected of them
MOST_BYTES: Final = 1 << 25  # of all the texts kept

Make: TypeAlias = Callable[[pl.Series], pl.Series]


class Recent:
    """The results of a function for the last batches.

    A batch is known again by where its texts lie in memory. Since it is kept with its result, no
    other can come to lie there.

    Example:
        >>> made = []
        >>> recent = Recent(lambda texts: made.append(1) or texts.str.len_chars())
        >>> batch = pl.Series(["a", "bc"])
        >>> recent(batch).to_list(), recent(batch).to_list(), len(made)
        ([1, 2], [1, 2], 1)
    """

    def __init__(self, make: Make) -> None:
        self._make, self._lock = make, Lock()
        self._kept: OrderedDict[tuple[int, ...], tuple[pl.Series, pl.Series, int]] = OrderedDict()

    def __call__(self, batch: pl.Series) -> pl.Series:
        """The result for a batch of texts."""
        key = _place(batch)
        with self._lock:  # the work is Python's, one thread at a time
            if key in self._kept:
                return self._kept[key][1]
            result, size = self._make(batch), int(batch.str.len_bytes().sum())
            self._kept[key] = (batch, result, size)
            while len(self._kept) > MOST_BATCHES or self._bytes() > MOST_BYTES:
                self._kept.popitem(last=False)
            return result

    def _bytes(self) -> int:
        return sum(size for _, _, size in self._kept.values())


def _place(batch: pl.Series) -> tuple[int, ...]:
    texts = batch.to_arrow(compat_level=pl.CompatLevel.newest())
    found = [0 if buffer is None else buffer.address for buffer in texts.buffers()]
    return (len(batch), texts.offset, *found)
