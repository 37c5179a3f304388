"""The word lists of the checks, read when first asked for. `data/README.md` says whose they are."""

from functools import cache
from importlib.resources import files

import polars as pl

# One of them just before a word turns its value round. Source: npm `sentiment` 5.0.2.
NEGATORS = frozenset(
    [
        *("cant", "can't", "dont", "don't", "doesnt", "doesn't"),
        *("not", "non", "wont", "won't", "isnt", "isn't"),
    ]
)


@cache
def values() -> dict[str, int]:
    """Words and emoji with a value of -5 to 5; the phrases, which no word equals, are left out.

    Example:
        >>> values()["happy"], values()["😂"]
        (3, 1)
    """
    words = pl.read_csv(
        _read("AFINN-en-165.txt"),
        separator="\t",
        has_header=False,
        new_columns=["word", "value"],
        quote_char=None,
    )
    positive, negative = (pl.col(side) / pl.col("Occurrences") for side in ("Positive", "Negative"))
    emoji = pl.read_csv(_read("Emoji_Sentiment_Data_v1.0.csv")).select(
        word="Emoji", value=(5 * (positive - negative)).floor().cast(pl.Int64)
    )
    single = pl.concat([words, emoji.filter(pl.col("value") != 0)])
    single = single.filter(~pl.col("word").str.contains(" ", literal=True))
    return dict(zip(*single.get_columns(), strict=True))


@cache
def stop_words() -> frozenset[str]:
    """English words that say nothing of a text's subject, in lower case.

    Example:
        >>> len(stop_words()), "would" in stop_words()
        (570, True)
    """
    return frozenset(_read("smart-stop-words.txt").decode().split())


def _read(name: str) -> bytes:
    return files("batcheval.checks").joinpath("data", name).read_bytes()
