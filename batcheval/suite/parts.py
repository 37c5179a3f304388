"""Checks within checks: calls, texts and tables among the arguments, as scorers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, get_args, get_origin

from batcheval.errors import BadArgumentError, BatchevalError, ColumnTableError
from batcheval.scorer import Scorer
from batcheval.suite.call_text import Call, parse_call
from batcheval.suite.kinds import LISTS, column, members
from batcheval.suite.places import noted, placed, raise_all
from batcheval.suite.shapes import text

Make: TypeAlias = Callable[[str, Sequence[object], Mapping[str, object]], Scorer]

_WANTED: Final = "a check: a table with 'check' or 'sql', or a call such as 'includes(\"sunny\")'"


def with_parts(name: str, value: object, hint: Any, make: Make) -> object:
    """An argument in which all that stands for a check is one.

    A call is always one. A table with `check`, or `sql`, and the text of a call are where the
    parameter takes checks; a text that it takes as well stays as it is.

    Args:
        name: of the parameter.
        value: the argument.
        hint: the annotation of the parameter.
        make: gives the scorer for a check's name and its arguments.

    Raises:
        BadArgumentError: a table is neither.
        BatchevalError: there is no such check, or it does not take these arguments.
    """
    return _by_hint(name, _called(value, make), hint, make)


def _called(value: object, make: Make) -> object:
    if isinstance(value, Call):
        return make(*value)
    if isinstance(value, list):
        return [_called(entry, make) for entry in value]
    if isinstance(value, dict):
        return {key: _called(entry, make) for key, entry in value.items()}
    return value


def _by_hint(name: str, value: object, hint: Any, make: Make) -> object:
    kinds = members(hint)
    if Scorer in kinds and isinstance(value, dict):
        return _from_part(name, value, make)
    if Scorer in kinds and isinstance(value, str) and str not in kinds:
        with placed(f"check {value.strip()!r}"):
            return make(*parse_call(value))
    for kind in kinds:
        if get_origin(kind) in LISTS and isinstance(value, list) and Scorer in _items(kind):
            return _each(name, value, make)
    return value


def _each(name: str, entries: Sequence[object], make: Make) -> list[object]:
    made: list[object] = []
    mistakes: list[BatchevalError] = []
    for entry in entries:
        with noted(mistakes):
            made.append(_by_hint(name, entry, Scorer, make))
    raise_all(mistakes)
    return made


def _items(kind: Any) -> tuple[Any, ...]:
    return tuple(member for item in get_args(kind) for member in members(item))


def _from_part(name: str, keys: Mapping[str, Any], make: Make) -> Scorer:
    if "check" not in keys and "sql" not in keys:
        raise BadArgumentError(name, _WANTED, dict(keys))
    part_id = text("'id'", keys["id"]) if "id" in keys else None
    rest = {key: value for key, value in keys.items() if key != "id"}
    with placed(f"check '{part_id or keys.get('check', 'sql')}'"):
        scorer = from_table("sql", rest, make)
    return scorer.named(part_id) if part_id else scorer


def from_table(default: str, keys: Mapping[str, Any], make: Make) -> Scorer:
    """The scorer that the keys of a table stand for: `check`, and the arguments of that.

    Args:
        default: the check's name where the table has neither `check` nor `sql`.
        keys: the table.
        make: gives the scorer for a check's name and its arguments.
    """
    arguments = dict(keys)
    check = text("'check'", arguments.pop("check", "sql" if "sql" in keys else default))
    return make(check, (), {key: _argument(value) for key, value in arguments.items()})


def _argument(value: object) -> object:
    """A table with `column` is that column; other tables, which may hold anything, stay as is."""
    if isinstance(value, list):
        return [_argument(entry) for entry in value]
    if not isinstance(value, dict) or "column" not in value or "check" in value:
        return value
    if len(value) > 1:
        raise ColumnTableError(key for key in value if key != "column")
    return column(value["column"])
