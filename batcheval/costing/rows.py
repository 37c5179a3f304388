"""Made-up traces to measure on where no others are at hand."""

from collections.abc import Collection
from random import Random
from typing import Any, Final

import polars as pl

from batcheval.schema import CANONICAL

_PROSE: Final = """the order you placed on Monday was shipped from our store in Lyon and should be
with you by Friday I looked at your account found two payments of 42.50 EUR refunded one to the card
please tell me if it does not arrive we can send another parcel or give a voucher thank you for your
patience sorry about that kind regards"""
_WORDS: Final = _PROSE.split()
_TOOLS: Final = ("get_order", "search_help", "refund_order", "create_ticket")
_LONGEST: Final = 300  # words of an output


def made_up(columns: Collection[str], rows: int = 2_000) -> pl.DataFrame:
    """Traces of invented prose: outputs of 20 to 300 words and 0 to 6 tool calls.

    Args:
        columns: names of columns, and paths, to have besides those of the canonical table; each
            is a column of texts.
        rows: how many.

    Example:
        >>> made_up(["reference"], 3).select("reference", "tool_calls").height
        3
    """
    dice = Random(0)
    others = {name for name in columns if name not in CANONICAL}
    lines = {name: [_prose(dice, 3, 12) for _ in range(rows)] for name in sorted(others)}
    calls = [[_call(dice) for _ in range(dice.randrange(7))] for _ in range(rows)]
    made = {
        "trace_id": [f"made-up-{number}" for number in range(rows)],
        "input": [_prose(dice, 5, 40) for _ in range(rows)],
        "output": [_prose(dice, 20, _LONGEST) for _ in range(rows)],
        "expected": [_prose(dice, 1, 4) for _ in range(rows)],
        "tool_calls": calls,
        "expected_tool_calls": ['["get_order", "refund_order"]'] * rows,
        "latency_ms": [float(dice.randrange(100, 30_000)) for _ in range(rows)],
        "cost": [dice.random() / 50 for _ in range(rows)],
        "total_tokens": [dice.randrange(500, 9_000) for _ in range(rows)],
    }
    return pl.DataFrame(lines | made, schema_overrides={n: CANONICAL[n] for n in made})


def _prose(dice: Random, least: int, most: int) -> str:
    words = dice.choices(_WORDS, k=dice.randint(least, most))
    for place in range(7, len(words), 11):
        words[place] += "."
    return " ".join(words).capitalize() + "."


def _call(dice: Random) -> dict[str, Any]:
    state = "error" if dice.random() < 0.05 else "ok"
    args = f'{{"order_id": "FW-{dice.randrange(90_000):05}"}}'
    return {"name": dice.choice(_TOOLS), "args": args, "result": "done", "state": state}
