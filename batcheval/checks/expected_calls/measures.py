"""What calls made come to against calls expected: a number for each row."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from batcheval.checks.expected_calls.counting import Names
from batcheval.checks.expected_calls.matching import (
    Edges,
    common_order,
    edits,
    is_exact,
    is_in_order,
    matching,
)

# Of the calls that are matched, made and expected, each by row.
Formula = Callable[[Any, Any, Any], Any]


class Measure(NamedTuple):
    """One measure in two ways, which agree where calls are told by their names alone.

    Attributes:
        names: of all rows of a batch at once, by names.
        edges: of one run, by which calls fit which of so many.
        finish: what is made of the numbers of either, if anything.
    """

    names: Callable[[Names], Any]
    edges: Callable[[Edges, int], float]
    finish: Formula = lambda value, made, wanted: value


def _counted(formula: Formula) -> Measure:
    return Measure(Names.matched, lambda edges, _: len(matching(edges)), formula)


def _share(part: Any, of: Any, otherwise: Any) -> Any:
    return np.where(of > 0, part / np.maximum(of, 1), otherwise)


def _alike(edges: Edges, size: int) -> float:
    both = len(edges) + size
    return 2 * len(common_order(edges, size)) / both if both else 1.0


def _near(edges: Edges, size: int) -> float:
    longer = max(len(edges), size)
    return 1 - edits(edges, size) / longer if longer else 1.0


EXACT: Final = Measure(Names.exact, is_exact)
IN_ORDER: Final = Measure(Names.in_order, is_in_order)
ANY_ORDER: Final = _counted(lambda met, made, wanted: (met == made) & (met == wanted))
SUBSET: Final = _counted(lambda met, made, wanted: met == made)
SUPERSET: Final = _counted(lambda met, made, wanted: met == wanted)
SINGLE: Final = _counted(
    lambda met, made, wanted: np.where(wanted == 1, np.minimum(met, 1), np.nan)
)
PRECISION: Final = _counted(lambda met, made, wanted: _share(met, made, wanted == 0))
RECALL: Final = _counted(lambda met, made, wanted: _share(met, wanted, 1.0))
F1: Final = _counted(lambda met, made, wanted: _share(2 * met, made + wanted, 1.0))
LCS: Final = Measure(partial(Names.similarity, by_edits=False), _alike)
EDITS: Final = Measure(partial(Names.similarity, by_edits=True), _near)
