"""`python -m batcheval`: the command line."""

from batcheval.cli import main

main()
