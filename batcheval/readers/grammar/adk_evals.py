"""Eval sets of Google's Agent Development Kit, new and old, and the results of evals.

The answers and calls of an eval set are what was recorded, and what is expected: a trace has them
as the former, and `Rules(answers="expected")` as the latter; never as both, which always agree.
"""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.google import calls_in, said_in, take_responses
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dicts, dig, first, has, text_in
from batcheval.readers.layouts.layout import Piece, Place, Trace

_CASES: Final = ("eval_cases", "evalCases")
_RESULTS: Final = ("eval_case_results", "evalCaseResults")
_OLD: Final = ("expected_tool_use", "expected_intermediate_agent_responses", "reference")
_SCORES: Final = ("eval_metric_results", "evalMetricResults")


def eval_marks(record: Any) -> int:
    """How surely a record is an eval set, a case or turn of one, or results of evals."""
    if not isinstance(record, dict):
        return 0
    if isinstance(first(record, *_CASES, *_RESULTS), list):
        return 9
    if first(record, "eval_id", "evalId") is not None and has(record, "conversation"):
        return 9
    is_turn = has(record, "query") and sum(key in record for key in _OLD) >= 2
    return 9 if is_turn or _is_old_case(record) else 0


def _is_old_case(record: Any) -> bool:
    turn = next(iter(dicts(dig(record, "data"))), None)
    return has(record, "name", "data") and has(turn, "query") and any(has(turn, k) for k in _OLD)


def read_evals(record: dict[str, Any], place: Place) -> Iterator[Trace | Piece]:
    """The traces of such a record, or the piece that a turn of the oldest kind is."""
    if has(record, "query"):
        yield Piece(place.source, record)
    elif _is_old_case(record):
        yield old_case([*dicts(record["data"])], record["name"])
    elif has(record, "conversation"):
        yield _case(record, None)
    run = first(record, "eval_set_id", "evalSetId")
    for case in dicts(first(record, *_CASES)):
        yield _case(case, run)
    for result in dicts(first(record, *_RESULTS)):
        yield _result(result, first(record, "eval_set_result_id", "evalSetResultId"))


def _case(case: Any, run: Any) -> Trace:
    log = _taken([*dicts(case.get("conversation"))])
    id = first(case, "eval_id", "evalId")
    return log.trace(
        trace_id=id,
        run=run,
        task_id=id,
        started_at=first(case, "creation_timestamp", "creationTimestamp"),
    )


def _expected(log: Transcript) -> dict[str, Any]:
    calls = [{"name": call["name"], "args": call["args"]} for call in log.calls]
    return {"expected": log.output or None, "expected_tool_calls": calls}


def _result(result: Any, run: Any) -> Trace:
    """A case that was run: what was done, and beside it what was expected."""
    key = ("eval_metric_result_per_invocation", "evalMetricResultPerInvocation")
    turns = [*dicts(first(result, *key))]
    wanted = _taken([t for turn in turns if (t := _side(turn, "expected"))])
    id = first(result, "eval_id", "evalId")
    scores = [*dicts(first(result, *(f"overall_{k}" for k in _SCORES), "overallEvalMetricResults"))]
    names = [first(score, "metric_name", "metricName") for score in scores]
    return _taken([t for turn in turns if (t := _side(turn, "actual"))]).trace(
        trace_id=first(result, "session_id", "sessionId") or id,
        run=run,
        task_id=id,
        labels={str(name): s.get("score") for name, s in zip(names, scores, strict=True)},
        **_expected(wanted),
    )


def _side(turn: Any, side: str) -> Any:
    found = first(turn, f"{side}_invocation", f"{side}Invocation")
    return found if isinstance(found, dict) else None


def _taken(turns: list[Any]) -> Transcript:
    log = Transcript()
    for turn in turns:
        log.say("user", said_in(first(turn, "user_content", "userContent")))
        data = first(turn, "intermediate_data", "intermediateData")
        if isinstance(data, dict):
            _take_data(data, log)
        answer = first(turn, "final_response", "finalResponse")
        log.say("assistant", said_in(answer))
    return log


def _take_data(data: Any, log: Transcript) -> None:
    """What came between a question and its answer: calls, what sub-agents said, or raw events."""
    for event in dicts(first(data, "invocation_events", "invocationEvents")):
        _call_all(calls_in(event.get("content")), log)
        take_responses(event.get("content"), log)
    _call_all(dicts(first(data, "tool_uses", "toolUses")), log)
    for response in dicts(first(data, "tool_responses", "toolResponses")):
        log.answer(response.get("response"), response.get("id"), response.get("name"))


def _call_all(calls: Any, log: Transcript) -> None:
    for call in calls:
        log.call(call.get("name"), call.get("args"), call.get("id"))


def old_case(turns: list[Any], id: Any) -> Trace:
    """The trace of turns of the oldest kind: a question, and what is expected."""
    log = Transcript()
    for turn in turns:
        log.say("user", text_in(turn.get("query")))
        for call in dicts(turn.get("expected_tool_use")):
            log.call(call.get("tool_name"), call.get("tool_input"))
            log.calls[-1] |= {"result": r} if (r := call.get("mock_tool_output")) else {}
        log.say("assistant", text_in(turn.get("reference")))
    return log.trace(trace_id=id, task_id=id)
