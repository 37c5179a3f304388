"""OpenAI's Batch API: output and error files, joined with the input file on `custom_id`."""

from collections.abc import Iterator
from typing import Any

from batcheval.readers.grammar.completions import is_completion, replies
from batcheval.readers.grammar.turns import take_turns
from batcheval.readers.grammar.usage import tokens
from batcheval.readers.grammar.values import dig, first, has
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace
from batcheval.readers.layouts.openai_responses import response_trace


def _marks(record: Any) -> int:
    if not has(record, "custom_id"):
        return 0
    return 10 if _is_answer(record) or _is_request(record) else 0


def _is_answer(record: Any) -> bool:
    """Whether it is a line of an output; writers like OpenAI leave out an error that is null."""
    response = record.get("response")
    return has(record, "response", "error") or has(response, "body") or has(response, "status_code")


def _is_request(record: Any) -> bool:
    known = has(record, "url") or has(record, "method") or has(record.get("body"), "messages")
    return has(record, "body") and known


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if has(record, "custom_id"):
        yield Piece(str(record["custom_id"]), record)


def _join(key: str, records: list[Any]) -> Iterator[Trace]:
    """Each answer is a trace; a request that has none is one too."""
    requests = [dig(record, "body") for record in records if _is_request(record)]
    answers = [record for record in records if not _is_request(record)]
    for place, answer in enumerate(answers or [{}] * len(requests)):
        request = requests[min(place, len(requests) - 1)] if requests else {}
        yield _trace(key, request if isinstance(request, dict) else {}, answer)


def _trace(key: str, request: dict[str, Any], answer: dict[str, Any]) -> Trace:
    body = dig(answer, "response.body")
    body = body if isinstance(body, dict) else {}
    if body.get("object") == "response":
        made = response_trace(body, request)
    else:
        asked = request.get("messages")
        log = take_turns(asked if isinstance(asked, list) else [])
        take_turns(replies(body) if is_completion(body) else [], log)
        made = log.trace(started_at=body.get("created"), **tokens(body.get("usage")))
    error = first(answer, "error") or first(body, "error")
    more = {} if error is None else {"error": error}
    return {
        **made,
        "trace_id": key,
        "model": first(body, "model") or request.get("model"),
        "tool_definitions": request.get("tools"),
        "metadata": {"status_code": dig(answer, "response.status_code")},
        **more,
    }


LAYOUT = Layout("openai_batch", "OpenAI Batch API files, output and input", _marks, _read, _join)
