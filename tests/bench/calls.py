"""Made-up tool calls: 0 to 8 a trace, one in twenty failed."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from prose import Prose

TOOLS = """
search_orders get_order refund_order search_help create_ticket escalate_to_human weather search
summarize send_email book_flight calculator
"""
ERRORS = [
    "upstream timed out after 5000 ms",
    "503 Service Unavailable",
    "rate limited",
    "not found",
]
FAILED = 0.05
START = 1_748_000_000_000_000  # May 2025, in microseconds since 1970

Call = tuple[Any, ...]  # in the order of FIELDS; `result` is JSON text where `as_json` says so
FIELDS = ("name", "args", "result", "as_json", "error", "state", "id", "started_at", "duration_ms")


class Calls:
    """Draws calls from a store, of 4,000 unless told; ids and times are their own."""

    def __init__(self, dice: Random, prose: list[Prose], size: int = 4_000) -> None:
        self.fine = [_call(dice, prose[i % len(prose)], False) for i in range(size)]
        self.failed = [_call(dice, prose[i % len(prose)], True) for i in range(400)]

    def some(self, dice: Random, number: int) -> Iterator[Call]:
        roll = dice.random
        for place in range(int(9 * roll())):
            store = self.failed if roll() < FAILED else self.fine
            times = (START + number * 7_000_000 + place * 900_000, int(9_000 * roll()) / 10)
            yield (*store[int(len(store) * roll())], f"call_{number}_{place}", *times)


def _call(dice: Random, prose: Prose, failed: bool) -> Call:
    name, args = dice.choice(TOOLS.split()), _args(dice, prose)
    if failed:
        return name, args, None, False, dice.choice(ERRORS), "error"
    return name, args, *_result(dice, prose), None, "ok"


def _args(dice: Random, prose: Prose) -> str:
    if dice.random() < 0.5:
        return _compact({"order_id": f"FW-{int(dice.random() * 1e5):05}", "urgent": False})
    return _compact({"query": prose.some(dice, 3, 9), "limit": int(20 * dice.random())})


def _result(dice: Random, prose: Prose) -> tuple[str, bool]:
    """A text, or an object with a note in it; 20 to 350 characters."""
    note = prose.some(dice, 4, 60)
    if dice.random() < 0.4:
        return note, False
    return _compact({"status": "shipped", "eta_days": int(9 * dice.random()), "note": note}), True


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
