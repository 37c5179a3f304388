"""What became of the gates of a suite, in lines."""

from collections.abc import Iterator, Sequence
from typing import Final

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
    groups: dict[tuple[str, str, str | None], list[Judged]] = {}
    for gate in judgement.gates:
        groups.setdefault((gate.scorer, gate.key, gate.column), []).append(gate)
    lines = [line for gates in groups.values() for line in _lines(gates)]
    return [*lines, f"verdict: {judgement.verdict}"] if lines else []


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
        part = f"{gate.column} is null" if gate.value is None else f"{gate.column} = {gate.value}"
        yield f"missed  {gate.scorer}, {part}: {gate.found}"
    if len(missed) > _MOST:
        yield f"missed  {first.scorer}, {len(missed) - _MOST:,} more slices by {first.column}"
    if passed := len(gates) - len(missed):
        of = f"{passed:,} of {len(gates):,} slices by {first.column}"
        yield f"passed  {first.scorer}: {first.key} in {of}"
