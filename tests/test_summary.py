"""Summaries: against a plain-Python twin, over any cut, and out of any file of scores."""

import json
import math
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from batcheval.errors import BatchevalError
from batcheval.summary import BANDS, from_tally, merge, open_scores, summarize, tally, tally_long

EDGES = [0.0, 5e-324, 0.4, 0.7, 1.0]
NEAR = [math.nextafter(edge, to) for edge in EDGES for to in (0.0, 1.0)]
SCORE = st.one_of(st.sampled_from(EDGES + NEAR), st.floats(0.0, 1.0))
SCORES = st.lists(st.one_of(SCORE, st.none()), max_size=30)


def band(score: float) -> str:
    """The band of a score, one question at a time."""
    if score == 1.0:
        return "full"
    if score >= 0.7:
        return "high"
    if score >= 0.4:
        return "middle"
    return "low" if score > 0.0 else "zero"


def twin(scorer: str, scores: list[float | None]) -> dict[str, Any]:
    scored = [score for score in scores if score is not None]
    bands = [band(score) for score in scored]
    return {
        "scorer": scorer,
        "mean": pytest.approx(fmean(scored)) if scored else None,
        **{name: bands.count(name) / len(scored) if scored else None for name in BANDS},
        "scored": len(scored),
        "unscored": len(scores) - len(scored),
    }


def wide(columns: dict[str, list[float | None]]) -> pl.DataFrame:
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Float64))


@given(SCORES)
def test_a_summary_is_that_of_the_twin(scores: list[float | None]) -> None:
    frame = wide({"b": scores, "a": scores[::-1]})
    expected = [twin("b", scores), twin("a", scores)]
    assert summarize(frame).to_dicts() == expected
    assert summarize(frame.lazy(), ["a"]).to_dicts() == expected[1:]
    long = frame.unpivot(variable_name="scorer", value_name="score")
    assert from_tally(tally_long(long, ["b", "a"])).to_dicts() == expected
    if scores:
        assert summarize(long).to_dicts() == expected


@given(SCORES, st.lists(st.integers(0, 30)))
def test_merged_tallies_of_any_cut_are_the_tally_of_the_whole(
    scores: list[float | None], cuts: list[int]
) -> None:
    frame = wide({"b": scores, "a": scores[::-1]})
    places = sorted([0, *(min(cut, len(scores)) for cut in cuts), len(scores)])
    parts = [frame[start:end] for start, end in pairwise(places)]
    whole = tally(frame, ["b", "a"])
    assert_frame_equal(merge(tally(part, ["b", "a"]) for part in parts), whole)
    assert_frame_equal(merge([whole]), whole, check_exact=True)


@given(SCORE)
def test_every_score_lies_in_exactly_one_band(score: float) -> None:
    (row,) = tally(wide({"a": [score]}), ["a"]).to_dicts()
    assert [name for name in BANDS if row[name]] == [band(score)]
    assert sum(row[name] for name in BANDS) == 1


def test_nan_is_unscored_and_no_mean_is_infinite() -> None:
    assert tally(wide({"a": [float("nan"), 1.0]}), ["a"])["unscored"].item() == 1
    assert summarize(wide({"a": [float("inf"), 1.0]}))["mean"].item() is None


def test_tallies_of_nothing() -> None:
    nothing = merge([])
    assert nothing.height == 0
    assert_frame_equal(tally(pl.DataFrame({"x": [1]}), []), nothing)
    assert from_tally(nothing).columns == ["scorer", "mean", *BANDS, "scored", "unscored"]
    assert summarize(wide({"a": []})).to_dicts() == [twin("a", [])]


def test_the_order_is_that_of_the_columns_and_names_are_no_patterns() -> None:
    frame = wide({name: [1.0] for name in ("z", "^a.*$", "*", "a b", "tally", "scorer")})
    assert summarize(frame)["scorer"].to_list() == frame.columns


def test_only_columns_of_scores_are_taken() -> None:
    frame = pl.DataFrame(
        {
            "trace_id": ["a"],
            "line": [1],
            "cost": [0.5],
            "a": [1.0],
            "kept": ["x"],
            "a_details": [{"score": 0.5}],
            "whole": [1],
        }
    )
    assert summarize(frame)["scorer"].to_list() == ["a"]
    assert summarize(frame, ["whole", "a"])["scorer"].to_list() == ["whole", "a"]


COLUMNS: dict[str, Any] = {
    "trace_id": ["t1", "t2", "t3"],
    "run": [None] * 3,
    "line": [1, 2, 3],
    "cost": [0.1, 0.2, 0.3],
    "good": [1.0, 0.5, None],
    "none": [None] * 3,
    "good_reason": [None] * 3,
}
SCHEMA = {"run": pl.String, "good": pl.Float64, "none": pl.Float64, "good_reason": pl.String}
WIDE = pl.DataFrame(COLUMNS, schema_overrides=SCHEMA)
LONG = WIDE.unpivot(
    on=["good", "none"], index="trace_id", variable_name="scorer", value_name="score"
)
SUMMARY = [twin("good", [1.0, 0.5, None]), twin("none", [None] * 3)]
METADATA = {
    "format_version": 1,
    "scorers": [{"id": "good", "description": "g"}, {"id": "none", "description": "n"}],
    "counts": {"lines": 3, "rows": 3},
}


def parquet(path: Path, frame: pl.DataFrame, metadata: object = None) -> None:
    known = {} if metadata is None else {"batcheval": json.dumps(metadata)}
    frame.write_parquet(path, metadata=known)


@pytest.mark.parametrize(
    ("frame", "metadata"),
    [
        (WIDE, METADATA),
        (WIDE.with_columns(kept=0.5), METADATA),
        (WIDE, None),
        (LONG, {**METADATA, "long": True}),
        (LONG, None),
    ],
)
def test_parquet_files(tmp_path: Path, frame: pl.DataFrame, metadata: object) -> None:
    path = tmp_path / "scores[1]"
    parquet(path, frame, metadata)
    assert summarize(path).to_dicts() == SUMMARY
    assert summarize(str(path), ["none"]).to_dicts() == SUMMARY[1:]
    assert open_scores(path).counts == (METADATA["counts"] if metadata else None)


def test_a_scorer_without_a_row_is_summed_up_too(tmp_path: Path) -> None:
    parquet(tmp_path / "s.parquet", LONG[:3], {**METADATA, "long": True})
    empty = {**twin("none", []), "unscored": 0}
    assert summarize(tmp_path / "s.parquet").to_dicts() == [SUMMARY[0], empty]


@pytest.mark.parametrize("frame", [WIDE, LONG], ids=["wide", "long"])
@pytest.mark.parametrize("name", ["s.jsonl", "s.ndjson", "s.csv", "s[1].jsonl", "s[1].CSV"])
def test_text_files(tmp_path: Path, frame: pl.DataFrame, name: str) -> None:
    path = tmp_path / name
    (frame.write_csv if name.lower().endswith("csv") else frame.write_ndjson)(path)
    assert summarize(path).to_dicts() == SUMMARY


NO_SCORES = "holds no scores: it has no column of scores among"
BAD_METADATA = "holds no scores: its metadata 'batcheval'"

MISTAKES: list[tuple[str, bytes | pl.DataFrame | None, object, str]] = [
    ("s.parquet", None, None, "cannot be read: no such file or directory"),
    (
        "s.txt",
        b"words",
        None,
        "holds no scores: it is no Parquet file, nor does it end in .jsonl or .csv",
    ),
    ("s.jsonl", b"", None, "holds no scores: it is empty"),
    ("s.csv", b"", None, "holds no scores: it is empty"),
    ("s.csv", b"a,b\n1,2\n", None, "holds no scores: it has no column 'trace_id', but 'a', 'b'"),
    ("s.jsonl", b'{"trace_id": "a", "b": 1}\n', None, f"{NO_SCORES} 'trace_id', 'b'"),
    ("s.parquet", WIDE.select("trace_id", "cost"), None, f"{NO_SCORES} 'trace_id', 'cost'"),
    ("s.parquet", WIDE, 5, f"{BAD_METADATA} is no JSON object"),
    (
        "s.parquet",
        WIDE,
        {"format_version": 2},
        "holds no scores: it has format 2, and this batcheval reads format 1",
    ),
    ("s.parquet", WIDE, {"scorers": ["good"]}, f"{BAD_METADATA} names no scorers"),
]


@pytest.mark.parametrize(("name", "content", "metadata", "message"), MISTAKES)
def test_files_that_hold_no_scores(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    content: bytes | pl.DataFrame | None,
    metadata: object,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    if isinstance(content, bytes):
        Path(name).write_bytes(content)
    elif content is not None:
        parquet(Path(name), content, metadata)
    with pytest.raises(BatchevalError) as caught:
        summarize(name)
    assert str(caught.value) == f"'{name}' {message}"
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.parquet", b"PAR1" + b"x" * 100),
        ("s.jsonl", b'{"trace_id": "a", "b": 0.5}\n{"trace_id": "b", "b": 0.'),
    ],
)
def test_damaged_files(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BatchevalError) as caught:  # the reason is in polars' words
        summarize(path)
    assert str(caught.value).startswith(f"'{path}' cannot be read: ")
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("frame", [WIDE, LONG], ids=["wide", "long"])
def test_an_unknown_scorer(tmp_path: Path, frame: pl.DataFrame) -> None:
    parquet(tmp_path / "s.parquet", frame, METADATA)
    for scores in (frame, tmp_path / "s.parquet"):
        with pytest.raises(BatchevalError, match=r"^the scores have no scorer 'god'; did you mean"):
            summarize(scores, ["god"])
