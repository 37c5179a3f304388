import json
from typing import Any

import polars as pl

from batcheval.checks import (
    single_tool_use,
    tool_f1,
    tool_precision,
    tool_recall,
    tool_sequence_similarity,
    tools_any_order,
    tools_exact,
    tools_in_order,
    tools_subset,
    tools_superset,
)
from tests.cases import Case, Trace, trace

OWN = pl.col("expected")
S, R = {"name": "s"}, {"name": "r"}
ONE = trace(tool_calls=["s"])
TWICE = trace(tool_calls=["s", "s"])
BOTH = trace(tool_calls=["s", "r"])
NONE = trace(tool_calls=[])
PARTIAL = trace(tool_calls=["s", ("r", "partial"), (None, "ok")])


def made(*args: Any, **fields: Any) -> Trace:
    """A run of calls of `s` with these arguments, each JSON text or a value."""
    texts = [arg if isinstance(arg, str | None) else json.dumps(arg) for arg in args]
    calls = [{"name": "s", "args": text, "state": "ok"} for text in texts]
    return trace(tool_calls=calls, **fields)


def asked(*args: Any) -> list[dict[str, Any]]:
    return [{"name": "s", "args": arg} for arg in args]


def own(text: str | None, *calls: str) -> Trace:
    return trace(tool_calls=list(calls), expected_tool_calls=text, expected=text)


_FIELDS: dict[str, Any] = {
    **dict.fromkeys(("matched_calls", "expected_calls", "actual_calls"), pl.Int64()),
    **dict.fromkeys(("missing", "extra", "moved", "differed"), pl.List(pl.String)),
}
CHECKS = (
    *(single_tool_use, tool_f1, tool_precision, tool_recall, tool_sequence_similarity),
    *(tools_any_order, tools_exact, tools_in_order, tools_subset, tools_superset),
)
DETAILS = {check.__name__: _FIELDS for check in CHECKS}

PARIS = {"matches": "^par"}

CASES: list[Case] = [
    # by names
    (tools_exact(["s", "r"]), BOTH, 1.0),
    (tools_exact(["r", "s"]), BOTH, 0.0),
    (tools_exact("s"), ONE, 1.0),
    (tools_exact(S), PARTIAL, 1.0),  # what was streaming in, or has no name, is no call
    (tools_exact([]), NONE, 1.0),
    (tools_exact([]), trace(), 1.0),
    (tools_exact([]), ONE, 0.0),
    (tools_exact(), own('["s", "r"]', "s", "r"), 1.0),
    (tools_exact(OWN), own('["s", "r"]', "r", "s"), 0.0),
    (tools_exact(), own(None, "s"), None),
    (tools_exact(), own("s, r", "s"), None),
    (tools_exact(), own('[""]', "s"), None),
    (tools_exact(), own('{"name": "s"}', "s"), None),
    (tools_exact(), own("[]"), 1.0),
    (tools_exact(), own('[{"function": {"name": "s", "arguments": "{}"}}]', "s"), 1.0),
    (tools_in_order(["s", "s"]), trace(tool_calls=["s", "r", "s"]), 1.0),
    (tools_in_order(["s", "r"]), trace(tool_calls=["r", "s"]), 0.0),
    (tools_in_order(["s", "r"]), NONE, 0.0),
    (tools_in_order([]), NONE, 1.0),
    (tools_in_order(), own('["r"]', "s", "r"), 1.0),
    (tools_any_order(["r", "s"]), BOTH, 1.0),
    (tools_any_order(["s", "s"]), TWICE, 1.0),
    (tools_any_order(["s", "s"]), ONE, 0.0),
    (tools_any_order("s"), TWICE, 0.0),
    (tools_any_order(), own('["r", "s"]', "s", "r"), 1.0),
    (tools_subset(["s", "r"]), ONE, 1.0),
    (tools_subset("s"), TWICE, 0.0),
    (tools_subset("s"), NONE, 1.0),
    (tools_subset(), own('["r"]', "s"), 0.0),
    (tools_superset("s"), TWICE, 1.0),
    (tools_superset(["s", "s"]), ONE, 0.0),
    (tools_superset([]), NONE, 1.0),
    (tools_superset(), own('["r"]', "s"), 0.0),
    (single_tool_use("s"), BOTH, 1.0),
    (single_tool_use("s"), TWICE, 1.0),
    (single_tool_use("r"), ONE, 0.0),
    (single_tool_use(), own('["s"]', "r", "s"), 1.0),
    (single_tool_use(), own('["s", "s"]', "r", "s"), None),
    (tool_recall(["s", "s"]), TWICE, 1.0),
    (tool_recall(["s", "s"]), ONE, 0.5),
    (tool_recall("s"), TWICE, 1.0),
    (tool_recall([]), ONE, 1.0),
    (tool_recall(["s", "r"], threshold=0.5), ONE, 1.0),
    (tool_precision(["s", "s"]), TWICE, 1.0),
    (tool_precision(["s", "s"]), ONE, 1.0),
    (tool_precision("s"), TWICE, 0.5),
    (tool_precision("s"), NONE, 0.0),
    (tool_precision([]), NONE, 1.0),
    (tool_precision("s", threshold=0.6), TWICE, 0.0),
    (tool_f1("s"), TWICE, 2 / 3),
    (tool_f1([]), NONE, 1.0),
    (tool_f1([]), ONE, 0.0),
    (tool_f1(["r", "s"]), BOTH, 1.0),
    (tool_f1(), own(None), None),
    (tool_sequence_similarity(["s", "r"]), trace(tool_calls=["r", "s"]), 0.5),
    (tool_sequence_similarity(["s", "r"], method="edit"), trace(tool_calls=["r", "s"]), 0.0),
    (tool_sequence_similarity(["s", "r", "s"], method="edit"), BOTH, 2 / 3),
    (tool_sequence_similarity([]), NONE, 1.0),
    (tool_sequence_similarity("s"), NONE, 0.0),
    (tool_sequence_similarity(), own('["s"]', "s", "r"), 2 / 3),
    # by arguments
    (tools_exact(asked({"a": 1, "b": 2})), made('{"b": 2.0, "a": 1}'), 1.0),
    (tools_exact(asked({"a": 1})), made({"a": True}), 0.0),
    (tools_exact(asked({"a": 1})), made({"a": "1"}), 0.0),
    (tools_exact(asked({"a": None})), made({}), 0.0),
    (tools_exact(asked({})), made(None), 1.0),
    (tools_exact(asked({})), made({"a": 1}), 0.0),
    (tools_exact("s"), made({"a": 1}), 1.0),
    (tools_exact(asked({"a": 1}), arguments=False), made({"a": 2}), 1.0),
    (tools_exact(asked({"a": 1})), made('{"a": '), 0.0),
    (tools_exact(asked('{"a": 1}')), made({"a": 1}), 1.0),
    (tools_exact(asked({"a": 1}), tolerance=0.1), made({"a": 1.05}), 1.0),
    (tools_exact(asked({"a": "Paris"}), ignore_case=True), made({"a": "paris"}), 1.0),
    (tools_exact(asked({"a": 1, "id": 1}), ignore=["id"]), made({"a": 1, "id": 2}), 1.0),
    (tools_exact(asked({"a": 1}), extra=True), made({"a": 1, "b": 2}), 1.0),
    (tools_exact(asked({"a": PARIS})), made({"a": "paris"}), 1.0),
    (tools_exact(asked({"a": PARIS})), made({"a": "lyon"}), 0.0),
    (tools_exact(asked({"a": {"matches": r"(.)\1"}})), made({"a": "oo"}), 1.0),
    (tools_in_order(asked({"a": 1}, {"a": 2})), made({"a": 1}, {"a": 3}, {"a": 2}), 1.0),
    (tools_in_order(asked({"a": 1}, {"a": 2})), made({"a": 2}, {"a": 1}), 0.0),
    (tools_any_order(asked({"a": PARIS}, {"a": "paris"})), made({"a": "paris"}, {"a": "par"}), 1.0),
    (tools_any_order(asked({"a": 1}, {"a": 1})), made({"a": 1}), 0.0),
    (tools_subset(asked({"a": 1}, {"a": 2})), made({"a": 2}), 1.0),
    (tools_superset(asked({"a": 1})), made({"a": 2}, {"a": 1}), 1.0),
    (tool_recall(asked({"a": 1}, {"a": 1})), made({"a": 1}), 0.5),
    (tool_precision(asked({"a": 1})), made({"a": 1}, {"a": 1}), 0.5),
    (tool_f1(asked({"a": 1}, {"a": 2})), made({"a": 1}, {"a": 3}), 0.5),
    (tool_recall(["s", *asked({"a": 1})]), made({"a": 1}, {"a": 2}), 1.0),  # not greedily
    (single_tool_use(asked({"a": 1})), made({"a": 2}, {"a": 1}), 1.0),
    (tool_sequence_similarity(asked({"a": 1}, {"a": 2})), made({"a": 2}, {"a": 1}), 0.5),
    (
        tool_sequence_similarity(asked({"a": 1}, {"a": 2}), method="edit"),
        made({"a": 2}, {"a": 1}),
        0.0,
    ),
    (tool_recall(), made({"a": 1}, expected_tool_calls='[{"name": "s", "args": {"a": 1}}]'), 1.0),
    (tool_recall(), made({"a": 1}, expected_tool_calls='[{"name": "s", "args": "{"}]'), 0.0),
    (
        tool_recall(),
        made({}, expected_tool_calls='[{"name":"s","args":{"a":{"matches":"("}}}]'),
        None,
    ),
]
