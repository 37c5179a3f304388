"""The pairs of a comparison once more: how both runs' scores spread, and which pairs got worse."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from batcheval.comparing import Comparison, Pairs, Run, Source, open_run, pair
from batcheval.comparing.distinct import KEY, spelled
from batcheval.comparing.joining import ROW
from batcheval.comparing.pairs import BASE, CANDIDATE
from batcheval.comparing.units import as_floats
from batcheval.findings.histograms import histogram
from batcheval.findings.run import counts_of_run
from batcheval.findings.texts import TEXT, Cases, with_texts
from batcheval.schema import Frame, canonical

WORST: Final = 20  # pairs that a page shows
SLIGHT: Final = 1e-12  # a smaller fall is rounding
_LOST: Final = "\0lost"
_SIDES: Final = {"base": BASE, "candidate": CANDIDATE}


@dataclass(frozen=True)
class Change:
    """What a comparison does not hold of its pairs and runs.

    Attributes:
        comparison: of which it tells.
        histograms: of each scorer, how many scores of base and candidate lie in each bin.
        worst: the pairs that lost most, over all scorers: `key`, in words; scores under
            `base:<scorer>` and `candidate:<scorer>`; `text:input` and `text:expected`; the ids
            `base_trace` and `candidate_trace`; the texts `base_output` and `candidate_output`.
        pairs: all of them, as `pair` gives them.
        counts: of the lines that base and candidate were read from, by side, where known.
        suites: the text of the suite that scored each side, where known.
        versions: of the batcheval that scored each side, where known.
    """

    comparison: Comparison
    histograms: dict[str, list[list[int]]]
    worst: Cases
    pairs: pl.DataFrame
    counts: dict[str, Mapping[str, Any]]
    suites: dict[str, str]
    versions: dict[str, str]


def look_at_comparison(
    base: Source, candidate: Source, comparison: Comparison, *, traces: Frame | None = None
) -> Change:
    """The pairs of a comparison once more.

    Args:
        base: as it was given to `compare`.
        candidate: the same.
        comparison: what `compare` found.
        traces: where texts are looked up; without, the files that the scores name are read again.

    Example:
        >>> from batcheval import compare
        >>> runs = [pl.DataFrame({"trace_id": ["a"], "right": [score]}) for score in (1.0, 0.0)]
        >>> look_at_comparison(*runs, compare(*runs)).worst.frame["key"].to_list()
        ["trace_id 'a'"]
    """
    runs = open_run(base, "base").numbered(ROW), open_run(candidate, "candidate").numbered(ROW)
    table = None if traces is None else canonical(traces)
    scorers = comparison.scorers["scorer"].to_list()
    pairs = pair(*runs, scorers, comparison.key, traces=table)
    histograms = {
        scorer: [histogram(as_floats(pairs.frame[side + scorer])) for side in _SIDES.values()]
        for scorer in scorers
    }
    sides = dict(zip(_SIDES, runs, strict=True))
    told: dict[str, Mapping[str, Any]] = {
        name: counts for name, run in sides.items() if (counts := counts_of_run(run))
    }
    return Change(
        comparison,
        histograms,
        _worst(sides, pairs, scorers, table),
        pairs.frame,
        told,
        {name: text for name, run in sides.items() if (text := run.metadata.get("suite"))},
        {name: text for name, run in sides.items() if (text := run.metadata.get("version"))},
    )


def _worst(
    sides: Mapping[str, Run], pairs: Pairs, scorers: Sequence[str], traces: pl.LazyFrame | None
) -> Cases:
    changes = [(pl.col(CANDIDATE + s) - pl.col(BASE + s)).fill_nan(None) for s in scorers]
    lost = pl.sum_horizontal(change.clip(upper_bound=0.0) for change in changes).alias(_LOST)
    ranked = pairs.frame.with_columns(lost).filter(pl.col(_LOST) < -SLIGHT)
    worst = ranked.sort(_LOST, maintain_order=True).head(WORST)
    keys = [spelled(row) for row in worst.select(KEY + name for name in pairs.key).to_dicts()]
    shown, notes = worst.with_columns(pl.Series("key", keys, pl.String)), []
    for name, run in sides.items():
        number = _SIDES[name] + ROW
        own = run.scores.join(worst.lazy().select(pl.col(number).alias(ROW)), on=ROW, how="semi")
        rows, told = with_texts(own.collect(), run, traces)
        half = _half(rows, name).rename({ROW: number})
        shown = shown.join(half, on=number, how="left", maintain_order="left")
        notes += told
    return Cases(shown, ranked.height, list(dict.fromkeys(notes)))


def _half(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """What is shown of the traces on one side; the base's input and expectation stand for both."""
    trace = pl.col("trace_id").cast(pl.String) if "trace_id" in rows else pl.lit(None, pl.String)
    texts = [TEXT + "input", TEXT + "expected"] if name == "base" else []
    output = pl.col(TEXT + "output").alias(f"{name}_output")
    return rows.select(ROW, *texts, trace.alias(f"{name}_trace"), output)
