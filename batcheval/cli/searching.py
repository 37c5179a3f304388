"""`batcheval compare --find-slices`: where did it get worse?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from batcheval.comparing import Comparison, Run


def searched(
    runs: "Sequence[Run]",
    found: "Sequence[Comparison]",
    columns: Sequence[str],
    min_size: int | None,
    options: dict[str, Any],
) -> "list[Comparison]":
    """The comparisons of the candidates with the first run, with the slices found in each."""
    from batcheval.comparing import MIN_SIZE, find_slices

    size = min_size or MIN_SIZE
    slices = [
        find_slices(runs[0], run, columns=columns, min_size=size, **options) for run in runs[1:]
    ]
    return [replace(one, found=of) for one, of in zip(found, slices, strict=True)]
