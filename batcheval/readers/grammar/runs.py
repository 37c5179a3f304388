"""A trace from its steps: calls counted once, the main agent's words, tokens of the innermost."""

from collections.abc import Iterable
from itertools import chain
from typing import Any, Final

from batcheval.readers.grammar.calls import calls_of
from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.conversation import conversation, spoken
from batcheval.readers.grammar.payloads import messages_in, remembering, text_of
from batcheval.readers.grammar.steps import Step, Tree, span_of_time
from batcheval.readers.grammar.usage import number
from batcheval.readers.grammar.values import text_in
from batcheval.readers.layouts.layout import Trace

_TOKENS: Final = ("input_tokens", "output_tokens", "total_tokens", "cached_tokens")


def trace_of(steps: Iterable[Step], **fields: Any) -> Trace:
    """The trace that steps make up, with fields that their source tells itself.

    Calls are the tool steps; where there are none, the calls in what models put out. The input is
    the first root's, the output that of the first root that has one, else that of the last step
    that is no tool's. Of tokens and costs those of the innermost steps are summed.

    Args:
        steps: all steps of the trace, in the order of the file.
        fields: canonical fields that win over what the steps tell, if they tell anything.

    Example:
        >>> trace = trace_of([
        ...     {"id": "a", "kind": "agent", "start": 1, "input": "Weather?", "output": "Sunny."},
        ...     {"id": "b", "parent": "a", "kind": "tool", "start": 2,
        ...      "call": {"name": "weather", "args": "{}", "result": "sunny"}}])
        >>> trace["input"], trace["output"], trace["tool_calls"][0]["name"]
        ('Weather?', 'Sunny.', 'weather')
    """
    with remembering():
        return _trace(Tree(steps), fields)


def _trace(tree: Tree, fields: Trace) -> Trace:
    main = [step for step in tree.of("llm") if not tree.is_delegated(step)]
    said = conversation(main) or conversation(tree.roots[:1])
    log = transcribe(said)
    told: Trace = {
        "trace_id": next((s["trace"] for s in tree.steps if s.get("trace")), None),
        "input": _input(tree, main),
        "output": _output(tree, main),
        "assistant_texts": [text for step in main for text in _texts(step)],
        "tool_calls": calls_of(tree, log),
        "messages": log.messages,
        "context": [*chain.from_iterable(tree.innermost("documents"))] or None,
        "model": next((s["model"] for s in tree.steps if s.get("model")), None),
        "error": _error(tree),
        "tool_definitions": next((s["tools"] for s in tree.steps if s.get("tools")), None),
        "cost": _sum(tree.innermost("cost")),
        "metadata": {k: v for s in reversed(tree.steps) for k, v in s.get("about", {}).items()},
        **_tokens(tree),
        **span_of_time(tree.steps),
    }
    return _filled(told | {k: v for k, v in fields.items() if v not in (None, "", {}, [])})


def _error(tree: Tree) -> str | None:
    """What the run failed of, if it did: a root's error, else the first below one."""
    failed = [step for step in tree.roots if step.get("failed")]
    told = (step.get("error") for step in [*failed, *tree.steps])
    return next((error for error in told if error), "error") if failed else None


def _filled(told: Trace) -> Trace:
    """Without messages of its own, a conversation is what was asked and what was answered."""
    if not told["messages"]:
        pairs = (("user", told["input"]), ("assistant", told["output"]))
        told["messages"] = [{"role": role, "content": text} for role, text in pairs if text]
    if not told["assistant_texts"] and told["output"]:
        told["assistant_texts"] = [told["output"]]
    return {key: value for key, value in told.items() if value not in (None, {})}


def _texts(step: Step) -> list[str]:
    said = spoken(step.get("output"), "assistant")
    texts = (text_in(m.get("content")) for m in said if m["role"] == "assistant")
    return [text for text in texts if text]


def _input(tree: Tree, main: list[Step]) -> str:
    given = (text_of(step.get("input"), "user") for step in [*tree.roots, *main])
    return next((text for text in given if text.strip()), "")


def _output(tree: Tree, main: list[Step]) -> str:
    """Agents and chains speak for the whole; among models and the rest, the last one does."""
    roots = [step for step in tree.roots if step.get("kind") not in ("llm", "tool", "retriever")]
    late = [s for s in reversed(tree.roots) if s.get("kind") == "llm"] + main[::-1]
    plain = (s for s in tree.of("agent", "") if s.get("kind") or messages_in(s.get("output")))
    rest = [step for step in plain if not tree.is_delegated(step)][::-1]
    said = (text_of(step.get("output"), "assistant") for step in [*roots, *late, *rest])
    return next((text for text in said if text.strip()), "")


def _tokens(tree: Tree) -> Trace:
    usages = tree.innermost("usage")
    told = {key: _sum(usage.get(key) for usage in usages) for key in _TOKENS}
    pair = told["input_tokens"], told["output_tokens"]
    if told["total_tokens"] is None and None not in pair:
        told["total_tokens"] = _sum(pair)
    return told


def _sum(values: Iterable[Any]) -> int | float | None:
    """The sum of what are numbers, None where none is; whole where it is a count."""
    numbers = [value for value in map(number, values) if value is not None]
    whole = sum(numbers) if numbers else None
    return int(whole) if isinstance(whole, float) and whole.is_integer() else whole
