"""What is found in suites: in the suite alone, on traces, and by the command."""

import json
from pathlib import Path

import polars as pl
import pytest

from batcheval import load_suite, read_traces, score
from batcheval.linting import Finding, lint
from batcheval.linting.calls import Called, call_of
from batcheval.linting.certain import clash, follows, outcome
from batcheval.schema import canonical
from batcheval.scorer import Scorer
from batcheval.suite import make_scorer, parse_call, read_suite
from batcheval.suite.ready import READY, ready_suite
from tests.command import Command

SAMPLES = Path(__file__).parents[1] / "sample_traces"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


def made(text: str) -> tuple[Called, Scorer]:
    """A call as it is compared, and the scorer that it stands for."""
    call = parse_call(text)
    found = call_of("", {"check": "all_of", "checks": [text]}, "")
    return found.arguments["checks"][0], make_scorer(*call)


PASSES = [
    "word_count(min=0)",
    "tool_order([])",
    'similarity("a", threshold=0)',
    "at_least(tone(), 0)",
    'matches("x*")',
    'matches("a|")',
    'all_of([char_count(min=0), matches("a?")])',
    'any_of([includes("a"), char_count(min=0)])',
    "invert(none_of([line_count(min=0)]))",
    "when(\"output = 'x'\", char_count(min=0))",
]
FAILS = [
    'all_of([includes("oslo"), excludes("slo")])',
    'all_of([called_tool("a"), used_no_tools()])',
    'all_of([called_tool("a", times=2), called_tool("b"), max_tool_calls(1)])',
    "all_of([word_count(min=5), word_count(max=4)])",
    'invert(matches("x*"))',
    "at_least(invert(char_count(min=0)), 0.5)",
    "none_of([char_count(min=0)])",
]
NEITHER = [
    'includes("a")',
    'matches("^x*$")',
    'matches("x*", exact=True)',
    'matches("(?=x)")',
    r'matches("\\b")',
    "max_tool_calls(0)",
    "tone()",
    "word_count(min=1)",
    'similarity("a", threshold=0.1)',
    'all_of([includes("a"), excludes(col("expected"))])',
    # The second part may be unscored, and then it is left out.
    'all_of([includes("a"), equals("b", on="input")])',
    'any_of([includes("a"), char_count(min=0, on="metadata")])',
]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *((text, "passes") for text in PASSES),
        *((text, "fails") for text in FAILS),
        *((text, None) for text in NEITHER),
    ],
)
def test_what_is_certain(text: str, wanted: str | None) -> None:
    call, scorer = made(text)
    assert outcome(call) == wanted
    if wanted:
        scores = TABLE.select(scorer.score).to_series().drop_nulls().to_list()
        assert set(scores) <= {1.0 if wanted == "passes" else 0.0}


def calls(*names: str) -> list[dict[str, str]]:
    return [{"name": name, "state": "ok"} for name in names]


OUTPUTS = ["", "a", "Oslo", "OSLO is fine", '{"a": 1}', "no\nno", "b", "[1]", "the a and b", "x."]
CALLS = [(), ("a",), ("a", "a"), ("a", "b"), ("b", "a", "c"), ("c",), ("b",) * 4, (), (), ("b",)]
TRACES = pl.DataFrame(
    {
        "trace_id": [str(place) for place in range(100)],
        "output": [output for output in OUTPUTS for _ in CALLS],
        "tool_calls": [calls(*names) for _ in OUTPUTS for names in CALLS],
        "input": "b",
        "expected": "a",
        "metadata": "{}",
    }
)

TABLE = canonical(TRACES).collect()

# The second is passed wherever the first is.
FOLLOWS = [
    ('called_tool("a", times=2)', 'called_tool("a")'),
    ('tool_order(["b", "a"])', 'called_tool("a")'),
    ('tool_order(["b", "b"])', 'called_tool("b", times=2)'),
    ("max_tool_calls(1)", "max_tool_calls(3)"),
    ("max_tool_calls(0)", "used_no_tools()"),
    ("used_no_tools()", "max_tool_calls(0)"),
    ("used_no_tools()", 'did_not_call("a")'),
    ('includes("Oslo")', 'includes("slo")'),
    ('includes("Oslo", ignore_case=False)', 'includes("OSL")'),
    ('equals("oslo")', 'includes("os")'),
    ('starts_with("Oslo")', 'includes("oslo")'),
    ('includes_all(["a", "b"])', 'includes("b")'),
    ('excludes("a")', 'excludes("an")'),
    ("word_count(min=2, max=3)", "word_count(min=1)"),
    ('json_equal({"a": 1})', "is_json()"),
    ('json_schema({"type": "object"})', "is_json()"),
    ('similarity("Oslo", threshold=0.9)', 'similarity("Oslo", threshold=0.5)'),
    ('all_of([includes("a"), includes("b")])', 'includes_all(["a"])'),
    ('includes(col("expected"))', 'includes(col("expected"))'),
]
# No trace passes both.
CLASHES = [
    ('called_tool("a")', "max_tool_calls(0)"),
    ('called_tool("a", times=3)', "max_tool_calls(2)"),
    ('called_tool("a")', 'did_not_call("a")'),
    ('tool_order(["a", "c"])', 'did_not_call("c")'),
    ('tool_order(["a", "c"])', "max_tool_calls(1)"),
    ('includes("Oslo")', 'excludes("osl")'),
    ('equals("Oslo")', 'excludes("OS")'),
    ("word_count(max=1)", "word_count(min=2)"),
    ('all_of([includes("a"), char_count(max=1)])', "char_count(min=2)"),
]
# Neither, though they look alike.
APART = [
    ('includes("a")', 'includes("b")'),
    ('includes("a", ignore_case=False)', 'excludes("A", ignore_case=False)'),
    ('includes("A")', 'includes("a", ignore_case=False)'),
    ('includes("a")', 'excludes("a", on="input")'),
    ('includes("a")', 'includes("a", casefold=True)'),
    ('called_tool("a")', "max_tool_calls(1)"),
    ('called_tool(col("expected"))', 'called_tool("a")'),
    ("word_count(min=2)", "char_count(max=1)"),
    ('similarity("Oslo", threshold=0.9)', 'similarity("Rome", threshold=0.5)'),
    ("is_json()", "is_json(fenced=True)"),
    ('all_of([excludes("a"), equals("b", on="input")])', 'equals("a", on="input")'),
]


@pytest.mark.parametrize(("first", "second"), [*FOLLOWS, *CLASHES, *APART])
def test_what_two_checks_have_to_do_with_each_other(first: str, second: str) -> None:
    (one, left), (other, right) = made(first), made(second)
    assert follows(other, one) == ((first, second) in FOLLOWS)
    assert clash(one, other) == clash(other, one) == ((first, second) in CLASHES)
    scores = TABLE.select(x=left.score, y=right.score)
    both = scores.drop_nulls().select(pl.col("x", "y") == 1.0)
    if (first, second) in FOLLOWS:
        assert both.filter(pl.col("x") & ~pl.col("y")).is_empty()
    if (first, second) in CLASHES:
        assert both.filter(pl.col("x") & pl.col("y")).is_empty()


def found_in(folder: Path, content: str, traces: pl.DataFrame | None = None) -> list[Finding]:
    path = folder / "s.toml"
    path.write_text(content)
    return lint(read_suite(path), traces, costs=False).findings


A = '[scorers.a]\ncheck = "includes"\nexpected = "a"\n'


def scorer(keys: str, check: str = "includes", scorer_id: str = "x") -> str:
    return f'[scorers.{scorer_id}]\ncheck = "{check}"\n{keys}\n'


ALONE: list[tuple[str, list[tuple[str, str, str]]]] = [
    (A, []),
    (
        A + scorer('expected = "a"\nignore_case = true'),
        [("warning", "scorer 'x'", "is the same as 'a': includes('a')")],
    ),
    (A + scorer('expected = "a"\non = "input"'), []),
    (
        A + scorer('expected = ["a"]', "includes_all"),
        [("warning", "scorer 'x'", "asks what 'a' asks in other words")],
    ),
    (
        A + scorer('unwanted = "A"', "excludes"),
        [
            (
                "warning",
                "scorer 'x'",
                "no trace passes both it and 'a': excludes('A'), includes('a')",
            )
        ],
    ),
    (
        A
        + scorer('unwanted = "A"', "excludes")
        + "[gates.a]\nevery = true\n[gates.x]\nevery = true",
        [
            (
                "error",
                "scorer 'x'",
                "no trace passes both it and 'a': excludes('A'), includes('a');"
                " yet both gates ask for every trace",
            )
        ],
    ),
    (
        scorer("min = 0", "char_count") + A,
        [("warning", "scorer 'x'", "cannot fail: char_count(min=0) always holds")],
    ),
    (
        scorer('of = "matches(\\"a*\\")"', "invert"),
        [("error", "scorer 'x'", "cannot pass: invert(matches('a*')) never holds")],
    ),
    (
        scorer(r"expected = '\d+ days'"),
        [
            (
                "warning",
                "scorer 'x'",
                r"takes '\\d+ days' as it stands, not as a pattern; `matches` takes patterns",
            )
        ],
    ),
    (scorer('expected = "C++ (a.c) $5.00? [x]"'), []),
    (
        scorer('expected = "expected"')
        + scorer('checks = ["equals(\'metadata.city\')"]', "all_of", "y"),
        [
            (
                "warning",
                "scorer 'x'",
                "takes 'expected' as that text; the column is { column = \"expected\" }",
            ),
            (
                "warning",
                "scorer 'y'",
                "takes 'metadata.city' as that text; the column is { column = \"metadata.city\" }",
            ),
        ],
    ),
    (scorer('reference = "expected"', "tone") + scorer('expected = "cost"', "includes", "y"), []),
    (
        scorer('expected = { column = "expeted" }'),
        [
            (
                "warning",
                "scorer 'x'",
                "reads 'expeted', which is no column of ours; did you mean 'expected'?",
            )
        ],
    ),
    (
        scorer('expected = { column = "gold.a" }') + A + '[gates.a]\nmin = 0.1\nby = "metdata.x"',
        [
            (
                "warning",
                "gate 'a'",
                "reads 'metdata', which is no column of ours; did you mean 'metadata'?",
            ),
            (
                "note",
                "scorer 'x'",
                "reads 'gold', which is no column of ours; the traces must bring it",
            ),
        ],
    ),
    (
        scorer('expected = { column = "metadata[" }'),
        [("error", "scorer 'x'", "the path 'metadata[' cannot be read from '[' on")],
    ),
    (
        scorer("pattern = '(?!a)b'", "matches"),
        [
            (
                "note",
                "scorer 'x'",
                "has a pattern with look-around or back-references, which is searched row by row",
            )
        ],
    ),
    (
        scorer("pattern = '('", "matches"),
        [
            ("error", "scorer 'x'", "the pattern '(' is not a regular expression: unclosed group"
             " at character 1, '('")
        ],
    ),
    (
        A + "[gates.a]\nmin = 0\nmax = 1\nmin_scored = 0.0\nmax_regression = 1.0",
        [
            ("warning", "gate 'a'", "'min = 0' asks for nothing: every mean is at least 0"),
            ("warning", "gate 'a'", "'max = 1' asks for nothing: every mean is at most 1"),
            (
                "warning",
                "gate 'a'",
                "'max_regression = 1' asks for nothing: no mean falls by more than 1",
            ),
            ("warning", "gate 'a'", "'min_scored = 0.0' asks for nothing: a share is never less"),
        ],
    ),
    (
        A + "[gates.a]\nevery = true\nmin = 0.5",
        [("note", "gate 'a'", "'min' adds nothing to 'every'")],
    ),
    ("[gates.a]\nmin = 2\n" + A, [("error", "gate 'a'", "'min' must be a number in 0..1, not 2")]),
    ("x = 1\n" + A, [("error", "", "a suite has no key 'x'; it takes 'name', 'description',"
                      " 'scorers', 'gates'")]),
]  # fmt: skip


@pytest.mark.parametrize(("content", "wanted"), ALONE)
def test_a_suite_by_itself(
    tmp_path: Path, content: str, wanted: list[tuple[str, str, str]]
) -> None:
    assert [tuple(one) for one in found_in(tmp_path, content)] == wanted


ON_TRACES: list[tuple[str, list[tuple[str, str, str]]]] = [
    (A, []),
    (
        scorer('expected = { column = "expeted" }'),
        [
            (
                "error",
                "scorer 'x'",
                "reads 'expeted', which the traces lack; did you mean 'expected'?",
            )
        ],
    ),
    (
        scorer('expected = { column = "metadata.citi" }') + A,
        [
            (
                "warning",
                "scorer 'x'",
                "reads 'metadata.citi', which every trace lacks; did you mean 'city'?",
            )
        ],
    ),
    (
        A + '[gates.a]\nmin = 0.1\nby = ["metadata.tier", "labels.tier"]',
        [
            (
                "warning",
                "gate 'a'",
                "reads 'metadata.tier', which every trace lacks; 'metadata' has 'city'",
            ),
            ("warning", "gate 'a'", "reads 'labels.tier', which every trace lacks"),
        ],
    ),
    (scorer('expected = "z"'), [("warning", "scorer 'x'", "scores 0 on all 100 traces")]),
    (
        scorer("max = 99", "char_count"),
        [("note", "scorer 'x'", "scores 1 on all 100 traces")],
    ),
    (
        scorer("condition = \"output = 'a'\"\nthen = 'includes(\"a\")'", "when"),
        [("note", "scorer 'x'", "scores 1 on all 10 traces that it scores, of 100")],
    ),
    (
        scorer("condition = \"output = 'q'\"\nthen = 'includes(\"a\")'", "when"),
        [("warning", "scorer 'x'", "scores none of 100 traces")],
    ),
    (
        scorer("condition = \"output in ('a', 'b')\"\nthen = 'includes(\"a\")'", "when"),
        [("note", "scorer 'x'", "scores 20 of 100 traces only")],
    ),
    (
        A + scorer("pattern = '(?i)a'", "matches"),
        [("note", "scorer 'x'", "gave the same as 'a' on all 100 traces")],
    ),
    (scorer("sql = 'length(output)'", "sql"), [("error", "scorer 'x'", "gave 4.0, but scores lie"
                                               " in 0..1")]),
    (
        scorer('expected = "Oslo"', "similarity") + "[gates.x]\nevery = true",
        [
            (
                "warning",
                "gate 'x'",
                "'every' asks for 1.0 of a score of degree: 10 of 100 traces lie between 0 and 1;"
                " a threshold, or 'min', asks for less",
            )
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("content", "wanted"), ON_TRACES)
def test_a_suite_on_traces(
    tmp_path: Path, content: str, wanted: list[tuple[str, str, str]]
) -> None:
    traces = TRACES.with_columns(metadata=pl.lit('{"city": "Oslo"}'))
    assert [tuple(one) for one in found_in(tmp_path, content, traces)] == wanted


def test_few_traces_show_little(tmp_path: Path) -> None:
    (note,) = found_in(tmp_path, A, TRACES.head(9))
    assert note.message.startswith("on fewer than 10 traces")


@pytest.mark.parametrize("kind", READY)
def test_ready_suites_are_sound(run: Command, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "suite.toml"
    assert run("init", kind, "-o", path) == (0, f"suite: {path}\n", "")
    assert path.read_text() == ready_suite(kind)
    assert "CHANGE" in ready_suite(kind)
    assert load_suite(path).name == kind
    found = lint(read_suite(path), costs=False).findings
    assert not [one for one in found if one.severity != "note"]


FITTING = {
    "support-agent": SAMPLES / "support_agent.parquet",
    "coding-agent": SAMPLES / "wild" / "claude_code.jsonl",
    "rag": pl.DataFrame(
        {
            "trace_id": [str(place) for place in range(20)],
            "input": "When was the bridge in Prague built?",
            "output": ["Charles Bridge in Prague was begun in 1357."] * 12
            + ["I don't know."] * 5
            + ["Paris has many museums, cafes"] * 3,
            "expected": "1357",
            "context": [["Charles Bridge crosses the Vltava in Prague. It was begun in 1357."]]
            * 20,
        }
    ),
    "json-api": pl.DataFrame(
        {
            "trace_id": [str(place) for place in range(20)],
            "output": ['{"intent": "refund", "confidence": 0.9, "order_id": "FW-48001"}'] * 12
            + ['{"intent": "parcel", "confidence": 0.5, "order_id": "48001"}'] * 5
            + ["Here is the JSON:"] * 3,
            "expected": '{"intent": "refund", "order_id": "FW-48001"}',
            "latency_ms": 900.0,
        }
    ),
}
MEANS = {
    "support-agent": {"right_answer": 0.823, "few_calls": 0.993, "never_deletes": 1, "brief": 1},
    "coding-agent": {"answered": 1, "no_keys": 1, "resolved": None},
    "rag": {"has_the_fact": 0.6, "did_not_give_up": 0.75, "has_passages": 1, "grounded": 0.85},
    "json-api": {"is_json": 0.85, "right_shape": 0.85, "right_document": 0.6, "quick": 1}
    | {"order_id_is_one": 0.706},
}


@pytest.mark.parametrize("kind", READY)
def test_ready_suites_tell_traces_apart(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(ready_suite(kind))
    traces = FITTING[kind]
    table = traces.lazy() if isinstance(traces, pl.DataFrame) else read_traces(traces)
    scorers = load_suite(path).scorers
    scores = score(table, scorers).collect().select(one.id for one in scorers)
    means = {name: scores[name].mean() for name in MEANS[kind]}
    assert means == {
        n: m if m is None else pytest.approx(m, abs=5e-4) for n, m in MEANS[kind].items()
    }


def test_init_lists_and_refuses(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    listed = run("init")
    assert [line.split()[0] for line in listed.out.splitlines()] == sorted(READY)
    assert run("init", "raf").err == "Error: no suite is ready for 'raf'; did you mean 'rag'?\n"
    Path("suite.toml").write_text("mine")
    refused = run("init", "rag")
    assert (refused.code, Path("suite.toml").read_text()) == (2, "mine")
    assert refused.err == (
        "Error: 'suite.toml' is there already: give --overwrite, or another name with --out\n"
    )
    assert run("init", "rag", "--overwrite").code == 0
    assert Path("suite.toml").read_text() == ready_suite("rag")
    assert run("init", "rag", "-o", "no/s.toml").code == 2


def test_the_command(run: Command, tmp_path: Path) -> None:
    suite, traces = tmp_path / "s.toml", tmp_path / "t.parquet"
    TRACES.write_parquet(traces)
    suite.write_text(A + scorer('expected = { column = "expeted" }') + scorer("", "sql", "y"))
    failed = run("check-suite", suite, traces, "--limit", "50")
    assert failed.code == 2
    assert failed.out.startswith(
        "suite 's', tried on 50 traces\n\nerror    scorer 'y': 'sql' needs"
    )
    assert "error    scorer 'x': reads 'expeted'" in failed.out
    assert "2 errors\n\nscorer   reads      by  rows a second\n" in failed.out
    suite.write_text(A + scorer("reference = 'fine'", "tone"))
    fine = run("check-suite", suite, "--format", "json")
    told = json.loads(fine.out)
    assert (fine.code, told["findings"], told["traces"]) == (0, [], None)
    costs = {cost["scorer"]: (cost["way"], cost["columns"]) for cost in told["costs"]}
    assert costs == {"a": ("expression", ["output"]), "x": ("kernel", ["output"])}
    assert told["together"]["rows_per_second"] > 0
    marked = run("check-suite", suite, "--format", "markdown", "--no-costs")
    assert marked.out == "### suite 's'\n\n- nothing found\n"
    assert run("check-suite", tmp_path / "none.toml").code == 2
    assert run("check-suite", suite, tmp_path / "none.jsonl").code == 2


def test_checks_of_ones_own_are_left_alone(tmp_path: Path) -> None:
    tmp_path.joinpath("own_lint.py").write_text(
        "import polars as pl\nfrom batcheval import Verdict, check, passed\n"
        "@check\ndef ours(expected: str) -> Verdict:\n"
        "    return passed(pl.col('output') == expected)\n"
    )
    twice = 'check = "own_lint:ours"\nexpected = "a.*"\n'
    found = found_in(tmp_path, f"[scorers.a]\n{twice}[scorers.b]\n{twice}")
    assert [tuple(one) for one in found] == [
        ("warning", "scorer 'b'", "is the same as 'a': ours('a.*')")
    ]
