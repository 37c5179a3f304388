"""Traces that failed a scorer, and pairs that fell, in groups."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import polars as pl

from batcheval.comparing import Run
from batcheval.comparing.distinct import KEY, spelled
from batcheval.comparing.pairs import BASE, CANDIDATE

GROUPS: Final = 20  # of one scorer
NAMED: Final = 20  # traces of one group
_FALLS: Final = ((0.5, "fell by 0.5 or more"), (0.1, "fell by 0.1 to <0.5"), (0.0, "fell by <0.1"))
_SLIGHT: Final = 1e-12
_PARTICULAR: Final = r"'[^']*'|\d+(?:[.,]\d+)*"


class Group(NamedTuple):
    """Traces, or pairs of them, that failed alike.

    Attributes:
        what: they have in common.
        number: how many there are.
        named: the first few.
        example: the reason of the first, where the scores have reasons.
    """

    what: str
    number: int
    named: list[str]
    example: str | None = None


def failures(run: Run, scorer: str) -> list[Group]:
    """The traces with 0.0, by reason where the scores have reasons; the largest groups come first.

    Two reasons are one if they differ in quoted texts and numbers alone. At most 20 groups, the
    last of which then holds all others.

    Example:
        >>> from batcheval.comparing import open_run
        >>> scores = pl.DataFrame({"trace_id": ["a", "b"], "right": [0.0, 1.0]})
        >>> failures(open_run(scores, "scores"), "right")
        [Group(what='scored 0.0', number=1, named=['a'], example=None)]
    """
    known = run.scores.collect_schema()
    reason = f"{scorer}_reason"
    said = pl.col(reason).cast(pl.String) if reason in known else pl.lit(None, pl.String)
    what = said.str.replace_all(_PARTICULAR, "…").fill_null("scored 0.0")
    name = pl.col("trace_id") if "trace_id" in known else pl.lit("a trace")
    failed = run.scores.filter(pl.col(scorer) == 0.0)
    rows = failed.select(what=what, name=name.cast(pl.String).fill_null(""), example=said)
    groups = rows.group_by("what", maintain_order=True).agg(
        pl.len().alias("number"), pl.col("name").head(NAMED), pl.col("example").first()
    )
    found = groups.sort("number", descending=True, maintain_order=True).collect()
    listed = [Group(*row) for row in found.head(GROUPS - 1).rows()]
    rest = found[len(listed) :]
    if rest.height == 1:
        return [*listed, Group(*rest.row(0))]
    if rest.height:
        names = rest["name"].explode().head(NAMED).to_list()
        listed.append(Group(f"{rest.height:,} further reasons", sum(rest["number"]), names))
    return listed


def falls(pairs: pl.DataFrame, scorer: str, key: Sequence[str]) -> list[Group]:
    """The pairs whose score fell, by how far; those that fell most come first.

    Args:
        pairs: as `pair` makes them.
        scorer: its id.
        key: the columns by which the pairs were made.
    """
    fell = (pl.col(BASE + scorer) - pl.col(CANDIDATE + scorer)).alias("\0fell")
    left = pairs.select(*(KEY + name for name in key), fell).filter(
        pl.col("\0fell").is_finite() & (pl.col("\0fell") > _SLIGHT)
    )
    groups = []
    for least, what in _FALLS:
        here = pl.col("\0fell") >= least - _SLIGHT
        part, left = left.filter(here), left.filter(~here)
        if part.height:
            first = part.sort("\0fell", descending=True, maintain_order=True).head(NAMED)
            named = [spelled(row) for row in first.drop("\0fell").to_dicts()]
            groups.append(Group(what, part.height, named))
    return groups
