"""Test runs of DeepEval: test cases, with the spans of their traces sorted by kind."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.observations import an_object, made_step, spelled
from batcheval.readers.grammar.runs import trace_of
from batcheval.readers.grammar.steps import Step, step_times
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import as_text, dicts, text_in
from batcheval.readers.layouts.layout import Layout, Place, Trace

_SPANS: Final = ("base", "agent", "llm", "retriever", "tool")


def _marks(record: Any) -> int:
    if not isinstance(record, Mapping):
        return 0
    cases = spelled(record, "test_cases") or spelled(record, "conversational_test_cases")
    if isinstance(cases, list):
        return 9 if any(map(_is_case, dicts(cases))) else 0
    return 7 if _is_case(record) and _is_telling(record) else 0


def _is_case(record: Mapping[str, Any]) -> bool:
    return spelled(record, "actual_output") is not None or isinstance(record.get("turns"), list)


def _is_telling(record: Mapping[str, Any]) -> bool:
    names = ("retrieval_context", "tools_called", "expected_tools", "metrics_data")
    return any(spelled(record, name) is not None for name in (*names, "expected_output"))


def _read(record: Any, place: Place) -> Iterator[Trace]:
    lists = [
        spelled(an_object(record), name) for name in ("test_cases", "conversational_test_cases")
    ]
    for case in [c for listed in lists for c in dicts(listed)] or [record]:
        yield _conversed(case) if isinstance(case.get("turns"), list) else _tested(case)


def _tested(case: Mapping[str, Any]) -> Trace:
    inner = case.get("trace")
    trace: Mapping[str, Any] = inner if isinstance(inner, Mapping) else {}
    steps = [
        _step(kind, span) for kind in _SPANS for span in dicts(spelled(trace, f"{kind}_spans"))
    ]
    told = trace_of(
        steps,
        trace_id=first_text(trace.get("uuid"), case.get("id")),
        input=as_text(case.get("input")),
        **_expected(case),
    )
    calls = [*map(_call, dicts(spelled(case, "tools_called")))]
    told["output"] = as_text(spelled(case, "actual_output"))
    told["tool_calls"] = calls if calls and not told["tool_calls"] else told["tool_calls"]
    return told


def first_text(*values: Any) -> str | None:
    """The first of the values that is a text."""
    return next((value for value in values if isinstance(value, str)), None)


def _step(kind: str, span: Mapping[str, Any]) -> Step:
    failed = str(span.get("status")).upper() in ("ERRORED", "ERROR", "FAILED")
    tokens = {side: spelled(span, f"{side}_token_count") for side in ("input", "output")}
    return made_step(
        kind,
        span.get("name"),
        span.get("input"),
        span.get("output"),
        id=first_text(span.get("uuid")),
        parent=first_text(spelled(span, "parent_uuid")),
        **step_times(spelled(span, "start_time"), spelled(span, "end_time")),
        failed=failed,
        error=first_text(span.get("error")) if failed else None,
        model=first_text(span.get("model")),
        usage={f"{side}_tokens": count for side, count in tokens.items() if count is not None},
    )


def _call(tool: Mapping[str, Any]) -> dict[str, Any]:
    made = {
        "id": tool.get("id"),
        "name": tool.get("name"),
        "args": spelled(tool, "input_parameters"),
        "result": tool.get("output"),
    }
    return {key: value for key, value in made.items() if value is not None}


def _expected(case: Mapping[str, Any]) -> Trace:
    metrics = [*dicts(spelled(case, "metrics_data"))]
    context = spelled(case, "retrieval_context") or case.get("context")
    return {
        "task_id": first_text(case.get("name")),
        "expected": as_text(spelled(case, "expected_output")),
        "expected_tool_calls": [*map(_call, dicts(spelled(case, "expected_tools")))],
        "context": [as_text(text) for text in context] if isinstance(context, list) else None,
        "labels": {str(metric.get("name")): metric.get("score") for metric in metrics},
    }


def _conversed(case: Mapping[str, Any]) -> Trace:
    log = Transcript()
    for turn in dicts(case["turns"]):
        log.say(str(turn.get("role")), text_in(turn.get("content")))
        for tool in dicts(spelled(turn, "tools_called")):
            call = _call(tool)
            log.call(call.get("name"), call.get("args"), call.get("id"))
            if "result" in call:
                log.answer(call["result"], call.get("id"), call.get("name"))
    told = _expected(case) | {"expected": as_text(spelled(case, "expected_outcome"))}
    return log.trace(**{key: value for key, value in told.items() if value})


LAYOUT = Layout("deepeval", "Test runs and test cases of DeepEval", _marks, _read)
