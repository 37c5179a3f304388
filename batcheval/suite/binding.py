"""The name of a check and its arguments, from a suite or a call, as a scorer."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import BoundArguments, Parameter, Signature, signature
from pathlib import Path

from batcheval.errors import (
    BadCallError,
    BatchevalError,
    CheckFailedError,
    MissingArgumentError,
    NotACheckError,
    UnknownArgumentError,
)
from batcheval.scorer import Scorer, Verdict, describe_call
from batcheval.suite.functions import find_function
from batcheval.suite.kinds import fit, hints
from batcheval.suite.parts import Make, with_parts
from batcheval.suite.places import noted, raise_all

_MANY = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def make_scorer(
    check: str,
    args: Sequence[object] = (),
    kwargs: Mapping[str, object] | None = None,
    folder: Path | None = None,
) -> Scorer:
    """Call a check by its name.

    Args:
        check: a name in `CHECKS`, or `package.module:function`.
        args: positional arguments: literals and column expressions.
        kwargs: the same by name.
        folder: where else to look for `package.module`.

    Raises:
        UnknownCheckError: no check is called so.
        UnknownModuleError: the module cannot be imported.
        UnknownFunctionError: the module has no such function.
        NotACheckError: the function gives neither a `Verdict` nor a `Scorer`.
        UnknownArgumentError: the check takes no argument of that name.
        MissingArgumentError: the check needs an argument that is not there.
        CheckFailedError: it is somebody's own and raised an exception.
        BadCallError: there are too many arguments, or one twice.
        BadArgumentError: an argument is not of the kind that the check takes.

    Example:
        >>> make_scorer("includes", ["sunny"], {"ignore_case": False}).id
        'includes'
    """
    function = find_function(check, folder)
    mistakes: list[BatchevalError] = []
    bound = _bind(check, _signature(check, function), args, kwargs or {}, mistakes)
    _fit(bound, function, partial(make_scorer, folder=folder), mistakes)
    raise_all(mistakes)
    scorer = _scorer(check, bound, _called(check, function, bound))
    if scorer.made is not None:
        return scorer
    return scorer.named(scorer.id).made_by(partial(make_scorer, check, args, kwargs, folder))


def _called(check: str, function: Callable[..., object], bound: BoundArguments) -> object:
    try:
        return function(*bound.args, **bound.kwargs)
    except BatchevalError:
        raise
    except (Exception, SystemExit) as error:  # whatever somebody's own function does
        raise CheckFailedError(check, error) from error


def _signature(check: str, function: Callable[..., object]) -> Signature:
    try:
        return signature(function)
    except (TypeError, ValueError):  # some functions written in C
        raise NotACheckError(check, "does not tell its arguments") from None


def _bind(
    check: str,
    of: Signature,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    mistakes: list[BatchevalError],
) -> BoundArguments:
    """The arguments by name, those that the check does not take left out."""
    named = {n: p for n, p in of.parameters.items() if p.kind not in _MANY}
    takes_any = any(p.kind is Parameter.VAR_KEYWORD for p in of.parameters.values())
    unknown = [key for key in kwargs if key not in named and not takes_any]
    mistakes += [UnknownArgumentError(check, key, named) for key in unknown]
    try:
        bound = of.bind_partial(*args, **{k: v for k, v in kwargs.items() if k not in unknown})
    except TypeError as error:
        raise BadCallError(check, str(error), named) from None
    for name, parameter in named.items():
        missing = name not in bound.arguments and parameter.default is Parameter.empty
        if missing and not unknown:  # it may be the one that is misspelt
            mistakes.append(MissingArgumentError(check, name))
    return bound


def _fit(
    bound: BoundArguments,
    function: Callable[..., object],
    make: Make,
    mistakes: list[BatchevalError],
) -> None:
    known = hints(function)
    for name, value in bound.arguments.items():
        with noted(mistakes):
            value = with_parts(name, value, known.get(name), make)
            if name in known and bound.signature.parameters[name].kind not in _MANY:
                value = fit(name, value, known[name])
            bound.arguments[name] = value


def _scorer(check: str, bound: BoundArguments, result: object) -> Scorer:
    name = check.rpartition(":")[2].rpartition(".")[2]
    if isinstance(result, Scorer):
        return result
    if isinstance(result, Verdict):
        return Scorer(name, describe_call(name, bound.args, bound.kwargs), *result)
    raise NotACheckError(check, f"gives a {type(result).__name__}")
