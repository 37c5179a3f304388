"""Which layout is a file of? Told by marks in its first records."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from batcheval.errors import AmbiguousLayoutError, UnknownFormatError
from batcheval.readers.fields import TELLING
from batcheval.readers.functions import function_layout
from batcheval.readers.layouts import layouts
from batcheval.readers.layouts.layout import Layout
from batcheval.readers.mapping import mapped_layout

NATIVE: Final = "native"
_SURE: Final = 10
_OUTPUTS: Final = frozenset({"output", "tool_calls", "response", "answer", "completion"})


def format_named(name: str) -> Layout | None:
    """The layout that goes by `name`; None for the native one.

    Args:
        name: one of `layouts()`, a mapping file that ends in `.toml`, or `module:function`.

    Raises:
        BadMappingError: the mapping file or function cannot be used.
        UnknownFormatError: there is none.
    """
    if name == NATIVE:
        return None
    if name.endswith(".toml"):
        return mapped_layout(Path(name))
    if ":" in name:
        return function_layout(name)
    if name not in layouts():
        raise UnknownFormatError(name, [NATIVE, *sorted(layouts())])
    return layouts()[name]


def recognise(source: str, records: list[Any]) -> Layout | None:
    """The layout of these records: that of most marks. None: the native one, or none at all.

    Raises:
        AmbiguousLayoutError: two layouts have as many marks.
    """
    own = sum(map(_native_marks, records))
    if own >= 0.9 * _SURE * len(records):  # a few may lack an input or an output
        return None
    marks = {
        layout.name: sum(layout.marks(record) for record in records)
        for layout in layouts().values()
    }
    best = max(marks.values(), default=0)
    if best <= own:
        return None
    first, *others = [name for name, count in marks.items() if count == best]
    if others:
        raise AmbiguousLayoutError(source, [first, *others])
    return layouts()[first]


def _native_marks(record: Any) -> int:
    if not isinstance(record, Mapping):
        return 0
    if "trace_id" in record and "output" in record and "input" in record:
        return _SURE
    if TELLING.isdisjoint(record):
        return 0
    return 3 if _OUTPUTS.isdisjoint(record) else 4
