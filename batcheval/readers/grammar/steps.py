"""Steps: what spans, runs and observations have in common once their spelling is known."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypedDict

from batcheval.readers.grammar.clock import instant
from batcheval.readers.layouts.layout import Trace

KINDS: Final = {
    **dict.fromkeys(("tool", "execute_tool", "toolcall", "ai.toolcall", "mcp_tool"), "tool"),
    **dict.fromkeys(("llm", "chat_model", "generation", "chat", "text_completion"), "llm"),
    **dict.fromkeys(("generate_content", "completion", "model", "call_llm"), "llm"),
    **dict.fromkeys(("agent", "invoke_agent", "create_agent", "agent_run"), "agent"),
    **dict.fromkeys(("retriever", "retrieval"), "retriever"),
}


class Step(TypedDict, total=False):
    """A step of a run; JSON, so that it may wait on disk. What is unknown is not there.

    `kind` is tool, llm, agent, retriever or none of them; `start` and `end` are nanoseconds;
    `call` has the call's id, name, args and result where the step is a tool's.
    """

    trace: str | None
    id: str | None
    parent: str | None
    name: str
    kind: str
    start: int | None
    end: int | None
    failed: bool
    error: str | None
    input: Any
    output: Any
    call: dict[str, Any]
    agent: str | None
    model: str | None
    usage: dict[str, Any]
    cost: Any
    tools: Any
    documents: list[str]
    about: dict[str, Any]


class Tree:
    """The steps of one trace, in the order of their start, and who is whose parent.

    Example:
        >>> tree = Tree([{"id": "b", "parent": "a", "start": 2}, {"id": "a", "parent": "gone"}])
        >>> [step["id"] for step in tree.roots], [s["id"] for s in tree.above(tree.steps[0])]
        (['a'], ['a'])
    """

    def __init__(self, steps: Iterable[Step]) -> None:
        self._by_id: dict[str, Step] = {}
        self.steps = sorted(self._once(steps), key=_start)
        absent = (s for s in self.steps if s.get("parent") not in self._by_id)
        self.roots = sorted(absent, key=lambda step: (_start(step), -(step.get("end") or 0)))

        models = self.of("llm") or self.of("tool")
        self._main = self._agent(models[0]) if models else None

    def _once(self, steps: Iterable[Step]) -> Iterator[Step]:
        """A step that was exported twice counts once, as it was told last."""
        kept: dict[Any, Step] = {}
        for place, step in enumerate(steps):
            id = step.get("id")
            kept[(id, step.get("name"), step.get("kind")) if id else place] = step
        for step in kept.values():
            if id := step.get("id"):
                self._by_id.setdefault(id, step)
            yield step

    def above(self, step: Step) -> Iterator[Step]:
        """The ancestors that are known, nearest first; a circle ends where it closes."""
        seen: set[str] = set()
        parent = step.get("parent")
        while parent in self._by_id and parent not in seen:
            seen.add(parent)
            yield self._by_id[parent]
            parent = self._by_id[parent].get("parent")

    def is_delegated(self, step: Step) -> bool:
        """Whether a step is below a tool's, or another agent's than the main one."""
        return self.sub_agent(step) is not None or any(
            above.get("kind") == "tool" for above in self.above(step)
        )

    def sub_agent(self, step: Step) -> str | None:
        """The name of the agent that a step is of, None for the main agent: who spoke first."""
        own = self._agent(step)
        return None if own == self._main else own

    def _agent(self, step: Step) -> str | None:
        named = (s.get("agent") for s in self.above(step) if s.get("kind") == "agent")
        return next((name for name in named if name), None)

    def of(self, *kinds: str) -> list[Step]:
        """The steps of these kinds."""
        return [step for step in self.steps if step.get("kind") in kinds]

    def innermost(self, key: str) -> list[Any]:
        """What steps tell under a key, save those above another that tells it: it counts once."""
        telling = [step for step in self.steps if step.get(key) not in (None, {})]
        outer: set[int] = set()
        for step in telling:
            for above in self.above(step):
                if id(above) in outer:
                    break
                outer.add(id(above))
        return [step[key] for step in telling if id(step) not in outer]  # type: ignore[literal-required]


def _start(step: Step) -> float:
    start = step.get("start")
    return float("inf") if start is None else start


def timing(step: Step) -> Trace:
    """When a step started and how long it took, as far as it is known."""
    start, end = step.get("start"), step.get("end")
    told: Trace = {} if start is None else {"started_at": start}
    if start is not None and end is not None and end >= start:
        told["duration_ms"] = (end - start) / 10**6
    return told


def span_of_time(steps: Iterable[Step]) -> Trace:
    """When the first of the steps started, and the milliseconds until the last one ended."""
    every = [*steps]
    starts = [start for step in every if (start := step.get("start")) is not None]
    ends = [end for step in every if (end := step.get("end")) is not None]
    whole: Step = {"start": min(starts, default=None), "end": max(ends, default=None)}
    told = timing(whole)
    return {{"duration_ms": "latency_ms"}.get(key, key): value for key, value in told.items()}


def step_times(start: Any, end: Any) -> dict[str, Any]:
    """The times of a step, from those of the wild."""
    return {"start": instant(start), "end": instant(end)}
