from typing import Any

import polars as pl

from batcheval.checks import similarity
from tests.cases import Case, trace

EXPECTED = pl.col("expected")

DETAILS: dict[str, dict[str, Any]] = {"similarity": {"score": pl.Float64()}}

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
]
