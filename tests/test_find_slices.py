"""The search for slices that got worse: every number by a twin, false alarms, what is left out."""

import json
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests

from batcheval import compare
from batcheval.comparing import find_slices, trials
from batcheval.comparing.pass_fail import mcnemar
from batcheval.comparing.regions import column_of, rows_in
from batcheval.comparing.significance import robust_t
from batcheval.comparing.trials import searched
from batcheval.comparing.units import units_of
from batcheval.errors import BatchevalError
from tests.command import Command


def runs(seed: int, rows: int = 300, fall: float = 0.0) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Two runs; where `a` is x and `b` is q, passes fall by so much, and grades by half of it."""
    random = np.random.default_rng(seed)
    shared = pl.DataFrame(
        {
            "trace_id": range(rows),
            "a": pl.Series(random.choice(["x", "y", ""], rows)).replace("", None),
            "b": random.choice(list("pqr"), rows),
            "c": random.integers(0, 1_000, rows),
            "d": random.choice(["m", "n"], rows),
        }
    )
    hit = ((shared["a"] == "x") & (shared["b"] == "q")).fill_null(False).to_numpy()
    grades = random.random((2, rows)).round(2)
    passes = [random.random(rows) < 0.8 - fall * hit * side for side in (0, 1)]
    columns = [
        {
            "s": pl.Series(passes[side], dtype=pl.Float64),
            "g": pl.Series(np.clip(grades[side] - fall * hit * side / 2, 0, 1)),
        }
        for side in (0, 1)
    ]
    unscored = pl.Series(random.random(rows) < 0.05)
    base, candidate = (shared.with_columns(**each) for each in columns)
    blank = pl.when(~unscored).then(pl.col("g")).alias("g")
    return base.with_columns(blank), candidate


def twin(pairs: list[dict[str, Any]], columns: list[str], least: int) -> dict[Any, Any]:
    """All slices by their terms, with their rows, in plain Python."""
    values = {
        name: [v for v in dict.fromkeys(row[name] for row in pairs)] for name in columns
    }  # fmt: skip
    single = [((name, value),) for name in columns for value in values[name]]
    double = [
        (one[0], other[0])
        for left, right in combinations(columns, 2)
        for one, other in product(*([s for s in single if s[0][0] == n] for n in (left, right)))
    ]
    found: dict[Any, Any] = {}
    known = {tuple(range(len(pairs)))}
    for terms in [*single, *double]:
        rows = tuple(n for n, row in enumerate(pairs) if all(row[k] == v for k, v in terms))
        if len(rows) >= least and rows not in known:
            known.add(rows)
            found[terms] = rows
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("clustered", [False, True])
def test_every_test_is_the_twins(seed: int, clustered: bool) -> None:
    base, candidate = runs(seed, rows=120, fall=0.3)
    frame = base.select(
        *(pl.col(n).alias(f"of:{n}") for n in "abd"),
        *(pl.col(n).alias(f"base:{n}") for n in "sg"),
        *(candidate[n].alias(f"candidate:{n}") for n in "sg"),
    )
    codes = np.random.default_rng(seed).integers(0, 25, 120) if clustered else None
    columns = [column_of(frame, name, 12) for name in "abd"]
    search = searched(frame, columns, ["s", "g"], codes, 12)
    expected = twin(base.select("a", "b", "d").to_dicts(), ["a", "b", "d"], 12)
    assert {frozenset(terms) for terms in search.terms} == {frozenset(t) for t in expected}
    rows = {frozenset(terms): list(places) for terms, places in expected.items()}
    checked = 0
    for one in search.tests.to_dicts():
        terms = search.terms[one["slice"]]
        places = rows[frozenset(terms)]
        assert rows_in(columns, terms).tolist() == places
        pairs = frame[places].select(f"base:{one['scorer']}", f"candidate:{one['scorer']}")
        scored = [j for j, p in zip(places, pairs.rows(), strict=True) if None not in p]
        less = np.array([b - a for a, b in pairs.rows() if None not in (a, b)])
        assert one["n"] == less.size
        assert one["difference"] == pytest.approx(less.mean(), abs=1e-12)
        if codes is not None:
            p = robust_t(units_of(less, np.unique(codes[scored], return_inverse=True)[1]))
        elif one["scorer"] == "s":
            p = mcnemar(int((less > 0).sum()), int((less < 0).sum()))
        else:
            p = ttest_1samp(less, 0).pvalue
        assert one["p"] == pytest.approx(p, rel=1e-9)
        checked += 1
    assert checked > 40


def test_p_is_adjusted_over_all_that_was_tested() -> None:
    base, candidate = runs(1, fall=0.5)
    found = find_slices(base, candidate, columns=list("abd"), resamples=0)
    pairs = base.select("a", "b", "d").to_dicts()
    assert found.searched == len(twin(pairs, ["a", "b", "d"], 30))
    p = []
    for rows in twin(pairs, ["a", "b", "d"], 30).values():
        for name in "sg":
            less = (candidate[name] - base[name])[list(rows)].drop_nulls().to_numpy()
            if less.size >= 30:
                wins, losses = int((less > 0).sum()), int((less < 0).sum())
                p.append(mcnemar(wins, losses) if name == "s" else ttest_1samp(less, 0).pvalue)
    assert found.tests == len(p)
    for column, method in (("p_holm", "holm"), ("p_bh", "fdr_bh")):
        adjusted = dict(zip(np.round(p, 14), multipletests(p, method=method)[1], strict=True))
        for row in found.slices.to_dicts():
            assert row[column] == pytest.approx(adjusted[np.round(row["p"], 14)], rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_a_planted_regression_is_found(seed: int) -> None:
    found = find_slices(*runs(seed, rows=600, fall=0.5), resamples=0)
    first = found.slices.row(0, named=True)
    assert first["slice"] == "a = x and b = q"
    assert (first["columns"], first["values"]) == (["a", "b"], ["x", "q"])
    assert first["verdict"] == "worse"
    assert first["low"] <= first["difference"] <= first["high"] < 0
    assert abs(first["rest"]) < 0.1


def test_where_nothing_was_planted_nothing_is_found() -> None:
    """By Holm in at most 1 of 20; a fall is one side of a test of two, so less than that."""
    alarms = [
        find_slices(*runs(seed, rows=200), resamples=0, min_size=20).slices.filter(verdict="worse")
        for seed in range(20)
    ]
    assert sum(alarm.height > 0 for alarm in alarms) <= 1


def test_a_slice_is_what_compare_says_of_its_rows() -> None:
    base, candidate = runs(2, fall=0.5)
    row = find_slices(base, candidate, resamples=300).slices.row(0, named=True)
    of = pl.all_horizontal(
        pl.col(name) == value for name, value in zip(row["columns"], row["values"], strict=True)
    )
    alone = compare(base.filter(of), candidate.filter(of), resamples=300).scorers
    (expected,) = alone.filter(scorer=row["scorer"]).to_dicts()
    for name in ("n", "base", "candidate", "difference", "low", "high", "wins", "losses"):
        assert row[name] == pytest.approx(expected[name])


def told(found: Any) -> list[tuple[str, str]]:
    return found.slices.select("slice", "scorer").rows()


def test_slices_with_the_same_pairs_are_one() -> None:
    base = pl.DataFrame({"trace_id": range(80), "kind": ["k", "l"] * 40, "s": [1.0] * 80})
    base = base.with_columns(copy=pl.col("kind").str.to_uppercase(), all=pl.lit("one"))
    worse = base.with_columns(s=pl.Series([0.0, 1.0] * 20 + [1.0] * 40))
    found = find_slices(base, worse)
    assert told(found) == [("kind = k", "s")]
    same = ["copy = K", "kind = k and copy = K", "kind = k and all = one", "copy = K and all = one"]
    assert found.slices["same_pairs"].to_list() == [same]
    assert (found.searched, found.folded, found.tests) == (2, 9, 2)


def test_a_slice_within_one_that_tells_as_much_is_left_out() -> None:
    base = pl.DataFrame({"trace_id": range(200), "kind": ["k", "l"] * 100, "s": [1.0] * 200})
    base = base.with_columns(half=pl.Series(["u", "u", "v", "v"] * 50))
    worse = base.with_columns(s=pl.Series([0.0, 1.0] * 100))
    assert told(find_slices(base, worse)) == [
        ("kind = k", "s"),
        ("half = u", "s"),
        ("half = v", "s"),
    ]


def test_tools_numbers_and_nulls_make_slices(tmp_path: Path) -> None:
    n = 160
    base = pl.DataFrame(
        {
            "trace_id": range(n),
            "tags": [["a", "b"], ["b"], []][:1] * 40 + [["b"]] * 40 + [None] * 80,
            "size": range(n),
            "text": [str(number) for number in range(n)],
            "city": [None] * 100 + ["Lyon"] * 60,
            "s": [1.0] * n,
        }
    )
    worse = base.with_columns(s=pl.Series([0.0] * 40 + [1.0] * 120))
    found = find_slices(base, worse, columns=["tags", "size", "text", "city"])
    row = found.slices.row(0, named=True)
    assert row["slice"] == "tags = a"
    assert "size = 0 to 39" in row["same_pairs"]
    assert "text = 0 to 39" in row["same_pairs"]
    assert "city is null" in found.slices["slice"].to_list()


def test_what_is_not_searched_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = range(400)
    base = pl.DataFrame({"trace_id": ids, "s": [1.0] * 400, "city": [f"c{n // 4}" for n in ids]})
    base = base.with_columns(name=pl.Series([f"n{n}" for n in ids]), half=pl.col("trace_id") % 2)
    found = find_slices(base, base, min_size=4)
    assert found.left_out == {
        "city": "the 50 most frequent values only",
        "name": "no value has 4 pairs",
    }
    assert not found.cut
    assert found.slices.is_empty()
    monkeypatch.setattr(trials, "MOST_SLICES", 10)
    few = find_slices(base, base, min_size=4)
    assert (few.searched, few.cut) == (10, True)


def test_mistakes() -> None:
    base, candidate = runs(0)
    for options, message in (
        ({"min_size": 1}, "'min_size' must be 2 or more, not 1"),
        ({"confidence": 2}, "'confidence' must be a number between 0 and 1"),
        ({"columns": "town"}, "find_slices reads 'town', which the scores of base lack"),
    ):
        with pytest.raises(BatchevalError, match=f"^{message}"):
            find_slices(base, candidate, **options)  # type: ignore[arg-type]
    lists = base.with_columns(a=pl.Series([[1]] * base.height))
    with pytest.raises(BatchevalError, match="'find_slices' must be columns of text, numbers"):
        find_slices(lists, lists, columns="a")
    bare = [frame.select("trace_id", "s") for frame in (base, candidate)]
    with pytest.raises(BatchevalError, match="find_slices reads 'metadata', which the scores of"):
        find_slices(*bare)
    with pytest.raises(BatchevalError, match="share no scorer"):
        find_slices(bare[0], bare[1].rename({"s": "t"}))


def test_clusters_are_kept_together() -> None:
    base, candidate = runs(3, rows=600, fall=0.6)
    groups = pl.Series("doc", [n // 6 for n in range(600)])
    found = find_slices(
        base.with_columns(groups), candidate, cluster="doc", columns=["a", "b"], resamples=0
    )
    first = found.slices.row(0, named=True)
    assert (first["slice"], first["test"]) == ("a = x and b = q", "cluster-robust t")
    assert first["clusters"] < first["n"]


SUITE = '[scorers.weather]\ncheck = "includes"\nexpected = "sunny"\n'


def test_the_command_line_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("suite.toml").write_text(SUITE)
    for name in ("old", "new"):
        rows = [
            {
                "trace_id": str(n),
                "model": "m",
                "input": f"Question {n}?",
                "output": "rain" if name == "new" and n % 4 == 0 else "sunny",
                "tool_calls": [{"name": "find" if n % 2 else "buy"}],
                "metadata": {"city": "Bern" if n % 4 == 0 else "Lyon", "list": [1], "a b": 1},
            }
            for n in range(160)
        ]
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    both = ["compare", "old.jsonl", "new.jsonl", "-s", "suite.toml", "--resamples", "0"]
    page = run(*both, "--find-slices")
    assert page.code == 0
    lines = page.out[page.out.index("slices found") :].splitlines()
    begin = "searched 13 slices of 30 pairs or more by 'model', 'tool', 'length(input)'"
    assert lines[2].startswith(f"{begin}, 'metadata.city', alone and in twos")
    assert any(line.startswith("metadata.city = Bern") for line in lines)
    assert any(line.endswith("with a regression, the smallest p first") for line in lines)
    assert "kept among the scores" not in page.out
    for name in ("old", "new"):
        run(
            "score", f"{name}.jsonl", "-s", "suite.toml", "-o", f"{name}.parquet", "--keep", "model"
        )
    scores = ["compare", "old.parquet", "new.parquet", "--resamples", "0"]
    assert (
        "these columns were kept among the scores, and no others searched; for more, score with"
        " --keep COLUMN, or name columns by --slices-from COLUMN\n"
    ) in run(*scores, "--find-slices").out
    assert "kept among" not in run(*scores, "--slices-from", "model", "--slices-from", "tool").out
    found = json.loads(run(*both, "--slices-from", "tool", "--format", "json").out)["found"]
    assert [row["slice"] for row in found["slices"]] == ["tool = buy"]
    assert (found["columns"], found["chosen"]) == (["tool"], "named")
    none = run(*both, "--slices-from", "model", "--min-size", "200", "--format", "markdown")
    assert "- no slice shows a regression" in none.out
    assert "- 'model': no value has 200 pairs" in none.out
    by = run(*both, "--by", "metadata.city", "--min-size", "50", "--report", "p.html")
    left_out = "by metadata.city, 1 slice of fewer than 50 pairs is left out"
    assert left_out in by.out
    assert left_out in Path("p.html").read_text()
    assert "metadata.city = Lyon" in by.out
    assert "metadata.city = Bern" not in by.out
    small = run(*both, "--slices-from", "tool", "--min-size", "1")
    assert small.code == 2
