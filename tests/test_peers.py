"""The script that measures other libraries beside this one, on a made-up peer."""

import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent / "bench"

PEER = """
JOBS = {
    "length": lambda rows: lambda: [len(row["text"]) for row in rows],
    "nothing": lambda rows: lambda: [float("nan") for _ in rows],
}
"""


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCH)


@pytest.mark.usefixtures("bench")
def test_a_peer_is_run_and_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import peer_table
    import peers

    (tmp_path / "rows.jsonl").write_text('{"text": "a"}\n{"text": "abc"}\n{"text": "ab"}\n')
    (tmp_path / "of_made_up.py").write_text(PEER)
    monkeypatch.setattr(peers, "HERE", tmp_path / "tests/bench")  # PYTHONPATH: our module is there
    argv = peers.command(sys.executable, tmp_path / "rows.jsonl", 2, "of_made_up", "length")
    side = peers.once(argv)
    assert side.values == [1.0, 3.0]
    assert peer_table.within(side.values, 2, 3) == [0.0, 1.0]
    argv[-1] = "nothing"
    assert peers.once(argv).values == [None, None]


@pytest.mark.usefixtures("bench")
def test_a_line_of_the_table() -> None:
    import peer_table

    theirs = peer_table.Side(
        tuple({"rows": 100, "cpu": cpu, "values": [1.0, None, 0.5]} for cpu in (1.0, 9.0, 2.0))
    )
    ours = peer_table.Side(({"rows": 1_000, "cpu": 5.0, "values": [1.0, 0.0, 0.5 + 1e-9]},))
    assert peer_table.agreeing(ours.values, theirs.values) == 2
    line = peer_table.row("equals", ("made up", "1.0"), 5.0, theirs, ours)
    assert line == ("equals", "made up", "1.0", "50", "200", "4.0", "5: MISSED", "2 of 3")
    assert len(line) == len(peer_table.HEAD) == len(peer_table.RULE)


@pytest.mark.usefixtures("bench")
def test_peers_are_pinned_and_checked_on_both_sides() -> None:
    import peer_plan
    import peers

    suite = (BENCH / "peer_jobs/peers.toml").read_text()
    for name, peer in peer_plan.PEERS.items():
        assert peer.version, name
        jobs = (BENCH / "peer_jobs" / f"{peer.module}.py").read_text()
        for check in peer.checks:
            assert f"[scorers.{check}]" in suite
            assert f'"{check}":' in jobs
    only = peers.chosen("rapidfuzz", "levenshtein,bleu")
    assert only["rapidfuzz"].checks == ("levenshtein",)
