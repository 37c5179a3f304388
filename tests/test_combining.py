"""Checks made of others: their laws, how they are written in suites and calls, what is refused."""

from itertools import pairwise, product
from pathlib import Path

import polars as pl
import pytest

from batcheval.checks import (
    all_of,
    any_of,
    at_least,
    excludes,
    includes,
    invert,
    is_refusal,
    none_of,
    sql,
    weighted,
    when,
)
from batcheval.engine import score
from batcheval.errors import BatchevalError
from batcheval.scorer import Scorer
from batcheval.suite import load_suite, scorer_from_call
from tests.cases import frame, trace

ROWS = [list(row) for row in product([None, 0.0, 0.25, 1.0], repeat=3)]
PARTS = [Scorer(name, f"the column {name}", pl.col(name)) for name in "abc"]
WEIGHTS = [1.0, 2.0, 5.0]


def scored(rows: list[list[float | None]], *scorers: Scorer) -> list[list[float | None]]:
    columns = {
        name: pl.Series(values, dtype=pl.Float64)
        for name, values in zip("abc", zip(*rows, strict=True), strict=True)
    }
    table = pl.DataFrame({"trace_id": [str(n) for n in range(len(rows))], **columns})
    named = [scorer.named(f"s{n}") for n, scorer in enumerate(scorers)]
    found = score(table, named).collect()
    return [found[scorer.id].to_list() for scorer in named]


def test_unscored_parts_are_left_out() -> None:
    rows: list[list[float | None]] = ROWS
    known = [[value for value in row if value is not None] for row in rows]
    means = []
    for row in rows:
        pairs = [(v, w) for v, w in zip(row, WEIGHTS, strict=True) if v is not None]
        total = sum(weight for _, weight in pairs)
        means.append(sum(v * w for v, w in pairs) / total if pairs else None)
    least, largest, none, mean, opposite = scored(
        rows,
        all_of(PARTS),
        any_of(PARTS),
        none_of(PARTS),
        weighted(PARTS, WEIGHTS),
        all_of([invert(part) for part in PARTS]),
    )
    assert least == [min(row, default=None) for row in known]
    assert largest == [max(row, default=None) for row in known]
    assert none == opposite == [1 - max(row) if row else None for row in known]
    assert mean == pytest.approx(means)


def test_details_and_reasons_of_the_parts() -> None:
    safe = all_of([includes("sun"), invert(is_refusal()).named("answers"), includes("warm")])
    rows = frame([trace(output="It is sunny.")])
    found = score(rows, [safe], details=True, reasons=True).collect().row(0, named=True)
    assert found["all_of_reason"] == (
        "0.0, and all should hold: the output has 'sun', which it should include; the opposite"
        " should hold of this: the output does not refuse; the output lacks 'warm', which it should"
        " include"
    )
    details = found["all_of_details"]
    assert details["scored"] == 3
    assert list(details["parts"]) == ["includes", "answers", "includes_2"]
    assert details["parts"]["includes_2"] == {"score": 0.0, "details": {"found": False}}
    assert details["parts"]["answers"]["details"]["of"]["details"]["found"] is False


def test_a_part_of_somebodys_own() -> None:
    short = Scorer("short", "short", pl.col("output").str.len_chars() < 5)  # Boolean, no reason
    nan = Scorer("nan", "not a number", pl.lit(float("nan")))
    rows = frame([trace(output="long enough")])
    both = all_of([short, nan])
    found = score(rows, [both], details=True, reasons=True).collect().row(0, named=True)
    assert (found["all_of"], found["all_of_details"]["scored"]) == (0.0, 1)
    assert found["all_of_reason"] == "0.0, and all should hold: 'short' is 0.0"


def deep(levels: int) -> Scorer:
    one = includes("a")
    for level in range(levels):
        both = [one, includes("b")]
        one = [all_of(both), any_of(both), when("output != ''", one), weighted(both)][level % 4]
        one = at_least(one, 0.5) if level % 3 else one
    return one


def test_nests_grow_by_a_part_a_level() -> None:
    """A level adds its own parts, not once more all that is below it."""
    for name in ("score", "details", "reason"):
        sizes = [len(str(getattr(deep(levels), name))) for levels in (4, 12, 20)]
        assert sizes[2] - sizes[1] < 1.2 * (sizes[1] - sizes[0]), name


def test_a_deep_nest_says_at_each_level_what_its_part_says() -> None:
    rows, levels = frame([trace(output=text) for text in ("a", "b", "", None)]), range(6)
    named = [deep(level).named(f"s{level}") for level in levels]
    table = score(rows, named, details=True, reasons=True).collect()
    for row in table.iter_rows(named=True):
        for inner, outer in pairwise(f"s{level}" for level in levels):
            part = {"score": row[inner], "details": row[f"{inner}_details"]}
            assert str(part) in str(row[f"{outer}_details"])
            assert (row[outer] is None) == (row[f"{outer}_reason"] is None)
            if row[outer] is not None:
                assert (row[f"{inner}_reason"] or "") in row[f"{outer}_reason"]


SUITE = """
[scorers.brief]
sql = "array_length(tool_calls) < 2 and output like '%done%'"

[scorers.safe]
check = "all_of"
checks = [
  'includes("done")',
  { check = "excludes", unwanted = { column = "expected" }, id = "no_name" },
  { sql = "latency_ms < 50" },
  { check = "invert", of = "is_refusal()" },
]

[scorers.mean]
check = "weighted"
weights = [3, 1]
[[scorers.mean.checks]]
check = "includes"
expected = "done"
[[scorers.mean.checks]]
check = "at_least"
least = 0.5
of = { check = "similarity", expected = "done" }

[scorers.gated]
check = "when"
condition = "input = 'hi'"
then = { check = "includes", expected = "hello" }

[scorers.gated_by_a_check]
check = "when"
condition = { check = "includes", expected = "done" }
then = "used_no_tools"
"""


def test_suites(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(SUITE)
    scorers = load_suite(path).scorers
    rows = frame([trace(output="It is done, Ann", expected="Bob", input="ho", latency_ms=5.0)])
    found = score(rows, scorers, details=True).collect().row(0, named=True)
    names = ("brief", "safe", "mean", "gated", "gated_by_a_check")
    assert [found[name] for name in names] == [1.0, 1.0, 0.75, None, 1.0]
    assert list(found["safe_details"]["parts"]) == ["includes", "no_name", "sql", "invert"]


CALLS = [
    (
        'all_of([includes("a"), excludes("b", ignore_case=False)])',
        all_of([includes("a"), excludes("b", ignore_case=False)]),
    ),
    ('at_least(weighted([includes("a"), sql("latency_ms > 1")], [1, 2]), 0.5)', None),
    (
        'when(is_refusal(), includes(col("expected")))',
        when(is_refusal(), includes(pl.col("expected"))),
    ),
    ("any_of([\"includes('a')\", invert(none_of([used_no_tools()]))])", None),
    ("sql(\"output = 'a'\")", sql("output = 'a'")),
    ('at_least(includes("a"), 1)', at_least(includes("a"), 1)),
]


@pytest.mark.parametrize(("text", "same"), CALLS)
def test_calls(text: str, same: Scorer | None) -> None:
    made = scorer_from_call(text)
    if same is not None:
        assert made.description == same.description
    rows = frame([trace(output="a", expected="a", latency_ms=5.0)])
    assert len(score(rows, [made]).collect()) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("all_of([])", "'checks' must be a list of checks, at least one"),
        ('all_of([include("a")])', "no check is called 'include'; did you mean 'includes'?"),
        ('all_of([__import__("os")])', "no check is called '__import__'"),
        ('all_of(["a"])', "check 'a': no check is called 'a'"),
        ('all_of([includes("")])', "'expected' is empty"),
        ('all_of([{"expected": "a"}])', "'checks' must be a check: a table with 'check' or 'sql'"),
        ("invert(5)", "'of' must be a check, not 5"),
        ('includes(equals("a"))', "'expected' must be a text or a column"),
        ('at_least(includes("a"), 2)', "'least' must be a number from 0 to 1, not 2"),
        ('weighted([includes("a")], [1, 2])', "'weights' must be as many numbers as checks, 1,"),
        ('weighted([includes("a")], [0])', "'weights' must be as many numbers as checks, 1,"),
        ('sql("output like")', "the condition 'output like' cannot be used"),
        ('sql("(select 1)")', "it has a query of its own in it"),
        ('sql("exists (select 1)")', "it has a query of its own in it"),
        ('sql("*")', "cannot be used"),
        ('sql("output, input")', "cannot be used"),
        ("sql(\"columns('.*')\")", "it stands for several columns"),
        ('when("input =", includes("a"))', "cannot be used"),
    ],
)
def test_what_cannot_be_combined(text: str, message: str) -> None:
    with pytest.raises(BatchevalError) as caught:
        scorer_from_call(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("count(*) > 1", "it does not judge each trace alone"),
        ("sum(latency_ms) > 1", "it does not judge each trace alone"),
        ("rank() over (order by line) > 1", "it looks at other rows, by 'over'"),
        ("count(*) OVER (partition by run) > 3", "it looks at other rows, by 'over'"),
        ("output", "'sql' must be true or false, or a number from 0 to 1, but 'output' is a text"),
        ("tool_calls", "but 'tool_calls' is a list"),
        ("date '2024-01-01'", "but 'date '2024-01-01'' is a time"),
        ("output > 5", "cannot compare string with numeric"),
        ("latencyms > 5", "did you mean 'latency_ms'?"),
    ],
)
def test_sql_that_does_not_fit_the_columns(condition: str, message: str) -> None:
    with pytest.raises(BatchevalError) as caught:
        score(frame([trace(output="a")]), [sql(condition)])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("condition", ["cost", pl.col("cost")])
def test_a_condition_that_is_neither_true_nor_false(condition: str | pl.Expr) -> None:
    scorer, rows = when(condition, includes("a")), frame([trace(output="a", cost=0.5)])
    with pytest.raises(BatchevalError) as caught:
        score(rows, [any_of([scorer])], details=True)
    wanted = "'condition' must be true or false, but "
    assert str(caught.value).startswith(f"scorer 'any_of' cannot be applied: {wanted}")
    assert str(caught.value).endswith(" is a number")


def test_conditions_and_numbers_of_nothing_but_null() -> None:
    scorers = [sql("null"), when("null", includes("a"))]
    assert score(frame([trace(output="a")]), scorers).collect().row(0)[-2:] == (None, None)


def test_words_in_quotes_are_no_windows() -> None:
    scorer = scorer_from_call("sql(\"output like '%over (%'\")")
    assert frame([trace(output="all over (now)")]).select(scorer.score).item() == 1.0


def test_weights_of_any_size() -> None:
    both = [includes("a"), includes("b")]
    found = frame([trace(output="a")]).select(weighted(both, [1e308, 1e308]).score)
    assert found.item() == 0.5
