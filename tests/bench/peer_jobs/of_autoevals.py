"""The heuristics of autoevals."""

import json
from collections.abc import Callable
from typing import Any

from autoevals import ExactMatch, JSONDiff, Levenshtein, NumericDiff, ValidJSON

Rows = list[dict[str, Any]]


def scored(scorer: Any, output: str, expected: str, read: Callable[[str], Any] = str) -> Any:
    def job(rows: Rows) -> Callable[[], list[float]]:
        pairs = [(read(row[output]), read(row[expected])) for row in rows]
        return lambda: [scorer.eval(one, other).score for one, other in pairs]

    return job


def valid(schema: Any = None) -> Callable[[Rows], Any]:
    def job(rows: Rows) -> Callable[[], list[float]]:
        texts, scorer = [row["answer"] for row in rows], ValidJSON()
        return lambda: [scorer.eval(text, schema).score for text in texts]

    return job


SCHEMA = {"type": "object", "required": ["status"], "properties": {"eta_days": {"maximum": 4}}}

JOBS = {
    "levenshtein": scored(Levenshtein(), "text", "reference"),
    "equals": scored(ExactMatch(), "twin", "text"),
    "json_similarity": scored(JSONDiff(), "document", "expected_document"),
    "number_similarity": scored(NumericDiff(), "number", "expected_number", float),
    "json_equal": scored(ExactMatch(), "document", "expected_document", json.loads),
    "is_json": valid(),
    "json_schema": valid(schema=SCHEMA),
}
