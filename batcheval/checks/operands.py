"""What the arguments of a check mean, and the words in which a check gives its reason."""

import polars as pl

from batcheval.errors import BadArgumentError, BlankArgumentError

SHOWN = 80  # characters of a text that a reason quotes


def operand(name: str, value: object) -> pl.Expr:
    """A text as an expression: an expression is taken as it is, a string is never a column name.

    Raises:
        BadArgumentError: `value`, the argument `name`, is neither.
    """
    if isinstance(value, str):
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise BadArgumentError(name, "text without half of a surrogate pair", value)
        return pl.lit(value)
    return column(name, value, "a text or an expression such as pl.col('expected')")


def column(
    name: str, value: object, wanted: str = "an expression such as pl.col('input')"
) -> pl.Expr:
    """A column of texts; one of another type is read as its text.

    Raises:
        BadArgumentError: `value`, the argument `name`, is no expression.
    """
    if not isinstance(value, pl.Expr):
        raise BadArgumentError(name, wanted, value)
    return value.cast(pl.String)


def needle(name: str, value: object) -> pl.Expr:
    """A text to look for. Blank on a row: no expectation there. Blank for the table: an error.

    Raises:
        BadArgumentError: `value`, the argument `name`, is neither a text nor an expression.
        BlankArgumentError: it is the empty text.
    """
    text = operand(name, value)
    if isinstance(value, pl.Expr):
        return pl.when(text != "").then(text)
    if not value:
        raise BlankArgumentError(f"'{name}'")
    return text


def fold(text: pl.Expr, ignore_case: bool) -> pl.Expr:
    """The one spelling of case folding.

    Raises:
        BadArgumentError: `ignore_case` is not a Boolean.
    """
    return text.str.to_lowercase() if flag("ignore_case", ignore_case) else text


def flag(name: str, value: object) -> bool:
    """A Boolean argument, taken only as one.

    Raises:
        BadArgumentError: `value`, the argument `name`, is anything else.
    """
    if not isinstance(value, bool):
        raise BadArgumentError(name, "true or false", value)
    return value


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """A whole number of at least `least`, and at most `most`.

    Raises:
        BadArgumentError: `value`, the argument `name`, is anything else.
    """
    highest = 2**63 - 1 if most is None else most
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= highest:
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise BadArgumentError(name, f"a whole number {bounds}", value)
    return value


def share(name: str, value: object) -> float:
    """A number from 0.0 to 1.0.

    Raises:
        BadArgumentError: `value`, the argument `name`, is anything else.
    """
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise BadArgumentError(name, "a number from 0 to 1", value)
    return float(value)


def sentence(scored: pl.Expr, template: str, *parts: pl.Expr) -> pl.Expr:
    """A reason: `template` with its `{}` filled, null where `scored` is null."""
    return pl.when(scored.is_not_null()).then(pl.format(template, *parts))


def either(holds: pl.Expr, yes: str, no: str) -> pl.Expr:
    """One word or the other."""
    return pl.when(holds).then(pl.lit(yes)).otherwise(pl.lit(no))


def quote(text: pl.Expr) -> pl.Expr:
    """A text as a reason shows it: in quotes, its tail cut off if it is long."""
    return pl.format("'{}'", _cut(text))


def listing(names: pl.Expr) -> pl.Expr:
    """Names as a reason shows them: `'search', 'refund'`, or "nothing" where there are none."""
    joined = names.list.eval(pl.format("'{}'", pl.element())).list.join(", ")
    return pl.when(names.list.len() > 0).then(_cut(joined)).otherwise(pl.lit("nothing"))


def subject(on: pl.Expr) -> pl.Expr:
    """What a text check speaks of: "the output", or another column by its name."""
    name = on.meta.output_name(raise_if_undetermined=False)
    return pl.lit("the output" if name in ("output", None) else f"'{name}'")


def _cut(text: pl.Expr) -> pl.Expr:
    is_long = text.str.len_chars() > SHOWN
    return pl.when(is_long).then(text.str.head(SHOWN - 1) + "…").otherwise(text)


def other_text(name: str, value: object) -> pl.Expr:
    """The text that an output is held against: a column, or a text of its own.

    The words "input", "output" and "expected" name these columns, and an expression gives one
    text a row; any other text is taken literally.

    Raises:
        BadArgumentError: `value`, the argument `name`, is neither.

    Example:
        >>> other_text("against", "expected").meta.root_names()
        ['expected']
    """
    if isinstance(value, str) and value in ("input", "output", "expected"):
        return pl.col(value)
    return operand(name, value)
