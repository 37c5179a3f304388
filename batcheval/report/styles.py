"""What a page is made of, for the terminal and in Markdown, and how numbers stand on it."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from batcheval.report.layout import Row, escaped, markdown_table, text_table


class Style(NamedTuple):
    """How tables, the titles above them and lists of lines are written."""

    table: Callable[[Row, Sequence[Row]], str]
    title: Callable[[str], str]
    lines: Callable[[Sequence[str]], str]


STYLES: Final = {
    "text": Style(text_table, str, "\n".join),
    "markdown": Style(
        markdown_table,
        lambda title: f"### {escaped(title)}",
        lambda lines: "\n".join(f"- {escaped(line)}" for line in lines),
    ),
}


def decimal(number: float | None) -> str:
    """Three decimals, a dash for none.

    Example:
        >>> decimal(0.5), decimal(None)
        ('0.500', '-')
    """
    return "-" if number is None else f"{number:.3f}"


def ranged(low: float | None, high: float | None) -> str:
    """The ends of an interval.

    Example:
        >>> ranged(0.25, 0.5), ranged(None, None)
        ('0.250 to 0.500', '-')
    """
    return "-" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def counted(number: int, noun: str) -> str:
    """So many of something.

    Example:
        >>> counted(1, "row"), counted(1200, "row")
        ('1 row', '1,200 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
