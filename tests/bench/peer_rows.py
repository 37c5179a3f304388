"""The rows of `peers.py`: traces with more columns, each a text and what is expected of it."""

import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import msgspec
from calls import Call
from rows import Maker


def peer_rows(maker: Maker, pairs: list[tuple[str, str]]) -> Iterator[bytes]:
    """A line of JSON for each pair of long texts, as a dump in the native layout.

    What is expected of every other row is what is there; of the rest, what another row has. The
    store of calls should be large, so that few texts come twice.
    """
    records, calls = maker.block(0, len(pairs))
    documents = cycle([call[2] for call in maker.calls.fine if call[3]])
    document = next(documents)
    for number, (text, reference) in enumerate(pairs):
        same = number % 2 == 0
        after = next(documents)
        latency = records[number]["latency_ms"]
        row = {
            "trace_id": records[number]["trace_id"],
            "output": records[number]["output"] or "",
            "expected": records[number]["expected"],
            "text": text,
            "reference": reference,
            "twin": text if same else reference,
            "document": document,
            "expected_document": document if same else after,
            "answer": document[:-1] if number % 4 == 3 else document,  # no JSON then
            "number": str(latency),
            "expected_number": str(latency if same else latency + 100),
            "tool_calls": _said(calls[number]),
            "expected_tool_calls": _said(calls[number if same else number - 1]),
        }
        document = after
        yield msgspec.json.encode(row) + b"\n"


def _said(calls: list[Call]) -> list[dict[str, Any]]:
    return [{"name": call[0], "args": json.loads(call[1]), "state": "ok"} for call in calls]
