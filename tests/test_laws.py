"""What holds for every check, whatever it checks."""

import inspect
import math
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any, Literal

import polars as pl
import pytest

from batcheval import checks
from batcheval.checks import (
    CHECKS,
    called_tool,
    did_not_call,
    equals,
    excludes,
    find_check,
    includes,
    matches,
    max_tool_calls,
    no_tool_errors,
    repetition,
    rouge_n,
    similarity,
    tool_call_accuracy,
    tool_order,
    used_no_tools,
)
from batcheval.engine import score
from batcheval.errors import (
    BadArgumentError,
    BadPatternError,
    BatchevalError,
    BlankArgumentError,
    CheckImportError,
    UnknownCheckError,
)
from batcheval.schema import canonical
from batcheval.scorer import Scorer
from tests.cases import Case, Trace, frame
from tests.cases.rooms import ALL, ROOMS

SCORERS = [scorer.named(f"s{place}") for place, (scorer, _, _) in enumerate(ALL)]
COL = pl.col("expected")


@pytest.mark.parametrize("room", ROOMS)
def test_laws_of_scores(room: str) -> None:
    """A score depends on its row alone, is a float in range or null, and has a reason."""
    cases: list[Case] = ROOMS[room].CASES
    # but for the one column that holds lists in some examples and texts in others, and the long
    # texts, of which one check makes short work and its neighbours do not
    kept = [case for case in cases if "wanted" not in case[1] and not is_long(case[1])]
    traces = frame([{**row, "trace_id": str(n)} for n, (_, row, _) in enumerate(kept)])
    step = min(len(kept) // 16 + 1, 5)  # each check has at least five: few, but all are met
    scorers = [scorer.named(f"s{n}") for n, (scorer, _, _) in enumerate(kept)][::step]
    whole = scored(traces, scorers, "streaming")
    depends_on_its_row_alone(traces, scorers, whole)
    for scorer in scorers:
        is_in_range_or_null(whole[scorer.id])
        unscored = whole[scorer.id].is_null()
        assert whole[f"{scorer.id}_reason"].is_null().equals(unscored), scorer.description


def is_long(row: Trace) -> bool:
    return any(isinstance(value, str) and len(value) > 2_000 for value in row.values())


def scored(
    traces: pl.DataFrame, scorers: list[Scorer], engine: Literal["streaming", "in-memory"]
) -> pl.DataFrame:
    frames = score(traces, scorers, details=True, reasons=True)
    return frames.select("trace_id", pl.col("^s[0-9].*$")).collect(engine=engine)


def depends_on_its_row_alone(
    traces: pl.DataFrame, scorers: list[Scorer], whole: pl.DataFrame
) -> None:
    cut, around = len(traces) // 3, traces.reverse()
    parts = [scored(part, scorers, "in-memory") for part in (around[:cut], around[cut:])]
    assert pl.concat(parts).reverse().equals(whole)
    assert scored(traces[:0], scorers, "streaming").equals(whole[:0])


def is_in_range_or_null(column: pl.Series) -> None:
    assert column.dtype == pl.Float64
    assert not column.is_nan().any()
    assert column.drop_nulls().is_between(0, 1).all()


@pytest.mark.parametrize("scorer", SCORERS[::2], ids=lambda scorer: scorer.description[:60])
def test_scorers_give_floats_themselves(scorer: Scorer) -> None:
    """`score()` casts and drops NaN; a check needs neither."""
    row = ALL[SCORERS.index(scorer)][1]
    rows = canonical(frame([row])).with_columns(
        pl.lit(None, pl.String).alias(name) for name in scorer.columns if "." in name
    )
    column = rows.select(scorer.score.alias("x")).collect()["x"]
    assert column.dtype == pl.Float64
    assert not column.is_nan().any()


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_is_shown_and_tried(name: str) -> None:
    function = CHECKS[name]
    assert sum(scorer.id == name for scorer, _, _ in ALL) >= 5
    assert "Example:\n" in (inspect.getdoc(function) or "")
    assert not {"check", "id", "column"} & set(inspect.signature(function).parameters)
    assert getattr(checks, name) is function


def test_no_module_has_the_name_of_a_check() -> None:
    for name in CHECKS:
        with pytest.raises(ImportError):
            __import__(f"batcheval.checks.{name}")


READS: list[tuple[Scorer, set[str]]] = [
    (includes("x"), {"output"}),
    (includes(COL), {"output", "expected"}),
    (includes(COL, on=pl.col("input")), {"input", "expected"}),
    (excludes(pl.col("a") + pl.col("b")), {"output", "a", "b"}),
    (equals("x", on=pl.col("metadata.city")), {"metadata.city"}),
    (matches("x"), {"output"}),
    (matches(r"(.)\1"), {"output"}),
    (similarity(COL), {"output", "expected"}),
    (called_tool("x"), {"tool_calls"}),
    (called_tool(COL), {"tool_calls", "expected"}),
    (did_not_call("x"), {"tool_calls"}),
    (tool_order(["x"]), {"tool_calls"}),
    (tool_order(COL), {"tool_calls", "expected"}),
    (max_tool_calls(1), {"tool_calls"}),
    (used_no_tools(), {"tool_calls"}),
    (no_tool_errors(), {"tool_calls"}),
]


@pytest.mark.parametrize(("scorer", "columns"), READS, ids=lambda x: getattr(x, "description", ""))
def test_columns_are_read_off_the_expressions(scorer: Scorer, columns: set[str]) -> None:
    assert scorer.columns == columns


NAN = float("nan")
BAD: list[tuple[type[BatchevalError], Callable[..., Scorer], list[Any], dict[str, Any]]] = [
    (BlankArgumentError, includes, [""], {}),
    (BlankArgumentError, excludes, [""], {}),
    (BlankArgumentError, called_tool, [""], {}),
    (BlankArgumentError, did_not_call, [""], {}),
    *[
        (BadArgumentError, check, [value], {})
        for check in (includes, excludes, equals, matches, similarity, called_tool, did_not_call)
        for value in (None, 5, True, ["a"], b"a", "\ud800")
    ],
    *[
        (BadArgumentError, check, ["x"], {"ignore_case": value})
        for check in (includes, excludes, equals, similarity)
        for value in (None, 1, "false", COL)
    ],
    *[
        (BadArgumentError, check, ["x"], {"on": value})
        for check in (includes, excludes, equals, matches, similarity)
        for value in (None, "input", 1)
    ],
    *[(BadArgumentError, matches, ["x"], {"exact": value}) for value in (None, 1, "yes")],
    *[(BadPatternError, matches, [value], {}) for value in ("(", "a{2,1}", "[z-a]", "*", r"\q")],
    *[
        (BadArgumentError, similarity, ["x"], {"threshold": value})
        for value in (-0.1, 1.01, NAN, math.inf, True, "0.5", COL)
    ],
    *[
        (BadArgumentError, called_tool, ["x"], {"times": value})
        for value in (0, -1, 1.5, 2.0, NAN, True, "2", None)
    ],
    *[(BadArgumentError, repetition, [], {"n": value}) for value in (0, 51, 2**62, 4.0, True)],
    *[(BadArgumentError, rouge_n, ["x"], {"n": value}) for value in (0, 10, 2**62)],
    *[(BadArgumentError, max_tool_calls, [v], {}) for v in (-1, 0.5, 3.0, True, False, "3", None)],
    *[
        (BadArgumentError, check, [pl.col("expected_tool_calls")], {})
        for check in (called_tool, did_not_call, tool_call_accuracy)
    ],
    *[
        (BadArgumentError, tool_order, [value], {})
        for value in ("search", None, 3, [""], ["a", None], ["a", 1], [["a"]], [COL], {"a": 1})
    ],
]


@pytest.mark.parametrize(("error", "check", "args", "options"), BAD)
def test_bad_arguments_raise_at_once(
    error: type[BatchevalError],
    check: Callable[..., Scorer],
    args: list[Any],
    options: dict[str, Any],
) -> None:
    with pytest.raises(error) as caught:
        check(*args, **options)
    assert "\n" not in str(caught.value)


def offer(monkeypatch: pytest.MonkeyPatch, name: str, place: str) -> None:
    point = EntryPoint(name=name, value=place, group="batcheval.checks")
    monkeypatch.setattr(checks, "entry_points", lambda group: [point])


def test_find_check(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_check("includes") is includes
    offer(monkeypatch, "theirs", "batcheval.checks.text:excludes")
    assert find_check("theirs") is excludes
    with pytest.raises(UnknownCheckError, match="did you mean 'includes'"):
        find_check("include")
    with pytest.raises(UnknownCheckError, match="did you mean 'theirs'"):
        find_check("their")
    for place in ("no_such_package:x", "batcheval.checks.text:no_such_check"):
        offer(monkeypatch, "theirs", place)
        with pytest.raises(CheckImportError, match=place):
            find_check("theirs")
