"""Expressions tried on a few made-up rows, so that a mistake shows before the scan."""

from collections.abc import Iterable, Sequence
from typing import Final

import polars as pl

from batcheval.errors import WrongKindError
from batcheval.schema.examples import example_rows

_NOT_ALONE: Final = "it does not judge each trace alone"


def fault(schema: pl.Schema, *exprs: pl.Expr) -> str | None:
    """Why expressions cannot judge each row of a table alone, or None.

    They are applied to a few rows at once and to each by itself: both must give the same, but for
    what Python functions give that give something else each time. Such a function need not like
    made-up rows: the real ones decide where it raises.

    Args:
        schema: the columns of the table.
        exprs: a condition, or a score and what else a scorer says.

    Example:
        >>> schema = pl.Schema({"cost": pl.Float64()})
        >>> fault(schema, pl.col("cost") > 0.5), fault(schema, pl.col("cost").rank())
        (None, 'it does not judge each trace alone')
    """
    rows = example_rows(tuple(schema.items()))
    tried = [*exprs, *_given(exprs)]
    try:
        whole = _tried(rows, tried)
        parts = [_tried(rows[place : place + 1], tried) for place in range(rows.height)]
        return _difference(rows, whole, pl.concat(parts), tried)
    except (pl.exceptions.PolarsError, WrongKindError) as error:
        return _said(error, schema, exprs) if _is_of_types(error) else None
    except Exception:  # raised by somebody's function: the real rows decide
        return None


def _given(exprs: Iterable[pl.Expr]) -> list[pl.Expr]:
    """What Python functions in expressions are given, of which their answers may tell nothing."""
    found: dict[str, pl.Expr] = {}
    inner = [part for expr in exprs if is_python(expr) for part in expr.meta.pop()]
    while inner:
        part = inner.pop()
        if is_python(part):
            inner += part.meta.pop()
        elif "" not in (names := part.meta.root_names()) and names:  # no `pl.element()`
            found[str(part)] = part
    return list(found.values())


def is_python(expr: pl.Expr) -> bool:
    """Whether a Python function is called in an expression."""
    return "python_udf" in str(expr)


def _tried(rows: pl.DataFrame, exprs: Sequence[pl.Expr]) -> pl.DataFrame:
    """Lazily, since only then does polars compute once what stands in expressions twice."""
    named = [expr.alias(str(place)) for place, expr in enumerate(exprs)]
    return rows.lazy().select(named).collect()


def _difference(
    rows: pl.DataFrame, whole: pl.DataFrame, apart: pl.DataFrame, exprs: Sequence[pl.Expr]
) -> str | None:
    constants = all(not expr.meta.root_names() for expr in exprs)
    if whole.height == 1 and constants and apart.unique().equals(whole):
        return None
    if whole.height != apart.height:
        told = f"it gives {whole.height} values for {apart.height} rows"
        return told if any(map(is_python, exprs)) else _NOT_ALONE
    pure = [str(place) for place, expr in enumerate(exprs) if not is_python(expr)]
    steady = _alike(whole.select(pure), apart.select(pure), 1e-9)  # rows divide in another way
    # A function may differ each time, and a model by a trifle with the height of a batch.
    if steady and (_alike(whole, apart, 1e-3) or not _alike(whole, _tried(rows, exprs), 1e-3)):
        return None
    return _NOT_ALONE


def _alike(one: pl.DataFrame, other: pl.DataFrame, tolerance: float) -> bool:
    from polars.testing import assert_frame_equal

    if one.equals(other):  # as nearly always; on nested Structs the other way takes seconds
        return True
    try:
        assert_frame_equal(one, other, check_dtypes=False, rel_tol=0, abs_tol=tolerance)
    except AssertionError:
        return False
    return True


def _said(error: Exception, schema: pl.Schema, exprs: Sequence[pl.Expr]) -> str:
    """What is wrong with the types; of a list where a text is needed, what to do about it."""
    roots = dict.fromkeys(name for expr in exprs for name in expr.meta.root_names())
    name = next((name for name in roots if isinstance(schema.get(name), pl.List)), None)
    if name is None or "cannot cast List type" not in str(error):
        return first_line(error)
    item = {"messages": ".content", "tool_calls": ".name"}.get(name, "")
    return (
        f"'{name}' is a list, and a text is needed: name one of its items, such as"
        f" '{name}[0]{item}' for the first or '{name}[-1]{item}' for the last"
    )


def _is_of_types(error: Exception) -> bool:
    """Whether an error is about the columns' types; one about made-up values tells nothing."""
    text = str(error)
    if isinstance(error, pl.exceptions.ComputeError | pl.exceptions.OutOfBoundsError):
        return "cannot compare" in text or "regex" in text
    return "conversion from" not in text


def first_line(error: Exception) -> str:
    """What an error of polars says, in one line and without the plan that follows it."""
    text = str(error).partition("\n\nThis error occurred")[0].partition("\n\nResolved plan")[0]
    return " ".join(text.split()) or type(error).__name__
