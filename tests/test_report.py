"""Reports: the table, what stands below it, and the list of checks, letter for letter."""

import json
from typing import Any

import polars as pl
import pytest

from batcheval.checks import CHECKS
from batcheval.errors import BadArgumentError
from batcheval.report import count_lines, render, render_check, render_checks
from batcheval.summary import BANDS, from_tally, merge, summarize

SCORES = pl.DataFrame(
    {
        "includes": [1.0, 0.0, 1.0],
        "a|b_*c*": [0.75, 0.5, 0.25],
        "天気": [None, None, None],
        "n": [None, 1.0, None],
    },
    schema_overrides={"天気": pl.Float64},
)
SUMMARY = summarize(SCORES)
COUNTS: dict[str, Any] = {
    "lines": 1000,
    "rows": 997,
    "blank": 1,
    "quarantined": 2,
    "repaired": 3,
    "without_output": 12,
    "scored": 997,
    "repeated_ids": {
        "ids": 1,
        "rows": 2,
        "examples": [
            {"trace_id": "t2", "run": None, "trial": None, "places": ["a|b:2", "a|b:3"], "more": 0}
        ],
    },
}

TEXT = """\
scorer     mean     1.0  0.7 to <1  0.4 to <0.7  >0 to <0.4    0.0  scored  unscored
--------  -----  ------  ---------  -----------  ----------  -----  ------  --------
includes  0.667   66.7%       0.0%         0.0%        0.0%  33.3%       3         0
a|b_*c*   0.500    0.0%      33.3%        33.3%       33.3%   0.0%       3         0
天気          -       -          -            -           -      -       0         3
n         1.000  100.0%       0.0%         0.0%        0.0%   0.0%       1         2

1,000 lines: 997 rows, 1 blank, 2 quarantined; 3 repaired; 12 without output
warning: 1 repeated trace id, on 2 rows: 't2' (a|b:2, a|b:3)
warning: no trace has what '天気' needs, so none was scored"""

MARKDOWN = r"""
| scorer | mean | 1.0 | 0.7 to \<1 | 0.4 to \<0.7 | \>0 to \<0.4 | 0.0 | scored | unscored |
| :-- | --: | --: | --: | --: | --: | --: | --: | --: |
| includes | 0.667 | 66.7% | 0.0% | 0.0% | 0.0% | 33.3% | 3 | 0 |
| a\|b_\*c\* | 0.500 | 0.0% | 33.3% | 33.3% | 33.3% | 0.0% | 3 | 0 |
| 天気 | - | - | - | - | - | - | 0 | 3 |
| n | 1.000 | 100.0% | 0.0% | 0.0% | 0.0% | 0.0% | 1 | 2 |

1,000 lines: 997 rows, 1 blank, 2 quarantined; 3 repaired; 12 without output

warning: 1 repeated trace id, on 2 rows: 't2' (a\|b:2, a\|b:3)

warning: no trace has what '天気' needs, so none was scored"""


def test_text() -> None:
    assert render(SUMMARY, COUNTS) == TEXT
    table, _, below = TEXT.partition("\n\n")
    assert render(SUMMARY) == f"{table}\n{below.splitlines()[-1]}"


def test_markdown() -> None:
    assert render(SUMMARY, COUNTS, "markdown") == MARKDOWN.strip()
    table, _, below = MARKDOWN.strip().partition("\n\n")
    assert render(SUMMARY, None, "markdown") == f"{table}\n\n{below.splitlines()[-1]}"


@pytest.mark.parametrize("counts", [COUNTS, None])
def test_json(counts: dict[str, Any] | None) -> None:
    document = json.loads(render(SUMMARY, counts, "json"))
    assert list(document) == ["scorers", "bands", "counts"]
    assert document["scorers"] == SUMMARY.to_dicts()
    assert list(document["scorers"][0]) == ["scorer", "mean", *BANDS, "scored", "unscored"]
    assert document["scorers"][0]["mean"] == 2 / 3
    assert document["scorers"][2]["mean"] is None
    assert document["counts"] == counts


def test_an_unknown_format() -> None:
    with pytest.raises(BadArgumentError) as caught:
        render(SUMMARY, None, "html")  # type: ignore[arg-type]
    message = "'format' must be one of 'text', 'markdown', 'json', not 'html'"
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.0, "0.0%"),
        (1e-9, "<0.1%"),
        (0.00049, "<0.1%"),
        (0.0006, "0.1%"),
        (0.9994, "99.9%"),
        (0.9995, ">99.9%"),
        (1.0, "100.0%"),
    ],
)
def test_a_share_looks_like_none_or_all_only_if_it_is(share: float, shown: str) -> None:
    line = render(SUMMARY.head(1).with_columns(full=pl.lit(share))).splitlines()[2]
    assert line.split()[2] == shown


def test_long_and_odd_ids_stay_whole_and_on_one_line() -> None:
    ids = ["x" * 200, "two\nlines", "tab\there", "e\u0301"]  # the last: a letter and a mark
    frame = pl.DataFrame({name: [1.0] for name in ids})
    lines = render(summarize(frame)).splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["x" * 200, "two", "tab", "e\u0301"]
    assert {len(line) for line in lines[:5]} == {len(lines[5]) - 1}
    assert "| two lines |" in render(summarize(frame), None, "markdown")


def test_nothing_to_show() -> None:
    heads, rule = render(from_tally(merge([]))).splitlines()
    assert heads.startswith("scorer  mean  1.0")
    assert set(rule) == {"-", " "}


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({"lines": 1, "rows": 1}, ["1 line: 1 row"]),
        ({"lines": 0, "rows": 0}, ["0 lines: 0 rows"]),
        ({"lines": 2, "rows": 1, "blank": 1}, ["2 lines: 1 row, 1 blank"]),
        ({"lines": 5, "rows": 5, "scored": 3}, ["5 lines: 5 rows; 3 scored"]),
        (
            {"lines": 9, "rows": 9, "repeated_ids": {"ids": 0, "rows": 0, "examples": []}},
            ["9 lines: 9 rows"],
        ),
        (
            {"lines": 9, "rows": 9, "repeated_ids": {"ids": 1200, "rows": 2400}},
            ["9 lines: 9 rows", "warning: 1,200 repeated trace ids, on 2,400 rows"],
        ),
        (
            {
                "lines": 9,
                "rows": 9,
                "repeated_ids": {
                    "ids": 3,
                    "rows": 9,
                    "examples": [
                        {"trace_id": "a", "run": "b", "trial": None, "places": ["f:1", "f:2"]},
                        {"trace_id": "a", "run": "b", "trial": 2, "places": ["f:3"], "more": 1000},
                    ],
                },
            },
            [
                "9 lines: 9 rows",
                "warning: 3 repeated trace ids, on 9 rows, among them"
                " 'a' of run 'b' (f:1, f:2), 'a' of run 'b', trial 2 (f:3 and 1,000 more)",
            ],
        ),
    ],
)
def test_counts(changes: dict[str, Any], lines: list[str]) -> None:
    assert count_lines(changes) == lines


def silent() -> None: ...


def test_the_list_of_checks() -> None:
    lines = render_checks({**CHECKS, "silent": silent}).splitlines()
    place = next(
        n for n, line in enumerate(lines) if line.startswith("includes(expected, *, ignore")
    )
    assert lines[place + 1].startswith("    The output contains `expected`")
    assert "silent()" in lines
    calls = [line.partition("(")[0] for line in lines if not line.startswith(" ")]
    assert calls == sorted([*CHECKS, "silent"])


def test_one_check() -> None:
    call, blank, first, *_ = render_check("includes", CHECKS["includes"]).splitlines()
    types = (
        "expected: str | pl.Expr, *, ignore_case: bool = True, casefold: bool = False, normalize: "
    )
    types += "Literal['NFC', 'NFD', 'NFKC', 'NFKD'] | None = None, on: pl.Expr = col(\"output\")"
    assert call == f"includes({types})"
    assert not blank
    assert first.startswith("The output contains `expected`")
    assert render_check("silent", silent) == "silent()"


def test_traces_without_ids_and_copies_are_told() -> None:
    told = {"lines": 2, "rows": 2, "layouts": {"kimi": 2}, "records": 9}
    (_, _, one) = count_lines({**told, "nameless": 1})
    assert one == "1 trace has no id: it is what a file says"
    (*_, two, copy) = count_lines({**told, "nameless": 2, "copies": ["b.jsonl"]})
    assert two == "2 traces have no id: each is what a file says"
    assert copy == "warning: said in an earlier file, word for word: b.jsonl"
