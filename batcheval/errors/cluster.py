"""Errors of runs on a cluster."""

from batcheval.errors.base import BatchevalError, DataError

__all__ = ["ClusterError", "LackingNodeError", "LostPartError"]


class ClusterError(BatchevalError):
    """There is no cluster to work on."""

    def __init__(self, address: str | None, error: Exception) -> None:
        where = f"at '{address}'" if address else "on this machine"
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        super().__init__(f"no Ray cluster {where}: {reason}")


class LackingNodeError(BatchevalError):
    """A node cannot import what a scorer is made of."""

    def __init__(self, error: ImportError) -> None:
        super().__init__(
            f"a node of the cluster lacks what scoring needs ({error}): install it there, or keep"
            " it in a folder that all nodes see"
        )


class LostPartError(DataError):
    """The processes that were scoring a part were lost, one after another."""

    def __init__(self, number: int, tries: int, error: Exception) -> None:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        super().__init__(
            f"part {number} was lost {tries} times with the process or node that scored it"
            f" ({reason}); it may have run out of memory"
        )
