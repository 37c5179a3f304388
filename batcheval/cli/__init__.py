"""The command line: each command calls the library and nothing else."""

from batcheval.cli.main import main

__all__ = ["main"]
