"""A check for texts that repeat themselves."""

from functools import partial

import polars as pl

from batcheval.checks.operands import column, quote, sentence, share, subject, whole
from batcheval.checks.texts.ngrams import FOUND, PERIOD, commonest, evidence, shares
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, batched, check, passed

__all__ = ["repetition"]


@check
def repetition(*, n: int = 4, max_share: float | None = None, on: pl.Expr = OUTPUT) -> Verdict:
    """The share of the output's n-grams of words that are no repeats: 1.0 if none is.

    One less the measure "seq-rep-n" (Welleck, Kulikov, Roller, Dinan, Cho and Weston 2020, "Neural
    text generation with unlikelihood training"): distinct n-grams by all of them. Words are runs of
    letters and digits, in lower case; in scripts without spaces each character is one. A text of
    fewer than `n` words repeats nothing. Details: `repeated`, the share that is repeats; `most`,
    the n-gram that comes most often, and how many `times`; `loop`, how often the stretch that most
    often follows itself stands in a row: 1 if none does.

    Args:
        n: words of an n-gram, 1 to 50.
        max_share: in 0..1; turns the score into 1.0 where no more than that share is repeats, else
            0.0.
        on: the text to judge instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type or out of its range.

    Example:
        >>> traces = pl.DataFrame({"output": ["so it is so it is so it is", "so it is"]})
        >>> traces.select(repetition(n=3).score.round(3)).to_series().to_list()
        [0.429, 1.0]
    """
    size, text = whole("n", n, 1, PERIOD), column("on", on)
    most = None if max_share is None else share("max_share", max_share)
    repeated = batched(partial(shares, n=size), text)
    details = text.map_batches(partial(evidence, n=size), return_dtype=FOUND, is_elementwise=True)
    asked = "should have few" if most is None else f"should have at most {most}"
    template = f"{{}} has a share of {{}} repeated {size}-grams, most of them {{}}, and {asked}"
    most_often = text.map_batches(
        partial(commonest, n=size), return_dtype=pl.String, is_elementwise=True
    )
    loudest = quote(most_often.fill_null(""))
    reason = sentence(repeated, template, subject(on), repeated.round(3).cast(pl.String), loudest)
    if most is None:
        return Verdict(1 - repeated, details, reason)
    return passed(repeated <= most, details, reason)
