"""What stands in the arguments of calls: each text with the name that it goes by."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import polars as pl

from batcheval.checks.safety.patterns import ESCAPED
from batcheval.checks.texts.lists import texts

_decode = msgspec.json.Decoder().decode
_DEEPEST: Final = 200


class Leaf(NamedTuple):
    """A text or number among the arguments of a call: its path, the last name in it, its text."""

    path: str
    key: str
    text: str


class Finding(NamedTuple):
    """What was found in a call.

    Attributes:
        call: its number, from 1, as `batcheval show` has it.
        tool: its name.
        path: which argument, such as `headers.auth[0]`; "" where the arguments are no JSON.
        kind: what it is.
        text: it, or what may be shown of it.
    """

    call: int
    tool: str
    path: str
    kind: str
    text: str


class Scope(NamedTuple):
    """Which calls and arguments are looked at; None is all."""

    tools: frozenset[str] | None
    keys: frozenset[str] | None
    ignore_keys: frozenset[str]

    def has(self, leaf: Leaf) -> bool:
        """Whether the argument is one of those."""
        names = frozenset(leaf.path.replace("[", ".").split("."))
        chosen = self.keys is None or not names.isdisjoint(self.keys)
        return chosen and names.isdisjoint(self.ignore_keys)


# What a check says of one text: kinds, each with what may be shown of it.
Look: TypeAlias = Callable[[Leaf], Iterator[tuple[str, str]]]


def scope(tools: object, keys: object, ignore_keys: object) -> Scope:
    """The options that say where to look, checked; errors as those of `texts`."""

    def names(option: str, value: object) -> frozenset[str] | None:
        return None if value is None else frozenset(texts(option, value))

    ignored = names("ignore_keys", ignore_keys) if ignore_keys != () else frozenset()
    return Scope(names("tools", tools), names("keys", keys), ignored or frozenset())


def leaves(args: str) -> list[Leaf]:
    """The texts and whole numbers in arguments; text that is no JSON is one leaf without a name.

    Example:
        >>> leaves('{"to": ["a", {"cc": "b"}], "n": 3}')[1:]
        [Leaf(path='to[1].cc', key='cc', text='b'), Leaf(path='n', key='n', text='3')]
    """
    try:
        value = _decode(args)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return [Leaf("", "", args)]
    return list(_walk(value, "", "", 0))


def _walk(value: Any, path: str, key: str, depth: int) -> Iterator[Leaf]:
    if isinstance(value, str):
        yield Leaf(path, key, value)
    elif isinstance(value, dict) and depth < _DEEPEST:
        for name, inner in value.items():
            yield from _walk(inner, f"{path}.{name}" if path else name, name, depth + 1)
    elif isinstance(value, list) and depth < _DEEPEST:
        for place, inner in enumerate(value):
            yield from _walk(inner, f"{path}[{place}]", key, depth + 1)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield Leaf(path, key, str(value))


def suspects(calls: pl.Series, field: str, hint: str) -> pl.Series:
    """The numbers of the rows of which some call may hold what is looked for."""
    may = pl.element().struct.field(field).str.contains(f"{hint}|{ESCAPED}")
    return calls.list.eval(may).list.any().fill_null(False).arg_true()


def calls_of(calls: pl.Series, rows: pl.Series, fields: Collection[str]) -> list[Any]:
    """Those fields of the calls of these rows, as lists of dicts."""
    kept = pl.struct(pl.element().struct.field(name) for name in fields)
    return calls.gather(rows).list.eval(kept).to_list()


def findings(calls: pl.Series, hint: str, where: Scope, look: Look) -> dict[int, Sequence[Finding]]:
    """What is found in the arguments of a batch, by row; equal arguments are looked at once.

    Args:
        calls: the canonical lists of calls. Those whose arguments were still streaming in (state
            `partial`) do not count.
        hint: found by the linear engine in the arguments of each call that is to be looked at.
        where: the calls and arguments that count.
        look: what is found in one text.
    """
    rows = suspects(calls, "args", hint)
    said: dict[str, list[tuple[str, str, str]]] = {}
    found: dict[int, Sequence[Finding]] = {}
    for row, made in zip(rows, calls_of(calls, rows, ("name", "args", "state")), strict=True):
        if here := list(_of_row(made, where, look, said)):
            found[row] = here
    return found


def _of_row(
    made: list[Any], where: Scope, look: Look, said: dict[str, list[tuple[str, str, str]]]
) -> Iterator[Finding]:
    for number, call in enumerate(made, 1):
        args, tool = call["args"], call["name"] or ""
        if args and call["state"] != "partial" and (where.tools is None or tool in where.tools):
            if args not in said:
                kept = filter(where.has, leaves(args))
                said[args] = [(leaf.path, *one) for leaf in kept for one in look(leaf)]
            yield from (Finding(number, tool, *one) for one in said[args])
