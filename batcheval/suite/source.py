"""The text of a suite file, TOML or JSON, as a mapping."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from batcheval.errors import SuiteSyntaxError, UnreadableSuiteError, WrongShapeError

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_TWICE = re.compile(r"Cannot (?:declare \((.*?),?\) twice|mutate .*|overwrite a value)$")
_NESTED: Final = "the tables or lists are nested too deep"


def read_text(path: Path) -> str:
    """The text of the file, without a byte order mark.

    Raises:
        UnreadableSuiteError: there is no such file, or it is not UTF-8.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UnreadableSuiteError((error.strerror or str(error)).lower()) from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UnreadableSuiteError(f"line {line} is not UTF-8") from error


def parse(text: str, as_json: bool = False) -> dict[str, Any]:
    """The mapping that a suite's text stands for.

    Args:
        text: TOML, or JSON if it begins with a brace, which no TOML does.
        as_json: it is JSON whatever it begins with.

    Raises:
        SuiteSyntaxError: the text is broken, or a key stands twice.
        WrongShapeError: the JSON is no object.

    Example:
        >>> parse("[scorers.includes]") == parse('{"scorers": {"includes": {}}}')
        True
    """
    data = _read(_json if as_json or text.lstrip().startswith("{") else _toml, text)
    if not isinstance(data, dict):
        raise WrongShapeError("the suite", "a table", data)
    return data


def _read(load: Callable[[str], Any], text: str) -> Any:
    try:
        return load(text)
    except RecursionError:
        raise SuiteSyntaxError(_NESTED) from None


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:
        message = str(error)
    place = _PLACE.search(message)
    line, column = _numbers(place, text)
    problem = message[: place.start()] if place else message
    if (twice := _TWICE.match(problem)) is not None:
        names = re.findall(r"'([^']*)'|\"([^\"]*)\"", twice[1] or "")
        table = ".".join(a or b for a, b in names)
        problem = f"the table [{table}] stands twice" if table else "this key stands twice"
    raise SuiteSyntaxError(problem[:1].lower() + problem[1:], line, column)


def _numbers(place: re.Match[str] | None, text: str) -> tuple[int | None, int | None]:
    if place is None:
        return None, None
    if place[1]:
        return int(place[1]), int(place[2])
    return text.count("\n") + 1, len(text) - text.rfind("\n")


def _json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        problem = error.msg[:1].lower() + error.msg[1:]
        raise SuiteSyntaxError(problem, error.lineno, error.colno) from None
    except ValueError as error:  # a whole number of thousands of digits
        raise SuiteSyntaxError(str(error)) from None


def _unique(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise SuiteSyntaxError(f"the key '{key}' stands twice in one object")
        table[key] = value
    return table


def _no_constant(word: str) -> NoReturn:
    raise SuiteSyntaxError(f"'{word}' is no JSON")
