"""Finding one text in another, whatever its case, without lower-casing more than is needed."""

from string import ascii_lowercase

import polars as pl

from batcheval.checks.folding import Folding
from batcheval.checks.operands import either, needle, operand, quote, sentence, subject

LONGEST_PATTERN = 200  # characters of a literal: a pattern of any length might not compile

_CASES = {char: f"[{char}{char.upper()}]" for char in ascii_lowercase} | {"k": "[kK\u212a]"}


def contains(text: pl.Expr, name: str, value: str | pl.Expr, folding: Folding) -> pl.Expr:
    """Whether `value`, the argument `name`, is in `text`: Boolean, null = unscored.

    Raises:
        BlankArgumentError: `value` is the empty text.
        BadArgumentError: an argument is of the wrong type.
    """
    wanted = folding(needle(name, value))
    if isinstance(value, str) and folding.is_lower and (pattern := any_case(value, inside=True)):
        return text.str.contains(pattern)
    return folding(text).str.contains(wanted, literal=True)


def starts(text: pl.Expr, name: str, value: str | pl.Expr, folding: Folding) -> pl.Expr:
    """Whether `text` begins with `value`; the rest as in `contains`."""
    wanted = folding(needle(name, value))
    if isinstance(value, str) and folding.is_lower and (pattern := any_case(value, inside=True)):
        return text.str.contains(rf"\A{pattern}")
    return folding(text).str.starts_with(wanted)


def ends(text: pl.Expr, name: str, value: str | pl.Expr, folding: Folding) -> pl.Expr:
    """Whether `text` ends with `value`; the rest as in `contains`."""
    wanted = folding(needle(name, value))
    if isinstance(value, str) and folding.is_lower and (pattern := any_case(value, inside=False)):
        return text.str.contains(rf"{pattern}\z")
    return folding(text).str.ends_with(wanted)


def same(text: pl.Expr, name: str, value: str | pl.Expr, folding: Folding) -> pl.Expr:
    """Whether `value`, the argument `name`, is all of `text`: Boolean, null = unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.
    """
    wanted = operand(name, value)
    if isinstance(value, str) and folding.is_lower:
        pattern = any_case(value, inside=False)
        if pattern is not None:
            return text.str.contains(rf"\A{pattern}\z")
    return folding(text) == folding(wanted)


def any_case(literal: str, *, inside: bool) -> str | None:
    r"""A pattern of all that is `literal` in lower case, if that is ASCII and of moderate length.

    Searching with it takes a fifth of the time of lower-casing the text. Besides A to Z, only two
    characters have ASCII in their lower case: the Kelvin sign is "k", and "İ" is "i" and a dot
    above, so that what ends in "i" is found `inside` it.

    Example:
        >>> any_case("no!", inside=True), any_case("né", inside=True)
        ('[nN][oO]\\x21', None)
    """
    if not literal.isascii() or len(literal) > LONGEST_PATTERN:
        return None
    pattern = "".join(_CASES.get(char) or rf"\x{ord(char):02x}" for char in literal.lower())
    return pattern.removesuffix("[iI]") + "[iIİ]" if inside and literal[-1] in "iI" else pattern


def sought(
    found: pl.Expr, on: pl.Expr, wanted: pl.Expr, duty: str, verbs: str = "has|lacks"
) -> pl.Expr:
    """The reason of a check that looks for a text, such as `contains`.

    Args:
        found: whether it is there.
        on: the text in which it was looked for, as the check was given it.
        wanted: the text looked for.
        duty: what the text should do with it, such as "include".
        verbs: where it was found, and, behind a bar, where it was not.
    """
    template = f"{{}} {{}} {{}}, which it should {duty}"
    return sentence(found, template, subject(on), either(found, *verbs.split("|")), quote(wanted))
