"""rapidfuzz's kernels, in a bare loop."""

from collections.abc import Callable
from typing import Any

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel, JaroWinkler, Levenshtein

Rows = list[dict[str, Any]]


def loop(kernel: Callable[[str, str], float], scale: float = 1.0) -> Callable[[Rows], Any]:
    def job(rows: Rows) -> Callable[[], list[float]]:
        pairs = [(row["text"], row["reference"]) for row in rows]
        return lambda: [kernel(one, other) / scale for one, other in pairs]

    return job


JOBS = {
    "levenshtein": loop(Levenshtein.normalized_similarity),
    "indel_ratio": loop(Indel.normalized_similarity),
    "jaro_winkler": loop(JaroWinkler.normalized_similarity),
    "token_sort_ratio": loop(fuzz.token_sort_ratio, 100.0),
    "token_set_ratio": loop(fuzz.token_set_ratio, 100.0),
}
