"""The checks of texts against twins in plain Python and what others made."""

import json
import random
import re
import unicodedata
from collections import Counter
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from stdnum import iban as stdnum_iban
from stdnum import luhn as stdnum_luhn

from batcheval.checks import (
    ends_with,
    includes,
    includes_all,
    includes_any,
    markdown,
    one_of,
    pii,
    repetition,
    starts_with,
)
from batcheval.checks.texts.formulas import value
from batcheval.checks.texts.ngrams import loops
from batcheval.checks.texts.packs import phrases, profane
from batcheval.checks.texts.personal import IBAN_LENGTHS, luhn
from batcheval.checks.texts.units import lines, sentences, words
from batcheval.engine import score
from batcheval.scorer import Scorer
from tests.cases import frame, texts, trace
from tests.cases import phrases as phrases_cases

ODD = st.sampled_from("iIİ\u0307kK\u212asSſßẞσςΣΟéÉe\u0301ﬁ１２😀.\\*[](){}^$|?+ \n\tabAB")
TEXTS = st.text(ODD, max_size=10)
NEEDLES = st.text(ODD, min_size=1, max_size=3)


def scores(said: list[str], scorer: Scorer, **columns: list[Any]) -> list[float | None]:
    rows = [
        trace(output=text, **{name: values[n] for name, values in columns.items()})
        for n, text in enumerate(said)
    ]
    return score(frame(rows), [scorer]).collect()[scorer.id].to_list()


def folded(text: str, form: Any) -> str:
    normal = unicodedata.normalize
    return normal(form, normal(form, text).casefold()) if form else text.casefold()


@given(
    texts=st.lists(TEXTS, min_size=1, max_size=5),
    needles=st.lists(NEEDLES, min_size=1, max_size=3),
    form=st.sampled_from([None, "NFC", "NFD", "NFKC", "NFKD"]),
)
@settings(max_examples=12)
def test_case_folding_and_normal_forms(texts: list[str], needles: list[str], form: Any) -> None:
    how: dict[str, Any] = {"casefold": True, "normalize": form}
    wanted = [folded(needle, form) for needle in needles]
    plain = [folded(text, form) for text in texts]
    column = [json.dumps(needles)] * len(texts)
    assert scores(texts, includes(needles[0], **how)) == [wanted[0] in text for text in plain]
    first = [text.startswith(wanted[0]) for text in plain]
    assert scores(texts, starts_with(needles[0], **how)) == first
    assert scores(texts, ends_with(needles[0], **how)) == [t.endswith(wanted[0]) for t in plain]
    for check, holds in (
        (includes_all, [all(needle in text for needle in wanted) for text in plain]),
        (includes_any, [any(needle in text for needle in wanted) for text in plain]),
        (one_of, [text in wanted for text in plain]),
    ):
        assert scores(texts, check(needles, **how)) == holds
        assert scores(texts, check(pl.col("needles"), **how), needles=column) == holds


@given(texts=st.lists(TEXTS, min_size=1, max_size=5), needle=NEEDLES)
@settings(max_examples=25)
def test_edges_in_lower_case(texts: list[str], needle: str) -> None:
    """The quick patterns for ASCII say what lower-casing says."""
    both = pl.DataFrame({"text": texts}).with_columns(pl.col("text").str.to_lowercase())
    wanted = pl.select(pl.lit(needle).str.to_lowercase()).item()
    plain = both["text"].to_list()
    assert scores(texts, starts_with(needle)) == [text.startswith(wanted) for text in plain]
    assert scores(texts, ends_with(needle)) == [text.endswith(wanted) for text in plain]


def test_words_are_those_of_unicode() -> None:
    """Against the default word boundaries of the `regex` package, on texts without `_`."""
    dice = random.Random(7)
    letters = "abC.,'\u2019:; -37é\u0301東京はカタไทยกß!。 \n１"
    made = ["".join(dice.choices(letters, k=dice.randint(0, 10))) for _ in range(3000)]
    table = pl.DataFrame({"x": made}).select(words(pl.col("x")))
    for text, found in zip(made, table["x"], strict=True):
        cuts = [0, *(m.start() for m in regex.finditer(r"\b", text, regex.WORD)), len(text)]
        pieces = [text[start:end] for start, end in pairwise(cuts)]
        assert found == sum(any(char.isalnum() for char in piece) for piece in pieces), text


@given(st.text(st.sampled_from("\r\n a"), max_size=8))
@settings(max_examples=60)
def test_lines_are_those_of_python(text: str) -> None:
    assert pl.DataFrame({"x": [text]}).select(lines(pl.col("x"))).item() == len(text.splitlines())


def sentence_twin(text: str) -> int:
    """Sentence ends by the words of the documentation, mark by mark."""
    count, is_open = 0, False
    closing = set(")]}\u00bb\u201d\u2019\u00ab\u201c\u2018\"'*_`")
    place = 0
    while place < len(text):
        char = text[place]
        place += 1
        if char.isalnum():
            count += not is_open
            is_open = True
        elif char == "\n" or char in "。！？":
            is_open = False
        elif char in ".!?" and is_open:
            rest = text[place:]
            behind = re.match(
                r"[^A-Za-z\u00c0-\u024f\n.!?。！？]*(.)", rest.lstrip("".join(closing))
            )
            goes_on = char == "." and behind is not None and behind[1].islower()
            stripped = rest.lstrip(".!?").lstrip("".join(closing))
            glued = bool(stripped) and not stripped[0].isspace() and stripped[0] not in ".!?。！？"
            is_open = goes_on or glued
    return count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One. Two! Three?", 3),
        ('He said "No." Then he left.', 2),
        ("Dr. Li came (e.g. today). It was late...", 3),
        ("v1.2 is at example.com. See a?b=1", 2),
        ("- one\n- two\n\n- three", 3),
        ("**Bold.** Next", 2),
        ("日本。晴れ！雨？", 3),
        ("No end", 1),
        ("42", 1),
        ("", 0),
    ],
)
def test_sentences(text: str, count: int) -> None:
    assert pl.DataFrame({"x": [text]}).select(sentences(pl.col("x"))).item() == count
    assert sentence_twin(text) == count


REFUND = (
    "The order was refunded today, and the money will be on your account by Friday. "
    "Please tell us if it is not there then. We are sorry for the trouble."
)
CAT = "The cat sat on the mat. It was warm and happy there."
HARD = (
    "Photosynthesis converts electromagnetic radiation into chemical energy. "
    "Organisms subsequently metabolise carbohydrates."
)


@pytest.mark.parametrize(
    ("formula", "values"),
    [  # as textstat 0.7.13 gives them
        ("lix", [20.0, 6.0, 87.31818181818181]),
        ("rix", [1.0, 0.0, 4.5]),
    ],
)
def test_readability_as_in_textstat(formula: Any, values: list[float]) -> None:
    """Its ARI counts punctuation too; its Coleman-Liau has 0.058 where the paper has 0.0588."""
    found = pl.DataFrame({"x": [REFUND, CAT, HARD]}).select(value(pl.col("x"), formula))
    assert found.to_series().to_list() == pytest.approx(values)


def test_readability_by_hand() -> None:
    """CAT: 12 words, 2 sentences, 39 letters, 13 syllables by rule."""
    table = pl.DataFrame({"x": [CAT]})
    by_hand = {
        "ari": 4.71 * 39 / 12 + 0.5 * 6 - 21.43,
        "coleman_liau": 5.88 * 39 / 12 - 29.6 / 6 - 15.8,
        "flesch_reading_ease": 206.835 - 1.015 * 6 - 84.6 * 13 / 12,
        "flesch_kincaid_grade": 0.39 * 6 + 11.8 * 13 / 12 - 15.59,
    }
    for formula, wanted in by_hand.items():
        found = table.select(value(pl.col("x"), formula)).item()  # type: ignore[arg-type]
        assert found == pytest.approx(wanted), formula


@given(st.text(st.sampled_from("0123456789"), min_size=13, max_size=19))
def test_luhn_is_that_of_stdnum(digits: str) -> None:
    assert luhn(digits) == stdnum_luhn.is_valid(digits)


def test_accounts_are_those_of_stdnum() -> None:
    dice, right, wrong = random.Random(5), [], []
    for country in sorted(IBAN_LENGTHS):
        body = "".join(dice.choices("0123456789", k=IBAN_LENGTHS[country] - 4))
        digits = stdnum_iban.calc_check_digits(country + "00" + body)
        right.append(f"to {country}{digits}{body}, please")
        wrong.append(f"{country}{(int(digits) + 1) % 100:02}{body}")
    assert set(scores(right, pii(kinds=["iban"]))) == {0.0}
    assert set(scores(wrong, pii(kinds=["iban"]))) == {1.0}


def test_what_is_found_is_not_shown() -> None:
    secret = "ann@example.com, 4111-1111-1111-1111 and hf_" + "a" * 34
    rows = frame([trace(output=f"é {secret}.")])
    scored = score(rows, [pii()], details=True, reasons=True).collect().row(0, named=True)
    details = scored["pii_details"]
    assert details["redacted"] == "é [email], [card] and [key]."
    assert [rows["output"][0][s["start"] : s["end"]] for s in details["spans"]] == [
        "ann@example.com",
        "4111-1111-1111-1111",
        "hf_" + "a" * 34,
    ]
    assert details["counts"] == {"email": 1, "phone": 0, "card": 1, "iban": 0, "key": 1}
    assert scored["pii_reason"] == (
        "the output has 'email', 'card', 'key', and should have no personal data"
    )
    assert "example" not in str(scored)


@given(st.lists(st.sampled_from("abc"), max_size=12), st.integers(1, 4))
@settings(max_examples=25)
def test_repetition(tokens: list[str], n: int) -> None:
    grams = [tuple(tokens[k : k + n]) for k in range(len(tokens) - n + 1)]
    wanted = len(set(grams)) / len(grams) if grams else 1.0
    spelled = " ".join(tokens)
    texts = [spelled, spelled.replace("c", "é")]  # the other way of reading words
    assert scores(texts, repetition(n=n)) == pytest.approx([wanted] * 2)
    runs = [
        times
        for start in range(len(tokens))
        for size in range(1, len(tokens))
        for times in range(1, len(tokens) // size + 1)
        if tokens[start : start + size] * times == tokens[start : start + size * times]
        and start + size <= len(tokens)
    ]
    assert loops(tokens) == max(runs, default=1)


DOCUMENTS = [
    "# A\n\ntext\n\n## B\n\n- one\n- two\n\n1. x\n",
    "| a | b |\n| - | - |\n| 1 | 2 |\n\n> quoted\n",
    "```py\n# no heading\n- no item\n```\n\n[a](b) and ![c](d.png)\n",
    "~~~\n| a | b |\n| - | - |\n~~~\n\n#hash is no heading\n",
    "Plain text, nothing else.\n",
]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_markdown_is_that_of_markdown_it(document: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(document)
    kinds = Counter(token.type for token in tokens)
    inline = Counter(child.type for token in tokens for child in token.children or ())
    rows = frame([trace(output=document)])
    found = score(rows, [markdown()], details=True).collect()["markdown_details"][0]
    assert (found["headings"], found["list_items"]) == (
        kinds["heading_open"],
        kinds["list_item_open"],
    )
    assert (found["tables"], found["code_blocks"]) == (kinds["table_open"], kinds["fence"])
    assert found["links"] == inline["link_open"] + inline["image"]
    assert found["problems"] == []


@pytest.mark.parametrize("room", [texts, phrases_cases], ids=["texts", "phrases"])
def test_a_text_of_a_megabyte(room: Any) -> None:
    scorers = [scorer.named(f"s{n}") for n, (scorer, _, _) in enumerate(room.LARGE)]
    rows = frame([room.LARGE[0][1]])
    assert len(rows["output"][0]) > 1_000_000
    found = score(rows, scorers).collect(engine="streaming")
    assert [found[scorer.id][0] for scorer in scorers] == [wanted for *_, wanted in room.LARGE]


def test_packs_can_be_read() -> None:
    assert set(phrases("refusals")) == set(phrases("apologies"))
    for pack in ("refusals", "apologies"):
        for pattern in phrases(pack).values():
            pl.Series([""]).str.contains(pattern, strict=True)
    assert all(word.strip() for words_of in profane().values() for word in words_of)
