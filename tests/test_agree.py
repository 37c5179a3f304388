"""Scores against human labels: every number against scikit-learn and others, every odd case."""

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from batcheval import Agreement, agree, checks, read_traces, write_scores
from batcheval.agreeing.cuts import best_cut, cut_interval
from batcheval.agreeing.ranking import levels_of, newcombe
from batcheval.agreeing.truth import truth_of
from batcheval.cli.main import commands
from batcheval.comparing.proportions import share_interval
from batcheval.comparing.units import Units
from batcheval.errors import (
    BadLabelsError,
    BatchevalError,
    LostTracesError,
    NoLabelsError,
    UnkeptColumnError,
)
from batcheval.report import render_agreement

SAME = {"rel": 1e-9, "abs": 1e-9}
SAMPLE = Path(__file__).parents[1] / "sample_traces" / "support_agent.jsonl"
ROWS = st.lists(
    st.tuples(st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1)), st.booleans()),
    min_size=1,
    max_size=60,
)


def run(scores: list[float | None], labels: list[Any], **columns: Any) -> pl.DataFrame:
    ids = [f"r{number}" for number in range(len(scores))]
    frame = {"trace_id": ids, "label": pl.Series(labels, strict=False), **columns}
    return pl.DataFrame({**frame, "s": pl.Series(scores, dtype=pl.Float64)})


def only(found: Agreement) -> dict[str, Any]:
    (row,) = found.scorers.to_dicts()
    return row


def told(scores: list[float | None], labels: list[Any], **options: Any) -> dict[str, Any]:
    return only(agree(run(scores, labels), "label", resamples=0, **options))


def ends(row: dict[str, Any], name: str) -> tuple[float, float]:
    return row[f"{name}_low"], row[f"{name}_high"]


# The numbers.


@settings(max_examples=40, deadline=None)
@given(ROWS, st.sampled_from([0.3, 0.5, 1.0]))
def test_numbers_are_those_of_scikit_learn(
    rows: list[tuple[float, bool]], threshold: float
) -> None:
    scores, labels = map(np.array, zip(*rows, strict=True))
    passed = scores >= threshold
    row = told(scores.tolist(), labels.tolist(), threshold=threshold)
    (tn, fp), (fn, tp) = metrics.confusion_matrix(labels, passed, labels=[False, True])
    assert [row[name] for name in ("n", "tp", "fp", "fn", "tn")] == [len(rows), tp, fp, fn, tn]
    assert row["agreement"] == pytest.approx(metrics.accuracy_score(labels, passed), **SAME)
    for name, score, exists in (
        ("precision", metrics.precision_score, passed.any()),
        ("recall", metrics.recall_score, labels.any()),
        ("f1", metrics.f1_score, passed.any() or labels.any()),
    ):
        wanted = score(labels, passed, zero_division=0.0)
        assert row[name] == (pytest.approx(wanted, **SAME) if exists else None)
        if exists:
            assert 0 <= row[f"{name}_low"] <= row[name] + 1e-12
            assert row[name] - 1e-12 <= row[f"{name}_high"] <= 1
    if len(set(labels) | set(passed)) == 2:
        assert row["kappa"] == pytest.approx(metrics.cohen_kappa_score(labels, passed), **SAME)
    else:
        assert row["kappa"] is None
    if labels.all() or not labels.any():
        assert (row["auroc"], row["best_threshold"]) == (None, None)
    else:
        assert row["auroc"] == pytest.approx(metrics.roc_auc_score(labels, scores), **SAME)


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_the_best_threshold_is_that_of_the_roc_curve(rows: list[tuple[float, bool]]) -> None:
    scores, labels = map(np.array, zip(*rows, strict=True))
    assume(0 < labels.sum() < labels.size and np.unique(scores).size > 1)
    row = told(scores.tolist(), labels.tolist())
    false, true, cuts = metrics.roc_curve(labels, scores, drop_intermediate=False)
    youden = (true - false)[1:-1]  # but for no row and all rows
    assert row["youden"] == pytest.approx(youden.max(), **SAME)
    best = cuts[1:-1][np.isclose(youden, youden.max(), rtol=0, atol=1e-12)]
    assert row["best_threshold"] == best.max()


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.integers(0, 40)] * 4))
def test_intervals_are_those_of_statsmodels(cells: tuple[int, int, int, int]) -> None:
    tp, fp, fn, tn = cells
    assume(tp + fp and fn + tn and tp + fn and fp + tn)
    scores = [1.0] * (tp + fp) + [0.0] * (fn + tn)
    row = told(scores, [True] * tp + [False] * fp + [True] * fn + [False] * tn)
    for name, hits, among in (
        ("agreement", tp + tn, sum(cells)),
        ("precision", tp, tp + fp),
        ("recall", tp, tp + fn),
    ):
        wanted = np.clip(proportion_confint(hits, among, method="wilson"), 0, 1)
        assert ends(row, name) == pytest.approx(tuple(wanted), **SAME)
    overlap = np.clip(proportion_confint(tp, tp + fp + fn, method="wilson"), 0, 1)
    assert ends(row, "f1") == pytest.approx(tuple(2 * overlap / (1 + overlap)), **SAME)
    oracle = cohens_kappa(np.array([[tp, fp], [fn, tn]]))
    assert row["kappa"] == pytest.approx(oracle.kappa, **SAME)
    if oracle.std_kappa > 1e-9:
        wanted = np.clip((oracle.kappa_low, oracle.kappa_upp), -1, 1)
        assert ends(row, "kappa") == pytest.approx(tuple(wanted), **SAME)


def slow_delong(scores: list[float], labels: list[bool]) -> tuple[float, float]:
    """AUROC and its standard error, pair by pair."""
    good = [s for s, label in zip(scores, labels, strict=True) if label]
    bad = [s for s, label in zip(scores, labels, strict=True) if not label]
    wins = np.array([[(g > b) + (g == b) / 2 for b in bad] for g in good])
    by_good, by_bad = wins.mean(axis=1), wins.mean(axis=0)
    variance = by_good.var(ddof=1) / len(good) + by_bad.var(ddof=1) / len(bad)
    return float(wins.mean()), math.sqrt(variance)


def test_the_error_of_auroc_is_delongs() -> None:
    random = np.random.default_rng(3)
    labels = random.random(80) < 0.4
    scores = np.round(np.clip(random.normal(0.5 + 0.15 * labels, 0.2), 0, 1), 1)
    row = told(scores.tolist(), labels.tolist())
    area, error = slow_delong(scores.tolist(), labels.tolist())
    assert row["auroc"] == pytest.approx(area, **SAME)
    half = 1.959963984540054 * error / (area * (1 - area))
    odds = math.log(area / (1 - area))
    wanted = [1 / (1 + math.exp(-(odds + side * half))) for side in (-1, 1)]
    assert ends(row, "auroc") == pytest.approx(tuple(wanted), **SAME)


def test_an_auroc_of_one_still_has_an_interval() -> None:
    row = told([0.1, 0.2, 0.8, 0.9], [False, False, True, True])
    assert row["auroc"] == 1
    assert ends(row, "auroc") == newcombe(1.0, 2, 2, 0.95)
    assert ends(row, "auroc")[0] < 0.9
    assert newcombe(0.0, 5, 7, 0.95)[1] == pytest.approx(1 - newcombe(1.0, 5, 7, 0.95)[0], abs=1e-9)


@pytest.mark.parametrize(("goods", "bads"), [(12, 8), (40, 60)])
def test_the_interval_of_auroc_holds_what_it_promises(goods: int, bads: int) -> None:
    random = np.random.default_rng(8)
    labels = np.array([True] * goods + [False] * bads)
    for apart in (0.0, 1.0, 2.0):
        true, held = stats.norm.cdf(apart / math.sqrt(2)), 0
        for _ in range(100):
            scores = stats.norm.cdf(random.normal(apart * labels))
            row = told(scores.tolist(), labels.tolist())
            held += row["auroc_low"] <= true <= row["auroc_high"]
        assert held / 100 > 0.9


def test_perfect_agreement_has_an_interval() -> None:
    row = told([1.0, 1.0, 0.0, 0.0], [1, 1, 0, 0])
    assert row["kappa"] == row["agreement"] == row["kappa_high"] == 1
    assert row["kappa_low"] == pytest.approx(2 * row["agreement_low"] - 1, **SAME)


# The bootstrap of the best threshold.


def cut(scores: np.ndarray, labels: np.ndarray, codes: Any = None) -> tuple[float, float]:
    found = cut_interval(levels_of(scores, labels), codes, 0.9, 400, 7)
    return found["best_threshold_low"], found["best_threshold_high"]


def test_the_interval_of_the_threshold_is_that_of_a_plain_bootstrap() -> None:
    random = np.random.default_rng(2)
    labels = random.random(150) < 0.5
    scores = np.round(np.clip(random.normal(0.4 + 0.3 * labels, 0.15), 0, 1), 1)
    plain = []
    for _ in range(400):
        rows = random.integers(0, 150, 150)
        plain.append(best_cut(levels_of(scores[rows], labels[rows]))["best_threshold"])
    low, high = np.quantile(plain, [0.05, 0.95], method="inverted_cdf")
    for codes in (None, np.arange(150)):
        assert cut(scores, labels, codes) == pytest.approx((low, high), abs=0.1001)


def test_a_threshold_is_as_sure_as_its_clusters_are_many() -> None:
    random = np.random.default_rng(4)
    labels = random.random(30) < 0.5
    scores = np.clip(random.normal(0.4 + 0.2 * labels, 0.2), 0, 1)
    many, codes = (np.tile(scores, 20), np.tile(labels, 20)), np.tile(np.arange(30), 20)
    alone, together = cut(*many), cut(*many, codes)
    assert together == cut(scores, labels, np.arange(30))
    assert alone[1] - alone[0] <= together[1] - together[0]


def test_thousands_of_scores_and_clusters_are_thinned_out() -> None:
    random = np.random.default_rng(6)
    labels = random.random(9_000) < 0.5
    scores = random.beta(2 + labels * 3.0, 3)
    for codes in (None, np.arange(9_000) // 2):
        low, high = cut(scores, labels, codes)
        assert low <= best_cut(levels_of(scores, labels))["best_threshold"] <= high
        assert high - low < 0.2


def test_the_same_seed_gives_the_same_interval() -> None:
    random = np.random.default_rng(1)
    frame = run(random.random(50).tolist(), (random.random(50) < 0.5).tolist())
    first, again, other = (agree(frame, "label", seed=seed) for seed in (1, 1, 2))
    assert first.scorers.equals(again.scorers)
    assert only(first)["best_threshold_low"] <= only(other)["best_threshold_high"]
    assert ends(told([0.0, 1.0], [0, 1]), "best_threshold") == (None, None)  # no resamples


# Clusters.


def test_rows_of_a_task_are_a_cluster() -> None:
    scores, labels = [1.0, 1.0, 0.0, 1.0, 0.0, 1.0], [1, 1, 0, 0, 1, 1]
    frame = run(scores, labels, task_id=["a", "a", "b", "b", "c", "c"])
    found = agree(frame, "label")
    assert (found.cluster, only(found)["clusters"]) == ("task_id", 3)
    units = Units(np.array([2.0, 1.0, 1.0]), np.full(3, 2.0))
    assert ends(only(found), "agreement") == share_interval(units, 6, 0.95)


def test_rows_said_again_tell_nothing_new() -> None:
    random = np.random.default_rng(9)
    labels = (random.random(40) < 0.6).tolist()
    scores = (random.random(40) < 0.5 + 0.3 * np.array(labels)).astype(float).tolist()
    frame = run(scores, labels, task_id=[f"t{number}" for number in range(40)])
    twice, often = (only(agree(pl.concat([frame] * times), "label")) for times in (2, 5))
    for name in ("agreement", "kappa", "precision", "recall", "f1", "auroc"):
        assert ends(twice, name) == pytest.approx(ends(often, name), **SAME)
        low, high = ends(told(scores, labels), name)
        assert twice[f"{name}_low"] < low + 0.02
        assert twice[f"{name}_high"] > high - 0.02


def test_tasks_of_one_row_are_no_clusters() -> None:
    frame = run([1.0, 0.0], [1, 0], task_id=["a", "b"], city=["x", "x"])
    assert agree(frame, "label").cluster is None
    found = agree(frame, "label", cluster="city")
    assert found.cluster == "city"
    assert ends(only(found), "agreement") == (None, None)  # one cluster says nothing of others
    assert ends(only(found), "kappa") == ends(only(found), "auroc") == (None, None)


# Odd rows.


def test_one_kind_of_label() -> None:
    found = agree(run([1.0, 0.0, 0.4], ["yes", "yes", "yes"]), "label")
    row = only(found)
    assert [row[name] for name in ("auroc", "best_threshold", "youden")] == [None] * 3
    assert row["kappa"] == 0.0
    assert row["recall"] == pytest.approx(1 / 3)
    assert "warning: every label is good" in render_agreement(found)


def test_constant_scores() -> None:
    found = agree(run([1.0, 1.0, 1.0], [1, 0, 1]), "label")
    row = only(found)
    assert (row["auroc"], row["kappa"], row["best_threshold"]) == (0.5, 0.0, None)
    assert ends(row, "auroc") == ends(row, "kappa") == (None, None)
    assert row["constant"] == "never fails"
    assert only(agree(run([0.2, 0.1], [1, 0]), "label"))["constant"] == "always fails"


def test_unscored_and_unlabelled_rows_are_counted() -> None:
    labels = [True, None, False, True]
    found = agree(run([1.0, 1.0, None, math.nan], labels), "label")
    assert (found.rows, found.good, found.bad) == (4, 2, 1)
    row = only(found)
    assert (row["n"], row["unscored"], row["scored"], row["passing"]) == (1, 2, 2, 2)
    none = agree(run([None, 1.0], [True, None]), "label")
    assert only(none)["n"] == 0
    assert only(none)["agreement"] is None
    assert "warning: s scored none of the labelled rows" in render_agreement(none)


# What labels mean.

MEANINGS = [
    ([True, False, None], [True, False, None], "'true' is good, 'false' is bad"),
    (["Pass", " failed ", ""], [True, False, None], "'pass' is good, 'failed' is bad"),
    (["👍", "👎", "yes"], [True, False, True], "'yes', '👍' are good, '👎' is bad"),
    ([1, 0, None], [True, False, None], "'1' is good, '0' is bad"),
    ([1.0, 0.0, math.nan], [True, False, None], "'1.0' is good, '0.0' is bad"),
    ([1, -1, -1], [True, False, False], "'1' is good, '-1' is bad"),
    (["1", "0.0", "NaN"], [True, False, None], "'1' is good, '0.0' is bad"),
]


@pytest.mark.parametrize(("values", "good", "meaning"), MEANINGS)
def test_labels_are_understood(values: list[Any], good: list[Any], meaning: str) -> None:
    found = truth_of(pl.Series(values), "label")
    assert found.good.to_list() == good
    assert found.meaning == meaning


def test_labels_can_be_told_apart_by_hand() -> None:
    stars = pl.Series([1, 3, 4, 5, None])
    assert truth_of(stars, "stars", above=3).good.to_list() == [False, False, True, True, None]
    assert truth_of(stars, "stars", ["5", "4"]).meaning == "'5', '4' are good, '1', '3' are bad"
    assert truth_of(pl.Series(["Meh", "A"]), "grade", ["a"]).good.to_list() == [False, True]


MISTAKES = [
    (["maybe", "pass", "maybe"], {}, "do these mean good or bad: 'maybe' (2)? name the good ones"),
    ([1, 2, 3], {}, "do these mean good or bad: '1' (1), '2' (1), '3' (1)? say above"),
    ([1, 0, -1], {}, "say above which number"),
    (["a", "b"], {"positive": "c"}, "none is 'c', as --positive says; there are 'a', 'b'"),
    (["a", "1"], {"above": 3}, "no numbers, as --above asks for, are 'a'"),
    ([None, None], {}, "no row has a label at 'label': it is null in the scores"),
    ([1, 0], {"above": 0, "positive": "1"}, "'above' must be left out where 'positive' is given"),
    ([1, 0], {"above": float("nan")}, "'above' must be a number"),
    ([1, 0], {"threshold": 0.0}, "'threshold' must be a score above 0"),
    ([1, 0], {"confidence": 1.0}, "'confidence' must be"),
    ([1, 0], {"resamples": 5}, "'resamples' must be 0, or from 100 to 1,000,000"),
    ([1, 0], {"resamples": 10**10}, "'resamples' must be 0, or from 100 to 1,000,000"),
    ([1, 0], {"seed": -1}, "'seed' must be 0 or more"),
    ([1, 0], {"scorers": "t"}, "the scores have no scorer 't'"),
    ([1, 0], {"cluster": "city"}, "cluster reads 'city', which the scores of the run lack"),
]


@pytest.mark.parametrize(("labels", "options", "message"), MISTAKES)
def test_a_mistake_is_told(labels: list[Any], options: dict[str, Any], message: str) -> None:
    scores: list[float | None] = [1.0, 0.0, 1.0]
    with pytest.raises(BatchevalError) as caught:
        agree(run(scores[: len(labels)], labels), "label", **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# Where labels come from.


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("agree") / "scores.parquet"
    scorers = [checks.includes(pl.col("expected")).named("right"), checks.no_tool_errors()]
    write_scores(read_traces(SAMPLE), scorers, out, keep=["labels.correct"])
    return out


def test_labels_are_kept_or_read_again_or_named(scored: Path) -> None:
    kept = agree(scored, "labels.correct", resamples=0)
    assert (kept.home, kept.good, kept.bad) == ("the scores", 101, 28)
    bare = pl.read_parquet(scored).drop("labels.correct")
    again = agree(bare, "labels.correct", resamples=0)
    assert again.home == f"'{SAMPLE}'"
    named = agree(
        bare.drop("source", "line"), "labels.correct", traces=read_traces(SAMPLE), resamples=0
    )
    assert kept.scorers.equals(again.scorers)
    assert kept.scorers.equals(named.scorers)
    with pytest.raises(UnkeptColumnError, match=r"label reads 'labels\.correct', which the scores"):
        agree(bare.drop("source"), "labels.correct")
    gone = bare.with_columns(source=pl.lit("gone.jsonl"))
    with pytest.raises(LostTracesError, match=r"gone\.jsonl"):
        agree(gone, "labels.correct")
    with pytest.raises(NoLabelsError, match="'labels' has 'correct', 'tone', 'by'"):
        agree(bare, "labels.corect")


def test_named_traces_need_not_have_all_rows() -> None:
    scores = run([1.0, 0.0], [None, None]).drop("label")
    traces = pl.DataFrame({"trace_id": ["r1", "x"], "good": ["no", "yes"]})
    found = agree(scores, "good", traces=traces)
    assert (found.good, found.bad, found.unmatched) == (0, 1, 1)
    assert "warning: 1 row without a trace in the traces" in render_agreement(found)
    with pytest.raises(NoLabelsError, match="no trace of the scores is in the traces"):
        agree(scores, "good", traces=traces.filter(pl.col("trace_id") == "x"))
    with pytest.raises(BatchevalError, match=r"label reads 'god'.* did you mean 'good'"):
        agree(scores, "god", traces=traces)


def test_a_trace_with_two_labels_is_refused() -> None:
    scores = run([1.0, 0.0], [None, None]).drop("label")
    traces = pl.DataFrame({"trace_id": ["r1", "r1"], "good": ["no", "yes"]})
    with pytest.raises(BadLabelsError, match="1 trace has several that differ, such as 'r1'"):
        agree(scores, "good", traces=traces)
    same = traces.with_columns(good=pl.lit("yes"))
    assert agree(scores, "good", traces=same).good == 1


# Checks that say the same.


def test_checks_alike_are_found() -> None:
    random = np.random.default_rng(0)
    base = (random.random(200) < 0.6).astype(float)
    near = base.copy()
    near[:4] = 1 - near[:4]
    frame = run(base.tolist(), [1, 0] * 100).with_columns(
        *(pl.Series(name, values) for name, values in {
            "twin": base, "graded": base * 0.4 + 0.3, "near": near, "not": 1 - base,
            "other": random.random(200), "always": np.ones(200),
        }.items())
    )  # fmt: skip
    found = agree(frame, "label", resamples=0)
    pairs = {(row["first"], row["second"]): row for row in found.pairs.to_dicts()}
    assert pairs["s", "twin"]["relation"] == "same scores"
    assert pairs["s", "graded"]["relation"] == "same verdicts"
    assert pairs["s", "near"]["relation"] == "nearly the same"
    assert pairs["s", "near"]["same"] == 196
    assert pairs["s", "not"]["relation"] == "opposite"
    for (first, second), row in pairs.items():
        sides = [(frame[name] >= 0.5).to_numpy() for name in (first, second)]
        assert row["phi"] == pytest.approx(metrics.matthews_corrcoef(*sides), **SAME)
    assert not {"other", "always"} & {name for pair in pairs for name in pair}


def test_pairs_are_of_rows_that_both_have_scored() -> None:
    frame = run([1.0, 0.0, 1.0, None], [1, 0, 1, 0])
    frame = frame.with_columns(t=pl.Series([1.0, 0.0, None, 0.0]))
    (pair,) = agree(frame, "label", resamples=0).pairs.to_dicts()
    assert (pair["n"], pair["relation"]) == (2, "same scores")


# The pages and the command.


def test_pages(scored: Path) -> None:
    found = agree(scored, "labels.correct", resamples=100)
    document = json.loads(render_agreement(found, "json"))
    assert document["scorers"] == found.scorers.to_dicts()
    assert document["settings"]["resamples"] == 100
    assert "| right | 129 |" in render_agreement(found, "markdown")
    text = render_agreement(found)
    assert "300 rows, 129 with a label 'labels.correct' in the scores" in text
    assert "101 good, 28 bad: 'true' is good, 'false' is bad" in text
    with pytest.raises(BatchevalError, match="format"):
        render_agreement(found, "html")  # type: ignore[arg-type]


def test_tables_of_a_page_are_even(scored: Path) -> None:
    text = render_agreement(agree(scored, "labels.correct", resamples=0))
    tables = [part.splitlines() for part in text.split("\n\n") if "------" in part]
    assert len(tables) == 2
    assert all(len(a) == len(b) for table in tables for a, b in pairwise(table))


def test_a_scorer_is_no_label_of_its_own(scored: Path) -> None:
    for scorers in (None, "right"):
        with pytest.raises(BadLabelsError) as caught:
            agree(scored, "right", scorers)
        assert str(caught.value) == (
            "the labels 'right' cannot be used: they are the scores of a scorer, which agrees with"
            " itself; name others by --scorer; there are 'no_tool_errors'"
        )
    other = agree(scored, "right", "no_tool_errors", resamples=0)  # one may well judge another
    assert other.scorers["n"].item() > 0


def test_command(scored: Path, tmp_path: Path) -> None:
    arguments = ["agree", f"{scored}@candidate", "--label", "labels.correct", "--scorer", "right"]
    done = CliRunner().invoke(commands, [*arguments, "--format", "json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["rows"] == 150
    bare = tmp_path / "bare.csv"
    pl.read_parquet(scored).select("trace_id", "right").write_csv(bare)
    arguments = ["agree", str(bare), "--traces", str(SAMPLE), "--label", "labels.tone"]
    done = CliRunner().invoke(commands, [*arguments, "--above", "3"])
    assert done.exit_code == 0, done.output
    assert "96 good, 33 bad: above 3 is good" in done.output
