"""What other libraries say of the same calls, and where their answer is not ours.

Their values were recorded by running the scoring functions of ADK 2.13.0, agentevals 0.0.9, Ragas
0.4.3, DeepEval 4.3.1 and promptfoo 0.121.20 on the calls, with plain stand-ins for their messages.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import polars as pl
import pytest

from batcheval.checks import (
    tool_args,
    tool_f1,
    tool_recall,
    tools_any_order,
    tools_exact,
    tools_in_order,
    tools_subset,
    tools_superset,
)
from batcheval.engine import score
from batcheval.scorer import Scorer
from tests.cases import frame, trace

# expected and made; a call is a name and its arguments, {} where none stand
CASES: Final = [
    ("s r", "s r"),
    ("s r", "r s"),
    ("s r", "s"),
    ("s", "s r"),
    ("s s", "s s"),
    ("s s", "s"),
    ("s", "s s"),
    ("s r", "s s r"),
    ("s r", "r s r"),
    ("", ""),
    ("", "s"),
    ("s", ""),
    ('s{"a":1}', 's{"a":1}'),
    ('s{"a":1}', 's{"a":2}'),
    ('s{"a":1}', 's{"a":1,"b":2}'),
    ('s{"a":1,"b":2}', 's{"a":1}'),
    ('s{"a":1}', 's{"a":1.0}'),
    ('s{"a":1}', 's{"a":true}'),
    ('s{"a":1}', 's{"a":"1"}'),
    ('s{"a":1} s{"a":2}', 's{"a":2} s{"a":1}'),
    ('s{"a":1} s{"a":1}', 's{"a":1} s{"a":1}'),
    ('s{"a":[1,{"b":2}]}', 's{"a":[1,{"b":2}]}'),
    ('s{"a":1} s{"a":1,"b":2}', 's{"a":1,"b":2} s{"a":1}'),
]

# the peer, the check of ours, and what the peer says of each case: x raises, - cannot be asked
_ONE = pl.col("one")
PEERS: Final[dict[str, tuple[Callable[[], Scorer], str]]] = {
    "ADK EXACT": (tools_exact, "1 0 0 0 1 0 0 0 0 1 0 0 1 0 0 0 1 1 0 0 1 1 0"),
    "ADK IN_ORDER": (tools_in_order, "1 0 0 1 1 0 1 1 1 1 1 0 1 0 0 0 1 1 0 0 1 1 0"),
    "ADK ANY_ORDER": (tools_superset, "1 1 0 1 1 0 1 1 1 1 1 0 1 0 0 0 1 1 0 1 1 1 1"),
    "agentevals strict": (tools_exact, "1 0 0 0 1 0 0 0 0 1 0 0 1 0 0 0 1 1 0 0 1 1 0"),
    "agentevals strict, all calls in one message": (
        tools_any_order,
        "1 1 0 0 1 0 0 0 0 1 0 0 1 0 0 0 1 1 0 1 1 1 1",
    ),
    "agentevals unordered": (tools_any_order, "1 1 0 0 1 0 0 0 0 1 0 0 1 0 0 0 1 1 0 1 1 1 1"),
    "agentevals subset": (tools_subset, "1 1 1 0 1 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 1 1 1"),
    "agentevals superset": (tools_superset, "1 1 0 1 1 0 1 1 1 1 1 0 1 0 0 0 1 1 0 1 1 1 1"),
    "agentevals superset, of arguments too": (
        lambda: tools_superset(extra=True),
        "1 1 0 1 1 0 1 1 1 1 1 0 1 0 1 0 1 1 0 1 1 1 0",
    ),
    "Ragas ToolCallAccuracy": (
        tools_exact,
        "1 0 0 0 1 0 0 0 0 1 0 0 1 0 1 0.5 0 0 1 0 1 1 0.75",
    ),
    "Ragas ToolCallAccuracy, any order": (
        tools_any_order,
        "1 1 0 0 1 0 0 0 0 1 0 0 1 0 1 0.5 0 0 1 1 1 1 1",
    ),
    "Ragas ToolCallF1": (tool_f1, "1 1 .6667 .6667 1 1 1 1 1 0 0 0 1 0 0 0 1 1 0 1 1 1 1"),
    "DeepEval exact": (tools_exact, "1 0 0 0 1 0 0 0 0 1 0 0 1 0 0 0 1 1 0 0 1 1 0"),
    "DeepEval": (tool_recall, "1 1 0.5 1 0.5 0.5 1 1 1 1 0 0 1 0 0.5 0.5 1 1 0 1 0.5 1 1"),
    "DeepEval ordered": (
        tools_in_order,
        "1 0.5 0.5 1 1 0.5 1 1 1 1 0 0 1 0 0.5 0.5 1 1 0 0.5 1 1 0.5",
    ),
    "promptfoo tool-call-f1": (
        lambda: tool_f1(arguments=False),
        "1 1 .6667 .6667 1 1 1 1 1 x x 0 1 1 1 1 1 1 1 1 1 1 1",
    ),
    "promptfoo tool-sequence in_order": (
        lambda: tools_in_order(arguments=False),
        "1 0 0 1 1 0 1 1 1 x x 0 1 1 1 1 1 1 1 1 1 1 1",
    ),
    "promptfoo tool-sequence exact": (
        lambda: tools_exact(arguments=False),
        "1 0 0 0 1 0 0 0 0 x x 0 1 1 1 1 1 1 1 1 1 1 1",
    ),
    "promptfoo tool-args-match partial": (
        lambda: tool_args("s", contains=_ONE),
        "- - - 1 - - 1 - - - - 0 1 0 1 0 1 0 0 - - 1 -",
    ),
    "promptfoo tool-args-match exact": (
        lambda: tool_args("s", equals=_ONE),
        "- - - 1 - - 1 - - - - 0 1 0 0 0 1 0 0 - - 1 -",
    ),
}

# wrong, each with our answers by the number of the case
Wrong: TypeAlias = dict[str, dict[int, float]]
_BOOLEAN: Wrong = {  # True == 1 in Python, but `true` is not `1` in JSON
    peer: {17: 0} for peer in PEERS if not peer.startswith("promptfoo") and "Accuracy" not in peer
}
_SETS: Wrong = {  # repeats are lost in sets: made twice where once is expected is no 1
    "Ragas ToolCallF1": {5: 2 / 3, 6: 2 / 3, 7: 0.8, 8: 0.8},
    "promptfoo tool-call-f1": {5: 2 / 3, 6: 2 / 3, 7: 0.8, 8: 0.8},
    "DeepEval": {4: 1, 20: 1},  # and the same call twice, as expected, is half wrong
}
_GREEDY: Wrong = {"agentevals superset, of arguments too": {22: 1}}  # the first that fits is taken
_TEXTS: Wrong = {  # values are compared as Python's texts: 1 is "1", 1.0 is not 1
    "Ragas ToolCallAccuracy": {16: 1, 18: 0},
    "Ragas ToolCallAccuracy, any order": {16: 1, 18: 0},
}
_MORE: Wrong = {  # arguments that nobody expects go unseen
    "Ragas ToolCallAccuracy": {14: 0},
    "Ragas ToolCallAccuracy, any order": {14: 0},
}
_NOTHING: Wrong = {  # no call is expected: nothing is missing, and none made is right
    "Ragas ToolCallF1": {9: 1},
    "DeepEval": {10: 1},
    "DeepEval ordered": {10: 1},
    "promptfoo tool-call-f1": {9: 1, 10: 0},
    "promptfoo tool-sequence in_order": {9: 1, 10: 1},
    "promptfoo tool-sequence exact": {9: 1, 10: 0},
}
# not wrong, but another measure: a part for calls in place, or for arguments that are alike
_PARTS: Wrong = {
    "Ragas ToolCallAccuracy": {15: 0, 22: 0},
    "Ragas ToolCallAccuracy, any order": {15: 0},
    "DeepEval": {14: 0, 15: 0},
    "DeepEval ordered": {1: 0, 2: 0, 5: 0, 14: 0, 15: 0, 19: 0, 22: 0},
}
DIFFERENCES: Final = [_BOOLEAN, _SETS, _GREEDY, _TEXTS, _MORE, _NOTHING, _PARTS]


def calls(text: str) -> list[Any]:
    found = re.findall(r"(\w)(\{\S*)?", text)
    return [{"name": name, "args": json.loads(args or "{}")} for name, args in found]


def rows() -> list[Any]:
    told = []
    for expected, made in CASES:
        asked = calls(expected)
        done = [{**call, "args": json.dumps(call["args"]), "state": "ok"} for call in calls(made)]
        one = json.dumps(asked[0]["args"]) if len(asked) == 1 else None
        told.append(
            trace(tool_calls=done, expected_tool_calls=json.dumps(asked), one=one),
        )
    return told


@pytest.mark.parametrize("peer", PEERS)
def test_the_peer_agrees_or_is_wrong(peer: str) -> None:
    check, recorded = PEERS[peer]
    got = score(frame(rows()), [check().named("ours")]).collect()["ours"].to_list()
    ours = {number: value for group in DIFFERENCES for number, value in group.get(peer, {}).items()}
    assert len(got) == len(recorded.split())
    for number, theirs in enumerate(recorded.split()):
        if theirs == "-":
            continue
        assert got[number] == pytest.approx(float(ours.get(number, theirs)), abs=1e-4), number
        if number in ours and theirs != "x":
            assert float(theirs) != ours[number], number


def test_a_peer_raises_where_arguments_are_broken_or_not_expected() -> None:
    """agentevals: JSONDecodeError. DeepEval, of an expected call without arguments: AttributeError.

    Ours: the broken call keeps its name and counts as different; any arguments will do.
    """
    broken = trace(tool_calls=[{"name": "s", "args": "{", "state": "ok"}])
    some = trace(tool_calls=[{"name": "s", "args": '{"a": 1}', "state": "ok"}])
    checks = [tools_exact(calls("s")).named("args"), tools_exact(["s"]).named("names")]
    found = score(frame([broken, some]), checks).collect()
    assert found.select("args", "names").rows() == [(0, 1), (0, 1)]
