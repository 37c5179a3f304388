"""Files of the wild, read the slow way: whole, with the plain JSON library, one layout told."""

import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

from batcheval.readers.layouts import layouts
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace


def records(path: Path) -> Iterator[tuple[Any, Place]]:
    """What the readers give to a layout: lines, elements of an array, a document, rows, samples."""
    if path.suffix == ".parquet":
        lines = pl.read_parquet(path).write_ndjson().splitlines()
        yield from ((json.loads(row), Place(str(path), n)) for n, row in enumerate(lines, 1))
        return
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = [name for name in sorted(archive.namelist()) if name.endswith(".json")]
            for name in names:
                yield json.loads(archive.read(name)), Place(f"{path}!{name}", 1)
        return
    text = path.read_text(encoding="utf-8")
    try:
        whole = json.loads(text)
    except ValueError:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    yield json.loads(line), Place(str(path), number)
                except ValueError:
                    continue
        return
    for number, record in enumerate(whole if isinstance(whole, list) else [whole], 1):
        yield record, Place(str(path), number)


def traces(path: Path, layout: Layout) -> list[Trace]:
    """The traces in a file."""
    return put_together(layout, records(path))


def of_lines(name: str, *values: Any, source: str = "runs/one.jsonl") -> list[Trace]:
    """The traces of records that stand on the lines of one file."""
    placed = ((value, Place(source, line)) for line, value in enumerate(values, 1))
    return put_together(layouts()[name], placed)


def put_together(layout: Layout, found: Iterable[tuple[Any, Place]]) -> list[Trace]:
    """What a layout makes of records, pieces by way of JSON, as if they had been on disk."""
    whole: list[Trace] = []
    pieces: dict[str, list[Any]] = {}
    for record, place in found:
        for made in layout.read(record, place):
            if isinstance(made, Piece):
                pieces.setdefault(made.key, []).append(json.loads(json.dumps(made.value)))
            else:
                whole.append(made)
    for key, values in pieces.items():
        assert layout.join is not None
        whole += layout.join(key, values)
    return whole


def counts(found: list[Trace]) -> dict[str, Any]:
    """The counts of `expected_counts.json`."""
    calls = [call for trace in found for call in trace.get("tool_calls") or []]
    names = Counter(call.get("name") for call in calls)
    failed = [c for c in calls if c.get("is_error") or c.get("error") or c.get("state") == "error"]
    return {
        "traces": len(found),
        "tool_calls": len(calls),
        "top_tools": sorted(names.items(), key=lambda pair: (-pair[1], pair[0] or ""))[:5],
        "tool_calls_with_error": len(failed),
        "traces_without_final_output": sum(not (t.get("output") or "").strip() for t in found),
        "traces_without_tool_calls": sum(not t.get("tool_calls") for t in found),
    }


if __name__ == "__main__":  # python -m tests.layout_files LAYOUT FILE…
    import sys

    for name in sys.argv[2:]:
        print(name, counts(traces(Path(name), layouts()[sys.argv[1]])))
