"""The columns of the canonical table, their types, and the other names they go by."""

from typing import Final

import polars as pl

TIME: Final = pl.Datetime("us", "UTC")

CALL: Final = pl.Struct(
    {
        "id": pl.String,
        "name": pl.String,
        "args": pl.String,
        "result": pl.String,
        "error": pl.String,
        "state": pl.String,
        "state_raw": pl.String,
        "message": pl.Int32,
        "agent": pl.String,
        "parent_id": pl.String,
        "started_at": TIME,
        "duration_ms": pl.Float64,
    }
)
MESSAGE: Final = pl.Struct(dict.fromkeys(("role", "content", "name", "tool_call_id"), pl.String()))

CANONICAL: Final[dict[str, pl.DataType]] = {
    "trace_id": pl.String(),
    "run": pl.String(),
    "task_id": pl.String(),
    "trial": pl.Int64(),
    "input": pl.String(),
    "output": pl.String(),
    "assistant_texts": pl.List(pl.String),
    "tool_calls": pl.List(CALL),
    "messages": pl.List(MESSAGE),
    "expected": pl.String(),
    "expected_tool_calls": pl.String(),
    "expected_trajectory": pl.String(),
    "trajectory": pl.String(),
    "tool_definitions": pl.String(),
    "labels": pl.String(),
    "context": pl.List(pl.String),
    "model": pl.String(),
    "error": pl.String(),
    "input_tokens": pl.Int64(),
    "output_tokens": pl.Int64(),
    "total_tokens": pl.Int64(),
    "cached_tokens": pl.Int64(),
    "cost": pl.Float64(),
    "latency_ms": pl.Float64(),
    "started_at": TIME,
    "metadata": pl.String(),
    "source": pl.String(),
    "line": pl.Int64(),
}

# What a score row is known by.
IDENTITY: Final = ("trace_id", "run", "task_id", "trial", "source", "line")

# Columns that hold JSON text, spelled as the dump spelled it.
JSON_TEXT: Final = frozenset(
    {
        "expected_tool_calls",
        "expected_trajectory",
        "trajectory",
        "tool_definitions",
        "labels",
        "metadata",
    }
)

# Other names of a column in the native layout; the first that a record has is taken.
SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    "trace_id": ("id",),
    "input": ("question", "prompt", "query"),
    "output": ("response", "answer", "completion"),
    "expected": ("ground_truth", "reference", "target", "expected_output"),
    "tool_calls": ("toolCalls",),
}

# The canonical column that a synonym stands for.
STANDS_FOR: Final = {other: name for name, others in SYNONYMS.items() for other in others}

# The same for the fields of a call. `is_error` is read and then told by `state`.
CALL_SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    "id": ("toolCallId", "tool_call_id"),
    "name": ("toolName", "tool_name"),
    "args": ("arguments", "input"),
    "result": ("output",),
    "error": ("errorText", "error_text"),
    "state": ("status",),
    "is_error": ("isError",),
}

# The known words for the state of a call, in lower case.
STATE_WORDS: Final[dict[str, str]] = {
    **dict.fromkeys(("ok", "result", "output-available", "completed", "complete"), "ok"),
    **dict.fromkeys(("success", "succeeded", "done", "finished"), "ok"),
    **dict.fromkeys(("error", "output-error", "failed", "failure", "errored"), "error"),
    **dict.fromkeys(("pending", "call", "input-available", "running"), "pending"),
    **dict.fromkeys(("in_progress", "in-progress"), "pending"),
    **dict.fromkeys(("approval-requested", "approval-responded"), "pending"),
    **dict.fromkeys(("denied", "output-denied", "rejected"), "denied"),
    **dict.fromkeys(("partial", "partial-call", "input-streaming"), "partial"),
}

# Under this key a Parquet file of scores says how it was made.
METADATA_KEY: Final = "batcheval"

STATES: Final = ("ok", "error", "pending", "denied", "partial")

TRACE_ID: Final = pl.col("trace_id")
INPUT: Final = pl.col("input")
OUTPUT: Final = pl.col("output")
TOOL_CALLS: Final = pl.col("tool_calls")
EXPECTED: Final = pl.col("expected")
