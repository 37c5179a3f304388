"""Google's Agent Development Kit: sessions, whole or an event a record, and eval sets."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.adk_evals import eval_marks, old_case, read_evals
from batcheval.readers.grammar.google import calls_in, said_in, take_responses
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import dicts, first, has
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_APP: Final = ("app_name", "appName")
_INVOCATION: Final = ("invocation_id", "invocationId")


def _marks(record: Any) -> int:
    if not isinstance(record, dict):
        return 0
    if _is_event(record):
        return 8
    in_app = first(record, *_APP) is not None and isinstance(record.get("events"), list)
    return 9 if in_app else eval_marks(record)


def _is_event(record: Any) -> bool:
    is_part = isinstance(record, dict) and first(record, *_INVOCATION) is not None
    return is_part and has(record, "author") and (has(record, "content") or has(record, "actions"))


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if _is_event(record):
        yield Piece(place.source, record)
    elif has(record, "events"):
        if not isinstance(record["events"], list):
            raise ValueError("a session whose events are no list")
        about = {"app": first(record, *_APP), "user": first(record, "user_id", "userId")}
        yield _trace([*dicts(record["events"])], trace_id=record.get("id"), metadata=about)
    elif isinstance(record, dict):
        yield from read_evals(record, place)


def _join(key: str, records: list[Any]) -> Iterator[Trace]:
    events = once(filter(_is_event, records), "id", "author")
    stem = Place(key, 1).stem
    yield _trace(events, trace_id=stem) if events else old_case(records, stem)


def _trace(events: list[Any], **fields: Any) -> Trace:
    log, usage = Transcript(), Usage()
    events = [event for event in events if event.get("partial") is not True]
    main = next((e.get("author") for e in events if _speaks(e) and e.get("author") != "user"), None)
    for event in events:
        _take(event, main, log)
        usage.add(first(event, "usage_metadata", "usageMetadata"))
    last = events[-1] if events else {}
    return log.trace(
        started_at=next((time for event in events if (time := event.get("timestamp"))), None),
        model=next((m for e in events if (m := first(e, "model_version", "modelVersion"))), None),
        error=first(last, "error_message", "errorMessage", "error_code", "errorCode"),
        **usage.fields,
        **fields,
    )


def _speaks(event: Any) -> bool:
    return bool(said_in(event.get("content")) or calls_in(event.get("content")))


def _take(event: Any, main: Any, log: Transcript) -> None:
    """An event: a result, or what somebody says, with the calls."""
    content, author = event.get("content"), event.get("author")
    if _speaks(event):
        log.say("user" if author == "user" else "assistant", said_in(content), author)
    for call in calls_in(content) if author != "user" else ():
        agent = author if author != main else None
        time = event.get("timestamp")
        log.call(call.get("name"), call.get("args"), call.get("id"), agent=agent, started_at=time)
    take_responses(content, log)


LAYOUT = Layout("adk", "Sessions and eval sets of Google's ADK", _marks, _read, _join)
