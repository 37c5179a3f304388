"""OpenJudge's cases of the Berkeley function calling leaderboard: calls to be judged."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.chat import openai_call
from batcheval.readers.grammar.completions import expected_calls, replies
from batcheval.readers.grammar.turns import take_turns
from batcheval.readers.grammar.values import dicts, dig, first, picked
from batcheval.readers.layouts.layout import Layout, Place, Trace

_CASE: Final = ("query", "tool_calls", "tool_definitions", "response")
_LABELS: Final = ("min_expect_score", "expect_score", "score", "human_score", "label")


def _marks(record: Any) -> int:
    case = dig(record, "parameters")
    told = isinstance(case, Mapping) and sum(key in case for key in _CASE) >= 2
    return 9 if told else 0


def _read(record: Any, place: Place) -> Iterator[Trace]:
    if not isinstance(record, Mapping):
        return
    case = record.get("parameters")
    case = case if isinstance(case, Mapping) else record
    query = case.get("query")
    asked = [first(said, "message") or said for said in dicts(query)]
    log = take_turns(asked or replies(query))
    if isinstance(query, str):
        log.input = query
    take_turns(replies(case.get("response")), log)
    for call in dicts(case.get("tool_calls")):
        log.act()
        openai_call(call, log)
    yield log.trace(
        trace_id=first(record, "trace_id", "id"),
        task_id=record.get("index"),
        output=log.output if case.get("response") is not None else "",
        expected=first(case, "ground_truth", "reference_response"),
        expected_tool_calls=expected_calls(first(case, "reference_tool_calls")),
        tool_definitions=case.get("tool_definitions"),
        labels=picked(record, *_LABELS),
    )


LAYOUT = Layout("openjudge_bfcl", "OpenJudge cases of tool calls", _marks, _read)
