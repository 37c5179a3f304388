"""Spans as steps: the attributes of GenAI, OpenInference, AI SDK, ADK, pydantic-ai, Traceloop."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from batcheval.readers.grammar.attributes import numbered
from batcheval.readers.grammar.genai_messages import messages_of, told_by_events
from batcheval.readers.grammar.spans import Span
from batcheval.readers.grammar.steps import KINDS, Step
from batcheval.readers.grammar.values import first, parsed

_KINDS: Final = (
    *("openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind"),
    *("mlflow.spanType", "langfuse.observation.type", "langsmith.span.kind", "langwatch.span.type"),
    *("ai.operationId", "operation.name"),
)
_IN: Final = (
    *("input.value", "ai.prompt", "gcp.vertex.agent.llm_request", "mlflow.spanInputs"),
    *("traceloop.entity.input", "langfuse.observation.input", "langwatch.input", "gen_ai.prompt"),
    *("pydantic_ai.all_messages", "all_messages_events", "input"),
)
_OUT: Final = (
    *("output.value", "final_result", "ai.response.text", "ai.response.object"),
    *("gcp.vertex.agent.llm_response", "mlflow.spanOutputs", "traceloop.entity.output"),
    *("langfuse.observation.output", "langwatch.output", "gen_ai.completion", "output"),
)
_CALL: Final = {
    "id": ("gen_ai.tool.call.id", "tool.id", "ai.toolCall.id", "tool_call.id"),
    "name": ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name"),
    "args": (
        *("gen_ai.tool.call.arguments", "tool_arguments", "ai.toolCall.args"),
        *("gcp.vertex.agent.tool_call_args", *_IN, "tool.parameters"),
    ),
    "result": (
        *("gen_ai.tool.call.result", "tool_response", "ai.toolCall.result"),
        *("gcp.vertex.agent.tool_response", *_OUT),
    ),
}
_USAGE: Final = {
    "input_tokens": (
        *("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"),
        *("ai.usage.inputTokens", "ai.usage.promptTokens", "llm.usage.prompt_tokens"),
    ),
    "output_tokens": (
        *("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
        *("llm.token_count.completion", "ai.usage.outputTokens", "ai.usage.completionTokens"),
        "llm.usage.completion_tokens",
    ),
    "total_tokens": (
        *("gen_ai.usage.total_tokens", "llm.usage.total_tokens"),
        *("llm.token_count.total", "ai.usage.totalTokens"),
    ),
    "cached_tokens": (
        *("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens"),
        *("llm.token_count.prompt_details.cache_read", "ai.usage.cachedInputTokens"),
        *("gen_ai.usage.details.cache_read_tokens", "gen_ai.usage.cached_tokens"),
    ),
}
_MODEL: Final = (
    *("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.response.model"),
    *("ai.model.id", "model_name"),
)
_COST: Final = ("llm.cost.total", "gen_ai.usage.cost", "operation.cost")
_AGENT: Final = ("gen_ai.agent.name", "agent.name")
_ABOUT: Final = {
    "session": ("session.id", "gen_ai.conversation.id", "ai.telemetry.metadata.sessionId"),
    "user": ("user.id", "enduser.id", "ai.telemetry.metadata.userId"),
    "metadata": ("metadata",),
}
_ONE: Final = {"kind": _KINDS, "in": _IN, "out": _OUT, "model": _MODEL, "cost": _COST}
_FIELDS: Final = {"": _ONE | {"agent": _AGENT}, "call": _CALL, "usage": _USAGE, "about": _ABOUT}
_NAMES: Final = frozenset(
    name for fields in _FIELDS.values() for names in fields.values() for name in names
)


@lru_cache(10_000)
def _spelled(present: frozenset[str]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Of each group of fields, those that are there, and how: most names are never there."""
    return {
        group: {field: told for field, names in fields.items() if (told := _among(names, present))}
        for group, fields in _FIELDS.items()
    }


def _among(names: tuple[str, ...], present: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name in present)


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
    names = _spelled(frozenset(told.keys() & _NAMES))
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
