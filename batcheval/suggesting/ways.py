"""The ways that runs take along their tools, and the path that the frequent ones make up."""

import re
from typing import Final

import polars as pl

_NEXT: Final = "\x1f"  # between two tools of a way
_AGAIN: Final = "\x1e"  # behind one that is called again at once
_OFTEN: Final = 5  # runs that a way of a path must have been taken by
_MANY: Final = 12  # ways of a path
_LONG: Final = 20  # tools of a way
_BARE: Final = re.compile(r"[\w\-/:]+")


def ways_of(calls: pl.DataFrame) -> pl.DataFrame:
    """The way of each run: its tools in order, each once however often it is called in a row.

    Args:
        calls: as `calls_of` has them.

    Returns:
        A row a run: its `way` as a text, and `n`, 1.
    """
    changed = (pl.col("name") != pl.col("name").shift()) | (pl.col("row") != pl.col("row").shift())
    steps = calls.with_columns(step=changed.fill_null(True).cum_sum())
    marked = steps.group_by("step", maintain_order=True).agg(
        pl.first("row"),
        name=pl.first("name") + pl.when(pl.len() > 1).then(pl.lit(_AGAIN)).otherwise(pl.lit("")),
    )
    ways = marked.group_by("row").agg(way=pl.col("name").str.join(_NEXT))
    return ways.select("way", n=pl.lit(1, pl.Int64))


def name_in_path(tool: str) -> str | None:
    """The name of a tool as a path has it; None if it cannot stand in one."""
    if _BARE.fullmatch(tool):
        return tool
    return None if '"' in tool else f'"{tool}"'


class Path:
    """A tree of the tools that come next.

    Attributes:
        next: by tool, how it goes on.
        again: whether the tool that led here was called several times in a row.
        ends: whether a run may end here.
    """

    def __init__(self) -> None:
        self.next: dict[str, Path] = {}
        self.again = self.ends = False

    def add(self, way: list[str]) -> None:
        """Add a way."""
        if not way:
            self.ends = True
            return
        tool = way[0].removesuffix(_AGAIN)
        path = self.next.setdefault(tool, Path())
        path.again |= tool != way[0]
        path.add(way[1:])

    def __str__(self) -> str:
        """The path as `path_matches` takes it."""
        parts = [
            " ".join(filter(None, (f"{name_in_path(tool)}{'+' * path.again}", str(path))))
            for tool, path in self.next.items()
        ]
        if len(parts) == 1 and not self.ends:
            return parts[0]
        return f"({' | '.join(parts)}){'?' * self.ends}" if parts else ""


def path_of(ways: pl.DataFrame, still: int) -> tuple[str, int, int] | None:
    r"""The path along the frequent ways, how many runs take one of them, and how many ways it has.

    Args:
        ways: a row a way, as `ways_of` has them, with the number `n` of runs.
        still: how many runs call nothing.

    Returns:
        None if no way is frequent, or one has a tool that no path can name.

    Example:
        >>> ways = pl.DataFrame({"way": ["a\x1e\x1fb", "a\x1fc", "a"], "n": [9, 7, 6]})
        >>> path_of(ways, 0)
        ('a+ (b | c)?', 22, 3)
    """
    seen = dict([("", still)] * bool(still) + ways.select("way", "n").rows())
    spelled: dict[tuple[str, ...], list[list[str]]] = {}
    for way in seen:
        tools = way.split(_NEXT) if way else []
        spelled.setdefault(tuple(tool.removesuffix(_AGAIN) for tool in tools), []).append(tools)
    counts = {
        plain: sum(seen[_NEXT.join(way)] for way in several) for plain, several in spelled.items()
    }
    often = [way for way in counts if counts[way] >= _OFTEN and len(way) <= _LONG]
    usual = sorted(often, key=lambda way: (-counts[way], way))[:_MANY]
    if not any(usual) or any(name_in_path(tool) is None for way in usual for tool in way):
        return None
    path = Path()
    for way in (way for plain in usual for way in spelled[plain]):
        path.add(way)
    return str(path), sum(counts[way] for way in usual), len(usual)
