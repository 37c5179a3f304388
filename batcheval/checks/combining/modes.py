"""Checks that turn, gate or harden another one, and checks in SQL."""

import polars as pl

from batcheval.checks.combining.evidence import combined, told
from batcheval.checks.combining.parts import in_words, part, score_of
from batcheval.checks.operands import either, sentence, share
from batcheval.conditions import predicate, truth, truth_or_number
from batcheval.errors import BadArgumentError
from batcheval.scorer import Scorer, Verdict, check

__all__ = ["at_least", "invert", "sql", "when"]


@check
def invert(of: Scorer) -> Verdict:
    """1 less the score of another check: 1.0 where that gives 0.0.

    Unscored where the part is. Details: `of`, with the `score` and the `details` of the part.

    Args:
        of: the other check.

    Raises:
        BadArgumentError: `of` is no check.

    Example:
        >>> from batcheval.checks import is_refusal
        >>> traces = pl.DataFrame({"output": ["I cannot help with that.", "Sure: it is sunny."]})
        >>> traces.select(invert(is_refusal()).score).to_series().to_list()
        [0.0, 1.0]
    """
    return combined(
        lambda score: 1 - score,
        lambda _, of: pl.format("the opposite should hold of this: {}", told(of)),
        {"of": part("of", of)},
    )


@check
def at_least(of: Scorer, least: float) -> Verdict:
    """Another check scores `least` or more: 1.0, else 0.0.

    Unscored where the part is. Details: `of`, with the `score` and the `details` of the part.

    Args:
        of: the other check.
        least: in 0..1.

    Raises:
        BadArgumentError: `of` is no check, or `least` is outside 0..1.

    Example:
        >>> from batcheval.checks import similarity
        >>> traces = pl.DataFrame({"output": ["night", "nacht"]})
        >>> traces.select(at_least(similarity("nacht"), 0.9).score).to_series().to_list()
        [0.0, 1.0]
    """
    bound = share("least", least)
    template = f"{{}}, and should be at least {bound}: {{}}"
    return combined(
        lambda score: (score >= bound).cast(pl.Float64),
        lambda _, of: pl.format(template, in_words(of.struct.field("score")), told(of)),
        {"of": part("of", of)},
    )


@check
def when(condition: str | Scorer | pl.Expr, then: Scorer) -> Verdict:
    """The score of another check where `condition` holds; other rows are unscored.

    Details: `condition`, whether it holds; and `then`, with the `score` and the `details` of the
    part on every row.

    Args:
        condition: a condition in SQL, as in `sql`; a check, which holds where it scores 1.0; or a
            Boolean expression. Where it is null it does not hold.
        then: the other check.

    Raises:
        BadArgumentError: `condition` or `then` is none of these.
        BadPredicateError: `condition` is no SQL expression.

    Example:
        >>> from batcheval.checks import includes
        >>> traces = pl.DataFrame({"input": ["Hi", "Bye"], "output": ["Hello", "Hello"]})
        >>> greets = when("input = 'Hi'", includes("hello"))
        >>> traces.select(greets.score).to_series().to_list()
        [1.0, None]
    """
    return combined(
        lambda holds, score: pl.when(holds).then(score),
        lambda _, holds, of: pl.when(holds).then(pl.format("where it should: {}", told(of))),
        {"then": part("then", then)},
        given={"condition": _condition(condition)},
    )


@check
def sql(sql: str) -> Verdict:
    """A condition in SQL holds: 1.0, else 0.0; or the number, in 0..1, that an expression gives.

    One expression in the dialect of polars over the columns of the row, such as
    `array_length(tool_calls) < 5 and output like '%done%'`; paths such as `metadata.city` are
    columns. `like` minds the case, `ilike` does not. Unscored where it is null. Details: `value`.

    Args:
        sql: the expression. What reads other rows (`count(*)`, `sum`, `over`) is refused before
            any trace is read.

    Raises:
        BadPredicateError: it is no SQL expression.
        BadArgumentError: it is no text.

    Example:
        >>> traces = pl.DataFrame({"output": ["It is done", "No"], "latency_ms": [5.0, 700.0]})
        >>> quick = sql("output like '%done' and latency_ms < 50")
        >>> traces.select(quick.score).to_series().to_list()
        [1.0, 0.0]
    """
    if not isinstance(sql, str):
        raise BadArgumentError("sql", "a SQL expression", sql)
    value = truth_or_number("sql", predicate(sql), sql).cast(pl.Float64)
    spelled = " ".join(sql.split())[:100].replace("{", "{{").replace("}", "}}")
    found = either(value == 1, "holds", "does not hold")
    number = pl.format("is {}", in_words(value))
    told = pl.when(value.is_in([0.0, 1.0])).then(found).otherwise(number)
    reason = sentence(value, f"the condition '{spelled}' {{}}, which it should", told)
    return Verdict(value, pl.struct(value=value), reason)


def _condition(condition: object) -> pl.Expr:
    if isinstance(condition, Scorer):
        return (score_of(condition) == 1).fill_null(False)
    expr = predicate(condition) if isinstance(condition, str) else condition
    if not isinstance(expr, pl.Expr):
        wanted = "a condition in SQL, a check, or a Boolean expression"
        raise BadArgumentError("condition", wanted, condition)
    return truth("condition", expr, str(condition)).fill_null(False)
