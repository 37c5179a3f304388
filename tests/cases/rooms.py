"""All tables of examples, by the room of the checks that they try."""

from types import ModuleType

from tests.cases import (
    Case,
    budgets,
    combining,
    coverage,
    fuzzy,
    lexicon,
    paths,
    phrases,
    resemblance,
    structured,
    text,
    texts,
    tools,
    trajectories,
)

ROOMS: dict[str, ModuleType] = {
    "text": text,
    "texts": texts,
    "phrases": phrases,
    "tools": tools,
    "fuzzy": fuzzy,
    "lexicon": lexicon,
    "coverage": coverage,
    "paths": paths,
    "budgets": budgets,
    "trajectories": trajectories,
    "resemblance": resemblance,
    "structured": structured,
    "combining": combining,
}
ALL: list[Case] = [case for room in ROOMS.values() for case in room.CASES]
