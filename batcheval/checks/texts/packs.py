"""Lists of phrases and words by language, as one pattern. `data/README.md` says whose they are."""

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from batcheval.checks.texts.lists import texts
from batcheval.errors import BadArgumentError, quoted

# The scripts of these put no spaces between words, so that no start of a word can be told.
UNSPACED = frozenset({"ja", "th", "zh"})


@cache
def phrases(name: str) -> dict[str, str]:
    """The pattern of each language of a pack of phrases.

    Example:
        >>> "en" in phrases("refusals"), "ja" in phrases("apologies")
        (True, True)
    """
    packs = tomllib.loads(_read(f"{name}.toml"))
    return {language: _phrase(pack) for language, pack in packs.items()}


@cache
def profane() -> dict[str, list[str]]:
    """The words and phrases of each language that many would rather not read.

    Example:
        >>> len(profane()["en"])
        403
    """
    words: dict[str, list[str]] = json.loads(_read("profanity.json"))
    return words


def chosen(languages: object, known: Iterable[str]) -> list[str]:
    """The languages to look for: all that are known if None.

    Raises:
        BadArgumentError: `languages` is no list of texts, or there is nothing for one of them.
        BlankArgumentError: it is empty.
    """
    there = list(known)
    asked = there if languages is None else texts("languages", languages)
    for language in asked:
        if language not in there:
            raise BadArgumentError("languages", f"among {quoted(there)}", language)
    return asked


def spelled(words: Iterable[str]) -> str:
    r"""Words as one pattern, the longest first; a blank is any white space, hyphen or underscore.

    Example:
        >>> spelled(["a b", "a.c"])
        'a[\\s_-]+b|a\\.c'
    """
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(re.sub(r"(?:\\ )+", r"[\\s_-]+", re.escape(word)) for word in ordered)


def whole_words(words: Sequence[str], inside: Sequence[str]) -> str:
    """A pattern that finds words as a whole, and others `inside` of any; case is ignored."""
    whole = rf"(?:\A|[^\p{{L}}\p{{N}}])(?:{spelled(words)})(?:[^\p{{L}}\p{{N}}]|\z)"
    return "(?i)" + "|".join([whole] * bool(words) + [spelled(inside)] * bool(inside))


def _phrase(pack: dict[str, Any]) -> str:
    either = "|".join(pack["patterns"]).replace(" ", r"\s+").replace("'", "['\u2019\u02bc]")
    return either if pack.get("inside") else rf"(?:\A|[^\p{{L}}\p{{N}}])(?:{either})"


def _read(name: str) -> str:
    return files("batcheval.checks").joinpath("data", name).read_text("utf-8")
