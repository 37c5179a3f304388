"""How texts are made alike before they are compared: their case and their normal form."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias, get_args
from unicodedata import normalize

import polars as pl

from batcheval.checks.operands import flag, fold
from batcheval.errors import BadArgumentError, quoted

Form: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]


@dataclass(frozen=True)
class Folding:
    r"""What is done to both sides of a comparison: calling it gives the expression.

    With a normal form, texts are brought to it before and after their case is folded, since folding
    may undo it (Unicode Standard, D145 and D146).

    Raises:
        BadArgumentError: an argument is of the wrong kind.

    Attributes:
        ignore_case: in lower case, by Unicode's full mapping.
        casefold: by Unicode's full case folding instead: "ß" is "ss", every sigma the same.
        normalize: a Unicode normal form; the NFK ones make full-width letters and digits plain.

    Example:
        >>> texts = pl.DataFrame({"x": ["STRASSE", "straße", "cafe\u0301"]})
        >>> folding = Folding(casefold=True, normalize="NFC")
        >>> texts.select(folding(pl.col("x")))["x"].to_list() == ["strasse", "strasse", "caf\xe9"]
        True
    """

    ignore_case: bool = True
    casefold: bool = False
    normalize: Form | None = None

    def __post_init__(self) -> None:
        """Raise `BadArgumentError` unless all are of their kind."""
        flag("ignore_case", self.ignore_case)
        flag("casefold", self.casefold)
        if self.normalize is not None and self.normalize not in get_args(Form):
            raise BadArgumentError("normalize", f"one of {quoted(get_args(Form))}", self.normalize)

    @property
    def is_lower(self) -> bool:
        """Whether it comes to lower case and nothing else."""
        return self.ignore_case and not self.casefold and self.normalize is None

    def __call__(self, text: pl.Expr) -> pl.Expr:
        """The text as it is compared; build it once, since a repeat may be computed again."""
        text = self._normal(text)
        text = _mapped(text, str.casefold) if self.casefold else fold(text, self.ignore_case)
        return self._normal(text)

    def _normal(self, text: pl.Expr) -> pl.Expr:
        """By Python, which is quicker with texts that are in the form already."""
        return text if self.normalize is None else _mapped(text, partial(normalize, self.normalize))


def _mapped(text: pl.Expr, change: Callable[[str], str]) -> pl.Expr:
    def run(texts: pl.Series) -> pl.Series:
        changed = [None if text is None else change(text) for text in texts.to_list()]
        return pl.Series(texts.name, changed, pl.String)

    return text.map_batches(run, return_dtype=pl.String, is_elementwise=True)
