"""Dirty dumps: what must come of each kind of fault, in the files of `data/dirty` and in tables."""

import gzip
import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pyarrow as pa
import pytest

from batcheval import ReadLog, checks, read_traces, score, write_scores
from batcheval.errors import NoTracesError, UnreadableFileError
from batcheval.readers import BadLine
from batcheval.schema import CANONICAL

DIRTY = Path(__file__).parent / "data" / "dirty"
A, B = b'{"trace_id":"a"}', b'{"trace_id":"b"}'


class Read(NamedTuple):
    """A read to its end: rows, counts, and the lines set aside."""

    rows: pl.DataFrame
    lines: int
    blank: int
    repaired: int
    bad: list[BadLine]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Rows, blank, repaired, quarantined."""
        return self.rows.height, self.blank, self.repaired, len(self.bad)

    def places(self) -> list[tuple[int, int]]:
        """Line and byte of every line set aside."""
        return [(bad.line, bad.offset) for bad in self.bad]


def read(*paths: Path, select: list[str] | None = None, columns: tuple[str, ...] = ()) -> Read:
    """Read to the end, and hold what must hold of any read."""
    bad: list[BadLine] = []
    log = ReadLog(on_quarantine=bad.append)
    traces = read_traces(*paths, columns=columns, log=log)
    rows = (traces if select is None else traces.select(select)).collect()
    assert log.rows == rows.height
    assert log.quarantined == len(bad)
    assert log.lines == rows.height + log.blank + log.quarantined
    assert all(one.reason and one.source == str(one.source) for one in bad)
    return Read(rows, log.lines, log.blank, log.repaired, bad)


def both(*paths: Path, few: tuple[str, ...] = ("trace_id", "output", "line")) -> Read:
    """Read all columns; a read of few must give the same rows and set the same lines aside."""
    whole = read(*paths)
    for select in (list(few), ["line"], ["tool_calls"]):
        part = read(*paths, select=select)
        assert part.rows.equals(whole.rows.select(select))
        assert part.bad == whole.bad
        assert part.lines == whole.lines
    return whole


@pytest.fixture
def dump(tmp_path: Path) -> Callable[..., Path]:
    def make(data: bytes | str, name: str = "dump.jsonl") -> Path:
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return make


def texts(read: Read, column: str = "output") -> list[Any]:
    return read.rows[column].to_list()


# The files, as their README says


def test_every_file_is_here() -> None:
    named = {line.split()[1] for line in (DIRTY / "README.md").read_text().splitlines()[9:]}
    files = {path.name for path in DIRTY.iterdir()} - {"README.md"}
    tested = {f"{number:02}" for number in range(1, 19)}
    assert {name[:2] for name in files} == {name[:2] for name in named} == tested


def test_01_late_key() -> None:
    found = both(DIRTY / "01_late_key.jsonl")
    assert found.counts == (151, 0, 0, 0)
    (call,) = found.rows["tool_calls"][-1].to_list()
    assert (call["name"], call["error"], call["state"]) == ("pay", "card declined", "error")
    assert texts(found, "expected") == [None] * 150 + ["answer 150"]
    assert found.rows["tool_calls"].list.len().sum() == 1


@pytest.mark.parametrize("order", [1, -1])
def test_02_union(order: int) -> None:
    files = [DIRTY / "02a_union.jsonl", DIRTY / "02b_union.jsonl"][::order]
    found = both(*files)
    wanted = [("t1", None, None, str(files[::order][0]), 1)]
    wanted += [("t2", "answer 2", "m-large", str(files[::order][1]), 1)]
    rows = found.rows.select("trace_id", "expected", "model", "source", "line").rows()
    assert rows == wanted[::order]


def test_03_mixed_types() -> None:
    found = both(DIRTY / "03_mixed_types.jsonl")
    assert texts(found) == ["1.0", "two", "three", "", '{"answer": "five"}', "true"]
    assert found.counts == (6, 0, 0, 0)


def test_04_bom_crlf_blank() -> None:
    found = both(DIRTY / "04_bom_crlf_blank.jsonl")
    assert found.rows.select("trace_id", "line").rows() == [("t1", 1), ("t2", 4)]
    assert found.counts == (2, 2, 0, 0)


def test_05_nan_infinity() -> None:
    found = both(DIRTY / "05_nan_infinity.jsonl")
    assert found.counts == (4, 0, 2, 0)
    assert texts(found, "trace_id") == ["t1", "t2", "t3", "t4"]
    assert texts(found)[1:3] == ["x", "y"]
    assert texts(found, "latency_ms") == texts(found, "cost") == [None] * 4


def test_06_bad_middle_torn_tail() -> None:
    path = DIRTY / "06_bad_middle_torn_tail.jsonl"
    found = both(path)
    assert found.rows.select("trace_id", "line").rows() == [("t1", 1), ("t2", 3), ("t3", 6)]
    assert [bad.line for bad in found.bad] == [2, 4, 5, 7]
    raw = path.read_bytes()
    for bad in found.bad:
        assert raw[bad.offset :].startswith(bad.raw)
        assert bad.raw == raw.split(b"\n")[bad.line - 1]
        assert bad.source == str(path)


def test_07_lone_surrogate_nul() -> None:
    found = both(DIRTY / "07_lone_surrogate_nul.jsonl")
    assert texts(found) == ["answer 1", "bad \ufffd end", "a\0b", "good 😀 end"]
    assert found.counts == (4, 0, 1, 0)


def test_08_numeric_ids() -> None:
    found = both(DIRTY / "08_numeric_ids.jsonl")
    ids = ["14933243513335727983", "123456789012345678901234567890", "7"]
    assert texts(found, "trace_id") == ids
    assert found.counts == (3, 0, 0, 0)


def test_09_duplicate_keys() -> None:
    assert texts(both(DIRTY / "09_duplicate_keys.jsonl")) == ["second", "answer 2"]


def test_10_spelling_kept() -> None:
    found = both(DIRTY / "10_spelling_kept.jsonl")
    ((call,),) = found.rows["tool_calls"].to_list()
    assert texts(found) == ["1e2"]
    assert call["args"] == '{"n":1.0,"big":12345678901234567890123}'
    assert call["result"] == "1.50"


def test_11_null_and_missing() -> None:
    found = both(DIRTY / "11_null_and_missing.jsonl")
    assert found.counts == (4, 0, 0, 0)
    assert texts(found) == ["", "", "", "answer 4"]
    assert texts(found, "input") == ["", "", "", "question 4"]
    assert texts(found, "tool_calls") == [[], [], [], []]


def test_12_broken_args() -> None:
    found = both(DIRTY / "12_broken_args.jsonl")
    calls = [call for (call,) in found.rows["tool_calls"].to_list()]
    assert [call["name"] for call in calls] == ["search"] * 4
    assert [call["args"] for call in calls] == ["", "{bad", '{"q": "x"}', '{"q": 1}']
    named = [checks.called_tool("search"), checks.tool_order(["search"])]
    scores = score(read_traces(DIRTY / "12_broken_args.jsonl"), named).collect()
    assert scores.select("called_tool", "tool_order").rows() == [(1.0, 1.0)] * 4


def test_13_duplicate_ids(tmp_path: Path) -> None:
    path = DIRTY / "13_duplicate_ids.jsonl"
    found = both(path)
    assert texts(found, "trace_id") == ["t1", "t2", "t2", "t3"]
    log = ReadLog()
    out = tmp_path / "scores.parquet"
    written = write_scores(read_traces(path, log=log), [checks.includes("another")], out, log=log)
    assert pl.read_parquet(out)["includes"].to_list() == [0.0, 0.0, 1.0, 0.0]
    repeated = written.counts["repeated_ids"]
    assert (repeated["ids"], repeated["rows"]) == (1, 2)
    (example,) = repeated["examples"]
    assert (example["trace_id"], example["places"]) == ("t2", [f"{path}:2", f"{path}:3"])


def test_14_empty(tmp_path: Path) -> None:
    path = DIRTY / "14_empty.jsonl"
    assert both(path).counts == (0, 0, 0, 0)
    command = [sys.executable, "-m", "batcheval", "score", path, "-c", "used_no_tools()"]
    ran = subprocess.run(
        [*command, "-o", tmp_path / "s.parquet"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 3
    assert ran.stdout == ""
    assert ran.stderr.startswith("Error: ")
    assert "14_empty.jsonl" in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_15_array() -> None:
    found = both(DIRTY / "15_array.json")
    assert found.rows.select("trace_id", "line").rows() == [("t1", 2), ("t2", 3)]
    assert found.counts == (2, 0, 0, 0)


def test_16_invalid_utf8() -> None:
    found = both(DIRTY / "16_invalid_utf8.jsonl")
    assert texts(found) == ["answer 1", "caf\ufffd", "answer 3"]
    assert found.counts == (3, 0, 1, 0)


def test_17_one_huge_line() -> None:
    found = both(DIRTY / "17_one_huge_line.jsonl")
    assert [len(text) for text in texts(found)] == [8, 200_000, 8]
    assert found.counts == (3, 0, 0, 0)


def test_18_gz() -> None:
    found = both(DIRTY / "18_gz.jsonl.gz")
    assert found.rows.select("trace_id", "line").rows() == [("t1", 1), ("t2", 2)]


# Lines that are kept, some with a stated loss: the line, what a column must hold, the repairs

ARGS = '{"trace_id":"t","tool_calls":[{"name":"f","args":%s}]}'
KEPT: dict[str, tuple[str | bytes, str, Any, int]] = {
    "nan in args": (
        ARGS % '{"x": NaN, "y":[1.0,-Infinity]}',
        "args",
        '{"x": null, "y":[1.0,null]}',
        1,
    ),
    "infinity in args": (ARGS % '[Infinity , "NaN"]', "args", '[null , "NaN"]', 1),
    "the word in a text": (
        ARGS % '{"x": "is NaN, not \\"Infinity\\""}',
        "args",
        '{"x": "is NaN, not \\"Infinity\\""}',
        0,
    ),
    "both": (ARGS % '{"t": "say NaN", "x":NaN}', "args", '{"t": "say NaN", "x":null}', 1),
    "nan as a key": (ARGS % '{"NaN": -NaN}', "args", '{"NaN": null}', 1),
    "nan in args in a text": (ARGS % r'"{\"x\": NaN}"', "args", '{"x": NaN}', 0),
    "nan output": ('{"output": NaN}', "output", "", 1),
    "nan metadata": (
        '{"trace_id":"t","metadata":{"x":NaN,"n":1.50}}',
        "metadata",
        '{"x":null,"n":1.50}',
        1,
    ),
    "nan elsewhere": ('{"output":"x","unused":{"y":[NaN]}}', "output", "x", 1),
    "raw tab": ('{"output":"a\tb"}', "output", "a\tb", 1),
    "raw return": ('{"output":"a\rb"}', "output", "a\rb", 1),
    "raw nul": ('{"output":"a\0b"}', "output", "a\0b", 1),
    "raw escape sign": ('{"output":"\x1b[31mred"}', "output", "\x1b[31mred", 1),
    "raw control in args": (ARGS % '{"x":"a\tb"}', "args", r'{"x":"a\u0009b"}', 1),
    "raw control in a key": ('{"a\tb":1,"output":"x"}', "output", "x", 1),
    "raw control elsewhere": ('{"output":"x","unused":"a\x01b"}', "output", "x", 1),
    "tab between": ('{\t"output"\t:\t"x"\t}\t', "output", "x", 0),
    "del is no control": ('{"output":"a\x7fb"}', "output", "a\x7fb", 0),
    "lone high": (r'{"output":"a\ud83d"}', "output", "a\ufffd", 1),
    "lone low": (r'{"output":"\ude00b"}', "output", "\ufffdb", 1),
    "low before high": (r'{"output":"\ude00\ud83d"}', "output", "\ufffd\ufffd", 1),
    "high high low": (r'{"output":"\ud83d\ud83d\ude00"}', "output", "\ufffd😀", 1),
    "pair in capitals": (r'{"output":"\uD83D\uDE00"}', "output", "😀", 0),
    "escaped backslash": (r'{"output":"\\ud83d"}', "output", r"\ud83d", 0),
    "backslash, then lone": (r'{"output":"\\\ud83d"}', "output", "\\\ufffd", 1),
    "lone in args": (
        ARGS % r'{"x":"\udc00","y":"\u00e9"}',
        "args",
        r'{"x":"\ufffd","y":"\u00e9"}',
        1,
    ),
    "lone elsewhere": (r'{"output":"x","unused":"\ud83d"}', "output", "x", 1),
    "nul escaped": (r'{"output":"a\u0000b"}', "output", "a\0b", 0),
    "invalid byte": (b'{"output":"caf\xe9"}', "output", "caf\ufffd", 1),
    "cut character": (b'{"output":"caf\xc3"}', "output", "caf\ufffd", 1),
    "surrogate in bytes": (b'{"output":"\xed\xa0\xbd"}', "output", "\ufffd", 1),
    "overlong": (b'{"output":"\xc0\x80"}', "output", "\ufffd\ufffd", 1),
    "invalid byte elsewhere": (b'{"output":"x","unused":"\xff"}', "output", "x", 1),
    "invalid byte in a key": (b'{"output":"x","\xff":1}', "output", "x", 1),
    "invalid byte in args": (
        (ARGS % '{"x":"?"}').encode().replace(b"?", b"\xff"),
        "args",
        '{"x":"\ufffd"}',
        1,
    ),
    "all at once": (b'{"output":"\xff\t\\ud83d","cost":NaN}', "output", "\ufffd\t\ufffd", 1),
    "line separator": ('{"output":"a\u2028b\u2029c\x85d"}', "output", "a\u2028b\u2029c\x85d", 0),
    "a replacement sign": ('{"output":"\ufffd"}', "output", "\ufffd", 0),
    "noncharacter": ('{"output":"\uffff"}', "output", "\uffff", 0),
    "crlf": ('{"output":"x"}\r', "output", "x", 0),
    "spaces around": ('  {"output" : "x" }  ', "output", "x", 0),
    "duplicate key": ('{"output":"a","output":"b"}', "output", "b", 0),
    "duplicate, null last": ('{"output":"a","output":null}', "output", "", 0),
    "duplicate, another type last": ('{"output":"a","output":[1, 2]}', "output", "[1, 2]", 0),
    "duplicate, another type first": ('{"output":{"x":1},"output":"b"}', "output", "b", 0),
    "20 digits as text": ('{"output":12345678901234567890}', "output", "12345678901234567890", 0),
    "30 digits as text": ('{"output":%s}' % ("123456789" * 4), "output", "123456789" * 4, 0),
    "many digits as text": ('{"output":%s}' % ("7" * 5000), "output", "7" * 5000, 0),
    "a long fraction as text": (
        '{"output":0.10000000000000000000001}',
        "output",
        "0.10000000000000000000001",
        0,
    ),
    "exponent as text": ('{"output":-1E+05}', "output", "-1E+05", 0),
    "20 digits, whole": ('{"input_tokens":12345678901234567890}', "input_tokens", None, 1),
    "the largest": ('{"input_tokens":9223372036854775807}', "input_tokens", 2**63 - 1, 0),
    "too large": ('{"input_tokens":9223372036854775808}', "input_tokens", None, 1),
    "the least": ('{"input_tokens":-9223372036854775808}', "input_tokens", -(2**63), 0),
    "30 digits, float": ('{"cost":%s}' % ("1" + "0" * 30), "cost", 1e30, 0),
    "20 digits, float": ('{"cost":12345678901234567890}', "cost", 12345678901234567890.0, 0),
    "400 digits, float": ('{"cost":%s}' % ("9" * 400), "cost", None, 1),
    "5000 digits, float": ('{"cost":%s}' % ("9" * 5000), "cost", None, 1),
    "5000 digits, whole": ('{"trial":%s}' % ("9" * 5000), "trial", None, 1),
    "beyond a float": ('{"cost":1e999}', "cost", None, 1),
    "nan in a text": ('{"cost":"NaN"}', "cost", None, 1),
    "infinity in a text": ('{"cost":"-Infinity"}', "cost", None, 1),
    "whole float": ('{"trial":2.0}', "trial", 2, 0),
    "whole exponent": ('{"trial":1e3}', "trial", 1000, 0),
    "fraction": ('{"trial":2.5}', "trial", None, 1),
    "number in a text": ('{"trial":"12"}', "trial", 12, 0),
    "spaced number in a text": ('{"cost":" 1.5 "}', "cost", 1.5, 0),
    "large number in a text": ('{"trial":"9007199254740993"}', "trial", 9007199254740993, 0),
    "fraction in a text": ('{"trial":"2.5"}', "trial", None, 1),
    "empty number": ('{"cost":""}', "cost", None, 0),
    "no number": ('{"cost":"cheap"}', "cost", None, 1),
    "a list for a number": ('{"cost":[1]}', "cost", None, 1),
    "an object for a number": ('{"latency_ms":{"ms":1}}', "latency_ms", None, 1),
    "a truth for a number": ('{"total_tokens":true}', "total_tokens", None, 1),
    "a number for a text": ('{"model":4}', "model", "4", 0),
    "an object for a text": ('{"model":{"n": 4}}', "model", '{"n": 4}', 0),
    "a truth for a text": ('{"error":false}', "error", "false", 0),
    "a list for an id": ('{"trace_id":[1, "x"]}', "trace_id", '[1, "x"]', 0),
    "parts": (
        '{"input":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}',
        "input",
        "ab",
        0,
    ),
    "a text for json": ('{"metadata":"plain"}', "metadata", "plain", 0),
    "json in a text": ('{"metadata":"{\\"a\\": 1.0}"}', "metadata", '{"a": 1.0}', 0),
    "json in a text in a text": (r'{"labels":"\"[1]\""}', "labels", "[1]", 0),
    "a number for json": ('{"labels":1.50}', "labels", "1.50", 0),
    "a text for texts": ('{"context":"one"}', "context", ["one"], 0),
    "a number for texts": ('{"context":1.50}', "context", ["1.50"], 0),
    "mixed texts": ('{"context":["a",1.50,{"b": 2}]}', "context", ["a", "1.50", '{"b": 2}'], 0),
    "texts in a text": ('{"assistant_texts":"[\\"a\\"]"}', "assistant_texts", ["a"], 0),
    "a number for calls": ('{"tool_calls":5}', "tool_calls", [], 1),
    "a truth for calls": ('{"tool_calls":true}', "tool_calls", [], 1),
    "no json for calls": ('{"tool_calls":"search, pay"}', "tool_calls", [], 1),
    "numbers for calls": ('{"tool_calls":[1]}', "tool_calls", [], 1),
    "empty text for calls": ('{"tool_calls":""}', "tool_calls", [], 0),
    "names for calls": ('{"tool_calls":["f","g"]}', "names", ["f", "g"], 0),
    "an object for calls": ('{"tool_calls":{"name":"f"}}', "names", ["f"], 0),
    "calls in a text": (r'{"tool_calls":"[{\"name\":\"f\"}]"}', "names", ["f"], 0),
    "null among calls": ('{"tool_calls":[null,{"name":"f"}]}', "names", ["f"], 0),
    "a number for a name": ('{"tool_calls":[{"name":5}]}', "names", ["5"], 0),
    "a call without a name": ('{"tool_calls":[{"args":{}}]}', "names", [None], 0),
    "numbers for messages": ('{"messages":[1]}', "messages", [], 1),
    "a number for messages": ('{"messages":5}', "messages", [], 1),
    "iso time": ('{"started_at":"2024-05-01T10:00:00Z"}', "hour", 10, 0),
    "epoch time": ('{"started_at":1714557600.5}', "hour", 10, 0),
    "no time": ('{"started_at":"soon"}', "hour", None, 1),
    "a list for a time": ('{"started_at":[2024]}', "hour", None, 1),
    "empty time": ('{"started_at":""}', "hour", None, 0),
    "nothing at all": ("{}", "output", "", 0),
}

DIG: dict[str, pl.Expr] = {
    "args": pl.col("tool_calls").list.first().struct.field("args"),
    "names": pl.col("tool_calls").list.eval(pl.element().struct.field("name")),
    "hour": pl.col("started_at").dt.hour(),
}


@pytest.mark.parametrize("case", KEPT)
def test_a_line_is_kept(case: str, dump: Callable[..., Path]) -> None:
    line, column, wanted, repaired = KEPT[case]
    data = line if isinstance(line, bytes) else line.encode()
    around = b'{"trace_id":"before"}\n', b'\n{"trace_id":"after"}\n'
    found = both(dump(around[0] + data + around[1]))
    assert found.counts == (3, 0, repaired, 0)
    values = found.rows.select(DIG.get(column, pl.col(column))).to_series().to_list()
    assert values[1] == wanted
    assert found.rows["trace_id"].to_list()[::2] == ["before", "after"]


def test_losses_are_counted_by_line(dump: Callable[..., Path]) -> None:
    many = '{"trial":1.5,"cost":"x","latency_ms":[],"tool_calls":7,"input_tokens":NaN}\n'
    assert read(dump(many * 2)).counts == (2, 0, 2, 0)


def test_odd_columns_stay_exact_when_most_lines_are_odd(
    dump: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns of odd types are decoded raw after the first block: nothing may change there."""
    monkeypatch.setattr("batcheval.readers.blocks.PIECE", 10_000)
    monkeypatch.setattr("batcheval.readers.blocks._BLOCK", 20_000)
    many = 3_000
    lines = [f'{{"trace_id":{n},"output":{n}.50,"trial":"{n}","cost":"no"}}' for n in range(many)]
    lines[many // 2] = '{"trace_id":"x","output":"plain","trial":7,"cost":0.5}'
    found = both(dump("\n".join(lines)))
    assert found.counts == (many, 0, many - 1, 0)
    wanted = [(str(n), f"{n}.50", n, None) for n in range(many)]
    wanted[many // 2] = ("x", "plain", 7, 0.5)
    assert found.rows.select("trace_id", "output", "trial", "cost").rows() == wanted


# Lines that are no traces

BAD: dict[str, bytes] = {
    "a word": b"oops",
    "a list": b"[1, 2]",
    "a number": b"42",
    "a text": b'"text"',
    "null": b"null",
    "a truth": b"true",
    "torn": b'{"trace_id":"t","output":"abc',
    "torn in an escape": b'{"output":"abc\\',
    "torn behind a key": b'{"output":',
    "two on a line": A + B,
    "something behind": A + b" x",
    "a comma behind": A + b",",
    "a comma at the end": b'{"output":"x",}',
    "single quotes": b"{'output':'x'}",
    "no quotes": b"{output:1}",
    "python words": b'{"output":None}',
    "a bad escape": rb'{"output":"\x41"}',
    "a bad escape elsewhere": rb'{"unused":"\q"}',
    "half an escape": rb'{"output":"\u12"}',
    "leading zero": b'{"unused":01}',
    "no digits behind the point": b'{"unused":1.}',
    "a comment": b'{"output":"x"} // x',
    "invalid bytes": b"\xfd\xfc\xfb",
    "zero bytes": b"\0\0\0\0",
    "a mark in the middle": b"\xef\xbb\xbf" + A,
    "nested 2,000 deep": b'{"output":' + b"[" * 2_000 + b"]" * 2_000 + b"}",
    "nested 9,000 deep": b'{"metadata":' + b'{"a":' * 9_000 + b"1" + b"}" * 9_001,
    "nested deep elsewhere": b'{"unused":' + b"[" * 9_000 + b"]" * 9_000 + b"}",
    "open 9,000 deep": b'{"output":' + b"[" * 9_000,
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_line_is_set_aside(case: str, end: bytes, dump: Callable[..., Path]) -> None:
    line = BAD[case]
    before = A + b"\n\n"
    after = B + b"\n" if end else b""
    found = both(dump(before + line + end + after))
    assert texts(found, "trace_id") == (["a", "b"] if end else ["a"])
    (bad,) = found.bad
    assert (bad.line, bad.offset) == (3, len(before))
    assert bad.raw.rstrip(b"\r") == line
    assert bad.reason
    assert "\n" not in bad.reason
    assert found.counts == (len(texts(found)), 1, 0, 1)


@pytest.mark.parametrize("case", [case for case in BAD if case != "a mark in the middle"])
def test_a_bad_first_line_costs_only_itself(case: str, dump: Callable[..., Path]) -> None:
    found = both(dump(BAD[case] + b"\n" + A + b"\n" + B + b"\n"))
    assert texts(found, "trace_id") == ["a", "b"]
    assert len(found.bad) == 1


@pytest.mark.parametrize(
    "head",
    [
        b"[2024-01-01 12:00:00] starting up\n",
        b"[INFO] run 7, 2 workers\n",
        b'{"trace_id":"t0","output":"torn\noops\n',
        b"{oops\n\noops\n",
        b"[\n",
    ],
)
def test_bad_lines_at_the_head_of_jsonl(head: bytes, dump: Callable[..., Path]) -> None:
    found = both(dump(head + A + b"\n" + B + b"\n"))
    assert texts(found, "trace_id") == ["a", "b"]


@pytest.mark.parametrize("key", ["metadata", "unused", "tool_calls", "output"])
@pytest.mark.parametrize("inner", ["%s", '"%s"'], ids=["bare", "in a text"])
def test_nested_100_000_deep(key: str, inner: str, dump: Callable[..., Path]) -> None:
    """No JSON that we can hold; as the text of a string it is a text like any other."""
    deep = inner % ("[" * 100_000 + "]" * 100_000)
    found = read(dump(f'{{"trace_id":"t","{key}":{deep}}}\n{B.decode()}\n'))
    if inner == "%s":
        assert texts(found, "trace_id") == ["b"]
        assert found.places() == [(1, 0)]
    else:
        assert texts(found, "trace_id") == ["t", "b"]
        assert found.repaired == (key == "tool_calls")


def test_the_quarantine_file(dump: Callable[..., Path], tmp_path: Path) -> None:
    path = dump(b"\xef\xbb\xbf" + A + b'\r\noo\xc3\xa9ps "x"\r\n\r\n\xff\xfe\n' + B + b'\n{"torn')
    log = ReadLog()
    out = tmp_path / "s.jsonl"
    written = write_scores(read_traces(path, log=log), [checks.used_no_tools()], out, log=log)
    assert written.quarantine == tmp_path / "s.jsonl.quarantine.jsonl"
    facts = [json.loads(line) for line in written.quarantine.read_text().splitlines()]
    assert [fact.pop("source") for fact in facts] == [str(path)] * 3
    assert all(fact.pop("reason") for fact in facts)
    assert facts == [
        {"line": 2, "offset": 21, "raw": 'ooéps "x"\r'},
        {"line": 4, "offset": 35, "raw_base64": "//4="},
        {"line": 6, "offset": 55, "raw": '{"torn'},
    ]
    raw = path.read_bytes()
    assert raw[21:].startswith("ooéps".encode())
    assert raw[35:37] == b"\xff\xfe"
    assert raw[55:] == b'{"torn'
    counts = written.counts
    assert (counts["lines"], counts["rows"], counts["blank"]) == (6, 2, 1)
    assert (counts["quarantined"], counts["repaired"]) == (3, 0)


# Whole files: bytes, ids and lines of the rows, blank, repaired, places of the bad

SMALL: dict[str, tuple[bytes, list[tuple[str, int]], int, int, list[tuple[int, int]]]] = {
    "no final newline": (A + b"\n" + B, [("a", 1), ("b", 2)], 0, 0, []),
    "many final newlines": (A + b"\n\n\n", [("a", 1)], 2, 0, []),
    "blank first": (b"\n \t\r\n" + A, [("a", 3)], 2, 0, []),
    "bom, then blank": (b"\xef\xbb\xbf\n" + A + b"\n", [("a", 2)], 1, 0, []),
    "bom, then bad": (b"\xef\xbb\xbfoops\n" + A + b"\n", [("a", 2)], 0, 0, [(1, 3)]),
    "bom, good, bad": (b"\xef\xbb\xbf" + A + b"\noops\n", [("a", 1)], 0, 0, [(2, 20)]),
    "only a bom": (b"\xef\xbb\xbf", [], 1, 0, []),
    "only blank": (b"\n  \n\t\r\n", [], 3, 0, []),
    "only bad": (b"x\nyy\nz", [], 0, 0, [(1, 0), (2, 2), (3, 5)]),
    "nothing": (b"", [], 0, 0, []),
    "padded with zeros": (A + b"\n" + b"\0" * 9, [("a", 1)], 0, 0, [(2, 17)]),
    "array on one line": (b"[" + A + b"," + B + b"]", [("a", 1), ("b", 1)], 0, 0, []),
    "array, a line each": (b"[\n" + A + b",\n" + B + b"\n]\n", [("a", 2), ("b", 3)], 0, 0, []),
    "array, pretty": (
        b'[\n  {\n    "trace_id": "a"\n  },\n  {\n    "trace_id": "b"\n  }\n]',
        [("a", 2), ("b", 5)],
        0,
        0,
        [],
    ),
    "array, crlf": (b"[\r\n" + A + b",\r\n" + B + b"\r\n]\r\n", [("a", 2), ("b", 3)], 0, 0, []),
    "array, bom": (b"\xef\xbb\xbf[\n" + A + b"]", [("a", 2)], 0, 0, []),
    "array, blank before": (b"\n\n[" + A + b"]", [("a", 3)], 0, 0, []),
    "array, nothing in it": (b"[]", [], 0, 0, []),
    "array, spaces in it": (b" [ \n ] \n", [], 0, 0, []),
    "array in an array": (b"[[" + A + b"],\n" + B + b"]", [("b", 2)], 0, 0, [(1, 1)]),
    "array, torn": (b"[" + A + b',\n{"trace_id":"b', [("a", 1)], 0, 0, [(2, 19)]),
    "array, not closed": (b"[" + A + b",\n" + B + b",\n", [("a", 1), ("b", 2)], 0, 0, [(1, 0)]),
    "array, not closed, no comma": (b"\n [" + A + b"," + B, [("a", 2), ("b", 2)], 0, 0, [(2, 2)]),
    "two arrays, the last not closed": (
        b"[\n" + A + b"]\n[" + B + b"\n",
        [("a", 2), ("b", 3)],
        0,
        0,
        [(3, 20)],
    ),
    "array, commas amiss": (b"[" + A + b"\n" + B + b",,]", [("a", 1), ("b", 2)], 0, 0, []),
    "array, a scalar": (b"[" + A + b",\n 7,\n" + B + b"]", [("a", 1), ("b", 3)], 0, 0, [(2, 20)]),
    "array, scalars at both ends": (b'["x",' + A + b",null]", [("a", 1)], 0, 0, [(1, 1), (1, 22)]),
    "array, two scalars": (
        b"[" + A + b",1,2," + B + b"]",
        [("a", 1), ("b", 1)],
        0,
        0,
        [(1, 18), (1, 20)],
    ),
    "array, brackets in texts": (
        b'[{"trace_id":"a","output":"}{][\\"\\\\"},' + B + b"]",
        [("a", 1), ("b", 1)],
        0,
        0,
        [],
    ),
    "array, a repair": (
        b'[{"trace_id":"a","cost":NaN},\n{"trace_id":"\xff"}]',
        [("a", 1), ("\ufffd", 2)],
        0,
        2,
        [],
    ),
    "two arrays of many lines": (
        b"[\n" + A + b"\n]\n[\n" + B + b"\n]\n",
        [("a", 2), ("b", 5)],
        0,
        0,
        [(4, 21)],
    ),
    "an object, pretty": (b'{\n  "trace_id": "a",\n  "output": "x"\n}\n', [("a", 1)], 0, 0, []),
    "an object, empty": (b"{}", [("dump.json:1", 1)], 0, 0, []),
    "objects, pretty": (
        b'{\n  "trace_id": "a"\n}\n\n{\n  "trace_id": "b"\n}\n',
        [("a", 1), ("b", 5)],
        0,
        0,
        [],
    ),
    "objects, pretty, one torn": (
        b'{\n  "trace_id": "a"\n}\n{\n  "trace_id": "b',
        [("a", 1)],
        0,
        0,
        [(4, 22)],
    ),
    "objects, pretty, with commas": (
        b'{\n  "trace_id": "a"\n},\n{\n  "trace_id": "b"\n}\n',
        [("a", 1), ("b", 4)],
        0,
        0,
        [],
    ),
    "objects, pretty, junk between": (
        b'{\n  "trace_id": "a"\n}\nx\n{\n  "trace_id": "b"\n}\n',
        [("a", 1), ("b", 5)],
        0,
        0,
        [(4, 22)],
    ),
    "jsonl under .json": (A + b"\n" + B + b"\n", [("a", 1), ("b", 2)], 0, 0, []),
}


@pytest.mark.parametrize("case", SMALL)
def test_a_whole_file(
    case: str, dump: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, rows, blank, repaired, places = SMALL[case]
    path = dump(data, "dump.json")
    found = both(path)
    assert found.rows.select("trace_id", "line").rows() == rows
    assert (found.blank, found.repaired) == (blank, repaired)
    assert found.places() == places
    for bad in found.bad:
        assert data[bad.offset :].startswith(bad.raw)
    for piece, block in ((1, 1), (7, 5), (16, 40)):
        monkeypatch.setattr("batcheval.readers.blocks.PIECE", piece)
        monkeypatch.setattr("batcheval.readers.blocks._BLOCK", block)
        again = read(path)
        assert again.rows.equals(found.rows)
        assert again[1:] == found[1:]


@pytest.mark.parametrize("case", ["nothing", "only blank", "only bad", "array, nothing in it"])
def test_a_file_without_traces_is_an_error(
    case: str, dump: Callable[..., Path], tmp_path: Path
) -> None:
    path = dump(SMALL[case][0])
    log = ReadLog()
    out = tmp_path / "scores.parquet"
    out.write_bytes(b"as it was")
    with pytest.raises(NoTracesError, match=r"dump\.jsonl") as caught:
        write_scores(read_traces(path, log=log), [checks.used_no_tools()], out, log=log)
    assert caught.value.exit_code == 3
    assert out.read_bytes() == b"as it was"
    assert {file.name for file in tmp_path.iterdir()} == {"dump.jsonl", "scores.parquet"}


# Packed files and other encodings

MANY = b"".join(b'{"trace_id":"t%d","output":"%d"}\n' % (n, n**9) for n in range(300))
IDS = [f"t{n}" for n in range(300)]


def zstd(data: bytes) -> bytes:
    packed = pa.compress(data, codec="zstd", asbytes=True)
    assert isinstance(packed, bytes)
    return packed


PACKERS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "zst": zstd}


@pytest.mark.parametrize("ending", PACKERS)
@pytest.mark.parametrize("parts", [(300,), (1, 299), (0, 300), (150, 0, 150), (100, 100, 100)])
def test_packed_in_several_members(
    ending: str, parts: tuple[int, ...], dump: Callable[..., Path]
) -> None:
    lines = MANY.splitlines(keepends=True)
    edges = [sum(parts[:n]) for n in range(len(parts) + 1)]
    members = [PACKERS[ending](b"".join(lines[a:b])) for a, b in pairwise(edges)]
    found = read(dump(b"".join(members), f"dump.jsonl.{ending}"))
    assert texts(found, "trace_id") == IDS
    assert found.counts == (300, 0, 0, 0)


def cuts(length: int, magic: int) -> Iterator[int]:
    yield from range(magic, 24)
    yield from range(24, length - 12, 97)
    yield from range(length - 12, length)


@pytest.mark.parametrize(("ending", "magic"), [("gz", 2), ("zst", 4)])
def test_truncated_wherever_it_is_cut(ending: str, magic: int, dump: Callable[..., Path]) -> None:
    packed = PACKERS[ending](MANY)
    for cut in cuts(len(packed), magic):
        path = dump(packed[:cut], f"cut{cut}.jsonl.{ending}")
        with pytest.raises(UnreadableFileError, match=f"cut{cut}.*truncated"):
            read_traces(path).collect()


@pytest.mark.parametrize("ending", PACKERS)
def test_truncated_behind_the_sample(
    ending: str, dump: Callable[..., Path], tmp_path: Path
) -> None:
    """The damage shows only after many good rows: still nothing is written."""
    data = b"".join(b'{"trace_id":"t%d","output":"%d"}\n' % (n, n**50) for n in range(20_000))
    packed = PACKERS[ending](data)
    path = dump(packed[: len(packed) - 1000], f"dump.jsonl.{ending}")
    log = ReadLog()
    out = tmp_path / "scores.parquet"
    with pytest.raises(UnreadableFileError, match="truncated"):
        write_scores(read_traces(path, log=log), [checks.used_no_tools()], out, log=log)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_damaged_gzip(dump: Callable[..., Path]) -> None:
    packed = bytearray(gzip.compress(MANY))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(UnreadableFileError, match="dump"):
        read_traces(dump(bytes(packed), "dump.jsonl.gz")).collect()


def test_packing_is_told_by_content(dump: Callable[..., Path]) -> None:
    for name, data in (("a.jsonl", gzip.compress(MANY)), ("a.jsonl.gz", MANY)):
        assert texts(read(dump(data, name)), "trace_id") == IDS


TEXT = '{"trace_id":"ä","output":"😀 ü"}\r\n\r\noops\r\n{"trace_id":"b"}\r\n'


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_utf16(
    encoding: str, mark: str, pack: Callable[[bytes], bytes], dump: Callable[..., Path]
) -> None:
    found = both(dump(pack((mark + TEXT).encode(encoding))))
    rows = found.rows.select("trace_id", "output", "line").rows()
    assert rows == [("ä", "😀 ü", 1), ("b", "", 4)]
    assert found.counts == (2, 1, 0, 1)


def test_utf16_array_and_table(dump: Callable[..., Path]) -> None:
    array = "[\n" + A.decode() + ",\n" + B.decode() + "]"
    assert texts(both(dump(array.encode("utf-16"), "a.json")), "trace_id") == ["a", "b"]
    table = dump("trace_id,output\na,ü\n".encode("utf-16"), "a.csv")
    assert read_traces(table).select("trace_id", "output").collect().rows() == [("a", "ü")]


def test_utf16_with_half_a_pair(dump: Callable[..., Path]) -> None:
    data = '{"trace_id":"a","output":"x\ud83d"}\n'.encode("utf-16-le", "surrogatepass")
    found = both(dump(data))
    (text,) = texts(found)
    assert text != "x"
    assert text.rstrip("\ufffd") == "x"
    assert found.counts == (1, 0, 1, 0)


# Large lines

BIG = 20_000_000


@pytest.fixture
def little_memory() -> Iterator[None]:
    """Some 1.5 GB more than now: a line of 20 MB may cost copies, not a hundred times itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 1_500_000_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.mark.parametrize(
    ("middle", "rows", "repaired"),
    [
        (b"x" * BIG + b'"}', 2, 0),
        (b"x" * BIG + b'\xff"}', 2, 1),
        (b"x" * BIG + rb'\ud83d"}', 2, 1),
        (b"x" * BIG, 1, 0),
    ],
    ids=["good", "invalid byte", "lone surrogate", "torn"],
)
@pytest.mark.usefixtures("little_memory")
def test_a_line_of_20_mb(
    middle: bytes, rows: int, repaired: int, dump: Callable[..., Path]
) -> None:
    found = read(dump(b'{"trace_id":"a","output":"' + middle + b"\n" + B + b"\n"))
    assert found.counts == (rows, 0, repaired, 2 - rows)
    assert found.rows["output"].str.len_chars().to_list()[:-1] == [BIG + repaired][: rows - 1]


@pytest.mark.parametrize("tail", [b"", rb'\ud83d"}'], ids=["torn", "lone"])
def test_a_line_of_many_escaped_quotes_takes_linear_time(tail: bytes, tmp_path: Path) -> None:
    path = tmp_path / "dump.jsonl"
    path.write_bytes(A + b'\n{"trace_id":"b","output":"' + rb"\"" * 400_000 + tail + b"\n")
    program = "import sys, batcheval; print(batcheval.read_traces(sys.argv[1]).collect().height)"
    command = [sys.executable, "-c", program, path]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    assert int(ran.stdout) == 1 + tail.endswith(b"}")


# Keys that come late, and keys that are no names


@pytest.mark.parametrize("at", [999, 1_000, 10_000])
def test_a_key_that_comes_late(at: int, dump: Callable[..., Path]) -> None:
    lines = [f'{{"trace_id":"{n}"}}' for n in range(at)]
    lines.append('{"trace_id":"z","city":"Lyon","expected":"yes","n":1.50,"meta data":{"a": 1}}')
    path = dump("\n".join(lines))
    asked = ("city", "n", "meta data", "trace_id")
    found = read(path, columns=asked)
    assert found.rows.height == at + 1
    late = found.rows.tail(1).select("expected", "city", "n", "meta data").row(0)
    assert late == ("yes", "Lyon", 1.5 if at < 1_000 else "1.50", '{"a": 1}')
    assert found.rows["city"].null_count() == found.rows["expected"].null_count() == at
    part = read(path, select=["city"], columns=asked)
    assert part.rows.equals(found.rows.select("city"))
    assert ("city" in read(path).rows) == (at < 1_000)


KEYS = [
    "a b",
    "1st",
    "class",
    "_x",
    "__init__",
    "",
    "é",
    "a.b",
    "a-b",
    "None",
    "self",
    "$id",
    "日本",
]
KEYS += ["line number", "x" * 300, "*", "^a$", "'", "[0]", "trace_id ", "Output"]
ESCAPED = ['"', "\\", "a\nb", "\0"]  # which may be passed over


def test_keys_that_are_no_identifiers(dump: Callable[..., Path]) -> None:
    record = {"trace_id": "t", **{key: f"value {n}" for n, key in enumerate([*KEYS, *ESCAPED])}}
    path = dump(json.dumps(record) + "\n" + json.dumps({"trace_id": "u"}))
    found = read(path)
    for n, key in enumerate(KEYS):
        assert found.rows[key].to_list() == [f"value {n}", None]
        part = read_traces(path).select(pl.nth(found.rows.get_column_index(key))).collect()
        assert part.to_series().to_list() == [f"value {n}", None]
    assert {*CANONICAL, *KEYS} <= set(found.rows.columns) <= {*CANONICAL, *KEYS, *ESCAPED}
    assert found.counts == (2, 0, 0, 0)
