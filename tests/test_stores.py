"""Traces in an object store: a real S3 server on this machine."""

import gzip
import logging
from collections.abc import Iterator
from pathlib import Path

import obstore
import polars as pl
import pytest
from click.testing import CliRunner
from moto.server import ThreadedMotoServer
from obstore.store import S3Store

from batcheval import ReadLog, checks, plan_parts, read_traces
from batcheval.cli.main import commands
from batcheval.comparing import are_scores, open_run
from batcheval.errors import (
    BatchevalError,
    ChangedFileError,
    MissingBucketError,
    MissingFileError,
    NoCredentialsError,
    NoFilesError,
    StoreFailedError,
    TooManyBadLinesError,
    UnknownEndingError,
    UnknownSchemeError,
    UnwritablePathError,
)
from batcheval.parts import score_parts
from batcheval.readers.opening import raw
from batcheval.stores import RemoteFile, located
from batcheval.summary import open_scores
from batcheval.writing import write_scores

DUMP = Path("sample_traces/support_agent.jsonl")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> S3Store:
    from urllib.request import Request, urlopen

    for name, value in (
        ("AWS_ENDPOINT_URL", endpoint),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    urlopen(Request(f"{endpoint}/bucket", method="PUT")).close()
    return S3Store("bucket", client_options={"allow_http": True})


def test_the_same_traces_as_from_here(bucket: S3Store, tmp_path: Path) -> None:
    here = read_traces(DUMP).collect()
    here.write_parquet(tmp_path / "t.parquet")
    obstore.put(bucket, "a/t.parquet", tmp_path / "t.parquet")
    obstore.put(bucket, "a/x y.jsonl.gz", gzip.compress(DUMP.read_bytes()))
    obstore.put(bucket, "a/.hidden.jsonl", b"{}")
    obstore.put(bucket, "b.jsonl", DUMP)
    for path in ("s3://bucket/a/t.parquet", "s3://bucket/b.jsonl", "s3://bucket/a/*.gz"):
        found = read_traces(path).collect()
        assert found.drop("source").equals(here.drop("source")), path
    assert read_traces("s3://bucket/a").collect().height == 2 * here.height
    written = write_scores(
        read_traces("s3://bucket/b.jsonl"), [checks.includes("a")], tmp_path / "s.parquet"
    )
    assert written.summary["scored"].sum() == here.height


def test_ranges(bucket: S3Store) -> None:
    data = bytes(range(256)) * (70 << 10)
    obstore.put(bucket, "big", data)
    with raw("s3://bucket/big") as file:
        assert file.read(3) == data[:3]
        file.seek(-5, 2)
        assert file.read() == data[-5:]
    with raw("s3://bucket/big", 1 << 20, 10 << 20) as file:
        assert file.read() == data[1 << 20 : 10 << 20]
    file = RemoteFile(located("s3://bucket/big"))  # type: ignore[arg-type]
    obstore.put(bucket, "big", data[1:])
    with pytest.raises(ChangedFileError):
        file.readall()
    file.close()


MISTAKES: dict[str, tuple[str, type[BatchevalError]]] = {
    "no file": ("s3://bucket/none.jsonl", MissingFileError),
    "no bucket": ("s3://nobody/none.jsonl", MissingBucketError),
    "no match": ("s3://bucket/*.none", NoFilesError),
    "no scheme of ours": ("ftp://bucket/x.jsonl", UnknownSchemeError),
    "no server": ("http://127.0.0.1:9/x.jsonl", StoreFailedError),
    "no account": ("az://container/x.jsonl", NoCredentialsError),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case: str, bucket: S3Store) -> None:
    address, kind = MISTAKES[case]
    with pytest.raises(kind, match=address.partition("*")[0]) as caught:
        read_traces(address)
    assert "\n" not in str(caught.value)


def test_parquet_is_told_by_its_content(bucket: S3Store, tmp_path: Path) -> None:
    pl.DataFrame({"trace_id": ["a"], "output": ["x"]}).write_parquet(tmp_path / "t")
    obstore.put(bucket, "named.jsonl", tmp_path / "t")
    assert read_traces("s3://bucket/named.jsonl").collect()["output"].to_list() == ["x"]


def test_scores_go_into_a_store_and_come_back(bucket: S3Store, tmp_path: Path) -> None:
    dump = tmp_path / "t.jsonl"
    dump.write_bytes(DUMP.read_bytes() + b"{broken\n")
    for number, ending in enumerate((".parquet", ".jsonl", ".csv")):
        log = ReadLog()
        out = f"s3://bucket/out{number}/s{ending}"
        traces = read_traces(dump, log=log)
        written = write_scores(traces, [checks.includes("a")], out, log=log)
        assert (str(written.path), str(written.quarantine)) == (out, f"{out}.quarantine.jsonl")
        there = open_run(out, "there")
        here = write_scores(read_traces(dump), [checks.includes("a")], tmp_path / f"s{ending}")
        assert there.scores.collect().equals(open_run(here.path, "here").scores.collect())
        assert are_scores(out)
    write_scores(read_traces(DUMP), [checks.includes("a")], "s3://bucket/out0/s.parquet")
    assert [f["path"] for b in obstore.list(bucket, "out0") for f in b] == ["out0/s.parquet"]
    parts = plan_parts(DUMP, size=20_000)
    score_parts(parts, [checks.includes("a")], f"{tmp_path}/parts/", workers=1)
    for file in (tmp_path / "parts").iterdir():
        obstore.put(bucket, f"parts/{file.name}", file)
    whole = write_scores(read_traces(DUMP), [checks.includes("a")], tmp_path / "w.parquet")
    assert open_scores("s3://bucket/parts").scores.collect().equals(pl.read_parquet(whole.path))
    compared = CliRunner().invoke(
        commands, ["compare", "s3://bucket/parts@baseline", f"{whole.path}@candidate"]
    )
    assert compared.exit_code == 0, compared.output


REFUSED: dict[str, tuple[str, type[BatchevalError]]] = {
    "no bucket": ("s3://nobody/s.parquet", MissingBucketError),
    "a web server": ("http://127.0.0.1:9/s.parquet", UnwritablePathError),
    "no ending": ("s3://bucket/s.txt", UnknownEndingError),
    "a folder": ("s3://bucket/s/", UnwritablePathError),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_written_is_told_before_a_trace_is_read(case: str, bucket: S3Store) -> None:
    out, kind = REFUSED[case]
    with pytest.raises(kind) as caught:
        score_parts(plan_parts(DUMP), [checks.includes("a")], out)
    assert "\n" not in str(caught.value)


def test_a_failed_run_leaves_what_was_there(bucket: S3Store, tmp_path: Path) -> None:
    obstore.put(bucket, "kept/s.parquet", b"old")
    (tmp_path / "t.jsonl").write_text("{broken\n" * 3 + '{"trace_id": "a", "output": "x"}\n')
    log = ReadLog(max_bad_lines=1)
    traces = read_traces(tmp_path / "t.jsonl", log=log)
    with pytest.raises(TooManyBadLinesError):
        write_scores(traces, [checks.includes("a")], "s3://bucket/kept/s.parquet", log=log)
    assert [f["path"] for b in obstore.list(bucket, "kept") for f in b] == ["kept/s.parquet"]
    assert obstore.get(bucket, "kept/s.parquet").bytes() == b"old"


def test_a_changed_object_is_scored_anew(bucket: S3Store, tmp_path: Path) -> None:
    heights = []
    for rows in (1, 1, 2):
        obstore.put(bucket, "grown.jsonl", b'{"trace_id": "a", "output": "x"}\n' * rows)
        parts = plan_parts("s3://bucket/grown.jsonl")
        out = f"{tmp_path}/scores/"
        score_parts(parts, [checks.includes("a")], out, workers=1, update=True)
        heights.append(open_scores(out).scores.collect().height)
    assert heights == [1, 1, 2]
