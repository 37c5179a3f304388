"""Dice scores against worked values and a plain-Python twin, whatever the batches look like."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval.checks import bigrams
from batcheval.checks.bigrams import dice, dice_to

SPACES = [
    *"\t\n\v\f\r \u00a0\u1680",
    *map(chr, range(0x2000, 0x200B)),
    *"\u2028\u2029\u202f\u205f\u3000\ufeff",
]
CASES = [
    ("", "", 1.0),
    ("", " \n", 1.0),
    ("", "a", 0.0),
    ("", "night", 0.0),
    ("a", "a", 1.0),
    ("a", "b", 0.0),
    ("a", "aa", 0.0),
    ("é", "é", 1.0),
    ("a", "é", 0.0),
    ("😀", "😀", 1.0),
    ("😀", "😁", 0.0),
    ("ab", "ba", 0.0),
    ("a b", "ab", 1.0),
    ("night", "nacht", 0.25),
    ("night", "Night", 0.75),
    ("aaaa", "aa", 0.5),
    ("abab", "baba", 2 / 3),
    ("😂😁", "😀😂", 0.0),  # 1/3 in UTF-16 units
    ("don’t", "don't", 0.5),
    ("中文字符", "中文", 0.5),
    ("\0\0", "\0", 0.0),
    ("\U0010ffff\0", "\U0010ffff\0", 1.0),
    ("e\u0301e", "éé", 0.0),
]
ALPHABETS = [
    "ab ",
    "the quick, brown fox",
    "a😀😂\u3000",
    *(
        "".join(map(chr, codes))
        for codes in (range(256), range(0x4E00, 0x5A00), range(0xE000, 0x110000, 97))
    ),
]
TEXT = st.one_of(st.text(), *(st.text(st.sampled_from(a), max_size=40) for a in ALPHABETS))


def plain(left: str, right: str) -> float:
    """The definition, pair by pair."""
    left, right = ("".join(c for c in text if c not in SPACES) for text in (left, right))
    if left == right:
        return 1.0
    if min(len(left), len(right)) < 2:
        return 0.0
    shared = Counter(pairwise(left)) & Counter(pairwise(right))
    return 2.0 * shared.total() / (len(left) + len(right) - 2)


def column(texts: list[str] | list[str | None]) -> pl.Series:
    return pl.Series(texts, dtype=pl.String)


def texts_of(alphabet: str, rows: int, longest: int, seed: int) -> list[str]:
    rng = Random(seed)
    return ["".join(rng.choices(alphabet, k=rng.randint(0, longest))) for _ in range(rows)]


@pytest.mark.parametrize(("left", "right", "expected"), CASES)
def test_worked_values(left: str, right: str, expected: float) -> None:
    assert plain(left, right) == expected
    assert dice(column([left]), column([right])).tolist() == [expected]
    assert dice_to(right)(column([left])).tolist() == [expected]


@pytest.mark.parametrize("space", SPACES, ids=ascii)
def test_white_space_is_removed(space: str) -> None:
    spaced = f"{space}a{space}b{space * 2}c{space}"
    assert dice(column([spaced, "abc"]), column(["abc", spaced])).tolist() == [1.0, 1.0]
    assert dice_to(spaced)(column(["abc", spaced])).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    "other", "\u0085\x1c\x1d\x1e\x1f\u200b\u180e\x08\x0e\x21\u200e\u2060\u200d", ids=ascii
)
def test_nothing_else_is_white_space(other: str) -> None:
    assert dice(column([f"a{other}b"]), column(["ab"])).tolist() == [0.0]
    assert dice_to("ab")(column([f"a{other}b"])).tolist() == [0.0]


@given(st.lists(st.tuples(TEXT, TEXT), max_size=12))
def test_rows_score_as_in_plain_python_both_ways(rows: list[tuple[str, str]]) -> None:
    left, right = column([a for a, _ in rows]), column([b for _, b in rows])
    expected = [plain(a, b) for a, b in rows]
    assert dice(left, right).tolist() == expected
    assert dice(right, left).tolist() == expected


@given(st.lists(TEXT, max_size=12), TEXT)
def test_a_literal_scores_as_in_plain_python(texts: list[str], literal: str) -> None:
    assert dice_to(literal)(column(texts)).tolist() == [plain(text, literal) for text in texts]


@settings(max_examples=30)
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=8), st.integers(0, 8))
def test_a_batch_scores_as_its_pieces(rows: list[tuple[str, str]], at: int) -> None:
    left, right = column([a for a, _ in rows]), column([b for _, b in rows])
    whole = dice(left, right).tolist()
    assert [*dice(left[:at], right[:at]), *dice(left[at:], right[at:])] == whole
    to_one = dice_to(rows[0][1])
    assert [*to_one(left[:at]), *to_one(left[at:])] == to_one(left).tolist()


@pytest.mark.parametrize("alphabet", ALPHABETS, ids=len)
@pytest.mark.parametrize("block_bytes", [1, 5_000, bigrams.BLOCK_BYTES])
def test_blocks_and_alphabets_of_any_size(
    alphabet: str, block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bigrams, "BLOCK_BYTES", block_bytes)
    left, right = (texts_of(alphabet, 60, 300, seed) for seed in (1, 2))
    right[::3] = [text[::2] + text for text in left[::3]]  # some that share much
    scores = dice(column(left), column(right)).tolist()
    assert scores == [plain(a, b) for a, b in zip(left, right, strict=True)]
    longest = max(right, key=len)
    assert dice_to(longest)(column(left)).tolist() == [plain(text, longest) for text in left]


def test_many_blocks_of_mixed_rows() -> None:
    pools = [texts_of(alphabet, 40, 200, seed) for seed, alphabet in enumerate(ALPHABETS)]
    some = [text for rows in zip(*pools, strict=True) for text in rows]
    left, right = some * 20, some[::-1] * 20
    expected = [plain(a, b) for a, b in zip(some, some[::-1], strict=True)] * 20
    assert dice(column(left), column(right)).tolist() == expected


def test_characters_that_the_sample_misses() -> None:
    rare = "\u0416\u4e2d😀z"
    left, right = [*["ab" * 400] * 300, rare * 2], [*["ba" * 400] * 300, rare]
    expected = [plain(a, b) for a, b in zip(left, right, strict=True)]
    assert dice(column(left), column(right)).tolist() == expected


def test_a_text_longer_than_a_block() -> None:
    long = "the river runs to the sea. " * 60_000
    texts = column(["x", long, "", long + "é"])
    size = 21 * 60_000  # without the spaces
    part = 2.0 * (size - 1) / (2 * size - 1)
    assert dice(texts, column(["x", long + "é", "y", long])).tolist() == [1.0, part, 0.0, part]
    assert dice_to(long)(texts).tolist() == [0.0, 1.0, 0.0, part]


def test_slices_keep_their_rows() -> None:
    left, right = (column(["pad", *texts_of("ab é", 50, 30, seed)]) for seed in (3, 4))
    scores, to_one = dice(left, right), dice_to("ab ab é")
    assert np.array_equal(dice(left[7:30], right[7:30]), scores[7:30])
    assert np.array_equal(to_one(left.slice(7, 23)), to_one(left)[7:30])
    both = pl.concat([left[:9], left[9:]], rechunk=False)
    assert np.array_equal(dice(both, right), scores)


def test_a_null_counts_as_empty() -> None:
    assert dice(column([None, None, "ab"]), column([None, "ab", None])).tolist() == [1.0, 0.0, 0.0]
    assert dice_to("ab")(column([None, "ab"])).tolist() == [0.0, 1.0]
    assert dice_to("")(pl.Series([None, None])).tolist() == [1.0, 1.0]


def test_an_empty_batch_gives_no_scores() -> None:
    for scores in (dice(column([]), column([])), dice_to("ab")(column([]))):
        assert scores.dtype == np.float64
        assert scores.tolist() == []


def test_columns_of_two_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="1 texts against 2"):
        dice(column(["a"]), column(["a", "b"]))


def test_threads_do_not_meet() -> None:
    columns = [column(texts_of(alphabet, 300, 60, 5)) for alphabet in ALPHABETS]
    to_one = dice_to("the fox 中😀")
    expected = [to_one(texts).tolist() for texts in columns]
    with ThreadPoolExecutor(4) as pool:
        assert [scores.tolist() for scores in pool.map(to_one, columns * 5)] == expected * 5
