"""Each check against a slow twin in plain Python, on random texts and calls."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from batcheval.checks import (
    called_tool,
    did_not_call,
    equals,
    excludes,
    includes,
    max_tool_calls,
    no_tool_errors,
    similarity,
    tool_order,
    used_no_tools,
)
from batcheval.engine import score
from batcheval.scorer import Scorer
from tests.cases import Trace, frame, trace

SPACES = set(map(chr, [*range(9, 14), 32, 0xA0, 0x1680, *range(0x2000, 0x200B)])) | set(
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
# letters whose case is odd, marks, separators, what means something in a pattern, and any others
ODD = st.sampled_from(
    "iIıİ\u0307kK\u212asSſßẞσςΣΟΔéÉe\u0301ﬁǅ😀𐐀𐐨.\\*[](){}^$|?+-#&~ \n\t\x00\x1e\x1f"
)
ANY = st.characters(codec="utf-8")
TEXTS = st.text(st.one_of(ODD, st.sampled_from("abAB "), ANY), max_size=12)
NEEDLES = st.text(st.one_of(ODD, st.sampled_from("abAB")), min_size=1, max_size=3)
NAMES = st.one_of(st.sampled_from(["a", "b", "A", "a b", "61", "a\x1f\x1fb", " ", "🙂"]), NEEDLES)
STATES = st.sampled_from(["ok", "error", "pending", "denied", "partial"])
CALLS = st.lists(st.tuples(st.one_of(NAMES, st.sampled_from([None, ""])), STATES), max_size=6)
ROWS = st.lists(st.tuples(TEXTS, st.one_of(st.none(), TEXTS)), min_size=1, max_size=6)
RUNS = st.lists(st.tuples(CALLS, st.one_of(st.none(), st.just(""), NAMES)), min_size=1, max_size=6)


def lower(text: str) -> str:
    """Lower case by the tables of polars, which are newer than those of Python 3.11."""
    lowered: str = pl.select(pl.lit(text).str.to_lowercase()).item()
    return lowered


def dice(left: str, right: str) -> float:
    a, b = ("".join(char for char in text if char not in SPACES) for text in (left, right))
    if a == b:
        return 1.0
    if len(a) < 2 or len(b) < 2:
        return 0.0
    shared = (Counter(pairwise(a)) & Counter(pairwise(b))).total()
    return 2 * shared / (len(a) + len(b) - 2)


def is_subsequence(wanted: Iterable[str], called: Iterable[str]) -> bool:
    rest = iter(called)
    return all(name in rest for name in wanted)


def scores(rows: list[Trace], *scorers: Scorer) -> list[list[float | None]]:
    named = [scorer.named(str(n)) for n, scorer in enumerate(scorers)]
    scored = score(frame(rows), named).collect()
    return [scored[scorer.id].to_list() for scorer in named]


def floats(values: Iterable[bool | None]) -> list[float | None]:
    return [None if value is None else float(value) for value in values]


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        (includes, lambda text, wanted: wanted in text),
        (excludes, lambda text, wanted: wanted not in text),
        (equals, lambda text, wanted: text == wanted),
    ],
)
@given(rows=ROWS, needle=NEEDLES)
@example(rows=[("\u212aİ", "kI"), ("İk", "i")], needle="kI")
@settings(deadline=None)
def test_text(
    check: Callable[..., Scorer],
    holds: Callable[[str, str], bool],
    rows: list[tuple[str, str | None]],
    needle: str,
) -> None:
    traces = [trace(output=text, expected=wanted) for text, wanted in rows]
    column = pl.col("expected")
    got = scores(
        traces,
        check(needle),
        check(needle, ignore_case=False),
        check(column),
        check(column, ignore_case=False),
    )
    asked = [(t, None if w is None or (not w and check is not equals) else w) for t, w in rows]
    assert got == [
        floats(holds(lower(text), lower(needle)) for text, _ in rows),
        floats(holds(text, needle) for text, _ in rows),
        floats(None if w is None else holds(lower(text), lower(w)) for text, w in asked),
        floats(None if w is None else holds(text, w) for text, w in asked),
    ]


@given(rows=ROWS, wanted=TEXTS, threshold=st.floats(0, 1))
@settings(deadline=None)
def test_similarity(rows: list[tuple[str, str | None]], wanted: str, threshold: float) -> None:
    traces = [trace(output=text, expected=other) for text, other in rows]
    got = scores(
        traces,
        similarity(wanted),
        similarity(wanted, ignore_case=False, threshold=threshold),
        similarity(pl.col("expected")),
    )
    assert got == [
        [dice(lower(text), lower(wanted)) for text, _ in rows],
        floats(dice(text, wanted) >= threshold for text, _ in rows),
        [None if other is None else dice(lower(text), lower(other)) for text, other in rows],
    ]


def test_two_characters_beside_a_to_z_have_ascii_in_their_lower_case() -> None:
    """What `any_case` builds on."""
    points = [*range(128, 0xD800), *range(0xE000, 0x110000)]
    table = pl.DataFrame({"upper": [chr(point) for point in points]})
    lowered = table.with_columns(lower=pl.col("upper").str.to_lowercase())
    found = lowered.filter(pl.col("lower").str.contains(r"[\x00-\x7f]"))
    assert found.rows() == [("İ", "i\u0307"), ("\u212a", "k")]


def names_of(calls: list[tuple[str | None, str]]) -> list[str]:
    return [name for name, state in calls if name and state != "partial"]


@given(runs=RUNS, name=NAMES, times=st.integers(1, 3), most=st.integers(0, 6))
@settings(deadline=None)
def test_counts(runs: list[tuple[Any, str | None]], name: str, times: int, most: int) -> None:
    traces = [trace(tool_calls=calls, expected=wanted) for calls, wanted in runs]
    column = pl.col("expected")
    got = scores(
        traces,
        called_tool(name, times=times),
        called_tool(column, times=times),
        did_not_call(name),
        did_not_call(column),
        max_tool_calls(most),
        used_no_tools(),
        no_tool_errors(),
    )
    called = [(names_of(calls), wanted or None) for calls, wanted in runs]
    assert got == [
        floats(names.count(name) >= times for names, _ in called),
        floats(None if w is None else names.count(w) >= times for names, w in called),
        floats(name not in names for names, _ in called),
        floats(None if w is None else w not in names for names, w in called),
        floats(len(names) <= most for names, _ in called),
        floats(not names for names, _ in called),
        floats(all(state not in ("error", "pending") for _, state in calls) for calls, _ in runs),
    ]


@given(
    runs=st.lists(st.tuples(CALLS, st.lists(NAMES, max_size=4)), min_size=1, max_size=6),
    order=st.lists(NAMES, max_size=4),
)
@settings(deadline=None)
def test_order(runs: list[tuple[Any, list[str]]], order: list[str]) -> None:
    traces = [
        trace(tool_calls=calls, wanted=wanted, expected_tool_calls=json.dumps(wanted))
        for calls, wanted in runs
    ]
    got = scores(
        traces,
        tool_order(order),
        tool_order(pl.col("wanted").cast(pl.List(pl.String))),
        tool_order(pl.col("expected_tool_calls")),
    )
    own = floats(is_subsequence(wanted, names_of(calls)) for calls, wanted in runs)
    assert got == [floats(is_subsequence(order, names_of(calls)) for calls, _ in runs), own, own]
