"""Checks of what stands at a place in JSON."""

from typing import Any, Literal

import polars as pl

from batcheval.checks.operands import either, flag, quote, sentence, subject
from batcheval.checks.structured.conditions import Condition, condition
from batcheval.checks.structured.documents import Parsed, values
from batcheval.checks.structured.places import found, place
from batcheval.checks.structured.verdicts import judged
from batcheval.errors import BadArgumentError
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check, passed

__all__ = ["json_path"]

Kind = Literal["null", "boolean", "number", "string", "array", "object"]


@check
def json_path(
    path: str,
    *,
    equals: object = None,
    matches: str | None = None,
    min: float | None = None,
    max: float | None = None,
    type: Kind | None = None,
    absent: bool = False,
    fenced: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """What stands at a path in the JSON output is as asked for: 1.0, else 0.0.

    Every value found must meet all conditions that are given, and at least one must be found; with
    none given that is all. The path is that of columns, `items[0].price`, with `[*]` for each item
    of an array or value of an object. (Not JMESPath: to it null and missing are the same.) An
    output that is no JSON scores 0.0, with `absent` too. Details: `found`, the number of values;
    `value`, the first one as JSON text.

    Args:
        path: where to look; "" is the whole document.
        equals: the value that is wanted, compared as in `json_equal`; a text is that text, not
            JSON, and for null there is `type`.
        matches: a regular expression that is found in the value, which must be a text.
        min: the least number that the value may be.
        max: the largest one.
        type: what the value must be.
        absent: nothing may stand there, not even null; goes with no other condition.
        fenced: as in `is_json`.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: `path` is no path, `min` is above `max`, `absent` has company, or an
            argument is of the wrong type.
        BadPatternError: no engine can read `matches`.

    Example:
        >>> traces = pl.DataFrame({"output": ['{"items": [{"price": 3}, {"price": 40}]}', "{}"]})
        >>> traces.select(json_path("items[*].price", min=1, max=50).score).to_series().to_list()
        [1.0, 0.0]
        >>> traces.select(json_path("items", absent=True).score).to_series().to_list()
        [0.0, 1.0]
    """
    if isinstance(path, str) and (path == "$" or path.startswith(("$.", "$["))):
        wanted = "a path as columns have it, such as items[0].price, without the '$' of JSONPath"
        raise BadArgumentError("path", wanted, path)
    where = place("path", path)
    given = {"equals": equals, "matches": matches, "min": min, "max": max, "type": type}
    holds = condition(given, flag("absent", absent))
    if min is not None and max is not None and min > max:
        raise BadArgumentError("min", f"at most 'max', which is {max}", min)
    documents = values(on, fenced)
    met = judged(documents, lambda one: _met(one, where, holds), pl.Boolean())
    many = judged(documents, lambda one: len(_values(one, where)), pl.Int64())
    first = judged(documents, lambda one: holds.shown(_values(one, where)), pl.String())
    what = either(met, "meets", "does not meet")
    reason = sentence(
        met,
        f"{{}} has {{}} at {{}}, which {{}} what is asked: {holds.words}",
        subject(on),
        pl.when(many > 0).then(quote(first)).otherwise(pl.lit("nothing")),
        quote(pl.lit(path)),
        what,
    )
    return passed(met, pl.struct(found=many, value=first), reason)


def _values(one: Parsed, where: Any) -> list[Any]:
    return [] if one.error is not None else found(one.value, where)


def _met(one: Parsed, where: Any, holds: Condition) -> bool:
    return one.error is None and holds.of(found(one.value, where))
