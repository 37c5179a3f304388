"""Many tests at once: p values adjusted, null where nothing was tested."""

from collections.abc import Sequence

import numpy as np

from batcheval.comparing.units import Floats


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjusted so that the chance of any false alarm is bounded.

    Holm 1979, "A simple sequentially rejective multiple test procedure".

    Example:
        >>> holm([0.01, None, 0.04])
        [0.02, None, 0.04]
    """
    places, tested = _tested(p_values)
    order = np.argsort(tested, kind="stable")
    stepped = np.maximum.accumulate(tested[order] * np.arange(tested.size, 0, -1))
    adjusted = np.empty(tested.size)
    adjusted[order] = np.minimum(stepped, 1.0)
    return _placed(adjusted, places, len(p_values))


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjusted so that the expected share of false ones among the alarms is bounded.

    Benjamini and Hochberg 1995, "Controlling the false discovery rate".

    Example:
        >>> benjamini_hochberg([0.01, None, 0.04])
        [0.02, None, 0.04]
    """
    from scipy.stats import false_discovery_control

    places, tested = _tested(p_values)
    adjusted = false_discovery_control(tested) if tested.size else tested
    return _placed(adjusted, places, len(p_values))


def _tested(p_values: Sequence[float | None]) -> tuple[list[int], Floats]:
    places = [place for place, p in enumerate(p_values) if p is not None]
    return places, np.array([p for p in p_values if p is not None], dtype=np.float64)


def _placed(adjusted: object, places: list[int], count: int) -> list[float | None]:
    found: list[float | None] = [None] * count
    for place, p in zip(places, np.asarray(adjusted).tolist(), strict=True):
        found[place] = p
    return found
