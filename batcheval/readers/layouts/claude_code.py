"""Sessions of Claude Code (`~/.claude/projects/…`)."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.claude import Line, session
from batcheval.readers.grammar.values import has
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_SPEAKERS: Final = ("user", "assistant")
_OTHERS: Final = ("system", "progress", "attachment", "queue-operation", "file-history-snapshot")
_ABOUT: Final = ("cwd", "version", "gitBranch")


def _is_message(record: Any) -> bool:
    return has(record, "type", "message") and record["type"] in _SPEAKERS


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _marks(record: Any) -> int:
    if not has(record, "type"):
        return 0
    if has(record, "sessionId"):
        is_line = has(record, "uuid") or record["type"] in _OTHERS
        return 9 if _is_message(record) and is_line else 6 * is_line
    is_other = record["type"] == "file-history-snapshot" and has(record, "messageId")
    return 6 if is_other or has(record, "summary", "leafUuid") else 0


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if not _is_message(record):
        return
    if not isinstance(record["message"], dict):
        raise ValueError("a line of Claude Code whose message is no object")
    kept = ("sessionId", "uuid", "parentUuid", "isSidechain", "agentId", "timestamp", *_ABOUT)
    line = {key: record[key] for key in kept if record.get(key) is not None}
    message = {"role": record["type"], **record["message"]}
    yield Piece(_text(record.get("sessionId")) or place.source, line | {"message": message})


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    start = values[0]
    yield {
        **session(_code_lines(values)),
        "trace_id": start.get("sessionId") or Place(key, 1).stem,
        "started_at": start.get("timestamp"),
        "metadata": {name: start[name] for name in _ABOUT if name in start},
    }


def _code_lines(values: list[Any]) -> Iterator[Line]:
    """The lines, once each; a side chain is known by its agent, or by the line it starts at."""
    chains: dict[str | None, str] = {}
    seen: set[str | None] = {None}
    for value in values:
        uuid = _text(value.get("uuid"))
        if uuid in seen and uuid is not None:
            continue
        seen.add(uuid)
        chain = None
        if value.get("isSidechain") is True:
            above = chains.get(_text(value.get("parentUuid")))
            chain = _text(value.get("agentId")) or above or uuid or "sidechain"
            chains[uuid or chain] = chain
        time = value.get("timestamp")
        yield Line(message=value["message"], time=time, chain=chain, parent=None)


LAYOUT = Layout("claude_code", "Claude Code sessions, sub-agents among them", _marks, _read, _join)
