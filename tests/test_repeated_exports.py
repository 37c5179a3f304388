"""Sessions that were exported twice: their calls count once, or the user is told."""

import json
import shutil
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from batcheval import ReadLog, read_traces
from batcheval.readers import Piece, Place, layouts
from tests.layout_files import records
from tests.test_layouts import KEPT, OWN
from tests.test_layouts_sessions import RECORDS

IN_PIECES = [
    name
    for name, (records_of, *_) in RECORDS.items()
    if isinstance(next(iter(layouts()[name].read(records_of[0], Place("d", 1))), None), Piece)
]


def calls(table: pl.DataFrame) -> int:
    return sum(map(len, table["tool_calls"].to_list()))


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize("name", IN_PIECES)
def test_twice_in_one_file(tmp_path: Path, name: str) -> None:
    told = RECORDS[name][0]
    path = tmp_path / "one.jsonl"
    path.write_text(lines(*told))
    once = read_traces(path, format=name).collect()
    path.write_text(lines(*told, *told))
    twice = read_traces(path, format=name).collect()
    if twice["trace_id"].is_duplicated().any():
        return  # which is told
    assert (twice.height, calls(twice)) == (once.height, calls(once))
    assert twice["output"].to_list() == once["output"].to_list()


@pytest.mark.parametrize(("folder", "name"), [(OWN, name) for _, name, _ in KEPT])
def test_twice_in_two_files(tmp_path: Path, folder: Path, name: str) -> None:
    """Either the calls are counted once, or an id is repeated, or the copy is told."""
    log = ReadLog()
    once = read_traces(folder / name, log=log).collect()
    made = [
        one
        for layout in log.layouts.values()
        for record, place in records(folder / name)
        for one in layouts()[layout].read(record, place)
    ]
    if not any(isinstance(one, Piece) for one in made):
        return  # a record is a trace
    path = tmp_path / Path(name).name
    shutil.copy(folder / name, path)
    shutil.copy(path, tmp_path / f"copy-{path.name}")
    log = ReadLog()
    twice = read_traces(tmp_path, log=log).collect()
    ids = Counter(twice.select("trace_id", "run").rows())
    assert calls(twice) == calls(once) or log.copies or max(ids.values()) > 1


def test_placeholders_for_ids_are_those_of_their_file(tmp_path: Path) -> None:
    """Braintrust's examples have `<span:1>` where ids were; two files mean two spans by it."""
    for name, root in (("a", "<span:1>"), ("b", "<span:1>"), ("c", "r1"), ("d", "r1")):
        about = {"root_span_id": root, "span_attributes": {"type": "task", "name": "t"}}
        row = {"id": name, "span_id": root if name in "ac" else "s2", **about, "output": name}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    table = read_traces(tmp_path).collect()
    assert sorted(table["trace_id"].to_list()) == ["<span:1>", "<span:1>", "r1"]
