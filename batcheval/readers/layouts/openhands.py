"""OpenHands: evaluation outputs, saved trajectories, and the events of version 1."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, Final

from batcheval.readers.grammar.openhands import Actions, take_v1
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import as_text, dig, first, has
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_KINDS: Final = ("ActionEvent", "ObservationEvent", "AgentErrorEvent", "MessageEvent")
_OTHER_KINDS: Final = (
    *("SystemPromptEvent", "ConversationStateUpdateEvent", "UserRejectObservation"),
    *("PauseEvent", "Condensation", "CondensationRequest", "ConversationErrorEvent"),
)


def _marks(record: Any) -> int:
    if has(record, "kind"):
        is_known = record["kind"] in (*_KINDS, *_OTHER_KINDS)
        return 9 if is_known and has(record, "source") else 0
    if has(record, "instance_id", "history"):
        return 9
    is_event = has(record, "action") or has(record, "observation")
    if not is_event or has(record, "role") or has(record, "response"):
        return 0
    telling = ("source", "cause", "tool_call_metadata")
    return 9 if any(map(record.__contains__, telling)) and has(record, "message") else 0


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if has(record, "instance_id", "history"):
        if not isinstance(record["history"], list):
            raise ValueError("an OpenHands output whose history is no list")
        yield _output(record)
    elif isinstance(record, dict):
        path = PurePath(place.source)
        alone = path.name.startswith("event-") and path.suffix == ".json"
        yield Piece(str(path.parent.parent) if alone else place.source, record)


def _output(record: Any) -> Trace:
    usage, about = Usage(), record.get("metadata")
    metrics = record.get("metrics")
    usage.add(dig(metrics, "accumulated_token_usage"), dig(metrics, "accumulated_cost"))
    report = dig(record, "test_result.report")
    return _acted(_flat(record["history"])) | {
        "trace_id": record["instance_id"],
        "task_id": record["instance_id"],
        "error": record.get("error"),
        "model": dig(about, "llm_config.model"),
        "labels": report if isinstance(report, dict) else None,
        "metadata": {
            "agent_class": dig(about, "agent_class"),
            "git_patch": dig(record, "test_result.git_patch") or record.get("git_patch"),
        },
        **usage.fields,
    }


def _flat(history: list[Any]) -> list[Any]:
    """The events; the oldest histories are of pairs, in which the action caused the observation."""
    events: list[Any] = []
    for number, entry in enumerate(history):
        if isinstance(entry, list) and len(entry) == 2 and all(isinstance(e, dict) for e in entry):
            events += [entry[0] | {"id": f"{number}"}, entry[1] | {"cause": f"{number}"}]
        elif isinstance(entry, dict):
            events.append(entry)
    return events


def _acted(events: list[Any]) -> Trace:
    actions = Actions()
    for event in events:
        actions.take(event)
    start = next((time for event in events if (time := event.get("timestamp"))), None)
    return actions.log.trace(output=actions.output, started_at=start)


def _join(key: str, events: list[Any]) -> Iterator[Trace]:
    id = Place(key, 1).stem
    events = once(events, "id", "kind")
    if not any(has(event, "kind") for event in events):
        yield _acted(events) | {"trace_id": id}
        return
    log, usage, output = Transcript(), Usage(), ""
    for event in events:
        said = take_v1(event, log)
        output = output if said is None else as_text(said)
    model, used, cost = _used(events)
    usage.add(used, cost)
    yield log.trace(
        trace_id=id,
        output=output,
        model=model,
        error=_failure(events),
        started_at=events[0].get("timestamp"),
        **usage.fields,
    )


def _used(events: list[Any]) -> tuple[Any, Any, Any]:
    """The model, and what it used in all, as the last count has it."""
    for event in reversed(events):
        counts = dig(event, "value.usage_to_metrics") or dig(event, "value.stats.usage_to_metrics")
        count = first(counts, "default", "agent") if isinstance(counts, dict) else None
        if count is not None:
            used = dig(count, "accumulated_token_usage")
            return dig(count, "model_name"), used, dig(count, "accumulated_cost")
    return None, None, None


def _failure(events: list[Any]) -> Any:
    errors = [event for event in events if event.get("kind") == "ConversationErrorEvent"]
    return first(errors[-1], "detail", "code") if errors else None


LAYOUT = Layout("openhands", "OpenHands outputs, trajectories and events", _marks, _read, _join)
