"""What scorers cost: the order of the figures, not the figures."""

from collections.abc import Callable

import polars as pl
import pytest

from batcheval import Scorer, checks, score
from batcheval.costing import Way, made_up, measure, measure_together, way_of
from batcheval.errors import MissingColumnsError
from batcheval.scorer import batched

SAMPLE = made_up(["note"], 400)


@pytest.mark.parametrize(
    ("scorer", "way"),
    [
        (checks.includes("a"), "expression"),
        (checks.includes("a", normalize="NFC"), "kernel"),
        (checks.tone(), "kernel"),
        (checks.matches("a|b"), "expression"),
        (checks.matches("a(?!b)"), "backtracking"),
        (checks.matches("a(?!b)", exact=True, on=pl.col("note")), "backtracking"),
        (checks.all_of([checks.includes("a"), checks.matches(r"(a)\1")]), "backtracking"),
        (checks.when(checks.matches(r"(a)\1"), checks.tone()), "backtracking"),
        (checks.json_path("a", matches="^(?=b)"), "kernel"),  # read in Python whatever the pattern
    ],
    ids=lambda value: getattr(value, "description", value),
)
def test_the_way_of_a_score(scorer: Scorer, way: Way) -> None:
    (cost,) = measure([scorer], SAMPLE.head(5))
    assert (cost.way, way_of(scorer.score)) == (way, way)


def slowed(by: float) -> Callable[[pl.Series], list[float]]:
    def run(texts: pl.Series) -> list[float]:
        return [float(sum(range(int(by))) > 0) for _ in texts]

    return run


def test_slower_scorers_cost_more() -> None:
    quick, slow = (batched(slowed(by), pl.col("output")) for by in (2e2, 2e4))
    costs = measure([Scorer("quick", "", quick), Scorer("slow", "", slow)], SAMPLE)
    assert [cost.scorer for cost in costs] == ["quick", "slow"]
    assert costs[1].rows_per_second < costs[0].rows_per_second / 10


def test_a_slow_scorer_sees_few_rows() -> None:
    seen = []

    def run(texts: pl.Series) -> list[float]:
        seen.append(len(texts))
        return [float(sum(range(500_000)) > 0) for _ in texts]

    (cost,) = measure([Scorer("slow", "", batched(run, pl.col("output")))], SAMPLE)
    assert cost.rows == 8
    assert sum(seen) == 10


def test_work_in_common_is_done_once() -> None:
    same = [checks.word_count(min=places) for places in range(1, 9)]
    alone, together = measure(same, SAMPLE), measure_together(same, SAMPLE)
    summed = sum(1 / cost.rows_per_second for cost in alone)
    assert 1 / together.rows_per_second < summed / 3
    assert (together.scorer, together.columns) == ("", ("output",))


def test_what_is_read_must_be_there() -> None:
    costs = measure([checks.equals(pl.col("note"), on=pl.col("metadata.a"))], made_up(["note"], 3))
    assert costs[0].columns == ("metadata.a", "note")
    with pytest.raises(MissingColumnsError, match="'nothing'"):
        measure([checks.includes("a", on=pl.col("nothing"))], SAMPLE)


@pytest.mark.parametrize("height", [0, 1, 2])
def test_small_samples(height: int) -> None:
    costs = measure([checks.includes("a"), checks.sql("1")], SAMPLE.head(height))
    assert all(cost.seconds > 0 and cost.rows <= max(height, 1) for cost in costs)


def test_made_up_rows_are_steady_and_can_be_scored() -> None:
    assert made_up(["note"], 400).equals(SAMPLE)
    scores = score(SAMPLE, [checks.called_tool("get_order")]).collect()["called_tool"]
    assert 0 < scores.mean() < 1  # type: ignore[operator]
