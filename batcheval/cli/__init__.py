"""The command line: each command calls the library and nothing else."""

from batcheval.cli.main import main, run

__all__ = ["main", "run"]
