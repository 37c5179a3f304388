"""Which layout is a file of? Told by marks in its first records."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from batcheval.errors import AmbiguousLayoutError, UnknownFormatError
from batcheval.readers.fields import KNOWN, TELLING
from batcheval.readers.functions import function_layout
from batcheval.readers.grammar.values import first
from batcheval.readers.layouts import layouts
from batcheval.readers.layouts.layout import Layout, Place, Trace
from batcheval.readers.mapping import mapped_layout
from batcheval.schema.columns import CANONICAL, STANDS_FOR, SYNONYMS

NATIVE: Final = "native"
_SURE: Final = 10
_LIKELY, _SURELY = 5, 8  # marks by which a single record is of another layout than its file
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

    It is `MIXED` where most records are native, and some of other layouts.

    Raises:
        AmbiguousLayoutError: two layouts have as many marks.
    """
    own = sum(map(_native_marks, records))
    marks = {
        layout.name: sum(layout.marks(record) for record in records)
        for layout in layouts().values()
    }
    best = max(marks.values(), default=0)
    whole = _SURE * len(records)  # with which they can be of no other layout
    if not records or (best < whole and (best <= own or own >= 0.9 * whole)):
        return _native_or_mixed(records)  # a few of which may lack an input or an output
    first, *others = [name for name, count in marks.items() if count == best]
    if others:
        raise AmbiguousLayoutError(source, [first, *others])
    return layouts()[first]


def _native_or_mixed(records: list[Any]) -> Layout | None:
    owners = [claimed_by(record, MIXED) for record in records]
    return MIXED if any(owner not in (MIXED, None) for owner in owners) else None


def _native_marks(record: Any) -> int:
    if not isinstance(record, dict):
        return 0
    if "trace_id" in record and "output" in record and "input" in record:
        return _SURE
    if TELLING.isdisjoint(record):
        return 0
    return 3 if _OUTPUTS.isdisjoint(record) else 4


def claimed_by(record: Any, layout: Layout, is_told: bool = False) -> Layout | None:
    """Whose a record is in a file that is mostly of `layout`; None if nobody's.

    Args:
        record: any JSON value.
        layout: `MIXED` for a native file.
        is_told: whether it is of that layout or nobody's.
    """
    if layout is not MIXED:
        return layout if layout.marks(record) else None if is_told else _strongest(record)
    own = _native_marks(record)
    if own < _SURE and (other := _strongest(record)) not in (MIXED, None):
        wanted = _SURELY if isinstance(record, dict) and "trace_id" in record else _LIKELY
        if other.marks(record) >= wanted:
            return other
    return MIXED if isinstance(record, dict) and (not record or _is_known(record)) else None


def _is_known(record: Mapping[str, Any]) -> bool:
    return not (KNOWN.isdisjoint(record) and STANDS_FOR.keys().isdisjoint(record))


def _strongest(record: Any) -> Layout | None:
    """The layout of which a record has the most marks, if these are enough without others."""
    marks = [(layout.marks(record), layout) for layout in layouts().values()]
    most, layout = max(marks, key=lambda pair: pair[0])
    own = _native_marks(record)
    if own >= max(most, 4) and (own == _SURE or not {"type", "role"} & record.keys()):
        return MIXED
    return layout if most >= _LIKELY else None


def known_layout(name: str) -> Layout:
    """The layout of a name, that of native records among others included."""
    return MIXED if name == NATIVE else layouts()[name]


def _read_native(record: Any, place: Place) -> Iterator[Trace]:
    if isinstance(record, dict):
        yield {name: first(record, name, *SYNONYMS.get(name, ())) for name in CANONICAL} | {
            key: value for key, value in record.items() if key not in STANDS_FOR
        }


MIXED: Final = Layout(
    NATIVE, "Our own: an object a trace, its keys the columns", _native_marks, _read_native
)
