"""`python -m batcheval`: the command line."""

from batcheval.cli import run

run()
