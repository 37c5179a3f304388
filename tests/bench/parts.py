"""The parts of the table: what is measured in each, and against what."""

from collections.abc import Callable

from comparisons import comparisons
from measure import HERE
from plan import PAIRS, Goal, Measurement, Part, Setting
from read import dumps_of_layouts
from spread import in_parts, over_processes
from suggestions import suggestions

TEN, MORE = str(HERE / "ten.toml"), str(HERE / "more.toml")
SCORERS = str(HERE / "scorers.toml")
REFERENCES = str(HERE / "references.toml")
FIFTY, FEW, VERY_FEW = str(HERE / "fifty.toml"), 20_000, 30
TEXT_CHECKS = ("includes", "excludes", "equals", "matches")
CALL_CHECKS = "called_tool did_not_call tool_order max_tool_calls used_no_tools no_tool_errors"


def ten_checks(s: Setting) -> Part:
    file, n = s.file("parquet"), s.traces
    cli = ("cli", "score", file, "--suite", TEN, "--out", s.out, "--quiet")
    read = ("polars_parquet", file, "both")
    made = {
        "polars reads the columns": Measurement(read, n),
        "polars reads and collects": Measurement(("polars_parquet_collected", file, "both"), n),
        "ten checks, in process": Measurement(
            ("scores", file, s.out, TEN), n, (Goal("cpu", 2.5, "polars reads the columns"),)
        ),
        "polars reads, whole process": Measurement(("whole", *read), n),
        "ten checks, command line": Measurement(
            cli, n, (Goal("cpu", 2.5, "polars reads, whole process"),)
        ),
    }
    return Part("a. ten checks, Parquet to Parquet", made, needs=(file,))


def each_check(s: Setting) -> Part:
    file, n = s.file("parquet"), s.traces
    made = {
        f"polars reads {columns}": Measurement(("polars_parquet", file, columns), n)
        for columns in ("text", "both")
    }

    def add(check: str, suite: str, columns: str) -> None:
        goals = (Goal("cpu", None, f"polars reads {columns}"),)
        made[check] = Measurement(("scores", file, s.out, suite, check), n, goals)

    for check in TEXT_CHECKS:
        add(check, TEN, "text")
    for check in CALL_CHECKS.split():
        add(check, TEN, "both")
    add("matches_any_word", MORE, "text")
    add("includes_column", MORE, "text")
    add("includes_path", MORE, "text")
    add("called_tool_column", MORE, "both")
    add("similarity_literal", MORE, "text")
    return Part("b. each check alone, Parquet to Parquet", made, needs=(file,))


def similarity(s: Setting) -> Part:
    made = {
        f"similarity_{way}": Measurement(
            ("in_memory", s.pairs, MORE, f"similarity_{way}"), PAIRS, (Goal("rows", goal),)
        )
        for way, goal in (("column", 50_000.0), ("literal", 100_000.0))
    }
    return Part("c. similarity, outputs of 200 words in memory", made, needs=(s.pairs,))


def json_lines(s: Setting) -> Part:
    file, n = s.file("jsonl"), s.traces
    goals = tuple(Goal(what, bound, "polars.scan_ndjson") for what, bound in JSON_GOALS)
    made = {
        "polars.scan_ndjson": Measurement(("polars_ndjson", file, "both"), n),
        "read_traces": Measurement(("traces", file, "both"), n, goals),
        "ten checks from JSONL": Measurement(
            ("scores", file, s.out, TEN), n, (Goal("cpu", None, "polars.scan_ndjson"),)
        ),
    }
    return Part("d. JSONL, the same columns", made, needs=(s.file("parquet"),))


JSON_GOALS = (("cpu", 0.7), ("peak", 0.2))


def memory(s: Setting) -> Part:
    made, sizes = {}, (s.traces, s.big)
    for ending in ("parquet", "jsonl"):
        for count in sizes:
            run = ("cli", "score", s.file(ending, count), "--suite", TEN, "--out", s.out, "--quiet")
            larger = (Goal("peak", 1.3, f"{ending}, {s.traces:,}"),) if count == s.big else ()
            made[f"{ending}, {count:,}"] = Measurement(run, count, (Goal("peak", 1000.0), *larger))
    title = "e. memory, ten checks by the command line, polars' own number of threads"
    return Part(title, made, threads=None, needs=tuple(s.file("parquet", n) for n in sizes))


def start(s: Setting) -> Part:
    goals = (Goal("wall", 0.3), Goal("cpu", None))
    made = {"batcheval --version": Measurement(("cli", "--version"), 0, goals)}
    return Part("f. start-up", made, threads=None)


# The original's own rows a second on this dump, and how many times that is asked for.
SCORER_GOALS = {
    "tone": 20 * 2_100.0,
    "tone_to_a_reference": 20 * 2_100.0,
    "content_similarity": 20 * 2_100.0,
    "keyword_coverage": 20 * 1_100.0,
    "textual_difference": 100 * 400.0,
    "completeness": 1_000 * 10.0,
    "tool_call_accuracy": 20 * 2_200.0,
    "trajectory_accuracy": 20 * 2_200.0,
    "trajectory": 20 * 2_200.0,
}


def code_scorers(s: Setting) -> Part:
    file, n = s.file("parquet"), s.traces
    made = {
        name: Measurement(("in_memory", file, SCORERS, name), n, (Goal("rows", goal),))
        for name, goal in SCORER_GOALS.items()
    }
    return Part("g. each code scorer alone, in memory", made, needs=(file,))


# Against another text of 200 words on each row. The edits of so long texts, the many n-grams of
# characters and Python's own parser do not reach the goal; `partial_ratio` grows with the cube.
ON_PAIRS = "levenshtein indel_ratio jaro_winkler token_sort_ratio token_set_ratio"
ON_PAIRS += " quasi_exact_match token_f1 bleu chrf rouge_n rouge_l"
ON_TEXTS = "is_json json_schema json_equal json_similarity json_path is_xml is_html is_yaml"
ON_TEXTS += " is_sql is_python"


def references(s: Setting) -> Part:
    made = {
        name: Measurement(
            ("in_memory", s.pairs, REFERENCES, name), PAIRS, (Goal("rows", 50_000.0),)
        )
        for name in f"{ON_PAIRS} {ON_TEXTS}".split()
    }
    made["partial_ratio"] = Measurement(
        ("in_memory_of_few", s.pairs, REFERENCES, str(VERY_FEW), "partial_ratio"),
        VERY_FEW,
        (Goal("rows"),),
    )
    made["all of JSON together"] = Measurement(
        ("in_memory", s.pairs, REFERENCES, "is_json", "json_schema", "json_equal", "json_path"),
        PAIRS,
        (Goal("cpu", None, "is_json"),),
    )
    return Part("j. against references, and of structure, in memory", made, needs=(s.pairs,))


# Checks of texts and combinations: 50,000 rows a second, but for those that keep more of a text.
TEXTS = "starts_with ends_with includes_all includes_any includes_folded one_of word_count"
TEXTS += " char_count line_count sentence_count number_close is_refusal apologises profanity pii"
TEXTS += " valid_urls truncated markdown all_of any_of none_of weighted"
TEXTS += " when at_least invert sql"
SLOW = "language readability repetition"


def texts(s: Setting) -> Part:
    file, n = s.file("parquet"), s.traces
    goals = {name: (Goal("rows", 50_000.0),) for name in TEXTS.split()}
    goals |= {name: (Goal("rows"),) for name in SLOW.split()}
    made = {
        name: Measurement(("in_memory", file, MORE, name), n, goal) for name, goal in goals.items()
    }
    return Part("k. each check of texts alone, in memory", made, needs=(file,))


# Against expected calls and by names: 1,000,000 rows a second; with arguments 100,000.
BY_NAMES = "tools_exact tools_in_order tools_any_order tool_recall only_tools required_before"
BY_ARGUMENTS = "tool_args tool_loops valid_tool_args tool_recall_args"


def tool_calls(s: Setting) -> Part:
    file, n = s.file("parquet"), s.traces
    goals = {name: (Goal("rows", 1_000_000.0),) for name in BY_NAMES.split()}
    goals |= {name: (Goal("rows", 100_000.0),) for name in BY_ARGUMENTS.split()}
    made = {
        name: Measurement(("in_memory", file, MORE, name), n, goal) for name, goal in goals.items()
    }
    return Part("l. each check of tool calls alone, in memory", made, needs=(file,))


def together(s: Setting) -> Part:
    """Fifty checks in one pass, against each by itself: work in common is done once."""
    file = s.file("parquet", FEW)
    made = {
        "each alone": Measurement(("in_memory_alone", file, FIFTY), FEW),
        "all in one pass": Measurement(
            ("in_memory", file, FIFTY), FEW, (Goal("cpu", 0.8, "each alone"),)
        ),
    }
    return Part("p. fifty checks in one pass, in memory", made, needs=(file,))


# Checks of the way that a run took and of what it used: names and numbers only.
WAYS = "path_matches call_efficiency step_count handoffs sub_agents"
BUDGETS = "tokens_used run_cost latency tool_time"


def ways(s: Setting) -> Part:
    file, n = s.file("parquet"), s.traces
    made = {
        name: Measurement(("in_memory", file, MORE, name), n, (Goal("rows", 1_000_000.0),))
        for name in f"{WAYS} {BUDGETS}".split()
    }
    return Part("m. each check of paths and of budgets alone, in memory", made, needs=(file,))


# What calls were given, and what they gave back.
SAFETY = "no_secrets_in_calls no_personal_data_in_calls no_destructive_commands allowed_domains"
SAFETY += " no_injected_calls writes_within"


def safety(s: Setting) -> Part:
    file, n = s.file("parquet"), s.traces
    made = {
        name: Measurement(("in_memory", file, MORE, name), n, (Goal("rows", 100_000.0),))
        for name in SAFETY.split()
    }
    return Part("n. each check of safety alone, in memory", made, needs=(file,))


PARTS: dict[str, Callable[[Setting], Part]] = {
    "a": ten_checks,
    "b": each_check,
    "c": similarity,
    "d": json_lines,
    "e": memory,
    "f": start,
    "g": code_scorers,
    "h": dumps_of_layouts,
    "i": comparisons,
    "j": references,
    "k": texts,
    "l": tool_calls,
    "p": together,
    "m": ways,
    "n": safety,
    "o": suggestions,
    "q": in_parts,
    "r": over_processes,
}
