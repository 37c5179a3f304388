"""Measure our checks beside what else would be picked, on the same rows, and print a table.

    python tests/bench/peers.py [--rows N] [--peers NAMES] [--checks NAMES] [--keep FOLDER]

Each peer is installed in an environment of its own; one that cannot be is named, and the rest goes
on. README.md says how it is measured.
"""

import argparse
import json
import os
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import HERE
from peer_plan import LIMITS, PEERS, SWITCHES, THREADS, Peer
from peer_table import HEAD, RULE, Side, as_markdown, row, within

JOBS = HERE / "peer_jobs"


def installed(name: str, peer: Peer, folder: Path) -> Path | None:
    """The Python of the peer's environment, made if it is not there; None where pip fails."""
    home = folder / f"{name}-{peer.version}"
    python, done = home / "bin/python", home / "installed"
    if not done.exists():
        venv.create(home, with_pip=True, clear=True)
        argv = [str(python), "-m", "pip", "install", "--quiet", *peer.requirements]
        if subprocess.run(argv, stdout=sys.stderr).returncode:
            return None
        done.touch()
    return python


def command(python: Path | str, rows: Path, count: int, module: str, job: str) -> list[str]:
    return [str(python), str(JOBS / "run.py"), str(rows), str(count), module, job]


def once(argv: Sequence[str]) -> Side:
    """One run in a fresh process of one thread; our library is this checkout."""
    single = dict.fromkeys(THREADS, "1")
    settings = {**os.environ, **SWITCHES, **single, "PYTHONPATH": str(HERE.parents[1])}
    said = subprocess.run(argv, env=settings, check=True, stdout=subprocess.PIPE, text=True)
    return Side((json.loads(said.stdout.splitlines()[-1]),))


@cache
def side(repeats: int, *argv: str) -> Side:
    """Several runs; ours serve for every peer that has the check."""
    return Side(tuple(once(argv).runs[0] for _ in range(repeats)))


def compared(
    name: str, peer: Peer, python: Path, check: str, options: argparse.Namespace, rows: Path
) -> tuple[str, ...]:
    count = max(200, int(options.rows * peer.share))
    theirs = side(options.repeats, *command(python, rows, count, peer.module, check))
    our_job = command(sys.executable, rows, options.rows, "of_batcheval", check)
    ours = side(options.repeats, *our_job)
    if check in LIMITS:
        held = within(theirs.values, *LIMITS[check])
        theirs = Side(tuple({**run, "values": held} for run in theirs.runs))
    return row(check, (name, peer.version), peer.goal_of(check), theirs, ours)


def table(options: argparse.Namespace, folder: Path) -> Iterator[tuple[str, ...]]:
    rows = made(options.rows, folder)
    for name, peer in chosen(options.peers, options.checks).items():
        python = installed(name, peer, folder)
        if python is None:
            print(f"{name} {peer.version}: cannot be installed", file=sys.stderr)
            continue
        for check in peer.checks:
            try:
                yield compared(name, peer, python, check, options, rows)
            except subprocess.CalledProcessError as error:
                print(f"{name}, {check}: failed with {error.returncode}", file=sys.stderr)


def made(count: int, folder: Path) -> Path:
    """The file of rows, written if it is not there."""
    rows = folder / f"peers-{count}.jsonl"
    if not rows.exists():
        argv = [sys.executable, str(HERE / "generate.py"), str(count), str(folder), "--peers"]
        subprocess.run(argv, env={**os.environ, "PYTHONPATH": str(HERE.parents[1])}, check=True)
    return rows


def chosen(names: str, checks: str) -> dict[str, Peer]:
    """The peers of these names, with the checks of these names; all where none is given."""
    wanted, only = names.split(",") if names else list(PEERS), set(filter(None, checks.split(",")))
    return {
        name: replace(
            PEERS[name], checks=tuple(c for c in PEERS[name].checks if not only or c in only)
        )
        for name in wanted
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure our checks beside those of others.")
    parser.add_argument("--rows", type=int, default=5_000, help="of ours; slow peers get fewer")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peers", default="", help="some of them, such as rapidfuzz,autoevals")
    parser.add_argument("--checks", default="", help="some of them, such as levenshtein,bleu")
    parser.add_argument("--keep", type=Path, help="a folder for environments and rows, used again")
    options = parser.parse_args()
    with TemporaryDirectory() as passing:
        folder = options.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        for line in chain((HEAD, RULE), table(options, folder)):
            print(as_markdown(line), flush=True)


if __name__ == "__main__":
    main()
