"""Traces that layouts make become what their JSON would in the native layout."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval import ReadLog
from batcheval.readers import Place
from batcheval.readers.assembly import Assembler
from batcheval.readers.blocks import Block
from batcheval.readers.native import NativeReader
from batcheval.schema import CANONICAL

LEAF = st.one_of(
    *(st.none(), st.booleans(), st.integers(-5, 10**20), st.floats(allow_nan=False)),
    st.sampled_from(["", "a", "5", '{"a": 1}', '"[1]"', "2025-01-01T00:00:00Z", "error", "ok"]),
)
VALUE = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["error", "text", "type"]), inner, max_size=2)
    ),
    max_leaves=5,
)
KEYS = "id name args result error state is_error message agent started_at duration_ms"
CALL = st.dictionaries(st.sampled_from([*KEYS.split(), "output", "function", "x"]), VALUE)
USUAL_CALL = st.fixed_dictionaries({"id": st.text("ab"), "args": VALUE, "result": VALUE})
MESSAGE = st.dictionaries(st.sampled_from(["role", "content", "name", "x"]), VALUE)
TRACE = st.fixed_dictionaries(
    {},
    optional={name: VALUE for name in CANONICAL if name not in ("source", "line")}
    | {
        "tool_calls": st.lists(USUAL_CALL) | st.lists(CALL | VALUE) | VALUE,
        "messages": st.lists(MESSAGE) | st.lists(MESSAGE | VALUE) | VALUE,
        "assistant_texts": st.lists(st.text("ab")) | VALUE,
    },
)


@settings(max_examples=60)
@given(st.lists(TRACE, min_size=1, max_size=4))
def test_rows_are_what_their_json_would_be(traces: list[dict[str, Any]]) -> None:
    lines = [msgspec.json.encode(trace) for trace in traces]
    log, native_log = ReadLog(), ReadLog()
    native = NativeReader("dump", CANONICAL, native_log)
    expected = native.frame(Block(lines, range(1, len(lines) + 1), 0, None, True))
    assembler = Assembler(CANONICAL, log)
    rows = [assembler.row(trace) for trace in traces]
    found = assembler.frame(rows, [Place("dump", n) for n in range(1, len(rows) + 1)])
    assert found.equals(expected)
    assert (log.lines, log.rows, log.repaired) == (len(rows), len(rows), native_log.repaired)


def test_a_trace_is_an_object() -> None:
    with pytest.raises(ValueError, match="a trace is an object, not 5"):
        Assembler(CANONICAL, ReadLog()).row(5)  # type: ignore[arg-type]
