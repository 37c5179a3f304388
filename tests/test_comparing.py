"""Runs compared: which rows pair, what is told of them, and every odd case there is."""

import json
import re
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import binomtest

from batcheval import Comparison, compare, compare_many
from batcheval.comparing import open_run, pair
from batcheval.comparing.pass_fail import adjusted_interval
from batcheval.errors import BatchevalError
from batcheval.report import render_comparison
from batcheval.summary import open_scores


def run(scores: list[float | None], name: str = "s", **columns: list[Any]) -> pl.DataFrame:
    """A run whose traces are numbered, unless the columns say otherwise."""
    columns.setdefault("trace_id", [f"t{number}" for number in range(len(scores))])
    return pl.DataFrame({**columns, name: pl.Series(scores, dtype=pl.Float64)})


def only(comparison: Comparison) -> dict[str, Any]:
    (row,) = comparison.scorers.to_dicts()
    return row


def told(base: pl.DataFrame, candidate: pl.DataFrame, **options: Any) -> dict[str, Any]:
    return only(compare(base, candidate, **{"resamples": 200, **options}))


# Edge cases, one by one.


@pytest.mark.parametrize("scores", [[1.0, 0.0, 1.0, 1.0] * 20, [0.3, 0.9, 1.0, 0.55] * 20])
def test_identical_runs(scores: list[float | None]) -> None:
    row = told(run(scores), run(scores))
    assert (row["p"], row["p_holm"], row["p_bh"]) == (1.0, 1.0, 1.0)
    assert (row["difference"], row["wins"], row["ties"], row["losses"]) == (0.0, 0, 80, 0)
    assert row["low"] <= 0 <= row["high"]
    assert row["effect"] == 0.0
    assert row["verdict"] == "no difference shown"


def test_all_ties_of_passes_still_have_an_interval() -> None:
    row = told(run([1.0] * 10), run([1.0] * 10))
    assert (row["low"], row["high"]) == adjusted_interval(10, 0, 0, 0.95)
    assert row["low"] < 0 < row["high"]
    assert row["se"] == 0.0
    assert row["mde"] > 0.1
    assert row["verdict"] == "too few to tell"


@pytest.mark.parametrize(("before", "after"), [(0.0, 1.0), (0.2, 0.9)])
def test_one_pair(before: float, after: float) -> None:
    row = told(run([before]), run([after]))
    assert (row["n"], row["wins"], row["p"]) == (1, 1, 1.0)
    assert row["difference"] == pytest.approx(after - before)
    assert row["se"] is None
    assert row["verdict"] == "too few to tell"
    assert (row["low"] is None) == (before == 0.2)


@pytest.mark.parametrize("scores", [[1.0, 0.0, 1.0], [0.2, 0.9, 0.4]])
def test_one_cluster(scores: list[float | None]) -> None:
    same = {"city": ["Lyon"] * 3}
    row = told(run([0.0] * 3, **same), run(scores, **same), cluster="city")
    assert (row["n"], row["clusters"]) == (3, 1)
    assert row["difference"] == pytest.approx(fmean(s or 0.0 for s in scores))
    assert [row[name] for name in ("p", "p_holm", "p_bh", "se", "low", "mde")] == [None] * 6
    assert row["verdict"] == "too few to tell"


@pytest.mark.parametrize("resamples", [0, 200])
def test_constant_scores(resamples: int) -> None:
    row = told(run([0.5] * 30), run([0.6] * 30), resamples=resamples)
    assert row["low"] == row["high"] == row["difference"] == pytest.approx(0.1)
    assert row["effect"] is None
    assert row["mde"] is None
    assert row["p"] == pytest.approx(2 / 2**30)
    assert row["verdict"] == "better"
    assert told(run([0.6] * 30), run([0.5] * 30))["verdict"] == "worse"


def test_a_thousand_two_hundred_pairs_that_differ() -> None:
    base = run([0.0] * 660 + [1.0] * 540)
    row = told(base, run([1.0] * 660 + [0.0] * 540))
    assert (row["wins"], row["ties"], row["losses"]) == (660, 0, 540)
    assert row["p"] == pytest.approx(binomtest(540, 1_200).pvalue, rel=1e-9)
    assert row["verdict"] == "better"


def test_unscored_rows_are_told_and_left_out() -> None:
    base = run([1.0, None, 0.0, float("nan"), 1.0, None])
    candidate = run([None, 1.0, 1.0, 1.0, float("inf"), None])
    comparison = compare(base, candidate)
    row = only(comparison)
    assert comparison.pairs == 6
    assert (row["n"], row["unscored_base"], row["unscored_candidate"]) == (1, 3, 3)
    assert (row["base"], row["candidate"]) == (0.0, 1.0)
    assert "unscored: 3 in the base and 3 in the candidate" in render_comparison(comparison)


def test_nothing_scored() -> None:
    row = told(run([None, None]), run([1.0, 0.0]))
    assert (row["n"], row["wins"], row["verdict"]) == (0, 0, "too few to tell")
    assert row["p"] is row["p_holm"] is row["difference"] is None
    both = run([None] * 9).with_columns(right=pl.Series([0.0] * 9))
    better = run([1.0] * 9).with_columns(right=pl.Series([1.0] * 9))
    rows = compare(both, better).scorers
    assert rows["p_holm"].to_list() == [None, 2 / 2**9]


def trials(counts: dict[str, int], score: float) -> pl.DataFrame:
    names = [(task, trial) for task, count in counts.items() for trial in range(count)]
    columns = {"task_id": [task for task, _ in names], "trial": [trial for _, trial in names]}
    return run([score] * len(names), **columns, trace_id=[None] * len(names))


def test_unequal_repeats() -> None:
    base, candidate = trials({"a": 3, "b": 2, "c": 1}, 0.0), trials({"a": 2, "b": 4}, 1.0)
    found = compare(base, candidate)
    assert found.key == ("task_id", "trial")
    assert found.pairs == 4
    assert (found.cluster, found.clusters) == (("task_id",), 2)
    assert (found.base_rows.unpaired, found.candidate_rows.unpaired) == (2, 2)
    assert found.base_rows.examples == [
        {"task_id": "a", "trial": 2},
        {"task_id": "c", "trial": 0},
    ]
    by_task = compare(base, candidate, key="task_id")
    assert (by_task.pairs, by_task.clusters) == (2, None)
    assert (by_task.base_rows.repeated, by_task.candidate_rows.repeated) == (2, 2)
    assert (by_task.base_rows.unpaired, by_task.candidate_rows.unpaired) == (1, 0)
    assert "means of trials stand for 2 of the base and 2 of the candidate" in by_task.made_by


def test_repeats_of_one_run_are_averaged() -> None:
    base = run([0.0, 1.0], task_id=["a", "b"])
    columns = {"task_id": ["a", "a", "b", "b"], "trial": [1, 2, 1, 2]}
    row = told(base, run([1.0, 0.0, 1.0, None], **columns))
    assert (row["n"], row["base"], row["candidate"]) == (2, 0.5, 0.75)


def test_trials_of_a_task_are_no_independent_pairs() -> None:
    columns = {
        "task_id": [f"t{task}" for task in range(6) for _ in range(10)],
        "trial": list(range(10)) * 6,
        "trace_id": [None] * 60,
    }
    after = [1.0] * 20 + [0.0] * 40
    row = told(run([0.0] * 60, **columns), run(after, **columns))
    assert (row["test"], row["interval"]) == ("cluster-robust t", "cluster BCa")
    assert (row["clusters"], row["wins"]) == (6, 20)
    alone = told(run([0.0] * 60), run(after))
    assert alone["test"] == "exact McNemar"
    assert alone["verdict"] == "better"
    assert row["p"] > 0.1 > 0.001 > alone["p"]
    assert row["verdict"] == "too few to tell"


def test_one_trial_a_task_needs_no_clusters() -> None:
    columns = {"task_id": ["a", "b", "c"], "trial": [1, 1, 1]}
    found = compare(run([0.0] * 3, **columns), run([1.0] * 3, **columns))
    assert (found.key, found.cluster) == (("task_id", "trial"), None)


def test_a_pair_without_a_cluster_stands_alone() -> None:
    base = run([0.0] * 5, city=["Lyon", None, "Lyon", None, "Bern"])
    found = compare(base, run([1.0, 0.5, 0.0, 1.0, 0.0]), cluster="city", resamples=0)
    assert found.clusters == 4
    codes = pl.Series(["Lyon", "1", "Lyon", "2", "Bern"])
    named = compare(base.with_columns(city=codes), run([1.0, 0.5, 0.0, 1.0, 0.0]), cluster="city")
    assert only(found)["p"] == only(named)["p"]
    assert only(found)["interval"] == "cluster-robust t"
    assert only(found)["low"] == only(found)["se_low"]


# Which rows pair.

IDS = st.lists(st.integers(0, 12), max_size=15, unique=True)


@settings(deadline=None)
@given(IDS, IDS, st.booleans())
def test_pairs_are_those_of_the_twin(left: list[int], right: list[int], as_text: bool) -> None:
    """Each key pairs once, whatever its type; numbers are their text."""
    base = run([float(i) for i in left], trace_id=left)
    candidate = run([i / 2 for i in right], trace_id=[str(i) if as_text else i for i in right])
    shared = [i for i in left if i in right]
    if not shared:
        with pytest.raises(BatchevalError, match="no two rows pair"):
            compare(base, candidate)
        return
    pairs = pair(open_run(base, "b"), open_run(candidate, "c"), ["s"])
    assert pairs.frame["base:s"].to_list() == [float(i) for i in shared]
    assert pairs.frame["candidate:s"].to_list() == [i / 2 for i in shared]
    for side, ids in ((pairs.base, left), (pairs.candidate, right)):
        assert (side.rows, side.unpaired) == (len(ids), len(ids) - len(shared))
        alone = [i for i in ids if i not in shared][:5]
        assert [str(example["trace_id"]) for example in side.examples] == [str(i) for i in alone]


@pytest.mark.parametrize(
    "ids",
    [
        pl.Series([1, 2, 30]),
        pl.Series([1, 2, 30], dtype=pl.UInt8),
        pl.Series([1.0, 2.0, 30.0]),
        pl.Series(["1", "2", "30"]),
        pl.Series(["1", "2", "30"], dtype=pl.Categorical),
        pl.Series(["1.00", "2", "30"]).str.to_decimal(scale=2),
    ],
    ids=lambda ids: str(ids.dtype),
)
def test_ids_of_any_type_pair(ids: pl.Series) -> None:
    base = run([0.0] * 3).with_columns(trace_id=ids)
    assert compare(base, run([1.0] * 3, trace_id=["30", "1", "2"])).pairs == 3
    assert compare(run([1.0] * 3, trace_id=[30, 1, 2]), base).pairs == 3


def test_ids_that_only_look_alike_do_not_pair() -> None:
    base = run([0.0] * 4, trace_id=["01", "1.0", " 1", "1"])
    assert compare(base, run([0.0], trace_id=[1])).pairs == 1
    floats = run([0.0] * 3, trace_id=[1.5, float("nan"), 2.0])
    found = compare(floats, run([0.0] * 3, trace_id=["1.5", "NaN", "2"]))
    assert (found.pairs, found.base_rows.without_key) == (2, 1)


def test_rows_without_a_key_are_counted() -> None:
    base = run([0.0] * 4, trace_id=["a", None, None, "b"])
    found = compare(base, run([0.0] * 2, trace_id=["a", None]))
    assert found.pairs == 1
    assert (found.base_rows.unpaired, found.base_rows.without_key) == (3, 2)
    text = render_comparison(found)
    assert "warning: 1 row of the base has no partner: trace_id 'b'\n" in text
    assert "warning: 2 rows of the base have no key\n" in text
    assert "warning: 1 row of the candidate has no key\n" in text


def test_a_null_trial_pairs_with_a_null_trial() -> None:
    columns = {"task_id": ["a", "a", "b", None], "trial": [None, 1, None, 1]}
    found = compare(run([0.0] * 4, **columns), run([1.0] * 4, **columns))
    assert (found.pairs, found.base_rows.without_key) == (3, 1)


def test_the_key_is_task_and_trial_then_the_trace() -> None:
    tasks = {"task_id": ["x", "y"], "trial": [1, 1]}
    assert compare(run([0.0, 1.0], **tasks), run([0.0, 1.0], **tasks)).key == ("task_id", "trial")
    no_trial = compare(run([0.0, 1.0], **tasks), run([0.0, 1.0], task_id=["x", "y"]))
    assert no_trial.key == ("task_id",)
    assert compare(run([0.0, 1.0], **tasks), run([0.0, 1.0])).key == ("trace_id",)
    others = run([0.0, 1.0], task_id=["v", "w"])
    assert compare(run([0.0, 1.0], **tasks), others).key == ("trace_id",)


def test_a_key_of_ones_own() -> None:
    base = run([0.0, 1.0], metadata=['{"n": 1}', '{"n": 2}'], input=["p", "q"])
    candidate = run([1.0, 0.0], metadata=['{"n": "2"}', '{"n": 1}'], input=["q", "p"])
    for key in ("metadata.n", "input", ["input", "metadata.n"]):
        found = compare(base, candidate, key=key)
        assert (found.pairs, only(found)["ties"]) == (2, 2)


def test_keys_that_repeat_are_refused() -> None:
    base = run([0.0] * 5, trace_id=["a", "b", "a", "a", "b"])
    message = (
        "in base 2 keys stand on several rows: trace_id 'a' (3 rows); trace_id 'b' (2 rows);"
        " number the repeats in 'trial', or name a finer key"
    )
    with pytest.raises(BatchevalError, match=f"^{re.escape(message)}$"):
        compare(base, run([0.0], trace_id=["a"]))
    runs = base.with_columns(run=pl.Series(["x", "y", "z", "x", "x"]))
    with pytest.raises(BatchevalError, match=r"pick a run: FILE@RUN \(its runs: 'x', 'y', 'z'\)"):
        compare(runs, run([0.0], trace_id=["a"]))


@pytest.mark.parametrize("trial", [[1, 1, 2], [1, None, 2], [None, None, None]])
def test_repeats_that_trial_does_not_tell_apart_are_refused(trial: list[int | None]) -> None:
    base = run([0.0] * 3, trace_id=["a", "a", "b"], trial=pl.Series(trial, dtype=pl.Int64))
    with pytest.raises(BatchevalError, match=r"in base 1 key stands on several rows: trace_id 'a'"):
        compare(base, run([0.0] * 2, trace_id=["a", "b"]))


PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), max_size=12, unique=True)


@settings(max_examples=60, deadline=None)
@given(PAIRS, PAIRS)
def test_no_row_is_multiplied(left: list[tuple[str, int]], right: list[tuple[str, int]]) -> None:
    frames = [
        run([1.0] * len(rows), task_id=[t for t, _ in rows], trial=[n for _, n in rows])
        for rows in (left, right)
    ]
    runs = [open_run(frame, "r") for frame in frames]
    tasks = [Counter(task for task, _ in rows) for rows in (left, right)]
    if shared := set(tasks[0]) & set(tasks[1]):
        pairs = pair(runs[0], runs[1], ["s"], "task_id")
        assert pairs.frame.height == len(shared)
        assert pairs.base.repeated == sum(count > 1 for count in tasks[0].values())
        alone = sum(count for task, count in tasks[0].items() if task not in shared)
        assert pairs.base.unpaired == alone
    if both := set(left) & set(right):
        pairs = pair(runs[0], runs[1], ["s"], ["task_id", "trial"])
        assert pairs.frame.height == len(both)


# What is told.


def test_many_scorers_and_many_candidates_are_one_family() -> None:
    base, candidate = run([0.0] * 8), run([1.0] * 8)
    assert told(base, candidate)["p_holm"] == 2 / 2**8
    both = compare_many(base, [candidate, base, candidate])
    assert [only(found)["p_holm"] for found in both] == [6 / 2**8, 1.0, 6 / 2**8]
    assert [found.candidate for found in both] == ["candidate", "candidate 2", "candidate 3"]
    names = {f"s{number}": pl.Series([1.0] * 8) for number in range(9)}
    wide = compare(
        base.with_columns(**{k: 1 - v for k, v in names.items()}), candidate.with_columns(**names)
    )
    assert set(wide.scorers["p_holm"]) == {20 / 2**8}


def test_a_small_p_for_one_test_is_said_to_be_none_for_many() -> None:
    base = pl.DataFrame({"trace_id": range(7)}).with_columns(
        pl.lit(0.0).alias(f"s{number}") for number in range(9)
    )
    candidate = base.with_columns(s0=pl.lit(1.0))
    found = compare(base, candidate)
    row = found.scorers.row(0, named=True)
    assert (row["p"], row["p_holm"]) == (2 / 2**7, 18 / 2**7)
    assert row["verdict"] in ("no difference shown", "too few to tell")
    assert "p = 0.0156 would do for one test, not for one of 9" in render_comparison(found)


def test_many_small_losses_and_two_great_wins() -> None:
    """The ranks say worse, the mean does not: neither is believed."""
    base, candidate = run([0.05] * 30), run([1.0, 1.0, *(i / 1_000 for i in range(28))])
    found = compare(base, candidate)
    row = only(found)
    assert row["p"] < 0.001
    assert row["low"] < 0 < row["difference"] < row["high"]
    assert row["verdict"] in ("no difference shown", "too few to tell")
    assert "but the interval of the mean says otherwise" in render_comparison(found)


def test_only_shared_scorers_are_compared() -> None:
    base = run([0.0]).with_columns(x=0.5, y=0.5)
    found = compare(base, run([0.0], "y").with_columns(z=0.5))
    assert found.scorers["scorer"].to_list() == ["y"]
    assert (found.only_base, found.only_candidate) == (["s", "x"], ["z"])
    assert "not compared, since only the base has it: 's', 'x'" in render_comparison(found)


def test_slices() -> None:
    cities = ["Lyon", "Bern", None, "Lyon", None, None]
    base = run([0.0] * 6, city=cities, n=[1, 1, 2, 2, 2, 2])
    candidate = run([1.0, 0.0, 1.0, 1.0, 0.0, 0.5], city=["elsewhere"] * 6)
    found = compare(base, candidate, by=["city", "n"], resamples=0)
    shown = found.slices.select("column", "value", "n", "candidate").rows()
    assert shown == [
        ("city", "Bern", 1, 0.0),
        ("city", "Lyon", 2, 1.0),
        ("city", None, 3, 0.5),
        ("n", "1", 2, 0.5),
        ("n", "2", 4, 0.625),
    ]
    text = render_comparison(found)
    assert text.index("city = Lyon") < text.index("city is null") < text.index("n = 2")
    assert compare(candidate, base, by="n").slices["value"].to_list() == ["1", "2"]


def test_a_slice_is_what_its_rows_alone_come_to() -> None:
    scores = [[(i * k % 11) / 10 for i in range(60)] for k in (3, 7)]
    columns = {"task_id": [str(i // 3) for i in range(60)], "trial": [i % 3 for i in range(60)]}
    columns |= {"part": ["x" if i % 4 < 2 else "y" for i in range(60)], "trace_id": [None] * 60}
    base, candidate = (run(one, **columns) for one in scores)  # type: ignore[arg-type]
    found = compare(base, candidate, by="part", resamples=300).slices
    for part in ("x", "y"):
        alone = compare(
            base.filter(part=part), candidate.filter(part=part), by="part", resamples=300
        ).scorers
        columns_ = [n for n in alone.columns if not n.startswith("p_") and n != "verdict"]
        assert_frame_equal(found.filter(value=part).select(columns_), alone.select(columns_))


def test_slices_of_too_many_values() -> None:
    many = run([0.0] * 1_001)
    with pytest.raises(BatchevalError, match="'by' must be columns of at most 1,000 values"):
        compare(many, many, by="trace_id")


def test_the_seed_tells_the_bootstrap() -> None:
    base, candidate = run([0.1, 0.5, 0.9, 0.3] * 5), run([0.2, 0.4, 0.95, 0.6] * 5)
    one = compare(base, candidate, seed=1)
    assert_frame_equal(one.scorers, compare(base, candidate, seed=1).scorers, check_exact=True)
    assert only(one)["low"] != told(base, candidate, seed=2)["low"]
    assert (one.settings.seed, one.settings.resamples) == (1, 10_000)


def test_confidence_widens_the_interval() -> None:
    base, candidate = run([0.1, 0.5, 0.9, 0.3] * 5), run([0.2, 0.4, 0.95, 0.6] * 5)
    for resamples in (0, 500):
        wide, narrow = (
            told(base, candidate, confidence=c, resamples=resamples) for c in (0.99, 0.8)
        )
        assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"]
        assert wide["mde"] > narrow["mde"]


# Where scores come from.


def scored() -> pl.DataFrame:
    columns = {
        "trace_id": ["a", "b", "c", "d"],
        "run": ["old", "old", "n@w", "n@w"],
        "task_id": ["1", "2", "1", "2"],
        "trial": [1, 1, 1, 1],
        "source": ["f"] * 4,
        "line": [1, 2, 3, 4],
    }
    return run([0.0, 1.0, 1.0, 1.0], **columns).with_columns(t=pl.Series([0.5, 0.6, 0.7, None]))


def as_long(frame: pl.DataFrame) -> pl.DataFrame:
    ids = ["trace_id", "run", "task_id", "trial", "source", "line"]
    return frame.unpivot(on=["s", "t"], index=ids, variable_name="scorer", value_name="score")


EXPECTED = [("s", 2, 0.5, 1.0), ("t", 1, 0.5, 0.7)]
SHOWN = ("scorer", "n", "base", "candidate")


@pytest.mark.parametrize("name", ["s.parquet", "a@b.parquet", "s.jsonl", "s.csv"])
@pytest.mark.parametrize("long", [False, True])
def test_runs_of_one_file(tmp_path: Path, name: str, long: bool) -> None:
    frame, path = as_long(scored()) if long else scored(), tmp_path / name
    writers = {".parquet": frame.write_parquet, ".jsonl": frame.write_ndjson}
    writers.get(path.suffix, frame.write_csv)(path)
    found = compare(f"{path}@old", f"{path}@n@w")
    assert found.scorers.select(SHOWN).rows() == EXPECTED
    assert found.base == f"'{path}@old'"
    with pytest.raises(BatchevalError, match=r"has no run 'odl'; did you mean 'old'\?"):
        compare(f"{path}@odl", f"{path}@n@w")


def test_files_folders_tables_and_opened_files(tmp_path: Path) -> None:
    for number, part in enumerate(scored().partition_by("run", maintain_order=True)):
        (tmp_path / str(number)).mkdir()
        for row in range(part.height):
            as_long(part[row : row + 1]).write_parquet(tmp_path / f"{number}/{row}.parquet")
        part.write_parquet(tmp_path / f"{number}.parquet")
    (tmp_path / "0/notes.txt").write_text("no scores")
    folders, files = ([tmp_path / f"{n}{end}" for n in (0, 1)] for end in ("", ".parquet"))
    opened = [open_scores(path) for path in files]
    tables = [pl.read_parquet(path) for path in files]
    lazy = [as_long(table).lazy() for table in tables]
    for base, candidate in (folders, files, opened, tables, lazy):
        assert compare(base, candidate).scorers.select(SHOWN).rows() == EXPECTED


def test_a_trace_that_stands_twice_in_the_long_form_is_seen() -> None:
    twice = as_long(pl.concat([scored()[:1], scored()[:1]]))
    with pytest.raises(BatchevalError, match=r"in base 1 key stands on several rows"):
        compare(twice, scored()[:1])


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"key": []}, "'key' must be a column, or several different ones"),
    ({"key": ["trace_id", "trace_id"]}, "'key' must be a column, or several different ones"),
    ({"key": "trace"}, "the key reads 'trace', which the scores of base lack; did you mean"),
    ({"key": "list"}, "'key' must be columns of text, numbers or times, not 'list'"),
    ({"by": "city"}, "by reads 'city', which the scores of base lack; .*--keep city"),
    ({"by": "list"}, "'by' must be columns of text, numbers or times, not 'list'"),
    ({"cluster": "list"}, "'cluster' must be columns of text, numbers or times, not 'list'"),
    ({"cluster": "city"}, "cluster reads 'city', which the scores of base lack"),
    ({"confidence": 95}, "'confidence' must be a number between 0 and 1"),
    ({"resamples": 1}, "'resamples' must be 0, or from 100 to 1,000,000"),
    ({"resamples": 10**10}, "'resamples' must be 0, or from 100 to 1,000,000"),
    ({"seed": -1}, "'seed' must be 0 or more"),
]


@pytest.mark.parametrize(("options", "message"), MISTAKES)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    base = run([0.0, 1.0], list=[[1], [2]])
    with pytest.raises(BatchevalError, match=f"^{message}"):
        compare(base, base, **options)


def test_candidates_are_a_list() -> None:
    with pytest.raises(BatchevalError, match=r"^'candidates' must be a list of runs, not 'a'"):
        compare_many(run([0.0]), "a")  # type: ignore[arg-type]
    assert compare_many(run([0.0]), []) == []


def test_runs_that_cannot_be_compared(tmp_path: Path) -> None:
    with pytest.raises(BatchevalError, match="share no scorer: base has 's', candidate has 'x'"):
        compare(run([0.0]), run([0.0], "x"))
    nothing = "the runs share no value of 'trace_id'; name a key .* --keep input"
    with pytest.raises(BatchevalError, match=nothing) as caught:
        compare(run([0.0]), run([0.0], trace_id=["x"]))
    assert caught.value.exit_code == 3
    empty = run([], trace_id=pl.Series([], dtype=pl.String))
    for key in (None, "trace_id"):
        with pytest.raises(BatchevalError, match="no two rows pair"):
            compare(empty, run([0.0]), key=key)
    with pytest.raises(BatchevalError, match="cannot be read: no such file"):
        compare(tmp_path / "none.parquet", run([0.0]))
    with pytest.raises(BatchevalError, match="it is a folder without a file of scores"):
        compare(tmp_path, run([0.0]))
    scored().drop("run").write_parquet(tmp_path / "s.parquet")
    with pytest.raises(BatchevalError, match="has no run 'x'; its runs: none"):
        compare(f"{tmp_path / 's.parquet'}@x", run([0.0]))


# How it reads.


def test_the_page() -> None:
    base, candidate = run([0.0] * 7 + [1.0]), run([1.0] * 7 + [0.0])
    found = compare(base.with_columns(n=0.25), candidate.with_columns(n=0.25), resamples=0)
    assert render_comparison(found) == PAGE


PAGE = """\
base: 8 rows
candidate: 8 rows
8 pairs: rows with the same 'trace_id'

scorer  pairs   base  candidate  difference      95% interval  wins  ties  losses  p (Holm)              verdict
------  -----  -----  ---------  ----------  ----------------  ----  ----  ------  --------  -------------------
s           8  0.125      0.875      +0.750  +0.104 to +1.000     7     0       1     0.141      too few to tell
n           8  0.250      0.250       0.000    0.000 to 0.000     0     8       0     1.000  no difference shown

s: too few to tell: only a difference of 0.709 or more would be shown in 4 of 5 such comparisons with 8 pairs
n: no difference shown: 8 pairs without any spread in their differences

scorer                  test      p  p (Holm)  p (BH)      interval            effect  detectable
------  --------------------  -----  --------  ------  ------------  ----------------  ----------
s              exact McNemar  0.070     0.141   0.141  Bonett-Price   Cohen's g 0.375       0.709
n       Wilcoxon signed-rank  1.000     1.000   1.000             t  Cohen's dz 0.000           -"""  # noqa: E501


def test_json_has_all() -> None:
    found = compare(run([0.0, 1.0]), run([1.0, 0.5]), by="trace_id")
    document = json.loads(render_comparison(found, "json"))
    assert document["scorers"] == found.scorers.to_dicts()
    assert document["slices"] == found.slices.to_dicts()
    assert document["key"] == ["trace_id"]
    assert document["base_rows"]["rows"] == 2
    assert set(document) == set(found.__dataclass_fields__)


def test_markdown_is_safe() -> None:
    base = run([0.0] * 2, "a|b", city=["<b>", "*"])
    text = render_comparison(compare(base, base, by="city"), "markdown")
    assert r"| a\|b | 2 |" in text
    assert "<details><summary>city = &lt;b&gt;</summary>" in text
    assert "- base: 2 rows\n" in text


def test_an_unknown_format() -> None:
    found = compare(run([0.0]), run([0.0]))
    with pytest.raises(BatchevalError, match="'format' must be one of 'text', 'markdown', 'json'"):
        render_comparison(found, "html")  # type: ignore[arg-type]
