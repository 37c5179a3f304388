"""The calls of a batch against the definitions of the tools."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import polars as pl

from batcheval.checks.called.definitions import Definitions
from batcheval.checks.called.flat import Flat, Mask
from batcheval.checks.called.values import arguments
from batcheval.checks.structured.documents import mapped, parse
from batcheval.checks.structured.schemas import is_valid, problems


class Defined(NamedTuple):
    """The tools that there are.

    Attributes:
        fixed: for all rows, if that is how they are given.
        column: else JSON text of those of each row.
    """

    fixed: Definitions | None
    column: pl.Expr | None

    @property
    def needs(self) -> Sequence[pl.Expr]:
        """The texts of definitions, null where there are none."""
        if self.column is None:
            return ()
        is_one = mapped(self.column, lambda text: _read(text) is not None, pl.Boolean())
        return (pl.when(is_one).then(self.column),)

    def where(
        self, holds: Callable[[Definitions, str, str | None], bool], field: str | None = None
    ) -> Callable[..., Mask]:
        """Finds the calls for which something holds, asked once for equal ones.

        Args:
            holds: of the definitions, and a call's name and `field`.
            field: what else of a call it needs to know.
        """

        @cache
        def of(text: str | None, name: str, value: str | None) -> bool:
            known = self.fixed if text is None else _read(text)
            return known is not None and holds(known, name, value)

        def mask(calls: Flat, *texts: pl.Series) -> Mask:
            if self.fixed is not None and field is None:  # by names alone
                names = calls.names.unique()
                held = [name for name in names if holds(self.fixed, name, None)]
                return np.asarray(calls.names.is_in(held).to_numpy(), np.bool_)
            columns = [*texts, pl.Series([None], dtype=pl.String).new_from_index(0, calls.height)]
            said = columns[0].gather(calls.rows).to_list()
            values = calls.calls[field].to_list() if field else [None] * len(said)
            return np.fromiter(map(of, said, calls.names.to_list(), values), np.bool_, len(said))

        return mask

    def problems(self, calls: Flat, *texts: pl.Series) -> list[str]:
        """What is wrong with the arguments of calls that do not fit, for each of them."""
        rows = calls.rows.tolist()
        said = texts[0].gather(rows).to_list() if texts else [""] * len(rows)
        triples = zip(said, calls.names, calls.calls["args"], strict=True)
        return [_problem(self.fixed or _read(text), name, args) for text, name, args in triples]


def is_unknown(known: Definitions, name: str, _: str | None) -> bool:
    """Whether a tool is not defined."""
    return name not in known.schemas and not known.is_open


def is_invalid(known: Definitions, name: str, text: str | None) -> bool:
    """Whether the arguments of a call do not fit its tool."""
    if name not in known.schemas:
        return not known.is_open
    found, schema = arguments(text), known.validators[name]
    if found.error is not None or not isinstance(found.value, dict) or isinstance(schema, str):
        return True
    return schema is not None and not is_valid(found.value, schema)


def _problem(known: Definitions | None, name: str, text: str | None) -> str:
    """What is wrong with such arguments."""
    found = arguments(text)
    if known is None or name not in known.schemas:
        return f"{name} is not defined"
    if found.error is not None:
        return f"{name}: no JSON: {found.error}"
    if not isinstance(found.value, dict):
        return f"{name}: no object"
    schema = known.validators[name]
    if isinstance(schema, str):
        return f"{name}: the schema in its definition is none: {schema}"
    return f"{name}: " + "; ".join(problems(found.value, schema)[:2])


@lru_cache(maxsize=4096)
def _read(text: str) -> Definitions | None:
    found = parse(text)
    try:
        return None if found.error is not None else Definitions(found.value)
    except ValueError:
        return None
