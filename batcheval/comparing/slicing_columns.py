"""By which columns slices are searched, where nobody says."""

from typing import Final

import msgspec
import polars as pl

from batcheval.comparing.evidence import TOOL
from batcheval.comparing.runs import Run
from batcheval.comparing.sources import traces_again
from batcheval.schema import IDENTITY

NAMED: Final = "named"
KEPT: Final = "kept among the scores"
OFFERED: Final = "offered by the traces"
_LOOKED_AT: Final = 1_000  # traces whose metadata is looked at
_MOST_KEYS: Final = 20
_OF_TRACES: Final = ("model", TOOL, "length(input)")
_ENDINGS: Final = ("_details", "_reason")


def columns_to_search(run: Run, traces: pl.LazyFrame | None) -> tuple[list[str], str]:
    """The columns kept among the scores; without any, what the traces offer. And which of these.

    These are `model`, `tool`, `length(input)` and the keys of `metadata`, up to 20, that hold
    texts, numbers or true and false in the first 1,000 traces.

    Raises:
        LostTracesError: nothing was kept, and the traces are gone.
        UnkeptColumnError: nothing was kept, and the scores do not say where their traces are.
    """
    made = {scorer + ending for scorer in run.scorers for ending in ("", *_ENDINGS)}
    kept = [name for name in run.scores.collect_schema() if name not in (*IDENTITY, *made)]
    if kept:
        return kept, KEPT
    table = traces_again(run, {"metadata": "find_slices"}) if traces is None else traces
    texts = table.select("metadata").head(_LOOKED_AT).collect(engine="streaming").to_series()
    return [*_OF_TRACES, *_keys(texts)], OFFERED


def _keys(texts: pl.Series) -> list[str]:
    decode = msgspec.json.Decoder(dict[str, object]).decode
    found: dict[str, bool] = {}
    for text in texts.drop_nulls():
        try:
            pairs = decode(text)
        except (msgspec.DecodeError, RecursionError):
            continue
        for key, value in pairs.items():
            if isinstance(value, str | int | float | bool):
                found[key] = found.get(key, True) and key.isidentifier()
    return [f"metadata.{key}" for key, plain in found.items() if plain][:_MOST_KEYS]
