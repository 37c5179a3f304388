"""Repeated ids: against a counter, whatever the cuts and however little memory there is."""

import errno
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval.errors import SpillFailedError
from batcheval.repeats import RepeatedIds, Repeats, records, spill

SCHEMA = pl.Schema(
    {
        "trace_id": pl.String,
        "run": pl.String,
        "trial": pl.Int64,
        "source": pl.String,
        "line": pl.Int64,
    }
)


def table(*rows: tuple[Any, ...]) -> pl.DataFrame:
    """Rows of `trace_id`, `run` and `trial`, with their places in a file."""
    placed = [(*row, "a.jsonl", line) for line, row in enumerate(rows, 1)]
    return pl.DataFrame(placed, schema=SCHEMA, orient="row")


def search(frame: pl.DataFrame, cuts: list[int] | None = None, memory_rows: int = 1000) -> Repeats:
    edges = [0, *sorted(cuts or []), frame.height]
    with RepeatedIds(memory_rows) as ids:
        for start, end in pairwise(edges):
            ids.add(frame[start:end])
        return ids.find()


def twin(frame: pl.DataFrame) -> tuple[int, int, list[dict[str, Any]]]:
    """The same with a dictionary of all ids."""
    places: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for *key, source, line in frame.rows():
        places[tuple(key)].append(f"{source}:{line}")
    repeated = {key: found for key, found in places.items() if len(found) > 1}
    examples = [
        {
            **dict(zip(("trace_id", "run", "trial"), key, strict=True)),
            "places": found[:5],
            "more": max(0, len(found) - 5),
        }
        for key, found in list(repeated.items())[:5]
    ]
    return len(repeated), sum(map(len, repeated.values())), examples


KEYS = st.tuples(
    st.sampled_from(["a", "b", "c", "", None, "a\0"]) | st.integers(0, 30).map(str),
    st.sampled_from(["r1", "", None]),
    st.sampled_from([None, 0, 1]),
)


@settings(max_examples=150, deadline=None)
@given(
    keys=st.lists(KEYS, max_size=120),
    cuts=st.lists(st.integers(0, 120), max_size=5),
    memory_rows=st.sampled_from([1, 3, 10, 40, 1000]),
)
def test_same_as_a_dictionary(
    keys: list[tuple[Any, ...]], cuts: list[int], memory_rows: int
) -> None:
    frame = table(*keys)
    repeats = search(frame, [cut for cut in cuts if cut <= frame.height], memory_rows)
    examples = repeats.examples(frame.lazy())
    assert (repeats.ids, repeats.rows, examples) == twin(frame)


@pytest.mark.parametrize("memory_rows", [7, 100, 2999, 3000, 3001, 10**6])
def test_an_id_that_stands_on_every_row(memory_rows: int) -> None:
    frame = table(*[("same", "r", 1)] * 3000)
    repeats = search(frame, [10, 2000], memory_rows)
    assert (repeats.ids, repeats.rows) == (1, 3000)
    assert repeats.examples(frame.lazy()) == twin(frame)[2]


@pytest.mark.parametrize("memory_rows", [500, 10**6])
def test_many_ids_some_repeated_far_apart(memory_rows: int) -> None:
    keys = [(f"id-{n}", None, n % 3) for n in range(5000)]
    frame = table(*keys, *keys[10:4000:7], *keys[10:4000:70])
    repeats = search(frame, memory_rows=memory_rows)
    assert (repeats.ids, repeats.rows, repeats.examples(frame.lazy())) == twin(frame)


def test_none_repeated_and_none_at_all() -> None:
    assert search(table(("a", None, None), ("a", "r", None), ("a", None, 1))) == Repeats(0, 0)
    assert search(table()) == Repeats(0, 0)
    assert Repeats(0, 0).examples(table().lazy()) == []
    with RepeatedIds() as ids:
        assert ids.find() == Repeats(0, 0)


def test_rows_may_come_after_a_first_search() -> None:
    frame = table(*[(str(n % 4), None, None) for n in range(20)])
    with RepeatedIds(memory_rows=3) as ids:
        for start in range(0, 20, 2):
            ids.add(frame[start : start + 2])
            assert ids.find().rows == twin(frame[: start + 2])[1]


def test_types_of_columns_do_not_matter() -> None:
    frame = table(("1", None, 1), ("1", None, 1))
    other = frame.with_columns(
        pl.col("trace_id").cast(pl.Categorical),
        pl.lit(None).alias("run"),
        pl.col("trial").cast(pl.Int8),
    )
    with RepeatedIds() as ids:
        ids.add(frame)
        ids.add(other)
        assert ids.find().rows == 4


def test_places_without_source_or_line() -> None:
    frame = table(*[("a", None, None)] * 3).with_columns(
        source=pl.Series([None, "b.parquet", "c"]), line=pl.Series([4, None, 7])
    )
    (example,) = search(frame).examples(frame.lazy())
    assert example["places"] == ["row 1", "b.parquet", "c:7"]


def test_ids_that_share_a_hash_are_no_example() -> None:
    frame = table(("a", None, None), ("b", None, None), ("c", None, None))
    repeats = Repeats(1, 2, ((0, 2),), (2,))
    assert repeats.examples(frame.lazy()) == []


def test_hashes_of_keys_alike_differ() -> None:
    number = pl.int_range(200_000, eager=True)
    frame = pl.DataFrame(
        {
            "trace_id": (number // 50).cast(pl.String),
            "run": (number % 5).cast(pl.String),
            "trial": number // 5 % 10,
        }
    ).with_columns(
        pl.when(pl.col("run") != "0").then("run"), pl.when(pl.col("trial") > 0).then("trial")
    )
    hashes = records.key_hashes(frame)
    assert len(set(hashes.tolist())) == 200_000
    buckets = Counter((hashes >> 56).tolist())
    assert len(buckets) == spill.BUCKETS
    assert max(buckets.values()) < 2 * 200_000 / spill.BUCKETS


def test_no_file_is_left(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _search_and_stop(tmp_path)
    assert list(tmp_path.iterdir()) == []


def _search_and_stop(folder: Path) -> None:
    with RepeatedIds(memory_rows=2, folder=folder) as ids:
        ids.add(table(*[("a", None, None)] * 10))
        raise KeyboardInterrupt


def test_no_place_for_the_temporary_file(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    with (
        RepeatedIds(memory_rows=2, folder=folder) as ids,
        pytest.raises(SpillFailedError) as caught,
    ):
        ids.add(table(*[("a", None, None)] * 10))
    assert str(caught.value) == (
        f"the temporary file in '{folder}' failed: no such file or directory; "
        "TMPDIR names another folder"
    )
    assert caught.value.exit_code == 3


class FullDisk:
    """A file that takes nothing."""

    def seek(self, *_: int) -> None:
        pass

    def write(self, _: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def close(self) -> None:
        pass


def test_a_full_disk_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "TemporaryFile", lambda **_: FullDisk())
    with (
        RepeatedIds(memory_rows=2) as ids,
        pytest.raises(SpillFailedError, match="no space left on device"),
    ):
        ids.add(table(*[("a", None, None)] * 10))
