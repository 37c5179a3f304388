import json
from typing import Any

import polars as pl

from batcheval.checks import (
    is_html,
    is_json,
    is_python,
    is_sql,
    is_xml,
    is_yaml,
    json_equal,
    json_path,
    json_schema,
    json_similarity,
)
from tests.cases import Case, trace

EXPECTED = pl.col("expected")
FENCED = 'So:\n```json\n{"a": [1]}\n```\nThat is all. ```{}```'
DEEP = "[" * 501 + "]" * 501
MEGABYTE = json.dumps([{"id": n, "name": "x" * 50} for n in range(14_000)])
_TENS = [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)]
LAUGHS = f'<!DOCTYPE a [<!ENTITY a0 "ha">{"".join(_TENS)}]><a>&a9;</a>'  # a billion of them
SHAPE = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
ITEMS = '{"items": [{"price": 3, "name": "tea"}, {"price": 40, "name": null}], "a b": {"c": true}}'

_FORMED: dict[str, Any] = {"valid": pl.Boolean(), "error": pl.String()}
DETAILS: dict[str, dict[str, Any]] = {
    **{name: _FORMED for name in ("is_json", "is_xml", "is_html", "is_yaml", "is_sql")},
    "is_python": _FORMED,
    "json_schema": {"valid": pl.Boolean(), "errors": pl.List(pl.String)},
    "json_equal": {"equal": pl.Boolean(), "error": pl.String()},
    "json_similarity": {"score": pl.Float64(), "error": pl.String()},
    "json_path": {"found": pl.Int64(), "value": pl.String()},
}

CASES: list[Case] = [
    (is_json(), trace(output=' {"a": [1, null, "x"]} \n'), 1.0),
    (is_json(), trace(output="7"), 1.0),
    (is_json(), trace(output=""), 0.0),
    (is_json(), trace(output=None), 0.0),  # it said nothing
    (is_json(), trace(output="{'a': 1}"), 0.0),
    (is_json(), trace(output='{"a": 1,}'), 0.0),
    (is_json(), trace(output="[NaN]"), 0.0),
    (is_json(), trace(output="Infinity"), 0.0),
    (is_json(), trace(output="1e999"), 0.0),
    (is_json(), trace(output="9" * 4000), 1.0),
    (is_json(), trace(output="9" * 5000), 0.0),
    (is_json(), trace(output="\ufeff{}"), 0.0),
    (is_json(), trace(output='"\\ud800"'), 0.0),
    (is_json(), trace(output='{"a": 1, "a": 2}'), 1.0),
    (is_json(), trace(output=DEEP), 0.0),
    (is_json(), trace(output=DEEP[1:-1]), 1.0),
    (is_json(), trace(output="[" * 100_000), 0.0),
    (is_json(), trace(output="[]" + ",[]" * 600), 0.0),
    (is_json(), trace(output="[[]" + ",[]" * 600 + "]"), 1.0),  # many, but not deep
    (is_json(), trace(output=MEGABYTE), 1.0),
    (is_json(), trace(output=FENCED), 0.0),
    (is_json(fenced=True), trace(output=FENCED), 1.0),
    (is_json(fenced=True), trace(output="[1]"), 1.0),  # no fence: the whole
    (is_json(fenced=True), trace(output="~~~\n[1]"), 1.0),  # one that stays open
    (is_json(fenced=True), trace(output="````\n```\n[1]\n````"), 0.0),
    (is_json(on=EXPECTED), trace(output="{}"), None),
    # json_schema
    (json_schema(SHAPE), trace(output='{"a": 1}'), 1.0),
    (json_schema(SHAPE), trace(output='{"a": 1.0}'), 1.0),  # an integer by value
    (json_schema(SHAPE), trace(output='{"a": true}'), 0.0),
    (json_schema(SHAPE), trace(output='{"a": "1"}'), 0.0),
    (json_schema(SHAPE), trace(output='{"a": null}'), 0.0),
    (json_schema(SHAPE), trace(output="{}"), 0.0),
    (json_schema(SHAPE), trace(output="a"), 0.0),
    (json_schema(json.dumps(SHAPE), fenced=True), trace(output='```\n{"a": 1}\n```'), 1.0),
    (json_schema({}), trace(output="9" * 1000), 1.0),
    (json_schema({"pattern": "^(?=a)(a|aa)+(?<!b)$"}), trace(output=f'"{"a" * 60}!"'), 0.0),
    (json_schema({"items": {"$ref": "#"}}), trace(output=DEEP[1:-1]), 1.0),
    (json_schema(EXPECTED), trace(output="1", expected='{"type": "number"}'), 1.0),
    (json_schema(EXPECTED), trace(output="1"), None),
    (json_schema(EXPECTED), trace(output="1", expected="{"), None),
    (json_schema(EXPECTED), trace(output="1", expected='{"type": "foo"}'), None),
    (json_schema(EXPECTED), trace(output="1", expected='{"$ref": "http://a.b/c"}'), None),
    # json_equal
    (json_equal({"a": 1, "b": [True]}), trace(output='{"b": [true], "a": 1.0}'), 1.0),
    (json_equal([1, 2]), trace(output="[2, 1]"), 0.0),
    (json_equal(1), trace(output="true"), 0.0),
    (json_equal(1), trace(output='"1"'), 0.0),
    (json_equal('"1"'), trace(output='"1"'), 1.0),
    (json_equal({"a": None}), trace(output="{}"), 0.0),  # null is not missing
    (json_equal({"a": None}), trace(output='{"a": null}'), 1.0),
    (json_equal(0), trace(output="-0.0"), 1.0),
    (json_equal({"a": 2}), trace(output='{"a": 1, "a": 2}'), 1.0),  # the last one counts
    (json_equal(1), trace(output="1.05"), 0.0),
    (json_equal(1, tolerance=0.1), trace(output="1.05"), 1.0),
    (json_equal(1, tolerance=0.1), trace(output="true"), 0.0),
    (json_equal(1, tolerance=0.1), trace(output="9" * 400), 0.0),
    (json_equal({"a": 1}, ignore=["id"]), trace(output='{"a": 1, "id": 7}'), 1.0),
    (json_equal({"a": 1}, ignore=["a"]), trace(output="{}"), 1.0),
    (json_equal('[{"b": 1}]', ignore=["[*].t"]), trace(output='[{"b": 1, "t": 9}]'), 1.0),
    (json_equal("[1, 2]", ignore=["[0]"]), trace(output="[5, 2]"), 1.0),
    (json_equal("[1, 2]", ignore=["[0]"]), trace(output="[2]"), 0.0),
    (json_equal("{}"), trace(output="no"), 0.0),
    (json_equal("{}"), trace(output=""), 0.0),
    (json_equal(EXPECTED), trace(output="{}", expected="{ }"), 1.0),
    (json_equal(EXPECTED), trace(output="{}", expected=""), None),
    (json_equal(EXPECTED), trace(output="{}"), None),
    (json_equal(EXPECTED, fenced=True), trace(output=FENCED, expected='{"a":[1]}'), 1.0),
    (json_equal(EXPECTED), trace(output=DEEP[1:-1], expected=DEEP[1:-1] + " "), 1.0),
    # json_similarity
    (json_similarity("{}"), trace(output="{}"), 1.0),
    (json_similarity("[]"), trace(output="[]"), 1.0),
    (json_similarity("{}"), trace(output="[]"), 0.0),
    (json_similarity("{}"), trace(output="oh"), 0.0),
    (json_similarity({"a": 1, "b": "cat"}), trace(output='{"a": 1, "b": "cut"}'), 5 / 6),
    (json_similarity({"a": 1, "b": 2}), trace(output='{"a": 1, "c": 2}'), 1 / 3),
    (json_similarity({"a": None}), trace(output="{}"), 0.0),
    (json_similarity([1, 2, 3]), trace(output="[1, 2]"), 2 / 3),
    (json_similarity(3), trace(output="1"), 0.5),
    (json_similarity(1), trace(output="-1"), 0.0),
    (json_similarity(1), trace(output="true"), 0.0),
    (json_similarity(0), trace(output="0.0"), 1.0),
    (json_similarity(1e308), trace(output="-1e308"), 0.0),
    (json_similarity(1), trace(output="9" * 400), 0.0),
    (json_similarity([1, 2], threshold=0.5), trace(output="[1]"), 1.0),
    (json_similarity(EXPECTED), trace(output="[1]"), None),
    (json_similarity(EXPECTED), trace(output="[1]", expected="[1, 2]"), 0.5),
    # json_path
    (json_path("items[0].price"), trace(output=ITEMS), 1.0),
    (json_path("items[2].price"), trace(output=ITEMS), 0.0),
    (json_path("items[-1].price", equals=40.0), trace(output=ITEMS), 1.0),
    (json_path("items[0].price", equals="3"), trace(output=ITEMS), 0.0),
    (json_path('["a b"].c', equals=True), trace(output=ITEMS), 1.0),
    (json_path('["a b"].c', equals=1), trace(output=ITEMS), 0.0),
    (json_path("items[*].price", min=3, max=40), trace(output=ITEMS), 1.0),
    (json_path("items[*].price", min=4), trace(output=ITEMS), 0.0),
    (json_path("items[*].price", max=39.9), trace(output=ITEMS), 0.0),
    (json_path('["a b"].c', min=0), trace(output=ITEMS), 0.0),  # true is no number
    (json_path("items[0].name", matches="^t"), trace(output=ITEMS), 1.0),
    (json_path("items[*].name", matches="^t"), trace(output=ITEMS), 0.0),  # null is no text
    (json_path("items[1].name", type="null"), trace(output=ITEMS), 1.0),
    (json_path("items[1].name", absent=True), trace(output=ITEMS), 0.0),  # null is there
    (json_path("items[1].cost", absent=True), trace(output=ITEMS), 1.0),
    (json_path("a", absent=True), trace(output="none"), 0.0),
    (json_path("", type="object"), trace(output="{}"), 1.0),
    (json_path("[*]", type="array"), trace(output='{"a": [], "b": []}'), 1.0),
    (json_path("a", equals={"b": [1]}), trace(output='{"a": {"b": [1.0]}}'), 1.0),
    (json_path("a", fenced=True, type="array"), trace(output=FENCED), 1.0),
    (json_path("a", on=EXPECTED), trace(output="{}"), None),
    # is_xml
    (is_xml(), trace(output='<?xml version="1.0"?>\n<a b="c">&amp;<d/></a>'), 1.0),
    (is_xml(), trace(output="<a><b></a></b>"), 0.0),
    (is_xml(), trace(output="<a/><a/>"), 0.0),
    (is_xml(), trace(output="a"), 0.0),
    (is_xml(), trace(output=" "), 0.0),
    (is_xml(), trace(output="<a>" * 10_000 + "</a>" * 10_000), 1.0),
    (is_xml(), trace(output=LAUGHS), 0.0),
    (is_xml(), trace(output='<!DOCTYPE a [<!ENTITY b SYSTEM "file:///x">]><a/>'), 1.0),
    (is_xml(fenced=True), trace(output="```xml\n<a/>\n```"), 1.0),
    # is_html
    (is_html(), trace(output="<!DOCTYPE html><html><head><title>a<b</title><body><p>b"), 1.0),
    (is_html(), trace(output="<ul><li>one<li>two</ul><br/><img src='>'>"), 1.0),
    (is_html(), trace(output="<b>bold"), 0.0),
    (is_html(), trace(output="<b><i>x</b></i>"), 0.0),
    (is_html(), trace(output="<foo>x</foo>"), 0.0),
    (is_html(), trace(output="<x-foo>x</x-foo>"), 1.0),
    (is_html(), trace(output="<svg><path d='M0'/><g></g></svg>"), 1.0),
    (is_html(), trace(output="<script>if (a < b) '<b>'</script>"), 1.0),
    (is_html(), trace(output="<!-- <b> --><p>x</p>"), 1.0),
    (is_html(), trace(output="<!-- <b>"), 0.0),
    (is_html(), trace(output="1 < 2 and 3 > 2"), 0.0),
    (is_html(), trace(output=""), 0.0),
    (is_html(), trace(output="<" * 300_000), 0.0),
    (is_html(), trace(output="<a b='" * 100_000), 0.0),
    (is_html(), trace(output="<div>" * 5_000 + "</div>" * 5_000), 1.0),
    # is_yaml
    (is_yaml(), trace(output="a: 1\nb:\n  - c"), 1.0),
    (is_yaml(), trace(output="- a\n---\nb: c"), 1.0),
    (is_yaml(), trace(output='{"a": [1]}'), 1.0),
    (is_yaml(), trace(output="just words"), 0.0),
    (is_yaml(), trace(output="a: b: c"), 0.0),
    (is_yaml(), trace(output="a: [1"), 0.0),
    (is_yaml(), trace(output=""), 0.0),
    (is_yaml(), trace(output="[" * 10_000), 0.0),
    (is_yaml(), trace(output="a: &a [x]\n" + "b: [*a, *a]\n" * 50), 1.0),  # not followed
    (is_yaml(), trace(output="a: !!python/object/apply:os.system [x]"), 1.0),  # nor made
    (is_yaml(fenced=True), trace(output="```yaml\na: 1\n```"), 1.0),
    # is_sql
    (is_sql(), trace(output="select a, b from t where c > 1; insert into t values (1)"), 1.0),
    (is_sql(), trace(output="with a as (select 1) select * from a"), 1.0),
    (is_sql(), trace(output="select from from"), 0.0),
    (is_sql(), trace(output="hello"), 0.0),
    (is_sql(), trace(output="hello world"), 0.0),
    (is_sql(), trace(output="show tables"), 0.0),
    (is_sql(), trace(output=";"), 0.0),
    (is_sql(), trace(output=None), 0.0),
    (is_sql(), trace(output="select 1" + " + 1" * 50_000), None),
    (is_sql(), trace(output="select " + "(" * 2_000), 0.0),
    (is_sql(dialect="postgres"), trace(output="select a::int from t"), 1.0),
    (is_sql(fenced=True), trace(output="```sql\nselect 1\n```"), 1.0),
    # is_python
    (is_python(), trace(output="def f(x):\n    return x + 1"), 1.0),
    (is_python(), trace(output='print("\\d")'), 1.0),  # a warning is no error
    (is_python(), trace(output="x is 1"), 1.0),
    (is_python(), trace(output="print 'a'"), 0.0),
    (is_python(), trace(output=""), 0.0),
    (is_python(), trace(output="a\x00b"), 0.0),
    (is_python(), trace(output="(" * 10_000 + ")" * 10_000), 0.0),
    (is_python(), trace(output="-" * 50_000 + "1"), 0.0),
    (is_python(), trace(output="x = " + "9" * 10_000), 0.0),
    (is_python(), trace(output="x = 1\n" * 180_000), None),
    (is_python(fenced=True), trace(output="Try:\n```python\nx = 1\n```\nDone"), 1.0),
]
