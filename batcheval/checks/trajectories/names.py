"""The names of what steps and expectations hold, and the other ways to spell them."""

from collections.abc import Mapping
from typing import Any, Final

_TOOL: Final = ("tool_args", "tool_result", "success")

# By the type of a step: what an expected step may ask of it, besides its name.
COMPARED: Final[dict[str, tuple[str, ...]]] = {
    "tool_call": _TOOL,
    "mcp_tool_call": (*_TOOL, "mcp_server"),
    "model_generation": ("model_id", "prompt_tokens", "completion_tokens", "finish_reason"),
    "agent_run": ("agent_id",),
    "workflow_step": ("step_id", "status", "output"),
    "workflow_run": ("workflow_id", "status"),
    "workflow_conditional": ("condition_count", "selected_steps"),
    "workflow_parallel": ("branch_count", "parallel_steps"),
    "workflow_loop": ("loop_type", "total_iterations"),
    "workflow_sleep": ("sleep_duration_ms", "sleep_type"),
    "workflow_wait_event": ("event_name", "event_received"),
    "processor_run": ("processor_id",),
}
COMPARABLE: Final = frozenset(name for names in COMPARED.values() for name in names)
TOOL_TYPES: Final = ("tool_call", "mcp_tool_call")

STEP: Final = ("name", "step_type", "children", "duration_ms", "metadata", *sorted(COMPARABLE))
EXPECTATION: Final = (
    "steps",
    "ordering",
    "allow_repeated_steps",
    "max_steps",
    "max_total_tokens",
    "max_total_duration_ms",
    "no_redundant_calls",
    "blacklisted_tools",
    "blacklisted_sequences",
    "max_retries_per_tool",
)
WEIGHTS: Final = ("accuracy", "efficiency", "tool_failures", "blacklist")


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


_SNAKE: Final = {
    **{_camel(name): name for name in (*STEP, *EXPECTATION, *WEIGHTS, "total_duration_ms")},
    # As tool calls have them, which an expectation may be made of.
    **dict.fromkeys(("args", "arguments", "kwargs"), "tool_args"),
    **dict.fromkeys(("tool_name", "toolName"), "name"),
    "result": "tool_result",
}


def named(fields: Mapping[str, Any]) -> dict[str, Any]:
    """An object with its keys in snake case, and without those whose value is null.

    Example:
        >>> named({"stepType": "tool_call", "toolArgs": None, "other": 1})
        {'step_type': 'tool_call', 'other': 1}
    """
    return {_SNAKE.get(key, key): value for key, value in fields.items() if value is not None}


def compared(step_type: str | None) -> tuple[str, ...]:
    """What is compared besides the names, if an expected step of this type gives it."""
    names = _TOOL if step_type is None else COMPARED.get(step_type, ())
    return names if "tool_args" in names else (*names, "tool_args")
