"""Samples of Inspect's logs."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import as_text, dicts, dig, text_in
from batcheval.readers.layouts.layout import Trace

_ATTACHED: Final = re.compile(r"attachment://([0-9a-f]{32})")
_KEPT: Final = ("metadata", "uuid", "choices", "limit")


def sample_trace(sample: Mapping[str, Any], log_name: str) -> Trace:
    """The trace of a sample; its id is the sample's and the epoch, since epochs share the former.

    Raises:
        ValueError: the sample's messages are no list.
    """
    messages = _attached(sample.get("messages") or [], sample.get("attachments"))
    if not isinstance(messages, list):
        raise ValueError("a sample whose messages are no list")
    log = transcribe(messages)
    _time(log, [*dicts(sample.get("events"))])
    id, epoch = sample.get("id"), sample.get("epoch")
    return log.trace(
        trace_id=f"{as_text(id)}/{as_text(epoch)}",
        run=log_name,
        task_id=as_text(id),
        trial=epoch if isinstance(epoch, int) else None,
        input=_input(sample, log),
        output=_output(sample.get("output")),
        expected=target(sample.get("target")),
        error=dig(sample, "error.message"),
        labels=_values(sample.get("scores")),
        started_at=sample.get("started_at"),
        latency_ms=milliseconds(sample.get("total_time")),
        metadata={key: sample[key] for key in _KEPT if sample.get(key)},
        **usage_of(sample.get("model_usage"), dig(sample, "output.model")),
    )


def usage_of(by_model: Any, model: Any = None) -> dict[str, Any]:
    """What all models used together, and the model: where one was used, as the usage names it."""
    usage = Usage()
    names = list(by_model) if isinstance(by_model, dict) else []
    for name in names:
        usage.add(by_model[name])
    return {"model": names[0] if len(names) == 1 else model, **usage.fields}


def target(value: Any) -> str | None:
    """What is expected; of several targets, which are alternatives, the JSON of them all."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return as_text(value) or None


def _attached(messages: Any, attachments: Any) -> Any:
    """Messages with the texts put in that the log keeps beside them."""
    if not isinstance(attachments, dict) or not isinstance(messages, list):
        return messages
    text = as_text(messages)

    def put_in(found: re.Match[str]) -> str:
        kept = attachments.get(found[1])
        return as_text([kept])[2:-2] if isinstance(kept, str) else found[0]

    return msgspec.json.decode(_ATTACHED.sub(put_in, text)) if "attachment://" in text else messages


def _input(sample: Mapping[str, Any], log: Transcript) -> str:
    given = sample.get("input")
    return transcribe(given).input if isinstance(given, list) else text_in(given) or log.input


def _output(output: Any) -> str:
    said = dig(output, "completion")
    return said if isinstance(said, str) else text_in(dig(output, "choices.0.message.content"))


def _values(scores: Any) -> Any:
    """Of each scorer the value alone."""
    if not isinstance(scores, dict):
        return None
    return {name: dig(score, "value") for name, score in scores.items()}


def _time(log: Transcript, events: list[Mapping[str, Any]]) -> None:
    """When calls started and how long they took, which only the events tell."""
    told: dict[str, list[Mapping[str, Any]]] = {}
    for event in events:
        if event.get("event") == "tool" and isinstance(event.get("id"), str):
            told.setdefault(event["id"], []).append(event)
    for call in log.calls:
        if of_call := told.get(as_text(call["id"])):
            event = of_call.pop(0)
            call["started_at"] = event.get("timestamp")
            call["duration_ms"] = milliseconds(event.get("working_time"))


def milliseconds(seconds: Any) -> Any:
    """Seconds in milliseconds; null for anything but a number."""
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    return seconds * 1000 if is_number else None
