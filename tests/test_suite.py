"""Suite files: what they give, and the one line that each mistake in them gets."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from batcheval.errors import BatchevalError, DuplicateIdError, UnknownArgumentError
from batcheval.scorer import Scorer
from batcheval.suite import Gate, load_suite, make_scorer, read_suite
from batcheval.suite.source import parse

Write = Callable[[str, str | bytes], Path]

INCLUDES = '[scorers.includes]\nexpected = "x"\n'


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into the working folder; modules from there are forgotten at the end."""
    monkeypatch.chdir(tmp_path)

    def make(name: str, content: str | bytes) -> Path:
        path = Path(name)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def same(left: Scorer, right: Scorer) -> bool:
    return left.id == right.id and left.score.meta.eq(right.score)


def test_a_suite_in_full(write: Write) -> None:
    path = write(
        "weather.toml",
        """
        description = "sun and rain"
        [scorers.sunny]
        check = "includes"
        expected = "sunny"
        ignore_case = false
        [scorers.as_expected]
        check = "includes"
        expected = { column = "expected" }
        on = "input"
        [scorers.includes]
        expected = { column = "metadata.city" }
        [gates.sunny]
        every = true
        [gates.includes]
        min = 0.5
        max = 1
        min_scored = 0.9
        max_regression = 0.02
        """,
    )
    suite = load_suite(path)
    assert (suite.name, suite.description) == ("weather", "sun and rain")
    assert suite.text == path.read_text()
    wanted = [
        make_scorer("includes", ["sunny"], {"ignore_case": False}).named("sunny"),
        make_scorer("includes", [pl.col("expected")], {"on": pl.col("input")}).named("as_expected"),
        make_scorer("includes", [pl.col("metadata.city")]),
    ]
    assert all(same(*pair) for pair in zip(suite.scorers, wanted, strict=True))
    assert suite.scorers[2].columns == {"output", "metadata.city"}
    assert suite.gates == {"sunny": Gate(every=True), "includes": Gate(False, 0.5, 1, 0.9, 0.02)}


TOML = 'name = "n"\n[scorers.a]\ncheck = "includes"\nexpected = "x"\n[gates.a]\nmin_scored = 3\n'
JSON = (
    '{"name": "n", "scorers": {"a": {"check": "includes", "expected": "x"}},'
    ' "gates": {"a": {"min_scored": 3}}}'
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.toml", TOML),
        ("s.json", JSON),
        ("s.toml", "\n" + JSON),
        ("no_ending", TOML),
        ("no_ending", JSON),
        ("s.toml", b"\xef\xbb\xbf" + TOML.encode()),
        ("s.json", b"\xef\xbb\xbf" + JSON.encode()),
        ("s.toml", TOML.replace("\n", "\r\n")),
    ],
)
def test_toml_and_json_say_the_same(write: Write, name: str, content: str | bytes) -> None:
    suite = load_suite(str(write(name, content)))
    assert suite.name == "n"
    assert [scorer.description for scorer in suite.scorers] == ["includes('x')"]
    assert suite.gates == {"a": Gate(min_scored=3)}


MODULE = """
import polars as pl
from batcheval.scorer import Scorer, Verdict, check, passed

short = Scorer("short", "under 9 characters", (pl.col("output").str.len_chars() < 9))

@check
def polite(word: str = "please") -> Verdict:
    return passed(pl.col("output").str.contains(word, literal=True))

def plain(*, on: pl.Expr = pl.col("output")) -> Verdict:
    return passed(on == "")

class Room:
    @staticmethod
    def inside(**keys: str):
        return plain()

number = 5
def gives_number():
    return 5
"""


@pytest.mark.parametrize(
    ("keys", "description"),
    [
        ('check = "own:polite"', "polite()"),
        ('check = "own:polite"\nword = "ta"', "polite('ta')"),
        ('check = "own:plain"\non = "input"', 'plain(on=col("input"))'),
        ('check = "own:Room.inside"\nany = "thing"', "inside(any='thing')"),
        ('check = "own:short"', "under 9 characters"),
    ],
)
def test_own_functions_beside_the_suite(write: Write, keys: str, description: str) -> None:
    write("own.py", MODULE)
    (scorer,) = load_suite(write("s.toml", f"[scorers.mine]\n{keys}")).scorers
    assert (scorer.id, scorer.description) == ("mine", description)


def scorer(keys: str, scorer_id: str = "x", check: str = "includes") -> str:
    return f'[scorers.{scorer_id}]\ncheck = "{check}"\n{keys}\n'


def gate(keys: str, scorer_id: str = "includes") -> str:
    return f"{INCLUDES}[gates.{scorer_id}]\n{keys}\n"


MISTAKES: list[tuple[str, str]] = [
    # the file
    ("", "the suite has no scorers; it needs a table such as [scorers.includes]"),
    ("[scorer.x]", "a suite has no key 'scorer'; did you mean 'scorers'?"),
    (
        "zzz = 1",
        "a suite has no key 'zzz'; it takes 'name', 'description', 'scorers', 'gates'",
    ),
    ("scorers = 1", "'scorers' must be a table, not 1"),
    ("[[scorers]]\nx = 1", "'scorers' must be a table, not a list"),
    ("[scorers]\nx = 1", "scorer 'x': a scorer must be a table, not 1"),
    ("name = 1\n" + INCLUDES, "'name' must be a text, not 1"),
    ("description = []\n" + INCLUDES, "'description' must be a text, not a list"),
    (
        INCLUDES + "[scorers.includes]",
        "line 3, column 18: the table [scorers.includes] stands twice",
    ),
    (scorer("expected = 1\nexpected = 2"), "line 4, column 13: this key stands twice"),
    # the check
    (
        scorer("", check="include"),
        "scorer 'x': no check is called 'include'; did you mean 'includes'?"
        " (batcheval checks lists them all)",
    ),
    ("[scorers.x]\ncheck = 5", "scorer 'x': 'check' must be a text, not 5"),
    (scorer("", check=""), "scorer 'x': 'check' must be a text, not ''"),
    (
        scorer('expectd = "x"'),
        "scorer 'x': 'includes' takes no argument 'expectd'; did you mean 'expected'?",
    ),
    (scorer(""), "scorer 'x': 'includes' needs the argument 'expected'"),
    # its arguments
    (
        scorer("expected = 42"),
        "scorer 'x': 'expected' must be a text or a column, not 42",
    ),
    (
        scorer('expected = "a"\nignore_case = "no"'),
        "scorer 'x': 'ignore_case' must be true or false, not 'no'",
    ),
    (scorer('expected = "a"\non = 1'), "scorer 'x': 'on' must be a column, not 1"),
    (scorer('expected = "a"\non = ""'), "scorer 'x': '' is no column's name"),
    (scorer("expected = { column = 1 }"), "scorer 'x': 1 is no column's name"),
    (
        scorer('expected = { column = "*" }'),
        "scorer 'x': '*' would be several columns, not one",
    ),
    (
        scorer('expected = { column = "a", else = "b" }'),
        "scorer 'x': a table with 'column' stands for that column and has no other key;"
        " here 'else'",
    ),
    (
        scorer('tool_name = "a"\ntimes = { column = "n" }', check="called_tool"),
        "scorer 'x': 'times' must be a whole number, not 'col(\"n\")'",
    ),
    (
        scorer('expected_order = "search"', check="tool_order"),
        "scorer 'x': 'expected_order' must be a list of texts or a column, not 'search'",
    ),
    (
        scorer('expected_order = ["a", { column = "b" }]', check="tool_order"),
        "scorer 'x': 'expected_order' must be a list of texts or a column, not ['a', 'col(\"b\")']",
    ),
    (
        scorer('tool_name = "a"\ntimes = true', check="called_tool"),
        "scorer 'x': 'times' must be a whole number, not True",
    ),
    # functions of one's own
    (
        scorer("", check="nowhere:polite"),
        "scorer 'x': the module 'nowhere' cannot be imported:"
        " ModuleNotFoundError: No module named 'nowhere'",
    ),
    (
        scorer("", check="broken:polite"),
        "scorer 'x': the module 'broken' cannot be imported: ZeroDivisionError: division by zero",
    ),
    (
        scorer("", check="a b:polite"),
        "scorer 'x': the module 'a b' cannot be imported: that is no module's name",
    ),
    (
        scorer("", check="own:polit"),
        "scorer 'x': the module 'own' has no function 'polit'; did you mean 'polite'?",
    ),
    (
        scorer("", check="own:number"),
        "scorer 'x': 'own:number' is no check: it is 5; a check gives a Verdict or a Scorer",
    ),
    (
        scorer("", check="own:gives_number"),
        "scorer 'x': 'own:gives_number' is no check: it gives a int;"
        " a check gives a Verdict or a Scorer",
    ),
    (
        scorer("a = 1", check="own:short"),
        "scorer 'x': 'own:short' takes no argument 'a'; it takes none",
    ),
    # ids
    (scorer('expected = "a"', '""'), "the scorer id '' is blank"),
    (
        scorer('expected = "a"', r'"a\nb"'),
        "the scorer id 'a\\nb' cannot head a column",
    ),
    (
        scorer('expected = "a"', "output"),
        "the scorer id 'output' is taken by a column of the traces; give it another id",
    ),
    (
        scorer('expected = "a"', "run"),
        "the scorer id 'run' is taken by a column of the traces; give it another id",
    ),
    (
        scorer('expected = "a"') + scorer('expected = "a"', "x_details"),
        "the scorer id 'x_details' is taken by the details of scorer 'x'; give it another id",
    ),
    (
        scorer('expected = "a"', "x_reason") + scorer('expected = "a"'),
        "the scorer id 'x' is taken by scorer 'x_reason', whose name its reason would have;"
        " give it another id",
    ),
    # gates
    (INCLUDES + "[gates]\nincludes = 1", "gate 'includes': a gate must be a table, not 1"),
    ("gates = 1\n" + INCLUDES, "'gates' must be a table, not 1"),
    (
        gate("every = true", "include"),
        "gate 'include': the suite has no scorer 'include' for the gate to judge;"
        " did you mean 'includes'?",
    ),
    (gate("mim = 1"), "gate 'includes': a gate has no key 'mim'; did you mean 'min'?"),
    (
        gate(""),
        "gate 'includes': it asks for nothing; give it one of"
        " 'every', 'min', 'max', 'min_scored', 'max_regression'",
    ),
    (gate('every = "yes"'), "gate 'includes': 'every' must be true or false, not 'yes'"),
    (gate("min = 80"), "gate 'includes': 'min' must be a number in 0..1, not 80"),
    (gate("min = nan"), "gate 'includes': 'min' must be a number in 0..1, not nan"),
    (gate("max = true"), "gate 'includes': 'max' must be a number in 0..1, not True"),
    (
        gate("min = 0.9\nmax = 0.1"),
        "gate 'includes': 'min' must be at most 'max', which is 0.1, not 0.9",
    ),
    (
        gate("min_scored = 0"),
        "gate 'includes': 'min_scored' must be 1 or more, or a share such as 0.95, not 0",
    ),
    (
        gate('by = "model"'),
        "gate 'includes': it asks for nothing; give it one of 'every', 'min', 'max', 'min_scored',"
        " 'max_regression'",
    ),
    (
        gate("min = 1\nmin_slice = 2"),
        "gate 'includes': a gate has no key 'min_slice'; did you mean 'min_slice_size'?",
    ),
    (
        gate('min = 1\nby = [""]'),
        "gate 'includes': 'by' must be a column or path, or a list of several, not ['']",
    ),
    (
        gate('min = 1\nby = "model"\nmin_slice_size = 0'),
        "gate 'includes': 'min_slice_size' must be a whole number, 1 or more, not 0",
    ),
    (
        gate("min = 1\nmin_slice_size = 5"),
        "gate 'includes': 'by' must be given where 'min_slice_size' is, not None",
    ),
    (gate("min_scored = 1.5"), "gate 'includes': 'min_scored' must be a number in 0..1, not 1.5"),
]


@pytest.mark.parametrize(("content", "message"), MISTAKES)
def test_one_line_for_a_mistake(write: Write, content: str, message: str) -> None:
    write("own.py", MODULE)
    write("broken.py", "1 / 0")
    with pytest.raises(BatchevalError) as caught:
        load_suite(write("s.toml", content))
    assert str(caught.value) == f"s.toml: {message}"
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("s.json", "", "line 1, column 1: expecting value"),
        ("s.json", "[1]", "the suite must be a table, not a list"),
        ("s.json", "5", "the suite must be a table, not 5"),
        ("s.json", '{"scorers": NaN}', "'NaN' is no JSON"),
        ("s.json", '{"a": 1, "a": 2}', "the key 'a' stands twice in one object"),
        (
            "s",
            '{"scorers": {"a": {"check": "includes"}, "a": {}}}',
            "the key 'a' stands twice in one object",
        ),
        ("s.json", "[" * 100_000, "the tables or lists are nested too deep"),
        ("s.toml", "x = " + "[" * 100_000, "the tables or lists are nested too deep"),
        ("s.toml", b"x = 1\ny = '\xff'", "the suite cannot be read: line 2 is not UTF-8"),
        ("folder", None, "the suite cannot be read: is a directory"),
        ("nowhere", None, "the suite cannot be read: no such file or directory"),
    ],
)
def test_files_that_are_no_suite(
    write: Write, name: str, content: str | bytes | None, message: str
) -> None:
    Path("folder").mkdir()
    path = Path(name) if content is None else write(name, content)
    with pytest.raises(BatchevalError) as caught:
        load_suite(path)
    assert str(caught.value) == f"{name}: {message}"
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a = \n", "line 1, column 5: "),
        ("a = 1\nb = nope\n", "line 2, column 5: "),
        ("a = 1\nb = [1,\n", "line 3, column 1: "),
        ('{\n "a" 1}', "line 2, column 6: "),
    ],
)
def test_broken_text_is_shown_where_it_breaks(text: str, place: str) -> None:
    # The rest of the line is the parser's own and differs between versions of Python.
    with pytest.raises(BatchevalError) as caught:
        parse(text)
    assert str(caught.value).startswith(place)
    assert "\n" not in str(caught.value)


def test_a_mistake_keeps_its_class(write: Write) -> None:
    with pytest.raises(UnknownArgumentError):
        load_suite(write("s.toml", scorer("nothing = 1")))
    with pytest.raises(DuplicateIdError):
        load_suite(write("s.toml", scorer('expected = "a"', "line")))


SEVERAL = """
nam = "x"
description = 5
[scorers.line]
check = "includes"
expected = 5
ignore_case = "no"
onn = "input"
[scorers.b]
check = "all_of"
checks = ['includes("")', 'excludes("fine")', 'mtches("a")', 'matches("a(")']
[scorers.fine]
check = "includes"
expected = "a"
[scorers.c]
check = "word_cont"
[gates.b]
min = 2
max = true
mx = 1
[gates.fine]
min = 0.5
[gates.d]
every = true
"""


def test_all_mistakes_at_once(write: Write) -> None:
    draft = read_suite(write("s.toml", SEVERAL))
    assert [str(mistake) for mistake in draft.mistakes] == [
        "a suite has no key 'nam'; did you mean 'name'?",
        "the scorer id 'line' is taken by a column of the traces; give it another id",
        "scorer 'line': 'includes' takes no argument 'onn'; did you mean 'on'?",
        "scorer 'line': 'expected' must be a text or a column, not 5",
        "scorer 'line': 'ignore_case' must be true or false, not 'no'",
        "scorer 'b': check 'includes(\"\")': 'expected' is empty, so there is nothing to look for",
        "scorer 'b': check 'mtches(\"a\")': no check is called 'mtches'; did you mean 'matches'?"
        " (batcheval checks lists them all)",
        "scorer 'b': check 'matches(\"a(\")': the pattern 'a(' is not a regular expression:"
        " unclosed group at character 2, '('",
        "scorer 'c': no check is called 'word_cont'; did you mean 'word_count'?"
        " (batcheval checks lists them all)",
        "gate 'b': 'min' must be a number in 0..1, not 2",
        "gate 'b': 'max' must be a number in 0..1, not True",
        "gate 'b': a gate has no key 'mx'; did you mean 'max'?",
        "gate 'd': the suite has no scorer 'd' for the gate to judge; it has 'line', 'b', 'fine',"
        " 'c'",
        "'description' must be a text, not 5",
    ]
    assert [one.id for one in draft.suite.scorers] == ["fine"]
    with pytest.raises(BatchevalError) as caught:
        load_suite("s.toml")
    assert str(caught.value) == "s.toml: a suite has no key 'nam'; did you mean 'name'?"
    assert len(caught.value.others) == 13


def test_tables_without_column_and_lists_reach_the_check(write: Write) -> None:
    write("shown.py", "def seen(value): raise RuntimeError(repr(value))")
    keys = 'value = [{ column = "a" }, { step = { column = "b" } }, ["c"]]'
    with pytest.raises(
        BatchevalError, match=r"\[.*col\(\"a\"\).*, {'step': {'column': 'b'}}, \['c'\]\]"
    ):
        load_suite(write("s.toml", scorer(keys, check="shown:seen")))


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        (
            ["a", "b"],
            {},
            "'includes' got too many positional arguments;"
            " it takes 'expected', 'ignore_case', 'casefold', 'normalize', 'on'",
        ),
        (
            ["a"],
            {"expected": "a"},
            "'includes' got multiple values for argument 'expected';"
            " it takes 'expected', 'ignore_case', 'casefold', 'normalize', 'on'",
        ),
    ],
)
def test_calls_that_do_not_fit(args: list[object], kwargs: dict[str, object], message: str) -> None:
    with pytest.raises(BatchevalError) as caught:
        make_scorer("includes", args, kwargs)
    assert str(caught.value) == message
