"""The heuristic metrics of Opik."""

from collections.abc import Callable
from typing import Any

from opik.evaluation.metrics import (
    ROUGE,
    Contains,
    Equals,
    IsJson,
    LevenshteinRatio,
    RegexMatch,
    SentenceBLEU,
)

Rows = list[dict[str, Any]]


def alone(metric: Any, column: str) -> Callable[[Rows], Any]:
    def job(rows: Rows) -> Callable[[], list[float]]:
        texts = [row[column] for row in rows]
        return lambda: [metric.score(text).value for text in texts]

    return job


def beside(metric: Any, column: str, reference: str) -> Callable[[Rows], Any]:
    def job(rows: Rows) -> Callable[[], list[float]]:
        pairs = [(row[column], row[reference]) for row in rows]
        return lambda: [metric.score(text, expected).value for text, expected in pairs]

    return job


QUIET = {"track": False}

JOBS = {
    "includes": beside(Contains(**QUIET), "output", "expected"),
    "equals": beside(Equals(case_sensitive=True, **QUIET), "twin", "text"),
    "matches": alone(RegexMatch(r"(?i)\brefund(?:s|ed)?\b", **QUIET), "output"),
    "is_json": alone(IsJson(**QUIET), "answer"),
    "levenshtein": beside(LevenshteinRatio(case_sensitive=True, **QUIET), "text", "reference"),
    "bleu": beside(SentenceBLEU(**QUIET), "text", "reference"),
    "rouge_1": beside(ROUGE(rouge_type="rouge1", **QUIET), "text", "reference"),
    "rouge_l": beside(ROUGE(rouge_type="rougeL", **QUIET), "text", "reference"),
}
