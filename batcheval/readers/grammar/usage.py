"""Tokens and costs, whatever a writer calls them, added up over a trace."""

import math
from typing import Any, Final

from batcheval.readers.grammar.values import first

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
        *("cached_content_token_count", "cachedContentTokenCount"),
    ),
    "total_tokens": (
        *("total_tokens", "totalTokens", "total", "total_token_count", "totalTokenCount"),
    ),
}
# Cached input that the writer does not count as input.
_APART: Final = (
    *("cache_read_input_tokens", "cache_creation_input_tokens", "cacheRead", "cacheWrite"),
    *("inputCacheRead", "inputCacheCreation"),
)


class Usage:
    """Adds up what each model call used. Input tokens are all there were, cached ones among them.

    Anthropic, pi, OpenCode and Kimi count cached tokens apart from the input, OpenAI and Google as
    part of it; `fields` has them as part of it, so that traces of several writers compare.

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
        self._count("cost", cost)
        if not isinstance(usage, dict):
            return
        found = {name: _number(first(usage, *keys)) for name, keys in _NAMES.items()}
        apart = sum(_number(usage.get(key)) or 0 for key in _APART)
        if apart:
            found["input_tokens"] = (found["input_tokens"] or 0) + apart
        if found["total_tokens"] is None and found["input_tokens"] is not None:
            found["total_tokens"] = found["input_tokens"] + (found["output_tokens"] or 0)
        for name, number in found.items():
            self._count(name, number)

    def _count(self, name: str, value: Any) -> None:
        number = _number(value)
        if number is not None:
            self.fields[name] = self.fields.get(name, 0) + number


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 <= value < 2**62 and math.isfinite(value) else None
