"""Steps that a run must not take, alone or one after the other."""

from collections.abc import Iterable, Sequence

from batcheval.checks.trajectories.compare import Steps
from batcheval.checks.trajectories.expectations import Expectation


def blacklisted(steps: Steps, expected: Expectation) -> list[str] | None:
    """Which of the listed names and sequences occur, in the order of the lists; None without any.

    A sequence is told as `a, b`; an empty one never occurs.
    """
    tools, sequences = expected.blacklisted_tools or (), expected.blacklisted_sequences or ()
    if not tools and not sequences:
        return None
    taken = {step.name for step in steps}
    hits = [] if taken.isdisjoint(tools) else [n for n in dict.fromkeys(tools) if n in taken]
    likely = [found for found in sequences if found and taken.issuperset(found)]
    found = _occurring(steps, likely, taken) if likely else []
    return hits + [", ".join(names) for names in found]


def _occurring(
    steps: Steps, sequences: Iterable[Sequence[str]], taken: Iterable[str]
) -> list[Sequence[str]]:
    """The sequences that occur without a gap: names are spelled as characters to look them up."""
    letters = {name: chr(place) for place, name in enumerate(taken)}
    text = "".join([letters[step.name] for step in steps])
    return [found for found in sequences if "".join([letters[n] for n in found]) in text]
