"""All tables of examples, by the room of the checks that they try."""

from types import ModuleType

from tests.cases import (
    Case,
    coverage,
    fuzzy,
    lexicon,
    resemblance,
    structured,
    text,
    tools,
    trajectories,
)

ROOMS: dict[str, ModuleType] = {
    "text": text,
    "tools": tools,
    "fuzzy": fuzzy,
    "lexicon": lexicon,
    "coverage": coverage,
    "trajectories": trajectories,
    "resemblance": resemblance,
    "structured": structured,
}
ALL: list[Case] = [case for room in ROOMS.values() for case in room.CASES]
