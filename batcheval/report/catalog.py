"""The checks there are, as a list, and each with all that it says of itself."""

import re
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature, getdoc, signature
from typing import Any

import polars as pl

Check = Callable[..., object]

_MODULE = re.compile(r"\b(?:\w+\.)+(?=\w)")
_OPTIONAL = re.compile(r"^Optional\[(.*)\]$")


class _Spelled:
    """Stands in a signature for a value, to be shown as it would be typed."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def render_checks(checks: Mapping[str, Check]) -> str:
    """The checks by name: how each is called, and below it the first line on it.

    Example:
        >>> def polite(words: list[str], *, on: pl.Expr = pl.col("output")) -> None:
        ...     '''The output has one of `words`.'''
        >>> print(render_checks({"polite": polite}))
        polite(words, *, on=col("output"))
            The output has one of `words`.
    """
    return "\n".join(_entry(name, checks[name]) for name in sorted(checks))


def render_check(name: str, check: Check) -> str:
    """One check: how it is called, with types, and its whole docstring.

    Example:
        >>> def polite(words: list[str] | pl.Expr) -> None:
        ...     '''The output has one of `words`.'''
        >>> print(render_check("polite", polite))
        polite(words: list[str] | pl.Expr)
        <BLANKLINE>
        The output has one of `words`.
    """
    call = f"{name}{_signature(check, typed=True)}"
    text = getdoc(check)
    return f"{call}\n\n{text}" if text else call


def render_formats(titles: Mapping[str, str]) -> str:
    """The layouts by name, a line each.

    Example:
        >>> print(render_formats({"claude_code": "Claude Code sessions", "atif": "ATIF"}))
        atif         ATIF
        claude_code  Claude Code sessions
    """
    width = max(map(len, titles), default=0)
    return "\n".join(f"{name:{width}}  {titles[name]}" for name in sorted(titles))


def _entry(name: str, check: Check) -> str:
    first, *_ = (getdoc(check) or "").splitlines() or [""]
    call = f"{name}{_signature(check, typed=False)}"
    return f"{call}\n    {first}" if first else call


def _signature(check: Check, typed: bool) -> Signature:
    found = signature(check)
    parameters = [_parameter(parameter, typed) for parameter in found.parameters.values()]
    return found.replace(parameters=parameters, return_annotation=Signature.empty)


def _parameter(parameter: Parameter, typed: bool) -> Parameter:
    default, annotation = parameter.default, parameter.annotation
    if isinstance(default, pl.Expr):
        default = _Spelled(str(default))
    if annotation is not Parameter.empty:
        annotation = _Spelled(_type(annotation)) if typed else Parameter.empty
    return parameter.replace(default=default, annotation=annotation)


def _type(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, type) and not hasattr(annotation, "__origin__"):
        return "pl.Expr" if annotation is pl.Expr else annotation.__name__
    found = _MODULE.sub("", str(annotation).replace("polars.expr.expr.Expr", "\0"))
    return _OPTIONAL.sub(r"\1 | None", found).replace("\0", "pl.Expr")
