"""The metrics of DeepEval that ask no model; those that would have one are given none to call."""

from collections.abc import Callable
from typing import Any

from deepeval.metrics import ExactMatchMetric, PatternMatchMetric, ToolCorrectnessMetric
from deepeval.models import DeepEvalBaseLLM
from deepeval.scorer import Scorer
from deepeval.test_case import LLMTestCase, ToolCall, ToolCallParams

Rows = list[dict[str, Any]]


class NoModel(DeepEvalBaseLLM):  # type: ignore[misc]
    """A model that must not be called."""

    def load_model(self) -> None:
        return None

    def generate(self, *_: Any, **__: Any) -> str:
        raise AssertionError("a model was asked")

    async def a_generate(self, *_: Any, **__: Any) -> str:
        raise AssertionError("a model was asked")

    def get_model_name(self) -> str:
        return "none"


def measured(metric: Any, case: Callable[[dict[str, Any]], Any]) -> Callable[[Rows], Any]:
    def job(rows: Rows) -> Callable[[], list[float]]:
        cases = [case(row) for row in rows]
        return lambda: [metric.measure(one, _show_indicator=False) for one in cases]

    return job


def scored(method: Callable[[str, str], float]) -> Callable[[Rows], Any]:
    def job(rows: Rows) -> Callable[[], list[float]]:
        pairs = [(row["text"], row["twin"]) for row in rows]
        return lambda: [method(one, other) for one, other in pairs]

    return job


def text(row: dict[str, Any]) -> Any:
    return LLMTestCase(
        input="", actual_output=row["output"] or "-", expected_output=row["expected"]
    )


def twin(row: dict[str, Any]) -> Any:
    return LLMTestCase(input="", actual_output=row["twin"], expected_output=row["text"])


def calls(row: dict[str, Any]) -> Any:
    made, wanted = (
        [ToolCall(name=call["name"], input_parameters=call["args"]) for call in row[column]]
        for column in ("tool_calls", "expected_tool_calls")
    )
    return LLMTestCase(input="", actual_output="", tools_called=made, expected_tools=wanted)


def tools(**options: Any) -> Any:
    params = [ToolCallParams.INPUT_PARAMETERS] if options.pop("arguments") else []
    return ToolCorrectnessMetric(
        model=NoModel(), async_mode=False, evaluation_params=params, **options
    )


JOBS = {
    "equals": measured(ExactMatchMetric(), twin),
    "matches": measured(PatternMatchMetric(r"(?is).*\brefund(?:s|ed)?\b.*"), text),
    "quasi_exact_match": scored(Scorer.quasi_exact_match_score),
    "tools_exact": measured(tools(arguments=True, should_exact_match=True), calls),
    "tool_recall": measured(tools(arguments=False), calls),
}
