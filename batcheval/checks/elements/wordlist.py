"""What is known of words: their classes, their infinitives, and what becomes of negatives."""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
import polars as pl

from batcheval.checks.elements.contexts import WordKeys

LONGEST_SUFFIX: Final = 5
KEPT: Final = 32  # characters up to which a word is kept
INFLECTED: Final = ("s", "ed", "ing")


class Word(NamedTuple):
    """A word of the list.

    Attributes:
        kind: its class, by how it is tagged alone and in three frames.
        stem: its infinitive as a verb, which may be the word itself.
        own: it has features of its own as a candidate.
        common: it has features of its own as a neighbour.
        varies: it may be changed where it stands.
    """

    kind: str
    stem: str
    own: bool
    common: bool
    varies: bool


class WordList(NamedTuple):
    """The list, the rules for words that it lacks, and the words that become several."""

    words: Mapping[str, Word]
    kinds: Mapping[str, str]
    endings: Mapping[str, tuple[int, str]]
    special: Mapping[str, list[list[str]]]

    def find(self, text: str) -> Word:
        """A word of the list, or what its end makes likely."""
        found = self.words.get(text)
        if found:
            return found
        kind = _kind_of_signs(text) or self._by_suffix(text, self.kinds)
        varies = len(text) > 3 and text.endswith(INFLECTED)
        return Word(kind, self._stem(text) if varies else text, False, False, varies)

    def keys(self, vocabulary: list[Word], texts: list[str]) -> WordKeys:
        """The numbers that stand for words in features."""
        kinds = {word.kind for word in vocabulary}
        whole = {kind: crc32(f"c:{kind}".encode()) for kind in kinds}
        coarse = {kind: crc32(f"g:{kind.partition('|')[0]}".encode()) for kind in kinds}
        pairs = list(zip(vocabulary, texts, strict=True))
        own = [crc32(f"o:{text}".encode()) if word.own else 0 for word, text in pairs]
        near = [crc32(f"k:{t}".encode()) if w.common else whole[w.kind] for w, t in pairs]
        columns = (
            own,
            [whole[w.kind] for w in vocabulary],
            near,
            [coarse[w.kind] for w in vocabulary],
        )
        return WordKeys(*(np.array(column, np.uint32) for column in columns))

    def _stem(self, text: str) -> str:
        cut, tail = self._by_suffix(text, self.endings)
        return text[: len(text) - cut] + str(tail)

    @staticmethod
    def _by_suffix(text: str, table: Mapping[str, Any]) -> Any:
        """What a table holds for the longest end of a word that it has."""
        suffix = text[-LONGEST_SUFFIX:]
        while suffix not in table:
            suffix = suffix[1:]
        return table[suffix]


def _kind_of_signs(text: str) -> str | None:
    if text.isalpha():
        return "#1" if len(text) == 1 else None
    if text.isdigit():
        return "#num"
    return "#n't" if "'" in text else "#mix"


def look_up(text: str) -> Word:
    """A word of the list, or a likely one; kept for the next batch unless it is long."""
    return _kept(text) if len(text) <= KEPT else word_list().find(text)


@lru_cache(1 << 16)
def _kept(text: str) -> Word:
    return word_list().find(text)


@cache
def word_list() -> WordList:
    """The list, read once."""
    words = _table("words.parquet")  # without the stems that are the words themselves
    stems = map(lambda stem, word: stem or word, words["stem"], words["word"])
    known = map(Word, words["kind"], stems, words["own"], words["common"], words["varies"])
    kinds, endings = _table("suffixes.parquet"), _table("endings.parquet")
    special = json.loads(files(__package__).joinpath("data/special.json").read_bytes())
    return WordList(
        dict(zip(words["word"], known, strict=True)),
        dict(zip(kinds["suffix"], kinds["kind"], strict=True)),
        dict(
            zip(endings["suffix"], zip(endings["cut"], endings["tail"], strict=True), strict=True)
        ),
        special,
    )


def _table(name: str) -> dict[str, list[Any]]:
    data = files(__package__).joinpath("data", name).read_bytes()
    return pl.read_parquet(data).to_dict(as_series=False)
