"""Rows of cells as an aligned table for a terminal, or as a Markdown table."""

import re
import unicodedata
from collections.abc import Sequence
from typing import TypeAlias

Row: TypeAlias = Sequence[str]

_MENTION = re.compile(r"(?<!\w)@(?=\w)")
_MARKUP = re.compile(r"([\\`*<>\[\]|~#])")


def text_table(heads: Row, rows: Sequence[Row]) -> str:
    """A table in which the first column stands on the left and the numbers on the right.

    Example:
        >>> print(text_table(["scorer", "mean"], [["polite", "0.5"], ["tone", "1"]]))
        scorer  mean
        ------  ----
        polite   0.5
        tone       1
    """
    table = [[_one_line(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(map(_width, column)) for column in zip(*table, strict=True)]
    rule = ["-" * width for width in widths]
    return "\n".join(_text_line(row, widths) for row in (table[0], rule, *table[1:]))


def markdown_rows(heads: Row, rows: Sequence[Row]) -> list[str]:
    r"""The lines of the same in Markdown; what is markup there is written with a backslash.

    Example:
        >>> print(*markdown_rows(["scorer", "mean"], [["a|b", "0.5"]]), sep="\n")
        | scorer | mean |
        | :-- | --: |
        | a\|b | 0.5 |
    """
    rule = [":--", *("--:" for _ in heads[1:])]
    table = [[escaped(cell) for cell in row] for row in (heads, *rows)]
    return [f"| {' | '.join(row)} |" for row in (table[0], rule, *table[1:])]


def markdown_table(heads: Row, rows: Sequence[Row]) -> str:
    """The same as one text."""
    return "\n".join(markdown_rows(heads, rows))


def escaped(text: str) -> str:
    """The text on one line, so that Markdown shows it as it is, and calls nobody by `@name`."""
    return _MENTION.sub("@&#8203;", _MARKUP.sub(r"\\\1", _one_line(text)))


def _text_line(row: Row, widths: Sequence[int]) -> str:
    gaps = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
    first, *others = row
    numbers = [gap + cell for gap, cell in zip(gaps[1:], others, strict=True)]
    return "  ".join([first + gaps[0], *numbers])


def _one_line(cell: str) -> str:
    return "".join(char if char.isprintable() else " " for char in cell)


def _width(cell: str) -> int:
    """The columns of a terminal that the text takes: two for a wide character, none for a mark."""
    marks = sum(map(bool, map(unicodedata.combining, cell)))
    return len(cell) - marks + sum(unicodedata.east_asian_width(char) in "WF" for char in cell)
