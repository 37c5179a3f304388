"""Every example of `tests/cases` on both engines, with its evidence and its sentence."""

from itertools import cycle
from typing import Any, Literal

import polars as pl
import pytest

from batcheval.checks import called_tool, equals, includes, no_tool_errors, similarity, tool_order
from batcheval.engine import score
from batcheval.scorer import Scorer
from tests.cases import Case, Trace, frame, trace
from tests.cases.rooms import ALL, ROOMS

Engine = Literal["in-memory", "streaming"]

ENGINES: list[Engine] = ["in-memory", "streaming"]
DETAILS = {name: fields for room in ROOMS.values() for name, fields in room.DETAILS.items()}


# Each on one engine, by turns: the laws hold one engine against the other.
TURNS = list(zip(ALL, cycle(ENGINES), strict=False))


@pytest.mark.parametrize(("case", "engine"), TURNS, ids=[case[0].description[:60] for case in ALL])
def test_score(case: Case, engine: Engine) -> None:
    scorer, row, expected = case
    traces = frame([row])
    scores = score(traces, [scorer], details=True, reasons=True).collect(engine=engine)
    assert scores[scorer.id].to_list() == [pytest.approx(expected, abs=1e-12)]
    assert scores[f"{scorer.id}_details"].dtype == pl.Struct(DETAILS[scorer.id])
    (reason,) = scores[f"{scorer.id}_reason"].to_list()
    assert (reason is None) == (expected is None)
    assert reason is None or 20 < len(reason) < 260


def evidence(scorer: Scorer, row: Trace) -> tuple[Any, Any]:
    scores = score(frame([row]), [scorer], details=True, reasons=True).collect()
    return scores[f"{scorer.id}_details"][0], scores[f"{scorer.id}_reason"][0]


def test_found() -> None:
    rain = trace(output="Rain.")
    assert evidence(includes("sunny"), rain) == (
        {"found": False},
        "the output lacks 'sunny', which it should include",
    )
    assert evidence(includes(pl.col("expected")), rain) == ({"found": None}, None)
    details, reason = evidence(includes("where", on=pl.col("input")), trace(input="Where?"))
    assert (details, reason) == ({"found": True}, "'input' has 'where', which it should include")


def test_a_reason_cuts_long_texts() -> None:
    details, reason = evidence(equals("é" * 81), trace(output="x" * 80))
    assert details == {"equal": False}
    assert reason == f"the output is '{'x' * 80}', and should be '{'é' * 79}…'"


def test_similarity_before_the_threshold() -> None:
    assert evidence(similarity("nacht", threshold=0.5), trace(output="night")) == (
        {"score": 0.25},
        "the output has a similarity of 0.25 to 'nacht', and should be at least 0.5",
    )


def test_called_tools() -> None:
    row = trace(tool_calls=["a", ("b", "error"), "a", (None, "error"), ("c", "partial")])
    called = {"actual_count": 2, "actual_tools": ["a", "b", "a"]}
    assert evidence(called_tool("a", times=3), row) == (
        called,
        "the run made 2 calls of 'a', and should make at least 3",
    )
    assert evidence(tool_order(["b", "c"]), row) == (
        {"actual_tools": ["a", "b", "a"]},
        "the run called 'a', 'b', 'a', and should call 'b', 'c' in this order",
    )
    assert evidence(no_tool_errors(), row) == (
        {"error_count": 2, "total_calls": 5, "failed_tools": ["b"]},
        "2 of 5 calls failed or did not finish, and none should",
    )
    assert evidence(tool_order(["b"]), trace())[1] == (
        "the run called nothing, and should call 'b' in this order"
    )
