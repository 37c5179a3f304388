"""Checks typed as calls, on a command line for instance, as scorers."""

from collections.abc import Iterable
from pathlib import Path

from batcheval.ids import free_id
from batcheval.scorer import Scorer
from batcheval.suite.binding import make_scorer
from batcheval.suite.call_text import parse_call
from batcheval.suite.places import placed


def scorers_from_calls(
    texts: Iterable[str], taken: Iterable[str] = (), folder: Path | None = None
) -> list[Scorer]:
    """The scorers that calls stand for; a second one of a name gets an id of its own.

    Args:
        texts: calls as `parse_call` takes them.
        taken: ids that other scorers have already.
        folder: where else to look for the modules of `module:function`.

    Raises:
        BatchevalError: the first mistake in a text, after that text.

    Example:
        >>> [scorer.id for scorer in scorers_from_calls(['includes("a")', 'includes("b")'])]
        ['includes', 'includes_2']
    """
    ids, scorers = list(taken), []
    for text in texts:
        scorer = scorer_from_call(text, folder)
        ids.append(free_id(scorer.id, ids))
        scorers.append(scorer.named(ids[-1]))
    return scorers


def scorer_from_call(text: str, folder: Path | None = None) -> Scorer:
    """The scorer that one call stands for.

    Raises:
        CallSyntaxError: the text is no such call.
        BatchevalError: the check does not exist or does not take these arguments.
    """
    call = parse_call(text)
    with placed(f"check {text.strip()!r}"):
        return make_scorer(*call, folder)
