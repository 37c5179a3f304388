"""Markdown for pull requests: verdict first, never too long, and it calls nobody."""

import json

import polars as pl
import pytest

from batcheval import compare, summarize
from batcheval.judging import Judged, Judgement
from batcheval.report import render, render_comparison
from batcheval.report.comment import LIMIT, Block, comment, list_block, table_block

GATES = [Judged("s0", "min", True, "mean 1.000"), Judged("s1", "every", False, "50% have 1.0")]
JUDGED = Judgement(GATES, "failed")


def wide(scorers: int, name: str = "s") -> pl.DataFrame:
    columns = {f"{name}{n}": [1.0, 0.0] for n in range(scorers)}
    return pl.DataFrame({"trace_id": ["a", "b"], "part": ["@one", "<two>"], **columns})


def test_the_verdict_comes_first() -> None:
    frame = wide(3)
    text = render(summarize(frame), {"lines": 2, "rows": 2}, "markdown", JUDGED)
    assert text.startswith(
        "**Verdict: failed** (1 of 2 gates reached)\n\n- missed  s1: 50% have 1.0\n"
    )
    text = render_comparison(compare(frame, frame, by="part"), "markdown", JUDGED)
    assert text.startswith("### 3 too few to tell\n\n**Verdict: failed** (1 of 2 gates reached)")
    assert text.count("<details>") == text.count("</details>") == 4 + 2


def test_wide_tables_are_folded() -> None:
    frame = wide(2)
    text = render_comparison(compare(frame, frame, by="part"), "markdown")
    open_parts = text.partition("<details>")[0]
    assert "| scorer | verdict | difference |" in open_parts
    assert "p \\(BH\\)" not in open_parts
    assert "<summary>part = &lt;two&gt;</summary>" in text
    assert "part = @one" in text


@pytest.mark.parametrize(("name", "scorers"), [("s", 250), ("天" * 300, 40), ("<" * 2_000, 40)])
def test_a_comment_fits(name: str, scorers: int) -> None:
    frame = wide(scorers, name)
    summary = render(summarize(frame), None, "markdown", JUDGED)
    compared = render_comparison(compare(frame, frame, by="part", resamples=0), "markdown", JUDGED)
    for text in (summary, compared):
        assert len(text.encode()) <= LIMIT
        assert text.count("<details>") == text.count("</details>")
    assert "more, left out here" in compared


def test_blocks_without_room_are_left_out() -> None:
    blocks = [Block(["x" * 600]), table_block(["a"], [["b" * 100]] * 9), list_block(["c"])]
    text = comment(blocks, limit=1_500)
    assert text.splitlines()[0] == "x" * 600
    assert len(text) <= 1_500
    assert comment([Block(["y" * 3_000])], limit=1_000) == ""
    assert comment([list_block([])]) == ""


def test_nobody_is_called() -> None:
    text = comment([list_block(["@team, see a@b.example and runs@base"])])
    assert text == "- @&#8203;team, see a@b.example and runs@base"


def test_json_has_gates_where_some_were_asked() -> None:
    frame = wide(2)
    found = json.loads(render(summarize(frame), None, "json", JUDGED))
    assert found["verdict"] == "failed"
    assert found["gates"][1] == GATES[1]._asdict()
    assert "gates" not in json.loads(render(summarize(frame), None, "json"))
    compared = json.loads(render_comparison(compare(frame, frame), "json", JUDGED))
    assert compared["verdict"] == "failed"
    assert len(compared["gates"]) == 2
