"""The steps that a run took: its tool calls, or those of the trajectory that a trace brings."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from batcheval.checks.trajectories.names import COMPARABLE, named
from batcheval.checks.trajectories.values import canonical, decode, of_call


class UnscoredError(ValueError):
    """What was asked for cannot be told from what the row holds (never leaves this package)."""


class Step(NamedTuple):
    """One step: `fields` are the values that can be compared, as canonical bytes."""

    name: str
    type: str | None
    fields: Mapping[str, bytes]
    failed: bool = False
    duration: object = None
    source: Mapping[str, Any] | None = None  # the object that it was read from

    def children(self) -> "list[Step]":
        return steps_of(self.source.get("children", ())) if self.source else []


class Run(NamedTuple):
    """The steps of a run, and what is known of them as a whole without looking at them."""

    steps: Sequence[Step]
    duration: object = None
    redundant: int | None = None


def step_of_call(
    name: str,
    succeeded: bool,
    args: str | None = None,
    result: str | None = None,
    duration: float | None = None,
) -> Step:
    """A tool call as a step."""
    fields = {"success": b"true" if succeeded else b"false"}
    if args is not None:
        fields["tool_args"] = of_call(args)
    if result is not None:
        fields["tool_result"] = of_call(result)
    return Step(name, "tool_call", fields, not succeeded, duration)


def steps_of(items: object) -> list[Step]:
    """The steps of a decoded list: objects, or names.

    Raises:
        UnscoredError: it is no list of steps.
    """
    if not isinstance(items, list | tuple):
        raise UnscoredError("no list of steps")
    return [_step(source_of(item)) for item in items]


def source_of(item: object) -> dict[str, Any]:
    """A step as an object whose keys are in snake case, from an object or a name.

    Raises:
        UnscoredError: it is neither.
    """
    if isinstance(item, dict):
        return named(item)
    if isinstance(item, str):
        return {"name": item}
    raise UnscoredError("no step")


def _step(source: dict[str, Any]) -> Step:
    name, kind = source.get("name"), source.get("step_type")
    if not (isinstance(name, str) and name and isinstance(kind, str | None)):
        raise UnscoredError("a step without a name, or of an odd type")
    fields = {key: canonical(source[key]) for key in COMPARABLE & source.keys()}
    failed = fields.get("success") == b"false"
    return Step(name, kind, fields, failed, source.get("duration_ms"), source)


def trajectory_of(text: str, called: Run) -> Run:
    """The trajectory in JSON text: an object with `steps`, or just these.

    Args:
        text: the JSON text.
        called: the run as its calls tell it, for a trajectory without steps.

    Raises:
        UnscoredError: the text is anything else.
    """
    try:
        found = decode(text) if text.strip() else None
        whole = named(found if isinstance(found, dict) else {"steps": found})
        total = whole.get("total_duration_ms")
        if "steps" in whole:
            return Run(steps_of(whole["steps"]), total)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnscoredError("no JSON") from error
    return called if total is None else called._replace(duration=total)


def sources(steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    """The objects of steps and of all steps below them, in no special order.

    Raises:
        UnscoredError: one of the children is no step.
    """
    waiting = [dict(step.source) for step in steps if step.source]
    while waiting:
        source = waiting.pop()
        yield source
        children = source.get("children", [])
        if not isinstance(children, list):
            raise UnscoredError("no list of steps")
        waiting += map(source_of, children)
