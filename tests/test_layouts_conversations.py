"""Layouts of conversations: what has no file of its own to be seen in, and the pitfalls."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval import read_traces
from batcheval.readers.layouts import layouts
from batcheval.readers.layouts.layout import Trace
from tests.layout_files import of_lines

FAMILY = (
    *("azure_eval", "bfcl", "flat_io", "litellm_log", "llamafactory_v1", "openai_batch"),
    *("openai_chat", "openai_responses", "openjudge_bfcl", "pydantic_evals", "sharegpt"),
    *("swe_agent", "tau2_bench", "tau_bench", "toolbench", "who_and_when"),
)
CALL = {"id": "a", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
CHAT = [
    {"role": "user", "content": "Weather?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "a", "content": "sunny"},
]
SUNNY = {"role": "assistant", "content": "Sunny."}
COMPLETION = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1757015033,
    "model": "gpt",
    "choices": [{"index": 0, "message": SUNNY}],
    "usage": {
        "prompt_tokens": 7,
        "completion_tokens": 2,
        "total_tokens": 9,
        "prompt_tokens_details": {"cached_tokens": 3},
    },
}
ITEMS: list[dict[str, Any]] = [
    {"role": "user", "content": "Weather?"},
    {"type": "function_call", "call_id": "c", "id": "fc", "name": "weather", "arguments": "{}"},
    {
        "type": "function_call_output",
        "call_id": "c",
        "output": [{"type": "input_text", "text": "sunny"}],
    },
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Sunny."}],
    },
]


def made(name: str, *records: Any, source: str = "runs/one.json") -> list[Trace]:
    return of_lines(name, *records, source=source)


def one(name: str, *records: Any) -> Trace:
    (trace,) = made(name, *records)
    return trace


def says(trace: Trace) -> tuple[Any, ...]:
    """Input, output, and name and result of the calls."""
    calls = [(call["name"], call.get("result")) for call in trace["tool_calls"]]
    return trace["input"], trace["output"], calls


WEATHER = ("Weather?", "Sunny.", [("weather", "sunny")])
REPORT = {
    "name": "run",
    "cases": [
        {
            "name": "one",
            "inputs": {"question": "Weather?"},
            "output": "Sunny.",
            "expected_output": "Rain.",
            "assertions": {"Same": {"name": "Same", "value": False, "reason": "no"}},
            "scores": {"close": {"name": "close", "value": 0.5}},
            "metrics": {"input_tokens": 7, "cost": 0.5},
            "task_duration": 1.5,
            "trace_id": "shared",
        }
    ],
    "failures": [{"name": "two", "inputs": 5, "error_message": "boom", "error_stacktrace": "…"}],
}
RUN_STATE = {
    "$schemaVersion": "1.16",
    "original_input": "Weather?",
    "context": {"usage": {"input_tokens": 7, "input_tokens_details": [{"cached_tokens": 3}]}},
    "current_step": {
        "type": "next_step_interruption",
        "data": {"interruptions": [{"raw_item": {"call_id": "d", "type": "function_call"}}]},
    },
    "generated_items": [
        {"agent": {"name": "boss"}, "type": "tool_call_item", "raw_item": ITEMS[1]},
        {"agent": {"name": "boss"}, "type": "tool_call_output_item", "raw_item": ITEMS[2]},
        {"agent": {"name": "aide"}, "type": "message_output_item", "raw_item": ITEMS[3]},
        {"agent": {"name": "aide"}, "raw_item": ITEMS[1] | {"call_id": "d", "name": "send"}},
    ],
}
SIMULATION = {
    "id": "s1",
    "task_id": "7",
    "trial": 1,
    "termination_reason": "user_stop",
    "agent_cost": 0.25,
    "duration": 2.0,
    "reward_info": {"reward": 1.0},
    "messages": [
        {
            "role": "assistant",
            "content": "Hi!",
            "usage": {"prompt_tokens": 4, "completion_tokens": 1},
        },
        {"role": "user", "content": "Weather?"},
        {
            "role": "user",
            "content": None,
            "tool_calls": [{"id": "u", "name": "look", "arguments": {}, "requestor": "user"}],
        },
        {"role": "tool", "id": "u", "content": "blue", "requestor": "user", "error": False},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "a", "name": "weather", "arguments": {}, "requestor": "assistant"},
                {"id": "b", "name": "wind", "arguments": {}, "requestor": "assistant"},
            ],
            "usage": {"prompt_tokens": 8, "completion_tokens": 2},
        },
        {
            "role": "tool",
            "tool_messages": [
                {"role": "tool", "id": "b", "content": "no such", "error": True},
                {"role": "tool", "id": "a", "content": "sunny", "error": False},
            ],
        },
        {"role": "assistant", "content": "Sunny."},
    ],
}
TAU2 = {
    "info": {"agent_info": {"llm": "gpt"}},
    "tasks": [
        {
            "id": "7",
            "evaluation_criteria": {
                "actions": [
                    {"name": "weather", "arguments": {"at": 1}, "requestor": "assistant"},
                    {"name": "look", "arguments": {}, "requestor": "user"},
                ],
                "communicate_info": ["18"],
            },
        }
    ],
    "simulations": [SIMULATION],
}


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("openai_chat", {"messages": [*CHAT, SUNNY]}),
        ("openai_chat", {"messages": json.dumps([*CHAT, SUNNY])}),
        ("openai_chat", {"prompt": CHAT, "response": COMPLETION}),
        ("openai_chat", {"prompt": CHAT, "response": "Sunny."}),
        ("openai_chat", {"input": {"messages": CHAT}, "preferred_output": [SUNNY]}),
        ("openai_chat", {"prompt": CHAT, "chosen": [SUNNY], "rejected": [SUNNY]}),
        ("openai_chat", {"chosen": [*CHAT, SUNNY], "rejected": "no"}),
        ("litellm_log", {"messages": CHAT, "response": COMPLETION, "call_type": "acompletion"}),
        ("litellm_log", {"messages": json.dumps(CHAT), "response": json.dumps(COMPLETION)}),
        ("openai_responses", ITEMS),
        ("openai_responses", {"items": ITEMS}),
        ("openai_responses", {"object": "response", "input": "Weather?", "output": ITEMS[1:]}),
        ("azure_eval", {"query": "Weather?", "response": [*CHAT[1:], SUNNY]}),
        ("tau_bench", {"traj": [*CHAT, SUNNY], "reward": 1.0}),
        ("tau_bench", {"traj": json.dumps([*CHAT, SUNNY]), "reward": 1.0}),
        ("swe_agent", {"trajectory_format": "mini-swe-agent-1.1", "messages": [*CHAT, SUNNY]}),
        (
            "swe_agent",
            {
                "trajectory": [],
                "history": [
                    {"role": "user", "content": "Demo", "is_demo": True},
                    {"role": "assistant", "tool_calls": [CALL], "is_demo": True},
                    *CHAT[:2],
                    {"role": "tool", "content": "sunny", "tool_call_ids": ["a"]},
                    SUNNY,
                ],
            },
        ),
        (
            "sharegpt",
            {
                "messages": [
                    CHAT[0],
                    {"role": "tool_call", "content": '{"name": "weather", "arguments": {}}'},
                    {"role": "tool_response", "content": "sunny"},
                    SUNNY,
                ]
            },
        ),
        (
            "sharegpt",
            {
                "conversations": [
                    {"from": "human", "value": "Weather?"},
                    {"from": "function_call", "value": '[{"name": "weather"}]'},
                    {"from": "observation", "value": "sunny"},
                ],
                "chosen": {"from": "gpt", "value": "Sunny."},
                "rejected": {"from": "gpt", "value": "Rain."},
            },
        ),
        (
            "llamafactory_v1",
            {
                "messages": [
                    {"role": "user", "content": [{"type": "text", "value": "Weather?"}]},
                    {
                        "role": "assistant",
                        "content": [{"type": "tool_call", "value": '{"name": "weather"}'}],
                    },
                    {"role": "tool", "content": [{"type": "tool_result", "value": "sunny"}]},
                    {
                        "role": "assistant",
                        "content": [
                            {"type": "reasoning", "value": "hm"},
                            {"type": "text", "value": "Sunny."},
                        ],
                    },
                ]
            },
        ),
    ],
)
def test_one_story_in_many_spellings(name: str, record: Any) -> None:
    assert says(one(name, record)) == WEATHER
    marks = {other: layouts()[other].marks(record) for other in FAMILY}
    assert marks[name] == max(marks.values()) >= 5


def test_files_of_messages_and_of_items() -> None:
    assert says(one("openai_chat", *CHAT, SUNNY)) == WEATHER
    assert says(one("openai_responses", *ITEMS)) == WEATHER
    assert one("openai_chat", *CHAT)["trace_id"] == "one"


def test_completion() -> None:
    trace = one("openai_chat", COMPLETION)
    assert (trace["trace_id"], trace["output"], trace["started_at"]) == (
        *("chatcmpl-1", "Sunny."),
        1757015033,
    )
    tokens = [trace[f"{kind}_tokens"] for kind in ("input", "output", "total", "cached")]
    assert tokens == [7, 2, 9, 3]


def test_preference_keeps_what_was_rejected() -> None:
    record = {"prompt": "Weather?", "chosen": "Sunny.", "rejected": "Rain."}
    trace = one("openai_chat", record)
    assert says(trace) == ("Weather?", "Sunny.", [])
    assert trace["metadata"]["rejected"] == "Rain."


def test_one_id_for_two_calls() -> None:
    twice = [
        CHAT[0],
        *CHAT[1:],
        {"role": "assistant", "tool_calls": [CALL]},
        {**CHAT[2], "content": "rain"},
    ]
    assert says(one("openai_chat", {"messages": twice}))[2] == [
        ("weather", "sunny"),
        ("weather", "rain"),
    ]


def test_result_without_a_call_and_call_without_a_result() -> None:
    assert says(one("openai_chat", {"messages": CHAT[2:]}))[2] == []
    call = one("openai_chat", {"messages": CHAT[:2]})["tool_calls"][0]
    assert "result" not in call
    assert "state" not in call


def test_agents_sdk_run_state() -> None:
    trace = one("openai_responses", RUN_STATE)
    assert says(trace) == ("Weather?", "Sunny.", [("weather", "sunny"), ("send", None)])
    assert [call["agent"] for call in trace["tool_calls"]] == [None, "aide"]
    assert trace["tool_calls"][1]["state"] == "approval-requested"
    assert trace["cached_tokens"] == 3


def test_errors_of_responses() -> None:
    output = [
        {"type": "mcp_call", "id": "m", "name": "ask", "error": {"message": "no"}, "output": None},
        {"type": "web_search_call", "id": "w", "status": "failed", "action": {"query": "q"}},
        {
            "type": "code_interpreter_call",
            "id": "i",
            "code": "1",
            "outputs": [],
            "status": "completed",
        },
        {"type": "function_call", "call_id": "f", "name": "g", "status": "in_progress"},
    ]
    record = {
        "object": "response",
        "id": "r",
        "status": "failed",
        "error": {"code": "x"},
        "output": output,
    }
    trace = one("openai_responses", record)
    calls = trace["tool_calls"]
    assert trace["error"] == {"code": "x"}
    assert [call["name"] for call in calls] == ["ask", "web_search", "code_interpreter", "g"]
    assert [bool(call.get("is_error")) for call in calls] == [True, True, False, False]
    assert calls[3]["state"] == "in_progress"
    assert calls[2]["result"] == []


def test_batch_output_meets_its_input() -> None:
    asked = {"custom_id": "a", "method": "POST", "url": "/v1", "body": {"messages": CHAT}}
    answer = {"custom_id": "a", "response": {"status_code": 200, "body": COMPLETION}, "error": None}
    failed = {"custom_id": "b", "response": None, "error": {"code": "batch_expired"}}
    again = {**answer, "id": "retry"}
    short = {"custom_id": "a", "body": {"messages": CHAT}}  # as services like OpenAI's have it
    assert {layouts()["openai_batch"].marks(line) for line in (asked, answer, failed, short)} == {
        10
    }
    traces = made("openai_batch", answer, failed, asked, again)
    assert [trace["trace_id"] for trace in traces] == ["a", "a", "b"]
    assert says(traces[0]) == says(traces[1]) == WEATHER
    assert traces[2]["error"] == {"code": "batch_expired"}
    assert traces[0].get("error") is None
    body = {"object": "response", "output": ITEMS[1:]}
    trace = one("openai_batch", {"custom_id": "c", "response": {"body": body}})
    assert says(trace) == ("", *WEATHER[1:])


def test_tau2() -> None:
    trace = one("tau2_bench", TAU2)
    assert says(trace) == ("Weather?", "Sunny.", [("weather", "sunny"), ("wind", "no such")])
    assert [bool(call.get("is_error")) for call in trace["tool_calls"]] == [False, True]
    assert trace["expected_tool_calls"] == [{"name": "weather", "args": {"at": 1}}]
    assert (trace["expected"], trace["latency_ms"], trace["model"]) == ("18", 2000.0, "gpt")
    assert (trace["input_tokens"], trace["output_tokens"]) == (12, 3)
    assert one("tau2_bench", SIMULATION)["trial"] == 1


def test_tau_run_that_broke() -> None:
    record = {"task_id": 1, "trial": 0, "reward": 0.0, "info": {"error": "boom"}, "traj": []}
    trace = one("tau_bench", record)
    assert (trace["trace_id"], trace["error"], trace["output"]) == ("1/0", "boom", "")


def test_azure_counts_the_response_alone() -> None:
    part = {"type": "tool_call", "tool_call_id": "a", "name": "weather", "arguments": {}}
    other = {**part, "tool_call_id": "b", "name": "wind"}
    results = [
        {
            "role": "tool",
            "tool_call_id": id,
            "content": [{"type": "tool_result", "tool_result": said}],
        }
        for id, said in (("b", {"knots": 3}), ("a", "sunny"))
    ]
    response = [{"role": "assistant", "content": [part, other]}, *results, SUNNY]
    trace = one("azure_eval", {"query": [*CHAT, SUNNY, CHAT[0]], "response": response})
    assert says(trace) == ("Weather?", "Sunny.", [("weather", "sunny"), ("wind", {"knots": 3})])


def test_swe_agent_steps_are_calls() -> None:
    steps = [{"action": "ls -F\n", "observation": "a.py", "execution_time": 0.5}, {"action": " "}]
    record = {
        "trajectory": steps,
        "history": [CHAT[0], SUNNY],
        "info": {"exit_status": "exit_cost"},
    }
    trace = one("swe_agent", record)
    assert says(trace) == ("Weather?", "Sunny.", [("ls", "a.py")])
    assert trace["tool_calls"][0]["duration_ms"] == 500.0
    assert trace["error"] == "exit_cost"


def test_malformed_calls_stay() -> None:
    turns = [{"from": "function_call", "value": "{'name': broken"}]
    (call,) = one("sharegpt", {"conversations": turns})["tool_calls"]
    assert (call["name"], call["args"]) == (None, "{'name': broken")
    with pytest.raises(ValueError, match="no turns"):
        made("sharegpt", {"conversations": [], "tools": "[]"})


def test_bfcl_results_meet_question_and_truth() -> None:
    question = {"id": "x_0", "question": [[CHAT[0]]], "function": [{"name": "weather"}]}
    result = {
        "id": "x_0",
        "result": [[[{"weather": '{"at": 1}'}, {"wind": {}}], ["Sunny."]]],
        "input_token_count": [[3, 4]],
        "latency": [[0.5], [0.5]],
    }
    truth = {"id": "x_0", "ground_truth": [{"weather": {"at": [1]}}]}
    trace = one("bfcl", result, truth, question)
    assert says(trace) == ("Weather?", "Sunny.", [("weather", None), ("wind", None)])
    assert (trace["input_tokens"], trace["latency_ms"]) == (7, 1000.0)
    assert trace["expected"] == truth["ground_truth"]
    assert made("bfcl", truth) == []
    text = one("bfcl", {"id": 3, "result": "[weather(at=1)]", "latency": 1})
    assert (text["trace_id"], text["output"], text["tool_calls"]) == ("3", "[weather(at=1)]", [])


def test_toolbench_goes_through_all_branches() -> None:
    def action(name: str, observation: str, *below: Any) -> dict[str, Any]:
        result = {"node_type": "Action Input", "description": "{}", "observation": observation}
        done = {**result, "children": list(below)}
        return {"node_type": "Action", "description": name, "children": [done]}

    dead = action("wind", '{"error": "gone", "response": ""}')
    good = action(
        "weather", "sunny", {"node_type": "Thought", "description": "Ah.", "children": []}
    )
    final = json.dumps({"return_type": "give_answer", "final_answer": "Sunny."})
    record = {
        "tree": {"tree": {"node_type": "Action Input", "children": [dead, good]}},
        "answer_generation": {"query": "Weather?", "final_answer": final},
    }
    trace = one("toolbench", record)
    assert [(c["name"], c.get("error")) for c in trace["tool_calls"]] == [
        ("wind", "gone"),
        ("weather", None),
    ]
    assert (trace["input"], trace["output"]) == ("Weather?", "Sunny.")


def test_tooleval_calls_printed_by_python() -> None:
    node = {
        "role": "tool",
        "message": str({"name": "weather", "arguments": "{}", "response": "sunny"}),
    }
    answer = {"final_answer": "Sunny.", "answer_details": [{"role": "user", "next": [node]}]}
    trace = one("toolbench", {"q1": {"query": "Weather?", "answer": answer}})
    assert says(trace) == WEATHER
    assert trace["trace_id"] == "q1"


def test_pydantic_evals() -> None:
    good, bad = made("pydantic_evals", REPORT)
    assert (good["trace_id"], good["run"], good["input"]) == ("one", "run", "Weather?")
    assert good["labels"] == {"Same": False, "close": 0.5}
    assert (good["latency_ms"], good["cost"], good["input_tokens"]) == (1500.0, 0.5, 7)
    assert (bad["trace_id"], bad["error"], bad["output"], bad["input"]) == ("two", "boom", "", "5")
    assert layouts()["pydantic_evals"].marks(REPORT) == 10


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"prompt": "q", "article": "a"}, ("q", "a", None)),
        ({"Question": "q", "Model Output": "a", "Ideal": "e"}, ("q", "a", "e")),
        ({"question": "q", "answer": "e", "prediction": "a"}, ("q", "a", "e")),
        ({"question": "q", "answer": "e", "response": "a"}, ("q", "a", "e")),
        ({"userInput": "q", "actualOutput": "a", "label": 1}, ("q", "a", 1)),
        ({"instruction": "q", "output": "a"}, ("q", "a", None)),
    ],
)
def test_flat_rows(row: dict[str, Any], told: tuple[Any, ...]) -> None:
    trace = one("flat_io", row)
    assert tuple(map(trace.get, ("input", "output", "expected"))) == told
    assert layouts()["flat_io"].marks(row) >= 4


def test_flat_rows_keep_the_rest() -> None:
    trace = one("flat_io", {"id": 1, "prompt": "q", "article": "a", "model": "gpt", "lang": "en"})
    assert (trace["trace_id"], trace["model"], trace["metadata"]) == (1, "gpt", {"lang": "en"})


NATIVE = {"trace_id": "t", "input": "q", "output": "a", "tool_calls": [], "expected": "a"}


@pytest.mark.parametrize(
    "record",
    [NATIVE, {**NATIVE, "messages": CHAT}, {"id": 1, "prompt": "q", "response": "a"}, {"a": 1}],
)
def test_native_records_are_left_alone(record: Any) -> None:
    assert max(layouts()[name].marks(record) for name in FAMILY) <= 3


def test_anthropic_messages_are_not_items() -> None:
    said = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hi"}]}
    assert layouts()["openai_responses"].marks(said) == 0


def test_native_reader_takes_what_layouts_make(tmp_path: Path) -> None:
    found = [
        *made("openai_responses", RUN_STATE, *ITEMS),
        *made("tau2_bench", TAU2),
        *made("pydantic_evals", REPORT),
        *made("sharegpt", {"conversations": [{"from": "function_call", "value": "{"}]}),
    ]
    path = tmp_path / "made.jsonl"
    path.write_text("\n".join(map(json.dumps, found)), encoding="utf-8")
    traces = read_traces(path).collect()
    states = traces["tool_calls"].list.eval(pl.element().struct["state"]).to_list()
    assert states[0] == ["ok", "pending"]
    assert ["ok", "error"] in states
    assert traces["latency_ms"].to_list()[2:4] == [2000.0, 1500.0]


KEYS = (
    *("messages", "role", "content", "from", "value", "tool_calls", "function", "name", "id"),
    *("arguments", "type", "output", "object", "response", "choices", "message", "usage", "items"),
    *("query", "traj", "info", "task", "actions", "simulations", "tasks", "task_id", "result"),
    *("termination_reason", "history", "trajectory", "action", "answer_generation", "tree"),
    *("children", "node_type", "description", "observation", "answer", "answer_details", "next"),
    *("parameters", "cases", "inputs", "scores", "metrics", "conversations", "custom_id", "body"),
    *("$schemaVersion", "generated_items", "raw_item", "agent", "call_id", "error", "status"),
    *("prompt", "article", "expected", "chosen", "rejected", "question", "latency", "toolUse"),
    *("context", "evaluation_criteria", "tool_call_ids", "current_step", "url", "question_ID"),
    *("assertions", "task_duration", "failures", "trys", "chain", "text", "prompt_tokens"),
    *("is_demo", "tool_messages", "requestor", "timestamp", "latency_sec", "final_answer"),
)
WORDS = (
    *("assistant", "user", "tool", "tool_call", "function_call", "function_call_output"),
    *("mcp_call", "message", "response", "Action", "Action Input", "Thought", "text"),
    *("tool_result", "tool_use", "gpt", "observation", '{"name": "f"}', "[1]", "{'a': 1}", "{"),
)
SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.sampled_from(WORDS)
JSON = st.recursive(
    SCALARS | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=20,
)


@settings(max_examples=100, deadline=None)
@given(records=st.lists(JSON, min_size=1, max_size=3))
def test_odd_types_anywhere(records: list[Any]) -> None:
    for name in FAMILY:
        layout = layouts()[name]
        assert all(0 <= layout.marks(record) <= 10 for record in records)
        try:
            json.dumps(made(name, *records))
        except ValueError:
            continue


def _break(value: Any, odd: Any, place: int) -> tuple[Any, int]:
    """A copy of a value in which the part at a place is another, and the places that are left."""
    if place == 0:
        return odd, -1
    place -= 1
    if isinstance(value, dict):
        copy: dict[str, Any] = {}
        for key, part in value.items():
            copy[key], place = (part, place) if place < 0 else _break(part, odd, place)
        return copy, place
    if isinstance(value, list):
        parts = []
        for part in value:
            made_part, place = (part, place) if place < 0 else _break(part, odd, place)
            parts.append(made_part)
        return parts, place
    return value, place


WHOLE: list[tuple[str, Any]] = [
    ("openai_chat", {"messages": [*CHAT, SUNNY], **COMPLETION}),
    ("litellm_log", {"messages": CHAT, "response": COMPLETION, "timestamp": 1.5, "latency_sec": 1}),
    ("openai_responses", {"object": "response", "input": ITEMS, "output": ITEMS, "usage": {}}),
    ("openai_responses", RUN_STATE),
    ("openai_batch", {"custom_id": "a", "response": {"body": COMPLETION}, "error": None}),
    ("tau2_bench", TAU2),
    ("pydantic_evals", REPORT),
    ("azure_eval", {"query": CHAT, "response": [*CHAT, SUNNY], "ground_truth": "x"}),
    ("swe_agent", {"trajectory": [{"action": "ls"}], "history": CHAT, "info": {"model_stats": {}}}),
    ("who_and_when", {"history": [{"content": "a", "role": "b"}], "question_ID": "q"}),
    ("openjudge_bfcl", {"parameters": {"query": [{"message": CHAT[0]}], "tool_calls": [CALL]}}),
    ("bfcl", {"id": "a", "result": [[{"f": "{}"}]], "latency": [[1]], "question": [[CHAT[0]]]}),
]


@pytest.mark.parametrize("odd", [None, 1, "x", "", [], {}, [1], {"a": 1}, [[{}]], True])
@pytest.mark.parametrize(("name", "record"), WHOLE)
def test_any_part_may_be_of_another_type(name: str, record: Any, odd: Any) -> None:
    place, left = 0, -1
    while left < 0:
        broken, left = _break(record, odd, place)
        place += 1
        for other in FAMILY:
            assert 0 <= layouts()[other].marks(broken) <= 10
        try:
            json.dumps(made(name, broken))
        except ValueError:
            continue
