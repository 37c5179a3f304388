"""What became of the gates of a suite, in lines."""

from batcheval.judging import Judgement


def gate_lines(judgement: Judgement) -> list[str]:
    r"""A line for each thing that a gate asks, and the verdict; nothing where no gate asks.

    Example:
        >>> from batcheval.judging import Judged
        >>> gate = Judged("polite", "min", False, "mean 0.500, and should be at least 0.7")
        >>> print("\n".join(gate_lines(Judgement([gate], "scored"))))
        missed  polite: mean 0.500, and should be at least 0.7
        verdict: scored
    """
    lines = [
        f"{'passed' if gate.passed else 'missed'}  {gate.scorer}: {gate.found}"
        for gate in judgement.gates
    ]
    return [*lines, f"verdict: {judgement.verdict}"] if lines else []
