"""Dumps scored part by part: the same bytes however they are cut, killed, spread or done again."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval import ReadLog, checks, plan_parts, read_traces, score_parts
from batcheval.output import replacement
from batcheval.parts import cutting, scoring, work
from batcheval.parts.definitions import definition_of
from batcheval.parts.measuring import measured
from batcheval.parts.scanning import scan_part
from batcheval.summary import open_scores, summarize
from tests.command import Command

ROOT = Path(__file__).parents[1]
DUMP = ROOT / "sample_traces" / "support_agent.jsonl"
CHECKS = ("-c", 'includes("refund")', "-c", "used_no_tools", "-c", 'indel_ratio(col("expected"))')
KILLS = int(os.environ.get("BATCHEVAL_KILLS", "2"))
SMALL = 120_000
REAL = ROOT / "tests" / "data" / "traces"
CUT = {"adk", "anthropic_messages", "atif", "codex_rollout", "inspect", "langfuse", "litellm_log"}
CUT |= {"llamafactory_v1", "openai_chat", "openhands", "openjudge_bfcl", "swe_agent", "tau_bench"}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cutting, "SIZE", SMALL)
    monkeypatch.setattr(os, "fsync", lambda file: None)  # slow, and no test cuts the power
    monkeypatch.chdir(tmp_path)


def holds(folder: Path | str) -> dict[str, bytes]:
    """What is in a folder, but for the lock."""
    return {p.name: p.read_bytes() for p in Path(folder).iterdir() if p.name != ".batcheval.lock"}


def dirty(path: Path, lines: int = 400) -> Path:
    """A dump with blank lines and bad ones, and ids that stand twice."""
    rows = [json.dumps({"trace_id": f"t{n % 390}", "output": f"n {n}."}) for n in range(lines)]
    rows[3], rows[200], rows[201] = "", "{broken", '{"trace_id": "x", "output": [1]}'
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(
    ("dumps", "options"),
    [
        (["support_agent.jsonl"], {"details": True, "reasons": True, "keep": ["metadata"]}),
        (["support_agent.parquet", "support_agent.jsonl"], {"long": True}),
        (["wild"], {}),
        (["repeats.jsonl"], {}),
    ],
    ids=lambda value: "+".join(value),
)
def test_a_file_of_parts_is_the_file_of_the_whole(
    dumps: list[str], options: dict[str, Any], run: Command
) -> None:
    paths = [ROOT / "sample_traces" / dump for dump in dumps]
    flags = [f"--{name}" for name, value in options.items() if value is True]
    flags += [word for name in options.get("keep", ()) for word in ("--keep", name)]
    whole = run("score", *paths, *CHECKS, "-o", "whole.parquet", *flags)
    assert (whole.code, whole.err) == (0, "")
    scorers = [
        checks.includes("refund"),
        checks.used_no_tools(),
        checks.indel_ratio(pl.col("expected")),
    ]
    parts = plan_parts(*paths)
    one = score_parts(parts, scorers, "one.parquet", workers=1, **options)
    assert Path("one.parquet").read_bytes() == Path("whole.parquet").read_bytes()
    assert not [*Path().glob(".batcheval*")]
    many = score_parts(parts, scorers, "many/", workers=1, **options)
    assert many.counts == one.counts
    rows = pl.read_parquet("whole.parquet")
    assert open_scores("many").scores.collect().equals(rows)
    assert many.summary["mean"].to_list() == pytest.approx(summarize("one.parquet")["mean"])


@settings(max_examples=15)
@given(
    st.lists(st.sampled_from(["", "{", '{"output": "é"}', '{"trace_id": "a"}', " "]), max_size=9),
    st.integers(1, 40),
    st.booleans(),
)
def test_any_cut_gives_the_same_rows(lines: list[str], size: int, ends: bool) -> None:
    path = Path("cut.jsonl")
    path.write_text("\n".join(['{"trace_id": "first", "output": "x"}', *lines]) + "\n" * ends)
    log, logs = ReadLog(), []
    whole = read_traces(path, log=log).collect()
    planned, found = plan_parts(path, size=size), []
    for part in measured(planned.parts):
        logs.append(ReadLog())
        found.append(scan_part(part, planned.reading, logs[-1]).collect())
    assert pl.concat(found).equals(whole)
    for name in ("lines", "blank", "rows", "quarantined", "repaired"):
        assert sum(getattr(one, name) for one in logs) == getattr(log, name)


@pytest.mark.parametrize("layout", sorted(p.name for p in REAL.iterdir() if p.is_dir()))
def test_real_files_of_any_layout_give_the_same_rows(layout: str) -> None:
    log, logs = ReadLog(), []
    whole = read_traces(REAL / layout, log=log).collect()
    planned, found = plan_parts(REAL / layout, size=30_000), []
    for part in measured(planned.parts):
        logs.append(ReadLog())
        found.append(scan_part(part, planned.reading, logs[-1]).collect())
    assert pl.concat(found).equals(whole)
    for name in ("lines", "blank", "rows", "records", "idle", "quarantined", "unpaired"):
        assert sum(getattr(one, name) for one in logs) == getattr(log, name), name
    assert (len(found) > 1) == (layout in CUT)


def chats(path: Path, count: int, last: Any = None) -> Path:
    """Conversations as the OpenAI API has them, a record each, and one more record."""
    said = [{"role": "user", "content": "n?"}, {"role": "assistant", "content": "n."}]
    records: list[Any] = [{"id": f"c{n}", "messages": said} for n in range(count)]
    records += [] if last is None else [last]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_conversations_are_spread(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "SIZE", 4_000)
    dump = chats(Path("chats.jsonl"), 100)
    assert run("score", dump, "-c", "used_no_tools", "-o", "s/").code == 0
    assert len(holds("s")) == 1 + 3
    whole = read_traces(dump).collect()
    scores = open_scores("s").scores.collect()
    assert scores["trace_id"].to_list() == whole["trace_id"].to_list()
    assert scores["line"].to_list() == whole["line"].to_list()


@pytest.mark.parametrize("kills", [False, True], ids=["at once", "and killed"])
def test_a_trace_in_several_parts_brings_them_together(
    kills: bool, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cutting, "SIZE", 4_000)
    dump = chats(Path("chats.jsonl"), 100, {"role": "user", "content": "a message by itself"})
    whole = read_traces(dump).collect()
    options = ("score", dump, "-c", "used_no_tools", "-q", "-o", "s/")
    if kills:
        with monkeypatch.context() as patch:
            failing(patch, 2, full)  # the part that holds all
            assert run(*options).code == 3
    assert run(*options).code == 0
    scores = open_scores("s").scores.collect()
    assert scores["trace_id"].to_list() == whole["trace_id"].to_list()
    assert len([*Path("s").glob("part-*.parquet")]) == 1
    again = run("score", dump, "-c", 'includes("n")', "-q", "-o", "s/")
    assert "'s' holds scores of other traces, of another suite" in again.err


def test_records_of_no_layout_are_told_of_the_whole(run: Command) -> None:
    dump = chats(Path("chats.jsonl"), 1)
    dump.write_text(dump.read_text() + '{"unknown": 1}\n' * 300)
    ran = run("score", dump, "-c", "used_no_tools", "-o", "s/", "--format", "openai_chat")
    assert ran.code == 0, ran.err


def test_every_line_is_somewhere(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "SIZE", 4_000)
    dump = dirty(Path("d.jsonl"))
    gone = run("score", dump, "-c", "used_no_tools", "-o", "s/")
    assert gone.code == 0
    assert "400 lines: 398 rows" in gone.out
    manifest = json.loads(Path("s", "manifest.json").read_text())
    assert len(manifest["parts"]) == 5
    run("score", dump, "-c", "used_no_tools", "-o", "whole.jsonl")
    for part in manifest["parts"]:
        assert part["lines"] == part["rows"] + part["blank"] + part["quarantined"]
    aside = b"".join(p.read_bytes() for p in sorted(Path("s").glob("*.quarantine.jsonl")))
    assert aside == Path("whole.jsonl.quarantine.jsonl").read_bytes()


def test_two_processes_write_what_one_does(run: Command) -> None:
    options = ("score", DUMP, *CHECKS, "--details", "--workers")
    assert run(*options, "1", "-o", "one/").code == 0
    assert run(*options, "2", "-o", "two/").code == 0
    assert holds("one") == holds("two")
    assert len(holds("one")) > 4
    assert run(*options, "1", "-o", "one.parquet").code == 0
    shown = run("summary", "one/")
    assert shown.out == run("summary", "one.parquet").out
    assert run("compare", "one@baseline", "two@candidate").code == 0


_START = f"""
import os, sys
from batcheval.parts import cutting
os.fsync = lambda file: None
cutting.SIZE = {SMALL}
sys.argv = ["batcheval", *sys.argv[1:]]
from batcheval.cli import main
main()
"""


def test_a_run_that_is_killed_goes_on(run: Command) -> None:
    options = ("score", str(DUMP), *CHECKS, "-q")
    assert run(*options, "-o", "whole/").code == 0
    last = len(holds("whole")) - 2
    dice = random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID", "killed"))
    for kill in range(KILLS):
        out = Path(f"killed{kill}")
        command = [sys.executable, "-c", _START, *options, "-o", f"{out}/"]
        running = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)})
        enough = dice.randrange(last)
        while running.poll() is None and len([*out.glob("part-*")]) <= enough:
            time.sleep(0.002)
        time.sleep(dice.random() / 100)
        running.kill()
        running.wait()
        assert run(*options, "-o", f"{out}/").code == 0
        assert holds(out) == holds("whole")


def failing(monkeypatch: pytest.MonkeyPatch, at: int, how: Callable[[], None]) -> None:
    """Let something happen before a part is put in its place."""
    calls = iter(range(1000))
    commit = replacement.Replacement.commit

    def commits(self: replacement.Replacement) -> None:
        if next(calls) == at:
            how()
        commit(self)

    monkeypatch.setattr(replacement.Replacement, "commit", commits)


def full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_one_line(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ("score", DUMP, *CHECKS, "-q", "-o")
    run(*options, "whole/")
    with monkeypatch.context() as patch:
        failing(patch, 3, full)
        ran = run(*options, "s/")
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert "no space left on device" in ran.err
    assert "3 of 5 parts are done, and the same command goes on from there" in ran.err
    assert sorted(holds("s")) == sorted(holds("whole"))[1:4]  # and no temporary file
    assert "no 'manifest.json'" in run("summary", "s/").err
    assert run(*options, "s/").code == 0
    assert holds("s") == holds("whole")


def test_an_interrupt_is_one_line(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, 2, lambda: os.kill(os.getpid(), signal.SIGINT))
    ran = run("score", DUMP, *CHECKS, "-o", "s/")
    assert ran.code == 130
    assert ran.err.startswith("Error: interrupted; 2 of 5 parts are done")


def test_a_file_that_vanishes_is_one_line(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = dirty(Path("a.jsonl")), dirty(Path("b.jsonl"))
    content = second.read_bytes()
    score_part = scoring.score_part

    def vanishing(job: Any, task: Any) -> Any:
        second.unlink(missing_ok=True)
        return score_part(job, task)

    monkeypatch.setattr(scoring, "score_part", vanishing)
    options = ("score", first, second, "-c", "used_no_tools", "-q", "-o", "s/")
    ran = run(*options)
    assert ran.code == 2
    assert ran.err.startswith("Error: 'b.jsonl': no such file or directory; 1 of 2 parts are done")
    second.write_bytes(content)
    monkeypatch.undo()
    monkeypatch.chdir(first.parent)


def test_a_second_run_refuses(run: Command) -> None:
    Path("s").mkdir()
    with FileLock("s/.batcheval.lock"):
        ran = run("score", DUMP, *CHECKS, "-o", "s/")
    assert (ran.code, ran.err) == (2, "Error: 's' is being written by another run\n")
    assert run("score", DUMP, *CHECKS, "-o", "s/").code == 0  # the lock file is there, and free


def test_a_worker_that_dies_is_one_line(run: Command) -> None:
    Path("mortal.py").write_text(
        "import os, signal\nfrom batcheval import batched, check, Verdict\nimport polars as pl\n"
        "def _die(text):\n"
        "    if 'BATCHEVAL_WORKER_OF' in os.environ and (text == 'n 399.').any():\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n    return [1.0] * len(text)\n"
        "@check\ndef dies():\n    return Verdict(batched(_die, pl.col('output')))\n"
    )
    dump = dirty(Path("d.jsonl"), 8_000)
    ran = run("score", dump, "-c", "mortal:dies", "-o", "s/", "--workers", "2")
    assert ran.code == 3
    assert ran.err.startswith("Error: a worker process ended early (signal 9)")
    assert "parts are done, and the same command goes on from there" in ran.err
    assert ran.err.count("\n") == 1


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The scorers that were at work, part by part."""
    found: list[list[str]] = []
    scores = work._scores

    def noted(job: Any, table: Any, passing: Any, scorers: Any) -> Any:
        found.append([scorer.id for scorer in scorers])
        return scores(job, table, passing, scorers)

    def counted(frames: Any, log: Any) -> Any:
        found.append(["at work"])
        return frames_of(frames, log)

    frames_of = work.frames_of
    monkeypatch.setattr(work, "_scores", noted)
    monkeypatch.setattr(work, "frames_of", counted)
    return found


def at_work(scored: list[list[str]]) -> list[list[str]]:
    """Those whose scores were computed since last asked, of each part."""
    found = [a for a, b in pairwise(scored) if b == ["at work"]]
    scored.clear()
    return found


def test_an_update_scores_what_is_new(run: Command, scored: list[list[str]]) -> None:
    first, second = dirty(Path("a.jsonl")), dirty(Path("b.jsonl"), 500)
    one, two = ("-c", "used_no_tools"), ("-c", 'includes("n 7")')

    def fresh(*options: str | Path) -> dict[str, bytes]:
        assert run("score", *options, "-q", "-o", "fresh/", "--update").code == 0
        made = holds("fresh")
        for path in Path("fresh").iterdir():
            path.unlink()
        return made

    def updated(*options: str | Path) -> list[list[str]]:
        at_work(scored)
        assert run("score", *options, "-q", "-o", "s/", "--update").code == 0
        found = at_work(scored)
        assert fresh(*options) == holds("s")
        return found

    assert updated(first, *one) == [["used_no_tools"]]
    assert updated(first, *one) == []
    assert updated(first, *one, *two) == [["includes"]]
    assert updated(first, second, *one, *two) == [["used_no_tools", "includes"]]
    assert updated(second, first, *one, *two) == []  # other numbers, the same parts
    assert updated(second, *two) == []
    assert updated(second, "-c", 'includes("n 8")') == [["includes"]]
    dirty(second, 501)
    refused = run("score", second, "-c", 'includes("n 8")', "-o", "s/")
    assert refused.code == 2
    assert refused.err.startswith("Error: 's' holds scores of other traces, of another suite")
    assert updated(second, "-c", 'includes("n 8")') == [["includes"]]


def test_a_check_of_ones_own_that_changes_scores_anew(
    run: Command, scored: list[list[str]]
) -> None:
    dump, module = dirty(Path("d.jsonl")), Path("own_checks.py")
    text = "from batcheval import Scorer\nimport polars as pl\nimport own_words\n"
    text += (
        "def short():\n    return Scorer('short', 'short', pl.col('output').str.len_chars() < 5)\n"
    )
    Path("own_words.py").write_text("")
    module.write_text(text)
    options = ("score", dump, "-c", "own_checks:short", "-o", "s/", "-q", "--update")
    changes: list[tuple[Path, str]] = [(module, ""), (module, "# more\n")]
    changes += [(Path("own_words.py"), "WORDS = ['a']\n")]
    for path, more in changes:
        path.write_text(path.read_text() + more)
        for name in ("own_checks", "own_words"):
            sys.modules.pop(name, None)
        at_work(scored)
        assert run(*options).code == 0
        assert at_work(scored) == [["short"]], more
    assert run(*options).code == 0
    assert at_work(scored) == []


def test_definitions_differ_as_scorers_do() -> None:
    made = [
        checks.includes("a"),
        checks.includes("b"),
        checks.includes("a", ignore_case=False),
        checks.includes(pl.col("a")),
        checks.includes("a").named("other"),
        checks.excludes("a"),
        checks.includes("a", on=pl.col("input")),
        checks.all_of([checks.includes("a"), checks.includes("b")]),
        checks.all_of([checks.includes("a"), checks.includes("c")]),
    ]
    keys = [definition_of(scorer) for scorer in made]
    assert len(set(keys)) == len(made)
    assert definition_of(checks.includes("a")) == keys[0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-o", "s/", "--limit", "3"), "--limit and --sample need --out to be a file"),
        (("-o", "s.parquet", "--update"), "--update needs --out to be a folder, such as scores/"),
        (("-o", "no/s/"), "'no/s' cannot be written: no such file or directory"),
    ],
)
def test_mistakes(options: tuple[str, ...], said: str, run: Command) -> None:
    ran = run("score", DUMP, *CHECKS, *options)
    assert (ran.code, ran.err.partition(" (batcheval")[0].strip()) == (2, f"Error: {said}")


def test_what_scoring_will_take(run: Command) -> None:
    ran = run("plan", DUMP, *CHECKS, "-c", 'matches("(?!.*no)yes")')
    assert ran.code == 0
    assert ran.out.startswith("0.5 MB, about 300 traces, in 5 parts\n")
    assert "columns read: expected, " in ran.out
    assert "on the slow path of patterns: matches" in ran.out
