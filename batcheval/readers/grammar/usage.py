"""Tokens and costs, whatever a writer calls them, added up over a trace."""

import math
from collections.abc import Mapping
from typing import Any, Final

from batcheval.readers.grammar.values import dig, first

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "input_tokens": (
        *("input_tokens", "prompt_tokens", "inputTokens", "promptTokens", "input", "inputOther"),
        *("prompt_token_count", "promptTokenCount"),
    ),
    "output_tokens": (
        *("output_tokens", "completion_tokens", "outputTokens", "completionTokens", "output"),
        *("candidates_token_count", "candidatesTokenCount"),
    ),
    "cached_tokens": (
        *("cache_read_input_tokens", "cached_input_tokens", "cached_tokens", "cacheRead"),
        *("cachedInputTokens", "inputCacheRead", "input_tokens_cache_read", "cache_read_tokens"),
        *("cached_content_token_count", "cachedContentTokenCount", "cacheReadInputTokens"),
        *("input_cache_read", "input_cached_tokens", "prompt_cached_tokens"),
        "prompt_details.cache_read",
    ),
    "total_tokens": (
        *("total_tokens", "totalTokens", "total", "tokens"),
        *("total_token_count", "totalTokenCount"),
    ),
}
# Where the cached tokens stand in objects of their own; the Agents SDK has a list of these.
_DETAILS: Final = (
    *("prompt_tokens_details", "input_tokens_details", "inputTokensDetails"),
    *("input_token_details", "inputTokenDetails"),
)
_IN_DETAILS: Final = ("cached_tokens", "cache_read", "cacheReadTokens")
# What was written to a cache, which is input that no later call is spared.
_WRITTEN: Final = (
    *("cache_creation_input_tokens", "cacheWriteInputTokens", "cacheWrite", "inputCacheCreation"),
    *("input_tokens_cache_write", "input_cache_creation", "input_cache_write"),
)
# Names of writers who do not count cached tokens as input: Anthropic and Bedrock, pi, OpenCode,
# Kimi, Langfuse. Beside `prompt_tokens` they are LiteLLM's, who does.
_APART: Final = (
    *("cache_read_input_tokens", "cache_creation_input_tokens", "cacheRead", "cacheWrite"),
    *("inputCacheRead", "inputCacheCreation", "cacheReadInputTokens", "cacheWriteInputTokens"),
    *("input_cache_read", "input_cached_tokens", "input_cache_creation", "input_cache_write"),
)
_COUNTED_IN: Final = ("prompt_tokens", "promptTokens")


def tokens(told: Any) -> dict[str, Any]:
    """The token columns that a writer's usage fills, as far as it tells numbers.

    Input tokens are all there were, cached ones among them. Anthropic, Bedrock, pi, OpenCode, Kimi
    and Langfuse count cached tokens apart from the input, OpenAI, Google and LiteLLM as part of it;
    where names leave it open, the total tells.

    Example:
        >>> tokens({"input_tokens": 2, "cache_read_input_tokens": 90, "output_tokens": 8})
        {'input_tokens': 92, 'output_tokens': 8, 'cached_tokens': 90, 'total_tokens': 100}
        >>> tokens({"prompt_tokens": 92, "cache_read_input_tokens": 90})["input_tokens"]
        92
    """
    if not isinstance(told, dict):
        return {}
    found = {name: number(first(told, *keys)) for name, keys in _NAMES.items()}
    if found["cached_tokens"] is None:
        found["cached_tokens"] = _in_details(told)
    made = found["output_tokens"] or 0
    cached = (found["cached_tokens"] or 0) + (number(first(told, *_WRITTEN)) or 0)
    if cached and _is_apart(told, (found["input_tokens"] or 0) + made + cached):
        found["input_tokens"] = (found["input_tokens"] or 0) + cached
    if found["input_tokens"] is not None:
        parts = found["input_tokens"] + made
        found["total_tokens"] = max(found["total_tokens"] or 0, parts)
    return {name: count for name, count in found.items() if count is not None}


def _in_details(told: Mapping[str, Any]) -> int | float | None:
    details = first(told, *_DETAILS)
    details = dig(details, "0") if isinstance(details, list) else details
    return number(first(details, *_IN_DETAILS)) if isinstance(details, dict) else None


def _is_apart(told: Mapping[str, Any], whole: float) -> bool:
    """Whether cached tokens are no part of the input, which with them would make the whole."""
    if first(told, *_COUNTED_IN) is not None:
        return False
    by_name = any(number(told.get(name)) is not None for name in _APART)
    return by_name or number(first(told, *_NAMES["total_tokens"])) == whole


class Usage:
    """Adds up what each model call used.

    Example:
        >>> usage = Usage()
        >>> usage.add({"input_tokens": 2, "cache_read_input_tokens": 90, "output_tokens": 8})
        >>> usage.add({"prompt_tokens": 100, "completion_tokens": 5}, cost=0.5)
        >>> usage.fields["input_tokens"], usage.fields["output_tokens"], usage.fields["cost"]
        (192, 13, 0.5)
    """

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}

    def add(self, usage: Any, cost: Any = None) -> None:
        """What one model call used, and what it cost; anything but numbers is passed over."""
        for name, count in {**tokens(usage), "cost": number(cost)}.items():
            if count is not None:
                self.fields[name] = self.fields.get(name, 0) + count


def number(value: Any) -> int | float | None:
    """A count or a cost, None for what is none; tables have the digits as text.

    Example:
        >>> number(7), number("12"), number(0.5), number(-1), number(True), number("many")
        (7, 12, 0.5, None, None, None)
    """
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
        value = int(value) if value.is_integer() else value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 <= value < 2**62 and math.isfinite(value) else None
