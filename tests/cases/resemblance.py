from typing import Any

import polars as pl

from batcheval.checks import (
    bleu,
    chrf,
    indel_ratio,
    jaro_winkler,
    levenshtein,
    partial_ratio,
    quasi_exact_match,
    rouge_l,
    rouge_n,
    token_f1,
    token_set_ratio,
    token_sort_ratio,
)
from tests.cases import Case, trace

EXPECTED = pl.col("expected")
MANY = pl.col("many")

_F1: dict[str, Any] = dict.fromkeys(("score", "precision", "recall"), pl.Float64())
_F1 |= {"reference": pl.Int64()}
_ONE: dict[str, Any] = {"score": pl.Float64(), "reference": pl.Int64()}
_BLEU = ("score", "brevity_penalty", *(f"precision_{n}" for n in range(1, 5)))
DETAILS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("levenshtein", "indel_ratio", "jaro_winkler", "partial_ratio"), _ONE),
    **dict.fromkeys(("token_sort_ratio", "token_set_ratio", "quasi_exact_match"), _ONE),
    **{name: _F1 for name in ("token_f1", "chrf", "rouge_n", "rouge_l")},
    "bleu": {**dict.fromkeys(_BLEU, pl.Float64()), "reference": pl.Int64()},
}

CASES: list[Case] = [
    (levenshtein("kitten"), trace(output="sitting"), 4 / 7),
    (levenshtein("Kitten"), trace(output="kitten"), 5 / 6),
    (levenshtein("Kitten", ignore_case=True), trace(output="kitten"), 1.0),
    (levenshtein("é"), trace(output="e\u0301"), 0.0),
    (levenshtein("é", normalize="NFC"), trace(output="e\u0301"), 1.0),
    (levenshtein("ＡＢ12", normalize="NFKC"), trace(output="AB１２"), 1.0),
    (levenshtein("STRASSE", ignore_case=True), trace(output="straße"), 5 / 7),
    (levenshtein(""), trace(output=None), 1.0),
    (levenshtein(""), trace(output="a"), 0.0),
    (levenshtein("a", threshold=0.5), trace(output="ab"), 1.0),
    (levenshtein("a", threshold=0.51), trace(output="ab"), 0.0),
    (levenshtein(["x", "kitten", "kitty"]), trace(output="kitten"), 1.0),
    (levenshtein(EXPECTED), trace(output="a"), None),
    (levenshtein(EXPECTED), trace(output="a", expected="ab"), 0.5),
    (levenshtein(MANY), trace(output="a", many=["ab", None, "a"]), 1.0),
    (levenshtein(MANY), trace(output="a", many=[]), None),
    (levenshtein(MANY), trace(output="a", many=[None]), None),
    (levenshtein(EXPECTED, several=True), trace(output="a", expected='["ab", "a"]'), 1.0),
    (levenshtein(EXPECTED, several=True), trace(output="a", expected="a"), None),
    (levenshtein(EXPECTED, several=True), trace(output="a", expected="[1]"), None),
    (levenshtein(EXPECTED), trace(output='["a"]', expected='["a"]'), 1.0),  # a text like others
    (levenshtein("a", on=EXPECTED), trace(output="a"), None),
    # indel_ratio
    (indel_ratio("nacht"), trace(output="night"), 0.6),
    (indel_ratio("😂😁"), trace(output="😀😂"), 0.5),  # code points
    (indel_ratio(""), trace(output=""), 1.0),
    (indel_ratio("a"), trace(output=""), 0.0),
    (indel_ratio(EXPECTED), trace(output="a"), None),
    # jaro_winkler
    (jaro_winkler("MARHTA"), trace(output="MARTHA"), 0.9611111111111111),
    (jaro_winkler("DWAYNE"), trace(output="DUANE"), 0.84),
    (jaro_winkler("a"), trace(output="b"), 0.0),
    (jaro_winkler("MARTHA"), trace(output="MARTHA"), 1.0),
    (jaro_winkler(""), trace(output=""), 1.0),
    # partial_ratio
    (partial_ratio("sunny"), trace(output="It is sunny."), 1.0),
    (partial_ratio("It is sunny."), trace(output="sunny"), 1.0),
    (partial_ratio(""), trace(output=""), 1.0),
    (partial_ratio("a"), trace(output=""), 0.0),
    (partial_ratio("abc"), trace(output="xyz"), 0.0),
    # token_sort_ratio
    (token_sort_ratio("b a"), trace(output="a  b"), 1.0),
    (token_sort_ratio("a b"), trace(output="a c"), 2 / 3),
    (token_sort_ratio(""), trace(output=" "), 1.0),
    (token_sort_ratio("a"), trace(output=""), 0.0),
    (token_sort_ratio(EXPECTED), trace(output="a"), None),
    # token_set_ratio
    (token_set_ratio("b a a"), trace(output="a b"), 1.0),
    (token_set_ratio("a b c"), trace(output="a b"), 1.0),
    (token_set_ratio("x"), trace(output="y"), 0.0),
    (token_set_ratio(""), trace(output=""), 1.0),
    (token_set_ratio("a"), trace(output=""), 0.0),
    # quasi_exact_match
    (quasi_exact_match("eiffel tower"), trace(output="The Eiffel  Tower!"), 1.0),
    (quasi_exact_match("a-b"), trace(output="ab"), 1.0),
    (quasi_exact_match("theatre"), trace(output="atre"), 0.0),  # "the" is no word there
    (quasi_exact_match("tower"), trace(output="tower tower"), 0.0),
    (quasi_exact_match("“the” end"), trace(output="“ ” end"), 1.0),
    (quasi_exact_match("天気"), trace(output="天 気"), 0.0),
    (quasi_exact_match("the"), trace(output=None), 1.0),  # nothing is left of either
    (quasi_exact_match("é", normalize="NFC"), trace(output="E\u0301."), 1.0),
    (quasi_exact_match(["a b", "c"]), trace(output="C"), 1.0),
    # token_f1
    (token_f1("eiffel tower"), trace(output="It is the Eiffel Tower."), 2 / 3),
    (token_f1("no no yes"), trace(output="no"), 0.5),  # multisets
    (token_f1("天気"), trace(output="天"), 2 / 3),  # by character
    (token_f1("the"), trace(output=""), 1.0),
    (token_f1("x"), trace(output=""), 0.0),
    (token_f1(["x", "y z"]), trace(output="z"), 2 / 3),
    # bleu
    (bleu("the cat"), trace(output="the cat"), 1.0),
    (bleu("the cat sat on the mat"), trace(output="the cat"), 0.1353352832366127),  # brevity
    (bleu("the cat"), trace(output="dogs"), 0.0),
    (bleu(["the cat is here", "a cat sat"]), trace(output="the cat sat"), 0.7937005259840998),
    (bleu(""), trace(output=None), 1.0),
    (bleu("x"), trace(output=None), 0.0),
    (bleu("The cat", ignore_case=True), trace(output="the Cat"), 1.0),
    (bleu(EXPECTED, threshold=0.5), trace(output="a b", expected="a b"), 1.0),
    (bleu(EXPECTED), trace(output="a b"), None),
    # chrf
    (chrf("abc"), trace(output="a b c"), 1.0),  # no white space
    (chrf("abc"), trace(output="xyz"), 0.0),
    (chrf(""), trace(output=""), 1.0),
    (chrf("a"), trace(output=""), 0.0),
    (chrf("天気予報"), trace(output="天気"), 0.47169811320754707),
    (chrf(EXPECTED), trace(output="a"), None),
    # rouge_n
    (rouge_n("the cat was on the mat"), trace(output="The cat sat on the mat."), 5 / 6),
    (rouge_n("the cat was on the mat", n=2), trace(output="The cat sat on the mat."), 0.6),
    (rouge_n("cat", n=2), trace(output="Cat!"), 1.0),  # too short: the same words
    (rouge_n("cat", n=2), trace(output="dog"), 0.0),
    (rouge_n("天気"), trace(output="天"), None),  # not a word of a-z
    (rouge_n("天気"), trace(output=""), 0.0),
    (rouge_n("天気", unicode=True), trace(output="天"), 2 / 3),
    (rouge_n("café au lait", unicode=True), trace(output="CAFÉ"), 0.5),
    (rouge_n(""), trace(output=None), 1.0),
    # rouge_l
    (rouge_l("on the mat sat the cat"), trace(output="the cat sat on the mat"), 0.5),
    (rouge_l("a"), trace(output="b"), 0.0),
    (rouge_l(""), trace(output=""), 1.0),
    (rouge_l("天気", unicode=True), trace(output="気天"), 0.5),
    (rouge_l("天気"), trace(output="天気"), None),
]
