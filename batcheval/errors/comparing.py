"""What keeps two runs from being compared."""

from collections.abc import Iterable, Sequence

from batcheval.errors.base import BatchevalError, DataError, nearest, quoted

__all__ = [
    "LostTracesError",
    "NoPairsError",
    "NoSharedScorersError",
    "RepeatedKeysError",
    "UnkeptColumnError",
    "UnknownRunError",
]


class UnknownRunError(BatchevalError):
    """A file of scores has no run of this name."""

    def __init__(self, path: object, run: str, known: Iterable[str]) -> None:
        names = list(known)
        hint = nearest(run, names) or f"; its runs: {quoted(names)}"
        super().__init__(f"'{path}' has no run '{run}'{hint}")


class UnkeptColumnError(BatchevalError):
    """A column by which scores are to be paired, grouped or cut is not among them."""

    def __init__(self, option: str, column: str, what: str, known: Iterable[str]) -> None:
        names = sorted(known)
        hint = nearest(column, names) or f"; there are {quoted(names[:20])}"
        super().__init__(
            f"{option} reads '{column}', which {what} lack{hint}"
            f" (score with --keep {column} to have it among the scores)"
        )


class LostTracesError(DataError):
    """The traces that scores were made of are wanted, and no longer where they were."""

    def __init__(self, run: str, option: str, name: str, reason: str) -> None:
        super().__init__(
            f"{option} reads '{name}', which the scores of {run} lack, and their traces cannot be"
            f" looked up: {reason}; name the traces with --traces, or score with --keep"
        )


class NoSharedScorersError(DataError):
    """Two runs were scored by scorers of which none is the same."""

    def __init__(self, base: Iterable[str], candidate: Iterable[str]) -> None:
        super().__init__(
            f"the runs share no scorer: base has {quoted(base)}, candidate has {quoted(candidate)}"
        )


class NoPairsError(DataError):
    """No row of one run has a partner in the other."""

    def __init__(self, tried: Sequence[str], reason: str = "") -> None:
        keys = " nor ".join(tried)
        super().__init__(
            f"no two rows pair: the runs share no value of {keys}; name a key that they share, such"
            f" as one kept with --keep input{reason and f' ({reason})'}"
        )


class RepeatedKeysError(DataError):
    """Several rows of a run have one key, and nothing says that they are trials of one task."""

    def __init__(self, run: str, keys: int, examples: Sequence[str], runs: Iterable[str]) -> None:
        names = list(runs)
        mend = "number the repeats in 'trial', or name a finer key"
        if len(names) > 1:
            mend = f"pick a run: FILE@RUN (its runs: {quoted(names[:5])}), or name a finer key"
        several = "1 key stands" if keys == 1 else f"{keys:,} keys stand"
        super().__init__(f"in {run} {several} on several rows: {'; '.join(examples)}; {mend}")
