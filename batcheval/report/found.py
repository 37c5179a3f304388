"""What a search for slices found, in sentences and rows of a table."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any, Final

from batcheval.comparing import KEPT, WORSE, FoundSlices
from batcheval.errors import quoted
from batcheval.report.said import interval, signed

HEADS_OF_SEARCH: Final = (
    *("slice", "scorer", "pairs", "base", "candidate", "difference", "interval", "rest"),
    *("p", "p (Holm)", "p (BH)"),
)


def said_of_search(found: FoundSlices, confidence: float) -> Iterator[str]:
    """What was searched, over what family p values are adjusted, and what came of it."""
    searched = f"{found.searched:,} slices of {found.min_size:,} pairs or more"
    family = f"{found.tests:,} tests of a slice and a scorer"
    yield f"searched {searched} by {quoted(found.columns)}, alone and in twos"
    if found.chosen == KEPT:
        more = "for more, score with --keep COLUMN, or name columns by --slices-from COLUMN"
        yield f"these columns were kept among the scores, and no others searched; {more}"
    if found.folded:
        yield f"{found.folded:,} more hold the pairs of another, or all, and were not tested again"
    for column, why in found.left_out.items():
        yield f"'{column}': {why}"
    if found.cut:
        yield f"warning: there are more slices than these {found.searched:,}; name fewer columns"
    worse = found.slices.filter(verdict=WORSE).height
    share = f"{100 * round(1 - confidence, 12):.4g}%"
    yield f"p is adjusted over all {family}, so that the chance of any false alarm is {share}"
    if worse:
        yield f"{worse:,} slice{'s' * (worse != 1)} with a regression, the smallest p first"
        return
    yield "no slice shows a regression"
    if found.slices.height:
        row = found.slices.row(0, named=True)
        p = f"p = {row['p']:.3g}, adjusted {row['p_holm']:.3g}"
        yield (
            f"nearest to one: {row['slice']}, {row['scorer']} {signed(row['difference'])} in"
            f" {row['n']:,} pairs, {p}"
        )


def rows_of_search(found: FoundSlices) -> list[list[str]]:
    """The slices with a regression, as cells."""
    return [_cells(row) for row in found.slices.filter(verdict=WORSE).to_dicts()]


def document_of_search(found: FoundSlices | None) -> dict[str, Any] | None:
    """All that was found, for JSON."""
    if found is None:
        return None
    facts = asdict(replace(found, slices=found.slices.clear()))
    return facts | {"slices": found.slices.to_dicts()}


def _cells(row: Mapping[str, Any]) -> list[str]:
    same = f" (= {row['same_pairs'][0]})" if row["same_pairs"] else ""
    return [
        row["slice"] + same,
        row["scorer"],
        f"{row['n']:,}",
        f"{row['base']:.3f}",
        f"{row['candidate']:.3f}",
        signed(row["difference"]),
        interval(row),
        signed(row["rest"]),
        *(f"{row[name]:.2g}" for name in ("p", "p_holm", "p_bh")),
    ]
