"""Costs of commands, each run in a fresh process, and medians of them over several rounds."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
Command = tuple[str, ...]  # arguments of work.py, or of the command line after "cli"


@dataclass(frozen=True)
class Cost:
    """CPU seconds (user and system), wall seconds, and peak resident memory in MB.

    `peak` is that of the largest process, `total` of all together, where these were looked at.
    """

    cpu: float
    wall: float
    peak: float
    total: float = 0.0


def environment(threads: int | None) -> dict[str, str]:
    """Ours, with this checkout's library in front and polars held to so many threads."""
    path = os.pathsep.join([str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")])
    settings = {"POLARS_MAX_THREADS": str(threads)} if threads else {}
    return {**os.environ, "PYTHONPATH": path, **settings}


def cost(command: Command, threads: int | None) -> Cost:
    """Run a command once."""
    if command[0] == "cli":
        return _whole([sys.executable, "-m", "batcheval", *command[1:]], threads)
    if command[0] == "whole":  # with the start of Python and all imports
        return _whole([sys.executable, str(HERE / "work.py"), *command[1:]], threads)
    argv = [sys.executable, str(HERE / "work.py"), *command]
    said = subprocess.run(argv, env=environment(threads), check=True, stdout=subprocess.PIPE)
    return Cost(**json.loads(said.stdout))


def _whole(argv: Sequence[str], threads: int | None) -> Cost:
    started = time.perf_counter()
    process = subprocess.Popen(argv, env=environment(threads), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall, process.returncode = time.perf_counter() - started, os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, argv)
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


@dataclass(frozen=True)
class Rounds:
    """The costs of the same commands, round by round."""

    costs: Mapping[str, Sequence[Cost]]

    def typical(self, name: str, what: str) -> float:
        return median(getattr(cost, what) for cost in self.costs[name])

    def ratio(self, name: str, against: str, what: str) -> float:
        """The median of the ratios within each round: load from outside hits both alike."""
        pairs = zip(self.costs[name], self.costs[against], strict=True)
        return median(getattr(one, what) / getattr(other, what) for one, other in pairs)


def rounds(commands: Mapping[str, Command], repeats: int, threads: int | None) -> Rounds:
    """Run all the commands in turn, again and again."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            costs[name].append(cost(command, threads))
            print(f"  {name}: {costs[name][-1]}", file=sys.stderr)
    return Rounds(costs)
