"""Reports of pydantic-evals: a case each, or the report as a whole."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.completions import seconds
from batcheval.readers.grammar.usage import tokens
from batcheval.readers.grammar.values import as_text, dicts, first, has, picked
from batcheval.readers.layouts.layout import Layout, Place, Trace

_VERDICTS: Final = ("scores", "labels", "assertions")
_TELLING: Final = ("task_duration", "assertions", "error_stacktrace", "evaluator_failures")
_REST: Final = ("metadata", "attributes", "trace_id", "span_id", "error_stacktrace")


def _marks(record: Any) -> int:
    if _is_case(record):
        return 9
    if not has(record, "cases"):
        return 0
    cases = [*dicts(record["cases"]), *dicts(record.get("failures"))]
    return 10 if any(map(_is_case, cases)) else 0


def _is_case(value: Any) -> bool:
    return has(value, "inputs") and any(key in value for key in _TELLING)


def _read(record: Any, place: Place) -> Iterator[Trace]:
    if has(record, "inputs"):
        yield _trace(record, None)
    elif isinstance(record, Mapping):
        for case in (*dicts(record.get("cases")), *dicts(record.get("failures"))):
            yield _trace(case, record.get("name"))


def _trace(case: Mapping[str, Any], run: Any) -> Trace:
    """A case; its own trace id is no name for it, since all cases of a run share one."""
    metrics = case.get("metrics")
    metrics = metrics if isinstance(metrics, Mapping) else {}
    return {
        "trace_id": first(case, "name"),
        "run": run,
        "task_id": first(case, "source_case_name", "name"),
        "input": _said(case.get("inputs")),
        "output": _said(case.get("output")),
        "expected": _said(case.get("expected_output")) or None,
        "error": first(case, "error_message"),
        "latency_ms": seconds(case.get("task_duration")),
        "cost": metrics.get("cost"),
        "labels": _labels(case),
        "metadata": picked({**case, "metrics": metrics or None}, *_REST, "metrics"),
        **tokens(metrics),
    }


def _said(value: Any) -> str:
    """A text; of an object with one text in it, that; else its JSON."""
    texts = list(value.values()) if isinstance(value, Mapping) else []
    one = len(texts) == 1 and isinstance(texts[0], str)
    return texts[0] if one else as_text(value)


def _labels(case: Mapping[str, Any]) -> dict[str, Any] | None:
    """What each evaluator found, by its name, without the reasons."""
    found: dict[str, Any] = {}
    for kind in _VERDICTS:
        results = case.get(kind)
        for name, result in results.items() if isinstance(results, Mapping) else ():
            found[name] = result.get("value") if isinstance(result, Mapping) else result
    return found or None


LAYOUT = Layout("pydantic_evals", "Reports of pydantic-evals", _marks, _read)
