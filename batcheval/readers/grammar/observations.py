"""Steps of platforms that log runs in fields of their own: Langfuse, LangSmith, Braintrust."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from batcheval.readers.grammar.steps import KINDS, Step, step_times
from batcheval.readers.grammar.usage import tokens
from batcheval.readers.grammar.values import dicts, dig, first, parsed


def spelled(record: Mapping[str, Any], name: str) -> Any:
    """A field by its name in snake case or in camel case.

    Example:
        >>> spelled({"traceId": 1}, "trace_id"), spelled({"trace_id": 2}, "trace_id")
        (1, 2)
    """
    value = record.get(name)
    return record.get(_camel(name)) if value is None else value


@cache
def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def an_object(record: Any) -> Mapping[str, Any]:
    """The record, if it is an object.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(record, dict):
        raise ValueError("the record is no JSON object")
    return record


def made_step(kind: Any, name: Any, given: Any, made: Any, **more: Any) -> Step:
    """A step with these payloads: a tool's are those of its call."""
    sort = KINDS.get(str(kind).lower(), "")
    step: dict[str, Any] = {"kind": sort, "name": str(name or "")}
    if sort == "tool":
        call = {"name": step["name"], "args": _arguments(given), "result": _result(made)}
        step["call"] = {key: value for key, value in call.items() if value is not None}
    else:
        step |= {"input": given, "output": made, "agent": step["name"]}
    if sort == "retriever":
        step["documents"] = documents_in(made)
    step |= {key: value for key, value in more.items() if value not in (None, "", {}, [])}
    return step  # type: ignore[return-value]


def _arguments(given: Any) -> Any:
    """Many tracers wrap the arguments as `{"input": …}`."""
    value = parsed(given)
    if isinstance(value, dict) and set(value) == {"input"}:
        inner = parsed(value["input"])
        return inner if isinstance(inner, dict) or isinstance(value["input"], str) else given
    return given


def _result(made: Any) -> Any:
    value = parsed(made)
    if isinstance(value, dict) and set(value) == {"output"}:
        return value["output"]
    return made


def documents_in(made: Any) -> list[str]:
    """The texts that a retriever found.

    Example:
        >>> documents_in({"documents": [{"page_content": "a"}, {"text": "b"}, "c"]})
        ['a', 'b', 'c']
    """
    value = parsed(made)
    if isinstance(value, dict):
        value = first(value, "documents", "output", "results", "retrievalContext")
    if not isinstance(value, list):
        return []
    texts = (
        first(entry, "page_content", "pageContent", "text", "content")
        if isinstance(entry, dict)
        else entry
        for entry in value
    )
    return [text for text in texts if isinstance(text, str)]


def step_of_observation(row: Mapping[str, Any]) -> Step:
    """An observation of Langfuse, of the API (camel case) or an export (snake case)."""
    usage = parsed(spelled(row, "usage_details")) or parsed(row.get("usage"))
    costs = parsed(spelled(row, "cost_details"))
    failed = str(row.get("level")).upper() == "ERROR"
    return made_step(
        row.get("type"),
        row.get("name"),
        row.get("input"),
        row.get("output"),
        trace=_text(spelled(row, "trace_id")),
        id=_text(row.get("id")),
        parent=_text(spelled(row, "parent_observation_id")),
        **step_times(spelled(row, "start_time"), spelled(row, "end_time")),
        failed=failed,
        error=_text(spelled(row, "status_message")) if failed else None,
        model=_text(first(row, "model", "provided_model_name", "providedModelName")),
        cost=spelled(row, "total_cost") or dig(costs, "total") or row.get("calculatedTotalCost"),
        tools=_tools(spelled(row, "tool_definitions")),
        usage=tokens(usage),
    )


def _tools(told: Any) -> Any:
    """Definitions by name, each JSON in a string."""
    told = parsed(told)
    if not isinstance(told, dict):
        return [*dicts(told)]
    return [
        {"name": name, **body} if isinstance(body := parsed(held), dict) else {"name": name}
        for name, held in told.items()
    ]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
