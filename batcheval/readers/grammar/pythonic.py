"""Values that a Python program printed where JSON was due."""

import ast
import re
from typing import Any, Final

from batcheval.readers.grammar.values import parsed

_TEXT: Final = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_CALL: Final = re.compile(rf"\{{'name': {_TEXT}(?:, 'arguments': (?:{_TEXT}|(.*)))?", re.DOTALL)


def printed(value: Any) -> Any:
    """The value of a text that is JSON or a Python literal; anything else as it is.

    Example:
        >>> printed("{'a': None}"), printed('{"a": null}'), printed("{'a': f()}")
        ({'a': None}, {'a': None}, "{'a': f()}")
    """
    found = parsed(value)
    if not isinstance(found, str) or found.lstrip()[:1] not in ("{", "["):
        return found
    try:
        literal = ast.literal_eval(found.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return found
    return literal if _is_json(literal) else found


def _is_json(value: Any) -> bool:
    """Whether JSON can say it: no sets, tuples, bytes or keys that are no texts."""
    stack = [value]
    while stack:
        found = stack.pop()
        if isinstance(found, dict):
            if not all(isinstance(key, str) for key in found):
                return False
            stack += found.values()
        elif isinstance(found, list):
            stack += found
        elif found is not None and not isinstance(found, str | int | float):
            return False
    return True


def printed_call(text: str) -> dict[str, Any] | None:
    """The start of a printed call, of which the end may be cut off; None if it is none.

    Example:
        >>> printed_call("{'name': 'f', 'arguments': '{}', 'resp")
        {'name': 'f', 'arguments': '{}'}
        >>> printed_call("{'name': 'f', 'arguments': '{"), printed_call("no")
        ({'name': 'f', 'arguments': "'{"}, None)
    """
    if not (start := _CALL.match(text)):
        return None
    name, args, rest = start.groups()
    return {"name": printed_text(name), "arguments": printed_text(args) if args else rest}


def printed_text(text: str) -> str:
    """The text that a Python literal of one stands for."""
    try:
        return str(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return text
