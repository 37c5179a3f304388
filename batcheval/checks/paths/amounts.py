"""Limits on how many there may be of something, as arguments."""

from batcheval.checks.operands import whole
from batcheval.checks.texts.limits import in_words


def amounts(low: object, high: object) -> str:
    """The arguments `min` and `max` in words, each a whole number or None.

    Raises:
        BadArgumentError: they are not, both are None, or they cross.

    Example:
        >>> amounts(None, 3)
        'at most 3'
    """
    limits = [
        None if bound is None else whole(name, bound, 0)
        for name, bound in (("min", low), ("max", high))
    ]
    return in_words(*limits)
