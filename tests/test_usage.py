"""Token counts of many writers: input is all there was, whatever each of them counts as it."""

from typing import Any

import pytest

from batcheval.readers.grammar.usage import Usage, tokens
from tests.layout_files import of_lines

# The usage, and the input, output, total and cached tokens in it.
CASES: dict[str, tuple[Any, tuple[int | None, ...]]] = {
    "openai": (
        {
            "prompt_tokens": 100,
            "completion_tokens": 5,
            "total_tokens": 105,
            "prompt_tokens_details": {"cached_tokens": 90},
        },
        (100, 5, 105, 90),
    ),
    "responses": (
        {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 90}, "output_tokens": 5},
        (100, 5, 105, 90),
    ),
    "agents sdk": (
        {"input_tokens": 100, "input_tokens_details": [{"cached_tokens": 90}], "output_tokens": 5},
        (100, 5, 105, 90),
    ),
    "anthropic": (
        {
            "input_tokens": 2,
            "cache_creation_input_tokens": 8,
            "cache_read_input_tokens": 90,
            "output_tokens": 5,
        },
        (100, 5, 105, 90),
    ),
    "anthropic by way of litellm": (
        {
            "prompt_tokens": 100,
            "completion_tokens": 5,
            "total_tokens": 105,
            "cache_creation_input_tokens": 8,
            "cache_read_input_tokens": 90,
        },
        (100, 5, 105, 90),
    ),
    "bedrock": (
        {
            "inputTokens": 10,
            "outputTokens": 5,
            "totalTokens": 15,
            "cacheReadInputTokens": 90,
            "cacheWriteInputTokens": 0,
        },
        (100, 5, 105, 90),
    ),
    "langchain": (
        {
            "input_tokens": 100,
            "output_tokens": 5,
            "total_tokens": 105,
            "input_token_details": {"cache_read": 90},
        },
        (100, 5, 105, 90),
    ),
    "langfuse": (
        {"input": 10, "input_cached_tokens": 90, "output": 5, "total": 105},
        (100, 5, 105, 90),
    ),
    "google": (
        {
            "prompt_token_count": 100,
            "cached_content_token_count": 50,
            "candidates_token_count": 10,
            "thoughts_token_count": 60,
            "total_token_count": 170,
        },
        (100, 10, 170, 50),
    ),
    "inspect of openai": (
        {
            "input_tokens": 100,
            "output_tokens": 5,
            "total_tokens": 105,
            "input_tokens_cache_read": 90,
        },
        (100, 5, 105, 90),
    ),
    "inspect of anthropic": (
        {
            "input_tokens": 2,
            "output_tokens": 5,
            "total_tokens": 105,
            "input_tokens_cache_read": 90,
            "input_tokens_cache_write": 8,
        },
        (100, 5, 105, 90),
    ),
    "codex": (
        {
            "input_tokens": 100,
            "cached_input_tokens": 90,
            "output_tokens": 5,
            "reasoning_output_tokens": 3,
            "total_tokens": 105,
        },
        (100, 5, 105, 90),
    ),
    "braintrust": (
        {"prompt_tokens": 100, "prompt_cached_tokens": 90, "completion_tokens": 5, "tokens": 105},
        (100, 5, 105, 90),
    ),
    "a table": ({"prompt_tokens": "100", "completion_tokens": "5"}, (100, 5, 105, None)),
    "output alone": ({"output_tokens": 5}, (None, 5, None, None)),
    "no numbers": ({"input": "Hello", "output": ["Hi."], "total": True}, (None,) * 4),
    "nothing": (None, (None,) * 4),
}
NAMES = ("input_tokens", "output_tokens", "total_tokens", "cached_tokens")


@pytest.mark.parametrize("writer", CASES)
def test_tokens(writer: str) -> None:
    told, expected = CASES[writer]
    found = tokens(told)
    assert tuple(map(found.get, NAMES)) == expected
    usage = Usage()
    usage.add(told)
    usage.add(told)
    assert usage.fields == {name: 2 * count for name, count in found.items()}


ANTHROPIC = CASES["anthropic"][0]


def test_layouts_count_alike() -> None:
    """A platform that logs an answer of Anthropic's, and Anthropic's own record of it."""
    message = {"type": "message", "id": "m", "role": "assistant", "content": [], "model": "c"}
    [own] = of_lines("anthropic_messages", message | {"stop_reason": "x", "usage": ANTHROPIC})
    run = {"id": "r", "trace_id": "t", "run_type": "llm", "outputs": {"usage": ANTHROPIC}}
    [run_of] = of_lines("langsmith", run)
    [chat] = of_lines("openai_chat", {"messages": [message], "usage": ANTHROPIC})
    for trace in (own, run_of, chat):
        assert [trace[name] for name in NAMES] == [100, 5, 105, 90]
