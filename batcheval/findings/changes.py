"""The pairs of a comparison once more: how both runs' scores spread, and which pairs got worse."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from batcheval.comparing import Comparison, Pairs, Run, Source, open_run, pair
from batcheval.comparing.distinct import KEY, spelled
from batcheval.comparing.keys import columns_of, comparable
from batcheval.comparing.pairs import BASE, CANDIDATE
from batcheval.comparing.units import as_floats
from batcheval.findings.histograms import histogram
from batcheval.findings.run import counts_of_run
from batcheval.findings.texts import PLACE, TEXT, Cases, Read, with_texts
from batcheval.schema import with_paths

WORST: Final = 20  # pairs that a page shows
SLIGHT: Final = 1e-12  # a smaller fall is rounding
_LOST: Final = "\0lost"
_PAIR: Final = "\0pair"
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
    base: Source, candidate: Source, comparison: Comparison, *, read: Read | None = None
) -> Change:
    """The pairs of a comparison once more.

    Args:
        base: as it was given to `compare`.
        candidate: the same.
        comparison: what `compare` found.
        read: gives the traces of the sources that the scores name; without, `read_traces`.

    Example:
        >>> from batcheval import compare
        >>> runs = [pl.DataFrame({"trace_id": ["a"], "right": [score]}) for score in (1.0, 0.0)]
        >>> look_at_comparison(*runs, compare(*runs)).worst.frame["key"].to_list()
        ["trace_id 'a'"]
    """
    runs = [open_run(base, "base"), open_run(candidate, "candidate")]
    scorers = comparison.scorers["scorer"].to_list()
    pairs = pair(runs[0], runs[1], scorers, comparison.key)
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
        _worst(runs, pairs, scorers, read),
        pairs.frame,
        told,
        {name: text for name, run in sides.items() if (text := run.metadata.get("suite"))},
        {name: text for name, run in sides.items() if (text := run.metadata.get("version"))},
    )


def _worst(runs: Sequence[Run], pairs: Pairs, scorers: Sequence[str], read: Read | None) -> Cases:
    changes = [(pl.col(CANDIDATE + s) - pl.col(BASE + s)).fill_nan(None) for s in scorers]
    lost = pl.sum_horizontal(change.clip(upper_bound=0.0) for change in changes).alias(_LOST)
    ranked = pairs.frame.with_columns(lost).filter(pl.col(_LOST) < -SLIGHT)
    worst = ranked.sort(_LOST, maintain_order=True).head(WORST).drop(_LOST).with_row_index(_PAIR)
    columns = [KEY + name for name in pairs.key]
    keys = [spelled(row) for row in worst.select(columns).to_dicts()]
    sides = [_side(run, other, pairs.key, worst) for run, other in (runs, runs[::-1])]
    found, notes = with_texts(pl.concat(sides), read)
    shown = worst.drop(columns).with_columns(pl.Series("key", keys, pl.String))
    halves = found[: sides[0].height], found[sides[0].height :]
    for name, rows in zip(_SIDES, halves, strict=True):
        picked = {"trace_id": f"{name}_trace", TEXT + "output": f"{name}_output"}
        if name == "base":
            picked |= {TEXT + text: TEXT + text for text in ("input", "expected")}
        first = rows.unique(_PAIR, keep="first", maintain_order=True)
        own = first.select(_PAIR, *(pl.col(old).alias(new) for old, new in picked.items()))
        shown = shown.join(own, on=_PAIR, how="left", maintain_order="left")
    return Cases(shown.drop(_PAIR), ranked.height, notes)


def _side(run: Run, other: Run, key: Sequence[str], worst: pl.DataFrame) -> pl.DataFrame:
    """Where the traces of some pairs are, on one side: several each where trials were averaged."""
    mine, others = (columns_of(each, key, "the key") for each in (run, other))
    keyed = with_paths(run.scores, dict.fromkeys(key, "the key"))
    known = keyed.collect_schema()
    keys = [comparable(name, mine[name], others[name]).alias(KEY + name) for name in key]
    place = [
        (pl.col(name) if name in known else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in PLACE.items()
    ]
    columns = [KEY + name for name in key]
    chosen = worst.lazy().select(_PAIR, *columns)
    found = chosen.join(
        keyed.select(*keys, *place), on=columns, how="left", nulls_equal=True, maintain_order="left"
    )
    return found.select(_PAIR, *PLACE).collect()
