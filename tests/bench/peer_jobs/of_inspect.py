"""The scorers of inspect_ai, which are coroutines: one event loop runs them all, one by one."""

import asyncio
from collections.abc import Callable
from typing import Any

from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import Target, exact, f1, includes, match, pattern, value_to_float
from inspect_ai.solver import TaskState

Rows = list[dict[str, Any]]


def scored(scorer: Any, column: str, expected: str) -> Callable[[Rows], Any]:
    def job(rows: Rows) -> Callable[[], list[float]]:
        pairs = [(state(row[column]), Target(row[expected])) for row in rows]

        async def each() -> list[Any]:
            return [(await scorer(one, target)).value for one, target in pairs]

        return lambda: list(map(number, asyncio.run(each())))

    return job


def state(text: str) -> TaskState:
    output = ModelOutput.from_content("none/none", text)
    model = ModelName("none/none")
    return TaskState(model=model, sample_id=1, epoch=1, input="", messages=[], output=output)


number = value_to_float()

JOBS = {
    "includes": scored(includes(), "output", "expected"),
    "quasi_exact_match": scored(exact(), "twin", "text"),
    "ends_with": scored(match(location="end"), "text", "expected"),
    "matches": scored(pattern(r"(\brefund(?:s|ed)?\b)"), "output", "expected"),
    "token_f1": scored(f1(), "text", "reference"),
}
