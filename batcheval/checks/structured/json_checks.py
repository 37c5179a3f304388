"""Checks of whether the output is JSON, and of the shape that it should have."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from batcheval.checks.operands import quote, sentence, subject
from batcheval.checks.structured.documents import Parsed, values
from batcheval.checks.structured.expected import against
from batcheval.checks.structured.schemas import BadSchemaError, compiled, is_valid, problems
from batcheval.checks.structured.verdicts import error_verdict, judged
from batcheval.errors import BadArgumentError
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check, passed

__all__ = ["is_json", "json_schema"]


@check
def is_json(*, fenced: bool = False, on: pl.Expr = OUTPUT) -> Verdict:
    r"""The output is JSON (RFC 8259): 1.0, else 0.0.

    Any value is, a bare number too; white space around it does not matter. Of a key that stands
    twice in an object the last one counts. NaN and Infinity are none, nor are numbers that no
    double holds (1e999), whole ones of over 4,300 digits, halves of surrogate pairs, and nesting
    of over 500. Details: `valid`, `error`.

    Args:
        fenced: the document is what stands in the first code fence, where a text has one.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ['{"a": 1}', "{'a': 1}", "```json\n[1]\n```"]})
        >>> traces.select(is_json().score).to_series().to_list()
        [1.0, 0.0, 0.0]
        >>> traces.select(is_json(fenced=True).score).to_series().to_list()
        [1.0, 0.0, 1.0]
    """
    errors = judged(values(on, fenced), lambda found: found.error or "", pl.String())
    return error_verdict(errors, "JSON", on)


@check
def json_schema(
    schema: Mapping[str, Any] | str | pl.Expr, *, fenced: bool = False, on: pl.Expr = OUTPUT
) -> Verdict:
    """The output is JSON that fits a JSON Schema: 1.0, else 0.0.

    Drafts 4 to 2020-12, by the schema's `$schema`, else the last; formats are not checked but in
    drafts that say so. `1.0` is an integer. A schema is compiled once, and must be whole: nothing
    is fetched. Details: `valid`; `errors`, the first five, each with the place.

    Args:
        schema: the schema, or its JSON text; or an expression with such text per row: one where it
            is null or no schema is unscored.
        fenced: as in `is_json`.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: `schema` is no schema, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ['{"age": 7}', '{"age": "7"}', "seven"]})
        >>> shape = {"properties": {"age": {"type": "integer"}}, "required": ["age"]}
        >>> traces.select(json_schema(shape).score).to_series().to_list()
        [1.0, 0.0, 0.0]
    """
    documents = values(on, fenced)
    try:
        valid = against(documents, "schema", schema, _fits, pl.Boolean(), compiled)
        errors = against(documents, "schema", schema, _errors, pl.List(pl.String), compiled)
    except BadSchemaError as error:
        raise BadArgumentError("schema", f"a JSON Schema ({error})", schema) from None
    details = pl.when(valid.is_not_null()).then(pl.struct(valid=valid, errors=errors))
    first = quote(errors.list.get(0, null_on_oob=True))
    fits = sentence(valid, "{} fits the schema, as it should", subject(on))
    fails = sentence(valid, "{} does not fit the schema, and should: {}", subject(on), first)
    return passed(valid, details, pl.when(valid).then(fits).otherwise(fails))


def _fits(found: Parsed, schema: Any) -> bool:
    return found.error is None and is_valid(found.value, schema)


def _errors(found: Parsed, schema: Any) -> list[str]:
    return [f"no JSON: {found.error}"] if found.error else problems(found.value, schema)
