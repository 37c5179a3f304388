"""Pages of reports: well-formed, true to the tables, harmless, bounded, for everybody."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batcheval import compare, compare_many, read_traces, score
from batcheval.comparing import Comparison, find_slices, open_run
from batcheval.errors import MissingExtraError, UnwritablePathError
from batcheval.findings import judged_run, look_at_comparison, look_at_run
from batcheval.judging import Judged, Judgement
from batcheval.report import render, render_comparison, render_run
from batcheval.report.junit import comparison_junit
from batcheval.report.page import comparison_page, environment, run_page, write_text
from batcheval.report.page.marks import marked
from batcheval.report.page.safe import LONGEST, visible
from batcheval.suite import Gate, load_suite
from tests.command import Command
from tests.pages import HTML, SVG, all_of, colors, contrast, parsed, tables, text_of

ROOT = Path(__file__).parents[1]
EVIL = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>' onload='alert(2)",
    "</pre></details></main><iframe src=//evil.example></iframe>",
    "{{ 7 * 7 }}{% raw %}<!-- ]]> &lt;b&gt;",
    "a\x00b\x1b[31m\x7f\x85\u202eevil\u2066\ufeff\u2028",
    "javascript:alert(1)",
]
FORBIDDEN = ("script", "img", "iframe", "object", "embed", "form", "input", "base", "b")


def texts(path: Path, outputs: list[str], **more: list[Any]) -> Path:
    """A dump of traces with these outputs."""
    rows = [
        {"trace_id": f"t{n}", "task_id": f"k{n}", "input": f"question {n}", "output": output}
        | {name: values[n] for name, values in more.items()}
        for n, output in enumerate(outputs)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def scores_of(path: Path, **columns: list[float | None]) -> pl.DataFrame:
    """Scores that name the dump as their source."""
    place = ("trace_id", "task_id", "source", "line")
    rows = read_traces(path).select(place).collect()
    return rows.with_columns(pl.Series(n, v, pl.Float64) for n, v in columns.items())


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A page of a run and one of a comparison, with malice wherever something is taken over."""
    folder = tmp_path_factory.mktemp("evil")
    names = {f"{text}{n}": None for n, text in enumerate(EVIL)}
    more = {"expected": EVIL, "error": EVIL}
    one = scores_of(texts(folder / "a<b>.jsonl", EVIL, **more), **{n: [0.0] * 6 for n in names})
    two = scores_of(texts(folder / "b.jsonl", EVIL[::-1], **more), **{n: [1.0] * 6 for n in names})
    one, two = (t.with_columns(task_id=pl.Series(EVIL), kind=pl.Series(EVIL)) for t in (one, two))
    reasons = {f"{name}_reason": pl.Series(EVIL) for name in names}
    gates = Judgement([Judged(EVIL[0], EVIL[1], False, EVIL[2])], "failed")
    counts = {"lines": 6, "rows": 6, "passed_over": EVIL}
    found = look_at_run(
        one.with_columns(**reasons),
        by=["kind"],
        counts=counts,
        suite="\n".join(EVIL),
        judgement=gates,
    )
    change = look_at_comparison(two, one, compare(two, one, by="kind", resamples=0))
    return {"run": run_page(found), "comparison": comparison_page([change], [gates])}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The two runs of the sample traces, their findings and pages."""
    folder = tmp_path_factory.mktemp("sample")
    suite = load_suite(ROOT / "sample_traces" / "suite.toml")
    traces = read_traces(ROOT / "sample_traces" / "support_agent.jsonl")
    keep = ["metadata.tier"]
    scores = score(traces, suite.scorers[:3], keep=keep, reasons=True).collect()
    base, candidate = (scores.filter(run=run) for run in ("baseline", "candidate"))
    comparison = compare(base, candidate, by=keep, resamples=200)
    change = look_at_comparison(base, candidate, comparison)
    found = look_at_run(scores.drop("run"), by=keep)
    pages = {"run": run_page(found), "comparison": comparison_page([change])}
    for name, page in pages.items():
        write_text(folder / f"{name}.html", page)
    again = comparison_page([look_at_comparison(base, candidate, comparison)])
    return {
        "found": found,
        "comparison": comparison,
        "pages": pages,
        "again": again,
        "folder": folder,
    }


@pytest.mark.parametrize("name", ["run", "comparison"])
def test_a_page_is_well_formed_and_whole(name: str, sample: dict[str, Any]) -> None:
    page = sample["pages"][name]
    tree = parsed(page)
    for element in tree.iter():
        for key in ("src", "href", "action", "data", "poster", "srcset"):
            assert re.match(r"#|data:,$", element.get(key, "#")), element.attrib
    assert "url(" not in page
    assert "@import" not in page
    (policy,) = [m for m in all_of(tree, "meta") if m.get("http-equiv")]
    assert policy.get("content", "").startswith("default-src 'none'")
    assert page == (sample["folder"] / f"{name}.html").read_text("utf-8")


def test_the_same_scores_give_the_same_bytes(sample: dict[str, Any]) -> None:
    assert sample["again"] == sample["pages"]["comparison"]


@pytest.mark.parametrize("name", ["run", "comparison"])
def test_everybody_can_read_it(name: str, sample: dict[str, Any]) -> None:
    """Captions, heads that say what they are heads of, words for every drawing, one id a thing."""
    tree = parsed(sample["pages"][name])
    assert all_of(tree, "html")[0].get("lang") == "en"
    for table in all_of(tree, "table"):
        assert text_of(all_of(table, "caption")[0])
        assert all(cell.get("scope") in ("col", "row") for cell in all_of(table, "th"))
    parents = {child: parent for parent in tree.iter() for child in parent}
    for drawing in tree.iter(f"{SVG}svg"):
        holder = drawing if drawing.get("role") == "img" else parents[drawing]
        assert holder.get("role") == "img"
        assert holder.get("aria-label")
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    links = [a.get("href") for a in all_of(tree, "a")]
    assert {f"#{name}" for name in ids} >= set(links)
    levels = [int(e.tag[-1]) for e in tree.iter() if re.fullmatch(HTML + "h[1-6]", str(e.tag))]
    assert levels[0] == 1
    assert levels.count(1) == 1


def test_colours_differ_enough(sample: dict[str, Any]) -> None:
    themes = list(colors(sample["pages"]["run"]))
    assert len(themes) == 3  # light, dark, printed
    for theme in themes:
        for back in ("page", "panel"):
            for front in ("text", "soft", "accent", "good", "bad", "unsure"):
                assert contrast(theme[front], theme[back]) >= 4.5, (front, back)
        for tone in ("good", "bad", "unsure"):
            assert contrast(theme[tone], theme[f"{tone}-back"]) >= 4.5, tone
        for back in ("gone", "new", "plain-back"):
            assert contrast(theme["text"], theme[back]) >= 4.5, back
        for front in ("base", "candidate", "run"):
            assert contrast(theme[front], theme["page"]) >= 2.9, front


def cells(rendered: str) -> list[list[str]]:
    """The cells of the first table in a text."""
    part = next(part for part in rendered.split("\n\n") if part.startswith("scorer"))
    heads, _, *rows = part.splitlines()
    return [re.split(r"\s{2,}", row.strip()) for row in (heads, *rows)]


def test_numbers_of_a_run_are_those_of_the_table(sample: dict[str, Any]) -> None:
    found = sample["found"]
    shown = tables(parsed(sample["pages"]["run"]))
    (_, *rows) = next(rows for caption, rows in shown.items() if caption.startswith("The mean"))
    _, *told = cells(render(found.scorers))
    assert [[row[1], *row[4:]] for row in rows] == [row[1:] for row in told]
    ends = found.scorers.select("ci_low", "ci_high").rows()
    assert [row[2] for row in rows] == [f"{low:.3f} to {high:.3f}" for low, high in ends]
    slices = next(rows for caption, rows in shown.items() if caption.startswith("Means of each"))
    assert [[row[0], row[1], row[2]] for row in slices[1:]] == [
        [value, scorer, f"{mean:.3f}"]
        for value, scorer, mean in found.slices.select("value", "scorer", "mean").rows()
    ]


def test_numbers_of_a_comparison_are_those_of_the_tables(sample: dict[str, Any]) -> None:
    shown = tables(parsed(sample["pages"]["comparison"]))
    rendered = render_comparison(sample["comparison"])
    (_, *rows) = next(rows for caption, rows in shown.items() if "pairs:" in caption)
    _, *told = cells(rendered)
    for row, (scorer, pairs, base, candidate, change, ends, *counts, verdict) in zip(
        rows, told, strict=True
    ):
        assert row == [scorer, verdict, f"{change} ({ends})", base, candidate, pairs, *counts]
    tests = next(
        part for part in rendered.split("\n\n") if part.startswith("scorer     ") and "BH" in part
    )
    (_, *rows) = next(rows for caption, rows in shown.items() if caption.startswith("Tests"))
    assert rows == [re.split(r"\s{2,}", line.strip()) for line in tests.splitlines()[2:]]
    slices = next(rows for caption, rows in shown.items() if caption.startswith("Each slice"))
    assert len(slices) - 1 == sample["comparison"].slices.height


@pytest.mark.parametrize("name", ["run", "comparison"])
def test_malice_is_shown_and_does_nothing(name: str, evil: dict[str, str]) -> None:
    tree = parsed(evil[name])
    for tag in FORBIDDEN:
        assert not all_of(tree, tag), tag
    for element in tree.iter():
        assert not [key for key in element.attrib if key.lower().startswith("on")]
        assert not element.get("href", "#").startswith("javascript")
    text = "".join(tree.itertext())
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]", text)
    assert "a\\x00b\\x1b[31m\\x7f\\x85\\u202eevil\\u2066\\ufeff\\u2028" in text
    for each in EVIL[:4]:
        assert each in text


def test_nothing_scored_and_nothing_to_tell() -> None:
    nothing = pl.DataFrame(
        {"trace_id": ["a", "b"], "idle": [None, None], "right": [1.0, None]},
        schema_overrides={"idle": pl.Float64},
    )
    shown = parsed(run_page(look_at_run(nothing)))
    assert "no trace has what 'idle' needs" in text_of(shown)
    assert "No trace scored below 1.0." in text_of(shown)
    assert "nothing was scored" in "".join(str(e.get("aria-label")) for e in shown.iter())
    for frame in (nothing, nothing.clear()):
        parsed(run_page(look_at_run(frame)))
    change = look_at_comparison(nothing, nothing, compare(nothing, nothing))
    page = parsed(comparison_page([change]))
    assert "No score of any pair fell." in text_of(page)
    assert "NaN" not in text_of(page)
    assert "None" not in text_of(page)


def test_the_report_prints_its_tables_too(tmp_path: Path, run: Command) -> None:
    frame = pl.DataFrame({"trace_id": list("abc"), "city": ["Bern", "Bern", "Lyon"]})
    scores, page = str(tmp_path / "s.parquet"), str(tmp_path / "p.html")
    frame.with_columns(right=pl.Series([1.0, 0.0, 1.0])).write_parquet(scores)
    report = ["report", scores, "--by", "city", "-o", page, "--min-size", "2"]
    assert run(*report).out == f"report: {page}\n"
    for form in ("text", "markdown", "json"):
        found = look_at_run(scores, by=["city"], min_size=2)
        printed = run(*report, "--format", form)
        assert printed.out.startswith(render_run(found, form))  # type: ignore[arg-type]
        assert (printed.err == "") == (form == "text")
    assert "is not given" in run("report", scores, "--min-size", "2", "-o", page).err


def test_a_thousand_slices_are_cut_and_told() -> None:
    ids = [f"t{n}" for n in range(2_000)]
    frame = pl.DataFrame({"trace_id": ids, "part": [i[:-1] for i in ids]}).with_columns(
        part=pl.format("p{}", pl.int_range(2_000) % 1_000),
        right=(pl.int_range(2_000) % 7 > 0).cast(pl.Float64),
    )
    page = run_page(look_at_run(frame, by=["part"]))
    assert "The 500 lowest of the 1,000 means" in page
    assert page.count('<th role="rowheader"') == 1 + 500 + 20 * 1  # scorers, slices, worst traces
    other = frame.with_columns(right=pl.lit(1.0))
    change = look_at_comparison(other, frame, compare(other, frame, by="part", resamples=0))
    page = comparison_page([change])
    assert "The 500 of 1,000 comparisons that fell most" in page
    assert page.count('<th role="rowheader"') == 1 + 500 + 20 * 1
    assert len(page) < 1_500_000


def test_texts_are_bounded_and_told(tmp_path: Path) -> None:
    dump = texts(tmp_path / "t.jsonl", ["x" * 50_000] * 60)
    found = look_at_run(scores_of(dump, right=[0.0] * 60))
    page = run_page(found)
    assert len(page) < 400_000
    tree = parsed(page)
    assert "20 traces of the 60 with a score below 1.0" in text_of(tree)
    assert text_of(tree).count(f"… and {50_000 - LONGEST:,} more characters") == 20


def test_texts_that_are_gone_are_told(tmp_path: Path) -> None:
    dump = texts(tmp_path / "t.jsonl", ["one", "two"])
    scores = scores_of(dump, right=[0.0, 0.5])
    assert "question 1" in run_page(look_at_run(scores))
    lines = dump.read_text().splitlines()
    dump.write_text("\n".join([lines[1], lines[0], ""]))
    moved = look_at_run(scores)
    (note,) = moved.worst.notes
    assert note.startswith("texts are not shown: a report reads 'input', which the scores of")
    assert "2 of 2 are not where they were" in note
    assert not look_at_run(scores, traces=read_traces(dump)).worst.notes
    dump.write_bytes(b"\x1f\x8b\x08 no gzip")
    assert "texts are not shown: " in look_at_run(scores).worst.notes[0]
    dump.unlink()
    assert "'input', which" in look_at_run(scores).worst.notes[0]
    assert "'input'" in look_at_run(scores.drop("source")).worst.notes[0]
    assert "not to be had" in run_page(moved)
    kept = scores.drop("source").with_columns(input=pl.Series(["why?", "who?"]))
    assert "why?" in run_page(look_at_run(kept))


def test_regressions_come_with_both_texts(tmp_path: Path) -> None:
    one = scores_of(texts(tmp_path / "a.jsonl", ["It is Rome.", "same"]), right=[1.0, 1.0])
    two = scores_of(texts(tmp_path / "b.jsonl", ["It is Paris.", "same"]), right=[0.0, 1.0])
    change = look_at_comparison(one, two, compare(one, two, key="task_id"))
    assert change.worst.total == 1
    row = change.worst.frame.row(0, named=True)
    assert row["key"] == "task_id 'k0'"
    assert (row["base_output"], row["candidate_output"]) == ("It is Rome.", "It is Paris.")
    assert row["text:input"] == "question 0"
    tree = parsed(comparison_page([change]))
    assert [text_of(e) for e in all_of(tree, "del")] == ["Rome"]
    assert [text_of(e) for e in all_of(tree, "ins")] == ["Paris"]


def test_several_candidates_share_a_page() -> None:
    base = pl.DataFrame({"trace_id": list("abcdefgh"), "right": [1.0] * 8})
    worse = base.with_columns(right=pl.lit(0.0))
    found: list[Comparison] = compare_many(base, [worse, base], resamples=0)
    changes = [
        look_at_comparison(base, other, one)
        for other, one in zip([worse, base], found, strict=True)
    ]
    shown = text_of(parsed(comparison_page(changes)))
    assert "base → 2 candidates" in shown
    assert "2. candidate 2" in shown


def test_a_page_without_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'batcheval\[report\]'"):
        environment.require_packages()


def test_a_page_replaces_a_file_whole_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_text(tmp_path / "p.html", "one")
    with pytest.raises(UnwritablePathError):
        write_text(tmp_path, "two")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(Exception, match="full"):
        write_text(tmp_path / "p.html", "two")
    assert [path.name for path in tmp_path.iterdir()] == ["p.html"]
    assert (tmp_path / "p.html").read_text() == "one"


@given(st.text(alphabet="ab 天.\n", max_size=30), st.text(alphabet="ab 天.\n", max_size=30))
def test_marks_keep_the_texts(left: str, right: str) -> None:
    ours, theirs = marked(left, right)
    assert "".join(piece.text for piece in ours) == left
    assert "".join(piece.text for piece in theirs) == right
    if left == right:
        assert not any(piece.differs for piece in (*ours, *theirs))
    kept = [
        "".join("".join(piece.text for piece in side if not piece.differs).split())
        for side in (ours, theirs)  # the spaces between words that differ are marked too
    ]
    assert kept[0] == kept[1]


@given(st.text())
def test_visible_texts_have_no_control_characters(text: str) -> None:
    shown = visible(text)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u2028\u2029\x00-\x08\x0b-\x1f]", shown)
    shown.encode("utf-8")
    if text.isprintable():
        assert shown == text


def test_slices_that_were_judged_and_found_are_told() -> None:
    ids = [f"t{n}" for n in range(400)]
    base = pl.DataFrame({"trace_id": ids, "city": ["Lyon", "<Bern>"] * 200, "right": [1.0] * 400})
    other = base.with_columns(right=(pl.col("city") == "Lyon").cast(pl.Float64))
    found = replace(
        compare(base, other, resamples=0), found=find_slices(base, other, columns=["city"])
    )
    gate = Gate(min=0.9, by=("city",))
    judgement = judged_run(open_run(other, "candidate"), {"right": gate})
    change = look_at_comparison(base, other, found)
    page = parsed(comparison_page([change], [judgement]))
    (_, row) = tables(page)["The slices with a regression"]
    assert (row[:3], row[5]) == (["city = <Bern>", "right", "200"], "-1.000")
    gates = tables(page)["What the suite asks, and what was found"]
    assert [row[1:3] for row in gates[2:]] == [
        ["min, city = <Bern>", "missed"],
        ["min, city = Lyon", "passed"],
    ]
    text = render_comparison(found, "markdown", judgement)
    assert "**Verdict: scored** (0 of 2 gates reached)" in text
    assert "### slices found" in text
    assert r"| city = \<Bern\> | right | 200 |" in text
    xml = comparison_junit([change], [judgement])
    assert 'name="gate min, city = &lt;Bern&gt;"' in xml
    run = look_at_run(other, judgement=judgement)
    assert "min, city = &lt;Bern&gt;" in re.sub("</?bdi>", "", run_page(run))
    assert look_at_run(other.drop("city")).judgement.verdict is None


def test_many_gates_are_cut_and_told() -> None:
    gates = [Judged("right", "min", n > 0, "mean", "part", f"p{n % 700}") for n in range(700)][::-1]
    scores = pl.DataFrame({"trace_id": ["a"], "right": [1.0]})
    page = run_page(look_at_run(scores, judgement=Judgement(gates, "scored")))
    shown = tables(parsed(page))
    caption = "500 of the 700 answers to what the suite asks, the missed first"
    assert len(shown[caption]) == 501
    assert shown[caption][1][1:3] == ["min, part = p0", "missed"]
