"""What is found in a suite."""

from typing import Final, Literal, NamedTuple, TypeAlias

Severity: TypeAlias = Literal["error", "warning", "note"]

SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "note")


class Finding(NamedTuple):
    """One thing about a suite.

    Attributes:
        severity: `error`, which no run survives or no trace can pass; `warning`, hardly meant;
            `note`, worth knowing.
        about: what it is about, such as `scorer 'polite'`; empty for the suite as a whole.
        message: what was found.
    """

    severity: Severity
    about: str
    message: str


def scorer(scorer_id: str) -> str:
    """What a finding is about, by the id of a scorer."""
    return f"scorer '{scorer_id}'"


def gate(scorer_id: str) -> str:
    """What a finding is about, by the id of a gate."""
    return f"gate '{scorer_id}'"
