"""Completeness: the formula against a plain twin, the elements against the original's scores."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval.checks import completeness
from batcheval.checks.elements import kernel
from batcheval.checks.elements.containment import COVERS, covering
from batcheval.checks.elements.evidence import evidence
from batcheval.checks.elements.tokens import tokenised
from batcheval.engine import score
from batcheval.errors import BadArgumentError
from batcheval.readers import read_traces
from tests.cases import frame, trace

DATA = Path(__file__).parent / "data"
LETTERS = st.text(st.sampled_from("abAB '-.é1\n"), max_size=20)
SOME = ["cat", "cats", "ran", "running", "don't", "is", "been", "not", "Tables", "able", "let's"]
WORDS = st.lists(st.sampled_from(SOME)).map(" ".join)
TEXTS = st.one_of(LETTERS, WORDS, st.text(max_size=10))
ROWS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6)


def plain(wanted: list[str], offered: list[str]) -> tuple[float, list[str]]:
    """The formula, pair by pair: the score, and what is not covered."""
    if not wanted:
        return float(not offered), []

    def covers(e: str, o: str) -> bool:
        short, long = sorted((e, o), key=len)
        return e == o if len(e) <= 3 else short in long and len(short) / len(long) > 0.6

    left = [e for e in wanted if not any(covers(e, o) for o in offered)]
    return (len(wanted) - len(left)) / len(wanted), left


def judged(rows: list[tuple[str | None, str | None]], **options: Any) -> list[dict[str, Any]]:
    traces = [trace(input=text, output=other) for text, other in rows]
    scorer = completeness(**options).named("c")
    return score(frame(traces), [scorer], details=True, reasons=True).collect().to_dicts()


@given(rows=ROWS, split=st.booleans())
@settings(deadline=None, max_examples=30)
def test_the_score_follows_from_the_elements(rows: list[tuple[str, str]], split: bool) -> None:
    sides = [pl.Series(side, dtype=pl.String) for side in zip(*rows, strict=True)]
    scores = kernel.scores(*sides, split).tolist()
    for got, found in zip(scores, evidence(*sides, split).to_list(), strict=True):
        asked, given = found["input_elements"], found["output_elements"]
        expected, left = plain(asked, given)
        assert got == pytest.approx(expected)
        assert found["missing_elements"] == [e for e in asked if e not in given]
        assert found["uncovered"] == left
        assert len(set(asked)) == len(asked)
        assert len(set(given)) == len(given)


@given(rows=ROWS, block_bytes=st.sampled_from([1, 100, kernel.BLOCK_BYTES]))
@settings(deadline=None, max_examples=30)
def test_rows_are_judged_alone(rows: list[tuple[str, str]], block_bytes: int) -> None:
    left, right = (pl.Series(side, dtype=pl.String) for side in zip(*rows, strict=True))
    places = range(len(rows))
    scores = [kernel.scores(left[i : i + 1], right[i : i + 1], False).item() for i in places]
    found = pl.concat([evidence(left[i : i + 1], right[i : i + 1], False) for i in places])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "BLOCK_BYTES", block_bytes)
        assert kernel.scores(left, right, False).tolist() == scores
        assert evidence(left, right, False).equals(found)


@given(
    wanted=st.lists(st.text(st.sampled_from("ab"), min_size=1, max_size=45), max_size=8),
    cuts=st.lists(st.tuples(st.integers(0, 20), st.integers(20, 45)), max_size=8),
)
@settings(deadline=None)
def test_covering_pairs(wanted: list[str], cuts: list[tuple[int, int]]) -> None:
    offered = {w[a:b] for w in wanted for a, b in cuts if w[a:b]} | set(wanted[::2])
    expected = {
        (e, o)
        for e in wanted
        for o in offered
        if len(e) > 3 and e != o and (e in o or o in e)
        if min(len(e), len(o)) / max(len(e), len(o)) > COVERS
    }
    assert set(covering(wanted, offered)) == expected


ELEMENTS = [
    ("She was running home.", "she run home"),
    ("It has been reviewed", "it review"),
    ("I can't help it", "i do not help it"),
    ("The server will be swimming", "the server swim"),
    ("Do not delete the file", "does not delete the file"),
    ("Let's go", "let us go"),
    ("Naïve café", "naive cafe"),
    ("snake_case and kebab-case", "snake case and kebab"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), ELEMENTS)
def test_elements(text: str, expected: str) -> None:
    (row,) = judged([(text, "")])
    assert sorted(row["c_details"]["input_elements"]) == sorted(expected.split())


def test_a_row_is_cut_without_a_look_at_its_neighbours() -> None:
    texts = pl.Series(["One, two.", " three", "", "four:", "\n- Five", None, "(six)"])
    whole = tokenised(texts)
    apart = [tokenised(texts[place : place + 1]) for place in range(len(texts))]
    assert whole.gaps.tolist() == [gap for tokens in apart for gap in tokens.gaps]
    assert whole.shapes.tolist() == [shape for tokens in apart for shape in tokens.shapes]


def test_what_others_cover_is_missing_but_not_in_the_reason() -> None:
    (row,) = judged([("The tables of money", "the table")])
    assert row["c_details"]["missing_elements"] == ["tables", "of", "money"]
    assert row["c_details"]["element_counts"] == {"input": 4, "output": 2}
    assert row["c_reason"] == (
        "the output covers 2 of 4 elements of the input; missing: 'of', 'money'"
    )


def test_reasons_name_what_was_asked() -> None:
    for against, name in (("expected", "the expected"), ("a red car", "the text")):
        scorer = completeness(against=against).named("c")
        traces = frame([trace(output="Car.", expected="car")])
        row = score(traces, [scorer], reasons=True).collect().to_dicts()[0]
        assert f" elements of {name}; missing: " in row["c_reason"]


def test_long_texts_and_odd_ones() -> None:
    long = "the runner's files were deleted, and so on. " * 20_000
    rows = [(long, long), ("x" * 1_000_000, "x" * 999_999), ("日本語 🙂\0", "\0"), ("a\0b", "b a")]
    words = " ".join(f"{number:040d}" for number in range(1_000))
    left, right = (pl.Series(side) for side in zip(*rows, (words, words[1:]), strict=True))
    assert kernel.scores(left, right, False).tolist() == [1.0] * 5


def test_parity_with_the_original_on_edge_cases() -> None:
    folder = DATA / "parity" / "scorers"
    lines = (folder / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    expected = {row["trace_id"]: row["scores"]["completeness"] for row in map(json.loads, lines)}
    traces = read_traces(folder / "traces.jsonl")
    scores = score(traces, [completeness()]).collect()
    got = dict(scores.select("trace_id", "completeness").iter_rows())
    assert len(got) == len(expected) == 188
    assert np.mean([abs(got[name] - value) for name, value in expected.items()]) <= 0.02


def test_parity_with_the_original_on_ordinary_texts() -> None:
    """Pairs that nothing was fitted to; `data/completeness/README.md` says where they are from."""
    pairs = pl.read_ndjson(DATA / "completeness" / "pairs.jsonl")
    scores = pairs.select(completeness().score).to_series().to_numpy()
    apart = np.abs(scores - pairs["score"].to_numpy())
    assert len(apart) >= 300
    assert apart.mean() <= 0.010
    assert (apart < 1e-9).mean() >= 0.85


@pytest.mark.parametrize(
    "options",
    [
        *({"against": value} for value in (None, 5, ["a"], "\ud800")),
        *({"on": value} for value in (None, "input", 1)),
        *({"split_camel_case": value} for value in (None, 1, "yes", pl.col("input"))),
    ],
)
def test_bad_arguments(options: dict[str, Any]) -> None:
    with pytest.raises(BadArgumentError):
        completeness(**options)
