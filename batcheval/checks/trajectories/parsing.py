"""Expectations read from the arguments of a check, or from JSON text of a row."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final

import msgspec

from batcheval.checks.trajectories.expectations import Asked, Expectation, Route, key_of
from batcheval.checks.trajectories.names import EXPECTATION, STEP, compared, named
from batcheval.checks.trajectories.rules import RULES, STRICT, a_list
from batcheval.checks.trajectories.steps import Step, UnscoredError
from batcheval.checks.trajectories.values import canonical, decode
from batcheval.errors import BadArgumentError, quoted

MOST_DEEP: Final = 50  # children of children of an expected step

_IGNORED: Final = ("metadata", "total_duration_ms")  # a recorded trajectory may have them


def expectation_of(text: str) -> Expectation:
    """The expectation in a row's JSON text: an object, or a list of steps; unknown keys are let be.

    Raises:
        UnscoredError: the text is anything else.
    """
    try:
        return expectation("expected_trajectory", decode(text), strict=False)
    except (msgspec.DecodeError, RecursionError, BadArgumentError) as error:
        raise UnscoredError("no expectation") from error


def expectation(name: str, value: object, *, strict: bool, depth: int = 0) -> Expectation:
    """An expectation from decoded JSON: an object, or just a list of steps.

    Args:
        name: the argument, for the message.
        value: the JSON value.
        strict: it was given as an argument, so unknown keys and orders are mistakes.
        depth: how many steps it is below.

    Raises:
        BadArgumentError: it makes no sense.
    """
    fields = value if isinstance(value, dict) else {"steps": value}
    if not isinstance(value, dict | list) or depth > MOST_DEEP:
        raise BadArgumentError(name, f"a list of steps, at most {MOST_DEEP} deep", value)
    fields = named(fields)
    if strict:
        _known(name, "an expectation", fields, (*EXPECTATION, *_IGNORED))
    rules = RULES | (STRICT if strict else {})
    given = {key: rules[key](key, fields[key]) for key in rules if key in fields}
    if "steps" in fields:
        steps = a_list(name, "a list of steps", fields["steps"])
        given["steps"] = Route(_asked(name, step, strict, depth) for step in steps)
    return Expectation(**given)


def json_value(name: str, value: object) -> Any:
    """A value of Python as decoded JSON.

    Raises:
        BadArgumentError: it cannot be written as JSON.
    """
    if isinstance(value, set | frozenset):  # which JSON would give some order
        raise BadArgumentError(name, "a list", value)
    try:
        return decode(msgspec.json.encode(value))
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise BadArgumentError(name, "made of what JSON can hold", value) from error


def _asked(name: str, item: object, strict: bool, depth: int) -> Asked:
    source = named(_inner(item)) if isinstance(item, dict) else {"name": item}
    step, kind = source.get("name"), source.get("step_type")
    if not (isinstance(step, str) and step and isinstance(kind, str | None)):
        raise BadArgumentError(name, "a list of steps, each a name or a table with one", item)
    if strict:
        _known(name, "steps", source, STEP)
    if isinstance(args := source.get("tool_args"), str):
        source["tool_args"] = _unwrapped(args)
    given = {field: canonical(source[field]) for field in compared(kind) if field in source}
    shape = (kind is not None, tuple(given))
    below = source.get("children")
    if below is not None:
        below = expectation(name, below, strict=strict, depth=depth + 1)
    return Asked(step, kind, shape, key_of(Step(step, kind, given), shape), below)


def _inner(item: dict[str, Any]) -> dict[str, Any]:
    """A call as OpenAI has it holds its name and arguments in `function`."""
    inner = item.get("function")
    return inner if isinstance(inner, dict) and "name" not in item else item


def _unwrapped(text: str) -> Any:
    """Arguments that are JSON in a text."""
    try:
        return decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text


def _known(name: str, what: str, given: Iterable[str], known: Iterable[str]) -> None:
    names = list(known)
    for key in given:
        if key not in names:
            near = get_close_matches(key, names, n=1) or names[:3]
            raise BadArgumentError(name, f"{what} with keys such as {quoted(near)}", key)
