"""What a comparison found, in sentences."""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from batcheval.comparing import BETTER, TOO_FEW, TOOL, UNSHOWN, WORSE, Comparison, Side
from batcheval.errors import quoted
from batcheval.report.styles import counted

Row = Mapping[str, Any]


def tally(scorers: pl.DataFrame) -> list[tuple[int, str]]:
    """How many scorers came to each verdict, those that none came to left out."""
    verdicts = scorers["verdict"].to_list()
    words = (WORSE, BETTER, TOO_FEW, UNSHOWN)
    return [(count, word) for word in words if (count := verdicts.count(word))]


def said_of_small(small: Mapping[str, int], least: int, unit: str) -> Iterator[str]:
    """How many slices are left out for their size, a line a column."""
    for column, count in small.items():
        some, are = counted(count, "slice"), "is" if count == 1 else "are"
        yield f"by {column}, {some} of fewer than {least:,} {unit} {are} left out"


def said_of_pairs(comparison: Comparison) -> Iterator[str]:
    """Which runs were compared and how their rows were paired, a line each."""
    base, candidate = comparison.base_rows, comparison.candidate_rows
    yield f"{_named('base', comparison.base)}: {counted(base.rows, 'row')}"
    yield f"{_named('candidate', comparison.candidate)}: {counted(candidate.rows, 'row')}"
    grouped = ""
    if comparison.cluster:
        clusters = counted(comparison.clusters or 0, "cluster")
        grouped = f", in {clusters} by {_and(quoted(comparison.cluster))}"
    yield f"{counted(comparison.pairs, 'pair')}: {comparison.made_by}{grouped}"
    yield from _unpaired(base, "the base")
    yield from _unpaired(candidate, "the candidate")
    for names, side in ((comparison.only_base, "base"), (comparison.only_candidate, "candidate")):
        if names:
            yield f"not compared, since only the {side} has it: {quoted(names)}"
    yield from said_of_small(comparison.small_slices, comparison.min_slice_size, "pairs")
    columns = comparison.slices["column"].unique(maintain_order=True).to_list()
    if set(columns) - {TOOL}:
        yield "where the two of a pair differ in what slices go by, the base's is taken"
    for column in columns:
        if comparison.slices.filter(pl.col("column") == column)["value"].is_null().all():
            yield f"warning: no pair has '{column}', and so there is one slice by it"
    if TOOL in comparison.slices["column"]:
        yield "by tool, a pair is in the slice of every tool that either run called"


def _named(role: str, name: str) -> str:
    """The role before the name of a file; a table is called by its role."""
    return name if name.startswith(role) else f"{role} {name}"


def _unpaired(side: Side, name: str) -> Iterator[str]:
    alone = side.unpaired - side.without_key
    if alone:
        some = "; ".join(
            ", ".join(f"{key} {value!r}" for key, value in example.items())
            for example in side.examples
        )
        have = "has" if alone == 1 else "have"
        yield f"warning: {counted(alone, 'row')} of {name} {have} no partner: {some}" + (
            " …" if alone > len(side.examples) else ""
        )
    if side.without_key:
        have = "has" if side.without_key == 1 else "have"
        yield f"warning: {counted(side.without_key, 'row')} of {name} {have} no key"


def said_of_scorer(row: Row, confidence: float, tests: int) -> str:
    """A verdict with what stands behind it, in one sentence."""
    verdict = f"{row['scorer']}: {row['verdict']}"
    if not row["n"]:
        return f"{verdict}: no pair is scored in both runs"
    if row["verdict"] in (BETTER, WORSE):
        counts = f"{row['wins']:,} wins and {row['losses']:,} losses in {_units(row)}"
        reason = f"{signed(row['difference'])} ({interval(row)}), {counts}"
    else:
        reason = _unshown(row, confidence) + _alone(row, confidence, tests)
    return f"{verdict}: {reason}{_unscored(row)}"


def _unscored(row: Row) -> str:
    sides = {"base": row["unscored_base"], "candidate": row["unscored_candidate"]}
    found = [f"{number:,} in the {side}" for side, number in sides.items() if number]
    return f"; unscored: {' and '.join(found)}" if found else ""


def _unshown(row: Row, confidence: float) -> str:
    units = _units(row)
    few = 2.0 ** (1 - (row["clusters"] or row["n"])) > round(1 - confidence, 12)
    if few or row["p"] is None:
        return f"with {units} no outcome could be shown"
    if row["mde"] is None:
        return f"{units} without any spread in their differences"
    only = "only " if row["verdict"] == TOO_FEW else ""
    seen = f"in 4 of 5 such comparisons with {units}"
    return f"{only}a difference of {row['mde']:.3f} or more would be shown {seen}"


def _alone(row: Row, confidence: float, tests: int) -> str:
    """A word on a p value that is small, and yet shows nothing."""
    alpha = round(1 - confidence, 12)
    if row["p"] is None or row["p"] > alpha:
        return ""
    if row["p_holm"] <= alpha:
        return f"; p = {row['p']:.3g}, but the interval of the mean says otherwise"
    return f"; p = {row['p']:.3g} would do for one test, not for one of {tests:,}"


def _units(row: Row) -> str:
    if row["clusters"] is None:
        return counted(row["n"], "pair")
    return f"{counted(row['n'], 'pair')} in {counted(row['clusters'], 'cluster')}"


def interval(row: Row) -> str:
    """The interval of the difference: `+0.021 to +0.202`."""
    return "-" if row["low"] is None else f"{signed(row['low'])} to {signed(row['high'])}"


def signed(number: float | None) -> str:
    """Three decimals and a sign, which a number that looks like 0 has not."""
    if number is None:
        return "-"
    return "0.000" if abs(number) < 0.0005 else f"{number:+.3f}"


def _and(names: str) -> str:
    return names.replace(", ", " and ")
