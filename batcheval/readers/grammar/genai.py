"""Spans as steps: the attributes of GenAI, OpenInference, AI SDK, ADK, pydantic-ai, Traceloop."""

from collections.abc import Mapping
from typing import Any

from batcheval.readers.grammar.attributes import numbered
from batcheval.readers.grammar.genai_messages import messages_of, told_by_events
from batcheval.readers.grammar.genai_names import spelled
from batcheval.readers.grammar.spans import Span
from batcheval.readers.grammar.steps import KINDS, Step
from batcheval.readers.grammar.values import first, parsed


def step_of(span: Span) -> Step:
    """The step that a span tells of.

    Example:
        >>> from batcheval.readers.grammar.spans import spans_in
        >>> [span] = spans_in({"span_id": "b", "name": "execute_tool f", "attributes": {
        ...     "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "f"}})
        >>> step_of(span)["kind"], step_of(span)["call"]["name"]
        ('tool', 'f')
    """
    told = told_by_events(span)
    names = spelled(told)
    one = names[""]
    kind = _kind(span, told, one.get("kind", ()))
    step: Step = {
        "trace": span.trace,
        "id": span.id,
        "parent": span.parent,
        "name": span.name,
        "kind": kind,
        "start": span.start,
        "end": span.end,
        "failed": span.failed,
        "error": span.error,
        "cost": first(told, *one.get("cost", ())),
        "model": _text(first(told, *one.get("model", ()))),
        "usage": _read(told, names["usage"]),
        "about": _read(told, names["about"]),
    }
    if kind == "tool":
        call = _read(told, names["call"])
        step["call"] = call | {"name": _text(call.get("name")) or span.name}
    else:
        step["input"], step["output"] = _payloads(told, kind, one)
        step["agent"] = _text(first(told, *one.get("agent", ()))) or span.name
        step["tools"] = parsed(told.get("gen_ai.tool.definitions")) or _schemas(told)
        step["documents"] = _documents(told)
    return {key: value for key, value in step.items() if value not in (None, "", {}, [])}  # type: ignore[return-value]


def _kind(span: Span, told: Mapping[str, Any], names: tuple[str, ...]) -> str:
    kinds = [span.kind, *[told[name] for name in names]]
    words = (str(parsed(kind)).lower() for kind in kinds if kind is not None)
    known = next((KINDS[word] for word in words if word in KINDS), None)
    if known == "tool" and told.get("gen_ai.tool.name") == "(merged tools)":
        return ""  # ADK repeats parallel calls in one more span
    if known is not None:
        return known
    if str(told.get("ai.operationId")).startswith("ai."):
        return "llm"
    names_tool = "gen_ai.tool.name" in told or "ai.toolCall.name" in told
    if names_tool and "gen_ai.operation.name" not in told:
        return "tool"
    says = ("gen_ai.request.model", "llm.model_name", "llm.request.type", "gen_ai.output.messages")
    return "llm" if first(told, *says) and not told.get("pydantic_ai.all_messages") else ""


def _payloads(
    told: Mapping[str, Any], kind: str, names: Mapping[str, tuple[str, ...]]
) -> tuple[Any, Any]:
    """What was given and made: of models the messages come first, of others the plain values."""
    given, made = messages_of(told)
    value, result = first(told, *names.get("in", ())), first(told, *names.get("out", ()))
    if kind == "llm":
        return given or value, made or result
    return (given if value is None else value), (made if result is None else result)


def _read(told: Mapping[str, Any], names: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    found = {name: first(told, *spellings) for name, spellings in names.items()} if names else {}
    return {name: value for name, value in found.items() if value is not None}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _schemas(told: Mapping[str, Any]) -> list[Any]:
    return [parsed(first(tool, "tool.json_schema")) for tool in numbered(told, "llm.tools")]


def _documents(told: Mapping[str, Any]) -> list[str]:
    found = (d.get("document.content") for d in numbered(told, "retrieval.documents"))
    return [text for text in found if isinstance(text, str)]
