"""What is expected of a run: its steps, made ready to be looked for, and all else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from batcheval.checks.trajectories.steps import Step

MOST_RETRIES: Final = 2

# What of a step is compared besides its name: its type or not, and some fields.
Shape: TypeAlias = tuple[bool, tuple[str, ...]]
Key: TypeAlias = str | tuple[object, ...]


class Asked(NamedTuple):
    """An expected step: the key that a step must have in its shape, and what its children must."""

    name: str
    type: str | None
    shape: Shape
    key: Key
    children: "Expectation | None" = None

    def bare(self) -> "Asked":
        """The same, asking for the name and the type alone."""
        step = Step(self.name, self.type, {})
        shape = (self.type is not None, ())
        return Asked(self.name, self.type, shape, key_of(step, shape), self.children)


class Route:
    """Expected steps, in their order."""

    def __init__(self, steps: Iterable[Asked]) -> None:
        self.steps = tuple(steps)
        self.names = [step.name for step in self.steps]
        self.known = frozenset(self.names)
        self.shapes = tuple(dict.fromkeys(step.shape for step in self.steps))
        self.fields = {field for _, names in self.shapes for field in names}

    @cached_property
    def parents(self) -> "Route | None":
        """Those of the steps that ask something of their children, if any."""
        bare = [step.bare() for step in self.steps if step.children is not None]
        return Route(bare) if bare else None


def key_of(step: Step, shape: Shape) -> Key:
    """What of a step is compared in this shape; a field that it lacks is None."""
    typed, names = shape
    if not names:
        return (step.name, step.type) if typed else step.name
    return step.name, typed and step.type, *map(step.fields.get, names)


@dataclass(frozen=True, eq=False)
class Expectation:
    """What is expected of a run; None where nothing is said."""

    steps: Route | None = None
    ordering: str | None = None
    allow_repeated_steps: bool | None = None
    max_steps: float | None = None
    max_total_tokens: float | None = None
    max_total_duration_ms: float | None = None
    no_redundant_calls: bool | None = None
    blacklisted_tools: Sequence[str] | None = None
    blacklisted_sequences: Sequence[Sequence[str]] | None = None
    max_retries_per_tool: float | None = None

    def under(self, other: "Expectation") -> "Expectation":
        """This one with the fields of the other laid over it, where that one says something."""
        said = {field.name: getattr(other, field.name) for field in fields(other)}
        return replace(self, **{name: value for name, value in said.items() if value is not None})

    @cached_property
    def order(self) -> str:
        return self.ordering or "relaxed"

    @cached_property
    def most_retries(self) -> float:
        return MOST_RETRIES if self.max_retries_per_tool is None else self.max_retries_per_tool

    @cached_property
    def looks_for_redundancy(self) -> bool:
        limits = (self.max_steps, self.max_total_tokens, self.max_total_duration_ms)
        if self.no_redundant_calls is None:
            return any(limit is not None for limit in limits)
        return self.no_redundant_calls

    @cached_property
    def needs(self) -> set[str]:
        """What of tool calls it looks at besides names and states: see `call_columns`."""
        asked = self.steps.fields if self.steps else set()
        needs = {name for name in ("args", "result") if f"tool_{name}" in asked}
        if self.looks_for_redundancy:
            needs.add("redundant")
        if self.max_total_duration_ms is not None:
            needs.add("duration")
        if self.steps and self.steps.parents:
            needs.add("duration_ms")
        return needs
