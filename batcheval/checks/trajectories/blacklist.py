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
    names = [step.name for step in steps]
    taken = set(names)
    hits = [name for name in dict.fromkeys(tools) if name in taken]
    return hits + [", ".join(found) for found in _occurring(names, sequences, taken)]


def _occurring(
    names: Sequence[str], sequences: Iterable[Sequence[str]], taken: set[str]
) -> list[Sequence[str]]:
    """The sequences that occur without a gap: names are spelled as characters to look them up."""
    likely = [found for found in sequences if found and taken.issuperset(found)]
    if not likely:
        return []
    letters = {name: chr(place) for place, name in enumerate(taken)}

    def spelled(words: Sequence[str]) -> str:
        return "".join(map(letters.__getitem__, words))

    text = spelled(names)
    return [found for found in likely if spelled(found) in text]
