"""The worst of all slices that were tested, and all that is told of them."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import polars as pl

from batcheval.comparing.clusters import recoded
from batcheval.comparing.families import benjamini_hochberg, holm
from batcheval.comparing.regions import Column, Term, rows_in
from batcheval.comparing.rows import Settings, rows_of
from batcheval.comparing.tables import TABLE, UNSHOWN, WORSE
from batcheval.comparing.trials import Search
from batcheval.comparing.units import Codes

MOST: Final = 50  # rows of the table
_SAME: Final = 5  # other names of a slice that are told

_OWN: Final = ("n", "clusters", "base", "candidate", "difference", "low", "high", "interval")
_COUNTS: Final = ("wins", "ties", "losses")
FOUND: Final = pl.Schema(
    {
        "slice": pl.String(),
        "columns": pl.List(pl.String),
        "values": pl.List(pl.String),
        "same_pairs": pl.List(pl.String),
        "scorer": pl.String(),
        **{name: TABLE[name] for name in _OWN},
        "rest": pl.Float64(),
        **{name: TABLE[name] for name in (*_COUNTS, "test", "p", "p_holm", "p_bh", "verdict")},
    }
)


def worst(
    search: Search,
    frame: pl.DataFrame,
    columns: Sequence[Column],
    codes: Codes | None,
    settings: Settings,
) -> pl.DataFrame:
    """The slices in which a scorer fell, the smallest p first, 50 at most.

    The p values are adjusted over all tests of the search. A slice of two columns is left out if
    one of the two alone has as small a p: then the other column adds nothing. Of those that are
    left, the interval is the one that `compare` gives for such pairs.
    """
    tests = search.tests.filter(pl.col("p").is_not_null())
    p = tests["p"].to_list()
    tests = tests.with_columns(
        p_holm=pl.Series(holm(p), dtype=pl.Float64),
        p_bh=pl.Series(benjamini_hochberg(p), dtype=pl.Float64),
    )
    falls = tests.filter(pl.col("difference") < 0).sort("p", "difference", maintain_order=True)
    alpha = round(1 - settings.confidence, 12)
    rows = []
    for row in _telling(falls, search):
        terms = search.terms[row["slice"]]
        places = rows_in(columns, terms)
        own = None if codes is None else recoded(codes[places])
        (whole,) = rows_of(frame[places], [row["scorer"]], own, settings)
        shown = row["p_holm"] <= alpha
        rows.append(
            {
                **row,
                **{name: whole.get(name) for name in (*_OWN, *_COUNTS)},
                "slice": named(terms),
                "columns": [name for name, _ in terms],
                "values": [value for _, value in terms],
                "same_pairs": list(map(named, search.same.get(row["slice"], ())))[:_SAME],
                "verdict": WORSE if shown else UNSHOWN,
            }
        )
    return pl.DataFrame(rows, schema=FOUND)


def named(terms: Sequence[Term]) -> str:
    """A slice in words.

    Example:
        >>> named([("kind", "refund"), ("city", None)])
        'kind = refund and city is null'
    """
    parts = [f"{name} is null" if value is None else f"{name} = {value}" for name, value in terms]
    return " and ".join(parts)


def _telling(falls: pl.DataFrame, search: Search) -> Iterator[dict[str, Any]]:
    """The falls, without those of which a slice around tells as much."""
    known: dict[tuple[int, str], float] = {}
    given = 0
    for row in falls.iter_slices(1):
        (one,) = row.to_dicts()
        terms, key = search.terms[one["slice"]], one["scorer"]
        around = [search.numbers_of.get((term,)) for term in terms if len(terms) > 1]
        known[one["slice"], key] = one["p"]
        if any((number, key) in known for number in around if number is not None):
            continue  # in order of p, so what is known is as small
        yield one
        given += 1
        if given == MOST:
            return
