"""Tone and keyword coverage against slow twins in plain Python, and the word lists they rest on."""

import csv
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from batcheval.checks import keyword_coverage, lexicon, tone
from batcheval.checks.keywords import covered
from batcheval.checks.sentiment import sentiment, swings
from batcheval.checks.wordlists import NEGATORS, stop_words, values
from batcheval.engine import score
from batcheval.errors import BadArgumentError, BatchevalError, BlankArgumentError
from tests.cases import frame, trace

DATA = files("batcheval.checks").joinpath("data")
SPACES = "".join(map(chr, [*range(9, 14), 32, 0xA0, 0x1680, *range(0x2000, 0x200B)]))
SPACES += "\u2028\u2029\u202f\u205f\u3000\ufeff"
PIECES = [
    "good",
    "bad",
    "not",
    "don't",
    "can't",
    "isn’t",
    "GOOD",
    "Not",
    "happy",
    "abandon",
    "naïve",
    "NAÏVE",
    "😂",
    "❤",
    "☺",
    "the",
    "oslo",
    "rain",
    "2024",
    "3.14",
    "3rd",
    "_",
    "@",
    "-",
    "'tis",
    "'oslo'",
    "('rain')",
    "“oslo”",
    "<b>",
    "</b>",
    "<",
    ">",
    "http://a.b/C",
    "HTTP://a.b",
    "https://x",
    "ftp://y",
    "(http://q)",
    "would",
    "ΟΔΟΣ",
    "天気",
    "good-natured",
    "constructor",
    "superb",
]
GLUE = [*".,/#!?$%^&*;:{}=_`\"~()'’[]<>|+@\\-", *SPACES, " ", " ", " ", ". ", "! ", "\0", "\x85"]
TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.sampled_from(GLUE), st.characters(codec="utf-8")),
    max_size=25,
).map("".join)
ROWS = st.lists(st.tuples(TEXTS, st.one_of(st.none(), TEXTS)), min_size=1, max_size=5)


@cache
def lower(text: str) -> str:
    """Lower case by the tables of polars, which are newer than those of Python 3.11."""
    lowered: str = pl.select(pl.lit(text).str.to_lowercase()).item()
    return lowered


@cache
def lexicon_twin() -> dict[str, int]:
    """The lists again, read by hand; phrases stay in, since no token equals one."""
    lines = DATA.joinpath("AFINN-en-165.txt").read_text("utf-8").splitlines()
    twin = {word: int(value) for word, value in (line.split("\t") for line in lines)}
    rows = DATA.joinpath("Emoji_Sentiment_Data_v1.0.csv").read_text("utf-8").splitlines()
    for row in csv.DictReader(rows):
        seen, plus, minus = (int(row[name]) for name in ("Occurrences", "Positive", "Negative"))
        if value := int(5 * (plus / seen - minus / seen) // 1):
            twin[row["Emoji"]] = value
    return twin


def sentiment_twin(text: str) -> float:
    text = re.sub(r"[.,/#!?$%^&*;:{}=_`\"~()\n]", " ", lower(text))
    tokens = re.sub(f"[{SPACES}]{{2,}}", " ", text).strip(SPACES).split(" ")
    total = 0
    for place, token in enumerate(tokens):
        value = lexicon_twin().get(token, 0)
        total += -value if place and tokens[place - 1] in NEGATORS else value
    return total / len(tokens)


def swings_twin(text: str) -> tuple[float, float]:
    found = [sentiment_twin(part) for part in re.findall(r"[^.!?]+[.!?]+", text) or [text]]
    mean = sum(found) / len(found)
    return mean, sum((one - mean) ** 2 for one in found) / len(found)


def keywords_twin(text: str) -> set[str]:
    found = set()
    for piece in re.split(f"[{SPACES}]", re.sub("<[^>]+>", "", text)):
        word, is_link = piece, "http://" in piece or "https://" in piece
        if not is_link:
            word = piece.removeprefix("'")
            word = re.sub(r'[.,;!?():"“”‘’]', "", word.removesuffix("'"))
        is_number = word.isascii() and word.isdigit()
        if word in ("", "_", "@", "&", "#") or is_number or lower(word) in stop_words():
            continue
        found.add(word if is_link else lower(word))
    return found


def test_the_word_lists_are_those_of_their_makers() -> None:
    sums = {
        "AFINN-en-165.txt": "3a06ace6047b203fc1adff0dd3d498ff68528d9206b84242fbce4fc2083a389b",
        "Emoji_Sentiment_Data_v1.0.csv": (
            "97465d4cf7e039fdca3f567310a4a9c225aa75e194945ccdb752df415ac6c201"
        ),
        "smart-stop-words.txt": "220f9e4fde204eb4d4a216f4b5024633b61e41555809f95d9b12f0773be0a3f3",
    }
    for name, expected in sums.items():
        assert sha256(DATA.joinpath(name).read_bytes()).hexdigest() == expected
        assert f"`{name}`" in DATA.joinpath("README.md").read_text("utf-8")


def test_the_word_lists_hold_what_they_should() -> None:
    twin = lexicon_twin()
    phrases = [word for word in twin if " " in word]
    emoji = [word for word in twin if len(word) == 1]
    assert (len(twin), len(phrases), len(emoji)) == (3382 + 767, 30, 767)
    assert {min(twin.values()), max(twin.values())} == {-5, 5}
    assert values() == {word: value for word, value in twin.items() if " " not in word}
    assert len(NEGATORS) == 12
    assert len(stop_words()) == 570
    assert sum("'" in word for word in stop_words()) == 47
    assert sum(len(word) == 1 for word in stop_words()) == 26


@given(rows=ROWS)
@example(rows=[("Σ.Α good\ufeff", "ΑΣ'\ufeffΑ"), ("good\0", "\t\t"), (". \u3000.", "<a")])
@settings(deadline=None, max_examples=80)
def test_kernels(rows: list[tuple[str, str | None]]) -> None:
    left, right = (pl.Series(side, dtype=pl.String) for side in zip(*rows, strict=True))
    texts, others = [text for text, _ in rows], [other or "" for _, other in rows]
    folded = left.str.to_lowercase()
    assert sentiment(folded).tolist() == pytest.approx([*map(sentiment_twin, texts)], abs=1e-12)
    means, variances = swings(folded)
    twins = [swings_twin(text) for text in texts]
    assert means.tolist() == pytest.approx([mean for mean, _ in twins], abs=1e-12)
    assert variances.tolist() == pytest.approx([variance for _, variance in twins], abs=1e-12)
    total, matched = covered(left, right)
    sets = [(keywords_twin(a), keywords_twin(b)) for a, b in zip(texts, others, strict=True)]
    assert total.tolist() == [len(a) for a, _ in sets]
    assert matched.tolist() == [len(a & b) for a, b in sets]


@given(rows=ROWS)
@settings(deadline=None, max_examples=10)
def test_checks(rows: list[tuple[str, str | None]]) -> None:
    scorers = [tone(), tone("expected").named("near"), keyword_coverage(against="expected")]
    got = score(frame([trace(output=a, expected=b) for a, b in rows]), scorers).collect()
    steady = [max(0.0, 1 - swings_twin(a)[1]) for a, _ in rows]
    near = [
        max(0.0, 1 - abs(sentiment_twin(a) - sentiment_twin(b))) if b else None for a, b in rows
    ]
    sets = [(keywords_twin(a), None if b is None else keywords_twin(b)) for a, b in rows]
    share = [None if b is None else len(a & b) / len(b) if b else 1.0 for a, b in sets]
    assert got["tone"].to_list() == pytest.approx(steady, abs=1e-9)
    assert got["near"].to_list() == pytest.approx(near, abs=1e-9)
    assert got["keyword_coverage"].to_list() == pytest.approx(share, abs=1e-12)


VALUES = [
    ("It is not good to see a man here", -3 / 9),
    ("not not good here", -3 / 4),  # by place only
    ("not very good there", 3 / 4),
    ("isn’t so good there", 3 / 4),
    ("don't. stop it, my dear man", 3 / 6),  # a mark does not part them
    ("so good-natured", 0),  # a hyphen is no gap
    ("it is a [good] thing", 0),
    ("is\tgood to be here", 0),  # nor is a lone tab
    ("is\t good to be here", 3 / 5),
    ("is\u00a0\u3000good to be here", 3 / 5),
    ("is\ngood to be here", 3 / 5),
    ("\tgood\u00a0", 3),
    ("a NAÏVE man", -2 / 3),
    ("😂 not fun", -1),
    ("it is so ❤ now", 3 / 5),
    ("it is so ❤\ufe0f now", 0),
    ("constructor good", 3 / 2),
    ("good\0", 0),
    ("superb" + "x" * 40, 0),
    ("", 0),
    ("...", 0),
]


def test_sentiment() -> None:
    texts = pl.Series([text for text, _ in VALUES]).str.to_lowercase()
    assert sentiment(texts).tolist() == pytest.approx([value for _, value in VALUES])


COVERED = [
    ("runs", "run running", 1, 0),  # no stemming
    ("_ @ & # - oslo", "oslo", 2, 1),  # a dash stays
    ("<a\nhref=1>oslo", "oslo", 1, 1),
    ("('oslo')", "'oslo'", 1, 0),  # its ends were brackets
    ("“oslo” ‘rain’", "oslo rain", 2, 2),
    ("oslo\u00a0rain\u3000snow", "rain", 3, 1),
    ("http://A.b/C", "see http://a.b/c", 1, 0),  # as it is
    ("(https://a.b)", "https://a.b", 1, 0),
    ("http//ab", "http://a.b", 1, 0),
    ("😂 oslo", "😂", 2, 1),
    ("ΟΔΟΣ", "οδος", 1, 1),
    ("x = foo(bar)", "foobar", 2, 1),
    ("2024 3.14 3rd", "3rd", 1, 1),  # numbers are none
    ("HTTP://a.b", "http//ab", 1, 1),
    ("'oslo' 'tis o'clock", "oslo", 3, 1),
    (None, "oslo", 0, 0),
    ("oslo", None, 1, 0),
]


def test_covered() -> None:
    left, right, total, matched = (list(side) for side in zip(*COVERED, strict=True))
    found = covered(pl.Series(left, dtype=pl.String), pl.Series(right, dtype=pl.String))
    assert [side.tolist() for side in found] == [total, matched]


def test_long_texts_beside_short_ones() -> None:
    """A text of 1 MB fills blocks of its own."""
    long = "I am not happy! " * 65_000
    texts = pl.Series(["so good", long, None, "bad day"], dtype=pl.String).str.to_lowercase()
    assert sentiment(texts).tolist() == pytest.approx([1.5, -3 / 4, 0, -1.5])
    means, variances = swings(texts)
    assert means.tolist() == pytest.approx([1.5, -3 / 4, 0, -1.5])
    assert variances.tolist() == pytest.approx([0, 0, 0, 0])
    total, matched = covered(texts, texts.reverse())
    assert total.tolist() == [1, 1, 0, 2]
    assert matched.tolist() == [0, 0, 0, 0]
    for odd in (
        " ",
        ".",
        "<",
        "<a ",
        "'",
        "http://",
        "\t",
        "a!",
        "天",
        "😂",
        "x\0",
        "\u3000",
        "e\u0301",
    ):
        pair = pl.Series([odd * 200_000, "x"])
        assert sentiment(pair).tolist() == [0, 0]
        assert swings(pair)[1].tolist() == [0, 0]
        assert covered(pair, pair.reverse())[1][1] == 0


@pytest.mark.parametrize(
    ("kernel", "make"),
    [
        ("swings", lambda: tone()),
        ("sentiments", lambda: tone("expected")),
        ("sentiment", lambda: tone("a good day")),
        ("covered", lambda: keyword_coverage()),
    ],
)
def test_score_details_and_reason_share_their_work(
    kernel: str, make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    function = getattr(lexicon, kernel)

    def counted(*texts: pl.Series) -> Any:
        calls.append(len(texts[0]))
        return function(*texts)

    monkeypatch.setattr(lexicon, kernel, counted)
    rows = frame([trace(output="a good day", expected="bad", input="day")] * 3)
    query = score(rows, [make()], details=True, reasons=True)
    calls.clear()
    query.collect(engine="in-memory")
    assert calls == [3]


def evidence(scorer: Any, **fields: Any) -> tuple[Any, Any]:
    scored = score(frame([trace(**fields)]), [scorer], details=True, reasons=True).collect()
    return scored[f"{scorer.id}_details"][0], scored[f"{scorer.id}_reason"][0]


def test_evidence() -> None:
    assert evidence(tone(), output="Good day. Bad day.") == (
        {"avg_sentiment": 0.0, "sentiment_variance": 2.25},
        "the output has sentences whose sentiment varies by 2.25 around 0.0, "
        "and should keep one tone",
    )
    assert evidence(tone("What a bad day it is"), output="Good day") == (
        {"response_sentiment": 1.5, "reference_sentiment": -0.5, "difference": 2.0},
        "the output has a sentiment of 1.5, and should be near the -0.5 of 'What a bad day it is'",
    )
    assert evidence(tone("input", on=pl.col("expected")), input="good", expected=None)[1] is None
    assert evidence(keyword_coverage(), input="sunny Oslo?", output="Oslo") == (
        {"total_keywords": 2, "matched_keywords": 1},
        "the output has 1 of the 2 keywords of 'sunny Oslo?', and should have all",
    )
    assert evidence(keyword_coverage(against="expected"), output="Oslo") == (
        {"total_keywords": None, "matched_keywords": None},
        None,
    )


BAD: list[tuple[type[BatchevalError], Any, dict[str, Any]]] = [
    (BlankArgumentError, tone, {"reference": ""}),
    *[(BadArgumentError, tone, {"reference": value}) for value in (5, True, ["a"], b"a", "\ud800")],
    *[(BadArgumentError, tone, {"on": value}) for value in (None, "input", 1)],
    *[(BadArgumentError, keyword_coverage, {"against": value}) for value in (None, 5, ["a"], b"a")],
    *[(BadArgumentError, keyword_coverage, {"on": value}) for value in (None, "input", 1)],
]


@pytest.mark.parametrize(("error", "check", "options"), BAD)
def test_bad_arguments_raise_at_once(
    error: type[BatchevalError], check: Any, options: dict[str, Any]
) -> None:
    with pytest.raises(error) as caught:
        check(**options)
    assert "\n" not in str(caught.value)


def test_columns_are_read_off_the_expressions() -> None:
    assert tone().columns == {"output"}
    assert tone("a good day").columns == {"output"}
    assert tone("expected", on=pl.col("input")).columns == {"expected", "input"}
    assert keyword_coverage().columns == {"input", "output"}
    assert keyword_coverage(against="oslo").columns == {"output"}
