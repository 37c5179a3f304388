"""Where numbers lie on a common scale, in percent of a drawing's width."""

import math
from collections.abc import Iterable
from typing import NamedTuple


class Whiskers(NamedTuple):
    """An estimate and the ends of its interval, in percent; None where there is none."""

    point: float | None
    low: float | None
    high: float | None


class Scale(NamedTuple):
    """A scale from `low` at the left to `high` at the right."""

    low: float
    high: float

    def place(self, number: float | None) -> float | None:
        """The place of a number; what is outside lies at the end.

        Example:
            >>> Scale(-1.0, 1.0).place(0.5)
            75.0
        """
        if number is None:
            return None
        share = (number - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)

    def whiskers(self, point: float | None, low: float | None, high: float | None) -> Whiskers:
        """The places of an estimate and its interval."""
        return Whiskers(self.place(point), self.place(low), self.place(high))


def around_zero(numbers: Iterable[float | None]) -> Scale:
    """A scale with 0 in the middle that holds all numbers, with ends of one or two digits.

    Example:
        >>> around_zero([0.13, -0.04, None])
        Scale(low=-0.15, high=0.15)
    """
    largest = max((abs(number) for number in numbers if number is not None), default=0.0)
    if largest <= 0 or not math.isfinite(largest):
        return Scale(-1.0, 1.0)
    step = 10.0 ** math.floor(math.log10(largest)) / 2
    end = round(math.ceil(largest / step - 1e-9) * step, 12)
    return Scale(-end, end)
