"""Packs of patterns: secrets, destructive commands, injections. `checks/data` holds them."""

import re
import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from batcheval.checks.texts.lists import texts
from batcheval.errors import BadArgumentError, quoted

# Letters and slashes that JSON spells as escapes hide a hint; such texts are always looked at.
ESCAPED: Final = r"\\u00[2-7]"


class Pattern(NamedTuple):
    """A pattern of a pack.

    Attributes:
        name: what it is of, as the file has it.
        kind: what a check calls it.
        pattern: found in the text of an argument.
        hint: what the linear engine finds wherever `pattern` may be found.
        key: the whole name of an argument, where only such arguments are meant.
        source: where the form is described.
    """

    name: str
    kind: str
    pattern: re.Pattern[str]
    hint: str
    key: re.Pattern[str] | None
    source: str


class Found(NamedTuple):
    """A piece of a text: its kind, and where it stands, in code points."""

    kind: str
    start: int
    end: int


@cache
def pack(name: str, flags: int = 0) -> tuple[Pattern, ...]:
    """The patterns of a file.

    Example:
        >>> pack("commands")[0].kind
        'delete'
    """
    text = files("batcheval.checks").joinpath("data", f"{name}.toml").read_text("utf-8")
    return tuple(
        Pattern(
            name=title,
            kind=table["kind"],
            pattern=re.compile(table["pattern"], flags),
            hint=table["hint"],
            key=re.compile(table["key"]) if "key" in table else None,
            source=table["source"],
        )
        for title, table in tomllib.loads(text).items()
    )


def kinds_of(patterns: Collection[Pattern]) -> list[str]:
    """The kinds of a pack, each once."""
    return list(dict.fromkeys(one.kind for one in patterns))


def of_kinds(patterns: tuple[Pattern, ...], kinds: object) -> tuple[Pattern, ...]:
    """Those of the patterns that are of these kinds: all if None.

    Raises:
        BadArgumentError: there is no such kind, or `kinds` is no list of texts.
        BlankArgumentError: it is empty.
    """
    chosen = known_kinds(kinds, kinds_of(patterns))
    return tuple(one for one in patterns if one.kind in chosen)


def known_kinds(kinds: object, known: Collection[str]) -> list[str]:
    """The kinds that are asked for, all that are known if None; errors as in `of_kinds`."""
    asked = list(known) if kinds is None else texts("kinds", kinds)
    for kind in asked:
        if kind not in known:
            raise BadArgumentError("kinds", f"among {quoted(known)}", kind)
    return asked


def hints(patterns: Collection[Pattern]) -> str:
    """One pattern for the linear engine, found wherever one of these may be."""
    return "(?i)" + "|".join(dict.fromkeys(one.hint for one in patterns))


def found_in(text: str, patterns: Collection[Pattern], key: str = "") -> Iterator[Found]:
    """The first place of each pattern in a text, in the order of the pack."""
    for one in patterns:
        if one.key is None or one.key.fullmatch(key):
            match = one.pattern.search(text)
            if match is not None:
                yield Found(one.kind, match.start(), match.end())


def redacted(text: str, patterns: Collection[Pattern], key: str = "") -> str:
    """The text with `[kind]` in the place of whatever these patterns find.

    Example:
        >>> redacted("use ghp_" + "a1" * 20, pack("secrets"))
        'use [key]'
    """
    for one in patterns:
        if one.key is None or one.key.fullmatch(key):
            text = one.pattern.sub(f"[{one.kind}]", text)
    return text
