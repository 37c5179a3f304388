"""Tables that a check is given: as a mapping, or in a JSON or TOML file."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from batcheval.errors import BadArgumentError


def lookup(name: str, value: str | Mapping[str, Any], wanted: str) -> dict[str, Any]:
    """A table that is an argument of a check.

    Args:
        name: of the argument.
        value: the table, or the path of a file with one: TOML if it ends in `.toml`, else JSON.
        wanted: what it is to be, in words.

    Raises:
        BadArgumentError: it is no table, or the file cannot be read as one; or it is empty.

    Example:
        >>> lookup("shortest", {"a": 2}, "a table")
        {'a': 2}
    """
    found = _read(name, value, wanted) if isinstance(value, str) else value
    if not isinstance(found, Mapping) or not all(isinstance(key, str) for key in found):
        raise BadArgumentError(name, wanted, value)
    if not found:
        raise BadArgumentError(name, f"{wanted}, with an entry at least", value)
    return dict(found)


def _read(name: str, path: str, wanted: str) -> Any:
    try:
        content = Path(path).read_bytes()
        if path.lower().endswith(".toml"):
            return tomllib.loads(content.decode())
        return msgspec.json.decode(content)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
    except (ValueError, msgspec.DecodeError, RecursionError) as error:
        reason = " ".join(str(error).split()) or "it is nested too deeply"
    raise BadArgumentError(name, f"{wanted}, which cannot be read here ({reason})", path)
