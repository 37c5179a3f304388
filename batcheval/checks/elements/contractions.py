"""The tails of contractions as words of their own: the `t` of "hasn't" is not that of "don't"."""

from typing import Final

import numpy as np

from batcheval.checks.elements.spelling import APOSTROPHE
from batcheval.checks.elements.tokens import Tokens

_NEGATED: Final = (
    "ain aren can couldn didn doesn don hadn hasn haven isn mightn mustn needn shan shouldn wasn"
    " weren won wouldn"
)
CONTRACTED: Final = frozenset([*(f"{head}'t" for head in _NEGATED.split()), "let's"])


def contracted(tokens: Tokens) -> Tokens:
    """Name the tails of contractions after the whole.

    Example:
        >>> import polars as pl
        >>> from batcheval.checks.elements.tokens import tokenised
        >>> tokens = contracted(tokenised(pl.Series(["I don't"])))
        >>> [tokens.vocabulary[word] for word in tokens.words]
        ['i', 'don', "don't"]
    """
    vocabulary, words = tokens.vocabulary.copy(), tokens.words.copy()
    tails = np.flatnonzero([text in ("t", "s") for text in vocabulary])
    at = np.flatnonzero((tokens.gaps == APOSTROPHE) & np.isin(words, tails))
    heads = words[at - 1].astype(np.int64)
    pairs, which = np.unique(heads << 32 | words[at], return_inverse=True)
    places = np.empty(len(pairs), np.int32)
    for number, pair in enumerate(pairs.tolist()):
        head, tail = pair >> 32, pair & 0xFFFFFFFF
        text = f"{vocabulary[head]}'{vocabulary[tail]}"
        places[number] = len(vocabulary) if text in CONTRACTED else tail
        vocabulary += [text] if text in CONTRACTED else []
    words[at] = places[which]
    return tokens._replace(vocabulary=vocabulary, words=words)
