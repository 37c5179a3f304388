"""ToolBench: the tree of a search for an answer, and the answers that ToolEval judges."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from batcheval.readers.grammar.pythonic import printed, printed_call
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import as_text, dicts, dig, first, has, parsed, picked
from batcheval.readers.layouts.layout import Layout, Place, Trace


def _marks(record: Any) -> int:
    if has(record, "answer_generation"):
        return 10
    if _is_answer(record):
        return 9
    values = list(record.values())[:3] if isinstance(record, Mapping) else []
    return 10 if values and all(map(_is_answer, values)) else 0


def _is_answer(value: Any) -> bool:
    return has(value, "answer") and has(value["answer"], "answer_details")


def _read(record: Any, place: Place) -> Iterator[Trace]:
    if has(record, "answer_generation"):
        yield _searched(record, place.stem)
    elif _is_answer(record):
        yield _answered(first(record, "id", "query_id"), record)
    elif isinstance(record, Mapping):
        for id, value in record.items():
            if _is_answer(value):
                yield _answered(id, value)


def _searched(record: Mapping[str, Any], stem: str) -> Trace:
    """All branches of the search, those given up too, as they were gone through."""
    about = record["answer_generation"]
    about = about if isinstance(about, Mapping) else {}
    root = dig(record, "tree.tree")
    chains = [dig(attempt, "chain") for attempt in dicts(record.get("trys"))]
    starts = [root] if root else [node for chain in chains for node in dicts(chain)]
    log = Transcript()
    log.say("user", str(about.get("query") or ""))
    for node in _nodes(starts, "children"):
        _step(node, log)
    return log.trace(
        trace_id=stem,
        output=_final(about.get("final_answer")),
        total_tokens=about.get("total_tokens"),
        tool_definitions=about.get("function"),
        metadata=picked({**about, **record}, "win", "finish_type", "valid_data", "query_count"),
    )


def _nodes(starts: Iterable[Any], below: str) -> Iterator[Mapping[str, Any]]:
    """The nodes of a tree, each before those below it."""
    stack = list(starts)[::-1]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            yield node
            stack += list(dicts(node.get(below)))[::-1]


def _step(node: Mapping[str, Any], log: Transcript) -> None:
    kind, said = node.get("node_type"), node.get("description")
    if kind == "Thought" and isinstance(said, str):
        log.say("assistant", said)
    elif kind == "Action":
        log.act()
        log.call(said)
    elif kind == "Action Input" and log.calls and "result" not in log.calls[-1]:
        log.calls[-1]["args"] = said
        _result(node.get("observation"), log)


def _result(result: Any, log: Transcript) -> None:
    """What an API said to the last call, with an error in so many words."""
    call, error = log.calls[-1], dig(parsed(result), "error")
    call["result"] = result
    if error:
        call["error"] = error
    log.messages.append({"role": "tool", "content": as_text(result), "name": call["name"]})


def _final(answer: Any) -> str:
    """The answer in the arguments of `Finish`; these themselves where it gave up."""
    said = dig(parsed(answer), "final_answer")
    return said if isinstance(said, str) else answer if isinstance(answer, str) else ""


def _answered(id: Any, record: Mapping[str, Any]) -> Trace:
    answer = record["answer"]
    log = Transcript()
    for node in _nodes(dicts(answer["answer_details"]), "next"):
        role, said = str(node.get("role")), node.get("message")
        if role == "tool":
            _printed(said, log)
        else:
            log.say(role, said if isinstance(said, str) else "")
    return log.trace(
        trace_id=id,
        input=first(record, "query"),
        output=_final(answer.get("final_answer")),
        tool_definitions=record.get("available_tools"),
        metadata=picked(answer, "method", "total_steps"),
    )


def _printed(said: Any, log: Transcript) -> None:
    """A call with its response as Python prints them; ToolEval's own files cut it short."""
    call = printed(said)
    if not isinstance(call, Mapping):
        call = printed_call(str(said)) or {"arguments": said}
    log.act()
    log.call(call.get("name"), call.get("arguments"))
    if "response" in call:
        _result(call["response"], log)


LAYOUT = Layout("toolbench", "ToolBench trees and ToolEval answers", _marks, _read)
