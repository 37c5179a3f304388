"""Measure batcheval, and print one table.

    python tests/bench/bench.py [--only a,c] [--traces N] [--folder FOLDER] [--markdown]

README.md says what the rows mean. Missing data is made first.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir

from measure import HERE, Rounds, environment, rounds
from parts import PARTS
from plan import Goal, Measurement, Part, Setting

FOLDER = Path(gettempdir(), "batcheval-bench")
HEAD = ("measurement", "CPU s", "wall s", "peak MB", "in all", "rows per CPU s", "found, goal")
WORDS = {
    "cpu": "CPU",
    "wall": "wall s",
    "peak": "peak MB",
    "rows": "rows per CPU s",
    "mb": "MB per CPU s",
}


def make_missing(part: Part) -> None:
    for file in map(Path, part.needs):
        if not file.exists() and file.name.startswith("dump-"):
            _, name, megabytes = file.stem.split("-")
            argv = [sys.executable, str(HERE / "dumps.py"), name, megabytes, str(file)]
            subprocess.run(argv, check=True)
        elif not file.exists():
            kind, count = file.stem.split("-")
            argv = [sys.executable, str(HERE / "generate.py"), count, str(file.parent)]
            argv += [f"--{kind}"] if kind in ("pairs", "runs") else []
            subprocess.run(argv, env=environment(None), check=True)


def table(part: Part, repeats: int, threads: int) -> Iterator[tuple[str, ...]]:
    commands = {name: one.command for name, one in part.measurements.items()}
    found = rounds(commands, repeats, part.threads and threads)
    for name, one in part.measurements.items():
        yield row(name, one, found)


def row(name: str, one: Measurement, found: Rounds) -> tuple[str, ...]:
    cpu, wall, peak = (found.typical(name, what) for what in ("cpu", "wall", "peak"))
    total = found.typical(name, "total")
    amount = one.amount or one.rows
    rate = f"{one.rows / cpu:,.0f}" if one.rows else ""
    goals = "; ".join(told(goal, goal.value(found, name, amount)) for goal in one.goals)
    return (
        name,
        f"{cpu:.2f}",
        f"{wall:.2f}",
        f"{peak:.0f}",
        f"{total:.0f}" if total else "",
        rate,
        goals,
    )


def told(goal: Goal, value: float) -> str:
    """`CPU 2.31 × 'polars reads', at most 2.5: met`."""
    number = f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
    text = (
        f"{WORDS[goal.what].split()[0]} {number} × {goal.against}"
        if goal.against
        else (f"{WORDS[goal.what]} {number}")
    )
    if goal.bound is None:
        return text
    bound = f"{'at least' if goal.is_rate else 'at most'} {goal.bound:,g}"
    return f"{text}, {bound}: {'met' if goal.met(value) else 'MISSED'}"


def as_text(lines: list[tuple[str, ...]]) -> str:
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEAD))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if 0 < place < 6 else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def as_markdown(lines: list[tuple[str, ...]]) -> str:
    rule = ("---", *["---:"] * 5, "---")
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure batcheval, and print one table.")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, such as a,c")
    parser.add_argument("--traces", type=int, default=200_000)
    parser.add_argument("--big", type=int, default=1_000_000, help="traces of part e")
    parser.add_argument("--megabytes", type=int, default=200, help="of each dump of part h")
    parser.add_argument("--layouts", default="", help="those of part h, such as tau_bench,mastra")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1, help="POLARS_MAX_THREADS of a to d")
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def main() -> None:
    chosen = options()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    layouts = tuple(filter(None, chosen.layouts.split(",")))
    setting = Setting(chosen.folder, chosen.traces, chosen.big, chosen.megabytes, layouts)
    lines = [HEAD]
    for letter in chosen.only.split(","):
        part = PARTS[letter](setting)
        make_missing(part)
        lines.append((f"**{part.title}**" if chosen.markdown else part.title, *[""] * 6))
        lines += table(part, chosen.repeats, chosen.threads)
    print(as_markdown(lines) if chosen.markdown else as_text(lines))


if __name__ == "__main__":
    main()
