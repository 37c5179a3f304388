"""The tool calls of a trace's steps, each counted once."""

from typing import Any

from batcheval.readers.grammar.message_parts import call_of
from batcheval.readers.grammar.payloads import messages_in, tool_message
from batcheval.readers.grammar.steps import Step, Tree, timing
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dicts, parsed, text_in

Call = dict[str, Any]


def calls_of(tree: Tree, log: Transcript) -> list[Call]:
    """The calls: the tool steps, or where there are none those that models asked for.

    Args:
        tree: the steps.
        log: the main conversation; its calls tell the message, and results that no step has.
    """
    tools = tree.of("tool")
    calls = [_executed(step, tree) for step in tools] if tools else _asked_for(tree)
    waiting = list(log.calls)
    for call in calls:
        said = _same(call, waiting)
        if said is not None:
            waiting.remove(said)
            call.update({key: said[key] for key in ("id", "message") if said.get(key) is not None})
            for key in ("result", "error") if not tools else ():
                if said.get(key) is not None:
                    call.setdefault(key, said[key])
    return calls


def _same(call: Call, said: list[Call]) -> Call | None:
    if call.get("id") is not None:
        return next((c for c in said if c["id"] == call["id"]), None)
    return next((c for c in said if c["name"] == call.get("name")), None)


def _executed(step: Step, tree: Tree) -> Call:
    call = {"name": step.get("name"), **step.get("call", {}), **timing(step)}
    if (message := tool_message(call.get("result"))) is not None:
        call["result"] = message.get("content")
        call["id"] = call.get("id") or message["tool_call_id"]
        if message.get("error"):
            call["error"] = text_in(message.get("content")) or str(message["error"])
    call |= _failure(step)
    parents = (s for s in tree.above(step) if s.get("kind") == "tool")
    parent = next(parents, None)
    call["parent_id"] = parent.get("call", {}).get("id") or parent.get("id") if parent else None
    call["agent"] = tree.sub_agent(step)
    return {key: value for key, value in call.items() if value is not None}


def _failure(step: Step) -> Call:
    if not step.get("failed"):
        return {}
    return {"is_error": True} | ({"error": step["error"]} if step.get("error") else {})


def _asked_for(tree: Tree) -> list[Call]:
    """Calls in the output of models; where no model shows any, in what the roots made anew."""
    found: list[Call] = []
    told: set[tuple[str, str]] = set()
    covered: set[str | None] = set()
    for step in reversed(tree.of("llm")):  # inner steps start later: the outer repeat them
        calls = _new_calls(step)
        if calls and step.get("id") not in covered:
            covered.update(above.get("id") for above in tree.above(step))
            calls = [c for c in calls if c["id"] is None or (str(c["id"]), c["name"]) not in told]
            told.update((str(call["id"]), call["name"]) for call in calls)
            found[:0] = [_of_model(call, step, tree) for call in calls]
    found = found or [_of_model(c, s, tree) for s in tree.roots for c in _new_calls(s)]
    return _with_executions(found, tree)


def _new_calls(step: Step) -> list[Call]:
    """The calls of an output; a state that repeats the input has only some that are new."""
    old = len([*_calls_in(step.get("input"))])
    return [*_calls_in(step.get("output"))][old if step.get("kind") != "llm" else 0 :]


def _calls_in(payload: Any) -> list[Call]:
    """The calls in a payload: in messages, or by themselves as the AI SDK logs them."""
    said = messages_in(payload)
    bare = [] if said else [*dicts(parsed(payload))]
    if bare and all("toolName" in call for call in bare):
        return [call_of(call) for call in bare]
    return [call for message in said for call in message.get("tool_calls", [])]


def _of_model(call: Call, step: Step, tree: Tree) -> Call:
    made = {"id": call.get("id"), "name": call.get("name"), "args": call.get("arguments")}
    agent = tree.sub_agent(step)
    return made | ({"agent": agent} if agent else {})


def _with_executions(calls: list[Call], tree: Tree) -> list[Call]:
    """Some writers log a tool's work as a plain step of its name."""
    names = {call["name"] for call in calls}
    works = [s for s in tree.of("") if s.get("name") in names]
    for call in calls:
        work = next((step for step in works if step.get("name") == call["name"]), None)
        if work is not None:
            works.remove(work)
            message = tool_message(work.get("output"))
            call["result"] = message["content"] if message else work.get("output")
            call |= _failure(work) | timing(work)
    return calls
