"""Files of scores: the same rows back, the same bytes always, whole or not at all."""

import csv
import errno
import json
import resource
import signal
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from batcheval import interrupts
from batcheval.errors import (
    TakenColumnError,
    UnknownEndingError,
    UnwritablePathError,
    WriteFailedError,
)
from batcheval.output import Writer, to_long, writer_for
from batcheval.output.replacement import Replacement

ENDINGS = [".parquet", ".jsonl", ".ndjson", ".csv"]
WHEN = datetime(2024, 2, 29, 12, 30, 0, 250_000, UTC)

SCORES = pl.DataFrame(
    {
        "trace_id": ["a", 'b "q", c', "", "ünï\n😀", "e"],
        "run": ["base", None, "base", "new", None],
        "task_id": [None, "t1", "t2", None, ""],
        "trial": [None, 1, 2, None, -3],
        "source": ["d.jsonl", "d.jsonl", None, "e.jsonl", "e.jsonl"],
        "line": [1, 2, 3, None, 2**40],
        "started_at": [WHEN, None, datetime(1969, 1, 1, tzinfo=UTC), WHEN, WHEN],
        "context": [["x", None], [], None, ["y"], [""]],
        "includes": [1.0, 0.0, None, 0.1 + 0.2, -0.0],
        "includes_details": [
            {"found": True, "seen": ["a"], "at": WHEN},
            None,
            {"found": None, "seen": None, "at": None},
            {"found": False, "seen": [], "at": None},
            {"found": True, "seen": [None, "ü"], "at": WHEN},
        ],
        "includes_reason": ["it's there", None, "", "a,b", 'said "no"'],
        "length": [0.5, None, None, 1e-300, 1.0],
    },
    schema_overrides={"trial": pl.Int64, "started_at": pl.Datetime("us", "UTC")},
)


def write(path: Path, frame: pl.DataFrame, cuts: list[int] | None = None, **options: int) -> bytes:
    with writer_for(path, frame.schema, **options) as writer:
        for part in cut(frame, cuts or []):
            writer.write(part)
        writer.finish({"rows": frame.height})
    return path.read_bytes()


def cut(frame: pl.DataFrame, cuts: list[int]) -> Iterator[pl.DataFrame]:
    edges = [0, *sorted(cuts), frame.height]
    for start, end in pairwise(edges):
        yield frame[start:end]


# Round trips


def test_parquet_reads_back_equal_in_polars_pyarrow_and_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    write(path, SCORES, [2])
    assert_frame_equal(pl.read_parquet(path), SCORES)
    assert_frame_equal(pl.scan_parquet(path).collect(engine="streaming"), SCORES)
    assert_frame_equal(pl.DataFrame(pl.from_arrow(pq.read_table(path))), SCORES)
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'")
        arrow = connection.sql(f"select * from '{path}'").to_arrow_table()
    assert pl.DataFrame(pl.from_arrow(arrow)).rows() == SCORES.rows()


def test_parquet_keeps_its_metadata(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    facts = {"version": "ü", "counts": {"rows": 2, "blank": 0}, "a": [None, 1.5]}
    with writer_for(path, SCORES.schema) as writer:
        writer.write(SCORES)
        writer.finish(facts)
    text = '{"a":[null,1.5],"counts":{"blank":0,"rows":2},"version":"ü"}'
    assert pl.read_parquet_metadata(path)["batcheval"] == text
    metadata: dict[bytes, bytes] = pq.read_metadata(path).metadata
    assert json.loads(metadata[b"batcheval"]) == facts
    with duckdb.connect() as connection:
        query = f"select decode(value) from parquet_kv_metadata('{path}') where key = 'batcheval'"
        assert connection.execute(query).fetchall() == [(text,)]


def test_jsonl_reads_back_equal(tmp_path: Path) -> None:
    text = write(tmp_path / "scores.jsonl", SCORES, [1]).decode()
    rows = [json.loads(line) for line in text.splitlines()]
    assert text.count("\n") == SCORES.height
    for row, wanted in zip(rows, SCORES.to_dicts(), strict=True):
        assert row == json.loads(json.dumps(wanted, default=datetime_text))
        assert list(row) == SCORES.columns


def datetime_text(value: datetime) -> str:
    return value.isoformat(timespec="microseconds")


def test_csv_reads_back_equal(tmp_path: Path) -> None:
    write(tmp_path / "scores.csv", SCORES, [1])
    with (tmp_path / "scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    wanted = SCORES.to_dicts()
    for name in ("trace_id", "run", "source", "includes_reason"):
        assert [row[name] for row in rows] == [row[name] or "" for row in wanted]
    for name in ("includes", "length", "line"):
        assert [float(row[name]) if row[name] else None for row in rows] == SCORES[name].to_list()
    for name in ("includes_details", "context"):
        values = [json.loads(row[name]) if row[name] else None for row in rows]
        assert values == json.loads(json.dumps(SCORES[name].to_list(), default=datetime_text))
    assert rows[0]["started_at"] == "2024-02-29T12:30:00.250000+00:00"


def test_csv_tells_null_from_the_empty_text(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    write(path, SCORES)
    assert '\n"",base,t2,2,,3,' in path.read_text()  # a null source
    assert ',,"",-3,' in path.read_text()  # a null run, an empty task


ODD = pl.DataFrame(
    {
        "nan": [float("nan"), float("inf"), None, 1.5],
        "bytes": [b"\xff\x00", b"a", None, b""],
        "kind": pl.Series(["x", None, "y", "x"], dtype=pl.Categorical),
        "enum": pl.Series(["x", None, "y", "x"], dtype=pl.Enum(["x", "y"])),
        "naive": [datetime(2024, 1, 1), None, datetime(1960, 1, 1, 1), datetime(2024, 1, 1)],
        "day": [date(2024, 1, 1), None, None, None],
        "took": [timedelta(seconds=1.5), None, timedelta(0), timedelta(days=2)],
        "price": [Decimal("1.20"), None, None, None],
        "nothing": [None] * 4,
        "huge": pl.Series([2**100, None, -1, 0], dtype=pl.Int128),
        "empty": pl.Series([{}, None, {}, {}], dtype=pl.Struct({})),
        "pair": pl.Series([[1, 2], None, [3, None], [0, 0]], dtype=pl.Array(pl.Int64, 2)),
        "deep": [
            [{"b": b"\xff", "t": datetime(2024, 1, 1), "n": [float("nan")]}],
            None,
            [None, {"b": None, "t": None, "n": None}],
            [],
        ],
    },
    strict=False,
)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ODD.columns)
def test_kept_columns_of_any_type_can_be_written(tmp_path: Path, ending: str, name: str) -> None:
    path = tmp_path / f"scores{ending}"
    write(path, ODD.select(pl.lit("id").alias("trace_id"), name))
    if ending == ".parquet":
        assert pl.read_parquet(path).height == pq.read_table(path).num_rows == ODD.height
    elif ending == ".csv":
        assert len(list(csv.reader(path.read_text().splitlines(), strict=True))) == 1 + ODD.height
    else:
        assert len([json.loads(line) for line in path.read_text().splitlines()]) == ODD.height


def test_odd_values_in_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    write(path, ODD)
    first, second, third, fourth = [json.loads(line) for line in path.read_text().splitlines()]
    assert first == {
        "nan": None,
        "bytes": "/wA=",
        "kind": "x",
        "enum": "x",
        "naive": "2024-01-01T00:00:00.000000",
        "day": "2024-01-01",
        "took": "PT1.5S",
        "price": "1.20",
        "nothing": None,
        "huge": str(2**100),
        "empty": {},
        "pair": [1, 2],
        "deep": [{"b": "/w==", "t": "2024-01-01T00:00:00.000000", "n": [None]}],
    }
    assert second["bytes"] == "YQ=="
    assert {name for name, value in second.items() if value is None} >= {"naive", "took", "deep"}
    assert fourth["nan"] == 1.5
    assert third["deep"] == [None, {"b": None, "t": None, "n": None}]


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_rows_still_give_a_whole_file(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"scores{ending}"
    for frames in ([], [SCORES[:0]], [SCORES[:0], SCORES[:0]]):
        with writer_for(path, SCORES.schema) as writer:
            for frame in frames:
                writer.write(frame)
        if ending == ".parquet":
            assert_frame_equal(pl.read_parquet(path), SCORES[:0])
        elif ending == ".csv":
            assert path.read_text() == ",".join(SCORES.columns) + "\n"
        else:
            assert path.read_bytes() == b""


def test_the_ending_may_be_in_capitals(tmp_path: Path) -> None:
    write(tmp_path / "SCORES.PARQUET", SCORES)
    assert_frame_equal(pl.read_parquet(tmp_path / "SCORES.PARQUET"), SCORES)


# The same rows, the same bytes

TEXTS = st.none() | st.text(max_size=20) | st.sampled_from(["a" * 40, "b" * 13])
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "trace_id": TEXTS,
            "line": st.none() | st.integers(-(2**62), 2**62),
            "score": st.none() | st.floats(0, 1),
            "tags": st.none() | st.lists(TEXTS, max_size=3),
            "details": st.none()
            | st.fixed_dictionaries({"n": st.none() | st.integers(0, 9), "t": TEXTS}),
        }
    ),
    max_size=40,
)
SCHEMA = pl.Schema(
    {
        "trace_id": pl.String,
        "line": pl.Int64,
        "score": pl.Float64,
        "tags": pl.List(pl.String),
        "details": pl.Struct({"n": pl.Int64, "t": pl.String}),
    }
)


@settings(max_examples=60, deadline=None)
@given(
    rows=ROWS,
    cuts=st.lists(st.integers(0, 40), max_size=6),
    group_rows=st.sampled_from([1, 3, 7, 64]),
    ending=st.sampled_from(ENDINGS),
)
def test_bytes_do_not_depend_on_the_cuts(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[dict[str, Any]],
    cuts: list[int],
    group_rows: int,
    ending: str,
) -> None:
    folder = tmp_path_factory.mktemp("cuts")
    frame = pl.DataFrame(rows, schema=SCHEMA)
    cuts = [place for place in cuts if place <= frame.height]
    whole = write(folder / f"a{ending}", frame, group_rows=group_rows)
    assert write(folder / f"b{ending}", frame, cuts, group_rows=group_rows) == whole
    views = pl.concat([*cut(frame, cuts), frame], rechunk=False)[: frame.height]
    assert write(folder / f"c{ending}", views, group_rows=group_rows) == whole
    nulled = frame.with_columns(pl.when(pl.col("score") >= 0).then("score").alias("score"))
    assert write(folder / f"d{ending}", nulled, group_rows=group_rows) == whole
    if ending == ".parquet":
        assert_frame_equal(pl.read_parquet(folder / "b.parquet"), frame)


def test_row_groups_have_one_height(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    frame = pl.DataFrame({"trace_id": [str(n) for n in range(1000)]})
    write(path, frame, list(range(1, 1000)), group_rows=300)
    metadata = pq.read_metadata(path)
    heights = [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)]
    assert heights == [300, 300, 300, 100]
    assert_frame_equal(pl.read_parquet(path), frame)


# Whole or not at all


@pytest.fixture(params=ENDINGS)
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file that stands where the scores are to go."""
    path = tmp_path / f"scores{request.param}"
    path.write_bytes(b"the old scores")
    return path


def assert_untouched(target: Path) -> None:
    assert target.read_bytes() == b"the old scores"
    assert [path.name for path in target.parent.iterdir()] == [target.name]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_nothing_is_left_of_an_interrupted_file(target: Path, error: type[BaseException]) -> None:
    with pytest.raises(error):
        write_then(target, raising(error()))
    assert_untouched(target)


def write_then(target: Path, then: Callable[[Writer], object]) -> None:
    with writer_for(target, SCORES.schema, group_rows=2) as writer:
        writer.write(SCORES)
        then(writer)


def raising(error: BaseException) -> Callable[..., None]:
    def stop(*_: object, **__: object) -> None:
        raise error

    return stop


def test_ctrl_c_may_come_at_any_moment(target: Path) -> None:
    def write_on(writer: Writer) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        while True:
            writer.write(SCORES)

    before = signal.signal(signal.SIGALRM, raising(KeyboardInterrupt()))
    try:
        for _ in range(5):
            with pytest.raises(KeyboardInterrupt):
                write_then(target, write_on)
            assert_untouched(target)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_no_other_file_looks_like_scores_meanwhile(target: Path) -> None:
    with writer_for(target, SCORES.schema, group_rows=2) as writer:
        writer.write(SCORES)
        assert target.read_bytes() == b"the old scores"
        others = [path for path in target.parent.iterdir() if path != target]
        assert [(path.name[0], path.suffix) for path in others] == [(".", ".tmp")]
    assert target.read_bytes() != b"the old scores"
    assert [path.name for path in target.parent.iterdir()] == [target.name]


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """The kernel refuses to let a file grow, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("rows", [200, 200_000])  # at the end, and on the way
def test_a_full_disk_is_one_clear_error(target: Path, rows: int) -> None:
    hashes = pl.int_range(rows, eager=True).hash().cast(pl.String)
    frame = pl.DataFrame({"trace_id": hashes})

    def score() -> None:
        with writer_for(target, frame.schema, group_rows=1000) as writer:
            for part in frame.iter_slices(999):
                writer.write(part)

    with no_file_longer_than(1000), pytest.raises(WriteFailedError) as caught:
        score()
    assert str(caught.value) == (
        f"writing '{target}' failed: file too large; no part of it was kept"
    )
    assert caught.value.exit_code == 3
    assert_untouched(target)


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.replace"])
def test_a_failing_end_leaves_nothing(
    target: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.setattr(call, raising(OSError(errno.EIO, "Input/output error")))
    with pytest.raises(WriteFailedError, match="failed: input/output error"):
        write_then(target, Writer.finish)
    assert_untouched(target)


def test_an_error_of_the_reader_stays_what_it_is(target: Path) -> None:
    with pytest.raises(FileNotFoundError, match="the dump"):
        write_then(target, raising(FileNotFoundError("the dump is gone")))
    assert_untouched(target)


def test_a_finished_file_stays_whatever_comes_then(target: Path) -> None:
    def finish_and_fail(writer: Writer) -> None:
        writer.finish()
        raise ValueError("later")

    with pytest.raises(ValueError, match="later"):
        write_then(target, finish_and_fail)
    assert target.read_bytes() != b"the old scores"
    assert [path.name for path in target.parent.iterdir()] == [target.name]


def test_a_finished_file_takes_no_more(target: Path) -> None:
    with writer_for(target, SCORES.schema) as writer:
        writer.finish()
        with pytest.raises(ValueError, match="finished"):
            writer.write(SCORES)


def test_a_link_stays_and_its_file_keeps_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "a.csv", tmp_path / "link.csv"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write(link, SCORES)
    assert link.is_symlink()
    assert real.read_text().startswith("trace_id")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_other_endings_are_refused(tmp_path: Path) -> None:
    for name in ("scores", "scores.txt", "scores.parquet.gz", ".parquet"):
        with pytest.raises(UnknownEndingError, match=r"'\.parquet', '\.jsonl' or '\.csv'"):
            writer_for(tmp_path / name, SCORES.schema)
    assert list(tmp_path.iterdir()) == []


def test_places_where_no_file_can_stand(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "file").write_text("")
    places = {
        "folder.csv": "it is a folder",
        "none/a.csv": f"there is no folder '{tmp_path / 'none'}'",
        "file/a.csv": "not a directory",
        f"{'x' * 300}.csv": "file name too long",
    }
    for name, reason in places.items():
        with pytest.raises(UnwritablePathError) as caught:
            writer_for(tmp_path / name, SCORES.schema)
        assert str(caught.value) == f"'{tmp_path / name}' cannot be written: {reason}"
        assert caught.value.exit_code == 2
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_takes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", raising(PermissionError(errno.EACCES, "Permission denied")))
    with (
        pytest.raises(UnwritablePathError, match="cannot be written: permission denied"),
        writer_for(tmp_path / "a.csv", SCORES.schema),
    ):
        pass


# The long form

WIDE = SCORES.select(
    "trace_id", "run", "task_id", "trial", "source", "line", "context", "^includes.*$", "length"
).with_columns(length_details=pl.struct(chars=pl.lit(3), limit=pl.lit(None, pl.Float64)))


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_long_form(engine: Any) -> None:
    long = to_long(WIDE, ["length", "includes"], ["context"]).collect(engine=engine)
    identity = ["trace_id", "run", "task_id", "trial", "source", "line", "context"]
    assert long.columns == [*identity, "scorer", "score", "details", "reason"]
    wanted = [
        (
            *(row[name] for name in identity),
            scorer,
            row[scorer],
            row[f"{scorer}_details"],
            row.get(f"{scorer}_reason"),
        )
        for row in WIDE.to_dicts()
        for scorer in ("length", "includes")
    ]
    read = [(*row[:9], row[9] and json.loads(row[9]), row[10]) for row in long.rows()]
    text = [
        (*row[:9], json.loads(json.dumps(row[9], default=datetime_text)), row[10]) for row in wanted
    ]
    assert read == text


def test_long_form_has_details_and_reasons_only_if_there_are_any() -> None:
    assert to_long(WIDE.lazy().drop("^.*_details$"), ["includes"]).collect_schema().names()[
        -3:
    ] == [
        "scorer",
        "score",
        "reason",
    ]
    bare = to_long(WIDE.drop("^.*_(details|reason)$"), ["includes", "length"])
    assert bare.collect_schema().names()[-2:] == ["scorer", "score"]


def test_long_form_is_row_by_row() -> None:
    whole = to_long(WIDE, ["includes", "length"]).collect()
    parts = [to_long(WIDE[n : n + 1], ["includes", "length"]).collect() for n in range(5)]
    assert_frame_equal(
        pl.concat([*parts, to_long(WIDE[:0], ["includes", "length"]).collect()]), whole
    )


def test_long_form_of_one_scorer() -> None:
    long = to_long(WIDE, ["length"]).collect()
    assert long["score"].to_list() == WIDE["length"].to_list()


@pytest.mark.parametrize("name", ["scorer", "score", "details", "reason"])
def test_long_form_keeps_no_column_of_its_own_names(name: str) -> None:
    frame = WIDE.with_columns(pl.lit("x").alias(name))
    with pytest.raises(TakenColumnError, match=f"'{name}' cannot be kept"):
        to_long(frame, ["includes", "length"], [name])


def test_an_interrupt_that_went_astray_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interrupts, "_heard", {2})
    replacement = Replacement(tmp_path / "a.csv")
    replacement.open().write(b"a part")
    with pytest.raises(KeyboardInterrupt):
        replacement.commit()
    replacement.discard()
    assert not list(tmp_path.iterdir())
