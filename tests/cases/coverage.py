from typing import Any

import polars as pl

from batcheval.checks import completeness
from tests.cases import Case, trace

EXPECTED = pl.col("expected")

DETAILS: dict[str, dict[str, Any]] = {
    "completeness": {
        "input_elements": pl.List(pl.String),
        "output_elements": pl.List(pl.String),
        "missing_elements": pl.List(pl.String),
        "element_counts": pl.Struct({"input": pl.Int64(), "output": pl.Int64()}),
    }
}

CASES: list[Case] = [
    (completeness(), trace(input="The weather is sunny", output="the weather is sunny"), 1.0),
    (completeness(), trace(input="red green blue", output="blue and red"), 2 / 3),
    (completeness(), trace(input="", output=""), 1.0),
    (completeness(), trace(input="", output="something"), 0.0),
    (completeness(), trace(input="something", output=None), 0.0),  # it said nothing
    (completeness(), trace(input=None, output="something"), 0.0),
    (completeness(), trace(input="日本", output="🙂"), 1.0),  # no letters that count on either side
    (completeness(), trace(input="café", output="CAFE"), 1.0),
    (completeness(), trace(input="cats", output="cat"), 1.0),  # 3 of 4 letters
    (completeness(), trace(input="cat", output="cats"), 0.0),  # short ones are equal or nothing
    (completeness(), trace(input="table", output="able"), 1.0),  # anywhere in it
    (completeness(), trace(input="abcde", output="abc"), 0.0),  # 0.6 is not more than 0.6
    (completeness(), trace(input="weather", output="heat"), 0.0),  # 4 of 7
    (completeness(), trace(input="heated", output="reheated"), 1.0),
    (completeness(), trace(input="x" * 50, output="x" * 31), 1.0),
    (completeness(), trace(input="x" * 50, output="x" * 30), 0.0),
    (completeness(), trace(input="They deleted the files.", output="They delete the files"), 1.0),
    (completeness(), trace(input="It will be deleted", output="delete it"), 1.0),
    (completeness(), trace(input="it is ours", output="be it ours"), 1.0),
    (completeness(), trace(input="getUserName", output="user name"), 0.0),
    (completeness(split_camel_case=True), trace(input="getUserName", output="user name"), 2 / 3),
    (completeness(against="expected"), trace(output="red", expected="red green"), 0.5),
    (completeness(against="expected"), trace(input="red", output="red"), None),
    (completeness(against=EXPECTED), trace(output="red", expected="red green"), 0.5),
    (completeness(against="red blue"), trace(output="It is red"), 0.5),
    (completeness(against="output"), trace(output="It is red"), 1.0),
    (completeness(on=EXPECTED), trace(input="red", expected="red"), 1.0),
    (completeness(on=EXPECTED), trace(input="red", output="red"), None),
]
