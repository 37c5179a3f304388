"""BFCL, the Berkeley function calling leaderboard: results, with their questions and truths.

The three are files of their own, joined on `id`; a number for an id holds in its own file alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.completions import seconds
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.turns import take_turns
from batcheval.readers.grammar.values import first, has, parsed, picked
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_COSTS: Final = ("input_token_count", "output_token_count", "inference_log", "latency")
_KINDS: Final = ("result", "ground_truth", "question")


def _marks(record: Any) -> int:
    if not has(record, "id"):
        return 0
    if has(record, "result"):
        return 9 if any(key in record for key in _COSTS) else 4 * isinstance(record["result"], list)
    if has(record, "question", "function") and isinstance(record["question"], list):
        return 7
    return 5 if has(record, "ground_truth") and len(record) == 2 else 0


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if has(record, "id") and any(key in record for key in _KINDS):
        id = record["id"]
        yield Piece(id if isinstance(id, str) else f"{place.source}#{id}", record)


def _join(key: str, records: list[Any]) -> Iterator[Trace]:
    """Each result is a trace, beside it the question and the truth of its id."""
    about: dict[str, Any] = {}
    for record in records:
        about |= {k: record[k] for k in ("question", "function", "ground_truth") if k in record}
    for record in records:
        if "result" in record:
            yield _trace(record, about)


def _trace(record: Mapping[str, Any], about: Mapping[str, Any]) -> Trace:
    log = take_turns(_leaves(about.get("question")))
    for said in _leaves(parsed(record["result"])):
        _take(said, log)
    latency = _total(record.get("latency"))
    return log.trace(
        trace_id=str(record["id"]),
        task_id=str(record["id"]),
        expected=about.get("ground_truth"),
        input_tokens=_total(record.get("input_token_count")),
        output_tokens=_total(record.get("output_token_count")),
        latency_ms=seconds(latency),
        tool_definitions=about.get("function"),
        metadata=picked(record, "traceback"),
        error=first(record, "error", "error_message"),
    )


def _take(said: Any, log: Transcript) -> None:
    """A text, or calls: an object with the arguments under each function's name."""
    if isinstance(said, Mapping):
        log.act()
        for name, args in said.items():
            log.call(name, args)
    elif isinstance(said, str):
        log.say("assistant", said)


def _leaves(value: Any) -> Iterator[Any]:
    """What lists of lists hold, in order: turns, and steps in a turn."""
    stack = [value]
    while stack:
        found = stack.pop()
        if isinstance(found, list):
            stack += reversed(found)
        else:
            yield found


def _total(value: Any) -> int | float | None:
    """A count, or the sum of those of all turns and steps."""
    counts = [n for n in _leaves(value) if isinstance(n, int | float) and not isinstance(n, bool)]
    return sum(counts) if counts else None


LAYOUT = Layout("bfcl", "BFCL results, questions and ground truth", _marks, _read, _join)
