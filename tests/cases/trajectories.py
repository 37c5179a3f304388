from typing import Any

from tests.cases import Case

DETAILS: dict[str, dict[str, Any]] = {}

CASES: list[Case] = []
