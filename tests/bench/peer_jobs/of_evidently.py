"""The descriptors of Evidently; a limit on a count is held after the clock has stopped."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
from evidently import DataDefinition, Dataset
from evidently.descriptors import (
    BeginsWith,
    Contains,
    ExactMatch,
    IsValidJSON,
    IsValidPython,
    IsValidSQL,
    JSONMatch,
    RegExp,
    SentenceCount,
    TextLength,
    WordCount,
)

Rows = list[dict[str, Any]]


def described(descriptor: Any, *columns: str) -> Callable[[Rows], Any]:
    def job(rows: Rows) -> Callable[[], Sequence[Any]]:
        table = pd.DataFrame([{name: row[name] for name in columns} for row in rows])
        definition = DataDefinition(text_columns=list(columns))

        def work() -> Sequence[Any]:
            made = Dataset.from_pandas(table, definition, descriptors=[descriptor])
            return made.as_dataframe()["score"].tolist()  # type: ignore[no-any-return]

        return work

    return job


NAMED = {"alias": "score"}
WORDS = ["sunny", "refund", "weather"]

JOBS = {
    "includes_a_word": described(
        Contains("output", ["order"], case_sensitive=False, **NAMED), "output"
    ),
    "includes_any": described(Contains("output", WORDS, case_sensitive=False, **NAMED), "output"),
    "starts_with": described(BeginsWith("output", "the", case_sensitive=False, **NAMED), "output"),
    "matches": described(RegExp("output", r"(?i)\brefund(?:s|ed)?\b", **NAMED), "output"),
    "equals": described(ExactMatch(["twin", "text"], **NAMED), "twin", "text"),
    "char_count": described(TextLength("output", **NAMED), "output"),
    "word_count": described(WordCount("output", **NAMED), "output"),
    "sentence_count": described(SentenceCount("output", **NAMED), "output"),
    "is_json": described(IsValidJSON("answer", **NAMED), "answer"),
    "is_python": described(IsValidPython("answer", **NAMED), "answer"),
    "is_sql": described(IsValidSQL("answer", **NAMED), "answer"),
    "json_equal": described(
        JSONMatch("document", "expected_document", **NAMED), "document", "expected_document"
    ),
}
