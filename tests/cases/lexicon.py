from typing import Any

import polars as pl

from batcheval.checks import keyword_coverage, tone
from batcheval.scorer import Scorer
from tests.cases import Case, trace

EXPECTED = pl.col("expected")
HAPPY = "I am happy"  # 3 in 3 words
CJK = "今日は天気が良いです。"
LONG = "It is not good, and I hate it. " * 1000

# `tone` has other evidence where it is given a reference: such a scorer has a name of its own.
DETAILS: dict[str, dict[str, Any]] = {
    "tone": {"avg_sentiment": pl.Float64(), "sentiment_variance": pl.Float64()},
    "tone_of": dict.fromkeys(
        ("response_sentiment", "reference_sentiment", "difference"), pl.Float64()
    ),
    "keyword_coverage": {"total_keywords": pl.Int64(), "matched_keywords": pl.Int64()},
}


def tone_of(reference: str | pl.Expr, **options: Any) -> Scorer:
    return tone(reference, **options).named("tone_of")


CASES: list[Case] = [
    # tone, steady: 1 less the variance of the sentences
    (tone(), trace(output="I love it. I hate it."), 0.0),
    (tone(), trace(output="I hate it. You hate it."), 1.0),  # steadily harsh is steady
    (tone(), trace(output="It is good. It is bad. It is."), 1 - 2 / 3),
    (tone(), trace(output="...!?"), 1.0),
    (tone(), trace(output="not. good here. it is."), 1 - 1.5**2 * 2 / 9),  # no word before good
    (tone(), trace(output=""), 1.0),
    (tone(), trace(output=None), 1.0),
    (tone(), trace(output=" \n\t "), 1.0),
    (tone(), trace(output=CJK), 1.0),
    (tone(), trace(output=LONG), 1.0),
    (tone(on=EXPECTED), trace(output="x", expected="Good day. Bad day."), 0.0),
    (tone(on=EXPECTED), trace(output="Good day. Bad day."), None),
    # tone, near a reference: 1 less the difference
    (tone_of("I am sad"), trace(output=HAPPY), 0.0),  # 1 against -2/3
    (tone_of("a table"), trace(output="It is good to see a man here"), 1 - 3 / 8),
    (tone_of("some happy table here"), trace(output="isn’t so good there"), 1.0),  # curly: none
    (tone_of("a table"), trace(output="can't stand it now there"), 1.0),  # no phrases
    (tone_of("a table"), trace(output="is\tgood to be here now"), 1.0),  # one word: a lone tab
    (tone_of("a table"), trace(output="a NAÏVE man"), 1 - 2 / 3),
    (tone_of("a table"), trace(output="it is so 😂😂"), 1.0),  # an emoji stands alone
    (tone_of(" "), trace(output="it is so good"), 1 - 3 / 4),
    (tone_of("expected"), trace(output=HAPPY, expected="a happy me"), 1.0),
    (tone_of("expected"), trace(output=HAPPY, expected=""), None),  # it stays in its mode
    (tone_of("expected"), trace(output=HAPPY), None),
    (tone_of("input"), trace(output=HAPPY, input="you are so happy, friend, in town"), 4 / 7),
    (tone_of(EXPECTED), trace(output="it is so good", expected="it is so bad"), 0.0),
    (tone_of(pl.lit("a happy me")), trace(output=HAPPY), 1.0),
    (tone_of("good", on=EXPECTED), trace(output="good"), None),
    (tone_of("a table"), trace(output=LONG), 1 - 6 / 8),
    # keyword_coverage
    (keyword_coverage(), trace(input="Is it sunny in Oslo?", output="Oslo has rain."), 0.5),
    (keyword_coverage(), trace(input="sunny Oslo", output="OSLO: sunny!"), 1.0),
    (keyword_coverage(), trace(input="sunny Oslo", output=None), 0.0),
    (keyword_coverage(), trace(input="Is it the?", output="x"), 1.0),  # nothing to cover
    (keyword_coverage(), trace(input="Oslo oslo OSLO, rain", output="oslo"), 0.5),  # once
    (keyword_coverage(), trace(input="<b>oslo</b> 3 < 5 > 2 rain", output="oslo rain"), 1.0),
    (keyword_coverage(), trace(input="http://A.b/C", output="see http://A.b/C"), 1.0),
    (keyword_coverage(), trace(input="天気 予報", output="天気"), 0.5),
    (keyword_coverage(), trace(input="good hate rain", output=LONG), 2 / 3),
    (keyword_coverage(against="expected"), trace(output="oslo", expected="oslo rain"), 0.5),
    (keyword_coverage(against="expected"), trace(input="oslo", output="oslo"), None),
    (keyword_coverage(against="oslo rain"), trace(output="Rain in Oslo"), 1.0),
    (keyword_coverage(against=EXPECTED), trace(output="Rain", expected="rain oslo"), 0.5),
    (keyword_coverage(on=EXPECTED), trace(input="oslo", expected="oslo"), 1.0),
    (keyword_coverage(on=EXPECTED), trace(input="oslo", output="oslo"), None),
]
