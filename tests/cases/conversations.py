from typing import Any

import polars as pl

from batcheval.checks import (
    answered,
    called_tool,
    excludes,
    includes,
    latency,
    max_turns,
    said_by,
    similarity,
    turns,
)
from tests.cases import Case, Trace, trace

WORDS = {"u": "user", "a": "assistant", "s": "system", "t": "tool", "h": "human", "i": "ai"}


def talk(*said: str, calls: dict[str, int | None] | None = None, **fields: Any) -> Trace:
    """Messages as `u:text`, and calls by name with the message in which they were made."""
    pairs = [one.split(":", 1) for one in said]
    made = [{"name": n, "state": "ok", "message": at} for n, at in (calls or {}).items()]
    messages = [{"role": WORDS.get(role, role), "content": text} for role, text in pairs]
    return trace(messages=messages, tool_calls=made, **fields)


FOUR = ("s:Be kind.", "u:Oslo?", "a:Sunny.", "u:Rome?", "a:", "t:rain", "a:Rain.", "u:Bye")
WEATHER = talk(*FOUR, calls={"weather": 4})
SUN, CALLED = includes("sunny"), called_tool("weather")
NONE = trace(output="Sunny.")
EACH = pl.List(pl.Struct({"index": pl.Int64, "score": pl.Float64, "reason": pl.String}))

DETAILS: dict[str, dict[str, Any]] = {
    "turns": {"scored": pl.Int64(), "turns": EACH},
    "said_by": {"scored": pl.Int64(), "messages": EACH},
    "max_turns": {"turns": pl.Int64()},
    "answered": {"answered": pl.Boolean()},
}

CASES: list[Case] = [
    (turns(SUN), WEATHER, 1 / 3),
    (turns(SUN, at=0), WEATHER, 1.0),
    (turns(SUN, at=[0, -2]), WEATHER, 0.5),
    (turns(SUN, at=7), WEATHER, None),
    (turns(SUN, score="min"), WEATHER, 0.0),
    (turns(excludes("snow"), score="all"), WEATHER, 1.0),
    (turns(similarity("Rain!"), least=0.5, at=1), WEATHER, 1.0),
    (turns(includes("rome", on=pl.col("input"))), WEATHER, 1 / 3),
    (turns(CALLED), WEATHER, 1 / 3),
    (turns(CALLED, at=1), WEATHER, 1.0),
    (turns(CALLED), talk(*FOUR, calls={"weather": None}), None),  # in which turn, nobody knows
    (turns(CALLED), talk("u:Oslo?", calls={"weather": None}), 1.0),  # there is but one
    (turns(CALLED, at=1), talk(*FOUR, calls={"a": 4, "weather": None}), 1.0),  # as the one before
    (turns(answered(), at=1), WEATHER, 1.0),
    (turns(latency(5)), {**WEATHER, "latency_ms": 1.0}, None),  # told of the run alone
    (turns(includes(pl.col("expected")), at=0), {**WEATHER, "expected": "sunny"}, 1.0),
    (turns(includes(pl.col("metadata.x")), at=0), {**WEATHER, "metadata": '{"x": "sun"}'}, 1.0),
    (turns(includes("bye", on=pl.col("messages[0].content")), at=-1), WEATHER, 1.0),
    (turns(turns(SUN), at=0), WEATHER, 1.0),
    (turns(SUN), NONE, None),
    (turns(SUN), talk("a:Sunny."), None),  # before any turn
    (said_by("user", includes("?")), WEATHER, 2 / 3),
    (said_by("user", includes("?"), at=-1), WEATHER, 0.0),
    (said_by("system", includes("kind")), WEATHER, 1.0),
    (said_by("assistant", SUN, score="min"), WEATHER, 0.0),
    (said_by("assistant", SUN, score="all", at=0), WEATHER, 1.0),
    (said_by("user", CALLED), WEATHER, 1.0),  # all else is the run's
    (said_by("user", SUN), talk("h: ", "i:Sunny."), None),
    (max_turns(3), WEATHER, 1.0),
    (max_turns(2), WEATHER, 0.0),
    (max_turns(0), talk("a:Hello."), 1.0),
    (max_turns(0), NONE, None),
    (max_turns(1), talk("h:Hello.", "u:Hello?"), 0.0),
    (answered(), WEATHER, 1.0),
    (answered(), talk("u:Oslo?", "a:Let me see.", "t:", calls={"weather": 1}), 0.0),
    (answered(), talk("a:Fine.", "a: ", calls={"weather": 0}), 0.0),
    (answered(), NONE, 1.0),
    (answered(), trace(), 0.0),
    (answered(), talk("a:x", output="x", calls={"weather": None}), 1.0),
]
