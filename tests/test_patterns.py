"""Regex search: two engines that agree, patterns judged before any scan, rows with a time limit."""

import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Literal

import polars as pl
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval.checks.regexes import is_linear, search
from batcheval.checks.regexes.classes import cased, character_class
from batcheval.errors import BadPatternError

ODD = "aAkKsSiIßẞſ\u212aİıσςΣéx-_1 \n\r\t\x1c\x85\u2028\xa0٣\u0301\u200d.#]"
NEWER = "\U0002ebf0\ua7ce"  # a letter of Unicode 15.1 and one of 17, which not every table has


def found(pattern: str, texts: Sequence[str | None], *, exact: bool = False) -> list[bool | None]:
    frame = pl.DataFrame({"text": texts}, schema={"text": pl.String})
    return frame.select(search(pl.col("text"), pattern, exact=exact)).to_series().to_list()


def slow(pattern: str) -> str:
    """The same pattern, for the other engine."""
    flags = re.match(r"^(?:\(\?[a-zA-Z]+\))*", pattern)
    lead = flags[0] if flags else ""
    return f"{lead}(?=){pattern[len(lead) :]}"


CASES: list[tuple[str, list[str], list[str]]] = [  # pattern, texts with it, texts without
    ("b", ["abc"], ["", "aBc"]),
    ("^b$", ["b"], ["b\n", "\nb", "a\nb"]),
    ("(?m)^b$", ["b", "b\n", "a\nb\nc"], ["b\r", "b\u2028", "ab"]),
    ("(?Rm)^b$", ["b\r\n", "a\rb", "b\r"], ["ab", "b\u2028"]),
    (r"\Ab\z", ["b"], ["b\n", "a\nb"]),
    ("a.b", ["a\rb", "a\x85b", "a\u2028b", "a\x1cb"], ["a\nb", "ab"]),
    ("(?s)a.b", ["a\nb"], ["ab"]),
    ("(?R)a.b", ["axb"], ["a\rb", "a\nb"]),
    (r"^\s$", [" ", "\n", "\x85", "\xa0", "\u2028"], ["\x1c", "\x1f", "\u200b", "_"]),
    (r"^\S$", ["\x1c", "a"], ["\x85", " "]),
    (r"^\d$", ["1", "٣", "𝟘"], ["a", "²", "½"]),
    (r"^\w$", ["a", "_", "é", "٣", "\u0301", "\u200d", "Ⓐ", "\U0002ebf0"], ["²", "-", "—"]),
    (r"^\W$", ["²", "-", "\n"], ["\u0301", "é"]),
    (r"^[^\W\d]$", ["a", "_", "é"], ["1", "-", "٣"]),
    (r"^[\w&&[^aeiou]]$", ["b"], ["a", "-"]),
    ("^[a-z--[k-s]]$", ["a"], ["k"]),
    ("^[]a]$", ["]", "a"], ["b"]),
    ("^[[:alpha:]]$", ["a"], ["é", ":"]),
    (r"^\p{Lu}\pL$", ["Éa"], ["éa", "É1"]),
    (r"\bcafé\b", ["un café!"], ["cafés", "café\u0301"]),
    (r"\Bb\B", ["abc"], ["b", "a b"]),
    (r"\b{start}b|\>c", ["b"], ["ab", "c"]),
    (r"(?-u)^\w$", ["a"], ["é"]),
    ("(?i)^ß$", ["ß", "ẞ"], ["ss", "SS"]),
    ("(?i)^ss$", ["sS", "ſs"], ["ß", "ẞ"]),
    ("(?i)^k$", ["k", "K", "\u212a"], ["c"]),
    ("(?i)^[j-l]$", ["K", "\u212a"], ["m"]),
    ("(?i)^i$", ["i", "I"], ["ı", "İ"]),
    ("(?i)^σ$", ["σ", "ς", "Σ"], ["s"]),
    (r"(?i)^\x{212a}\u017f$", ["ks", "KS"], ["k", "k5"]),
    ("^a(?i)b$", ["ab", "aB"], ["AB"]),
    ("^a(?:(?i)b)c$", ["aBc"], ["aBC"]),
    ("^(?i:a|(?-i)b|c)$", ["A", "b", "c"], ["B", "C"]),
    ("^(?i-s:a.)$", ["AB"], ["A\n"]),
    ("(?x) a b # c )\n | [ x # ] \n y]\\ z", ["ab", "x z", "y z"], ["a b", "xz", "# z"]),
    ("^(?:a{2}){ 1 , 2 }$", ["aa", "aaaa"], ["a", "aaa"]),
    ("^a{2}*$", ["", "aa", "aaaa"], ["a"]),
    ("^(?x: a+ + b ?? ? )$", ["a", "aa", "ab"], ["b"]),
    ("(?:^|,)*b", ["b", "a,b"], [""]),
    (r"[^\s\S]", [], ["", "a"]),
    ("(?imsRUx) ^ [b d] . $ ", ["B\n", "a\rbc\r\nd"], ["ab", " c"]),
    (r"(?P<n>a)(?<m>b)\.\-\n", ["ab.-\n"], ["ab"]),
    ("", ["", "a"], []),
]


@pytest.mark.parametrize(("pattern", "with_it", "without"), CASES, ids=[c[0] for c in CASES])
@pytest.mark.parametrize("exact", [False, True])
def test_both_engines(pattern: str, with_it: list[str], without: list[str], exact: bool) -> None:
    texts = [*with_it, *without, None]
    wanted = [True] * len(with_it) + [False] * len(without) + [None]
    assert is_linear(pattern)
    assert not is_linear(slow(pattern))
    if not exact:
        assert found(pattern, texts) == wanted
    assert found(slow(pattern), texts, exact=exact) == found(pattern, texts, exact=exact)


BEYOND: list[tuple[str, list[str], list[str]]] = [
    (r"^(?!.*Lyon).*Paris", ["to Paris"], ["Lyon, Paris"]),
    (r"(?<!not )true", ["true"], ["not true"]),
    (r"(?<=a+)b", ["aab"], ["b"]),
    (r"(\w)\1", ["hello"], ["helo"]),
    (r"(?P<q>['\"]).*(?P=q)", ["'a'"], ["'a\""]),
    (r"(?<q>['\"]).*\k<q>", ["'a'"], ["'a\""]),
    (r"(?i)(ß)\1", ["ßẞ"], ["ßss"]),
    (r"(?>a*)a", [], ["aaa"]),
    ("a++a", [], ["aaa"]),
    ("^a{2}+$", ["aa"], ["aaaa"]),
    ("(a)?b(?(1)c|d)", ["abc", "bd"], ["bc"]),
    ("(?P<n>a)?b(?(n)c|d)", ["abc", "bd"], ["bc"]),
    ("a(?#one (or more)+$", ["a", "aa"], ["ab"]),
    ("(?x) (?= a ) # [ ( \\1\n a", ["a"], ["b"]),
    ("(?=a)*b", ["b"], ["a"]),
    ("(?s:.)(?=.)", ["\na"], ["a\n"]),
]


@pytest.mark.parametrize(("pattern", "with_it", "without"), BEYOND, ids=[c[0] for c in BEYOND])
def test_beyond_the_linear_engine(pattern: str, with_it: list[str], without: list[str]) -> None:
    assert not is_linear(pattern)
    wanted = [True] * len(with_it) + [False] * len(without) + [None]
    assert found(pattern, [*with_it, *without, None]) == wanted


@pytest.mark.parametrize("pattern", ["[*+]", r"\++", r"a\*+", "(?x)a # ++", "a+?"])
def test_no_possessive_quantifier(pattern: str) -> None:
    assert is_linear(pattern)


BAD: list[tuple[str, str, int | None]] = [
    ("a(b", "unclosed group", 1),
    ("a\nb(c\nd", "unclosed group", 3),
    ("\n" * 11 + "é\t(", "unclosed group", 13),
    ("a)|(b", "unopened group", 1),
    ("[z-a]", "invalid character class range, the start must be <= the end", 1),
    ("(?P<a>.)(?P<a>.)", "duplicate capture group name", 12),
    ("(?x)(?P<a>.)\n (?P<a>.)", "duplicate capture group name", 18),
    ("x{2\n", "unclosed counted repetition", 1),
    ("\n\\p{a\nb}", "Unicode property not found", 1),
    ("*a", "repetition operator missing expression", 0),
    (r"ab\Z", "unrecognized escape sequence", 2),
    ("(?z)", "unrecognized flag", 2),
    ("a\ud800", "half a surrogate pair is not a character", 1),
    (r"\w{1000}{1000}", "compiled regex exceeds size limit of 10485760 bytes", None),
    (r"(?=a)\w{1000}{1000}", "compiled regex exceeds size limit of 10485760 bytes", None),
    ("(?=a)[b", "unclosed character class", 5),
    ("(?=a)\n[z-a]", "invalid character class range, the start must be <= the end", 7),
    ("(?=a)(b", "unclosed group", 5),
    ("(?=a)(?z:[b])", "unrecognized flag", 7),
    (r"(?<=a)b\Z", "unrecognized escape sequence", 7),
    ("(?=a)x{,3}", "a repeat count is written {n}, {n,} or {n,m}", 6),
    (r"(a)\2b", "invalid group reference", 3),
    (r"(?=a)(?P=n)", "unknown group", 5),
    ("(?x)(?=a)( ?:b)", "nothing to repeat", 11),
]


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(("pattern", "reason", "position"), BAD, ids=ascii)
def test_bad_pattern(pattern: str, reason: str, position: int | None, exact: bool) -> None:
    with pytest.raises(BadPatternError) as caught:
        search(pl.col("text"), pattern, exact=exact)
    assert str(caught.value) == str(BadPatternError(pattern, reason, position))
    with pytest.raises(BadPatternError):
        is_linear(pattern)


def test_too_deep_for_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_deep(*args: object) -> None:
        raise RecursionError

    monkeypatch.setattr(regex, "compile", compile_deep)
    with pytest.raises(BadPatternError, match="nested too deep"):
        is_linear("(?=deep)")


def test_too_deep_once_wrapped() -> None:
    deep = "(?:" * 250 + "a" + ")" * 250
    assert is_linear(deep)
    assert found(deep, ["a"]) == [True]
    with pytest.raises(BadPatternError, match="too deep"):
        search(pl.col("text"), deep, exact=True)


@pytest.mark.parametrize("look", ["", "(?=)"])
def test_exact(look: str) -> None:
    assert found(look + "a|ab", ["a", "ab", "abc", "a\n"], exact=True) == [True, True, False, False]
    assert found(f"(?x){look}a # note", ["a", "ab", "a\n"], exact=True) == [True, False, False]
    # Flags at the start are the whole pattern's: with `m`, one line that matches is enough.
    assert found(f"(?m){look}a", ["a", "a\nb", "ba"], exact=True) == [True, True, False]
    assert found(f"{look}(?:(?m)a$)", ["a", "a\nb"], exact=True) == [True, False]


def test_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("batcheval.checks.regexes.backtracking.ROW_SECONDS", 0.2)
    texts = ["aa", "a" * 5000 + "b", None, "b"]
    assert found(r"(a+)+\1$", texts) == [True, None, None, False]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_lazy_engines(engine: Literal["in-memory", "streaming"]) -> None:
    frame = pl.LazyFrame({"text": ["ab", None, "b"] * 1000})
    scored = frame.select(search(pl.col("text"), "(?<=a)b")).collect(engine=engine)
    assert scored.schema == {"text": pl.Boolean}
    assert scored.to_series().to_list() == [True, None, False] * 1000


PER_ROW: list[tuple[str | None, str | None, bool | None, bool | None]] = [  # found, exact
    ("abc", "b", True, False),
    ("abc", "a|abc", True, True),
    ("abc", "(", None, None),
    ("abc", "a)|(b", None, None),
    ("abc", "(?=a)", None, None),
    ("a", "(?x)a # note", True, True),
    ("ab", "(?x)a # note", True, False),
    ("abc", None, None, None),
    (None, "b", None, None),
    (None, None, None, None),
    ("", "", True, True),
]


def test_pattern_per_row() -> None:
    schema = {"text": pl.String, "pattern": pl.String}
    frame = pl.DataFrame([row[:2] for row in PER_ROW], schema=schema, orient="row")
    text, pattern = pl.col("text"), pl.col("pattern")
    scored = frame.select(found=search(text, pattern), exact=search(text, pattern, exact=True))
    assert scored.rows() == [row[2:] for row in PER_ROW]
    literal = frame.select(found=search(pl.lit("abc"), pattern), exact=search(text, pl.lit("(")))
    assert (
        literal["found"].null_count() == frame["pattern"].is_in(["(", "a)|(b", "(?=a)"]).sum() + 2
    )
    assert literal["exact"].null_count() == frame.height


def test_regex_is_imported_late() -> None:
    code = "import sys; from batcheval.checks import regexes; print('regex' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


EVERY = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))


@pytest.mark.parametrize(
    "item", [r"\s", r"\S", r"\d", r"\D", r"\w", r"\W", ".", r"[^\w\s]", r"(?i:\p{Lu})", r"(?-u:\w)"]
)
def test_classes_agree_on_every_character(item: str) -> None:
    linear = pl.Series([EVERY]).str.extract_all(f"(?:{item})+")[0].to_list()
    assert regex.findall(f"{character_class(item)}+", EVERY, regex.V1) == linear


def mappings(char: str) -> set[str]:
    """All that a letter could be thought to be the same as."""
    told = {char, char.lower(), char.upper(), char.title(), char.casefold()}
    return told | {f(one) for one in told for f in (str.lower, str.upper, str.casefold)}


def test_case_folding_agrees_on_every_cased_character() -> None:
    letters = sorted({char for char in EVERY if len(mappings(char)) > 1} | set(cased()))
    assert len(letters) > 2800
    for start in range(0, len(letters), 100):
        some = letters[start : start + 100]
        pattern = "^(?i:" + "|".join(f"{i}:{re.escape(char)}" for i, char in enumerate(some)) + ")$"
        texts = [f"{i}:{other}" for i, char in enumerate(some) for other in mappings(char)]
        assert found(slow(pattern), texts) == found(pattern, texts)


CHARACTERS = [*"aksßiIıİσς\u212aſẞé- \n", *NEWER, r"\.", r"\x{17f}"]
CLASSES = [".", r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", "[a-k]", "[^a]", r"[\w&&[^s]]", "[]a]"]
CLASSES += [r"[^\w\s]", r"[\W\d]", r"[[:alpha:]~~k]", r"\p{Lu}", r"\PL", "[ #k]"]
ANCHORS = ["^", "$", r"\b", r"\B", r"\A", r"\z", r"\<", r"\b{end}"]
FLAGS = ["i", "s", "m", "x", "im", "Rm", "U", "-i", "s-i", "-x"]
REPEATS = ["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "{1,2}?", "{0}", "**", "?*", "{2}?*"]


def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    flags = st.sampled_from(FLAGS)
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda some: f"(?:{'|'.join(some)})"),
        inner.map(lambda one: f"({one})"),
        st.tuples(flags, inner).map(lambda two: f"(?{two[0]}:{two[1]})"),
        st.tuples(flags, inner).map(lambda two: f"(?{two[0]}){two[1]}"),
        st.tuples(inner, st.sampled_from(REPEATS)).map(lambda two: f"(?:{two[0]}){two[1]}"),
    )


PATTERNS = st.recursive(st.sampled_from(CHARACTERS + CLASSES + ANCHORS), grow, max_leaves=8)
TEXTS = st.lists(st.text(st.sampled_from(ODD + NEWER), max_size=8), min_size=1, max_size=20)


@settings(max_examples=300, deadline=None)
@given(PATTERNS, TEXTS, st.booleans())
def test_engines_agree(pattern: str, texts: list[str], exact: bool) -> None:
    linear = found(pattern, texts, exact=exact)
    other = found(slow(pattern), texts, exact=exact)
    assert [a for a, b in zip(linear, other, strict=True) if b is not None] == [
        b for b in other if b is not None
    ]
