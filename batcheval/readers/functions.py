"""Layouts of the user's own: a function, or a layout in a module."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from batcheval.errors import BadMappingError
from batcheval.plugins import found_at
from batcheval.readers.layouts.layout import Layout, Place, Trace

_MOST: Final = 1_000_000  # traces of one record
_encode = msgspec.json.Encoder(decimal_format="number").encode


def function_layout(name: str) -> Layout:
    """The layout that `module:function` reads: a record in, a trace or several of them out.

    Raises:
        UnknownModuleError: the module cannot be imported.
        UnknownFunctionError: the module has nothing of that name.
        BadMappingError: what it has cannot be called.
    """
    function = found_at(name, Path.cwd())
    if isinstance(function, Layout):
        return _in_json(function)
    if not callable(function):
        raise BadMappingError(name, f"it is {function!r:.60}, not a function")

    def read(record: Any, place: Place) -> Iterator[Trace]:
        try:
            made = function(record)
            yield from [dict(made)] if isinstance(made, Mapping) else islice(made or (), _MOST)
        except (Exception, SystemExit) as error:  # whatever somebody's function does
            raise ValueError(f"{name} failed: {type(error).__name__}: {error}") from error

    return _in_json(Layout(name, f"the function {name}", lambda record: 10, read))


def _in_json(layout: Layout) -> Layout:
    """The layout with its traces as JSON has them, whatever objects somebody's function makes."""
    join = layout.join
    return replace(
        layout,
        read=lambda record, place: map(_plain, layout.read(record, place)),
        join=join and (lambda key, values: map(_plain, join(key, values))),
    )


def _plain(made: Any) -> Any:
    return msgspec.json.decode(_encode(made)) if isinstance(made, dict) else made
