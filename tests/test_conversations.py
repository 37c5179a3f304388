"""Turns, as a slow twin of plain Python has them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval.checks import called_tool, includes, said_by, turns
from batcheval.engine import score
from batcheval.errors import BadArgumentError
from tests.cases import frame, trace

ROLES = st.sampled_from(["user", "assistant", "tool", "system"])
MESSAGE = st.fixed_dictionaries({"role": ROLES, "content": st.sampled_from(["", "x", "y"])})
CALL = st.tuples(st.sampled_from("ab"), st.none() | st.integers(0, 8))
ROW = st.tuples(st.lists(MESSAGE, max_size=8), st.lists(CALL, max_size=4))


def slowly(messages: list[dict[str, str]]) -> list[tuple[int, int]]:
    """From where to where each turn goes."""
    begins = [at for at, one in enumerate(messages) if one["role"] == "user"]
    return list(zip(begins, [*begins[1:], len(messages)], strict=False))


def outputs(messages: list[dict[str, str]]) -> list[str]:
    said = [
        [m["content"] for m in messages[a:b] if m["role"] == "assistant" and m["content"]]
        for a, b in slowly(messages)
    ]
    return [texts[-1] if texts else "" for texts in said]


def called(messages: list[dict[str, str]], calls: list[tuple[str, int | None]]) -> Any:
    """The names by turn, None where it is not known in which a call was made."""
    spans = slowly(messages)
    names: list[list[str]] = [[] for _ in spans]
    last = None
    for name, at in calls:
        last = at if at is not None and at < len(messages) else last
        if last is None and len(spans) != 1:
            return None
        for turn, (a, b) in enumerate(spans):
            if (last is None) or a <= last < b:
                names[turn].append(name)
    return names


def mean(scores: list[float]) -> Any:
    return pytest.approx(sum(scores) / len(scores)) if scores else None


@settings(max_examples=25, deadline=None)
@given(rows=st.lists(ROW, min_size=1, max_size=6))
def test_turns_are_those_of_the_twin(rows: list[Any]) -> None:
    table = frame(
        [
            trace(
                messages=messages,
                tool_calls=[{"name": n, "state": "ok", "message": at} for n, at in calls],
            )
            for messages, calls in rows
        ]
    )
    scorers = [turns(includes("x")).named("text"), turns(called_tool("a")).named("call")]
    scores = score(table, [*scorers, said_by("user", includes("x"))]).collect()
    for place, (messages, calls) in enumerate(rows):
        assert scores["text"][place] == mean([float("x" in o) for o in outputs(messages)])
        names = called(messages, calls)
        found = None if names is None else mean([float("a" in turn) for turn in names])
        assert scores["call"][place] == found
        said = [m["content"] for m in messages if m["role"] == "user" and m["content"]]
        assert scores["said_by"][place] == mean([float("x" in text) for text in said])


@pytest.mark.parametrize(
    "options", [{"score": "max"}, {"least": 2}, {"at": "0"}, {"at": []}, {"at": 1.5}]
)
def test_bad_arguments(options: dict[str, Any]) -> None:
    for make in (lambda **o: turns(includes("x"), **o), lambda **o: said_by("user", turns, **o)):
        with pytest.raises(BadArgumentError):
            make(**options)
    with pytest.raises(BadArgumentError, match="'role' must be"):
        said_by("tool", includes("x"))  # type: ignore[arg-type]


def test_what_is_told_of_turns() -> None:
    messages = [{"role": role, "content": role} for role in ("user", "assistant", "user")]
    scores = score(
        frame([trace(messages=messages)]), [turns(includes("ass"))], details=True, reasons=True
    ).collect()
    each = scores["turns_details"][0]["turns"]
    assert [(turn["index"], turn["score"]) for turn in each] == [(0, 1.0), (1, 0.0)]
    assert scores["turns_reason"][0] == (
        "the mean of 2 turns is 0.5, and should be 1.0; the least is that of turn 1: the output"
        " lacks 'ass', which it should include"
    )
