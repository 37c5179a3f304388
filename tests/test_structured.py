"""Documents are parsed once for all checks, evidence is told, and mistakes show at once."""

import json
import math
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from batcheval import checks
from batcheval.checks.structured import documents
from batcheval.checks.structured.equality import equal, similarity
from batcheval.checks.structured.schemas import compiled, is_valid
from batcheval.engine import score
from batcheval.errors import BadArgumentError, BadPatternError, MissingPackageError
from tests.cases import frame, trace

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.0, 1.0, 0.5, "", "1", "ab"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=8,
)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_a_text_is_parsed_once_for_all_checks(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse = documents.parse
    monkeypatch.setattr(documents, "parse", lambda text: (parsed.append(text), parse(text))[1])
    documents._values_of.cache_clear()
    scorers = [
        checks.is_json(),
        checks.json_schema({"type": "object"}),
        checks.json_equal({"a": 1}),
        checks.json_similarity(pl.col("expected")),
        checks.json_path("a", equals=1),
    ]
    rows = [trace(output=text, expected='{"b": 2}') for text in ('{"a": 1}', "no", '{"a": 1}')]
    query = score(frame(rows), scorers, details=True, reasons=True)
    parsed.clear()
    found = query.collect(engine=engine)
    documents._values_of.cache_clear()
    assert set(parsed) == {"no", '{"a": 1}', '{"b": 2}'}
    assert len(parsed) <= (3 if engine == "in-memory" else 6)  # which cuts even three rows in two
    assert found["json_path"].to_list() == [1.0, 0.0, 1.0]


def twin(value: Any) -> Any:
    """A value in which what is equal to JSON is equal to Python."""
    if isinstance(value, dict):
        return ("object", frozenset((key, twin(inner)) for key, inner in value.items()))
    if isinstance(value, list):
        return ("array", tuple(map(twin, value)))
    return ("number", float(value)) if type(value) in (int, float) else (type(value), value)


@given(left=VALUES, right=VALUES)
@settings(max_examples=150)
def test_equality_and_similarity(left: Any, right: Any) -> None:
    assert equal(left, right, 0.0, ()) == (twin(left) == twin(right))
    alike = similarity(left, right)
    assert 0 <= alike <= 1
    assert (alike == 1) == (twin(left) == twin(right))
    assert alike == pytest.approx(similarity(right, left))


@given(value=VALUES, schema=st.sampled_from([
    {"type": "integer"}, {"type": ["array", "null"]}, {"required": ["a"]}, {"enum": [1, "1", None]},
    {"items": {"type": "string"}}, {"maxLength": 1}, {"uniqueItems": True}, {"const": {"a": 1}},
    {"properties": {"a": {"minimum": 1}}, "additionalProperties": False}, True, False,
]))  # fmt: skip
@settings(max_examples=150)
def test_schemas_against_another_library(value: Any, schema: Any) -> None:
    oracle = Draft202012Validator(schema).is_valid(value)
    assert is_valid(value, compiled(schema)) == oracle


@given(text=st.text(alphabet='{}[]",:0123.eE+-ntrufals \\"\n', max_size=12))
@settings(max_examples=200)
def test_json_against_the_standard_library(text: str) -> None:
    def refuse(_: str) -> None:
        raise ValueError

    try:
        value = json.loads(text, parse_constant=refuse)
        known = not (isinstance(value, float) and math.isinf(value)) and "inf" not in repr(value)
    except ValueError:
        known = False
    assert (documents.parse(text).error is None) == known


def evidence(scorer: Any, **fields: Any) -> tuple[Any, Any]:
    scored = score(frame([trace(**fields)]), [scorer], details=True, reasons=True).collect()
    return scored[f"{scorer.id}_details"][0], scored[f"{scorer.id}_reason"][0]


def test_evidence() -> None:
    assert evidence(checks.is_json(), output="[1,]") == (
        {"valid": False, "error": "trailing comma in array (byte 3)"},
        "the output is not JSON, and should be: 'trailing comma in array (byte 3)'",
    )
    assert evidence(checks.is_xml(), output="<a/>") == (
        {"valid": True, "error": None},
        "the output is XML, as it should be",
    )
    schema = {"items": {"type": "integer"}}
    assert evidence(checks.json_schema(schema), output='[1, "x"]') == (
        {"valid": False, "errors": ['[1]: "x" is not of type "integer"']},
        'the output does not fit the schema, and should: \'[1]: "x" is not of type "integer"\'',
    )
    assert evidence(checks.json_path("a[*]", min=2), output='{"a": [1, 3]}') == (
        {"found": 2, "value": "1"},
        "the output has '1' at 'a[*]', which does not meet what is asked: min 2",
    )
    assert evidence(checks.json_equal([1]), output="[2]") == (
        {"equal": False, "error": None},
        "the output is not the expected JSON, which it should be",
    )


BAD: list[tuple[type[Exception], Any, list[Any], dict[str, Any]]] = [
    *[(BadArgumentError, checks.is_json, [], {"fenced": value}) for value in (None, 1, "yes")],
    *[(BadArgumentError, checks.is_xml, [], {"on": value}) for value in (None, "input")],
    *[
        (BadArgumentError, checks.json_schema, [value], {})
        for value in ("{", {"type": "foo"}, 5, {"$ref": "http://a.b/c"}, {"pattern": "("})
    ],
    *[
        (BadArgumentError, checks.json_equal, [value], {})
        for value in ("a", "NaN", {1, 2}, object())
    ],
    *[(BadArgumentError, checks.json_equal, ["1"], {"tolerance": v}) for v in (-1, "1", math.inf)],
    *[(BadArgumentError, checks.json_equal, ["1"], {"ignore": v}) for v in ("a", [1], ["a["])],
    *[(BadArgumentError, checks.json_similarity, ["1"], {"threshold": v}) for v in (2, "1")],
    *[(BadArgumentError, checks.json_path, [value], {}) for value in (None, 1, "a[")],
    (BadArgumentError, checks.json_path, ["a"], {"absent": True, "min": 1}),
    (BadArgumentError, checks.json_path, ["a"], {"type": "text"}),
    (BadArgumentError, checks.json_path, ["a"], {"max": "1"}),
    (BadPatternError, checks.json_path, ["a"], {"matches": "("}),
    (BadArgumentError, checks.is_sql, [], {"dialect": "postgre"}),
]


@pytest.mark.parametrize(("error", "check", "args", "options"), BAD)
def test_bad_arguments_raise_at_once(
    error: type[Exception], check: Any, args: list[Any], options: dict[str, Any]
) -> None:
    with pytest.raises(error) as caught:
        check(*args, **options)
    assert "\n" not in str(caught.value)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sqlglot.dialects.dialect", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'batcheval\[sql\]'"):
        checks.is_sql()
