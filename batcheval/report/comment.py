"""Markdown that fits a comment on a pull request: folded where long, cut where too long."""

import html
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from batcheval.report.layout import Row, escaped, markdown_rows

LIMIT: Final = 65_536  # what hosts of repositories take; counted in bytes, to be safe
_SPARE: Final = 500
_LONGEST: Final = 200  # characters of a cell or line


class Block(NamedTuple):
    """A part of a comment: lines that may be cut at any place.

    Attributes:
        lines: what there is to tell, each in Markdown already.
        head: what stands above them whatever is cut, such as the heads of a table.
        title: under which the block is folded; without, it is open.
        apart: whether each line is a paragraph of its own.
    """

    lines: Sequence[str]
    head: Sequence[str] = ()
    title: str | None = None
    apart: bool = False


def table_block(heads: Row, rows: Sequence[Row], title: str | None = None) -> Block:
    """A table, of which the last rows may be left out."""
    first, rule, *others = markdown_rows(_shortened(heads), [_shortened(row) for row in rows])
    return Block(others, (first, rule), title)


def list_block(lines: Sequence[str], title: str | None = None) -> Block:
    """A list, of which the last lines may be left out."""
    return Block([f"- {escaped(_short(line, 2_000))}" for line in lines], (), title)


def text_block(lines: Sequence[str]) -> Block:
    """Paragraphs, of which the last may be left out."""
    return Block([escaped(_short(line, 2_000)) for line in lines], apart=True)


def comment(blocks: Iterable[Block], limit: int = LIMIT) -> str:
    r"""The blocks one after the other, as much of each as fits.

    Example:
        >>> print(comment([table_block(["a"], [["1"]], "<all>"), list_block(["x_y"])]))
        <details><summary>&lt;all&gt;</summary>
        <BLANKLINE>
        | a |
        | :-- |
        | 1 |
        <BLANKLINE>
        </details>
        <BLANKLINE>
        - x_y
    """
    parts, room = [], limit - _SPARE
    for block in blocks:
        if (block.lines or block.head) and (part := _fitted(block, room)):
            parts.append(part)
            room -= _size(part) + 2
    return "\n\n".join(parts)


def _fitted(block: Block, room: int) -> str:
    """The block with as many of its lines as there is room for; nothing if there is none at all."""
    before, after = [*block.head], []
    if block.title is not None:
        title = html.escape(_short(" ".join(block.title.split())))
        before, after = [f"<details><summary>{title}</summary>", "", *before], ["", "</details>"]
    gap = 2 if block.apart else 1
    left = room - sum(_size(line) + 1 for line in (*before, *after)) - 100
    kept: list[str] = []
    for line in block.lines:
        left -= _size(line) + gap
        if left < 0:
            break
        kept.append(line)
    if block.lines and not kept:
        return ""
    more = len(block.lines) - len(kept)
    told = ["", f"… and {more:,} more, left out here"] if more else []
    inner = ["\n\n".join(kept)] if block.apart else kept
    return "\n".join([*before, *inner, *told, *after])


def _shortened(row: Row) -> list[str]:
    return [_short(cell) for cell in row]


def _short(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
