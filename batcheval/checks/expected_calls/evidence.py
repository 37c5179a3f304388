"""What a run lacks of the calls that were expected of it, what it has besides, and what differs."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import polars as pl

from batcheval.checks.called.rules import Rules
from batcheval.checks.expected_calls.batches import Asked, Made, batch_of
from batcheval.checks.expected_calls.expectations import Calls
from batcheval.checks.expected_calls.matching import Edges, common_order, matching
from batcheval.errors import quoted
from batcheval.schema import TOOL_CALLS

_NAMES: Final = pl.List(pl.String)
FIELDS: Final = {
    **dict.fromkeys(("matched_calls", "expected_calls", "actual_calls"), pl.Int64()),
    **dict.fromkeys(("missing", "extra", "moved", "differed"), _NAMES),
}
ALL: Final = {**FIELDS, "told": pl.String()}


def evidence(asked: Asked, own: pl.Expr | None) -> pl.Expr:
    """What was found of each row: a Struct of `ALL`, all null where it is unscored."""

    def found(batch: pl.Series) -> pl.Series:
        rows = batch_of(asked, *batch.struct.unnest().get_columns())
        each = rows.judged(partial(_compared, by=asked.by), whole=True)
        values = [[None if one is None else one[n] for one in each] for n in range(len(ALL))]
        named = zip(ALL.items(), values, strict=True)
        columns = {name: pl.Series(column, dtype=kind) for (name, kind), column in named}
        return pl.DataFrame(columns).to_struct()

    columns = [TOOL_CALLS] if own is None else [TOOL_CALLS, own.alias("own")]
    return pl.struct(columns).map_batches(found, return_dtype=pl.Struct(ALL), is_elementwise=True)


def _compared(made: Sequence[Made], wanted: Calls, edges: Edges, by: Rules) -> tuple[Any, ...]:
    """The values of `ALL` for one run: as many pairs as can be, in order as far as can be."""
    ordered = common_order(edges, len(wanted))
    pairs = matching(edges, ordered)
    moved = [wanted[place].name for place in sorted(pairs.keys() - ordered.keys())]
    paired = set(pairs.values())
    spare = [place for place in range(len(made)) if place not in paired]
    missing, differed = [], []
    for place, call in enumerate(wanted):
        if place in pairs:
            continue
        rivals = [n for n in spare if made[n][0] == call.name]
        if not rivals:
            missing.append(call.name)
            continue
        nearest = min(rivals, key=lambda n: len(call.differs(made[n][1], by)))
        spare.remove(nearest)
        differed.append(f"{call.name}: {'; '.join(call.differs(made[nearest][1], by)[:3])}")
    extra = [made[place][0] or "" for place in spare]
    lists = missing, extra, moved, differed
    return len(pairs), len(wanted), len(made), *lists, _told(len(pairs), wanted, made, *lists)


def _told(met: int, wanted: Calls, made: Sequence[Made], *lists: list[str]) -> str:
    asked = _cut(quoted([call.name for call in wanted[:20]]) or "nothing", 60)
    told = _cut("; ".join(_parts(*lists)), 110)
    found = f"{met} of the {len(wanted)} expected calls ({asked}) among {len(made)}"
    return f"{found}, {told}" if told else found


def _parts(*lists: list[str]) -> Iterator[str]:
    words = ("missing", "extra", "moved", "different")
    for word, names in zip(words, lists, strict=True):
        if names:
            yield f"{word}: {', '.join(names[:20])}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
