from typing import Any

import polars as pl

from batcheval.checks import latency, run_cost, time_to_first_answer, tokens_used, tool_time
from tests.cases import Case, Trace, trace

OWN = pl.col("metadata.budget")
FIRST = pl.col("metadata.first_ms")
PRICES = {
    "big": {"input": 2.0, "output": 10.0, "cached": 0.5},
    "small*": {"input": 1.0, "output": 4.0},
    "small-2*": {"input": 0.0, "output": 0.0},
}
NAN = float("nan")


def took(*durations: float | None) -> Trace:
    calls = [{"name": "a", "state": "ok", "duration_ms": ms} for ms in durations]
    return trace(tool_calls=calls)


def used(model: str | None, tokens: int | None, out: int | None = 0, **fields: Any) -> Trace:
    return trace(model=model, input_tokens=tokens, output_tokens=out, **fields)


DETAILS: dict[str, dict[str, Any]] = {
    "tokens_used": {"tokens": pl.Int64()},
    "run_cost": {"cost": pl.Float64(), "unpriced_model": pl.String()},
    "latency": {"latency_ms": pl.Float64()},
    "tool_time": {"tool_time_ms": pl.Float64()},
    "time_to_first_answer": {"first_answer_ms": pl.Float64()},
}

CASES: list[Case] = [
    (tokens_used(100), trace(total_tokens=100), 1.0),  # inclusive
    (tokens_used(100), trace(total_tokens=101), 0.0),
    (tokens_used(100), used(None, 60, 50), 0.0),  # their sum
    (tokens_used(100), used(None, 60, None), None),
    (tokens_used(100), used(None, 600, 500, total_tokens=90), 1.0),
    (tokens_used(100, of="input"), used(None, 60, 500), 1.0),
    (tokens_used(100, of="output"), used(None, 60, 500), 0.0),
    (tokens_used(100, of="output"), trace(total_tokens=90), None),
    (tokens_used(100, zero_at=200), trace(total_tokens=125), 0.75),
    (tokens_used(0, zero_at=200), trace(total_tokens=300), 0.0),
    (tokens_used(100), trace(total_tokens=-1), None),
    (tokens_used(OWN), trace(total_tokens=5, metadata='{"budget": 5}'), 1.0),
    (tokens_used(OWN, zero_at=4), trace(total_tokens=6, metadata='{"budget": "5"}'), 0.0),
    (tokens_used(OWN), trace(total_tokens=5, metadata='{"budget": "?"}'), None),
    (run_cost(0.5), trace(cost=0.5), 1.0),
    (run_cost(0.5), trace(cost=0.75), 0.0),
    (run_cost(0.5, zero_at=1), trace(cost=0.75), 0.5),
    (run_cost(0.5), trace(cost=None), None),
    (run_cost(0.5), trace(cost=NAN), None),
    (run_cost(0.5), trace(cost=-0.1), None),
    (run_cost(3, prices=PRICES), used("big", 1_000_000, 100_000), 1.0),
    (run_cost(2.99, prices=PRICES), used("big", 1_000_000, 100_000), 0.0),
    (run_cost(2.25, prices=PRICES), used("big", 1_000_000, 100_000, cached_tokens=500_000), 1.0),
    (run_cost(2.24, prices=PRICES), used("big", 1_000_000, 100_000, cached_tokens=500_000), 0.0),
    (run_cost(9, prices=PRICES), used("big", 1, cached_tokens=2), None),  # more than there were
    (run_cost(1, prices=PRICES), used("small-1", 1_000_000, cached_tokens=9, cost=5.0), 1.0),
    (run_cost(0, prices=PRICES), used("small-2-mini", 1_000_000, 9), 1.0),  # the longest name
    (run_cost(9, prices=PRICES), used("bigger", 1), None),
    (run_cost(9, prices=PRICES), used(None, 1), None),
    (run_cost(9, prices=PRICES), used("big", None), None),
    (run_cost(9, prices=PRICES), used("big", 1, -1), None),
    (latency(1000), trace(latency_ms=1000.0), 1.0),
    (latency(1000), trace(latency_ms=1000.5), 0.0),
    (latency(1000, zero_at_ms=3000), trace(latency_ms=1500.0), 0.75),
    (latency(1000), trace(), None),
    (latency(1000), trace(latency_ms=float("inf")), None),
    (latency(OWN), trace(latency_ms=5.0, metadata='{"budget": 4.5}'), 0.0),
    (tool_time(1000), took(400.0, 600.0), 1.0),
    (tool_time(999), took(400.0, 600.0), 0.0),
    (tool_time(0), took(), 1.0),
    (tool_time(1000), took(400.0, None), None),
    (tool_time(1000), took(400.0, NAN), None),
    (tool_time(500, zero_at_ms=1500), took(400.0, 600.0), 0.5),
    (time_to_first_answer(500), trace(assistant_texts=["Hi."], latency_ms=400.0), 1.0),
    (time_to_first_answer(500), trace(assistant_texts=["Hi."], latency_ms=600.0), 0.0),
    (time_to_first_answer(500), trace(assistant_texts=["Hm.", "Hi."], latency_ms=400.0), None),
    (time_to_first_answer(500), trace(assistant_texts=["Hi."]), None),
    (time_to_first_answer(500, on=FIRST), trace(metadata='{"first_ms": 200}'), 1.0),
    (
        time_to_first_answer(100, zero_at_ms=300, on=FIRST),
        trace(metadata='{"first_ms": 200}'),
        0.5,
    ),
    (time_to_first_answer(500, on=FIRST), trace(latency_ms=1.0), None),
]
