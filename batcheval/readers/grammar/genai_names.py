"""The names of attributes by which GenAI, OpenInference and others tell the same of a span."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

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


def spelled(told: Mapping[str, Any]) -> dict[str, dict[str, tuple[str, ...]]]:
    """By group, the fields that a span tells, each with those of its names that are there.

    Most names are never there, and most spans have the names of others, so that this saves looking.

    Example:
        >>> spelled({"tool.name": "bash", "tool.id": 1})["call"]
        {'id': ('tool.id',), 'name': ('tool.name',)}
    """
    return _spelled(frozenset(told.keys() & _NAMES))


@lru_cache(10_000)
def _spelled(present: frozenset[str]) -> dict[str, dict[str, tuple[str, ...]]]:
    return {
        group: {field: told for field, names in fields.items() if (told := _among(names, present))}
        for group, fields in _FIELDS.items()
    }


def _among(names: tuple[str, ...], present: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name in present)
