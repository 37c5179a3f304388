"""Who&When: talks of several agents, with who went wrong and when."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dicts, first, has, picked, text_in
from batcheval.readers.layouts.layout import Layout, Place, Trace

_LABELS: Final = (
    *("is_correct", "is_corrected", "mistake_agent", "mistake_step", "mistake_reason", "level"),
)
# Who speaks for no agent: the user, and the shell that runs code.
_NO_AGENT: Final = ("human", "user", "Computer_terminal")


def _marks(record: Any) -> int:
    if not has(record, "history"):
        return 0
    return 10 if has(record, "mistake_agent") or has(record, "question_ID") else 0


def _read(record: Any, place: Place) -> Iterator[Trace]:
    if not has(record, "history"):
        return
    log, last = Transcript(), ""
    for message in dicts(record["history"]):
        last = text_in(message.get("content"))
        speaker = first(message, "name", "role")
        log.say("user" if speaker in _NO_AGENT else "assistant", last, speaker)
    yield log.trace(
        trace_id=first(record, "question_ID", "question_id") or place.stem,
        input=first(record, "question"),
        output=last,
        expected=first(record, "ground_truth", "groundtruth"),
        labels=picked(record, *_LABELS),
    )


LAYOUT = Layout("who_and_when", "Who&When logs of failures", _marks, _read)
