"""The measures of resemblance against their reference implementations, and their limits."""

import re
import string
from collections import Counter
from random import Random
from typing import Any

import polars as pl
import pytest
import sacrebleu
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel, JaroWinkler, Levenshtein
from rouge_score.rouge_scorer import RougeScorer

from batcheval import checks
from batcheval.checks.resemblance import batches, overlaps
from batcheval.engine import score
from batcheval.errors import BadArgumentError
from tests.cases import frame, trace

EXPECTED = pl.col("expected")
WORDS = ["a", "an", "the", "cat", "sat", "mat", "it's", "1.5", "2,", "3-4", "...", ".,5", "“the”"]
WORDS += ["café", "&quot;", "x-\ny", "A.", "_", "<b>", "$9", "na\u00a0no", "天気", "İ", "ς", "\x1e"]


def texts(seed: int, count: int = 400) -> tuple[list[str], list[list[str]]]:
    """Made-up outputs with one to three references, some of them much like the output."""
    dice = Random(seed)
    outputs, references = [], []
    for _ in range(count):
        said = [dice.choice(WORDS) for _ in range(dice.randrange(12))]
        others = [
            [dice.choice([word, dice.choice(WORDS)]) for word in said]
            + [dice.choice(WORDS)] * dice.randrange(3)
            for _ in range(dice.randrange(1, 4))
        ]
        outputs.append(" ".join(said))
        references.append([" ".join(other) for other in others])
    return outputs, references


def squad(text: str) -> list[str]:
    """SQuAD's normalisation, as its script has it."""
    bare = "".join(char for char in text.lower() if char not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


def f1(left: list[str], right: list[str]) -> float:
    if not left or not right:
        return float(left == right)
    return 2 * (Counter(left) & Counter(right)).total() / (len(left) + len(right))


def by_character(words: list[str]) -> list[str]:
    return [part for word in words for part in re.findall("[天気]|[^天気]+", word)]


BLEU, CHRF = sacrebleu.BLEU(effective_order=True), sacrebleu.CHRF()
ROUGE = RougeScorer(["rouge1", "rouge2", "rouge3", "rougeL"])


def rouge(kind: str) -> Any:
    def measure(output: str, reference: str) -> float | None:
        sides = [re.findall("[a-z0-9]+", text.lower()) for text in (output, reference)]
        if not any(sides) and output.strip() and reference.strip():
            return None
        least = {"rouge2": 2, "rouge3": 3}.get(kind, 1)
        if max(map(len, sides)) < least:
            return float(sides[0] == sides[1] and bool(output.strip()) == bool(reference.strip()))
        return float(ROUGE.score(reference, output)[kind].fmeasure)

    return measure


def equal_or(scorer: Any, full: float) -> Any:
    return lambda output, other: 1.0 if output == other else scorer(output, other) / full


ORACLES: dict[str, tuple[Any, Any]] = {
    "levenshtein": (checks.levenshtein, Levenshtein.normalized_similarity),
    "indel_ratio": (checks.indel_ratio, Indel.normalized_similarity),
    "jaro_winkler": (checks.jaro_winkler, JaroWinkler.similarity),
    "partial_ratio": (checks.partial_ratio, equal_or(fuzz.partial_ratio, 100)),
    "token_sort_ratio": (checks.token_sort_ratio, equal_or(fuzz.token_sort_ratio, 100)),
    "token_set_ratio": (checks.token_set_ratio, equal_or(fuzz.token_set_ratio, 100)),
    "quasi_exact_match": (checks.quasi_exact_match, lambda a, b: float(squad(a) == squad(b))),
    "token_f1": (
        checks.token_f1,
        lambda a, b: f1(by_character(squad(a)), by_character(squad(b))),
    ),
    "chrf": (
        checks.chrf,
        lambda a, b: CHRF.sentence_score(a, [b]).score / 100 if a.split() or b.split() else 1.0,
    ),
    "rouge_1": (checks.rouge_n, rouge("rouge1")),
    "rouge_2": (lambda e, **more: checks.rouge_n(e, n=2, **more), rouge("rouge2")),
    "rouge_3": (lambda e, **more: checks.rouge_n(e, n=3, **more), rouge("rouge3")),
    "rouge_l": (checks.rouge_l, rouge("rougeL")),
}


@pytest.mark.parametrize("name", ORACLES)
def test_reference_implementations(name: str) -> None:
    check, oracle = ORACLES[name]
    outputs, references = texts(7)
    table = pl.DataFrame({"output": outputs, "one": [r[0] for r in references], "all": references})
    scorers = [check(pl.col("one")).named("one"), check(pl.col("all")).named("all")]
    got = score(table, scorers, details=True).collect()
    single = [oracle(a, refs[0]) for a, refs in zip(outputs, references, strict=True)]
    assert got["one"].to_list() == [pytest.approx(value, abs=1e-9) for value in single]
    for output, refs, found, said in zip(
        outputs, references, got["all"], got["all_details"], strict=True
    ):
        scores = [oracle(output, ref) for ref in refs]
        known = [value for value in scores if value is not None]
        assert found == (pytest.approx(max(known), abs=1e-9) if known else None)
        if known:
            assert scores[said["reference"]] == pytest.approx(max(known), abs=1e-9)


def test_bleu_is_that_of_sacrebleu() -> None:
    outputs, references = texts(8, 1500)
    table = pl.DataFrame({"output": outputs, "all": references})
    got = score(table, [checks.bleu(pl.col("all"))], details=True).collect()
    for output, refs, found, said in zip(
        outputs, references, got["bleu"], got["bleu_details"], strict=True
    ):
        wanted = BLEU.sentence_score(output, refs)
        if wanted.sys_len == wanted.ref_len == 0:
            assert found == 1.0  # where sacrebleu gives 0
            continue
        assert found == pytest.approx(min(wanted.score / 100, 1), abs=1e-9)
        if wanted.score:
            precisions = [said[f"precision_{n}"] * 100 for n in range(1, 5)]
            assert precisions == pytest.approx(wanted.precisions)
            assert said["brevity_penalty"] == pytest.approx(wanted.bp)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs, references = texts(9, 300)
    table = pl.DataFrame({"output": outputs, "all": references})
    scorers = [getattr(checks, n)(pl.col("all")) for n in ("bleu", "chrf", "rouge_l", "token_f1")]
    whole = score(table, scorers, details=True).collect()
    monkeypatch.setattr(overlaps, "BLOCK_BYTES", 300)
    assert score(table, scorers, details=True).collect().equals(whole)


def test_equal_pairs_are_judged_once() -> None:
    judged: list[int] = []

    def sizes(texts: pl.Series, others: pl.Series) -> Any:
        judged.append(len(texts))
        return texts.str.len_chars().cast(pl.Float64).to_numpy()[:, None]

    texts = pl.Series(["a", "bb", "a", None, "a"])
    wanted = pl.Series([["x", "y"], ["x"], ["x"], ["x"], None])
    found = batches.judged(texts, wanted, batches.Measure("x", sizes), False, lambda text: text)
    assert judged == [3]  # a and x, a and y, bb and x
    assert found[:3].tolist() == [[1, 0], [2, 0], [1, 0]]


def test_evidence() -> None:
    scorer = checks.token_f1(["x", "the cat sat"], threshold=0.5)
    got = score(frame([trace(output="cat")]), [scorer], details=True, reasons=True).collect()
    found = got["token_f1_details"][0]
    assert found == {"score": pytest.approx(2 / 3), "precision": 1, "recall": 0.5, "reference": 1}
    assert got["token_f1_reason"][0] == (
        "the output has a token F1 of 0.667 to 'the cat sat', and should be at least 0.5"
    )


BAD: list[tuple[Any, list[Any], dict[str, Any]]] = [
    *[(checks.levenshtein, [value], {}) for value in (None, 5, [], ["a", None], "\ud800", b"a")],
    *[(checks.bleu, ["a"], {"normalize": value}) for value in ("nfc", 1, True)],
    *[(checks.chrf, ["a"], {"several": value}) for value in (None, 1, "yes")],
    *[(checks.rouge_n, ["a"], {"n": value}) for value in (0, 10, 1.0, True, None)],
    *[(checks.rouge_l, ["a"], {"unicode": value}) for value in (None, 1)],
    *[(checks.token_f1, ["a"], {"threshold": value}) for value in (1.5, "1", True)],
    *[(checks.indel_ratio, ["a"], {"ignore_case": value}) for value in (None, 1)],
    *[(checks.jaro_winkler, ["a"], {"on": value}) for value in (None, "input")],
]


@pytest.mark.parametrize(("check", "args", "options"), BAD)
def test_bad_arguments_raise_at_once(check: Any, args: list[Any], options: dict[str, Any]) -> None:
    with pytest.raises(BadArgumentError) as caught:
        check(*args, **options)
    assert "\n" not in str(caught.value)


LONG = "It is sunny, no? " * 60_000  # a megabyte
OTHER = "Rain; and snow. " * 60_000
ENDS: list[tuple[Any, str, str, float | None]] = [
    (checks.levenshtein, LONG, LONG, 1.0),
    (checks.levenshtein, LONG[:-10] + "!", LONG, 1 - 10 / len(LONG)),
    (checks.levenshtein, LONG, OTHER, None),
    (checks.levenshtein, LONG, "sunny", 5 / len(LONG)),
    (checks.indel_ratio, LONG + "?", LONG, 1 - 1 / (2 * len(LONG) + 1)),
    (checks.jaro_winkler, LONG, OTHER, None),
    (checks.partial_ratio, LONG, "sunny", 1.0),
    (checks.partial_ratio, LONG, OTHER, None),
    (checks.token_sort_ratio, LONG, OTHER, None),
    (checks.token_f1, LONG[: len(LONG) // 2], LONG, 2 / 3),
    (checks.rouge_l, LONG, LONG, None),
    (checks.rouge_n, LONG, LONG, 1.0),
]


@pytest.mark.parametrize(("check", "output", "expected", "wanted"), ENDS)
def test_a_megabyte_does_not_hang(
    check: Any, output: str, expected: str, wanted: float | None
) -> None:
    table = pl.DataFrame({"output": [output], "expected": [expected]})
    assert table.select(check(EXPECTED).score).item() == pytest.approx(wanted)
