from typing import Any

import polars as pl

from batcheval.checks import content_similarity, similarity, textual_difference
from tests.cases import Case, trace

EXPECTED = pl.col("expected")
LONG = "".join(f"no {n}\n" for n in range(2000))

DETAILS: dict[str, dict[str, Any]] = {
    "similarity": {"score": pl.Float64()},
    "content_similarity": {"similarity": pl.Float64()},
    "textual_difference": {
        "ratio": pl.Float64(),
        "changes": pl.Int64(),
        "length_diff": pl.Float64(),
        "confidence": pl.Float64(),
    },
}

CASES: list[Case] = [
    (similarity("nacht"), trace(output="night"), 0.25),
    (similarity("night"), trace(output="nacht"), 0.25),  # symmetric
    (similarity("nacht"), trace(output="NACHT"), 1.0),
    (similarity("nacht", ignore_case=False), trace(output="NACHT"), 0.0),
    (similarity("It is sunny"), trace(output="  itis\tsun\u00a0ny\n"), 1.0),  # no white space
    (similarity("aa"), trace(output="aaaa"), 0.5),  # pairs are counted, not just noted
    (similarity("aaaa"), trace(output="aa"), 0.5),
    (similarity("a"), trace(output="a"), 1.0),
    (similarity("a"), trace(output="b"), 0.0),
    (similarity("a"), trace(output="ab"), 0.0),
    (similarity(""), trace(output=None), 1.0),
    (similarity(""), trace(output=" \n"), 1.0),
    (similarity(""), trace(output="a"), 0.0),
    (similarity("abc"), trace(output=""), 0.0),
    (similarity("😂😁"), trace(output="😀😂"), 0.0),  # code points, not halves of them
    (similarity("é"), trace(output="e\u0301"), 0.0),
    (similarity("STRAẞE"), trace(output="straße"), 1.0),
    (similarity("İİ"), trace(output="i̇i̇"), 1.0),
    (similarity("night", threshold=0.25), trace(output="nacht"), 1.0),  # at the threshold
    (similarity("night", threshold=0.26), trace(output="nacht"), 0.0),
    (similarity("night", threshold=0), trace(output=""), 1.0),
    (similarity("night", threshold=1), trace(output="Night"), 1.0),
    (similarity("night", threshold=1.0), trace(output="nights"), 0.0),
    (similarity(EXPECTED), trace(output="night", expected="Nacht"), 0.25),
    (similarity(EXPECTED), trace(output="night"), None),
    (similarity(EXPECTED), trace(output="night", expected=""), 0.0),  # "" is a value here
    (similarity(EXPECTED), trace(output=None, expected=""), 1.0),
    (similarity(EXPECTED, threshold=0.2), trace(output="night", expected="nacht"), 1.0),
    (similarity(EXPECTED, threshold=0.2), trace(output="night"), None),
    (similarity(EXPECTED, ignore_case=False), trace(output="N i", expected="ni"), 0.0),
    (similarity("night", on=pl.col("input")), trace(input="night"), 1.0),
    (similarity("night", on=EXPECTED), trace(output="night"), None),
    (similarity(EXPECTED, on=pl.col("input")), trace(input="ab", expected="ab"), 1.0),
    # content_similarity
    (content_similarity(), trace(input="night", output="nacht"), 0.25),
    (content_similarity(), trace(input="Night", output="NIGHT"), 1.0),
    (content_similarity(ignore_case=False), trace(input="Night", output="NIGHT"), 0.0),
    (content_similarity(ignore_whitespace=False), trace(input="a b\tc", output=" abc"), 1.0),
    (content_similarity(), trace(input=None, output=None), 1.0),
    (content_similarity(), trace(input=" ", output="\u3000"), 1.0),
    (content_similarity(), trace(input="😂😁", output="😀😂"), 0.0),
    (content_similarity(), trace(input="天気予報", output="天気"), 0.5),
    (content_similarity(), trace(input=LONG, output=LONG.upper()), 1.0),
    (content_similarity(against="expected"), trace(output="night", expected="Nacht"), 0.25),
    (content_similarity(against="expected"), trace(input="night", output="night"), None),
    (content_similarity(against="NACHT"), trace(output="night"), 0.25),
    (content_similarity(against=EXPECTED), trace(output="night", expected="nights"), 8 / 9),
    (content_similarity(on=EXPECTED), trace(input="night", expected="nacht"), 0.25),
    # textual_difference
    (textual_difference(), trace(input="night", output="nacht"), 0.6),
    (textual_difference(), trace(input="Night", output="nIGHT"), 0.0),  # case counts
    (textual_difference(), trace(input="a b", output="ab"), 0.8),  # and white space
    (textual_difference(), trace(input="abcd", output="badc"), 0.5),  # a subsequence, no blocks
    (textual_difference(), trace(input=None, output=None), 1.0),
    (textual_difference(), trace(input=None, output="a"), 0.0),
    (textual_difference(), trace(input=" ", output="\n"), 0.0),
    (textual_difference(), trace(input="é", output="e\u0301"), 0.0),
    (textual_difference(), trace(input="😂😁", output="😀😂"), 0.5),  # code points
    (textual_difference(), trace(input="天気予報", output="天気"), 2 / 3),
    (textual_difference(), trace(input=LONG, output=LONG), 1.0),
    (textual_difference(), trace(input="no", output=LONG), 4 / (2 + len(LONG))),
    (textual_difference(against="expected"), trace(output="night", expected="nacht"), 0.6),
    (textual_difference(against="expected"), trace(input="night", output="night"), None),
    (textual_difference(against="nacht"), trace(output="night"), 0.6),
    (textual_difference(against=EXPECTED.str.head(3)), trace(output="nac", expected="nacht"), 1.0),
    (textual_difference(against=EXPECTED), trace(output="night"), None),
    (textual_difference(on=EXPECTED), trace(input="night", expected="nacht"), 0.6),
]
