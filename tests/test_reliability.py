"""Trials of tasks: pass@k and pass^k against exact fractions, and every odd case there is."""

import json
import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from batcheval import Reliability, reliability
from batcheval.cli.main import commands
from batcheval.comparing.proportions import share_interval, wilson
from batcheval.comparing.units import Units, standard_error
from batcheval.errors import BatchevalError
from batcheval.report import render_reliability
from batcheval.trials.estimators import pass_at_k, pass_hat_k
from batcheval.trials.tables import k_rows

SAME = {"rel": 1e-9, "abs": 1e-12}
SCORES = st.one_of(st.sampled_from([0.0, 1.0, 1.0, None]), st.floats(0, 1))


def scores(tasks: dict[str | None, list[float | None]], **columns: Any) -> pl.DataFrame:
    """A row a trial, the trials of the tasks one after the other."""
    rows = [(task, score) for task, trials in tasks.items() for score in trials]
    return pl.DataFrame(
        {"trace_id": [f"r{n}" for n in range(len(rows))], "task_id": [task for task, _ in rows]}
        | {"right": pl.Series([score for _, score in rows], dtype=pl.Float64), **columns}
    )


def at_k(found: Reliability) -> dict[int, dict[str, Any]]:
    return {row["k"]: row for row in found.at_k.to_dicts()}


def only(found: Reliability) -> dict[str, Any]:
    (row,) = found.scorers.to_dicts()
    return row


# The estimators.


def exact(trials: int, successes: int, k: int) -> tuple[float, float]:
    ways = math.comb(trials, k)
    at = 1 - Fraction(math.comb(trials - successes, k), ways)
    return float(at), float(Fraction(math.comb(successes, k), ways))


@pytest.mark.parametrize("trials", [1, 2, 3, 7, 12])
def test_estimators_are_the_fractions_of_their_papers(trials: int) -> None:
    for k in range(1, trials + 1):
        ns, cs = np.full(trials + 1, float(trials)), np.arange(trials + 1.0)
        wanted = [exact(trials, c, k) for c in range(trials + 1)]
        found = list(zip(pass_at_k(ns, cs, k), pass_hat_k(ns, cs, k), strict=True))
        assert np.array(found) == pytest.approx(np.array(wanted), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("trials", "successes", "k"),
    [(5_000, 10, 1_000), (5_000, 4_990, 900), (100_000, 99_999, 5_000), (3_000, 1_500, 3_000)],
)
def test_many_trials_are_no_trouble(trials: int, successes: int, k: int) -> None:
    n, c = np.array([float(trials)]), np.array([float(successes)])
    at, hat = exact(trials, successes, k)
    assert pass_at_k(n, c, k).item() == pytest.approx(at, rel=1e-10)
    assert pass_hat_k(n, c, k).item() == pytest.approx(hat, rel=1e-10)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_estimators_count_the_draws(k: int) -> None:
    trials = [1, 0, 0, 1, 1, 0]
    draws = list(combinations(trials, k))
    n, c = np.array([6.0]), np.array([3.0])
    assert pass_at_k(n, c, k).item() == pytest.approx(fmean(map(any, draws)), **SAME)
    assert pass_hat_k(n, c, k).item() == pytest.approx(fmean(map(all, draws)), **SAME)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_estimators_are_unbiased(k: int) -> None:
    """Over all numbers of successes, weighted by their likelihood."""
    trials, chance = 5, 0.3
    weights = stats.binom.pmf(np.arange(trials + 1), trials, chance)
    n, c = np.full(trials + 1, float(trials)), np.arange(trials + 1.0)
    assert weights @ pass_at_k(n, c, k) == pytest.approx(1 - (1 - chance) ** k, **SAME)
    assert weights @ pass_hat_k(n, c, k) == pytest.approx(chance**k, **SAME)


# The intervals.


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 10_000), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_is_that_of_statsmodels(rows: int, share: float, confidence: float) -> None:
    passed = round(share * rows)
    wanted = proportion_confint(passed, rows, alpha=1 - confidence, method="wilson")
    found = wilson(passed / rows, rows, confidence)
    assert found == pytest.approx(tuple(np.clip(wanted, 0, 1)), rel=1e-9, abs=1e-9)


def test_the_share_interval_by_hand() -> None:
    values = np.array([0.5, 1.0, 0.0, 0.75, 1.0])
    units = Units(values, np.ones(5))
    error = stats.sem(values)
    assert standard_error(units) == pytest.approx(error, **SAME)
    rows = values.mean() * (1 - values.mean()) / error**2
    rows *= (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 4)) ** 2
    found = share_interval(units, 100, 0.95)
    assert found == pytest.approx(wilson(values.mean(), rows, 0.95), **SAME)
    assert share_interval(Units(values[:1], np.ones(1)), 9, 0.95) == (None, None)


@pytest.mark.parametrize(("tasks", "trials"), [(10, 4), (30, 3)])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_intervals_hold_what_they_promise(tasks: int, trials: int, k: int) -> None:
    """Tasks of unlike difficulty, some sure to pass: the true mean lies inside as often as said."""
    random = np.random.default_rng(5)
    for shape in ((2, 2), (4, 0.6), (0.4, 0.4)):
        true = stats.beta(*shape)
        held = {"pass_at_k": 0, "pass_hat_k": 0}
        means = true.expect(lambda p: 1 - (1 - p) ** k), true.moment(k)
        for _ in range(200):
            passed = random.binomial(trials, random.beta(*shape, tasks))
            table = pl.DataFrame({"trials": [trials] * tasks, "successes": passed})
            (row,) = k_rows("s", table, [k], 0.95)
            for name, mean in zip(held, means, strict=True):
                held[name] += row[f"{name}_low"] <= mean <= row[f"{name}_high"]
        assert min(held.values()) / 200 > 0.91


# A whole run.


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(SCORES, min_size=1, max_size=6), min_size=1, max_size=8))
def test_every_number_is_that_of_a_plain_twin(tasks: list[list[float | None]]) -> None:
    table = {f"t{n}": trials for n, trials in enumerate(tasks)}
    found = reliability(scores(table), k=[1, 2, 3])
    scored = [[s for s in trials if s is not None] for trials in tasks]
    had = [trials for trials in scored if trials]
    row = only(found)
    assert row["tasks"] == len(had)
    assert row["trials"] == sum(map(len, had))
    assert row["unscored"] == sum(len(t) for t in tasks) - row["trials"]
    passed = [sum(s == 1 for s in trials) for trials in had]
    assert row["always"] == sum(c == len(t) for c, t in zip(passed, had, strict=True))
    assert row["never"] == passed.count(0)
    assert row["always"] + row["sometimes"] + row["never"] == len(had)
    if had:
        assert row["mean"] == pytest.approx(fmean(map(fmean, had)), **SAME)
    for k, at in at_k(found).items():
        enough = [(len(t), sum(s == 1 for s in t)) for t in scored if len(t) >= k]
        assert (at["tasks"], at["left_out"]) == (len(enough), len(tasks) - len(enough))
        if enough:
            wanted = [exact(n, c, k) for n, c in enough]
            assert at["pass_at_k"] == pytest.approx(fmean(w[0] for w in wanted), **SAME)
            assert at["pass_hat_k"] == pytest.approx(fmean(w[1] for w in wanted), **SAME)
        assert found.left_out("right", k)["task"].to_list() == [
            name for name, t in zip(table, scored, strict=True) if len(t) < k
        ]
    for one in found.tasks.to_dicts():
        trials = [s for s in table[one["task"]] if s is not None]
        assert one["spread"] == (
            pytest.approx(pstdev(trials), rel=1e-6, abs=1e-8) if trials else None
        )


def test_part_of_a_reward_is_no_success() -> None:
    run = scores({"a": [0.9, 1.0], "b": [0.99, 0.5]})
    assert only(reliability(run))["never"] == 1
    assert at_k(reliability(run))[1]["pass_at_k"] == 0.25
    assert at_k(reliability(run, threshold=0.9))[1]["pass_at_k"] == 0.75


def test_k_doubles_up_to_the_most_trials() -> None:
    found = reliability(scores({"a": [1.0] * 9, "b": [1.0]}))
    assert found.at_k["k"].to_list() == [1, 2, 4, 8]
    assert found.at_k["left_out"].to_list() == [0, 1, 1, 1]
    assert at_k(found)[8]["pass_hat_k_low"] is None  # one task says nothing of others


def test_no_trial_is_scored() -> None:
    found = reliability(scores({"a": [None, None]}))
    row = only(found)
    assert (row["tasks"], row["trials"], row["unscored"], row["mean"]) == (0, 0, 2, None)
    assert at_k(found)[1]["pass_at_k"] is None
    assert "k = 1: left out, since 1 task has fewer than 1 scored trial: 'a'" in page(found)


def test_odd_scores_are_unscored() -> None:
    run = scores({"a": [math.nan, math.inf, 1.0]})
    assert only(reliability(run))["unscored"] == 2


def test_the_flakiest_task_is_first_and_of_equals_the_surer_one() -> None:
    run = scores({"calm": [1.0] * 4, "two": [0.0, 1.0], "four": [0, 1, 1, 0], "rare": [1, 1, 1, 0]})
    assert reliability(run).tasks["task"].to_list() == ["four", "two", "rare", "calm"]


def test_spread_is_that_within_tasks() -> None:
    groups = [[0.2, 0.4, 0.9], [1.0, 0.7], [0.5]]
    row = only(reliability(scores({str(n): group for n, group in enumerate(groups)})))
    squares = sum(len(g) * pstdev(g) ** 2 for g in groups)
    assert row["spread"] == pytest.approx((squares / 3) ** 0.5, **SAME)


def test_graded_scores_have_the_interval_of_t() -> None:
    groups = [[0.2, 0.4, 0.9], [1.0, 0.7], [0.5, 0.6]]
    row = only(reliability(scores({str(n): group for n, group in enumerate(groups)})))
    means = list(map(fmean, groups))
    wanted = stats.t.interval(0.95, 2, fmean(means), stats.sem(means))
    assert (row["low"], row["high"]) == pytest.approx(wanted, **SAME)


def test_passes_alone_have_the_interval_of_pass_at_1() -> None:
    found = reliability(scores({"a": [1.0] * 4, "b": [1.0] * 3}))
    row, one = only(found), at_k(found)[1]
    assert (row["low"], row["high"]) == (one["pass_at_k_low"], one["pass_at_k_high"])
    assert row["low"] < 1 == row["high"]


# Which rows are trials of what.


def test_rows_without_a_task_are_counted() -> None:
    found = reliability(scores({"a": [1.0, 0.0], None: [1.0]}))
    assert (found.rows, found.without_task, only(found)["trials"]) == (3, 1, 2)
    assert "warning: 1 row without 'task_id' left out" in page(found)


def test_tasks_are_told_by_what_there_is() -> None:
    run = scores({"a": [1.0, 0.0]})
    assert reliability(run).task == "task_id"
    bare = run.with_columns(task_id=pl.lit(None, pl.String))
    assert reliability(bare).task == "trace_id"
    kept = bare.with_columns(input=pl.lit("How much?"))
    assert reliability(kept).task == "input"
    assert only(reliability(kept))["tasks"] == 1
    cities = run.with_columns(metadata=pl.Series(['{"city": "Oslo"}', '{"city": "Bonn"}']))
    assert reliability(cities, task="metadata.city").tasks["task"].to_list() == ["Oslo", "Bonn"]


def test_several_runs_and_repeated_numbers_are_told() -> None:
    run = scores({"a": [1.0, 0.0, 1.0]}, run=["x", "x", "y"], trial=[1, 1, 1])
    said = page(reliability(run))
    assert "the rows of 2 runs count alike: 'x', 'y' (FILE@RUN takes one)" in said
    assert "warning: 1 row with the task, run and 'trial' of an earlier one" in said


def test_long_scores_are_the_same(tmp_path: Path) -> None:
    wide = scores({"a": [1.0, 0.0], "b": [1.0, 1.0]})
    long = wide.unpivot("right", index=["trace_id", "task_id"], variable_name="scorer")
    found = reliability(long.rename({"value": "score"}))
    assert found.at_k.equals(reliability(wide).at_k)
    wide.write_csv(tmp_path / "s.csv")
    assert reliability(tmp_path / "s.csv").at_k.equals(found.at_k)


def mistakes() -> Iterator[tuple[dict[str, Any], str]]:
    yield {"k": 0}, "'k' must be whole numbers from 1"
    yield {"k": []}, "'k' must be whole numbers from 1"
    yield {"k": [1, True]}, "'k' must be whole numbers from 1"
    yield {"threshold": 0}, "'threshold' must be a score above 0, at most 1"
    yield {"confidence": 1}, "'confidence' must be a number between 0 and 1"
    yield {"scorers": ["rigt"]}, "no scorer 'rigt'; did you mean 'right'?"
    yield {"task": "city"}, "task reads 'city', which the scores of the run lack"


@pytest.mark.parametrize(("options", "message"), list(mistakes()))
def test_a_mistake_is_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BatchevalError) as caught:
        reliability(scores({"a": [1.0]}), **options)
    assert message in str(caught.value)


# The pages.


def page(found: Reliability) -> str:
    return render_reliability(found)


def test_json_holds_all_and_the_names_of_those_left_out() -> None:
    found = reliability(scores({"a": [1.0, 0.0], "b": [1.0]}), k=2)
    document = json.loads(render_reliability(found, "json"))
    assert document["at_k"][0]["left_out"] == ["b"]
    assert document["scorers"] == found.scorers.to_dicts()
    assert document["tasks"] == found.tasks.to_dicts()
    assert document["task"] == "task_id"


def test_formats() -> None:
    found = reliability(scores({"a|b": [1.0, 0.0]}))
    assert "a\\|b" in render_reliability(found, "markdown")
    with pytest.raises(BatchevalError, match="format"):
        render_reliability(found, "html")  # type: ignore[arg-type]


def test_command(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    scores({"a": [1.0, 0.0], "b": [1.0]}, run=["x", "x", "y"]).write_parquet(path)
    done = CliRunner().invoke(
        commands, ["reliability", f"{path}@x", "--k", "1,2", "--scorer", "right"]
    )
    assert done.exit_code == 0, done.output
    assert "pass@k" in done.output
    assert "trials of 1 task" in done.output
    for numbers in ("1,x", "0", "9" * 30):
        wrong = CliRunner().invoke(commands, ["reliability", str(path), "--k", numbers])
        assert wrong.exit_code == 2
        assert "whole numbers from 1" in wrong.output
