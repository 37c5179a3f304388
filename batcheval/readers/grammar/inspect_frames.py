"""Rows of the data frames that Inspect makes of its logs: lossy, where the logs are not at hand."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from batcheval.readers.grammar.inspect_sample import milliseconds, target, usage_of
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import as_text, parsed, text_in
from batcheval.readers.layouts.layout import Place, Trace

_SCORE: Final = "score_"
_METADATA: Final = "metadata_"
_CALL: Final = re.compile(r"^([\w.:/-]+)\(", re.MULTILINE)
_TOO_ODD: Final = (
    *(SyntaxError, ValueError, TypeError, OverflowError),
    *(RecursionError, MemoryError),
)


def sample_row(row: Mapping[str, Any]) -> Trace:
    """The trace of a row of `samples_df()`, which tells neither output nor calls."""
    id, epoch = row.get("id"), row.get("epoch")
    usage = usage_of(parsed(row.get("model_usage")))
    return {
        "trace_id": f"{as_text(id)}/{as_text(epoch)}",
        "run": Place(as_text(row.get("log")), 1).stem,
        "task_id": as_text(id),
        "trial": epoch if isinstance(epoch, int) else None,
        "input": text_in(row.get("input")).removeprefix("user:\n").removesuffix("\n"),
        "expected": target(row.get("target")),
        "error": row.get("error") or None,
        "labels": _under(row, _SCORE),
        "latency_ms": milliseconds(row.get("total_time")),
        "metadata": {"metadata": _under(row, _METADATA), "uuid": row.get("sample_id")},
        **usage,
    }


def _under(row: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The columns whose names start so, where the row has a value."""
    keys = [key for key in row if key.startswith(prefix) and row[key] is not None]
    return {key.removeprefix(prefix): row[key] for key in keys}


def message_traces(key: str, rows: list[Mapping[str, Any]]) -> Trace:
    """The trace of a sample of which the rows of `messages_df()` are the messages."""
    log = Transcript()
    rows = sorted(once(rows, "message_id", "order"), key=_order)
    ids = _ids(rows)
    for row in rows:
        role, said = str(row.get("role")), text_in(row.get("content"))
        if role == "tool":
            more = {"error": row["tool_call_error"]} if row.get("tool_call_error") else {}
            log.answer(said, row.get("tool_call_id"), row.get("tool_call_function"), **more)
            continue
        log.say(role, said)
        for name, args in _calls(row.get("tool_calls")):
            log.call(name, args, next(ids.get(name, iter(())), None))
    return log.trace(trace_id=key, run=Place(as_text(rows[0].get("log")), 1).stem)


def _ids(rows: list[Mapping[str, Any]]) -> dict[str, Iterator[Any]]:
    """The ids of each tool's calls, which only the rows of their results tell."""
    found: dict[str, list[Any]] = {}
    for row in rows:
        if row.get("role") == "tool":
            found.setdefault(as_text(row.get("tool_call_function")), []).append(row)
    return {name: (row.get("tool_call_id") for row in told) for name, told in found.items()}


def _order(row: Mapping[str, Any]) -> float:
    place = row.get("order")
    return place if isinstance(place, int | float) else 0


def _calls(text: Any) -> Iterator[tuple[str, Any]]:
    """Calls as Inspect displays them, a line each: `name(arg='x')`, or with a line an argument."""
    if not isinstance(text, str) or not text:
        return
    try:
        statements = ast.parse(text).body
        yield from [_call(statement) for statement in statements]
    except _TOO_ODD:
        starts = [found.start() for found in _CALL.finditer(text)]
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            name, _, args = text[start:end].partition("(")
            yield name, args.strip().removesuffix(")")


def _call(statement: ast.stmt) -> tuple[str, dict[str, Any]]:
    """A call whose arguments are literals by name; raises `ValueError` for anything else."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.args or not all(k.arg for k in call.keywords):
        raise ValueError(statement)
    args = {str(key.arg): ast.literal_eval(key.value) for key in call.keywords}
    return ast.unparse(call.func), msgspec.json.decode(msgspec.json.encode(args))
