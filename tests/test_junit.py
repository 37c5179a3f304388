"""JUnit XML: of the schema that build servers know, with bounded groups and no harm."""

from typing import Any, Final
from xml.etree import ElementTree

import polars as pl
import pytest

from batcheval import compare
from batcheval.findings import look_at_comparison, look_at_run
from batcheval.judging import Judged, Judgement
from batcheval.report.junit import comparison_junit, run_junit

# Of each element: the attributes that must be there, those that may, and the elements in it in
# order. Source: the XSD of JUnit reports that Jenkins publishes.
SCHEMA: Final[dict[str, tuple[set[str], set[str], list[str]]]] = {
    "testsuites": (
        set(),
        {"name", "time", "tests", "failures", "errors", "skipped"},
        ["testsuite"],
    ),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"skipped", "time", "timestamp", "hostname", "id", "package"},
        ["properties", "testcase", "system-out", "system-err"],
    ),
    "properties": (set(), set(), ["property"]),
    "property": ({"name", "value"}, set(), []),
    "testcase": (
        {"name", "classname"},
        {"time", "status", "assertions"},
        ["skipped", "error", "failure", "system-out", "system-err"],
    ),
    "failure": (set(), {"message", "type"}, []),
    "skipped": (set(), {"message"}, []),
    "system-out": (set(), set(), []),
}


def checked(xml: str) -> ElementTree.Element:
    """The document, held against the schema; the counts are those of the cases."""
    root = ElementTree.fromstring(xml.encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        needed, allowed, order = SCHEMA[element.tag]
        assert needed <= set(element.attrib) <= needed | allowed, element.attrib
        places = [order.index(child.tag) for child in element]
        assert places == sorted(places)
    for counted in (root, *root.iter("testsuite")):
        cases = list(counted.iter("testcase"))
        assert int(counted.get("tests", -1)) == len(cases)
        for key, tag in (("failures", "failure"), ("skipped", "skipped")):
            assert int(counted.get(key, -1)) == len(list(counted.iter(tag)))
    return root


def cases(root: ElementTree.Element, suite: str) -> dict[str, str]:
    """How each case of a suite ended."""
    (found,) = [each for each in root if each.get("name") == suite]
    return {
        str(case.get("name")): next((e.tag for e in case if e.tag != "system-out"), "passed")
        for case in found.iter("testcase")
    }


SCORES = pl.DataFrame(
    {
        "trace_id": [f"t{n}" for n in range(60)],
        "free": [0.0] * 30 + [1.0] * 30,
        "gated": [0.0] + [1.0] * 59,
        "missed": [0.0, None] + [1.0] * 58,
        "full": [1.0] * 60,
        "idle": [None] * 60,
    },
    schema_overrides={"idle": pl.Float64},
)


def test_a_suite_a_scorer() -> None:
    gates = [Judged("gated", "min", True, "mean"), Judged("missed", "every", False, "98% have 1.0")]
    gates += [Judged("free", "min", False, "low")]
    found = look_at_run(SCORES, judgement=Judgement(gates, "failed"))
    root = checked(run_junit(found))
    assert [suite.get("name") for suite in root] == found.scorers["scorer"].to_list()
    assert cases(root, "free") == {"gate min": "failure", "scored 0.0": "failure"}
    assert cases(checked(run_junit(look_at_run(SCORES))), "free") == {"scored 0.0": "skipped"}
    assert cases(root, "gated") == {"gate min": "passed", "scored 0.0": "skipped"}
    assert cases(root, "missed") == {
        "gate every": "failure",
        "scored 0.0": "failure",
        "unscored": "skipped",
    }
    assert cases(root, "full") == {"no trace scored 0.0": "passed"}
    assert cases(root, "idle") == {"unscored": "skipped"}
    _, failure = next(iter(root)).iter("failure")
    assert failure.get("message") == "30 traces: scored 0.0"
    lines = (failure.text or "").split("\n")
    assert lines[:2] == ["t0", "t1"]
    assert lines[-1] == "and 10 more"
    mean = next(p for p in next(iter(root)).iter("property") if p.get("name") == "mean")
    assert mean.get("value") == "0.5"


@pytest.mark.parametrize("asked", [True, False])
def test_a_comparison(asked: bool) -> None:
    base = SCORES.select("trace_id", good="full", bad="full")
    other = base.with_columns(bad=pl.lit(0.0), good=pl.Series([0.9] + [1.0] * 59))
    change = look_at_comparison(base, other, compare(base, other, resamples=0))
    gates = Judgement([Judged("good", "max_regression", False, "fell")], "scored")
    root = checked(comparison_junit([change], [gates] if asked else ()))
    assert cases(root, "bad") == {"not worse": "failure", "fell by 0.5 or more": "failure"}
    told = {"not worse": "passed", "fell by 0.1 to <0.5": "failure" if asked else "skipped"}
    assert cases(root, "good") == told | ({"gate max_regression": "failure"} if asked else {})
    several = checked(comparison_junit([change, change]))
    assert len(several) in (2, 4)


def test_malice_in_xml() -> None:
    evil = "a\x00b\x1b]]><![CDATA[</failure>&amp;\u202e\ufffe" + "x" * 10_000
    frame = pl.DataFrame({"trace_id": [evil], evil: [0.0], f"{evil}_reason": [evil]})
    gates: list[Any] = [Judged(evil, evil, False, evil)]
    xml = run_junit(look_at_run(frame, judgement=Judgement(gates, "failed")))
    root = checked(xml)
    assert len(xml) < 10_000
    assert str(next(iter(root)).get("name")).startswith("a\\x00b\\x1b]]><![CDATA[</failure>&amp;")
