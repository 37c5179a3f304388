"""JSON Schemas, each compiled once."""

from functools import lru_cache
from typing import Any, Final

import msgspec

MOST_ERRORS: Final = 5

_encode: Final = msgspec.json.Encoder(order="deterministic").encode


class BadSchemaError(ValueError):
    """A value that is no schema."""


def compiled(schema: Any) -> Any:
    """The validator of a schema: its `$schema` says which draft, else it is 2020-12.

    Nothing is fetched: a reference must lead to a place in the schema itself.

    Raises:
        BadSchemaError: it is no schema, or refers to another document.
    """
    return _compiled(_encode(schema))


@lru_cache(maxsize=256)
def _compiled(schema: bytes) -> Any:
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for(msgspec.json.decode(schema), offline=True)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise BadSchemaError(" ".join(str(error).partition("\n")[0].split())) from None


def is_valid(value: Any, schema: Any) -> bool:
    """Whether a value fits a schema; what the validator cannot take (a huge number) does not."""
    try:
        return bool(schema.is_valid(value))
    except (ValueError, OverflowError):
        return False


def problems(value: Any, schema: Any) -> list[str]:
    """The first errors, as `path: message`.

    Example:
        >>> problems([["x"]], compiled({"items": {"items": {"type": "integer"}}}))
        ['[0][0]: "x" is not of type "integer"']
    """
    found = []
    try:
        for error in schema.iter_errors(value):
            found.append(_told(error))
            if len(found) == MOST_ERRORS:
                break
    except (ValueError, OverflowError) as error:
        found.append(str(error))
    return found


def _told(error: Any) -> str:
    path = ""
    for step in error.instance_path:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return f"{path}: {error.message}"[:300] if path else error.message[:300]
