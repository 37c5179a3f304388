"""The README shows what happens: its commands, Python, suites and tables are held to the package.

Its blocks are run in order, in a folder with a copy of `sample_traces`. One that begins with a
comment such as `# own.toml` is a file of that name. In output, a line `...` stands for any lines,
and `...` at the end of a line for its rest.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from batcheval import ReadLog, checks, read_traces
from batcheval.report import render_checks
from batcheval.schema.columns import CALL, CANONICAL, JSON_TEXT, MESSAGE, STATE_WORDS, STATES
from batcheval.schema.columns import SYNONYMS as OTHER_NAMES
from batcheval.scorer import Scorer
from batcheval.summary import BANDS
from tests.cases.rooms import ALL as CASES

ROOT = Path(__file__).parents[1]
README = ROOT.joinpath("README.md").read_text("utf-8")
INSTALL = "pip install . && "
TESTS = "pip install '.[test]' && pytest"
BENCH = "python tests/bench/bench.py"

FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# (\S+\.\w+)\n")


class Block(NamedTuple):
    """A fenced block, and the line of the README where it starts."""

    kind: str
    text: str
    line: int

    @property
    def file_name(self) -> str | None:
        found = FILE_NAME.match(self.text)
        return found[1] if found else None


class Step(NamedTuple):
    """A command and what it should print, None where that is not shown."""

    argv: list[str]
    shown: str | None

    @property
    def fails(self) -> bool:
        return bool(re.search(r"^Error: ", self.shown or "", re.MULTILINE))


def blocks(text: str) -> Iterator[Block]:
    for found in FENCED.finditer(text):
        yield Block(found[1], found[2], text.count("\n", 0, found.start()) + 1)


ALL = list(blocks(README))


def steps(block: Block, following: Block | None) -> Iterator[Step]:
    """What a block asks to be run."""
    if block.kind == "console":
        yield from console_steps(block.text)
    elif block.kind == "python":
        is_shown = following is not None and following.kind == "text"
        yield Step([sys.executable, "-c", block.text], following.text if is_shown else None)
    elif block.kind == "toml" and block.file_name not in ("pyproject.toml", "mapping.toml"):
        loads = f"from batcheval import load_suite; load_suite({block.file_name!r})"
        yield Step([sys.executable, "-c", loads], "")
    elif block.kind == "sh" and block.text.startswith(INSTALL):
        yield Step(["bash", "-c", block.text.removeprefix(INSTALL)], None)


def console_steps(text: str) -> Iterator[Step]:
    """Commands after `$ `, which go on after a backslash, each with the lines below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command = re.match(r"(?:.*\\\n)*.*\n", part)
        assert command is not None
        yield Step(["bash", "-c", command[0]], part[command.end() :])


def agrees(shown: str, printed: str) -> bool:
    """Whether that was printed which is shown, but for what `...` stands for."""
    parts = []
    for line in shown.splitlines():
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        elif line.endswith("..."):
            parts.append(re.escape(line.removesuffix("...")) + r".*\n")
        else:
            parts.append(re.escape(line.rstrip()) + r"[ \t]*\n")
    return re.fullmatch("".join(parts), printed) is not None


def prepare(block: Block, folder: Path) -> None:
    """Write the file that a block stands for; a package that offers checks is as if installed."""
    if block.file_name is None:
        return
    folder.joinpath(block.file_name).write_text(block.text, "utf-8")
    if block.file_name == "pyproject.toml":
        project = tomllib.loads(block.text)["project"]
        name, version = project["name"], project["version"]
        info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        info.joinpath("METADATA").write_text(metadata)
        points = [
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
            for group, entries in project["entry-points"].items()
        ]
        info.joinpath("entry_points.txt").write_text("\n".join(points))


def environment(folder: Path) -> dict[str, str]:
    """Commands as after an installation, of the package in this checkout."""
    commands = folder / ".bin"
    commands.mkdir()
    command = commands / "batcheval"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m batcheval "$@"\n')
    command.chmod(0o755)
    paths = [str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")]
    own = {
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONIOENCODING": "utf-8",
    }
    plain = {key: value for key, value in os.environ.items() if not key.startswith("POLARS_")}
    return plain | own


class Ran(NamedTuple):
    step: Step
    printed: str
    code: int


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[Ran]]:
    """What all blocks printed, by the line where a block starts."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "sample_traces", folder / "sample_traces")
    env = environment(folder)
    results: dict[int, list[Ran]] = {}
    for block, following in zip(ALL, [*ALL[1:], None], strict=True):
        prepare(block, folder)
        results[block.line] = [run(step, folder, env) for step in steps(block, following)]
    return results


def run(step: Step, folder: Path, env: dict[str, str]) -> Ran:
    done = subprocess.run(
        step.argv,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return Ran(step, done.stdout, done.returncode)


RUN = [block for block in ALL if block.kind in ("console", "python", "toml", "sh")]


@pytest.mark.parametrize("block", RUN, ids=lambda block: f"line {block.line}, {block.kind}")
def test_block_does_what_it_shows(block: Block, ran: dict[int, list[Ran]]) -> None:
    for step, printed, code in ran[block.line]:
        assert (code != 0) == step.fails, printed
        if step.shown is not None:
            assert agrees(step.shown, printed), f"{step.argv[-1]}\nprinted:\n{printed}"


def test_every_block_is_of_a_known_kind() -> None:
    assert {block.kind for block in ALL} == {"console", "python", "toml", "sh", "json", "text"}
    for before, block in pairwise(ALL):
        assert block.kind != "text" or before.kind == "python"


def test_main_command_and_test_command_are_there() -> None:
    commands = [block.text.strip() for block in ALL if block.kind == "sh"]
    assert commands[0].startswith(f"{INSTALL}batcheval score sample_traces/")
    assert commands[1:] == [TESTS, BENCH]
    assert ROOT.joinpath(BENCH.split()[1]).is_file()


def test_ci_runs_the_very_test_command() -> None:
    script = ROOT / ".ci" / "run"
    lines = [line.strip() for line in script.read_text().splitlines()]
    assert TESTS in lines
    assert {"ruff check", "ruff format --check", "mypy"} <= set(lines)
    assert os.access(script, os.X_OK)


def test_json_is_a_trace_that_needs_no_repair(tmp_path: Path) -> None:
    for number, block in enumerate(block for block in ALL if block.kind == "json"):
        path = tmp_path / f"{number}.json"
        path.write_text(block.text, "utf-8")
        log = ReadLog()
        trace = read_traces(path, log=log).collect().row(0, named=True)
        assert (log.rows, log.repaired, log.quarantined) == (1, 0, 0)
        assert [call["state"] for call in trace["tool_calls"]] == ["ok", "error"]


def table_below(head: str) -> dict[str, list[str]]:
    """The cells of the table that has this head, by the code in a row's first cell."""
    _, _, rest = README.partition(f"\n{head}\n")
    rows = rest.partition("\n\n")[0].splitlines()[1:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {first.strip("` "): others for first, *others in cells}


def coded(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def type_name(name: str, dtype: pl.DataType) -> str:
    if name in JSON_TEXT:
        return "JSON text"
    names = {pl.List(CALL): "List(call)", pl.List(MESSAGE): "List(message)"}
    return names.get(dtype, str(dtype).partition("(time_unit")[0])


def test_table_of_columns() -> None:
    told = table_below("| column | type | other names | what |")
    found = {name: (cells[0], tuple(coded(cells[1]))) for name, cells in told.items()}
    true = {n: (type_name(n, t), OTHER_NAMES.get(n, ())) for n, t in CANONICAL.items()}
    assert list(found.items()) == list(true.items())


def test_table_of_states() -> None:
    head = "| state | words in a dump | counts as a call | fails `no_tool_errors` |"
    told = {state: coded(cells[0]) for state, cells in table_below(head).items()}
    true = {s: [word for word, means in STATE_WORDS.items() if means == s != word] for s in STATES}
    assert told == true


def test_table_of_bands() -> None:
    assert list(table_below("| band | scores |")) == list(BANDS.values())


def test_table_of_checks() -> None:
    told = table_below("| check | what it scores | range | source | details |")
    calls = [line for line in render_checks(checks.CHECKS).splitlines() if line[0] != " "]
    assert sorted(told) == sorted(calls)
    for call, cells in told.items():
        scorer = EXAMPLES[call.partition("(")[0]]
        assert scorer.details is not None
        schema = pl.DataFrame(schema=CANONICAL).select(scorer.details.alias("details")).schema
        details = schema["details"]
        assert isinstance(details, pl.Struct)
        assert coded(cells[-1]) == [field.name for field in details.fields]


EXAMPLES: dict[str, Scorer] = {
    scorer.id: scorer for scorer, _, _ in CASES if scorer.columns <= set(CANONICAL)
}


def anchors(text: str) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head).lower().replace(" ", "-") for head in heads}


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)]+)\)", FENCED.sub("", README)):
        if "://" not in link:
            file, _, anchor = link.partition("#")
            target = ROOT / (file or "README.md")
            assert target.exists(), link
            assert not anchor or anchor in anchors(target.read_text()), link
