"""The command line, end to end: what it prints, what it writes, and how it says no."""

import fcntl
import json
import os
import pty
import re
import resource
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import batcheval
from batcheval import checks
from batcheval.schema import IDENTITY
from batcheval.summary import BANDS
from tests.command import Ran

COMMAND = [sys.executable, "-m", "batcheval"]
LINES = [
    {"trace_id": "a", "output": "sunny", "metadata": {"city": "Lyon"}, "expected": "sun", "n": 1},
    {"trace_id": "b", "output": "rain", "tool_calls": [{"name": "f", "error": "boom"}], "n": 2},
    {"trace_id": "c", "n": 3},
    {"trace_id": "a", "output": "a sunny day", "metadata": {"city": "Oslo"}, "n": 4},
]
SUITE = """
[scorers.weather]
check = "includes"
expected = "sunny"
[scorers.no_tool_errors]
[gates.weather]
min = 0.1
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a clean dump, a dirty one and suites, to work in."""
    monkeypatch.chdir(tmp_path)
    house = str(Path(batcheval.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([house, os.environ.get("PYTHONPATH", "")]))
    clean = "".join(json.dumps(line) + "\n" for line in LINES)
    files = {
        "t.jsonl": clean,
        "dirty.jsonl": clean + '\noops\n{"trace_id":"d","cost":NaN}\n',
        "empty.jsonl": "",
        "blank.jsonl": "\n\n",
        "other.jsonl": '{"foo":1}\n',
        "suite.toml": SUITE,
        "suite.json": '{"scorers": {"weather": {"check": "includes", "expected": "sunny"}}}',
        "own.py": OWN,
        "no.toml": "[scorers.x\n",
        "unknown.toml": '[scorers.x]\ncheck = "include"\nexpected = "a"\n',
        "argument.toml": '[scorers.includes]\nexpectd = "a"\n',
        "column.toml": '[scorers.includes]\nexpected = { column = "expcted" }\n',
        "nothing.toml": "",
        "gate.toml": '[scorers.includes]\nexpected = "a"\n[gates.include]\nmin = 1\n',
        "latin.toml": "",
        "notes.md": "no traces",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "latin.toml").write_bytes(b'# caf\xe9\n[scorers.includes]\nexpected = "a"\n')
    (tmp_path / "void").mkdir()
    (tmp_path / "torn.jsonl.gz").write_bytes(b"\x1f\x8b\x08\x00\x00")
    return tmp_path


OWN = '''
import time
import polars as pl
from batcheval import Scorer, Verdict, batched, check, passed

@check
def short(most: int) -> Verdict:
    """The output is short."""
    return passed(pl.col("output").str.len_chars() <= most)

def slow() -> Verdict:
    def wait(texts):
        time.sleep(0.05 * (len(texts) > 0))
        return [1.0] * len(texts)
    return Verdict(batched(wait, pl.col("output")))

def wrong() -> Verdict:
    return Verdict(pl.col("output").str.len_chars() * 1.0)

def failing() -> Verdict:
    def fail(texts):
        raise ValueError("no\\nmodel")
    return Verdict(batched(fail, pl.col("output")))
'''


def files() -> set[str]:
    return {path.name for path in Path.cwd().iterdir()}


SCORE = ["score", "t.jsonl", "-c", 'includes("sunny")', "-o", "s.parquet"]


# What is written


def test_score_prints_a_summary(run: Callable[..., Ran]) -> None:
    code, out, err = run("score", "dirty.jsonl", "--suite", "suite.toml", "--out", "s.parquet")
    assert (code, err) == (0, "")
    head, rule, weather, errors, _, counts, warning, scores, aside, gate, verdict = out.splitlines()
    assert re.split("  +", head) == ["scorer", "mean", *BANDS.values(), "scored", "unscored"]
    assert set(rule) == {"-", " "}
    assert weather.split() == [
        "weather",
        "0.400",
        "40.0%",
        "0.0%",
        "0.0%",
        "0.0%",
        "60.0%",
        "5",
        "0",
    ]
    assert errors.split()[:2] == ["no_tool_errors", "0.800"]
    assert counts == "7 lines: 5 rows, 1 blank, 1 quarantined; 1 repaired; 2 without output"
    assert warning == (
        "warning: 1 repeated trace id, on 2 rows: 'a' (dirty.jsonl:1, dirty.jsonl:4)"
    )
    assert (scores, aside) == (
        "scores: s.parquet",
        "lines set aside: s.parquet.quarantine.jsonl",
    )
    assert gate == "passed  weather: mean 0.400, and should be at least 0.1"
    assert verdict == "verdict: passed"
    found = pl.read_parquet("s.parquet")
    assert found.columns == [*IDENTITY, "weather", "no_tool_errors"]
    assert found["weather"].to_list() == [1.0, 0.0, 0.0, 1.0, 0.0]
    (bad,) = [json.loads(line) for line in Path(aside.split(": ")[1]).read_text().splitlines()]
    assert (bad["source"], bad["line"], bad["raw"]) == ("dirty.jsonl", 6, "oops")
    facts = json.loads(pl.read_parquet_metadata("s.parquet")["batcheval"])
    assert facts["suite"] == SUITE


Check = Callable[[pl.DataFrame], bool]
OPTIONS: dict[str, tuple[list[str], Check]] = {
    "a check": ([], lambda s: s["includes"].to_list() == [1.0, 0.0, 0.0, 1.0]),
    "two of a name": (
        ["-c", 'includes("rain")'],
        lambda s: s["includes_2"].to_list() == [0.0, 1.0, 0.0, 0.0],
    ),
    "suite and check": (["-s", "suite.json"], lambda s: s.columns[-2:] == ["weather", "includes"]),
    "a column": (
        ["--check", 'equals(col("expected"))'],
        lambda s: s["equals"].to_list() == [0.0, None, None, None],
    ),
    "own, in the folder": (["-c", "own:short(5)"], lambda s: s["short"].sum() == 3),
    "details": (["--details"], lambda s: s.columns[-2:] == ["includes", "includes_details"]),
    "reasons": (["--reasons"], lambda s: s.columns[-2:] == ["includes", "includes_reason"]),
    "both": (["--details", "--reasons"], lambda s: s.width == len(IDENTITY) + 3),
    "keep": (
        ["--keep", "n", "--keep", "metadata.city"],
        lambda s: (
            s["metadata.city"].to_list() == ["Lyon", None, None, "Oslo"] and s["n"].sum() == 10
        ),
    ),
    "where": (["--where", "n > 1 and output <> ''"], lambda s: s["line"].to_list() == [2, 4]),
    "where, a path": (["--where", "metadata.city = 'Oslo'"], lambda s: s["line"].to_list() == [4]),
    "run": (["--run", "base"], lambda s: s["run"].to_list() == ["base"] * 4),
    "limit": (["--limit", "2"], lambda s: s["line"].to_list() == [1, 2]),
    "limit beyond": (["--limit", "99"], lambda s: s.height == 4),
    "where, then limit": (
        ["--where", "n > 1", "--limit", "2"],
        lambda s: s["line"].to_list() == [2, 3],
    ),
    "sample": (["--sample", "2", "--seed", "7"], lambda s: s.height == 2 and s["line"].is_sorted()),
    "long": (["--long"], lambda s: s.columns[-2:] == ["scorer", "score"] and s.height == 4),
    "long, with reasons": (["--long", "--reasons"], lambda s: s.columns[-1] == "reason"),
    "limits on bad lines": (
        ["--max-bad-lines", "0", "--on-bad-line", "fail"],
        lambda s: s.height == 4,
    ),
    "quiet": (["--quiet"], lambda s: s.height == 4),
}


@pytest.mark.parametrize("case", OPTIONS)
def test_options(case: str, run: Callable[..., Ran]) -> None:
    options, holds = OPTIONS[case]
    code, out, err = run(*SCORE, *options)
    assert (code, err) == (0, "")
    assert (out == "") == (case == "quiet")
    assert holds(pl.read_parquet("s.parquet"))
    assert "s.parquet.quarantine.jsonl" not in files()


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "ndjson", "csv", "PARQUET"])
def test_endings_and_their_summaries(ending: str, run: Callable[..., Ran]) -> None:
    ran = run(*SCORE[:-1], f"s.{ending}")
    assert ran.code == 0
    again = run("summary", f"s.{ending}")
    assert (again.code, again.err) == (0, "")
    assert again.out.splitlines()[:3] == ran.out.splitlines()[:3]


def test_the_same_seed_gives_the_same_sample(run: Callable[..., Ran]) -> None:
    lines = [
        (
            run(*SCORE, "--sample", "2", "--seed", seed),
            pl.read_parquet("s.parquet")["line"].to_list(),
        )
        for seed in ("1", "1", "2", "3", "4", "5")
    ]
    assert lines[0][1] == lines[1][1]
    assert len({tuple(found) for _, found in lines}) > 1
    assert lines[0][0].out.splitlines()[4] == "4 lines: 4 rows; 2 scored"


def test_several_files_and_folders(run: Callable[..., Ran], folder: Path) -> None:
    (folder / "void" / "x.jsonl").write_text('{"trace_id":"x"}\n')
    for given in (["void", "t.jsonl"], ["void/*.jsonl", "t.j*l"]):
        assert run("score", *given, *SCORE[2:]).code == 0
        sources = pl.read_parquet("s.parquet")["source"].to_list()
        assert sources == ["void/x.jsonl", *["t.jsonl"] * 4]


def test_standard_input() -> None:
    data = Path("t.jsonl").read_bytes()
    ran = subprocess.run([*COMMAND, "score", "-", *SCORE[2:]], input=data, capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert pl.read_parquet("s.parquet")["source"].to_list() == ["-"] * 4


def test_a_pipe_by_name() -> None:
    """As `batcheval score <(zcat dump.gz)` does."""
    os.mkfifo("pipe.jsonl")
    feed = subprocess.Popen(["sh", "-c", "cat t.jsonl > pipe.jsonl"])
    command = [*COMMAND, "score", "pipe.jsonl", *SCORE[2:]]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=20)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert pl.read_parquet("s.parquet").height == 4
    finally:
        feed.kill()
        feed.wait()


def test_summary_in_three_formats(run: Callable[..., Ran]) -> None:
    printed = run(*SCORE).out
    text = run("summary", "s.parquet")
    assert (text.code, text.err) == (0, "")
    assert text.out.strip() == printed.partition("scores: ")[0].strip()
    markdown = run("summary", "s.parquet", "--format", "markdown").out.splitlines()
    assert markdown[0].startswith("| scorer | mean | 1.0 |")
    assert markdown[1].startswith("| :-- | --: |")
    assert markdown[2].startswith("| includes | 0.500 | 50.0% |")
    found = json.loads(run("summary", "s.parquet", "--format", "json").out)
    (scorer,) = found["scorers"]
    assert (scorer["scorer"], scorer["mean"], scorer["scored"]) == ("includes", 0.5, 4)
    assert found["counts"]["rows"] == 4
    assert found["counts"]["repeated_ids"]["examples"][0]["places"] == ["t.jsonl:1", "t.jsonl:4"]


def test_checks(run: Callable[..., Ran]) -> None:
    listed = run("checks")
    assert (listed.code, listed.err) == (0, "")
    for name, function in checks.CHECKS.items():
        assert re.search(rf"^{name}\(", listed.out, re.MULTILINE)
        assert (function.__doc__ or "").splitlines()[0] in listed.out
        one = run("checks", name)
        assert (one.code, one.err) == (0, "")
        assert one.out.startswith(f"{name}(")


@pytest.mark.parametrize(
    "args", [["--version"], ["--help"], ["-h"], ["score", "-h"], ["checks", "-h"]]
)
def test_help(args: list[str], run: Callable[..., Ran]) -> None:
    code, out, err = run(*args)
    assert (code, err) == (0, "")
    assert out == f"batcheval {batcheval.__version__}\n" or "Usage: batcheval" in out


def test_no_command(run: Callable[..., Ran]) -> None:
    code, out, err = run()
    assert (code, err) == (2, "")
    assert out.startswith("Usage: batcheval")


def test_it_starts_without_polars() -> None:
    program = (
        "import sys, batcheval.cli; sys.exit('polars' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


# How it says no: the arguments, the exit code, what the one line holds

C = ["-c", 'includes("a")', "-o", "x.parquet"]
T = ["score", "t.jsonl"]
MISTAKES: dict[str, tuple[list[str], int, str]] = {
    "unknown command": (["scores"], 2, "'scores'"),
    "unknown option": ([*T, *C, "--detail"], 2, "--detail"),
    "no traces given": (["score", *C], 2, "TRACES"),
    "no out": ([*T, "-c", 'includes("a")'], 2, "--out"),
    "nothing to check": ([*T, "-o", "x.parquet"], 2, "--suite or --check"),
    "unknown check": ([*T, "-c", 'include("a")', "-o", "x.csv"], 2, "did you mean 'includes'"),
    "unknown argument": (
        [*T, "-c", 'includes("a", ignorecase=True)', "-o", "x.csv"],
        2,
        "did you mean 'ignore_case'",
    ),
    "missing argument": (
        [*T, "-c", "includes()", "-o", "x.csv"],
        2,
        "needs the argument 'expected'",
    ),
    "too many arguments": ([*T, "-c", 'includes("a", "b")', "-o", "x.csv"], 2, "includes"),
    "a wrong argument": ([*T, "-c", "max_tool_calls(-1)", "-o", "x.csv"], 2, "'max' must be"),
    "a blank argument": ([*T, "-c", 'includes("")', "-o", "x.csv"], 2, "is empty"),
    "a bad pattern": ([*T, "-c", 'matches("a(")', "-o", "x.csv"], 2, "character 2"),
    "no call": ([*T, "-c", "includes(", "-o", "x.csv"], 2, "cannot be read"),
    "code": ([*T, "-c", "includes(open('x'))", "-o", "x.csv"], 2, "no check is called 'open'"),
    "unknown module": ([*T, "-c", "nope:check()", "-o", "x.csv"], 2, "'nope' cannot be imported"),
    "unknown function": ([*T, "-c", "own:shrt(1)", "-o", "x.csv"], 2, "did you mean 'short'"),
    "unknown column": (
        [*T, "-c", 'includes(col("expcted"))', "-o", "x.csv"],
        2,
        "did you mean 'expected'",
    ),
    "unknown column, suite": (
        [*T, "-s", "column.toml", "-o", "x.csv"],
        2,
        "did you mean 'expected'",
    ),
    "unknown column, keep": ([*T, *C, "--keep", "metadat.city"], 2, "did you mean 'metadata'"),
    "bad path": ([*T, *C, "--keep", "metadata..city"], 2, "'..city'"),
    "bad path in a check": ([*T, "-c", 'includes(col("metadata["))', "-o", "x.csv"], 2, "'['"),
    "an id that is taken": ([*T, *C, "--keep", "includes"], 2, "includes"),
    "no such suite": (
        [*T, "-s", "nope.toml", "-o", "x.csv"],
        2,
        "nope.toml: the suite cannot be read",
    ),
    "bad TOML": ([*T, "-s", "no.toml", "-o", "x.csv"], 2, "no.toml: line 1, column"),
    "unknown check in a suite": (
        [*T, "-s", "unknown.toml", "-o", "x.csv"],
        2,
        "scorer 'x': no check is called 'include'",
    ),
    "unknown argument in a suite": (
        [*T, "-s", "argument.toml", "-o", "x.csv"],
        2,
        "did you mean 'expected'",
    ),
    "an empty suite": ([*T, "-s", "nothing.toml", "-o", "x.csv"], 2, "no scorers"),
    "a gate of nothing": ([*T, "-s", "gate.toml", "-o", "x.csv"], 2, "'include' for the gate"),
    "a suite in Latin-1": ([*T, "-s", "latin.toml", "-o", "x.csv"], 2, "line 1 is not UTF-8"),
    "a folder as suite": ([*T, "-s", "void", "-o", "x.csv"], 2, "void"),
    "bad ending": ([*T, *C[:-1], "x.txt"], 2, "'x.txt'"),
    "no folder for out": ([*T, *C[:-1], "nope/x.csv"], 2, "no folder 'nope'"),
    "a folder for out": ([*T, *C[:-1], "void"], 2, "'void'"),
    "this folder for out": ([*T, *C[:-1], "."], 2, "'.'"),
    "nothing for out": ([*T, *C[:-1], ""], 2, ""),
    "the dump for out": ([*T, *C[:-1], "t.jsonl"], 2, "t.jsonl"),
    "the dump by another name": ([*T, *C[:-1], "void/../t.jsonl"], 2, "t.jsonl"),
    "no such file": (["score", "nope.jsonl", *C], 2, "'nope.jsonl': no such file"),
    "a pattern of nothing": (["score", "*.nope", *C], 2, "'*.nope' names no files"),
    "an empty folder": (["score", "void", *C], 2, "'void' names no files"),
    "bad where": ([*T, *C, "--where", "n >"], 2, "'n >'"),
    "where of no truth": ([*T, *C, "--where", "n + 1"], 2, "cannot be used"),
    "where of another type": ([*T, *C, "--where", "n = 'x'"], 2, "cannot be used"),
    "where of no column": ([*T, *C, "--where", "outptu = ''"], 2, "did you mean 'output'"),
    "where with two statements": ([*T, *C, "--where", "n > 1; drop table x"], 2, "cannot be used"),
    "sample with limit": ([*T, *C, "--sample", "1", "--limit", "1"], 2, "exclude each other"),
    "no rows": ([*T, *C, "--limit", "0"], 2, "--limit"),
    "half a row": ([*T, *C, "--sample", "0.5"], 2, "--sample"),
    "a limit of words": ([*T, *C, "--max-bad-lines", "few"], 2, "'few'"),
    "a limit below none": ([*T, *C, "--max-bad-lines", "-1"], 2, "'-1'"),
    "more than all": ([*T, *C, "--max-bad-lines", "101%"], 2, "'101%'"),
    "no percentage": ([*T, *C, "--max-bad-lines", "nan%"], 2, "'nan%'"),
    "unknown policy": ([*T, *C, "--on-bad-line", "skip"], 2, "'skip'"),
    "empty": (["score", "empty.jsonl", *C], 3, "no traces in 'empty.jsonl': nothing in it"),
    "blank": (["score", "blank.jsonl", *C], 3, "'blank.jsonl': 2 lines, 2 of them blank"),
    "several empty": (
        ["score", "empty.jsonl", "blank.jsonl", *C],
        3,
        "'empty.jsonl', 'blank.jsonl'",
    ),
    "none chosen": ([*T, *C, "--where", "n > 9"], 3, "none of 4 traces was chosen"),
    "no layout": (["score", "other.jsonl", *C], 3, "'foo'"),
    "truncated": (["score", "torn.jsonl.gz", *C], 3, "truncated"),
    "fail at once": (
        ["score", "dirty.jsonl", *C, "--on-bad-line", "fail"],
        3,
        "dirty.jsonl:6: bad line: not JSON",
    ),
    "too many": (
        ["score", "dirty.jsonl", "dirty.jsonl", "./dirty.jsonl", *C, "--max-bad-lines", "0"],
        3,
        "dirty.jsonl:6",
    ),
    "too large a share": (["score", "dirty.jsonl", *C, "--max-bad-lines", "1%"], 3, "of 7 lines"),
    "a score of 5": ([*T, "-c", "own:wrong()", "-o", "x.csv"], 3, "scores lie in 0..1"),
    "a scorer that fails": ([*T, "-c", "own:failing()", "-o", "x.csv"], 3, "ValueError: no model"),
    "summary of no scores": (["summary", "t.jsonl"], 3, "t.jsonl"),
    "summary of notes": (["summary", "notes.md"], 3, "'notes.md' holds no scores"),
    "summary of nothing": (["summary", "nope.parquet"], 3, "nope.parquet"),
    "summary of emptiness": (["summary", "empty.jsonl"], 3, "it is empty"),
    "summary of a folder": (["summary", "void"], 3, "void"),
    "summary in another form": (["summary", "t.jsonl", "--format", "html"], 2, "'html'"),
    "checks of nothing": (["checks", "include"], 2, "did you mean 'includes'"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_one_line(case: str, run: Callable[..., Ran]) -> None:
    args, code, part = MISTAKES[case]
    before = {path: path.read_bytes() for path in Path.cwd().iterdir() if path.is_file()}
    ran = run(*args)
    assert ran.err.startswith("Error: ")
    assert ran.err.count("\n") == 1
    assert ran.err.endswith("\n")
    assert len(ran.err) < 1000
    assert part in ran.err
    assert (ran.code, ran.out) == (code, "")
    after = {path: path.read_bytes() for path in Path.cwd().iterdir() if path.is_file()}
    assert after.pop(Path.cwd() / "__pycache__", None) is None
    assert after == before


@pytest.mark.parametrize(("limit", "code"), [("1", 0), ("0", 3), ("15%", 0), ("14%", 3)])
def test_limits_on_bad_lines(limit: str, code: int, run: Callable[..., Ran]) -> None:
    ran = run("score", "dirty.jsonl", *C, "--max-bad-lines", limit)
    assert ran.code == code
    assert ("x.parquet" in files()) == ("x.parquet.quarantine.jsonl" in files()) == (code == 0)


def test_a_mistake_in_a_subprocess() -> None:
    """The same by the real command, where nothing of the test's process helps."""
    ran = subprocess.run([*COMMAND, "score", "empty.jsonl", *C], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == "Error: no traces in 'empty.jsonl': nothing in it\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(run: Callable[..., Ran], folder: Path) -> None:
    (folder / "void").chmod(0o500)
    ran = run(*T, *C[:-1], "void/x.csv")
    assert (ran.code, ran.err.count("\n")) == (2, 1)


# Ends from outside


def wait_for(holds: Callable[[], Any], seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.fixture
def started(folder: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    running: list[subprocess.Popen[str]] = []

    def start(*args: str, **options: Any) -> subprocess.Popen[str]:
        (folder / "tmp").mkdir(exist_ok=True)
        process = subprocess.Popen(
            [*COMMAND, *args],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(folder / "tmp")},
            **options,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_long_run_is_interrupted(number: int, started: Callable[..., Any], folder: Path) -> None:
    pad = "x" * 1_000
    dump = folder / "long.jsonl"
    dump.write_text("".join(f'{{"trace_id":{n},"output":"{pad}"}}\n' for n in range(40_000)))
    with dump.open("a") as file:
        file.write("oops\n")
    (folder / "s.parquet").write_bytes(b"as it was")
    before = files() | {"tmp", "__pycache__"}
    forever = "own:slow()"
    (folder / "own.py").write_text(OWN.replace("0.05", "2"))
    process = started(
        "score", "long.jsonl", "-c", forever, "-o", "s.parquet", stdout=subprocess.DEVNULL
    )
    wait_for(lambda: any(name.startswith(".batcheval-") for name in files()))
    process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert err == "Error: interrupted; nothing was written\n"
    assert process.returncode == 130
    assert files() <= before
    assert (folder / "s.parquet").read_bytes() == b"as it was"
    assert not any((folder / "tmp").iterdir())


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_full_disk_ends_a_command_in_one_line(
    ending: str, started: Callable[..., Any], folder: Path
) -> None:
    """The file may not grow while polars still reads: its threads must not end in an abort."""
    pad = "x" * 200
    dump = folder / "long.jsonl"
    dump.write_text("".join(f'{{"trace_id":{n},"output":"{pad}{n}"}}\n' for n in range(30_000)))
    before = files()

    def bound() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))

    out = f"canonical.{ending}"
    process = started("convert", "long.jsonl", "-o", out, preexec_fn=bound)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (
        3,
        f"Error: writing '{out}' failed: file too large; no part of it was kept\n",
    )
    assert files() <= before | {"tmp"}


def test_waiting_for_input_is_interrupted(started: Callable[..., Any], folder: Path) -> None:
    process = started("score", "-", *SCORE[2:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    process.stdin.write('{"trace_id":"a"}\n')
    process.stdin.flush()
    wait_for(lambda: any((folder / "tmp").iterdir()))
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 130
    assert process.stderr.read() == "Error: interrupted; nothing was written\n"
    assert not any((folder / "tmp").iterdir())
    assert "s.parquet" not in files()


@pytest.mark.parametrize("args", [SCORE, ["checks"]], ids=["score", "checks"])
def test_nobody_reads_what_it_prints(args: list[str]) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    ran = subprocess.run([*COMMAND, *args], stdout=writes, stderr=subprocess.PIPE, text=True)
    os.close(writes)
    assert ran.returncode == 141
    assert ran.stderr == "Error: the output was closed before its end\n"
    assert args is not SCORE or pl.read_parquet("s.parquet").height == 4


@pytest.mark.parametrize("args", [SCORE, ["--version"]], ids=["score", "version"])
def test_there_is_nowhere_to_print(args: list[str]) -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, *args]
    ran = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    assert "Traceback" not in ran.stderr
    assert ran.returncode in (0, 141)
    assert args is not SCORE or pl.read_parquet("s.parquet").height == 4


# Progress


def test_no_bar_where_no_terminal_is() -> None:
    ran = subprocess.run([*COMMAND, *SCORE], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("traces", "options", "shown"),
    [("t.jsonl", [], "B"), ("t.parquet", [], "traces"), ("t.jsonl", ["--quiet"], None)],
)
def test_a_bar_on_a_terminal(traces: str, options: list[str], shown: str | None) -> None:
    pl.read_ndjson("t.jsonl").write_parquet("t.parquet")
    seen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [*COMMAND, "score", traces, *SCORE[2:], *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, text=True)
    out, _ = process.communicate(timeout=20)
    os.close(terminal)
    printed = b""
    try:
        while part := os.read(seen, 4096):
            printed += part
    except OSError:  # the terminal has no other end any more
        pass
    os.close(seen)
    assert process.returncode == 0
    assert "scoring" not in out
    if shown is None:
        assert (printed, out) == (b"", "")
    else:
        assert b"scoring" in printed
        assert shown in printed.decode()
        assert printed.count(b"\n") == 0  # it is gone at the end


def test_compare(folder: Path, run: Callable[..., Ran]) -> None:
    """Runs of one file against each other, several candidates, and what cannot be compared."""
    rows = [
        {"trace_id": f"{name}{n}", "run": name, "task_id": f"t{n}", "output": said}
        for name, said in (("a", "rain"), ("b", "sunny"), ("c", "rain"))
        for n in range(12)
    ]
    (folder / "runs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run("score", "runs.jsonl", "-s", "suite.toml", "-o", "s.parquet", "-q").code == 0
    page = run("compare", "s.parquet@a", "s.parquet@b", "s.parquet@c")
    assert page.code == 0
    assert re.search(r"weather +12 +0.000 +1.000 +\+1.000 .*better", page.out)
    assert page.out.count("12 pairs: rows with the same 'task_id'") == 2
    found = json.loads(run("compare", "s.parquet@a", "s.parquet@b", "--format", "json").out)
    assert found["scorers"][0]["difference"] == 1.0
    both = json.loads(
        run("compare", "s.parquet@a", "s.parquet@b", "s.parquet@c", "--format", "json").out
    )
    assert [one["candidate"] for one in both] == ["'s.parquet@b'", "'s.parquet@c'"]
    assert "| weather |" in run("compare", "s.parquet@a", "s.parquet@b", "--format", "markdown").out
    for code, told, *wrong in (
        (2, "no run 'd'", "s.parquet@a", "s.parquet@d"),
        (3, "gone.parquet", "s.parquet@a", "gone.parquet"),
        (2, "reads 'city'", "s.parquet@a", "s.parquet@b", "--key", "city"),
        (3, "t.jsonl", "s.parquet@a", "t.jsonl"),
        (2, "candidates", "s.parquet@a"),
    ):
        ended = run("compare", *wrong)
        assert (ended.code, told in ended.err.lower()) == (code, True), ended
        assert ended.err.count("\n") == 1


def test_a_missed_gate_ends_with_one(folder: Path, run: Callable[..., Ran]) -> None:
    for gate, verdict in (("min = 0.9", "scored"), ("every = true", "failed")):
        suite = SUITE.replace("min = 0.1", gate)
        (folder / "strict.toml").write_text(suite)
        ended = run("score", "t.jsonl", "-s", "strict.toml", "-o", "s.parquet", "-q")
        assert (ended.code, ended.err) == (1, "")
        assert ended.out.splitlines()[-1] == f"verdict: {verdict}"
        assert pl.read_parquet("s.parquet").height == 4  # the scores are there all the same


def test_a_regression_ends_with_one(folder: Path, run: Callable[..., Ran]) -> None:
    rows = [
        {"trace_id": f"{name}{n}", "run": name, "task_id": f"t{n}", "output": said}
        for name, said in (("a", "sunny"), ("b", "rain"))
        for n in range(9)
    ]
    (folder / "runs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "gate.toml").write_text(SUITE.replace("min = 0.1", "max_regression = 0.5"))
    assert run("score", "runs.jsonl", "-s", "gate.toml", "-o", "s.parquet", "-q").code == 0
    worse = run("compare", "s.parquet@a", "s.parquet@b", "--suite", "gate.toml")
    assert worse.code == 1
    assert "missed  weather: fell by 1.000 (estimate), and may fall by 0.5" in worse.err
    better = run("compare", "s.parquet@b", "s.parquet@a", "--suite", "gate.toml")
    assert (better.code, better.err.splitlines()[-1]) == (0, "verdict: passed")


# Looking at a dump


def several_runs(ids: str = "aaab") -> None:
    lines = [{"trace_id": f"{i}-1", "run": f"r{n}", "output": f"o{n}"} for n, i in enumerate(ids)]
    Path("runs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


SHOWN = [
    (["a-1"], ["o0", "o1", "o2"]),
    (["a"], ["o0", "o1", "o2"]),
    (["b"], ["o3"]),
    (["a-1", "--run", "r1"], ["o1"]),
    (["a-1", "--limit", "2"], ["o0", "o1"]),
    (["a-1", "--limit", "3"], ["o0", "o1", "o2"]),
]


@pytest.mark.parametrize(("args", "outputs"), SHOWN, ids=lambda value: " ".join(value))
def test_show_picks_traces(args: list[str], outputs: list[str], run: Callable[..., Ran]) -> None:
    several_runs()
    code, out, err = run("show", "runs.jsonl", *args)
    assert (code, err) == (0, "")
    assert re.findall("^    (o.)$", out, re.MULTILINE) == outputs
    assert ("more traces have this id" in out) == (args[1:] == ["--limit", "2"])


UNSHOWN = [
    (["x"], "no trace has the id 'x'; the first is 'aa-1'"),
    (["aa-2"], "no trace has the id 'aa-2'; did you mean 'aa-1'?"),
    (["ac-1"], "no trace has the id 'ac-1'; near are 'ab-1', 'aa-1'"),
    (["a"], "the ids of several traces begin with 'a': 'aa-1', 'ab-1'"),
    (["aa-1", "--run", "r7"], "the trace 'aa-1' is not in the run 'r7'; it is in 'r0', 'r1', 'r2'"),
]


@pytest.mark.parametrize(("args", "message"), UNSHOWN, ids=lambda value: str(value))
def test_show_says_what_there_is(args: list[str], message: str, run: Callable[..., Ran]) -> None:
    several_runs()
    text = Path("runs.jsonl").read_text()
    Path("runs.jsonl").write_text(text.replace("a-1", "aa-1").replace("b-1", "ab-1"))
    assert run("show", "runs.jsonl", *args) == (3, "", f"Error: {message}\n")


def test_misspelt_tools_are_told(run: Callable[..., Ran]) -> None:
    calls = [{"name": "search"}, {"name": "think"}]
    Path("tools.jsonl").write_text(json.dumps({"trace_id": "a", "tool_calls": calls}))
    options = ["--ignore-tool", "think", "--ignore-tool", "thnk", "--rename-tool", "zzz=y"]
    warnings = [
        "warning: no call of a tool 'thnk' was found; did you mean 'think'?",
        "warning: no call of a tool 'zzz' was found",
    ]
    score = ["score", "tools.jsonl", "-o", "s.parquet", "-c"]
    for command in (
        ["inspect", "tools.jsonl"],
        ["convert", "tools.jsonl", "-o", "c.parquet"],
        [*score, "max_tool_calls(1)"],
    ):
        out = run(*command, *options).out
        assert [line for line in out.splitlines() if "a tool" in line] == warnings
    assert "a tool" not in run(*score, 'includes("a")', *options).out  # no call was looked at


def test_a_missing_input_is_told_where_one_is_read(run: Callable[..., Ran]) -> None:
    lines = [{"trace_id": n, "output": "a", "input": "a" if n < 9 else " "} for n in range(10)]
    dump = Path("inputs.jsonl")
    score = ["score", str(dump), "-o", "s.parquet", "-c"]
    dump.write_text("".join(json.dumps(line) + "\n" for line in lines))
    warning = "warning: 1 of 10 traces have no input, which a scorer reads"
    assert warning in run(*score, "content_similarity()").out
    assert "input" not in run(*score, 'includes("a")').out
    dump.write_text("".join(json.dumps(line | {"input": ""}) + "\n" for line in lines))
    assert "warning: no trace has an input, which" in run(*score, "content_similarity()").out
    dump.write_text("".join(json.dumps(line | {"input": "a"}) + "\n" for line in lines))
    assert "warning" not in run(*score, "content_similarity()").out


# Reports


def test_score_reports(folder: Path, run: Callable[..., Ran]) -> None:
    """All that can be written besides, and the page that `report` makes of the file of scores."""
    more = ["--report", "r.html", "--junit", "j.xml", "--by", "metadata.city", "--reasons"]
    ended = run("score", "t.jsonl", "-s", "suite.toml", "-o", "s.parquet", *more)
    assert (ended.code, ended.err) == (0, "")
    assert "report: r.html\njunit: j.xml\npassed  weather" in ended.out
    assert "metadata.city" in pl.read_parquet("s.parquet").columns
    again = run("report", "s.parquet", "-o", "again.html", "--by", "metadata.city")
    assert (again.code, again.out) == (0, "report: again.html\n")
    assert Path("again.html").read_bytes() == Path("r.html").read_bytes()
    page = Path("r.html").read_text("utf-8")
    for told in ("Passed", "metadata.city", "rain", "[scorers.weather]", "Lyon"):
        assert told in page
    assert '<testsuite name="weather"' in Path("j.xml").read_text("utf-8")
    text = run("score", "t.jsonl", "-s", "suite.toml", "-o", "s.csv", "--report", "r.html")
    assert text.code == 0
    assert "[scorers.weather]" in Path("r.html").read_text("utf-8")  # which a CSV cannot tell
    assert not [name for name in files() if name.startswith(".batcheval")]


def test_score_prints_for_others(folder: Path, run: Callable[..., Ran]) -> None:
    whole = ["score", "t.jsonl", "-s", "suite.toml", "-o", "s.parquet"]
    marked = run(*whole, "--format", "markdown")
    assert marked.out.startswith("**Verdict: passed**")
    assert marked.err == "scores: s.parquet\n"
    found = json.loads(run(*whole, "--format", "json").out)
    assert (found["verdict"], found["scorers"][0]["scorer"]) == ("passed", "weather")
    assert run(*whole, "--format", "native").out == run(*whole, "--layout", "native").out
    assert json.loads(run(*whole, "--format", "json", "--layout", "native").out) == found
    two = run(*whole, "--format", "native", "--layout", "mastra")
    assert (two.code, "two layouts" in two.err) == (2, True)


def test_compare_reports(folder: Path, run: Callable[..., Ran]) -> None:
    (folder / "more.jsonl").write_text((folder / "t.jsonl").read_text().replace("sunny", "dull"))
    for name, dump in (("a", "t.jsonl"), ("b", "more.jsonl")):
        scored = run("score", dump, "-s", "suite.toml", "-o", f"{name}.parquet", "--limit", 3, "-q")
        assert scored.code in (0, 1)
    (folder / "gate.toml").write_text(SUITE.replace("min = 0.1", "max_regression = 0.1"))
    more = ["--report", "r.html", "--junit", "j.xml", "--format", "markdown", "-s", "gate.toml"]
    ended = run("compare", "a.parquet", "b.parquet", *more)
    assert ended.code == 1
    assert "**Verdict: scored** (0 of 1 gates reached)" in ended.out
    assert ended.err.startswith("report: r.html\njunit: j.xml\nmissed  weather")
    page = Path("r.html").read_text("utf-8")
    assert "<del>sunny</del>" in page
    assert "<ins>dull</ins>" in page
    assert "gate max_regression" in Path("j.xml").read_text("utf-8")


def test_reports_that_cannot_be_written(
    folder: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told before anything is scored, in one line; no file of data is ever replaced."""
    before = files()
    for told, *wrong in (
        ("--report 't.jsonl' does not end in '.html', '.htm'", "--report", "t.jsonl"),
        ("--junit 'suite.toml' does not end in '.xml'", "--junit", "suite.toml"),
        ("'gone/r.html' cannot be written: there is no folder 'gone'", "--report", "gone/r.html"),
        ("'void' cannot be written", "--junit", "void.xml"),
    ):
        (folder / "void.xml").mkdir(exist_ok=True)
        ended = run(*SCORE, *wrong)
        assert (ended.code, told.replace("'void'", "'void.xml'") in ended.err) == (2, True), ended
        assert ended.err.count("\n") == 1
    monkeypatch.setattr("batcheval.report.page.environment.find_spec", lambda name: None)
    ended = run(*SCORE, "--report", "r.html")
    assert ended.code == 2
    assert "pip install 'batcheval[report]'" in ended.err
    assert files() == before | {"void.xml"}
    assert run(*SCORE, "-q").code == 0  # which needs none of it
    assert run("report", "s.parquet@x", "-o", "r.html").code == 2
