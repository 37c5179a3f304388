"""Checks that hold a text against several others: all of them in it, any of them, or one it is."""

from collections.abc import Sequence

import polars as pl

from batcheval.checks.folding import Folding, Form
from batcheval.checks.operands import column, listing, quote, sentence, subject
from batcheval.checks.texts.lists import folded_list, picked, texts, texts_per_row
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check, passed

__all__ = ["includes_all", "includes_any", "one_of"]


@check
def includes_all(
    expected: Sequence[str] | pl.Expr,
    *,
    ignore_case: bool = True,
    casefold: bool = False,
    normalize: Form | None = None,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output contains each text of `expected`, taken literally: 1.0, else 0.0.

    They may overlap. Details: `found` and `missing`, as they stand in `expected`.

    Args:
        expected: the texts to look for, at least one, none of them empty; or an expression with a
            list per row, of List(String) or as JSON text. A row where it is null, empty, has an
            empty text or is anything else has no expectation and is unscored.
        ignore_case: compare in lower case, as in `includes`.
        casefold: by case folding, likewise.
        normalize: in a normal form, likewise.
        on: the text to search instead of the output; where it is null a row is unscored.

    Raises:
        BlankArgumentError: `expected` is empty, or one of its texts is.
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["Oslo is sunny.", "Oslo has rain."]})
        >>> traces.select(includes_all(["oslo", "sun"]).score).to_series().to_list()
        [1.0, 0.0]
    """
    folding = Folding(ignore_case, casefold, normalize)
    text, wanted = folding(column("on", on)), _wanted(expected)
    found, missing = (picked(text, wanted, folding, present=present) for present in (True, False))
    holds = missing.list.len() == 0
    if isinstance(wanted, list):  # one pass, whose hits overlap
        needles = list(dict.fromkeys(folded_list(wanted, folding)))
        hits = text.str.extract_many(needles, overlapping=True)
        holds = hits.list.n_unique() == len(needles)
    reason = sentence(holds, "{} lacks {}, and should include all", subject(on), listing(missing))
    return passed(holds, pl.struct(found=found, missing=missing), reason)


@check
def includes_any(
    expected: Sequence[str] | pl.Expr,
    *,
    ignore_case: bool = True,
    casefold: bool = False,
    normalize: Form | None = None,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output contains at least one text of `expected`, taken literally: 1.0, else 0.0.

    All are looked for in one pass (Aho and Corasick 1975). Details: `found` and `missing`.

    Args:
        expected: as in `includes_all`.
        ignore_case: compare in lower case, as in `includes`.
        casefold: by case folding, likewise.
        normalize: in a normal form, likewise.
        on: the text to search instead of the output; where it is null a row is unscored.

    Raises:
        BlankArgumentError: `expected` is empty, or one of its texts is.
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["Oslo is sunny.", "Rome has rain."]})
        >>> traces.select(includes_any(["oslo", "paris"]).score).to_series().to_list()
        [1.0, 0.0]
    """
    folding = Folding(ignore_case, casefold, normalize)
    text, wanted = folding(column("on", on)), _wanted(expected)
    found, missing = (picked(text, wanted, folding, present=present) for present in (True, False))
    holds = found.list.len() > 0
    if isinstance(wanted, list):
        holds = text.str.contains_any(folded_list(wanted, folding))
    asked = pl.lit(wanted, dtype=pl.List(pl.String)) if isinstance(wanted, list) else wanted
    template = "{} has {}, and should include one of {}"
    reason = sentence(holds, template, subject(on), listing(found), listing(asked))
    return passed(holds, pl.struct(found=found, missing=missing), reason)


@check
def one_of(
    expected: Sequence[str] | pl.Expr,
    *,
    ignore_case: bool = True,
    casefold: bool = False,
    normalize: Form | None = None,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output is one of the texts of `expected`, the whole of it: 1.0, else 0.0.

    Nothing is trimmed. Details: `equal`.

    Args:
        expected: the texts that it may be, at least one; one of them may be empty. Or an
            expression with a list per row, as in `includes_all`.
        ignore_case: compare in lower case, as in `includes`.
        casefold: by case folding, likewise.
        normalize: in a normal form, likewise.
        on: the text to compare instead of the output; where it is null a row is unscored.

    Raises:
        BlankArgumentError: `expected` is empty.
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["Yes", "Yes!"]})
        >>> traces.select(one_of(["yes", "no"]).score).to_series().to_list()
        [1.0, 0.0]
    """
    folding = Folding(ignore_case, casefold, normalize)
    text, wanted = column("on", on), _wanted(expected, blank=True)
    if isinstance(wanted, list):
        equal = folding(text).is_in(folded_list(wanted, folding))
        asked = pl.lit(wanted, dtype=pl.List(pl.String))
    else:
        listed = wanted.list.eval(folding(pl.element()))
        both = text.is_not_null() & wanted.is_not_null()
        equal, asked = pl.when(both).then(listed.list.contains(folding(text))), wanted
    template = "{} is {}, and should be one of {}"
    reason = sentence(equal, template, subject(on), quote(text), listing(asked))
    return passed(equal, pl.struct(equal=equal), reason)


def _wanted(expected: object, *, blank: bool = False) -> list[str] | pl.Expr:
    if isinstance(expected, pl.Expr):
        return texts_per_row(expected, blank=blank)
    return texts("expected", expected, blank=blank)
