"""Content similarity and textual difference against slow twins in plain Python."""

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from batcheval.checks import content_similarity, edits, fuzzy, textual_difference
from batcheval.checks.edits import changes, ratio
from batcheval.engine import score
from batcheval.errors import BadArgumentError
from tests.cases import frame, trace

SPACES = "".join(map(chr, [*range(9, 14), 32, 0xA0, 0x1680, *range(0x2000, 0x200B)]))
SPACES += "\u2028\u2029\u202f\u205f\u3000\ufeff"
TEXTS = st.lists(
    st.one_of(
        st.sampled_from(["a", "b", "ab", "the", *" \t\n\u00a0\u3000\x85é😂天"]), st.characters()
    ),
    max_size=15,
).map(lambda parts: "".join(parts).encode("utf-8", "ignore").decode())
ROWS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5)


def lower(text: str) -> str:
    lowered: str = pl.select(pl.lit(text).str.to_lowercase()).item()
    return lowered


def common(left: str, right: str) -> int:
    """The length of the longest common subsequence, cell by cell."""
    above = [0] * (len(right) + 1)
    for char in left:
        row = [0]
        for place, other in enumerate(right):
            best = above[place] + 1 if char == other else max(above[place + 1], row[-1])
            row.append(best)
        above = row
    return above[-1]


def ratio_twin(left: str, right: str) -> float:
    return 1.0 if left == right else 2 * common(left, right) / (len(left) + len(right))


def changes_twin(left: str, right: str) -> int:
    a, b = ([word for word in re.split(f"[{SPACES}]", text) if word] for text in (left, right))
    if a == b:
        return int(left != right)
    return max(len(a), len(b)) - (Counter(a) & Counter(b)).total()


def dice(left: str, right: str) -> float:
    a, b = ("".join(char for char in text if char not in SPACES) for text in (left, right))
    if a == b:
        return 1.0
    if len(a) < 2 or len(b) < 2:
        return 0.0
    return 2 * (Counter(pairwise(a)) & Counter(pairwise(b))).total() / (len(a) + len(b) - 2)


@given(rows=ROWS)
@example(rows=[("a b a", "b a a"), ("a  b", " a b"), ("", " "), ("", ""), ("a\x85b", "a b")])
@settings(deadline=None, max_examples=100)
def test_kernels(rows: list[tuple[str, str]]) -> None:
    left, right = (pl.Series(side, dtype=pl.String) for side in zip(*rows, strict=True))
    assert ratio(left, right).tolist() == pytest.approx([ratio_twin(*row) for row in rows])
    assert changes(left, right).tolist() == [changes_twin(*row) for row in rows]


@given(rows=ROWS)
@settings(deadline=None, max_examples=10)
def test_checks(rows: list[tuple[str, str]]) -> None:
    scorers = [
        content_similarity(),
        content_similarity(ignore_case=False, ignore_whitespace=False).named("cased"),
        textual_difference(),
    ]
    traces = frame([trace(input=left, output=right) for left, right in rows])
    got = score(traces, scorers, details=True).collect()
    assert got["content_similarity"].to_list() == [dice(lower(a), lower(b)) for a, b in rows]
    assert got["cased"].to_list() == [dice(a, b) for a, b in rows]
    assert got["textual_difference"].to_list() == pytest.approx([ratio_twin(*row) for row in rows])
    for (a, b), found in zip(rows, got["textual_difference_details"], strict=True):
        differ = abs(len(a) - len(b)) / max(len(a), len(b), 1)
        expected = {"ratio": ratio_twin(a, b), "changes": changes_twin(a, b)}
        expected |= {"length_diff": differ, "confidence": 1 - differ}
        assert found == pytest.approx(expected)


def test_changes() -> None:
    rows = [
        ("to be or not to be", "to be", 4),
        ("a b", "b a", 0),  # wherever they stand
        ("a a a", "a", 2),
        ("A", "a", 1),
        ("a b", " a\t\tb ", 1),  # white space alone
        ("a b", "a b", 0),
        ("", "a b", 2),
        (None, " ", 1),
        (None, None, 0),
    ]
    left, right, expected = (list(side) for side in zip(*rows, strict=True))
    assert changes(pl.Series(left), pl.Series(right)).tolist() == expected


def test_long_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are alike need not take time in proportion to both lengths."""
    long = "".join(f"no {n}\n" for n in range(100_000))
    edited = long.replace("7777", "x")
    rows = [(long, long), (long, edited), (edited, long), ("no", long), (long, ""), ("ab", "ac")]
    left, right = (pl.Series(side) for side in zip(*rows, strict=True))
    share = 2 * (len(long) - 4 * long.count("7777")) / (len(long) + len(edited))
    few = 4 / (len(long) + 2)
    assert ratio(left, right).tolist() == pytest.approx([1, share, share, few, 0, 0.5])
    assert changes(left, right)[3] == 199_999
    monkeypatch.setattr(edits, "_LONG", 1)  # the long way, and the short ones, for any text
    texts = [
        "日本語 no 文字" * 30,
        "文字日本" * 50,
        "kitten sitting" * 40,
        "sitting kitten" * 40,
        "sit" * 99,
        "x" * 500,
    ]
    pairs = [(a, b) for a in texts for b in (*texts, a[:-7] + "?" + a[-6:])]
    left, right = (pl.Series(side) for side in zip(*pairs, strict=True))
    assert ratio(left, right).tolist() == pytest.approx([ratio_twin(*pair) for pair in pairs])


@pytest.mark.parametrize("kernel", ["ratio", "changes", "dice"])
def test_score_details_and_reason_share_their_work(
    kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    function = getattr(fuzzy, kernel)

    def counted(*texts: pl.Series) -> Any:
        calls.append(len(texts[0]))
        return function(*texts)

    monkeypatch.setattr(fuzzy, kernel, counted)
    scorers = [content_similarity(), textual_difference()]
    query = score(frame([trace(output="a", input="day")] * 3), scorers, details=True, reasons=True)
    calls.clear()
    query.collect(engine="in-memory")
    assert calls == [3]


def evidence(scorer: Any, **fields: Any) -> tuple[Any, Any]:
    scored = score(frame([trace(**fields)]), [scorer], details=True, reasons=True).collect()
    return scored[f"{scorer.id}_details"][0], scored[f"{scorer.id}_reason"][0]


def test_evidence() -> None:
    assert evidence(content_similarity(), input="nacht", output="night") == (
        {"similarity": 0.25},
        "the output has a similarity of 0.25 to 'nacht', 1.0 is equal",
    )
    assert evidence(textual_difference(), input="a b", output="a b c d e f") == (
        {"ratio": 3 / 7, "changes": 4, "length_diff": 8 / 11, "confidence": 1 - 8 / 11},
        "the output has a ratio of 0.429 to 'a b' (words changed: 4), 1.0 is equal",
    )
    details, reason = evidence(textual_difference(against="expected"), output="a")
    assert set(details.values()) == {None}
    assert reason is None


BAD: list[tuple[Any, dict[str, Any]]] = [
    *[
        (check, {"against": value})
        for check in (content_similarity, textual_difference)
        for value in (None, 5, True, ["a"], b"a", "\ud800")
    ],
    *[
        (check, {"on": value})
        for check in (content_similarity, textual_difference)
        for value in (None, "input", 1)
    ],
    *[
        (content_similarity, {name: value})
        for name in ("ignore_case", "ignore_whitespace")
        for value in (None, 1, "false", pl.col("expected"))
    ],
]


@pytest.mark.parametrize(("check", "options"), BAD)
def test_bad_arguments_raise_at_once(check: Any, options: dict[str, Any]) -> None:
    with pytest.raises(BadArgumentError) as caught:
        check(**options)
    assert "\n" not in str(caught.value)


def test_columns_are_read_off_the_expressions() -> None:
    assert content_similarity().columns == {"input", "output"}
    assert content_similarity(against="input!").columns == {"output"}
    assert textual_difference(against="expected").columns == {"expected", "output"}
    assert textual_difference(on=pl.col("input"), against="output").columns == {"input", "output"}
