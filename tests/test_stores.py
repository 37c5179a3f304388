"""Traces in an object store: a real S3 server on this machine."""

import gzip
import logging
from collections.abc import Iterator
from pathlib import Path

import obstore
import polars as pl
import pytest
from moto.server import ThreadedMotoServer
from obstore.store import S3Store

from batcheval import checks, read_traces
from batcheval.errors import (
    BatchevalError,
    ChangedFileError,
    MissingBucketError,
    MissingFileError,
    NoCredentialsError,
    NoFilesError,
    StoreFailedError,
    UnknownSchemeError,
)
from batcheval.readers.opening import raw
from batcheval.stores import RemoteFile, located
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
