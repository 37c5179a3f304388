"""A real Ray cluster of two nodes: the same bytes as here, whatever is lost on the way."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from batcheval import checks, plan_parts, score_parts
from batcheval.errors import BatchevalError, ClusterError, LostPartError
from batcheval.parts import on_ray
from batcheval.parts import ray as engine_at
from tests.command import Command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kills processes by signals")
LONG = pytest.mark.skipif("BATCHEVAL_LONG" not in os.environ, reason="BATCHEVAL_LONG is not set")
TRACES = "sample_traces/support_agent.jsonl"
CHECKS = """
import os, pathlib, signal, time
import polars as pl
from batcheval import Verdict, check
from batcheval.scorer import batched

@check
def strikes(folder: str, how: str, owner: int) -> Verdict:
    def strike(texts: pl.Series) -> list[float]:
        place = pathlib.Path(folder)
        if os.getpid() == owner:
            return [len(text) / 10_000 for text in texts]
        (place / f"{os.getpid()}.pid").touch()
        if how == "always" or (how == "once" and not (place / "struck").exists()):
            (place / "struck").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.3 if how == "slowly" else 0)
        return [len(text) / 10_000 for text in texts]
    return Verdict(batched(strike, pl.col("output")))
"""


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster of two nodes of one processor each, which is ended whatever happens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_worker_register_timeout_seconds", "300")  # on a machine at work
        from ray.cluster_utils import Cluster

        node = {"num_cpus": 1, "object_store_memory": 80 << 20}
        cluster = Cluster(initialize_head=True, head_node_args=node)
        try:
            cluster.add_node(**node)
            yield cluster
        finally:
            cluster.shutdown()


@pytest.fixture
def strikes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A check whose processes fall, in a module that workers can import."""
    (tmp_path / "fallible.py").write_text(CHECKS)
    monkeypatch.syspath_prepend(tmp_path)
    import fallible

    (tmp_path / "seen").mkdir()
    return lambda how: fallible.strikes(str(tmp_path / "seen"), how, os.getpid())


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def scored(scorers: list[Any], out: Path, engine: Any = "local", size: int = 90_000) -> list[str]:
    score_parts(plan_parts(TRACES, size=size), scorers, f"{out}/", engine=engine, workers=1)
    return sorted(path.name for path in out.glob("*.parquet"))


def test_a_killed_process_costs_its_part_alone(nodes: Any, strikes: Any, tmp_path: Path) -> None:
    scorers = [strikes("once"), checks.includes("order"), checks.no_tool_errors()]
    names = scored(scorers, tmp_path / "here")
    assert len(names) > 5
    assert scored(scorers, tmp_path / "there", engine_at(nodes.address)) == names
    assert (tmp_path / "seen/struck").exists()
    assert len(list((tmp_path / "seen").glob("*.pid"))) > 1
    assert bytes_of(tmp_path / "there") == bytes_of(tmp_path / "here")


@LONG
def test_a_part_that_is_always_lost_ends_the_run_and_the_rest_stays(
    nodes: Any, strikes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_ray, "RETRIES", 1)
    with pytest.raises(LostPartError, match=r"part \d+ was lost 2 times") as caught:
        scored([strikes("always")], tmp_path / "there", engine_at(nodes.address), 1 << 30)
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "there").glob("*.parquet"))


def test_a_mistake_in_a_worker_is_told_as_here(nodes: Any, tmp_path: Path) -> None:
    Path(tmp_path / "bad.jsonl").write_text('{"output": "a"}\n' * 3 + "{\n" + '{"output": "b"}\n')
    from batcheval import ReadLog

    said = []
    for engine in ("local", engine_at(nodes.address)):
        parts = plan_parts(tmp_path / "bad.jsonl", log=ReadLog("fail"))
        with pytest.raises(BatchevalError) as caught:
            score_parts(parts, [checks.includes("a")], tmp_path / "x.parquet", engine=engine)
        said.append((type(caught.value), str(caught.value)))
    assert said[0] == said[1]
    assert "bad.jsonl:4" in said[0][1]


def test_the_command_line(nodes: Any, run: Command, tmp_path: Path) -> None:
    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    asked = ("score", TRACES, "--check", "includes('order')", "--quiet", "--out")
    assert run(*asked, here).code == 0
    ran = run(*asked, there, "--engine", "ray", "--address", nodes.address)
    assert ran.code == 0, ran.err
    assert here.read_bytes() == there.read_bytes()


@LONG
def test_a_lost_node_costs_its_parts_alone(nodes: Any, strikes: Any, tmp_path: Path) -> None:
    """The last test: one node is gone after it."""
    scorers, lost = [strikes("slowly")], []

    def losing(work: Any, tasks: Any) -> Iterator[Any]:
        for done in engine_at(nodes.address)(work, tasks):
            yield done
            if not lost:
                lost.append(nodes.list_all_nodes()[-1])
                nodes.remove_node(lost[0], allow_graceful=False)

    names = scored(scorers, tmp_path / "there", losing)
    assert lost
    assert scored(scorers, tmp_path / "here") == names
    assert bytes_of(tmp_path / "there") == bytes_of(tmp_path / "here")


def test_no_cluster_is_one_line(run: Command, tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match="no Ray cluster at 'nonsense'"):
        scored([checks.includes("a")], tmp_path / "x", engine_at("nonsense"))
    ran = run("score", TRACES, "--check", "includes('a')", "--address", "x", "--out", "a/")
    assert (ran.code, "--engine ray" in ran.err) == (2, True)
