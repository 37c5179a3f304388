"""What became of the gates of a suite, in lines."""

from collections.abc import Iterator, Sequence
from typing import Final

from batcheval.comparing.worst import named
from batcheval.judging import Judged, Judgement

_MOST: Final = 10  # slices of one column that are told of one by one


def gate_lines(judgement: Judgement) -> list[str]:
    r"""A line for each thing that a gate asks, and the verdict; nothing where no gate asks.

    Of slices each that missed it has a line, the others are counted.

    Example:
        >>> from batcheval.judging import Judged
        >>> gate = Judged("polite", "min", False, "mean 0.500, and should be at least 0.7")
        >>> print("\n".join(gate_lines(Judgement([gate], "scored"))))
        missed  polite: mean 0.500, and should be at least 0.7
        verdict: scored
    """
    lines = [line for gates in asked_of(judgement) for line in _lines(gates)]
    return [*lines, f"verdict: {judgement.verdict}"] if lines else []


def asked_of(judgement: Judgement) -> list[list[Judged]]:
    """Each thing that was asked: of the whole, or of all slices of one column."""
    groups: dict[tuple[str, str, str | None], list[Judged]] = {}
    for gate in judgement.gates:
        groups.setdefault((gate.scorer, gate.key, gate.column), []).append(gate)
    return list(groups.values())


def part_of(gate: Judged) -> str | None:
    """The slice that was judged, in words; None for the whole, and for all slices together."""
    if gate.column is None or gate.key == "min_slice_size":
        return None
    return named([(gate.column, gate.value)])


def _lines(gates: Sequence[Judged]) -> Iterator[str]:
    """Of a gate on the whole a line; of one on slices those that missed it, and how many did not.

    Args:
        gates: the same thing, asked of the whole or of each slice of one column.
    """
    first = gates[0]
    if first.column is None or first.key == "min_slice_size":
        said = [f"{'passed' if g.passed else 'missed'}  {g.scorer}: {g.found}" for g in gates]
        yield from dict.fromkeys(said)
        return
    missed = [gate for gate in gates if not gate.passed]
    for gate in missed[:_MOST]:
        yield f"missed  {gate.scorer}, {part_of(gate)}: {gate.found}"
    if len(missed) > _MOST:
        yield f"missed  {first.scorer}, {len(missed) - _MOST:,} more slices by {first.column}"
    if passed := len(gates) - len(missed):
        of = f"{passed:,} of {len(gates):,} slices by {first.column}"
        yield f"passed  {first.scorer}: {first.key} in {of}"
