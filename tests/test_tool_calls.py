"""Checks against expected calls: slow twins, and what other libraries say of the same calls."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval.checks import (
    called_together,
    forbidden_sequence,
    max_calls_per_tool,
    only_tools,
    parallel_calls,
    required_before,
    single_tool_use,
    tool_args,
    tool_duration,
    tool_error_rate,
    tool_f1,
    tool_loops,
    tool_precision,
    tool_recall,
    tool_result,
    tool_retries,
    tool_sequence_similarity,
    tools_any_order,
    tools_exact,
    tools_in_order,
    tools_subset,
    tools_superset,
    unanswered_calls,
    valid_tool_args,
    valid_tool_names,
)
from batcheval.engine import score
from batcheval.errors import BatchevalError
from batcheval.scorer import Scorer
from tests.cases import Trace, frame, trace

# a name and a number; as an expected call, without the number, it fits any of the name
CALL = st.tuples(st.sampled_from("ab"), st.integers(0, 1))
WANTED = st.tuples(st.sampled_from("ab"), st.one_of(st.none(), st.integers(0, 1)))
RUNS = st.lists(
    st.tuples(st.lists(CALL, max_size=4), st.lists(WANTED, max_size=4)), min_size=20, max_size=40
)


def run(made: Any, wanted: Any) -> Trace:
    calls = [{"name": n, "args": json.dumps({"x": x}), "state": "ok"} for n, x in made]
    asked = [{"name": n} if x is None else {"name": n, "args": {"x": x}} for n, x in wanted]
    return trace(tool_calls=calls, expected_tool_calls=json.dumps(asked))


def fits(call: Any, wanted: Any) -> bool:
    return bool(call[0] == wanted[0] and wanted[1] in (None, call[1]))


def most(made: Any, wanted: Any) -> int:
    """The size of the best assignment, by trying all."""
    short, long = sorted((range(len(made)), range(len(wanted))), key=len)
    swapped = len(made) > len(wanted)
    return max(
        sum(
            fits(made[b], wanted[a]) if swapped else fits(made[a], wanted[b])
            for a, b in zip(short, order, strict=False)
        )
        for order in permutations(long, len(short))
    )


def follows(made: Any, wanted: Any) -> bool:
    rest = iter(made)
    return all(any(fits(call, one) for call in rest) for one in wanted)


def longest(made: Any, wanted: Any) -> int:
    """The longest common subsequence, by trying all."""
    if not made or not wanted:
        return 0
    skipped = max(longest(made[1:], wanted), longest(made, wanted[1:]))
    return max(skipped, fits(made[0], wanted[0]) + longest(made[1:], wanted[1:]))


def distance(made: Any, wanted: Any) -> int:
    """The least number of calls to insert, delete or replace, by trying all."""
    if not made or not wanted:
        return len(made) + len(wanted)
    replaced = (not fits(made[0], wanted[0])) + distance(made[1:], wanted[1:])
    return min(replaced, 1 + distance(made[1:], wanted), 1 + distance(made, wanted[1:]))


def scores(rows: list[Trace], *scorers: Scorer) -> list[list[float | None]]:
    named = [scorer.named(str(n)) for n, scorer in enumerate(scorers)]
    table = score(frame(rows), named).collect()
    return [table[scorer.id].to_list() for scorer in named]


@pytest.mark.parametrize("arguments", [True, False])
@given(runs=RUNS)
@settings(
    deadline=None, max_examples=5
)  # of many rows each, since to score costs more than they do
def test_the_best_assignment(arguments: bool, runs: Any) -> None:
    checks = (tool_precision, tool_recall, tool_f1, tools_any_order, tools_in_order, tools_exact)
    scorers = [check(arguments=arguments) for check in (*checks, tools_subset, tools_superset)]
    methods: list[Literal["lcs", "edit"]] = ["lcs", "edit"]
    scorers += [tool_sequence_similarity(method=way, arguments=arguments) for way in methods]
    got = scores([run(*one) for one in runs], *scorers)
    for place, (made, asked) in enumerate(runs):
        wanted = asked if arguments else [(name, None) for name, _ in asked]
        met, a, e = most(made, wanted), len(made), len(wanted)
        precision = met / a if a else float(not e)
        told = [
            precision,
            met / e if e else 1.0,
            2 * met / (a + e) if a + e else 1.0,
            float(met == a == e),
            float(follows(made, wanted)),
            float(a == e and all(map(fits, made, wanted))),
            float(met == a),
            float(met == e),
            2 * longest(made, wanted) / (a + e) if a + e else 1.0,
            1 - distance(made, wanted) / max(a, e) if a + e else 1.0,
        ]
        assert [column[place] for column in got] == pytest.approx(told)


def test_broken_arguments_are_told() -> None:
    row = trace(tool_calls=[{"name": "s", "args": "{", "state": "ok"}])
    scorer = tool_recall([{"name": "s", "args": {"a": 1}}])
    table = score(frame([row]), [scorer], details=True).collect()
    details = table["tool_recall_details"][0]
    assert details["missing"] == []
    assert details["differed"][0].startswith("s: the arguments are no JSON")
    assert isinstance(table, pl.DataFrame)


TOOLS = [{"name": "s", "parameters": {"properties": {"q": {"type": "string"}}}}]
DEFINITIONS: dict[str, Any] = {
    "list.json": TOOLS,
    "names.json": ["s"],
    "server.json": {"tools": [{"name": "s", "inputSchema": TOOLS[0]["parameters"]}]},
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_definitions_from_a_file(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(json.dumps(DEFINITIONS[name]), "utf-8-sig")
    given = [[("s", '"x"')], [("s", "1")], [("r", '"x"')]]
    rows = [
        trace(tool_calls=[{"name": n, "args": f'{{"q": {q}}}', "state": "ok"} for n, q in calls])
        for calls in given
    ]
    names, args = scores(rows, valid_tool_names(file=str(file)), valid_tool_args(file=str(file)))
    assert names == [1.0, 1.0, 0.0]
    assert args == [1.0, float(name == "names.json"), 0.0]


BAD_FILES = {
    "broken.json": "{",
    "number.json": "5",
    "nameless.json": '[{"description": "of what"}]',
    "schema.json": '[{"name": "s", "parameters": {"minimum": "x"}}]',
    "latin.json": '["\xe9"]',
}


@pytest.mark.parametrize("check", [valid_tool_names, valid_tool_args])
@pytest.mark.parametrize("name", [*BAD_FILES, "lost.json", ""])
def test_files_that_define_nothing(check: Any, name: str, tmp_path: Path) -> None:
    for file, text in BAD_FILES.items():
        (tmp_path / file).write_bytes(text.encode("latin-1"))
    with pytest.raises(BatchevalError, match="'file' must be") as caught:
        check(file=str(tmp_path / name))
    assert "\n" not in str(caught.value)


def test_a_schema_of_a_row_that_is_none_is_told() -> None:
    tools = json.dumps([{"name": "s", "parameters": {"minimum": "x"}}])
    row = trace(tool_calls=["s"], tool_definitions=tools)
    table = score(frame([row]), [valid_tool_args()], details=True).collect()
    assert table["valid_tool_args"][0] == 0.0
    (problem,) = table["valid_tool_args_details"][0]["problems"]
    assert problem.startswith("s: the schema in its definition is none: ")


NAN = float("nan")
AGAINST = (
    *(tools_exact, tools_in_order, tools_any_order, tools_subset, tools_superset),
    *(tool_precision, tool_recall, tool_f1, tool_sequence_similarity, single_tool_use),
)
GRADED = (tool_precision, tool_recall, tool_f1, tool_sequence_similarity)
COL = pl.col("a")
BAD: list[tuple[Any, list[Any], dict[str, Any]]] = [
    *[
        (check, [value], {})
        for check in AGAINST
        for value in (5, True, "", [""], [5], {"args": {}}, {"name": ""}, [{"name": 5}], [["s"]])
    ],
    *[
        (check, [{"name": "s", "args": args}], {})
        for check in AGAINST
        for args in ("{", {"x": {"matches": "("}}, {"x": {1}}, {"x": NAN})
    ],
    *[
        (check, ["s"], options)
        for check in AGAINST
        for options in (
            *({"arguments": 1}, {"tolerance": -1}, {"tolerance": NAN}, {"tolerance": "1"}),
            *({"ignore_case": "no"}, {"ignore": "a..b"}, {"ignore": [5]}, {"extra": None}),
        )
    ],
    *[(check, ["s"], {"threshold": v}) for check in GRADED for v in (-0.1, 1.1, NAN, "1", True)],
    *[(tool_sequence_similarity, ["s"], {"method": value}) for value in ("LCS", None, 1)],
    *[(single_tool_use, [value], {}) for value in ([], ["s", "r"])],
    *[
        (check, [name], {"equals": 1})
        for check in (tool_args, tool_result)
        for name in ("", 5, None, ["s"])
    ],
    *[
        (check, ["s"], options)
        for check in (tool_args, tool_result)
        for options in (
            *({}, {"matches": "("}, {"matches": 5}, {"matches": COL}, {"contains": 5}),
            *({"schema": {"type": "nothing"}}, {"schema": "{"}, {"schema": 5}, {"schema": COL}),
            *({"equals": {1}}, {"equals": NAN}, {"equals": 1, "ignore": [5]}),
            *({"equals": 1, "calls": value} for value in ("each", 0, -1, 1.5, True, None)),
            *({"equals": 1, "tolerance": value} for value in (-1, NAN, True, "1")),
            {"equals": 1, "ignore_case": "no"},
        )
    ],
    *[(tool_error_rate, [], {"max": value}) for value in (-0.1, 1.1, NAN, "1", True)],
    *[
        (check, [], {"max": value})
        for check in (tool_retries, tool_loops, unanswered_calls)
        for value in (-1, 1.5, True, "1", None)
    ],
    *[
        (check, [], {"tool_name": value})
        for check in (tool_error_rate, tool_retries, tool_loops, unanswered_calls)
        for value in ("", 5, ["s"])
    ],
    (tool_loops, [], {"max": 0}),
    (tool_loops, [], {"in_a_row": 1}),
    *[
        (check, [value], {})
        for check in (valid_tool_names, valid_tool_args)
        for value in (5, "s", b"s", {}, [5], [{}], [{"name": "s", "parameters": {"minimum": "x"}}])
    ],
    *[(check, [["s"]], {"file": "x.json"}) for check in (valid_tool_names, valid_tool_args)],
    *[(check, [], {"file": 5}) for check in (valid_tool_names, valid_tool_args)],
    *[(only_tools, [value], {}) for value in ("s", None, 5, [""], [5])],
    *[(called_together, [value], {}) for value in ("s", [], ["s"], ["s", ""], None)],
    *[(max_calls_per_tool, [value], {}) for value in (-1, 1.5, True, {"s": -1}, {"": 1}, None)],
    *[(required_before, args, {}) for args in (["", "s"], ["s", ""], [5, "s"], ["s", None])],
    *[(forbidden_sequence, [value], {}) for value in ("s", [], [""], [5], None)],
    (forbidden_sequence, [["s", "r"]], {"gaps": 1}),
    *[(parallel_calls, [], options) for options in ({"min": -1}, {"min": 3, "max": 2})],
    *[(parallel_calls, [], options) for options in ({"min": 1.5}, {"max": True}, {"min": None})],
    *[(tool_duration, [value], {}) for value in (-1, NAN, "5", True, None)],
    *[(tool_duration, [5], options) for options in ({"of": "sum"}, {"tool_name": ""})],
]


@pytest.mark.parametrize("check", dict.fromkeys(row[0] for row in BAD), ids=lambda c: c.__name__)
def test_bad_arguments_get_one_clear_line(check: Any) -> None:
    for args, options in [row[1:] for row in BAD if row[0] is check]:
        with pytest.raises(BatchevalError) as caught:
            check(*args, **options)
        assert "\n" not in str(caught.value)
