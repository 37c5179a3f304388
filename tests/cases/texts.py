from typing import Any

import polars as pl

from batcheval.checks import (
    char_count,
    ends_with,
    equals,
    excludes,
    includes,
    includes_all,
    includes_any,
    line_count,
    number_close,
    one_of,
    repetition,
    sentence_count,
    starts_with,
    word_count,
)
from tests.cases import Case, trace

EXPECTED = pl.col("expected")
MEGABYTE = trace(output="the order is late. " * 55_000 + "END")
NAMES: dict[str, Any] = {"found": pl.List(pl.String), "missing": pl.List(pl.String)}
COUNT: dict[str, Any] = {"count": pl.Int64()}

DETAILS: dict[str, dict[str, Any]] = {
    "starts_with": {"found": pl.Boolean()},
    "ends_with": {"found": pl.Boolean()},
    "includes_all": NAMES,
    "includes_any": NAMES,
    "one_of": {"equal": pl.Boolean()},
    "word_count": COUNT,
    "char_count": COUNT,
    "line_count": COUNT,
    "sentence_count": COUNT,
    "number_close": {"number": pl.Float64(), "difference": pl.Float64()},
    "repetition": {
        "repeated": pl.Float64(),
        "most": pl.String(),
        "times": pl.Int64(),
        "loop": pl.Int64(),
    },
}

CASES: list[Case] = [
    # folding, in checks of `text` too
    (includes("STRASSE", casefold=True), trace(output="Die Straße"), 1.0),
    (includes("STRASSE"), trace(output="Die Straße"), 0.0),
    (includes("é", normalize="NFC"), trace(output="cafe\u0301"), 1.0),
    (includes("e\u0301", normalize="NFC"), trace(output="CAFÉ"), 1.0),
    (includes("é", ignore_case=False, normalize="NFD"), trace(output="CAFE\u0301"), 0.0),
    (includes("42", normalize="NFKC"), trace(output="４２"), 1.0),
    (includes("42", normalize="NFC"), trace(output="４２"), 0.0),
    (includes("ΟΔΟΣ", casefold=True), trace(output="οδοσ"), 1.0),  # every sigma is one
    (includes("i̇", casefold=True), trace(output="İ"), 1.0),
    (excludes("strasse", casefold=True), trace(output="STRAßE"), 0.0),
    (equals("strasse", casefold=True), trace(output="Straße"), 1.0),
    (equals("café", normalize="NFC"), trace(output="Cafe\u0301"), 1.0),
    (equals(EXPECTED, casefold=True, normalize="NFKC"), trace(output="ﬁ１", expected="FI1"), 1.0),
    # starts_with
    (starts_with("dear"), trace(output="Dear Ms. Li"), 1.0),
    (starts_with("dear", ignore_case=False), trace(output="Dear Ms. Li"), 0.0),
    (starts_with("dear"), trace(output=" Dear Ms. Li"), 0.0),  # nothing is trimmed
    (starts_with("a.c"), trace(output="abc"), 0.0),  # literal, not a pattern
    (starts_with("C++"), trace(output="c++ and C"), 1.0),
    (starts_with("$5.00 (net)"), trace(output="$5.00 (NET) a day"), 1.0),
    (starts_with("a"), trace(output="b\na"), 0.0),  # of the text, not of a line
    (starts_with("i"), trace(output="İx"), 1.0),
    (starts_with("strasse", casefold=True), trace(output="Straßen"), 1.0),
    (starts_with("É", normalize="NFC"), trace(output="e\u0301tude"), 1.0),
    (starts_with("a"), trace(output=None), 0.0),
    (starts_with(EXPECTED), trace(output="Abc", expected="aB"), 1.0),
    (starts_with(EXPECTED), trace(output="Abc", expected=""), None),
    (starts_with(EXPECTED), trace(output="Abc"), None),
    (starts_with("x", on=EXPECTED), trace(output="x"), None),
    # ends_with
    (ends_with("done."), trace(output="It is DONE."), 1.0),
    (ends_with("done."), trace(output="It is done.\n"), 0.0),
    (ends_with("done", ignore_case=False), trace(output="DONE"), 0.0),
    (ends_with("a.c"), trace(output="abc"), 0.0),
    (ends_with("i"), trace(output="xİ"), 0.0),  # lower case: i and a dot above
    (ends_with("ος", casefold=True), trace(output="ΛΟΓΟΣ"), 1.0),
    (ends_with("ss", casefold=True), trace(output="Fluß"), 1.0),
    (ends_with("é", normalize="NFC"), trace(output="cafe\u0301"), 1.0),
    (ends_with(EXPECTED), trace(output="Abc", expected="BC"), 1.0),
    (ends_with(EXPECTED), trace(output="", expected="BC"), 0.0),
    (ends_with(EXPECTED), trace(output="Abc", expected=""), None),
    # includes_all
    (includes_all(["oslo", "SUN"]), trace(output="Sunny Oslo"), 1.0),
    (includes_all(["oslo", "rain"]), trace(output="Sunny Oslo"), 0.0),
    (includes_all(["ab", "abc", "bc"]), trace(output="xabcx"), 1.0),  # they may overlap
    (includes_all(["a", "A"]), trace(output="a"), 1.0),
    (includes_all(["a", "A"], ignore_case=False), trace(output="a"), 0.0),
    (includes_all(["a.c", "C++"]), trace(output="abc c++"), 0.0),
    (
        includes_all(["strasse", "é"], casefold=True, normalize="NFC"),
        trace(output="STRAßE E\u0301"),
        1.0,
    ),
    (includes_all(["a"]), trace(output=None), 0.0),
    (includes_all(pl.col("texts")), trace(output="Sunny Oslo", texts='["oslo", "sun"]'), 1.0),
    (includes_all(pl.col("texts")), trace(output="Sunny Oslo", texts='["oslo", "rain"]'), 0.0),
    (includes_all(pl.col("texts")), trace(output="Sunny Oslo", texts="[]"), None),
    (includes_all(pl.col("texts")), trace(output="Sunny Oslo", texts='["oslo", ""]'), None),
    (includes_all(pl.col("texts")), trace(output="Sunny Oslo", texts="oslo"), None),
    (includes_all(pl.col("texts")), trace(output="Sunny Oslo", texts=None), None),
    # includes_any
    (includes_any(["oslo", "rome"]), trace(output="Sunny OSLO"), 1.0),
    (includes_any(["paris", "rome"]), trace(output="Sunny Oslo"), 0.0),
    (includes_any(["a.c", "$5.00 (net)"]), trace(output="abc"), 0.0),
    (includes_any(["oslo"], ignore_case=False), trace(output="Oslo"), 0.0),
    (includes_any(["STRASSE"], casefold=True), trace(output="straße"), 1.0),
    (includes_any(["x"]), trace(output=None), 0.0),
    (includes_any(pl.col("texts")), trace(output="Sunny Oslo", texts='["rome", "oslo"]'), 1.0),
    (includes_any(pl.col("texts")), trace(output="Sunny Oslo", texts='["rome"]'), 0.0),
    (includes_any(pl.col("texts")), trace(output="Sunny Oslo", texts="[1]"), None),
    # one_of
    (one_of(["yes", "no"]), trace(output="YES"), 1.0),
    (one_of(["yes", "no"]), trace(output="yes."), 0.0),
    (one_of(["yes", ""]), trace(output=None), 1.0),  # the empty text is one
    (one_of(["a.c"]), trace(output="abc"), 0.0),
    (one_of(["Straße"], casefold=True), trace(output="STRASSE"), 1.0),
    (one_of(["１"], normalize="NFKC"), trace(output="1"), 1.0),
    (one_of(pl.col("texts")), trace(output="Yes", texts='["no", "yes"]'), 1.0),
    (one_of(pl.col("texts")), trace(output="", texts='["no", ""]'), 1.0),
    (one_of(pl.col("texts")), trace(output="Yes", texts="[null]"), None),
    # word_count
    (word_count(min=3, max=3), trace(output="It is sunny."), 1.0),
    (word_count(max=2), trace(output="It is sunny."), 0.0),
    (word_count(min=1), trace(output=None), 0.0),
    (word_count(max=0), trace(output=" - … 🙂"), 1.0),  # no letter, no digit
    (word_count(min=4, max=4), trace(output="I can't: 3.5 1,000"), 1.0),
    (word_count(min=4, max=4), trace(output="東京は晴"), 1.0),  # a character each
    (word_count(min=1, max=1), trace(output="e\u0301te\u0301"), 1.0),
    (word_count(min=1, on=EXPECTED), trace(output="x"), None),
    # char_count
    (char_count(max=4), trace(output="café"), 1.0),
    (char_count(max=4), trace(output="cafe\u0301"), 0.0),  # code points
    (char_count(min=1, max=1), trace(output="🙂"), 1.0),
    (char_count(min=1), trace(output=None), 0.0),
    (char_count(max=0), trace(output=""), 1.0),
    # line_count
    (line_count(min=2, max=2), trace(output="a\nb\n"), 1.0),
    (line_count(min=3, max=3), trace(output="a\r\nb\rc"), 1.0),
    (line_count(max=0), trace(output=None), 1.0),
    (line_count(min=2), trace(output="a"), 0.0),
    (line_count(min=1, max=1), trace(output="\n"), 1.0),
    # sentence_count
    (sentence_count(min=2, max=2), trace(output='Is it, e.g. so? "Yes." '), 1.0),
    (sentence_count(min=2, max=2), trace(output="はい。いいえ。"), 1.0),
    (sentence_count(min=1, max=1), trace(output="See example.com, v1.2"), 1.0),
    (sentence_count(max=0), trace(output="... !"), 1.0),
    (sentence_count(min=1), trace(output=None), 0.0),
    # number_close
    (number_close(1250), trace(output="In 2024 it was 1,250."), 1.0),
    (number_close(2024), trace(output="In 2024 it was 1,250."), 0.0),
    (number_close(2024, which="any"), trace(output="In 2024 it was 1,250."), 1.0),
    (number_close(1), trace(output="1.0"), 1.0),
    (number_close(-5), trace(output="It is \u22125"), 1.0),
    (number_close(3.1, tolerance=0.05), trace(output="pi is 3.14"), 1.0),
    (number_close(3.0, relative=0.01), trace(output="pi is 3.14"), 0.0),
    (number_close(1234.5, thousands=".", decimal=","), trace(output="1.234,5 €"), 1.0),
    (number_close(1500, units={"km": 1000, "m": 1}), trace(output="1.5 km in 20 min"), 1.0),
    (number_close(5, units={"$": 1}), trace(output="$5, in 3 days"), 1.0),
    (number_close(12), trace(output="１２"), 0.0),
    (number_close(12, normalize="NFKC"), trace(output="１２"), 1.0),
    (number_close(0), trace(output=None), 0.0),
    (number_close(pl.col("answer")), trace(output="so 42", answer=42), 1.0),
    (number_close(EXPECTED), trace(output="so 42", expected="42.0"), 1.0),
    (number_close(EXPECTED), trace(output="so 42", expected="many"), None),
    (number_close(EXPECTED), trace(output="so 42", expected="nan"), None),
    (number_close(7, which="any"), trace(output="1e999 and 7"), 1.0),
    # repetition
    (repetition(n=3), trace(output="so it is so it is so it is"), 3 / 7),
    (repetition(), trace(output=None), 1.0),
    (repetition(n=1), trace(output="No no NO"), 1 / 3),
    (repetition(n=2), trace(output="東京東京東京"), 2 / 5),
    (repetition(max_share=0.1), trace(output="a b c d e f"), 1.0),
    (repetition(max_share=0.1), trace(output="a b c d " * 9), 0.0),
    (repetition(on=EXPECTED), trace(output="x"), None),
]

# Too large to be held against every check there is.
LARGE: list[Case] = [
    (includes("end"), MEGABYTE, 1.0),
    (starts_with("the order"), MEGABYTE, 1.0),
    (ends_with("late. end"), MEGABYTE, 1.0),
    (includes_all(["order", "end"]), MEGABYTE, 1.0),
    (includes_any(["zzz", "end"]), MEGABYTE, 1.0),
    (word_count(min=200_000), MEGABYTE, 1.0),
    (char_count(min=1_000_000), MEGABYTE, 1.0),
    (line_count(max=1), MEGABYTE, 1.0),
    (sentence_count(min=55_000), MEGABYTE, 0.0),
    (repetition(max_share=0.9), MEGABYTE, 0.0),
]
