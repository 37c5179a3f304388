"""Checks against expected calls: slow twins, and what other libraries say of the same calls."""

import json
from itertools import permutations
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval.checks import tool_f1, tool_precision, tool_recall, tools_any_order, tools_in_order
from batcheval.engine import score
from batcheval.scorer import Scorer
from tests.cases import Trace, frame, trace

# a name and a number; as an expected call, without the number, it fits any of the name
CALL = st.tuples(st.sampled_from("ab"), st.integers(0, 1))
WANTED = st.tuples(st.sampled_from("ab"), st.one_of(st.none(), st.integers(0, 1)))
RUNS = st.lists(
    st.tuples(st.lists(CALL, max_size=4), st.lists(WANTED, max_size=4)), min_size=1, max_size=5
)


def run(made: Any, wanted: Any) -> Trace:
    calls = [{"name": n, "args": json.dumps({"x": x}), "state": "ok"} for n, x in made]
    asked = [{"name": n} if x is None else {"name": n, "args": {"x": x}} for n, x in wanted]
    return trace(tool_calls=calls, expected_tool_calls=json.dumps(asked))


def fits(call: Any, wanted: Any) -> bool:
    return bool(call[0] == wanted[0] and wanted[1] in (None, call[1]))


def most(made: Any, wanted: Any) -> int:
    """The size of the best assignment, by trying all."""
    short, long = sorted((range(len(made)), range(len(wanted))), key=len)
    swapped = len(made) > len(wanted)
    return max(
        sum(
            fits(made[b], wanted[a]) if swapped else fits(made[a], wanted[b])
            for a, b in zip(short, order, strict=False)
        )
        for order in permutations(long, len(short))
    )


def follows(made: Any, wanted: Any) -> bool:
    rest = iter(made)
    return all(any(fits(call, one) for call in rest) for one in wanted)


def scores(rows: list[Trace], *scorers: Scorer) -> list[list[float | None]]:
    named = [scorer.named(str(n)) for n, scorer in enumerate(scorers)]
    table = score(frame(rows), named).collect()
    return [table[scorer.id].to_list() for scorer in named]


@pytest.mark.parametrize("arguments", [True, False])
@given(runs=RUNS)
@settings(deadline=None, max_examples=40)
def test_the_best_assignment(arguments: bool, runs: Any) -> None:
    checks = (tool_precision, tool_recall, tool_f1, tools_any_order, tools_in_order)
    got = scores([run(*one) for one in runs], *(c(arguments=arguments) for c in checks))
    for place, (made, asked) in enumerate(runs):
        wanted = asked if arguments else [(name, None) for name, _ in asked]
        met, a, e = most(made, wanted), len(made), len(wanted)
        precision = met / a if a else float(not e)
        told = [
            precision,
            met / e if e else 1.0,
            2 * met / (a + e) if a + e else 1.0,
            float(met == a == e),
            float(follows(made, wanted)),
        ]
        assert [column[place] for column in got] == pytest.approx(told)


def test_broken_arguments_are_told() -> None:
    row = trace(tool_calls=[{"name": "s", "args": "{", "state": "ok"}])
    scorer = tool_recall([{"name": "s", "args": {"a": 1}}])
    table = score(frame([row]), [scorer], details=True).collect()
    details = table["tool_recall_details"][0]
    assert details["missing"] == []
    assert details["differed"][0].startswith("s: the arguments are no JSON")
    assert isinstance(table, pl.DataFrame)
