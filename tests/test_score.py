"""`score` and `write_scores`: what they refuse, what they give, and what stands in the file."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import batcheval
from batcheval import (
    ReadLog,
    Scorer,
    Verdict,
    batched,
    check,
    checks,
    passed,
    read_traces,
    sample,
    score,
    summarize,
    where,
    write_scores,
)
from batcheval.errors import (
    BadIdError,
    BadPredicateError,
    BadScorerError,
    BatchevalError,
    DuplicateIdError,
    MissingColumnsError,
    NoTracesError,
    ScoreRangeError,
    ScorerFailedError,
    TakenColumnError,
    TooManyBadLinesError,
    UnknownEndingError,
    UnwritablePathError,
)
from batcheval.schema import IDENTITY

OUTPUT = pl.col("output")
TRACES = pl.DataFrame(
    {
        "trace_id": ["a", "b", "c", "d"],
        "run": ["base", "base", None, None],
        "output": ["It is sunny.", "Rain.", None, "sunny, sunny"],
        "expected": ["sun", "sun", "sun", None],
        "latency_ms": [10.0, None, 30.0, 40.0],
        "metadata": ['{"city":"Lyon","n":1.0}', None, "{}", '{"city":"Oslo"}'],
        "tool_calls": [[{"name": "f"}], [], None, [{"name": "g"}, {"name": "f"}]],
        "tag": ["x", "y", "z", None],
    }
)
SUNNY = checks.includes("sunny")
TEXTS = pl.col("assistant_texts")


def lengths(texts: pl.Series) -> list[float]:
    return [len(text or "") / 10 for text in texts]


def constant(scorer_id: str, value: Any = 1.0) -> Scorer:
    return Scorer(scorer_id, "always the same", pl.lit(value) + 0 * OUTPUT.str.len_chars())


def column(scorer: Scorer, traces: pl.DataFrame = TRACES) -> list[Any]:
    return score(traces, [scorer]).collect()[scorer.id].to_list()


# What comes out


def test_a_row_a_trace_in_order() -> None:
    found = score(TRACES, [SUNNY, checks.includes(pl.col("expected")).named("own")]).collect()
    assert found.columns == [*IDENTITY, "includes", "own"]
    assert found["trace_id"].to_list() == ["a", "b", "c", "d"]
    assert found["includes"].to_list() == [1.0, 0.0, 0.0, 1.0]
    assert found["own"].to_list() == [1.0, 0.0, 0.0, None]
    assert found.schema["includes"] == pl.Float64
    assert found.schema["line"] == pl.Int64


def test_it_is_lazy() -> None:
    def never(values: pl.Series) -> pl.Series:
        raise AssertionError

    late = TRACES.lazy().with_columns(
        OUTPUT.map_batches(never, return_dtype=pl.String).alias("output")
    )
    assert isinstance(score(late, [SUNNY]), pl.LazyFrame)
    assert score(late, [SUNNY]).select("trace_id").collect().height == 4


def test_no_scorers_and_no_rows() -> None:
    assert score(TRACES, []).collect().columns == list(IDENTITY)
    assert score(TRACES[:0], [SUNNY]).collect().shape == (0, len(IDENTITY) + 1)


def test_keep_carries_columns_and_paths() -> None:
    keep = ["tag", "metadata.city", "tool_calls[-1].name", "output", "trace_id", "tag"]
    found = score(TRACES, [SUNNY], keep=keep).collect()
    wanted = ["tag", "metadata.city", "tool_calls[-1].name", "output"]
    assert found.columns == [*IDENTITY, *wanted, "includes"]
    assert found["metadata.city"].to_list() == ["Lyon", None, None, "Oslo"]
    assert found["tool_calls[-1].name"].to_list() == ["f", None, None, "f"]
    assert found["output"].to_list() == ["It is sunny.", "Rain.", "", "sunny, sunny"]


def test_details_and_reasons_only_if_asked() -> None:
    plain = constant("plain")
    options = [(d, r) for d in (False, True) for r in (False, True)]
    for details, reasons in options:
        found = score(TRACES, [SUNNY, plain], details=details, reasons=reasons).collect()
        wanted = [*IDENTITY, "includes", "plain"]
        wanted += ["includes_details"] * details + ["includes_reason"] * reasons
        assert found.columns == wanted
    assert found["includes_details"].struct.field("found").to_list() == [True, False, False, True]
    assert all(found["includes_reason"])


def test_details_that_nobody_asks_for_need_no_columns() -> None:
    unused = pl.col("nope")
    scorer = Scorer("s", "d", OUTPUT != "x", details=pl.struct(unused), reason=unused)
    assert column(scorer) == [1.0] * 4
    for option in ("details", "reasons"):
        with pytest.raises(MissingColumnsError, match="'nope'"):
            score(TRACES, [scorer], **{option: True})


# What is refused, before a row is read

MISTAKES: dict[str, tuple[Callable[[], Any], type[BatchevalError], str]] = {
    "a missing column": (
        lambda: score(TRACES, [checks.includes(pl.col("expcted"))]),
        MissingColumnsError,
        "scorer 'includes' reads 'expcted', which the traces lack; did you mean 'expected'",
    ),
    "a column like no other": (
        lambda: score(TRACES, [checks.includes(pl.col("zzz"))]),
        MissingColumnsError,
        "'zzz'.*they have .*'output'",
    ),
    "a missing path": (
        lambda: score(TRACES, [checks.includes(pl.col("metdata.city"))]),
        MissingColumnsError,
        "'metdata'.*did you mean 'metadata'",
    ),
    "a missing column to keep": (
        lambda: score(TRACES, [SUNNY], keep=["tagg"]),
        MissingColumnsError,
        "keep reads 'tagg'.*'tag'",
    ),
    "an id twice": (
        lambda: score(TRACES, [SUNNY, SUNNY]),
        DuplicateIdError,
        "'includes' is taken by scorer 'includes'",
    ),
    "a column's id": (lambda: score(TRACES, [SUNNY.named("output")]), DuplicateIdError, "'output'"),
    "an id of the identity": (
        lambda: score(TRACES, [SUNNY.named("trace_id")]),
        DuplicateIdError,
        "'trace_id'",
    ),
    "a kept column's id": (
        lambda: score(TRACES, [SUNNY.named("tag")], keep=["tag"]),
        DuplicateIdError,
        "'tag'",
    ),
    "an id that details have": (
        lambda: score(TRACES, [SUNNY, constant("includes_details")]),
        DuplicateIdError,
        "includes_details",
    ),
    "the same the other way round": (
        lambda: score(TRACES, [constant("includes_reason"), SUNNY]),
        DuplicateIdError,
        "includes_reason",
    ),
    "no id": (lambda: score(TRACES, [SUNNY.named("")]), BadIdError, "is blank"),
    "a blank id": (lambda: score(TRACES, [SUNNY.named(" ")]), BadIdError, "is blank"),
    "an id of two lines": (lambda: score(TRACES, [SUNNY.named("a\nb")]), BadIdError, "head"),
    "a pattern for an id": (lambda: score(TRACES, [SUNNY.named("^a$")]), BadIdError, "head"),
    "a star for an id": (lambda: score(TRACES, [SUNNY.named("*")]), BadIdError, "head"),
    "an aggregate": (
        lambda: score(TRACES, [Scorer("mean", "d", pl.col("latency_ms").mean())]),
        BadScorerError,
        "'mean' cannot be applied: it does not judge each trace alone",
    ),
    **{
        f"rows crossed {where} Python": (
            lambda scorer=scorer: score(TRACES, [scorer]),  # type: ignore[misc]
            BadScorerError,
            "it does not judge each trace alone",
        )
        for where, scorer in {
            "before": checks.similarity(pl.col("input").reverse()),
            "before, in a kernel that finds nothing in either order, for": checks.tone(
                on=pl.col("output").shift(1)
            ),
            "behind": Scorer("s", "d", batched(lengths, pl.col("output")).reverse()),
            "in": Scorer("s", "d", batched(lambda texts: range(len(texts)), pl.col("output"))),
        }.items()
    },
    **{
        f"the list {name} for a text": (
            lambda scorer=scorer: score(TRACES, [scorer]),  # type: ignore[misc]
            BadScorerError,
            rf"'{name}' is a list, and a text is needed: .* such as '{item}' for the first",
        )
        for name, item, scorer in (
            ("assistant_texts", r"assistant_texts\[0\]", checks.includes("a", on=TEXTS)),
            ("messages", r"messages\[0\].content", checks.tone(on=pl.col("messages"))),
            ("tool_calls", r"tool_calls\[0\].name", checks.similarity(pl.col("tool_calls"))),
        )
    },
    "an expression of another type": (
        lambda: score(TRACES, [Scorer("s", "d", pl.col("latency_ms").str.len_chars())]),
        BadScorerError,
        "scorer 's' cannot be applied",
    ),
    "a predicate that is none": (
        lambda: where(TRACES, "output >"),
        BadPredicateError,
        "'output >'",
    ),
    "a predicate of no truth": (lambda: where(TRACES, "output"), BadPredicateError, "'output'"),
    "a predicate over all": (
        lambda: where(TRACES, "latency_ms > avg(latency_ms)"),
        BadPredicateError,
        "cannot be used",
    ),
    "a predicate on nothing": (
        lambda: where(TRACES, "latency > 1"),
        MissingColumnsError,
        "--where reads 'latency'.*'latency_ms'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_show_before_the_scan(case: str) -> None:
    make, kind, message = MISTAKES[case]
    with pytest.raises(kind, match=message) as caught:
        make()
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)


# Scorers of one's own


def test_an_expression_as_a_scorer() -> None:
    short = Scorer("short", "under 10 characters", OUTPUT.str.len_chars() < 10)
    assert column(short) == [0.0, 1.0, 1.0, 0.0]
    assert short.columns == {"output"}
    fast = Scorer("fast", "d", pl.col("latency_ms") < 20)
    assert column(fast) == [1.0, None, 0.0, 0.0]


def test_a_check_of_ones_own() -> None:
    @check
    def polite(word: str, *, times: int = 1) -> Verdict:
        count = OUTPUT.str.count_matches(word, literal=True)
        return passed(count >= times, details=pl.struct(count=count))

    scorer = polite("sunny", times=2)
    assert (scorer.id, scorer.description) == ("polite", "polite('sunny', times=2)")
    found = score(TRACES, [scorer], details=True).collect()
    assert found["polite"].to_list() == [0.0, 0.0, 0.0, 1.0]
    assert found["polite_details"].struct.field("count").to_list() == [1, 0, 0, 2]


RETURNS: dict[str, tuple[Callable[[pl.Series], Any], list[Any]]] = {
    "a list": (lambda s: [0.5] * len(s), [0.5] * 4),
    "nothing": (lambda s: [None] * len(s), [None] * 4),
    "whole numbers": (lambda s: [1] * len(s), [1.0] * 4),
    "truths": (lambda s: [True] * len(s), [1.0] * 4),
    "nan": (lambda s: [float("nan")] * len(s), [None] * 4),
    "an array": (lambda s: s.str.len_chars().to_numpy() / 100, [0.12, 0.05, 0.0, 0.12]),
    "a series": (lambda s: s.str.len_chars() / 100, [0.12, 0.05, 0.0, 0.12]),
}


@pytest.mark.parametrize("case", RETURNS)
def test_batched(case: str) -> None:
    function, wanted = RETURNS[case]
    assert column(Scorer("s", "d", batched(function, OUTPUT))) == wanted


def test_batched_gets_several_columns() -> None:
    def both(left: pl.Series, right: pl.Series) -> list[float]:
        assert len(left) == len(right)
        return [float(b is not None and b in a) for a, b in zip(left, right, strict=True)]

    scorer = Scorer("s", "d", batched(both, OUTPUT, pl.col("expected")))
    assert scorer.columns == {"output", "expected"}
    assert column(scorer) == [1.0, 0.0, 0.0, 0.0]


def fails(texts: pl.Series) -> list[float]:
    raise ValueError("no model\nanswers")


FAILING: dict[str, Callable[..., Any]] = {
    "raises": fails,
    "too few": lambda texts: [1.0] * (len(texts) - 1),
    "too many": lambda texts: [1.0] * (len(texts) + 1),
    "texts": lambda texts: ["good"] * len(texts),
    "one number": lambda texts: 1.0,
}


@pytest.mark.parametrize("case", FAILING)
def test_a_function_that_fails(case: str, tmp_path: Path) -> None:
    scorer = Scorer("s", "d", batched(FAILING[case], OUTPUT))
    with pytest.raises((ScorerFailedError, BadScorerError)) as caught:
        write_scores(TRACES, [scorer], tmp_path / "s.parquet")
    assert caught.value.exit_code == (3 if case == "raises" else caught.value.exit_code)
    if case == "raises":
        assert "'fails' failed: ValueError: no model" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_function_is_not_asked_about_no_rows_at_the_cost_of_a_mistake() -> None:
    """The look before the scan is made on no rows: a function that needs some must not fail it."""

    def needs_rows(texts: pl.Series) -> list[float]:
        return [float(texts[0] == texts[0])] * len(texts)

    assert column(Scorer("s", "d", batched(needs_rows, OUTPUT))) == [1.0] * 4


@pytest.mark.parametrize("value", [1.5, -0.1, 1.0000001, float("inf"), float("-inf")])
def test_out_of_range(value: float, tmp_path: Path) -> None:
    scorer = Scorer("s", "d", pl.when(pl.col("trace_id") == "c").then(value).otherwise(0.5))
    out = tmp_path / "s.parquet"
    out.write_bytes(b"as it was")
    with pytest.raises(ScoreRangeError, match=r"'s' gave .* for trace 'c'") as caught:
        write_scores(TRACES, [scorer], out)
    assert caught.value.exit_code == 3
    assert out.read_bytes() == b"as it was"
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("value", [float("nan"), None, True, 1, 0, -0.0, 1.0])
def test_in_range(value: Any, tmp_path: Path) -> None:
    out = tmp_path / "s.parquet"
    same = pl.when(pl.col("line") > 0).then(pl.lit(value))
    written = write_scores(TRACES, [Scorer("s", "d", same)], out)
    found = pl.read_parquet(out)
    wanted = None if value is None or value != value else float(value)
    assert found.schema["s"] == pl.Float64
    assert found["s"].to_list() == [wanted] * 4
    assert written.summary["scored"].item() == (0 if wanted is None else 4)


# The file


def metadata(path: Path) -> dict[str, Any]:
    found = json.loads(pl.read_parquet_metadata(path)["batcheval"])
    assert isinstance(found, dict)
    return found


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.jsonl"
    lines = [
        '{"trace_id":"a","output":"sunny","city":"Lyon","trial":1}',
        "",
        '{"trace_id":"b","output":"rain","cost":NaN}',
        "oops",
        '{"trace_id":"a","trial":1}',
        '{"trace_id":"a","trial":2}',
        '{"trace_id":"b","run":"new"}',
    ]
    path.write_text("\n".join(lines))
    return path


def wrote(dump: Path, out: Path, scorers: Sequence[Scorer] = (SUNNY,), **options: Any) -> Any:
    log = ReadLog()
    return write_scores(read_traces(dump, log=log), scorers, out, log=log, **options)


def test_counts_and_metadata(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.parquet"
    suite = "# ünï\n[scorers.includes]\n"
    written = wrote(dump, out, keep=["city"], suite=suite)
    counts = written.counts
    names = ("lines", "blank", "quarantined", "repaired", "rows", "scored", "without_output")
    assert [counts[name] for name in names] == [7, 1, 1, 1, 5, 5, 3]
    assert written.path == out
    assert written.quarantine == tmp_path / "s.parquet.quarantine.jsonl"
    found = metadata(out)
    assert (found["format_version"], found["version"]) == (1, batcheval.__version__)
    assert (found["suite"], found["sources"]) == (suite, [str(dump)])
    assert found["scorers"] == [{"id": "includes", "description": "includes('sunny')"}]
    assert (found["keep"], found["long"]) == (["city"], False)
    assert [found["counts"][name] for name in names] == [7, 1, 1, 1, 5, 5, 3]
    assert_frame_equal(written.summary, summarize(out))
    assert pl.read_parquet(out).columns == [*IDENTITY, "city", "includes"]


def test_repeated_ids_with_places(dump: Path, tmp_path: Path) -> None:
    """An id repeats another if run and trial are the same as well."""
    for long in (False, True):
        repeated = wrote(dump, tmp_path / "s.parquet", long=long).counts["repeated_ids"]
        assert (repeated["ids"], repeated["rows"]) == (1, 2)
        (example,) = repeated["examples"]
        assert (example["trace_id"], example["trial"], example["run"]) == ("a", 1, None)
        assert example["places"] == [f"{dump}:1", f"{dump}:5"]


def test_rows_read_are_rows_scored(dump: Path, tmp_path: Path) -> None:
    written = wrote(dump, tmp_path / "s.parquet")
    found = pl.read_parquet(tmp_path / "s.parquet")
    read = read_traces(dump).select(IDENTITY).collect()
    assert_frame_equal(found.select(IDENTITY), read)
    assert written.counts["rows"] == read.height == found.height


def test_a_log_can_be_used_again(dump: Path, tmp_path: Path) -> None:
    log = ReadLog()
    traces = read_traces(dump, log=log)
    traces.collect()
    counts = [write_scores(traces, [SUNNY], tmp_path / "s.csv", log=log).counts for _ in range(2)]
    assert counts[0] == counts[1]
    assert counts[0]["lines"] == 7


@pytest.mark.parametrize("ending", [".parquet", ".jsonl", ".csv"])
def test_same_input_same_bytes(ending: str, dump: Path, tmp_path: Path) -> None:
    outs = [tmp_path / f"{n}{ending}" for n in (1, 2)]
    for out in outs:
        wrote(dump, out, [SUNNY, checks.similarity("rainy")], details=True, reasons=True)
    assert outs[0].read_bytes() == outs[1].read_bytes()


PROGRAM = """
import sys
from batcheval import ReadLog, checks, read_traces, write_scores
log = ReadLog()
scorers = [checks.includes("7"), checks.no_tool_errors()]
traces = read_traces(sys.argv[1], log=log)
write_scores(traces, scorers, sys.argv[2], log=log, details=True, keep=["output"])
"""


def test_same_bytes_whatever_the_threads(tmp_path: Path) -> None:
    dump = tmp_path / "dump.jsonl"
    pad = "x" * 60
    rows = (f'{{"trace_id":{n % 66_000},"output":"{n} {pad}"}}\n' for n in range(67_000))
    dump.write_text("".join(rows))
    bytes_of = []
    for threads in ("1", "2"):
        out = tmp_path / "s.parquet"
        house = str(Path(batcheval.__file__).parents[1])
        env = {**os.environ, "POLARS_MAX_THREADS": threads, "PYTHONPATH": house}
        subprocess.run([sys.executable, "-c", PROGRAM, dump, out], env=env, check=True)
        bytes_of.append(out.read_bytes())
    assert bytes_of[0] == bytes_of[1]
    assert metadata(out)["counts"]["repeated_ids"]["ids"] == 1_000


def test_an_existing_file_is_replaced_whole(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.parquet"
    quarantine = tmp_path / "s.parquet.quarantine.jsonl"
    out.write_bytes(b"x" * 1_000_000)
    wrote(dump, out)
    assert pl.read_parquet(out).height == 5
    assert quarantine.read_text().count("\n") == 1
    dump.write_text('{"trace_id":"a"}')
    written = wrote(dump, out)
    assert pl.read_parquet(out).height == 1
    assert written.quarantine is None
    assert not quarantine.exists()  # the old one spoke of scores that are gone


FAILURES: dict[str, tuple[Callable[[Path, Path], Any], type[Exception]]] = {
    "no traces": (
        lambda dump, out: write_scores(TRACES[:0], [SUNNY], out),
        NoTracesError,
    ),
    "none chosen": (
        lambda dump, out: write_scores(where(TRACES, "output = 'zzz'"), [SUNNY], out),
        NoTracesError,
    ),
    "too many bad lines": (
        lambda dump, out: write_scores(
            read_traces(dump, log=(log := ReadLog(max_bad_lines=0))), [SUNNY], out, log=log
        ),
        TooManyBadLinesError,
    ),
    "too large a share": (
        lambda dump, out: write_scores(
            read_traces(dump, log=(log := ReadLog(max_bad_lines=0.1))), [SUNNY], out, log=log
        ),
        TooManyBadLinesError,
    ),
    "a missing column": (
        lambda dump, out: wrote(dump, out, keep=["nope"]),
        MissingColumnsError,
    ),
    "a column taken": (
        lambda dump, out: write_scores(
            TRACES.rename({"tag": "scorer"}), [SUNNY], out, keep=["scorer"], long=True
        ),
        TakenColumnError,
    ),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_failure_leaves_all_as_it_was(case: str, dump: Path, tmp_path: Path) -> None:
    fail, kind = FAILURES[case]
    out = tmp_path / "s.parquet"
    quarantine = tmp_path / "s.parquet.quarantine.jsonl"
    out.write_bytes(b"as it was")
    quarantine.write_bytes(b"this too")
    with pytest.raises(kind):
        fail(dump, out)
    assert (out.read_bytes(), quarantine.read_bytes()) == (b"as it was", b"this too")
    assert {file.name for file in tmp_path.iterdir()} == {dump.name, out.name, quarantine.name}


@pytest.mark.parametrize(
    ("name", "kind"),
    [("s.txt", UnknownEndingError), ("s", UnknownEndingError), ("no/s.csv", UnwritablePathError),
     ("sub.csv", UnwritablePathError), (".", BatchevalError), ("", BatchevalError)],
)  # fmt: skip
def test_no_file_can_stand_there(
    name: str, kind: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub.csv").mkdir()
    with pytest.raises(kind):
        write_scores(TRACES, [SUNNY], name)
    assert [path.name for path in tmp_path.iterdir()] == ["sub.csv"]


def test_the_dump_is_never_replaced_by_its_scores(dump: Path) -> None:
    before = dump.read_bytes()
    with pytest.raises(BatchevalError, match=r"dump\.jsonl"):
        wrote(dump, dump)
    assert dump.read_bytes() == before


def test_long(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.parquet"
    scorers = [SUNNY, checks.used_no_tools()]
    written = wrote(dump, out, scorers, long=True, details=True, reasons=True, keep=["city"])
    found = pl.read_parquet(out)
    assert found.columns == [*IDENTITY, "city", "scorer", "score", "details", "reason"]
    assert found.height == 10
    assert found["scorer"].to_list() == ["includes", "used_no_tools"] * 5
    wide = score(read_traces(dump), scorers).collect()
    for scorer in scorers:
        part = found.filter(pl.col("scorer") == scorer.id)
        assert part["score"].to_list() == wide[scorer.id].to_list()
    assert written.counts["scored"] == 5
    assert metadata(out)["long"] is True
    assert_frame_equal(summarize(out), written.summary)


def test_on_rows_is_told_all(tmp_path: Path) -> None:
    told: list[int] = []
    write_scores(TRACES, [SUNNY], tmp_path / "s.parquet", on_rows=told.append)
    assert sum(told) == 4


# Choosing traces

WHERE: dict[str, list[str]] = {
    "latency_ms > 20": ["c", "d"],
    "latency_ms > 20 and run is null": ["c", "d"],
    "run = 'base' or tag = 'z'": ["a", "b", "c"],
    "output = ''": ["c"],
    "output like '%sunny%'": ["a", "d"],
    "metadata.city = 'Lyon'": ["a"],
    "metadata.city is not null": ["a", "d"],
    "tool_calls[0].name = 'g'": ["d"],
    "tool_calls[-1].name in ('f')": ["a", "d"],
    "output = 'metadata.city'": [],
    'tag in (\'x\', \'y\') and "output" <> \'Rain.\'': ["a"],
    "not (latency_ms > 20)": ["a"],
    "trial is null": ["a", "b", "c", "d"],
    "line <= 2": ["a", "b"],
}  # fmt: skip


@pytest.mark.parametrize("sql", WHERE)
def test_where(sql: str) -> None:
    assert where(TRACES, sql).collect()["trace_id"].to_list() == WHERE[sql]


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    rows=st.integers(0, 300),
    wanted=st.integers(1, 320),
    seed=st.integers(-(2**63), 2**64),
    cut=st.integers(0, 300),
)
def test_sample(rows: int, wanted: int, seed: int, cut: int) -> None:
    """A subset in order, of that size; the same whatever comes in parts, and another by seed."""
    traces = pl.DataFrame({"trace_id": [f"{n:03}" for n in range(rows)]})
    found = sample(traces, wanted, seed).collect()["trace_id"].to_list()
    assert len(found) == min(rows, wanted)
    assert found == sorted(set(found))
    parts = pl.concat([traces[:cut].lazy(), traces[cut:].lazy()])
    for engine in ("in-memory", "streaming"):
        again = sample(parts, wanted, seed).collect(engine=engine)["trace_id"].to_list()
        assert again == found


def test_samples_are_fair_and_differ_by_seed() -> None:
    traces = pl.DataFrame({"trace_id": [str(n) for n in range(20)]})
    drawn = [tuple(sample(traces, 5, seed).collect()["trace_id"]) for seed in range(150)]
    assert len(set(drawn)) > 130
    counts = [sum(str(n) in ids for ids in drawn) for n in range(20)]
    assert min(counts) > 15  # 37.5 expected, and 5.3 the deviation
    assert max(counts) < 60


def test_a_sample_is_scored_as_the_whole_is(dump: Path, tmp_path: Path) -> None:
    log = ReadLog()
    traces = sample(read_traces(dump, log=log), 3, seed=4)
    written = write_scores(traces, [SUNNY], tmp_path / "s.parquet", log=log)
    counts = written.counts
    assert (counts["rows"], counts["scored"], counts["lines"]) == (5, 3, 7)
    whole = score(read_traces(dump), [SUNNY]).collect()
    found = pl.read_parquet(tmp_path / "s.parquet")
    assert_frame_equal(found, whole.filter(pl.col("line").is_in(found["line"].implode())))
