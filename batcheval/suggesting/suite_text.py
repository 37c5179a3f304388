"""Suggestions as the text of a suite, with their support in comments."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from batcheval.suggesting.candidates import KINDS
from batcheval.suggesting.result import Suggestion, Suggestions

_WIDE: Final = 90  # characters of a table in one line
_IDS: Final = 5
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def suite_text(found: Suggestions, source: str = "traces") -> str:
    """A suite in TOML, ready for `batcheval score --suite`.

    Args:
        found: as `suggest` gives it; with a suggestion at least.
        source: what the traces are called.

    Example:
        >>> import polars as pl
        >>> from batcheval import suggest
        >>> traces = pl.DataFrame({"trace_id": [f"t{n}" for n in range(40)], "output": "Sunny."})
        >>> print(suite_text(suggest(traces)).split("# length")[1].strip())
        # the output has at most 6 characters: 40 of 40 runs, 92.7% at least
        [scorers.output_at_most]
        check = "char_count"
        max = 6
        <BLANKLINE>
        # the output has at least 6 characters: 40 of 40 runs, 92.7% at least
        [scorers.output_at_least]
        check = "char_count"
        min = 6
    """
    ordered = sorted(found.suggestions, key=lambda one: KINDS.index(one.kind))
    parts = ["\n".join(f"# {_plain(line)}" for line in _head(found, source))]
    for kind, several in groupby(ordered, key=lambda one: one.kind):
        parts.append(f"# {kind}")
        parts += ["\n".join(_entry(one, found.good is not None)) for one in several]
    return "\n\n".join(parts) + "\n"


def _head(found: Suggestions, source: str) -> Iterator[str]:
    runs = found.runs
    if found.good is None:
        yield f"Suggested from {runs['all']:,} runs in {source}, all taken for good ones."
    else:
        yield f"Suggested from {runs['good']:,} good and {runs['bad']:,} bad runs in {source}."
        yield f"Good is: {found.good}"
    yield (
        f"Each check holds in {found.share:.4g} of the good runs or more, with"
        f" {found.confidence:.4g} confidence each."
    )
    yield f"{found.tried:,} statements were tried, and p is adjusted for all of them."
    yield "Limits and schemas are fitted to these runs: try them on others before you trust them."


def _entry(one: Suggestion, labelled: bool) -> Iterator[str]:
    kind = "good runs" if labelled else "runs"
    support = f"{one.holds:,} of {one.runs:,} {kind}, {one.sure} at least"
    yield f"# {_plain(one.says)}: {support}"
    if one.p_adjusted is not None and one.phi is not None:
        yield (
            f"# holds in {one.bad_holds:,} of {one.bad_runs:,} bad runs: phi {one.phi:.2f},"
            f" p {one.p_adjusted:.2g}"
        )
    breaking = one.runs - one.holds
    if breaking:
        more = f" and {breaking - _IDS:,} more" if breaking > _IDS else ""
        yield f"# broken by {', '.join(map(_plain, one.breakers[:_IDS]))}{more}"
    yield from _table(["scorers", one.id], one.check)


def _table(path: Sequence[str], table: Mapping[str, Any]) -> Iterator[str]:
    """A table under its head; tables in it that are short stand in one line."""
    yield f"[{'.'.join(map(_key, path))}]"
    below: dict[str, Any] = {}
    for key, value in table.items():
        line = f"{_key(key)} = {_value(value)}"
        if isinstance(value, Mapping) and len(line) > _WIDE:
            below[key] = value
        else:
            yield line
    for key, value in below.items():
        yield from _table([*path, key], value)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(held)}" for key, held in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):  # TOML escapes as JSON does, but for one control character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def _plain(text: str) -> str:
    """A text on one line of a comment."""
    return "".join(char if char.isprintable() else " " for char in text)
