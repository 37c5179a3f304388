"""What a suite file holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from batcheval.errors import BatchevalError
from batcheval.scorer import Scorer
from batcheval.suite.gates import Gate


@dataclass(frozen=True)
class Suite:
    """What a suite file holds.

    Attributes:
        scorers: in the order of the file, each under its own id.
        gates: what the run must reach, by scorer id.
        name: its own `name`, else the file's name without ending.
        description: what it says of itself, or nothing.
        text: the file as read.
    """

    scorers: list[Scorer]
    gates: dict[str, Gate] = field(default_factory=dict)
    name: str = ""
    description: str = ""
    text: str = ""


@dataclass(frozen=True)
class Draft:
    """What could be made of a suite file.

    Attributes:
        suite: without the scorers and gates in which there is a mistake.
        tables: the keys of each scorer by its id, as they stand in the file.
        mistakes: all that were found, in the order in which `load_suite` looks for them, without
            the path.
    """

    suite: Suite
    tables: Mapping[str, Any]
    mistakes: list[BatchevalError]
