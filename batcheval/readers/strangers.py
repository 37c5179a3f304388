"""Records of other layouts among native ones, which would be rows that say nothing."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from batcheval.readers.blocks import Block
from batcheval.readers.contents import NOTHING, decoded
from batcheval.readers.layouts.layout import Layout
from batcheval.readers.recognition import MIXED, claimed_by

# A record with one of these keys, or with the word in quotes, says something.
_OUTPUTS: Final = (b'"output"', b'"response"', b'"answer"', b'"completion"', b'"tool_calls"')
_NO_JSON: Final = b"?"
_MOST: Final = 10_000  # shapes of records that are remembered


class Strangers:
    """Finds records without an output that are of another layout, or of none."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], Layout | None] = {}

    def found(self, block: Block) -> dict[int, str]:
        """The places of such records in a block, each with what is told of it."""
        silent = [
            place
            for place, record in enumerate(block.records)
            if not any(key in record for key in _OUTPUTS)
        ]
        told = ((place, self._reason(block.records[place])) for place in silent)
        return {place: reason for place, reason in told if reason}

    def _reason(self, record: bytes) -> str | None:
        value = decoded(record)
        if value is NOTHING or not isinstance(value, dict):
            return None  # which is told in other words
        shape = (*value, str(value.get("type")))
        if shape not in self._known and len(self._known) < _MOST:
            self._known[shape] = claimed_by(value, MIXED)
        owner = self._known[shape] if shape in self._known else claimed_by(value, MIXED)
        if owner is MIXED:
            return None
        told = f"of the layout {owner.name}" if owner else "of no layout that we know"
        return f"it is {told}, among native records"


def without(block: Block, places: Mapping[int, str]) -> Block:
    """A block in which no JSON stands at these places."""
    if not places:
        return block
    records = [_NO_JSON if place in places else r for place, r in enumerate(block.records)]
    return replace(block, records=records)
