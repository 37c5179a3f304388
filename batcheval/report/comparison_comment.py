"""A comparison in Markdown, its verdict first."""

from collections.abc import Iterator

from batcheval.comparing import Comparison
from batcheval.judging import Judgement
from batcheval.report.comment import Block, comment, list_block, table_block
from batcheval.report.comparison_cells import TEST_HEADS, heads_of, main_cells, parts_of, test_cells
from batcheval.report.found import HEADS_OF_SEARCH, rows_of_search, said_of_search
from batcheval.report.gates import gate_blocks
from batcheval.report.layout import escaped
from batcheval.report.said import said_of_pairs, said_of_scorer, tally

_SHOWN = (0, 10, 4, 5, 2, 3, 1)  # of the main table's columns, those that are not folded


def comparison_comment(comparison: Comparison, judgement: Judgement) -> str:
    """The verdict, a table of the scorers, all else folded; no longer than a comment may be."""
    return comment(_blocks(comparison, judgement))


def _blocks(comparison: Comparison, judgement: Judgement) -> Iterator[Block]:
    heads, rows = heads_of(comparison), comparison.scorers.to_dicts()
    cells = [main_cells(row) for row in rows]
    found = ", ".join(f"{count:,} {word}" for count, word in tally(comparison.scorers))
    yield Block([f"### {escaped(found)}"])
    yield from gate_blocks(judgement)
    yield list_block(list(said_of_pairs(comparison)))
    yield table_block(
        [heads[place] for place in _SHOWN], [[row[place] for place in _SHOWN] for row in cells]
    )
    level = comparison.settings.confidence
    if comparison.found is not None:
        yield Block(["### slices found"])
        yield list_block(list(said_of_search(comparison.found, level)))
        if slices := rows_of_search(comparison.found):
            yield table_block(HEADS_OF_SEARCH, slices)
    said = [said_of_scorer(row, level, len(rows)) for row in rows]
    yield list_block(said, "What stands behind the verdicts")
    yield table_block(heads, cells, "Wins, ties and losses")
    yield table_block(TEST_HEADS, [test_cells(row) for row in rows], "Tests and effect sizes")
    for name, part in parts_of(comparison.slices):
        yield table_block(heads, [main_cells(row) for row in part.to_dicts()], name)
