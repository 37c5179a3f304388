"""What pages tell beyond tables: intervals against scipy and statsmodels, groups of failures."""

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from scipy import stats

from batcheval.comparing import open_run, pair
from batcheval.errors import BadArgumentError, UnkeptColumnError
from batcheval.findings import failures, falls, histogram, look_at_run, mean_of
from batcheval.findings.failures import GROUPS, NAMED
from batcheval.findings.means import task_codes
from batcheval.report import render_run
from batcheval.report.page import run_page

RANDOM = np.random.default_rng(3)
GRADED = RANDOM.beta(4, 2, 40)
CODES = RANDOM.integers(0, 9, 40)


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize("wins", [0, 1, 13, 20])
def test_pass_fail_intervals_are_wilsons(wins: int, confidence: float) -> None:
    found = mean_of(np.array([1.0] * wins + [0.0] * (20 - wins)), None, confidence)
    true = stats.binomtest(wins, 20).proportion_ci(confidence, method="wilson")
    assert (found["low"], found["high"]) == pytest.approx((true.low, true.high), abs=1e-9)
    assert found["mean"] == wins / 20
    assert found["interval"] == "Wilson"


def test_graded_intervals_are_students() -> None:
    found = mean_of(GRADED)
    true = stats.t.interval(0.95, 39, GRADED.mean(), stats.sem(GRADED))
    assert (found["low"], found["high"]) == pytest.approx(true, abs=1e-9)
    assert found["interval"] == "t"


def test_intervals_in_clusters_are_robust() -> None:
    found = mean_of(GRADED, CODES)
    model = sm.OLS(GRADED, np.ones(40))
    groups = {"groups": CODES, "use_correction": False}
    fitted = model.fit(cov_type="cluster", cov_kwds=groups, use_t=True)
    count = len(set(CODES))
    width = fitted.bse[0] * (count / (count - 1)) ** 0.5 * stats.t.ppf(0.975, count - 1)
    assert (found["low"], found["high"]) == pytest.approx(
        (GRADED.mean() - width, GRADED.mean() + width), abs=1e-9
    )
    assert found["interval"] == "cluster-robust t"


@pytest.mark.parametrize(
    ("scores", "codes", "expected"),
    [
        ([], None, (0, 0, None, None, None)),
        ([np.nan, np.nan], None, (0, 2, None, None, None)),
        ([0.5], None, (1, 0, 0.5, None, None)),
        ([0.5, 0.5, 0.5], None, (3, 0, 0.5, 0.5, "t")),
        ([0.0, 1.0, 0.01], None, (3, 0, 0.33667, 0.0, "t")),  # the end is cut at 0
        ([1.0, 1.0, 1.0, 1.0], [0, 0, 1, 1], (4, 0, 1.0, 0.34238, "Wilson")),  # of 2 clusters
        ([1.0, np.nan, 1.0], [0, 0, 1], (2, 1, 1.0, 0.34238, "Wilson")),
    ],
)
def test_odd_means(scores: list[float], codes: list[int] | None, expected: Any) -> None:
    numbers = None if codes is None else np.array(codes)
    found = mean_of(np.array(scores, dtype=float), numbers)
    told = (found["scored"], found["unscored"], found["mean"], found["low"], found["interval"])
    assert told == pytest.approx(expected, abs=1e-4)


def test_tasks_are_clusters_where_they_recur() -> None:
    frame = pl.LazyFrame({"task_id": ["b", None, "a", "b", None], "x": [1.0] * 5})
    codes = task_codes(frame)
    assert codes is not None
    assert codes.tolist() == [1, 2, 0, 1, 3]
    assert task_codes(frame.head(3)) is None
    assert task_codes(frame.drop("task_id")) is None
    assert task_codes(frame.with_columns(task_id=pl.lit(None, pl.String))) is None


def test_every_score_lies_in_a_bin() -> None:
    scores = np.array([0.0, 0.049, 0.05, 0.35, 0.7, 0.999, 1.0, np.nan, 1.5, -1.0])
    found = histogram(scores)
    assert sum(found) == 9
    assert [place for place, count in enumerate(found) if count] == [0, 1, 7, 14, 19]
    assert histogram(np.arange(20) / 20) == [1] * 20


def test_slices_of_a_run() -> None:
    frame = pl.DataFrame(
        {"trace_id": list("abcd"), "n": [1, 1, 2, None], "right": [1.0, 0.0, None, 1.0]}
    )
    found = look_at_run(frame, by=["n"]).slices
    assert found.select("value", "scored", "unscored", "mean").rows() == [
        ("1", 2, 0, 0.5),
        ("2", 0, 1, None),
        (None, 1, 0, 1.0),
    ]
    large = look_at_run(frame, by=["n"], min_size=2)
    assert large.slices["value"].to_list() == ["1"]
    assert large.small_slices == {"n": 2}
    told = "by n, 2 slices of fewer than 2 traces are left out"
    for shown in (run_page(large), render_run(large), render_run(large, "markdown")):
        assert told in shown
    document = json.loads(render_run(large, "json"))
    assert [row["value"] for row in document["slices"]] == ["1"]
    assert (document["small_slices"], document["rows"]) == ({"n": 2}, 4)
    with pytest.raises(UnkeptColumnError):
        look_at_run(frame, by=["city"])
    many = pl.DataFrame({"trace_id": [f"t{n}" for n in range(1_001)], "right": [1.0] * 1_001})
    with pytest.raises(BadArgumentError, match="at most 1,000 values"):
        look_at_run(many, by=["trace_id"])


def test_failures_are_grouped_by_reason() -> None:
    reasons = ["lacks 'a'", "lacks 'b, c'", "took 3 of 4", None, "fine", "lacks 'd'"]
    frame = pl.DataFrame(
        {
            "trace_id": list("abcdef"),
            "right": [0.0, 0.0, 0.0, 0.0, 1.0, None],
            "right_reason": reasons,
        }
    )
    found = failures(open_run(frame, "scores"), "right")
    assert found[0] == ("lacks …", 2, ["a", "b"], "lacks 'a'")
    assert {group.what for group in found} == {"lacks …", "took … of …", "scored 0.0"}


def test_groups_are_bounded() -> None:
    ids = [f"t{n}" for n in range(100)]
    words = [f"r{'x' * (n % 50)}" for n in range(100)]
    frame = pl.DataFrame({"trace_id": ids, "right": [0.0] * 100, "right_reason": words})
    found = failures(open_run(frame, "scores"), "right")
    assert len(found) == GROUPS
    assert sum(group.number for group in found) == 100
    assert found[-1].what == "31 further reasons"
    assert len(found[-1].named) == NAMED


def test_falls_are_grouped_by_how_far() -> None:
    base = pl.DataFrame({"trace_id": list("abcdef"), "s": [1.0, 0.7, 0.5, 0.3, 0.2, None]})
    other = base.with_columns(s=pl.Series([0.5, 0.6, 0.45, 0.3, 0.9, 0.0]))
    pairs = pair(open_run(base, "base"), open_run(other, "candidate"), ["s"])
    found = falls(pairs.frame, "s", pairs.key)
    assert [(group.what, group.named) for group in found] == [
        ("fell by 0.5 or more", ["trace_id 'a'"]),
        ("fell by 0.1 to <0.5", ["trace_id 'b'"]),
        ("fell by <0.1", ["trace_id 'c'"]),
    ]
