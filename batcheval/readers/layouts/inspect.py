"""Inspect's logs: whole ones in JSON, the samples of an `.eval` archive, and its data frames."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.inspect_frames import message_traces, sample_row
from batcheval.readers.grammar.inspect_sample import sample_trace
from batcheval.readers.grammar.values import dicts, dig, has
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_ROW: Final = ("sample_id", "eval_id", "log")
_TOLD: Final = ("messages", "output", "events")  # of a sample, not of its summary
_ABOUT: Final = ("task", "run_id", "eval_id", "task_id")


def _marks(record: Any) -> int:
    if has(record, *_ROW):
        return 10 if has(record, "role", "order") or has(record, "input", "epoch") else 6
    if has(record, "eval", "version"):
        return 10 if has(record["eval"], "task", "model") else 6
    if has(record, "id", "epoch", "input"):
        return 10 if has(record, "messages") or has(record, "scores") else 6
    return 6 if _is_summary(next(iter(dicts(record)), None)) else 0


def _is_summary(record: Any) -> bool:
    """Whether an entry is of the lists that an archive holds besides its samples."""
    return has(record, "id", "epoch", "input") or has(record, "scorer", "samples")


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if has(record, "role", *_ROW):
        yield Piece(str(record["sample_id"]), record)
    elif has(record, *_ROW):
        yield sample_row(record)
    elif has(record, "id", "epoch") and any(map(record.__contains__, _TOLD)):
        yield sample_trace(record, _log(place))
    elif has(record, "eval", "samples"):
        about = record["eval"] if isinstance(record["eval"], dict) else {}
        facts = {key: about[key] for key in _ABOUT if key in about}
        for sample in dicts(record["samples"]):
            trace = sample_trace(sample, _log(place))
            trace["model"] = dig(about, "model") or trace["model"]
            trace["metadata"] |= {"eval": facts}
            yield trace


def _log(place: Place) -> str:
    """The name of the log, of which an archive's samples are parts: what tells one run's traces."""
    return Place(place.source.partition("!")[0], 1).stem


def _join(key: str, rows: list[Any]) -> Iterator[Trace]:
    yield message_traces(key, rows)


LAYOUT = Layout("inspect", "Inspect logs and data frames", _marks, _read, _join)
