r"""The Markdown in texts, as expressions: CommonMark's block starts, line by line."""

import re
from typing import Final

import polars as pl

_TICKS: Final = r"(?ms)^[ \t]*```[^`\n]*$.*?(?:^[ \t]*```+[ \t]*$|\z)"
_TILDES: Final = r"(?ms)^[ \t]*~~~[^\n]*$.*?(?:^[ \t]*~~~+[ \t]*$|\z)"
_HEADING: Final = r"(?m)^ {0,3}#{1,6}(?:[ \t]|$)"
_RULE: Final = r"(?m)^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$"
_PARTS: Final = {
    "headings": _HEADING,
    "list_items": r"(?m)^[ \t]*(?:>[ \t]?)*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\S",
    "tables": rf"{_RULE}|(?m)^ {{0,3}}\|[ \t]*:?-+:?[ \t]*\|[ \t]*$",
    "links": r"\[[^\[\]\n]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ \t]+[^)\n]*)?\)",
    "quotes": r"(?m)^ {0,3}>",
}
_ROW: Final = re.compile(r"(?<!\\)\|")
_DELIMITER: Final = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")


def open_fence(text: pl.Expr) -> pl.Expr:
    r"""Whether a code fence is left open.

    Example:
        >>> texts = pl.DataFrame({"x": ["```py\n1", "```py\n1\n```", ""]})
        >>> texts.select(open_fence(pl.col("x")))["x"].to_list()
        [True, False, False]
    """
    may = text.str.contains("```", literal=True) | text.str.contains("~~~", literal=True)
    bare = pl.when(may.fill_null(True)).then(text).otherwise(pl.lit(""))
    bare = bare.str.replace_all(r"(?ms)^[ \t]*```[^`\n]*$.*?^[ \t]*```+[ \t]*$", "")
    bare = bare.str.replace_all(r"(?ms)^[ \t]*~~~[^\n]*$.*?^[ \t]*~~~+[ \t]*$", "")
    return bare.str.contains(r"(?m)^[ \t]*(?:```[^`\n]*$|~~~)")


def prose(text: pl.Expr) -> pl.Expr:
    """A text without its fenced blocks."""
    return text.str.replace_all(_TICKS, "").str.replace_all(_TILDES, "")


def counts(text: pl.Expr) -> dict[str, pl.Expr]:
    """How many parts of each kind a text has, outside of its fenced blocks."""
    bare = prose(text)
    found = {part: bare.str.count_matches(pattern) for part, pattern in _PARTS.items()}
    found["code_blocks"] = text.str.count_matches(_TICKS) + text.str.replace_all(
        _TICKS, ""
    ).str.count_matches(_TILDES)
    return {part: found[part].cast(pl.Int64) for part in _ORDER}


_ORDER: Final = ("headings", "list_items", "tables", "code_blocks", "links", "quotes")


def skips_level(text: pl.Expr) -> pl.Expr:
    r"""Whether a heading is more than one level below the one before it.

    Example:
        >>> texts = pl.DataFrame({"x": ["# a\n### b", "# a\n## b\n# c", ""]})
        >>> texts.select(skips_level(pl.col("x")))["x"].to_list()
        [True, False, False]
    """
    marks = prose(text).str.extract_all(_HEADING)
    step = pl.element().str.count_matches("#", literal=True).cast(pl.Int64).diff() > 1
    return marks.list.eval(step).list.any()


def uneven_table(text: pl.Expr) -> pl.Expr:
    r"""Whether a table has a row of more or fewer cells than its head.

    Example:
        >>> texts = pl.DataFrame({"x": ["|a|b|\n|-|-|\n|1|", "|a|b|\n|-|-|\n|1|2|", ""]})
        >>> texts.select(uneven_table(pl.col("x")))["x"].to_list()
        [True, False, False]
    """
    bare = prose(text)
    tables = pl.when(bare.str.contains(_PARTS["tables"])).then(bare)
    uneven = tables.map_batches(_uneven, return_dtype=pl.Boolean, is_elementwise=True)
    return pl.when(text.is_not_null()).then(uneven.fill_null(False))


def _uneven(batch: pl.Series) -> pl.Series:
    rows = [None if text is None else _has_uneven(text.split("\n")) for text in batch.to_list()]
    return pl.Series(batch.name, rows, pl.Boolean)


def _has_uneven(lines: list[str]) -> bool:
    width = 0  # of the table that the line is in; 0 outside of any
    for before, line in zip(["", *lines], lines, strict=False):
        if not width and "|" in line and _DELIMITER.fullmatch(line.rstrip("\r")) and "|" in before:
            width = _cells(line)
            if _cells(before) != width:
                return True
        elif width and "|" in line and _cells(line) != width:
            return True
        elif "|" not in line:
            width = 0
    return False


def _cells(line: str) -> int:
    return len(_ROW.split(line.strip().removeprefix("|").removesuffix("|")))
