"""Folders called `key=value`, whose values are columns of the traces below them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Final, TypeAlias
from urllib.parse import unquote

import polars as pl

from batcheval.conditions import predicate
from batcheval.errors import BatchevalError
from batcheval.readers.paths import Source
from batcheval.schema import CANONICAL

Value: TypeAlias = str | int | date | None

_FOLDER: Final = re.compile(r"([^=/\\]+)=([^/\\]*)[/\\]")
_NULL: Final = "__HIVE_DEFAULT_PARTITION__"
_INTEGER: Final = re.compile(r"-?\d{1,18}")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_WORDS: Final = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(?:and|or|between|case|end)\b|--|/\*|[()]""", re.I
)
_PLACES: Final = ("source", "line")


def keys_of(names: Iterable[str]) -> dict[str, dict[str, Value]]:
    """The keys of each file, by its name: integers or dates where all values of a key are.

    A key of a canonical column has its type, and is none if no text can have it.

    Example:
        >>> keys_of(["d/n=1/a.jsonl", "d/n=2/b.jsonl"])
        {'d/n=1/a.jsonl': {'n': 1}, 'd/n=2/b.jsonl': {'n': 2}}
    """
    found = {name: dict(_FOLDER.findall(name)) for name in names}
    values: dict[str, set[str]] = {}
    for keys in found.values():
        for key, value in keys.items():
            values.setdefault(key, set()).add(unquote(value))
    typed = {key: _typed(key, values[key]) for key in values}
    return {
        name: {key: typed[key][unquote(value)] for key, value in keys.items() if typed[key]}
        for name, keys in found.items()
    }


def _typed(key: str, values: set[str]) -> Mapping[str, Value]:
    told = values - {_NULL}
    made: dict[str, Value] = {value: value for value in told}
    if key in _PLACES or CANONICAL.get(key, pl.String()) != pl.String():
        return {}
    if key not in CANONICAL:
        if all(map(_INTEGER.fullmatch, told)):
            made = {value: int(value) for value in told}
        elif all(map(_DATE.fullmatch, told)):
            with suppress(ValueError):  # a day that there is not
                made = {value: date.fromisoformat(value) for value in told}
    return {**made, _NULL: None}


def with_keys(sources: Iterable[Source]) -> list[Source]:
    """The files, each with the keys of its folders."""
    sources = [*sources]
    keys = keys_of(source.name for source in sources)
    return [source._replace(keys=tuple(keys[source.name].items())) for source in sources]


def keyed(traces: pl.LazyFrame, sources: Sequence[Source]) -> pl.LazyFrame:
    """The traces of some files with the keys of these as columns."""
    names = dict.fromkeys(key for source in sources for key, _ in source.keys)
    if not names:
        return traces
    schema = traces.collect_schema()
    return traces.with_columns(_column(name, sources, schema) for name in names)


def _column(name: str, sources: Sequence[Source], schema: pl.Schema) -> pl.Expr:
    values = {s.name: dict(s.keys)[name] for s in sources if name in dict(s.keys)}
    dtype = dtype_of(values.values())
    if len(sources) == 1:  # a constant; a canonical table tells other sources
        return pl.lit(values[sources[0].name], dtype).alias(name)
    new = pl.Series([*values.values()], dtype=dtype)
    rest = pl.col(name).cast(dtype, strict=False) if name in schema else None
    column = pl.col("source").replace_strict([*values], new, default=rest, return_dtype=dtype)
    return column.alias(name)


def dtype_of(values: Iterable[Value]) -> pl.DataType:
    """The type of the column of a key."""
    kind = next((type(value) for value in values if value is not None), str)
    types: dict[type, pl.DataType] = {int: pl.Int64(), date: pl.Date()}
    return types.get(kind, pl.String())


def may_hold(keys: Mapping[str, Value], sql: str) -> bool:
    """Whether traces with these keys may satisfy a condition, by those parts that ask no more.

    Example:
        >>> [may_hold({"n": n}, "n > 1 and output != ''") for n in (1, 2)]
        [False, True]
    """
    row = pl.DataFrame({key: [value] for key, value in keys.items()})
    for part in conjuncts(sql):
        try:
            condition = predicate(part)
            roots = condition.meta.root_names()
            if roots and set(roots) <= keys.keys() and not row.filter(condition).height:
                return False
        except (BatchevalError, pl.exceptions.PolarsError, TypeError):
            continue  # whoever asks the traces tells what is wrong with it
    return True


def conjuncts(sql: str) -> list[str]:
    """The parts of a condition that must all hold.

    Example:
        >>> conjuncts("a = 'x and y' and b between 1 and 2 and (c or d)")
        ["a = 'x and y' ", ' b between 1 and 2 ', ' (c or d)']
    """
    parts, begun, depth, between = [], 0, 0, 0
    for word in _WORDS.finditer(sql):
        text = word[0].lower()
        depth += (text in ("(", "case")) - (text in (")", "end"))
        if text in ("--", "/*") or (text == "or" and not depth):
            return [sql]
        if depth or text not in ("and", "between"):
            continue
        if text == "between":
            between += 1
        elif between:
            between -= 1
        else:
            parts.append(sql[begun : word.start()])
            begun = word.end()
    return [*parts, sql[begun:]]
