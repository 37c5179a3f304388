"""All tables of examples, by the room of the checks that they try."""

from types import ModuleType

from tests.cases import (
    Case,
    budgets,
    called,
    combining,
    conversations,
    coverage,
    expected_calls,
    fuzzy,
    lexicon,
    paths,
    phrases,
    resemblance,
    safety,
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
    "conversations": conversations,
    "trajectories": trajectories,
    "safety": safety,
    "resemblance": resemblance,
    "structured": structured,
    "combining": combining,
    "called": called,
    "expected_calls": expected_calls,
}
ALL: list[Case] = [case for room in ROOMS.values() for case in room.CASES]
