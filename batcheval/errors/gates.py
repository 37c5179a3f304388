"""Mistakes in the gates of a suite."""

from collections.abc import Iterable

from batcheval.errors.base import BatchevalError, nearest, quoted

__all__ = ["IdleGateError", "UnknownGateError"]


class UnknownGateError(BatchevalError):
    """A gate that is not named after a scorer of the suite."""

    def __init__(self, gate: str, known: Iterable[str]) -> None:
        names = list(known)
        hint = nearest(gate, names) or f"; it has {quoted(names)}"
        super().__init__(f"the suite has no scorer '{gate}' for the gate to judge{hint}")


class IdleGateError(BatchevalError):
    """A gate that asks for nothing."""

    def __init__(self, known: Iterable[str]) -> None:
        super().__init__(f"it asks for nothing; give it one of {quoted(known)}")
