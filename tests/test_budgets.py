"""Budgets: what is refused, price tables from files, and what is told."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from batcheval.checks import latency, run_cost, time_to_first_answer, tokens_used, tool_time
from batcheval.engine import score
from batcheval.errors import BadArgumentError
from tests.cases import frame, trace

PRICE = {"input": 1.0, "output": 4.0}
NAN = float("nan")

BAD: list[tuple[Any, list[Any], dict[str, Any]]] = [
    (check, [value], {})
    for check in (tokens_used, run_cost, latency, tool_time, time_to_first_answer)
    for value in (-1, NAN, float("inf"), True, "5", None)
]
BAD += [(tokens_used, [5], {"zero_at": value}) for value in (5, 4, -1, NAN, "6", pl.col("a"))]
BAD += [(latency, [5], {"zero_at_ms": 5}), (run_cost, [5], {"zero_at": 5})]
BAD += [(tokens_used, [5], {"of": "all"}), (time_to_first_answer, [5], {"on": "a"})]
BAD += [
    (run_cost, [5], {"prices": value})
    for value in (
        *({}, [], 5, {"m": 5}, {"m": {"input": 1}}, {"m": {**PRICE, "cache": 1}}),
        *({"m": {**PRICE, "output": -1}}, {"m": {**PRICE, "cached": "1"}}, {1: PRICE}),
    )
]


@pytest.mark.parametrize(("check", "args", "options"), BAD)
def test_bad_arguments(check: Any, args: list[Any], options: dict[str, Any]) -> None:
    with pytest.raises(BadArgumentError) as caught:
        check(*args, **options)
    assert "\n" not in str(caught.value)


def test_prices_from_a_file(tmp_path: Path) -> None:
    toml, json = tmp_path / "prices.toml", tmp_path / "prices.json"
    toml.write_text('["m-1.5"]\ninput = 1\noutput = 4')
    json.write_text('{"m-1.5": {"input": 1, "output": 4}}')
    rows = frame([trace(model="m-1.5", input_tokens=1_000_000, output_tokens=0)])
    for path in (toml, json):
        scores = score(rows, [run_cost(1, zero_at=2, prices=str(path))]).collect()
        assert scores["run_cost"].to_list() == [1.0]
    (tmp_path / "bad.toml").write_text("= 1")
    for lost in (tmp_path / "bad.toml", tmp_path / "none.json", tmp_path):
        with pytest.raises(BadArgumentError, match="which cannot be read here"):
            run_cost(1, prices=str(lost))


def test_a_model_without_a_price_is_told() -> None:
    rows = frame([trace(model=model, input_tokens=2_000_000, output_tokens=1) for model in "mn"])
    scorer = run_cost(1, zero_at=3, prices={"m": PRICE})
    scores = score(rows, [scorer], details=True, reasons=True).collect()
    assert scores["run_cost_details"].to_list() == [
        {"cost": 2.000004, "unpriced_model": None},
        {"cost": None, "unpriced_model": "n"},
    ]
    assert scores["run_cost_reason"].to_list() == [
        "the run cost 2 USD, and should cost at most 1 (and scores 0.0 from 3 on)",
        None,
    ]
