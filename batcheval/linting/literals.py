"""Texts among the arguments that look as if something else were meant."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from batcheval.checks import CHECKS
from batcheval.linting.calls import Called
from batcheval.linting.finding import Finding, scorer
from batcheval.schema.columns import CANONICAL, JSON_TEXT

_LITERAL: Final = ("includes", "excludes", "equals", "starts_with", "ends_with")
_LITERAL_LISTS: Final = ("includes_all", "includes_any", "one_of")
_OPERANDS: Final = ("expected", "unwanted", "tool_name", "reference", "against")
_NAMED: Final = ("input", "output", "expected")  # which `against` takes for the columns
# What stands in patterns and hardly in what somebody says.
_PATTERN: Final = re.compile(r"\\[dwsbDWSB]|\.[*+]|\]\+|\]\*|\(\?[:=!<i]|^\^.+\$$|\w\|\w")


def literals(calls: Mapping[str, Called], columns: Collection[str]) -> Iterator[Finding]:
    """Texts that look like patterns, or like the names of columns.

    Args:
        calls: the scorers.
        columns: those that the traces have, if there are any.
    """
    for scorer_id, call in calls.items():
        for name, text in _texts(call):
            if call.check in (*_LITERAL, *_LITERAL_LISTS) and _PATTERN.search(text):
                told = f"takes {text!r} as it stands, not as a pattern; `matches` takes patterns"
                yield Finding("warning", scorer(scorer_id), told)
            elif _is_column(name, text, columns):
                told = f'takes {text!r} as that text; the column is {{ column = "{text}" }}'
                yield Finding("warning", scorer(scorer_id), told)


def _texts(call: Called) -> Iterator[tuple[str, str]]:
    for name, value in call.arguments.items() if call.check in CHECKS else ():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, Called):
                yield from _texts(part)
            elif isinstance(part, str):
                yield name, part


def _is_column(name: str, text: str, columns: Collection[str]) -> bool:
    if name not in _OPERANDS or (name in ("reference", "against") and text in _NAMED):
        return False
    first, dot, _ = text.partition(".")
    known = {"expected", *(each for each in (*CANONICAL, *columns) if "_" in each)}
    return text in known or bool(dot and re.fullmatch(r"\w+(\.\w+)+", text) and first in JSON_TEXT)
