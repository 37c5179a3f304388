from typing import Any

import polars as pl

from batcheval.checks import (
    all_of,
    any_of,
    at_least,
    excludes,
    includes,
    invert,
    none_of,
    similarity,
    sql,
    used_no_tools,
    weighted,
    when,
)
from tests.cases import Case, trace

A, B = includes("a"), includes("b")
E = includes(pl.col("expected"))  # unscored without an expectation
ALIKE = similarity("night")

MANY: dict[str, Any] = {"scored": pl.Int64(), "parts": pl.Struct}
ONE: dict[str, Any] = {"of": pl.Struct}

DETAILS: dict[str, dict[str, Any]] = {
    "all_of": MANY,
    "any_of": MANY,
    "none_of": MANY,
    "weighted": MANY,
    "invert": ONE,
    "at_least": ONE,
    "when": {"condition": pl.Boolean(), "then": pl.Struct},
    "sql": {"value": pl.Float64()},
}

CASES: list[Case] = [
    (all_of([A, B]), trace(output="ab"), 1.0),
    (all_of([A, B]), trace(output="a"), 0.0),
    (all_of([A, ALIKE]), trace(output="nacht"), 0.25),  # the least
    (all_of([A, E]), trace(output="a"), 1.0),  # unscored parts are left out
    (all_of([A, E]), trace(output="a", expected="b"), 0.0),
    (all_of([E]), trace(output="a"), None),
    (all_of([A, all_of([B, any_of([E, excludes("c")])])]), trace(output="ab"), 1.0),
    (any_of([A, B]), trace(output="b"), 1.0),
    (any_of([A, B]), trace(output="c"), 0.0),
    (any_of([A, E]), trace(output="b"), 0.0),
    (any_of([E, E]), trace(output="b"), None),
    (any_of([A, ALIKE]), trace(output="Nights"), 8 / 9),
    (none_of([A, B]), trace(output="c"), 1.0),
    (none_of([A, B]), trace(output="a"), 0.0),
    (none_of([A, E]), trace(output="c"), 1.0),
    (none_of([E]), trace(output="c"), None),
    (none_of([ALIKE]), trace(output="nacht"), 0.75),
    (weighted([A, B]), trace(output="a"), 0.5),
    (weighted([A, B], [3, 1]), trace(output="a"), 0.75),
    (weighted([A, B, E], [3, 1, 4]), trace(output="b"), 0.25),
    (weighted([A, E], [0, 1]), trace(output="a"), None),  # no weight is left
    (weighted([A, ALIKE], [1, 1]), trace(output="nacht"), 0.625),
    (invert(A), trace(output="a"), 0.0),
    (invert(A), trace(output="b"), 1.0),
    (invert(ALIKE), trace(output="nacht"), 0.75),
    (invert(E), trace(output="b"), None),
    (invert(invert(ALIKE)), trace(output="nacht"), 0.25),
    (at_least(ALIKE, 0.25), trace(output="nacht"), 1.0),
    (at_least(ALIKE, 0.26), trace(output="nacht"), 0.0),
    (at_least(ALIKE, 0), trace(output=""), 1.0),
    (at_least(E, 0.5), trace(output="b"), None),
    (at_least(weighted([A, B, used_no_tools()]), 2 / 3), trace(output="a"), 1.0),
    (when("input = 'hi'", A), trace(input="hi", output="a"), 1.0),
    (when("input = 'hi'", A), trace(input="ho", output="a"), None),
    (when("latency_ms > 5", A), trace(output="a"), None),  # null does not hold
    (when(B, A), trace(output="b"), 0.0),
    (when(B, A), trace(output="a"), None),
    (when(E, A), trace(output="a"), None),
    (when(pl.col("input") == "hi", A), trace(input="hi", output="b"), 0.0),
    (sql("output like '%done%'"), trace(output="It is done"), 1.0),
    (sql("output like '%a.c%'"), trace(output="abc"), 0.0),  # literal, not a pattern
    (sql("output ilike 'DONE'"), trace(output="done"), 1.0),
    (sql("array_length(tool_calls) < 2"), trace(tool_calls=["a", "b"]), 0.0),
    (sql("latency_ms > 5"), trace(output="x"), None),
    (sql("latency_ms / 10"), trace(latency_ms=5.0), 0.5),
    (sql("metadata.city = 'Lyon'"), trace(metadata='{"city": "Lyon"}'), 1.0),
    (sql("case when output = '' then 0.25 else 1 end"), trace(), 0.25),
]
