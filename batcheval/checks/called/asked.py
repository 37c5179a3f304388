"""What is asked of the arguments or the result of a call."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import polars as pl

from batcheval.checks.called.patterns import is_found
from batcheval.checks.called.rules import Rules, differences, patterns
from batcheval.checks.regexes import is_linear
from batcheval.checks.structured.documents import Parsed, children
from batcheval.checks.structured.expected import json_value
from batcheval.checks.structured.schemas import BadSchemaError, compiled, problems
from batcheval.errors import BadArgumentError, MissingArgumentError

Read = Callable[[str], Parsed]


class Asked(NamedTuple):
    """What all of it must be, whatever it is that a row says itself.

    Attributes:
        fixed: tests of a value by the argument that asks for them; each gives what is wrong.
        columns: the arguments that have a value a row, `equals` or `contains`.
        by: how values are compared.
        words: all that is asked for.
    """

    fixed: Mapping[str, Callable[[Any], list[str]]]
    columns: Mapping[str, pl.Expr]
    by: Rules
    words: str

    def problem(self, found: Parsed, own: tuple[Parsed, ...]) -> str | None:
        """What is wrong with a value; "" if nothing is, None if that cannot be told.

        Args:
            found: the value.
            own: what a row says itself, by `columns`.
        """
        if found.error is not None:
            return found.error
        try:
            tests = [*self.fixed.values(), *map(self._test, self.columns, own)]
            told = [text for test in tests for text in test(found.value)]
        except TimeoutError:
            return None
        return "; ".join(told[:3])

    def _test(self, name: str, wanted: Parsed) -> Callable[[Any], list[str]]:
        return _MAKERS[name](wanted.value, self.by)


def asked(check: str, given: Mapping[str, Any], by: Rules, read: Read, *, is_json: bool) -> Asked:
    """What arguments ask for; a None is no argument.

    Args:
        check: the name of the check.
        given: `equals`, `contains`, `matches` and `schema`.
        by: how values are compared.
        read: reads a text as a value.
        is_json: a text that is to be equal is JSON, and nothing else.

    Raises:
        MissingArgumentError: nothing is asked for.
        BadArgumentError: an argument is of the wrong type.
        BadPatternError: no engine can read a pattern.
    """
    there = {name: value for name, value in given.items() if value is not None}
    if not there:
        raise MissingArgumentError(check, "equals', 'contains', 'matches' or 'schema")
    columns = {name: value for name, value in there.items() if isinstance(value, pl.Expr)}
    fixed = {}
    for name, value in there.items():
        if name in columns:
            if name in ("matches", "schema"):
                raise BadArgumentError(name, "the same for all rows", value)
            continue
        wanted = _literal(name, value, read, is_json)
        for pattern in patterns(wanted) if name in ("equals", "contains") else ():
            is_linear(pattern)  # raises where none can read it
        fixed[name] = _MAKERS[name](wanted, by)
    words = ", ".join(f"{name} {_shown(value)}" for name, value in there.items())
    return Asked(fixed, columns, by, words)


def _literal(name: str, value: Any, read: Read, is_json: bool) -> Any:
    if name in ("matches", "contains") and isinstance(value, str):
        if not value:
            raise BadArgumentError(name, "a text that is not empty", value)
        return value
    if name == "matches":
        raise BadArgumentError(name, "a regular expression", value)
    if name in ("contains", "schema") and not isinstance(value, Mapping | str):
        raise BadArgumentError(name, "a table or a text", value)
    if name == "equals" and isinstance(value, str) and not is_json:
        return read(value).value
    return json_value(name, value)


def _equals(wanted: Any, by: Rules) -> Callable[[Any], list[str]]:
    return lambda found: differences(found, wanted, by)


def _contains(wanted: Any, by: Rules) -> Callable[[Any], list[str]]:
    if not isinstance(wanted, str):
        return lambda found: differences(found, wanted, by._replace(extra=True))
    fold = str.lower if by.ignore_case else str
    text = fold(wanted)
    return lambda found: (
        []
        if any(text in fold(one) for one in _texts(found))
        else [f"no text in it has {wanted!r:.60}"]
    )


def _matches(pattern: str, _: Rules) -> Callable[[Any], list[str]]:
    is_linear(pattern)
    return lambda found: (
        []
        if any(is_found(pattern, one) for one in _texts(found))
        else [f"{pattern!r:.60} is found in no text of it"]
    )


def _schema(wanted: Any, _: Rules) -> Callable[[Any], list[str]]:
    try:
        schema = compiled(wanted)
    except BadSchemaError as error:
        raise BadArgumentError("schema", f"a JSON Schema ({error})", wanted) from None
    return lambda found: problems(found, schema)


_MAKERS = {"equals": _equals, "contains": _contains, "matches": _matches, "schema": _schema}


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value, keys not among them."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        waiting += children(one)


def _shown(value: Any) -> str:
    return f"{value!s:.60}" if isinstance(value, pl.Expr) else f"{value!r:.60}"
