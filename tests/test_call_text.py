"""Checks typed as calls: what is taken, and where the finger points when it is not."""

from typing import Any

import polars as pl
import pytest

from batcheval.errors import BatchevalError, CallSyntaxError
from batcheval.scorer import Scorer
from batcheval.suite import make_scorer, parse_call, scorer_from_call, scorers_from_calls

TAKEN: list[tuple[str, tuple[str, list[Any], dict[str, Any]]]] = [
    ("used_no_tools", ("used_no_tools", [], {})),
    ("used_no_tools()", ("used_no_tools", [], {})),
    ('  includes ( "sunny" ) ', ("includes", ["sunny"], {})),
    ('includes("a", ignore_case=False)', ("includes", ["a"], {"ignore_case": False})),
    ("f(1, -2, 0.5, -1e3, True, None)", ("f", [1, -2, 0.5, -1000.0, True, None], {})),
    ("f(['a', ('b', 1)], {'a': [1]})", ("f", [["a", ["b", 1]], {"a": [1]}], {})),
    ('package.module:function("x")', ("package.module:function", ["x"], {})),
    ("package.module:function", ("package.module:function", [], {})),
    ("module:Room.function(a=1)", ("module:Room.function", [], {"a": 1})),
    ('matches("\\d+")', ("matches", ["\\d+"], {})),
    ('matches(r"\\bday\\b")', ("matches", ["\\bday\\b"], {})),
    ("includes('day' 'light')", ("includes", ["daylight"], {})),
    ("includes(\n  'a',\r\n  ignore_case=True,\n)", ("includes", ["a"], {"ignore_case": True})),
    ("includes('col(\"x\")')", ("includes", ['col("x")'], {})),
    ("größe('ß')", ("größe", ["ß"], {})),
]


@pytest.mark.parametrize(("text", "call"), TAKEN)
def test_what_is_taken(text: str, call: tuple[str, list[Any], dict[str, Any]]) -> None:
    assert parse_call(text) == call


@pytest.mark.parametrize(
    "spelling", ["col('expected')", "pl.col('expected')", "column('expected')"]
)
def test_columns(spelling: str) -> None:
    scorer = scorer_from_call(f"includes({spelling}, on=col('metadata.city'))")
    assert scorer.columns == {"expected", "metadata.city"}
    (inner,) = parse_call(f"f([{spelling}])").args[0]
    assert inner.meta.eq(pl.col("expected"))


def test_a_call_and_make_scorer_agree() -> None:
    typed = scorer_from_call('includes("sunny", ignore_case=False, on="input")')
    made = make_scorer("includes", ["sunny"], {"ignore_case": False, "on": pl.col("input")})
    assert isinstance(typed, Scorer)
    assert (typed.id, typed.description) == (made.id, made.description)
    assert typed.score.meta.eq(made.score)


ONLY_COL = "a column is written col('its name')"
ONLY_NAMES = "only the name of a check, or col('name of a column'), is called in a call"
ONLY_LITERALS = "only literals and columns are taken"
ONLY_CALLS = "only a check's name, then its arguments, is taken"

# The text, what is wrong with it, and its rest from the place of that on.
REFUSED: list[tuple[str, str, str]] = [
    ("includes(sunny)", "a text needs quotes", "sunny)"),
    ("f('a', b=false)", "this is written False here", "false)"),
    ("f(os.remove('x'))", ONLY_NAMES, "os.remove('x'))"),
    ("f(g('x')('y'))", ONLY_NAMES, "g('x')('y'))"),
    ("f(g(1 + 1))", ONLY_LITERALS, "1 + 1))"),
    ("f([g('x', y=__import__)])", "a text needs quotes", "__import__)])"),
    ("f(col('a', 'b'))", ONLY_COL, "col('a', 'b'))"),
    ("f(col('a').first())", ONLY_NAMES, "col('a').first())"),
    ("f(col('*'))", "'*' would be several columns, not one", "col('*'))"),
    ("f(col(''))", "'' is no column's name", "col(''))"),
    ("f('é', 1 + 1)", ONLY_LITERALS, "1 + 1)"),
    ("f(\n 'é', x.y)", ONLY_LITERALS, "x.y)"),
    ("f(f'{x}')", ONLY_LITERALS, "f'{x}')"),
    ("f(b'a')", ONLY_LITERALS, "b'a')"),
    ("f(...)", ONLY_LITERALS, "...)"),
    ("f(1j)", ONLY_LITERALS, "1j)"),
    ("f({1, 2})", ONLY_LITERALS, "{1, 2})"),
    ("f([x for x in 'a'])", ONLY_LITERALS, "[x for x in 'a'])"),
    ("f(lambda: 1)", ONLY_LITERALS, "lambda: 1)"),
    ("f(not True)", ONLY_LITERALS, "not True)"),
    ("f(*['a'])", ONLY_LITERALS, "*['a'])"),
    ("f(**{'a': 1})", "'**' is not taken", "**{'a': 1})"),
    ("f({**{}})", "only texts and numbers are taken as keys", "{}})"),
    ("f({[]: 1})", "only texts and numbers are taken as keys", "[]: 1})"),
    ("f(a=1, a=2)", "an argument stands twice", "a=2)"),
    ("'sunny'", ONLY_CALLS, "'sunny'"),
    ("f + g", ONLY_CALLS, "f + g"),
    ("f('a').g", ONLY_CALLS, "f('a').g"),
    ("f('a')('b')", ONLY_CALLS, "f('a')('b')"),
    ("(f)('a')", ONLY_CALLS, "(f)('a')"),
    ("abcd(\n).ef", ONLY_CALLS, "abcd(\n).ef"),
    ("f(\udc80)", "this is too deep, or no text,", "f(\udc80)"),
]


@pytest.mark.parametrize(("text", "problem", "rest"), REFUSED)
def test_what_is_refused(text: str, problem: str, rest: str) -> None:
    with pytest.raises(CallSyntaxError) as caught:
        parse_call(text)
    place = f"at character {len(text) - len(rest) + 1}, {rest[:20]!r}"
    assert str(caught.value) == f"the check {text!r} cannot be read: {problem} {place}"
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("includes('a'", "('a'"),
        ("includes('é', 'a)", "'a)"),
        ("includes(1,\n x y)", "x y)"),
        ("includes('a') rest", "rest"),
        ("f(a=1, 'b')", ")"),
    ],
)
def test_broken_python_is_shown_where_it_breaks(text: str, rest: str) -> None:
    # The problem's words are Python's own and differ between its versions.
    with pytest.raises(CallSyntaxError) as caught:
        parse_call(text)
    assert str(caught.value).startswith(f"the check {text!r} cannot be read: ")
    assert str(caught.value).endswith(f" at character {len(text) - len(rest) + 1}, {rest!r}")


def test_an_empty_text() -> None:
    with pytest.raises(CallSyntaxError, match=r"^the check '' cannot be read: .* 1, its end$"):
        parse_call(" ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "include('a')",
            "check \"include('a')\": no check is called 'include'; did you mean 'includes'?"
            " (batcheval checks lists them all)",
        ),
        (
            "includes('a', ignorecase=True)",
            "check \"includes('a', ignorecase=True)\": 'includes' takes no argument 'ignorecase';"
            " did you mean 'ignore_case'?",
        ),
        ("includes", "check 'includes': 'includes' needs the argument 'expected'"),
        (
            "includes(5)",
            "check 'includes(5)': 'expected' must be a text or a column, not 5",
        ),
    ],
)
def test_mistakes_in_what_is_called(text: str, message: str) -> None:
    with pytest.raises(BatchevalError) as caught:
        scorer_from_call(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("texts", "taken", "ids"),
    [
        (["includes('a')"], [], ["includes"]),
        (["includes('a')"] * 3, [], ["includes", "includes_2", "includes_3"]),
        (["includes('a')"], ["includes"], ["includes_2"]),
        (["includes('a')"] * 2, ["includes_2"], ["includes", "includes_3"]),
        (["includes('a')"], ["includes_reason"], ["includes_2"]),
        (["used_no_tools", "includes('a')"], [], ["used_no_tools", "includes"]),
        ([], ["includes"], []),
    ],
)
def test_ids_of_several_calls(texts: list[str], taken: list[str], ids: list[str]) -> None:
    assert [scorer.id for scorer in scorers_from_calls(texts, taken)] == ids
