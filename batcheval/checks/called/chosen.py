"""Which of the calls a check looks at."""

from collections.abc import Callable
from typing import Any

import numpy as np

from batcheval.checks.called.flat import Flat, Mask
from batcheval.errors import BadArgumentError, BlankArgumentError


def tool_named(name: str, value: object) -> str:
    """The name of a tool.

    Raises:
        BadArgumentError: `value`, the argument `name`, is no text.
        BlankArgumentError: it is empty.
    """
    if not isinstance(value, str):
        raise BadArgumentError(name, "the name of a tool", value)
    if not value:
        raise BlankArgumentError(f"'{name}'")
    return value


def chosen_tool(tool_name: Any) -> Callable[[Flat], Mask]:
    """The calls of a tool, or of any if it is None.

    Raises:
        BadArgumentError: `tool_name` is neither None nor a text.
        BlankArgumentError: it is empty.
    """
    if tool_name is None:
        return lambda calls: np.ones(calls.rows.size, np.bool_)
    name = tool_named("tool_name", tool_name)
    return lambda calls: (calls.names == name).fill_null(False).to_numpy()
