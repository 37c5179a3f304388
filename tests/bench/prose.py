"""Made-up prose, cut out of one long text: a cut is all that a row costs."""

from random import Random

import numpy as np

ONSETS = "b c d f g h j k l m n p r s t v w br ch cl dr fl gr pl pr sh sp st th tr"
VOWELS = "a e i o u ai ea ie oo ou"
CODAS = ["", "", "", "n", "r", "s", "t", "l", "m", "nd", "st", "ng", "ck", "rt"]
COMMON = """
the of and to in a is that for it as was with be by on not he his but at are this have from or had
an they which one you were all her she there would their we him been has when who will no more if
out so said what up its about into than them can only other time new some could these two may
first then do order refund sorry customer delivery weather sunny please help error
"""
FOREIGN = ["café", "naïve", "Köln", "Zürich", "señor", "“fine”", "it’s", "€40", "🙂", "日本"]
MARKS = [" "] * 44 + [", ", ", ", ". ", ". ", ".\n", "\n\n", "? ", ': "', '" ', " - "]
LENGTH = 400_000


class Prose:
    """A long text and the places where its words begin."""

    def __init__(self, rng: np.random.Generator, words: list[str]) -> None:
        weights = 1 / np.arange(1, len(words) + 1) ** 0.9
        picks = rng.choice(len(words), LENGTH, p=weights / weights.sum())
        marks = rng.choice(len(MARKS), LENGTH)
        heads = [p for p, m in enumerate(marks) if MARKS[m][0] in ".?\n"]  # sentences end there
        said = [words[p] for p in picks]
        for place in heads:
            said[place - LENGTH + 1] = said[place - LENGTH + 1].capitalize()
        pieces = [word + MARKS[m] for word, m in zip(said, marks, strict=True)]
        self.text = "".join(pieces)
        self.starts = np.cumsum([0, *map(len, pieces)]).tolist()

    def cut(self, first: int, words: int) -> str:
        """So many words from the `first` on."""
        return self.text[self.starts[first] : self.starts[first + words]].rstrip()

    def some(self, dice: Random, low: int, high: int) -> str:
        """`low` to `high` words from anywhere."""
        words = low + int((high - low + 1) * dice.random())
        return self.cut(int((LENGTH - words) * dice.random()), words)


def english(rng: np.random.Generator) -> Prose:
    """Prose that is ASCII throughout."""
    return Prose(rng, _vocabulary(rng))


def mixed(rng: np.random.Generator) -> Prose:
    """Prose in which some words are not ASCII, about one in a hundred."""
    words = _vocabulary(rng)
    words[20::40] = [FOREIGN[i % len(FOREIGN)] for i in range(len(words[20::40]))]
    return Prose(rng, words)


def _vocabulary(rng: np.random.Generator, size: int = 4_000) -> list[str]:
    columns = [rng.choice(parts.split(), size) for parts in (ONSETS, VOWELS) * 3]
    ends, syllables = rng.choice(CODAS, size), rng.integers(1, 4, size)
    words = zip(*columns, ends, syllables, strict=True)
    return COMMON.split() + ["".join([*word[: 2 * word[-1]], word[-2]]) for word in words]
