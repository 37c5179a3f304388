"""Readers against a slow plain twin, in every format, however the bytes are cut and asked for."""

import gzip
import io
import json
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from batcheval import ReadLog, read_traces
from batcheval.errors import (
    BadLineError,
    MissingFileError,
    NoFilesError,
    TooManyBadLinesError,
    UnknownLayoutError,
    UnreadableFileError,
)
from batcheval.readers import BadLine, blocks
from batcheval.schema import CANONICAL

Row = dict[str, Any]
FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

# A plain twin of the rules, a value at a time

SYNONYMS = {
    "trace_id": ["trace_id", "id"],
    "input": ["input", "question", "prompt", "query"],
    "output": ["output", "response", "answer", "completion"],
    "expected": ["expected", "ground_truth", "reference", "target", "expected_output"],
    "tool_calls": ["tool_calls", "toolCalls"],
}
IN_CALL = {
    "id": ["id", "toolCallId", "tool_call_id"],
    "name": ["name", "toolName", "tool_name"],
    "args": ["args", "arguments", "input"],
    "result": ["result", "output"],
    "error": ["error", "errorText", "error_text"],
    "state": ["state", "status"],
    "is_error": ["is_error", "isError"],
}
WORDS = {
    "ok": "ok result output-available completed",
    "error": "error output-error failed",
    "pending": "pending call input-available",
    "denied": "denied",
    "partial": "partial partial-call input-streaming",
}
STATE = {word: state for state, words in WORDS.items() for word in words.split()}
JSON_COLUMNS = ["expected_tool_calls", "expected_trajectory", "trajectory", "labels", "metadata"]


class Number(str):
    """A number as it is spelled; so that its text is known."""


def dumps(value: Any) -> str:
    """JSON without spaces, numbers as they were spelled."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{dumps(k)}:{dumps(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dumps, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def word(value: Any) -> str | None:
    """A text is itself, nothing nothing, anything else its JSON."""
    if value is None or (isinstance(value, str) and not isinstance(value, Number)):
        return value
    return dumps(value)


def text(value: Any) -> str | None:
    """The same, but a list of content parts is the text in them."""
    if isinstance(value, list) and all(isinstance(v, dict) and "type" in v for v in value):
        return "".join(word(v["text"]) or "" for v in value if v["type"] == "text" and "text" in v)
    return word(value)


def unwrapped(value: Any) -> str | None:
    """JSON text; a string that holds JSON is that JSON, however often it was encoded."""
    found = word(value)
    while found is not None and found[:1] == '"' and isinstance(value, str):
        try:
            found = json.loads(found, strict=True)
        except ValueError:
            break
    return found


def number(value: Any) -> float | None:
    if isinstance(value, bool) or value is None or not isinstance(value, str):
        return None
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return None


def whole(value: Any) -> int | None:
    found = number(value)
    return None if found is None or found != int(found) else int(found)


def first(row: Row, names: Sequence[str]) -> Any:
    return next((row[name] for name in names if name in row), None)


def call_of(call: Any) -> Row:
    if isinstance(call, str):
        call = {"name": call}
    found = {key: first(call, IN_CALL.get(key, [key])) for key in ("id", "name", "agent")}
    given = {key: first(call, IN_CALL[key]) for key in ("args", "result", "error", "state")}
    result = given["result"]
    signs = [
        first(call, IN_CALL["is_error"]) is True,
        given["error"] not in (None, False, ""),
        isinstance(result, dict) and result.get("error") not in (None, False, "", "0"),
    ]
    known = STATE.get((given["state"] or "").lower())
    state = ("error" if any(signs) else "ok") if known in (None, "ok") else known
    return {
        **{key: word(value) for key, value in found.items()},
        "args": unwrapped(given["args"]),
        "result": word(result),
        "error": word(given["error"]) if given["error"] not in (False, "") else None,
        "state": state,
        "state_raw": given["state"],
        "message": whole(call.get("message")),
        "duration_ms": number(call.get("duration_ms")),
    }


def twin(row: Row, file: str, line: int) -> Row:
    """The canonical row of a record."""
    got = {name: first(row, SYNONYMS.get(name, [name])) for name in CANONICAL}
    calls = got["tool_calls"] or []
    context = got["context"] or []
    return {
        "trace_id": f"{file}:{line}" if got["trace_id"] is None else text(got["trace_id"]),
        "input": text(got["input"]) or "",
        "output": text(got["output"]) or "",
        **{name: text(got[name]) for name in ("run", "task_id", "expected", "model", "error")},
        **{name: unwrapped(got[name]) for name in JSON_COLUMNS},
        "tool_calls": [call_of(call) for call in calls if call is not None],
        "context": [text(item) for item in context if item is not None],
        "messages": [
            {"role": message.get("role"), "content": text(message.get("content"))}
            for message in got["messages"] or []
        ],
        **{name: whole(got[name]) for name in ("trial", "input_tokens")},
        **{name: number(got[name]) for name in ("cost", "latency_ms")},
        "line": line,
    }


def like(wanted: Any, found: Any) -> Any:
    """`found` cut down to the keys of `wanted`."""
    if isinstance(wanted, dict):
        return {key: like(value, found[key]) for key, value in wanted.items()}
    if isinstance(wanted, list) and len(wanted) == len(found):
        return [like(a, b) for a, b in zip(wanted, found, strict=True)]
    return found


# Random rows

WORDY = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NUMBERS = st.sampled_from(["0", "-0", "7", "1.0", "-2.50", "1e2", "9007199254740993"]).map(Number)
SCALARS = st.none() | st.booleans() | NUMBERS | WORDY
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(WORDY, v, max_size=3), max_leaves=6
)
PARTS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "image"])}, optional={"text": st.none() | WORDY}
    ),
    min_size=1,
    max_size=3,
)
ENCODED = st.sampled_from(['{"q": 1.0}', "{bad", '"{\\"q\\": 1}"', "", "[]", '"', '"a"', '"\\"b\\""'])


def named(names: Sequence[str], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Row]:
    return st.builds(lambda name, value: {name: value}, st.sampled_from(names), values)


def merged(*parts: st.SearchStrategy[Row]) -> st.SearchStrategy[Row]:
    chosen = st.tuples(*(st.just({}) | part for part in parts))
    return chosen.map(lambda found: {key: value for part in found for key, value in part.items()})


STATES = st.none() | st.sampled_from([*STATE, "OK", "Failed", "weird", ""])
CALLS = merged(
    named(IN_CALL["name"], st.none() | WORDY),
    named(IN_CALL["id"], SCALARS),
    named(IN_CALL["args"], VALUES | ENCODED),
    named(IN_CALL["result"], VALUES | st.fixed_dictionaries({"error": SCALARS})),
    named(IN_CALL["error"], st.none() | st.just(False) | WORDY),
    named(IN_CALL["state"], STATES),
    named(IN_CALL["is_error"], st.none() | st.booleans()),
    named(["message"], st.none() | st.sampled_from(["3", "4.0"]).map(Number)),
    named(["duration_ms"], st.none() | NUMBERS | st.just("1.5")),
    named(["agent"], st.none() | WORDY),
)
NUMERIC = st.none() | NUMBERS | st.sampled_from(["12", " 1.5 ", ""])
ROWS = merged(
    named(SYNONYMS["trace_id"], SCALARS | VALUES),
    named(SYNONYMS["input"], VALUES | PARTS),
    named(SYNONYMS["output"], VALUES | PARTS),
    named(SYNONYMS["expected"], VALUES),
    named(SYNONYMS["tool_calls"], st.none() | st.lists(st.none() | WORDY | CALLS, max_size=3)),
    named(["messages"], st.lists(st.fixed_dictionaries({"role": WORDY, "content": VALUES | PARTS}))),
    named(["context"], st.none() | st.lists(VALUES | PARTS, max_size=3)),
    named(["metadata"], VALUES | ENCODED),
    named(["labels"], VALUES | ENCODED),
    named(["trial"], NUMERIC),
    named(["input_tokens"], NUMERIC),
    named(["cost"], NUMERIC),
    named(["latency_ms"], NUMERIC),
    named(["model"], VALUES),
    named(["run"], WORDY),
    named(["other"], VALUES),
)


class Spelled:
    """One way to write JSON: escapes or none, blanks or none, keys in some order."""

    def __init__(self, ascii_only: bool, gap: str, swap: bool) -> None:
        self.ascii_only, self.gap, self.swap = ascii_only, gap, swap

    def __repr__(self) -> str:
        return f"Spelled({self.ascii_only}, {self.gap!r}, {self.swap})"

    def line(self, row: Row) -> str:
        """The outer object in this spelling; nested values bare, since they are kept as written."""
        pairs = [f"{self._text(k)}{self.gap}:{self.gap}{self._value(v)}" for k, v in row.items()]
        body = f"{self.gap},{self.gap}".join(pairs[::-1] if self.swap else pairs)
        return f"{{{self.gap}{body}{self.gap}}}"

    def _text(self, value: str) -> str:
        return json.dumps(value, ensure_ascii=self.ascii_only)

    def _value(self, value: Any) -> str:
        plain = isinstance(value, str) and not isinstance(value, Number)
        return self._text(value) if plain else dumps(value)


SPELLINGS = st.builds(Spelled, st.booleans(), st.sampled_from(["", " ", "\t "]), st.booleans())
NOISE = ["", "  \t", "\r", "oops", "[1]", "7", '{"torn', "null", "{} {}", '{"a":1,}', "\x0b"]
LINES = st.lists(
    st.tuples(ROWS, SPELLINGS) | st.sampled_from(NOISE), min_size=0, max_size=12
)


@pytest.fixture
def cut_small(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    def cut(piece: int, block: int) -> None:
        monkeypatch.setattr(blocks, "PIECE", piece)
        monkeypatch.setattr(blocks, "_BLOCK", block)

    return cut


def written(lines: list[Any]) -> tuple[str, list[Row]]:
    """The file, and its canonical rows."""
    spelled = [line if isinstance(line, str) else line[1].line(line[0]) for line in lines]
    rows = [
        twin(line[0], "dump.jsonl", place)
        for place, line in enumerate(lines, 1)
        if not isinstance(line, str)
    ]
    return "\n".join(spelled), rows


def is_blank(line: Any) -> bool:
    return isinstance(line, str) and not line.strip()


@FEW
@given(lines=LINES, cuts=st.tuples(st.integers(1, 90), st.integers(1, 400)))
@example(lines=[({"output": Number("1e2")}, Spelled(True, "", False))], cuts=(1, 1))
def test_jsonl_reads_as_its_twin_says(lines: list[Any], cuts: tuple[int, int]) -> None:
    content, rows = written(lines)
    with pytest.MonkeyPatch.context() as patch, pytest.TempPathFactory.from_config(
        SimpleNamespace(), _ispytest=True
    ) if False else _folder() as folder:
        path = folder / "dump.jsonl"
        path.write_text(content, newline="")
        bad: list[BadLine] = []
        log = ReadLog(on_quarantine=bad.append)
        known = [row for row in lines if not isinstance(row, str) and row[0]]
        if known and not any(set(row[0]) - {"other"} for row in known):
            with pytest.raises(UnknownLayoutError):
                read_traces(path)
            return
        found = read_traces(path, log=log).collect()
        got = [like(row, have) for row, have in zip(rows, found.to_dicts(), strict=True)]
        assert got == rows
        assert found["source"].to_list() == [str(path)] * len(rows)
        ends = 1 if content and not content.endswith("\n") else 0
        assert log.lines == (content.count("\n") + ends) == len(rows) + log.blank + len(bad)
        assert [b.line for b in bad] == [
            place
            for place, line in enumerate(lines, 1)
            if isinstance(line, str) and not is_blank(line)
        ]
        patch.setattr(blocks, "PIECE", cuts[0])
        patch.setattr(blocks, "_BLOCK", cuts[1])
        bad_before, counts = list(bad), (log.lines, log.blank, log.repaired, log.quarantined)
        bad.clear()
        again = ReadLog(on_quarantine=bad.append)
        assert read_traces(path, log=again).collect().equals(found)
        assert bad == bad_before
        assert (again.lines, again.blank, again.repaired, again.quarantined) == counts
