"""What keeps a suite from being suggested."""

from batcheval.errors.base import DataError

__all__ = [
    "NothingHoldsError",
    "TooFewRunsError",
]


class TooFewRunsError(DataError):
    """Too few good runs to say that anything holds in nearly all of them."""

    def __init__(self, runs: int, least: int, share: float, confidence: float, good: bool) -> None:
        kind = "good run" if good else "run"
        found = f"{runs:,} {kind}{' is' if runs == 1 else 's are'}"
        super().__init__(
            f"nothing is suggested: {found} too few, since {least:,} are needed to say with"
            f" {confidence:.4g} confidence that a thing holds in {share:.4g} of them"
            " (--share asks for less)"
        )


class NothingHoldsError(DataError):
    """Nothing clears the bar, so that there is no suite to write."""

    def __init__(self, tried: int, share: float) -> None:
        super().__init__(
            f"nothing is suggested: of {tried:,} things tried none is sure to hold in"
            f" {share:.4g} of the good runs"
        )
