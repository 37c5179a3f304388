from typing import Any

import polars as pl

from batcheval.checks import equals, excludes, includes, matches
from tests.cases import Case, trace

EXPECTED = pl.col("expected")
PARIS = trace(output="It is Paris.")
TWO_LINES = trace(output="It is sunny.\nIt is warm.\n")
NUMBERS = " ".join(f"no {n}" for n in range(5000))
LONG = trace(output=NUMBERS + " end")

DETAILS: dict[str, dict[str, Any]] = {
    "includes": {"found": pl.Boolean()},
    "excludes": {"found": pl.Boolean()},
    "matches": {"found": pl.Boolean()},
    "equals": {"equal": pl.Boolean()},
}

CASES: list[Case] = [
    # includes
    (includes("paris"), PARIS, 1.0),
    (includes("PARIS"), PARIS, 1.0),
    (includes("paris", ignore_case=False), PARIS, 0.0),
    (includes("Paris", ignore_case=False), PARIS, 1.0),
    (includes("a.c"), trace(output="abc"), 0.0),  # literal, not a pattern
    (includes("a.c"), trace(output="xA.Cx"), 1.0),
    (includes("[a-z]+(?i)$^\\d{2}"), trace(output="see [A-Z]+(?i)$^\\D{2} there"), 1.0),
    (includes("\\"), trace(output="a\\b"), 1.0),
    (includes(" "), trace(output="a b"), 1.0),  # white space is a real needle
    (includes(" "), trace(output="ab"), 0.0),
    (includes("\n"), TWO_LINES, 1.0),
    (includes("sunny.\nIT"), TWO_LINES, 1.0),
    (includes("\x00\x1f\x7f~"), trace(output="a\x00\x1f\x7f~"), 1.0),
    (includes("paris"), trace(output=None), 0.0),  # it said nothing
    (includes("paris"), trace(output=""), 0.0),
    (includes("paris"), trace(), 0.0),
    (includes("end"), LONG, 1.0),
    (includes(NUMBERS[9000:9400].upper()), LONG, 1.0),  # too long for the pattern: lower-cased
    (includes(NUMBERS + " END"), LONG, 1.0),
    (includes("w" * 50_000), LONG, 0.0),
    # includes: letters whose case is odd
    (includes("k"), trace(output="300 \u212a"), 1.0),  # the Kelvin sign is a k
    (includes("\u212a"), trace(output="300 K"), 1.0),
    (includes("kk"), trace(output="K\u212a"), 1.0),
    (includes("s"), trace(output="ſ"), 0.0),  # the long s is none
    (includes("i"), trace(output="İ"), 1.0),  # lower case: i and a dot above
    (includes("xi"), trace(output="XİY"), 1.0),
    (includes("ix"), trace(output="İX"), 0.0),
    (includes("ii"), trace(output="iİ"), 1.0),
    (includes("ii"), trace(output="İi"), 0.0),
    (includes("i̇"), trace(output="İ"), 1.0),
    (includes("\u0307"), trace(output="İ"), 1.0),
    (includes("İ"), trace(output="i"), 0.0),
    (includes("ı"), trace(output="I"), 0.0),
    (includes("straße"), trace(output="STRAẞE"), 1.0),
    (includes("strasse"), trace(output="Straße"), 0.0),  # lower case, no case folding
    (includes("οδος"), trace(output="Η ΟΔΟΣ"), 1.0),  # final sigma
    (includes("ΟΔΟΣ"), trace(output="οδοσ"), 0.0),
    (includes("É"), trace(output="café"), 1.0),
    (includes("É"), trace(output="cafe\u0301"), 0.0),  # nothing is normalised
    (includes("𐐀"), trace(output="𐐨"), 1.0),
    (includes("🙂"), trace(output="ok 🙂"), 1.0),
    (includes("é", ignore_case=False), trace(output="É"), 0.0),
    # includes: a column
    (includes(EXPECTED), trace(output="It is Paris.", expected="PARIS"), 1.0),
    (includes(EXPECTED, ignore_case=False), trace(output="It is Paris.", expected="PARIS"), 0.0),
    (includes(EXPECTED), trace(output="abc", expected="a.c"), 0.0),
    (includes(EXPECTED), trace(output="It is Paris.", expected=None), None),
    (includes(EXPECTED), trace(output="It is Paris.", expected=""), None),
    (includes(EXPECTED), trace(output="It is Paris.", expected=" "), 1.0),
    (includes(EXPECTED), trace(output=None, expected="Paris"), 0.0),
    (includes(EXPECTED), trace(output=None, expected=None), None),
    (includes(EXPECTED), trace(output="İ", expected="I"), 1.0),
    (includes(EXPECTED.str.slice(0, 2)), trace(output="a page", expected="Paris"), 1.0),
    (includes(pl.col("year")), trace(output="In 1969.", year=1969), 1.0),
    (includes(pl.col("metadata.city")), trace(output="Rome!", metadata='{"city": "rome"}'), 1.0),
    (includes(pl.col("metadata.city")), trace(output="Rome!", metadata="{}"), None),
    (includes(pl.lit("paris")), PARIS, 1.0),
    # includes: somewhere else
    (includes("where", on=pl.col("input")), trace(input="Where?", output=""), 1.0),
    (includes("where", on=pl.col("input")), trace(output="Where?"), 0.0),
    (includes("x", on=pl.col("expected")), trace(output="x"), None),
    (includes("x", on=pl.concat_str("input", "output")), trace(input="x", output=""), 1.0),
    (includes("7", on=pl.col("total_tokens")), trace(total_tokens=75), 1.0),
    # excludes
    (excludes("error"), trace(output="An ERROR occurred"), 0.0),
    (excludes("error"), PARIS, 1.0),
    (excludes("error", ignore_case=False), trace(output="An ERROR occurred"), 1.0),
    (excludes("error"), trace(output=None), 1.0),
    (excludes("i"), trace(output="İ"), 0.0),
    (excludes("é"), trace(output="CAFÉ"), 0.0),
    (excludes(" "), trace(output="a b"), 0.0),
    (excludes(EXPECTED), trace(output="It is Paris.", expected="Rome"), 1.0),
    (excludes(EXPECTED), trace(output="It is Paris.", expected="paris"), 0.0),
    (excludes(EXPECTED), trace(output="It is Paris.", expected=""), None),
    (excludes(EXPECTED), trace(output="It is Paris."), None),
    (excludes("paris", on=pl.col("input")), trace(input="Rome", output="Paris"), 1.0),
    # equals
    (equals("Hello, world!"), trace(output="hello, WORLD!"), 1.0),
    (equals("Hello, world!"), trace(output="Hello, world! "), 0.0),  # nothing is trimmed
    (equals("Hello, world!"), trace(output="Hello, world!\n"), 0.0),
    (equals("Hello, world!"), trace(output="Oh.\nHello, world!"), 0.0),
    (equals("Hello", ignore_case=False), trace(output="hello"), 0.0),
    (equals("Hello", ignore_case=False), trace(output="Hello"), 1.0),
    (equals("a.c"), trace(output="abc"), 0.0),
    (equals(""), trace(output=""), 1.0),
    (equals(""), trace(output=None), 1.0),
    (equals(""), trace(output=" "), 0.0),
    (equals("", ignore_case=False), trace(output=""), 1.0),
    (equals("k"), trace(output="\u212a"), 1.0),
    (equals("i"), trace(output="İ"), 0.0),
    (equals("i̇"), trace(output="İ"), 1.0),
    (equals("straße"), trace(output="STRAẞE"), 1.0),
    (equals("strasse"), trace(output="Straße"), 0.0),
    (equals("ΟΔΟΣ"), trace(output="οδος"), 1.0),
    (equals(NUMBERS + " END"), LONG, 1.0),
    (equals(EXPECTED), trace(output="paris", expected="Paris"), 1.0),
    (equals(EXPECTED, ignore_case=False), trace(output="paris", expected="Paris"), 0.0),
    (equals(EXPECTED), trace(output="paris", expected="Rome"), 0.0),
    (equals(EXPECTED), trace(output="paris"), None),
    (equals(EXPECTED), trace(output="", expected=""), 1.0),  # "" is a value here
    (equals(EXPECTED), trace(output="x", expected=""), 0.0),
    (equals(pl.col("answer")), trace(output="42", answer=42), 1.0),
    (equals("rome", on=EXPECTED), trace(expected="Rome"), 1.0),
    (equals("rome", on=EXPECTED), trace(output="Rome"), None),
    # matches
    (matches(r"\d+"), trace(output="21 degrees"), 1.0),
    (matches(r"\d+"), trace(output="warm"), 0.0),
    (matches(r"\d+"), trace(output=None), 0.0),
    (matches("paris"), PARIS, 0.0),  # case counts unless the pattern says otherwise
    (matches("(?i)paris"), PARIS, 1.0),
    (matches(""), trace(output=None), 1.0),
    (matches("", exact=True), trace(output="x"), 0.0),
    (matches("It is .*", exact=True), PARIS, 1.0),
    (matches("is .*", exact=True), PARIS, 0.0),
    (matches("It|Paris.", exact=True), PARIS, 0.0),  # `^(?:…)$`, both ends for each
    (matches("warm.$"), TWO_LINES, 0.0),  # `$` is the very end
    (matches("(?m)sunny.$"), TWO_LINES, 1.0),
    (matches("sunny.*warm"), TWO_LINES, 0.0),
    (matches("(?s)sunny.*warm"), TWO_LINES, 1.0),
    (matches(r"(\w)\1"), TWO_LINES, 1.0),  # a back-reference
    (matches(r"(\w)\1"), PARIS, 0.0),
    (matches(r"(?!.*Rome)It"), PARIS, 1.0),
    (matches(r"It(?! is)"), PARIS, 0.0),
    (matches(r"(?<=is )Paris", exact=False), PARIS, 1.0),
    (matches("where", on=pl.col("input")), trace(input="where"), 1.0),
    (matches("x", on=EXPECTED), trace(output="x"), None),
    (matches(pl.col("pattern")), trace(output="It is Paris.", pattern="P.r"), 1.0),
    (matches(pl.col("pattern")), trace(output="It is Paris.", pattern="p.r"), 0.0),
    (matches(pl.col("pattern")), trace(output="It is Paris.", pattern=None), None),
    (matches(pl.col("pattern"), exact=True), trace(output="abc", pattern="a|abc"), 1.0),
]
