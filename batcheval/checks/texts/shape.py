r"""Checks of the form of a text: is it cut off, what Markdown is it made of.

Fences, headings, lists, quotes, tables and links are those of CommonMark 0.31 and, for tables,
GitHub's extension of it, told line by line: a fence inside of a list item counts too, and what is
indented by four spaces is not taken for code.
"""

from collections.abc import Sequence
from typing import Literal, get_args

import polars as pl

from batcheval.checks.operands import column, either, listing, quote, sentence, subject
from batcheval.checks.texts.endings import is_cut, last_line
from batcheval.checks.texts.lists import texts
from batcheval.checks.texts.markup import counts, open_fence, skips_level, uneven_table
from batcheval.errors import BadArgumentError, quoted
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check, passed

__all__ = ["markdown", "truncated"]

Part = Literal["headings", "list_items", "tables", "code_blocks", "links", "quotes"]


@check
def truncated(*, on: pl.Expr = OUTPUT) -> Verdict:
    """The output is not cut off: 1.0, else 0.0.

    It is cut off if a code fence is still open, or if it ends in mid-sentence: with a comma, a
    semicolon or a hyphen after a letter; with a bracket or quotation mark of its last line still
    open and no full stop; or with a letter or digit in a line that has ended a sentence before, or
    is longer than 80 characters. Headings and rows of tables may end as they like; and so may
    addresses, signatures ("Best, Anna", "— The team"), short answers ("Paris"), items of lists, and
    Thai and Lao, which write no full stops, unless something is open. Nothing is known of words:
    "The capital of" alone is not found. Details: `open_fence`, `mid_sentence`.

    Args:
        on: the text to judge instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: `on` is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["It is not far. Take the", "It is not far.", "Oslo"]})
        >>> traces.select(truncated().score).to_series().to_list()
        [0.0, 1.0, 1.0]
    """
    text = column("on", on)
    fence = open_fence(text)
    middle = ~fence & is_cut(text)
    cut = fence | middle
    how = (
        pl.when(fence)
        .then(pl.lit("has an open code fence"))
        .otherwise(either(middle, "ends in mid-sentence", "does not end in mid-sentence"))
    )
    tail = quote(last_line(text).str.tail(40))
    reason = sentence(cut, "{} {}, at {}, and should be whole", subject(on), how, tail)
    return passed(~cut, pl.struct(open_fence=fence, mid_sentence=middle), reason)


@check
def markdown(
    *, has: Sequence[Part] = (), lacks: Sequence[Part] = (), on: pl.Expr = OUTPUT
) -> Verdict:
    r"""The output is sound Markdown with the parts that it should have: 1.0, else 0.0.

    Sound: no code fence is left open, no level of headings is skipped on the way down, and the
    rows of a table have as many cells as its head. What stands inside of fences is no part.
    Details: how many `headings`, `list_items`, `tables`, `code_blocks`, `links` (and images) and
    `quotes` (lines) there are, and the `problems`.

    Args:
        has: which of these there must be.
        lacks: which there must not be.
        on: the text to judge instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: there is no such part, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["# Weather\n\n- sunny", "Sunny"]})
        >>> traces.select(markdown(has=["headings"]).score).to_series().to_list()
        [1.0, 0.0]
    """
    wanted, unwanted = (_parts(name, given) for name, given in (("has", has), ("lacks", lacks)))
    text = column("on", on)
    number = counts(text)
    faults = [
        (open_fence(text), "an open code fence"),
        (skips_level(text), "a skipped level of headings"),
        (uneven_table(text), "a table with uneven rows"),
        *((number[part] == 0, f"no {part}") for part in wanted),
        *((number[part] > 0, f"{part}") for part in unwanted),
    ]
    told = pl.concat_list(pl.when(holds).then(pl.lit(what)) for holds, what in faults)
    problems = pl.when(text.is_not_null()).then(told.list.drop_nulls())
    sound = problems.list.len() == 0
    template = "{} has {}, and should be sound Markdown with the parts asked for"
    reason = sentence(sound, template, subject(on), listing(problems))
    return passed(
        sound,
        pl.struct(*(value.alias(part) for part, value in number.items()), problems=problems),
        reason,
    )


def _parts(name: str, given: object) -> list[str]:
    parts = texts(name, given) if given else []
    for part in parts:
        if part not in get_args(Part):
            raise BadArgumentError(name, f"among {quoted(get_args(Part))}", part)
    return parts
