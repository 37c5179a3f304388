"""What was found of repeated ids, and the few that are shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from batcheval.repeats.records import KEY


@dataclass(frozen=True)
class Repeats:
    """How many ids stand more than once.

    Attributes:
        ids: the ids that do.
        rows: the rows that carry them, the first of each among them.
        groups: for the few ids that stand first, the numbers of their first few rows, from 0.
        counts: for the same ids, how many rows each has.
    """

    ids: int
    rows: int
    groups: tuple[tuple[int, ...], ...] = ()
    counts: tuple[int, ...] = ()

    def examples(self, rows: pl.LazyFrame) -> list[dict[str, Any]]:
        """The first few repeated ids, with the places where they stand.

        Args:
            rows: `trace_id`, `run`, `trial`, `source` and `line` of all rows in the order in which
                they were added, such as a scan of the written scores.

        Returns:
            For each id `trace_id`, `run`, `trial`, `places` (`a.jsonl:2`, or `row 2` where there is
            no source) and `more`, the number of further places. Ids that only share a hash are left
            out.
        """
        if not self.groups:
            return []
        wanted = [row for group in self.groups for row in group]
        numbered = rows.select(*KEY, "source", "line").with_row_index("row")
        found = numbered.filter(pl.col("row").is_in(wanted)).collect(engine="streaming")
        by_row = {fact["row"]: fact for fact in found.to_dicts()}
        groups = [[by_row[row] for row in group] for group in self.groups]
        shown = map(_example, groups, self.counts)
        return [example for example in shown if example]


def _example(facts: Sequence[dict[str, Any]], count: int) -> dict[str, Any]:
    """An id and its places, or nothing if the rows share their hash only."""
    key = {name: facts[0][name] for name in KEY}
    places = [_place(fact) for fact in facts if all(fact[name] == key[name] for name in KEY)]
    if len(places) < 2:
        return {}
    return {**key, "places": places, "more": count - len(facts)}


def _place(fact: dict[str, Any]) -> str:
    if not fact["source"]:
        return f"row {fact['row'] + 1}"
    return fact["source"] if fact["line"] is None else f"{fact['source']}:{fact['line']}"
