"""Runs of LangSmith: ingest payloads, run rows of exports, runs with their children inside."""

from collections.abc import Iterator, Mapping
from typing import Any

from batcheval.readers.grammar.observations import an_object, made_step
from batcheval.readers.grammar.runs import trace_of
from batcheval.readers.grammar.steps import Step, step_times
from batcheval.readers.grammar.usage import tokens
from batcheval.readers.grammar.values import dicts, dig, first, has, parsed
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace


def _marks(record: Any) -> int:
    if has(record, "post") or has(record, "patch"):
        runs = [run for key in ("post", "patch") for run in dicts(record.get(key))]
        return 10 if any(has(run, "trace_id") or has(run, "run_type") for run in runs) else 0
    if not has(record, "run_type"):
        return 0
    known = ("trace_id", "dotted_order", "run_id", "parent_run_id", "child_runs", "session_id")
    return 9 if any(key in record for key in known) else 0


def _read(record: Any, place: Place) -> Iterator[Piece]:
    todo: list[Any] = [an_object(record)]
    while todo:
        run = todo.pop()
        if not isinstance(run, Mapping):
            continue
        inner = [run.get(key) for key in ("post", "patch", "child_runs")]
        todo += reversed([child for listed in inner for child in dicts(parsed(listed))])
        if "run_type" in run or "dotted_order" in run:
            told = {key: value for key, value in run.items() if key not in _BULKY}
            yield Piece(str(_trace_id(run) or f"{place.source}:{place.line}"), told)


# Events repeat the outputs of a stream token by token.
_BULKY = frozenset({"child_runs", "events", "serialized", "manifest"})


def _trace_id(run: Mapping[str, Any]) -> Any:
    path = str(run.get("dotted_order") or "").partition(".")[0]
    return first(run, "trace_id") or path[-36:] or _id(run)


def _id(run: Mapping[str, Any]) -> str | None:
    """A patch may lack its id; the path to the run ends with it."""
    own = first(run, "id", "run_id")
    return str(own) if own else str(run.get("dotted_order") or "")[-36:] or None


def _join(key: str, runs: list[Any]) -> Iterator[Trace]:
    merged: dict[str | int, dict[str, Any]] = {}
    for place, run in enumerate(runs):
        known = {name: value for name, value in run.items() if value not in (None, {})}
        merged.setdefault(_id(run) or place, {}).update(known)
    whole = sorted(merged.values(), key=lambda run: str(run.get("dotted_order") or ""))
    root = next((run for run in whole if not run.get("parent_run_id")), whole[0])
    yield trace_of(
        map(_step, whole),
        trace_id=key if _trace_id(root) else None,
        run=first(root, "session_name"),
        task_id=root.get("reference_example_id"),
        labels=_feedback(root),
        metadata=_about(root),
    )


def _step(run: Mapping[str, Any]) -> Step:
    outputs, extra = parsed(run.get("outputs")), parsed(run.get("extra"))
    ends = str(run.get("dotted_order") or "").split(".")
    parent = run.get("parent_run_id") or (ends[-2][-36:] if len(ends) > 1 else None)
    about = dig(extra, "metadata")
    error = run.get("error")
    return made_step(
        run.get("run_type"),
        run.get("name"),
        run.get("inputs"),
        run.get("outputs"),
        trace=str(run.get("trace_id") or "") or None,
        id=_id(run),
        parent=None if parent is None else str(parent),
        **step_times(run.get("start_time"), run.get("end_time")),
        failed=bool(error) or run.get("status") == "error",
        error=str(error) if error else None,
        model=dig(about, "ls_model_name") or dig(outputs, "model"),
        cost=run.get("total_cost"),
        usage=_usage(run, outputs),
        tools=dig(extra, "invocation_params.tools"),
    )


def _usage(run: Mapping[str, Any], outputs: Any) -> dict[str, Any]:
    """Totals are told of every run above a model's as well; the innermost count."""
    told = dig(outputs, "usage_metadata") or dig(outputs, "usage")
    if not isinstance(told, Mapping):
        path = "generations.0.0.message.kwargs.usage_metadata"
        told = dig(outputs, path) or dig(outputs, "llm_output.token_usage")
    return tokens(told if isinstance(told, Mapping) else run)


def _feedback(root: Mapping[str, Any]) -> dict[str, Any]:
    stats = parsed(root.get("feedback_stats"))
    if not isinstance(stats, Mapping):
        return {}
    return {
        name: dig(told, "avg") if dig(told, "avg") is not None else told
        for name, told in stats.items()
    }


def _about(root: Mapping[str, Any]) -> dict[str, Any]:
    tags = parsed(root.get("tags"))
    told = {"name": root.get("name"), "tags": tags if tags else None}
    return {key: value for key, value in told.items() if value is not None}


LAYOUT = Layout("langsmith", "Runs of LangSmith, ingested or exported", _marks, _read, _join)
