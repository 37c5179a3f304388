"""The elements of texts: their words, with verbs in the infinitive."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.elements.contractions import contracted
from batcheval.checks.elements.tagging import BOTH, CHANGES, STAYS, ways
from batcheval.checks.elements.tokens import tokenised
from batcheval.checks.elements.wordlist import look_up, word_list

MOST: Final = 3  # elements that one word may become


class Elements(NamedTuple):
    """The elements of all rows as they stand in the texts, with repeats.

    Attributes:
        texts: the distinct elements.
        rows: of each element the row that has it, ascending.
        places: of each element its place in `texts`.
    """

    texts: list[str]
    rows: NDArray[np.int64]
    places: NDArray[np.int64]


def elements(texts: pl.Series, split_camel_case: bool) -> Elements:
    """The elements of each text; a null has none.

    Example:
        >>> found = elements(pl.Series(["She was running home"]), False)
        >>> [found.texts[place] for place in found.places]
        ['she', 'run', 'home']
    """
    tokens = contracted(tokenised(texts, split_camel_case))
    known = word_list()
    words = [look_up(text) for text in tokens.vocabulary]
    varies = np.array([word.varies for word in words], bool)
    way = ways(tokens, known.keys(words, tokens.vocabulary), varies)
    found, table = _outcomes(tokens.vocabulary, [word.stem for word in words], known.special)
    which = tokens.words * np.int32(4) + way
    counts = (table >= 0).sum(axis=1, dtype=np.int8).take(which)
    ends = np.cumsum(counts, dtype=np.int64)
    places = np.repeat(table[:, 0].astype(np.int64).take(which), counts)
    for more in range(1, MOST):
        at = np.flatnonzero(counts > more)
        places[ends[at] - counts[at] + more] = table[which[at], more]
    sizes = np.diff(np.append(0, ends)[tokens.bounds])
    return Elements(found, np.repeat(np.arange(len(sizes)), sizes), places)


def _outcomes(
    vocabulary: list[str], stems: list[str], special: Mapping[str, list[list[str]]]
) -> tuple[list[str], NDArray[np.int32]]:
    """The distinct elements, and which of them each word becomes: a line for each of its ways."""
    places = {text: place for place, text in enumerate(vocabulary)}
    table = np.full((len(vocabulary), 4, MOST), -1, np.int32)
    table[:, STAYS, 0] = table[:, BOTH, 0] = np.arange(len(vocabulary))
    table[:, CHANGES, 0] = [places.setdefault(stem, len(places)) for stem in stems]
    table[:, BOTH, 1] = table[:, CHANGES, 0]
    for word in (place for place, text in enumerate(vocabulary) if text in special):
        for way, outcome in enumerate(special[vocabulary[word]]):
            found = [places.setdefault(part, len(places)) for part in outcome]
            table[word, way] = [*found, -1, -1, -1][:MOST]
    return list(places), table.reshape(-1, MOST)
