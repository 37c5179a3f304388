"""What a scorer is: an expression over the columns of the canonical table, with a name."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from typing import Any, NamedTuple, ParamSpec

import polars as pl

from batcheval.batching import batched
from batcheval.errors import BadScorerError
from batcheval.nesting import Nest

__all__ = ["Evidence", "Scorer", "Verdict", "batched", "check", "describe_call", "passed", "roots"]

P = ParamSpec("P")


class Evidence(NamedTuple):
    """What combinations are made of: Structs of `score` and `details`, of `score` and `reason`."""

    details: Nest
    reason: Nest


class Verdict(NamedTuple):
    """What a check says of every row: its score and the evidence for it.

    Attributes:
        score: Float64 in 0..1, higher is better; null where a row is unscored. Never NaN.
        details: a Struct of typed fields, or None.
        reason: String, one sentence: what was found, then what was asked; or None.
        evidence: of a combination of checks; else None.
    """

    score: pl.Expr
    details: pl.Expr | None = None
    reason: pl.Expr | None = None
    evidence: Evidence | None = None


@dataclass(frozen=True, eq=False)  # `==` on an expression builds an expression
class Scorer:
    """A `Verdict` with a name: `id` heads the column, `description` the line in a report.

    A scorer of one's own is made from any expression that judges each row alone:

        >>> short = Scorer("short", "under 280 characters", pl.col("output").str.len_chars() < 280)
        >>> short.columns
        {'output'}
    """

    id: str
    description: str
    score: pl.Expr
    details: pl.Expr | None = None
    reason: pl.Expr | None = None
    evidence: Evidence | None = field(default=None, repr=False)
    made: "partial[Scorer] | None" = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        """Raise `BadScorerError` unless the parts are what they should be."""
        if not isinstance(self.id, str):
            raise BadScorerError(repr(self.id), "its id is no text")
        parts = {"score": self.score, "details": self.details, "reason": self.reason}
        for name, part in parts.items():
            if not isinstance(part, pl.Expr) and (name == "score" or part is not None):
                raise BadScorerError(self.id, f"its {name} is {part!r:.60}, not an expression")

    @property
    def columns(self) -> set[str]:
        """The trace columns that this scorer reads, taken from its expressions."""
        return roots((self.score, self.details, self.reason))

    def named(self, scorer_id: str) -> "Scorer":
        """The same scorer under another id."""
        return replace(self, id=scorer_id).made_by(self.made)

    def made_by(self, call: "partial[Scorer] | None") -> "Scorer":
        """The same scorer, which knows the call that makes it: so it is sent to other processes."""
        object.__setattr__(self, "made", call)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """By the call that makes it, since not every expression can be sent, or as it is."""
        if self.made is not None:
            return _made_again, (self.made, self.id)
        return Scorer, (self.id, self.description, self.score, self.details, self.reason)


def _made_again(call: "partial[Scorer]", scorer_id: str) -> Scorer:
    return call().named(scorer_id)


def roots(exprs: Iterable[pl.Expr | None]) -> set[str]:
    """The columns that expressions start from."""
    names = {name for expr in exprs if expr is not None for name in expr.meta.root_names()}
    return names - {""}  # the root of `pl.element()`


def passed(
    holds: pl.Expr, details: pl.Expr | None = None, reason: pl.Expr | None = None
) -> Verdict:
    """The verdict of a pass/fail check: 1.0 where `holds`, 0.0 where not, null where it is null."""
    return Verdict(holds.cast(pl.Float64), details, reason)


def check(function: Callable[P, Verdict]) -> Callable[P, Scorer]:
    """Name a check after its function, so that calling it gives a `Scorer`.

    Raises:
        BadScorerError: when the check is called, if it does not give a `Verdict`.

    Example:
        >>> @check
        ... def polite() -> Verdict:
        ...     return passed(pl.col("output").str.contains("please", literal=True))
        >>> polite().id, polite().description
        ('polite', 'polite()')
    """

    @wraps(function)
    def make(*args: P.args, **kwargs: P.kwargs) -> Scorer:
        name, verdict = function.__name__, function(*args, **kwargs)
        if not isinstance(verdict, Verdict):
            raise BadScorerError(name, f"it gives a {type(verdict).__name__}, not a Verdict")
        scorer = Scorer(name, describe_call(name, args, kwargs), *verdict)
        return scorer.made_by(partial(make, *args, **kwargs))

    return make


def describe_call(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """A call as it would be typed: `includes('Paris', ignore_case=False)`."""
    words = [_spelled(arg) for arg in args]
    words += [f"{key}={_spelled(value)}" for key, value in kwargs.items()]
    return f"{name}({', '.join(words)})"


def _spelled(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_spelled, value))}]"
    if isinstance(value, Scorer):
        return value.description
    return str(value) if isinstance(value, pl.Expr) else repr(value)
