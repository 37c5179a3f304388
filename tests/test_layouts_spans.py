"""Spans, runs and observations: synthetic records of each writer, pitfalls, and odd types."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval import ReadLog, read_traces
from batcheval.readers.layouts import layouts
from batcheval.readers.layouts.layout import Piece, Place, Trace
from tests.layout_files import of_lines

NAMES = (
    *("otlp_json", "otel_genai_spans", "openinference_spans", "phoenix_spans", "mlflow"),
    *("langfuse", "langsmith", "braintrust", "deepeval", "langchain_messages"),
)


def traces(name: str, *records: Any, source: str = "a.jsonl") -> list[Trace]:
    return of_lines(name, *records, source=source)


def span(id: str, parent: str | None, start: int, **attributes: Any) -> dict[str, Any]:
    told = {"trace_id": "t", "span_id": id, "parent_span_id": parent, "name": f"span {id}"}
    times = {"start_time": 10**18 + start, "end_time": 10**18 + start + 10}
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    return told | times | {"attributes": named, "status": {"code": "OK"}}


def said(role: str, *parts: dict[str, Any]) -> str:
    return json.dumps([{"role": role, "parts": [*parts]}])


CALL = {"type": "tool_call", "id": "c", "name": "weather", "arguments": {"city": "Oslo"}}
TEXT = {"type": "text", "content": "Sunny."}
CHAT = {
    "gen_ai__operation__name": "chat",
    "gen_ai__usage__input_tokens": 10,
    "gen_ai__usage__output_tokens": 2,
}
ASKS = span("b", "a", 1, **CHAT, gen_ai__output__messages=said("assistant", CALL))
TELLS = span(
    "d",
    "a",
    9,
    **CHAT,
    gen_ai__input__messages=said("tool", {"type": "tool_call_response", "id": "c", "response": 5}),
    gen_ai__output__messages=said("assistant", TEXT),
)
AGENT = span("a", "gone", 0, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="main")
TOOL = span("c", "a", 5, gen_ai__operation__name="execute_tool", gen_ai__tool__name="weather")


def test_a_call_in_three_places_counts_once_and_children_may_come_first() -> None:
    [trace] = traces("otel_genai_spans", TELLS, TOOL, ASKS, AGENT)
    [call] = trace["tool_calls"]
    assert (call["name"], call["id"], call["duration_ms"]) == ("weather", "c", 1e-5)
    assert (trace["output"], trace["total_tokens"]) == ("Sunny.", 24)


def test_without_tool_spans_the_calls_of_outputs_count() -> None:
    [trace] = traces("otel_genai_spans", AGENT, ASKS, TELLS)
    [call] = trace["tool_calls"]
    assert (call["id"], call["args"], call["result"]) == ("c", {"city": "Oslo"}, "5")


def test_a_span_exported_twice_counts_once() -> None:
    [trace] = traces("otel_genai_spans", AGENT, TOOL, TOOL, TELLS, TELLS)
    assert len(trace["tool_calls"]) == 1
    assert trace["input_tokens"] == 10


def test_calls_with_one_id_are_not_merged() -> None:
    again = span("e", "a", 6, gen_ai__operation__name="execute_tool", gen_ai__tool__call__id="c")
    [trace] = traces("otel_genai_spans", AGENT, TOOL, again)
    assert [call["name"] for call in trace["tool_calls"]] == ["weather", "span e"]


def test_a_sub_agents_calls_bear_its_name_and_its_words_are_not_the_output() -> None:
    sub = span("s", "c", 6, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="sub")
    inner = span("i", "s", 7, **CHAT, gen_ai__output__messages=said("assistant", CALL))
    late = span("l", "s", 99, **CHAT, gen_ai__output__messages=said("assistant", TEXT))
    work = span("w", "s", 8, gen_ai__operation__name="execute_tool", gen_ai__tool__name="deep")
    main = ASKS | {
        "attributes": ASKS["attributes"]
        | {"gen_ai.output.messages": said("assistant", {"type": "text", "content": "Main."}, CALL)}
    }
    [trace] = traces("otel_genai_spans", AGENT, main, TOOL, sub, inner, late, work)
    assert [call.get("agent") for call in trace["tool_calls"]] == [None, "sub"]
    assert trace["tool_calls"][1]["parent_id"] == "c"
    assert trace["output"] == "Main."


def test_a_circle_of_parents_ends() -> None:
    circle = [span("x", "y", 0), span("y", "x", 1), span("z", "z", 2)]
    [trace] = traces("otel_genai_spans", *circle)
    assert trace["tool_calls"] == []


def test_errors_are_told_by_the_status_not_by_the_text() -> None:
    failed = TOOL | {"status": {"code": 2, "message": "timeout"}}
    fine = span(
        "e", "a", 6, gen_ai__operation__name="execute_tool", gen_ai__tool__call__result="Error: x"
    )
    [trace] = traces("otel_genai_spans", AGENT, failed, fine)
    first, second = trace["tool_calls"]
    assert (first["is_error"], first["error"]) == (True, "timeout")
    assert "is_error" not in second
    assert "error" not in second


@pytest.mark.parametrize(
    "spelling",
    [
        {"trace_id": "t", "span_id": "c", "parent_id": None, "status_code": "ERROR"},
        {"traceId": "t", "spanId": "c", "status": {"code": "STATUS_CODE_ERROR"}},
        {"context": {"trace_id": "t", "span_id": "c"}, "status": {"status_code": "ERROR"}},
        {"spanContext": {"traceId": "t", "spanId": "c"}, "status": {"code": 2}},
        {"context.trace_id": "t", "context.span_id": "c", "status_code": "StatusCode.ERROR"},
    ],
)
@pytest.mark.parametrize(
    "attributes",
    [
        {"attributes": {"openinference.span.kind": "TOOL", "tool.name": "f"}},
        {"attributes": {"openinference": {"span": {"kind": "TOOL"}}, "tool": {"name": "f"}}},
        {"attributes": '{"openinference.span.kind": "TOOL", "tool.name": "f"}'},
        {"attributes.openinference.span.kind": "TOOL", "attributes.tool.name": "f"},
        {"attributes": {"ai.operationId": "ai.toolCall", "ai.toolCall.name": "f"}},
        {"attributes": {"traceloop.span.kind": "tool", "traceloop.entity.name": "f"}},
        {"span_kind": "TOOL", "attributes": {"tool.name": "f"}},
    ],
)
def test_spellings(spelling: dict[str, Any], attributes: dict[str, Any]) -> None:
    [trace] = traces("openinference_spans", {"name": "n", **spelling, **attributes})
    [call] = trace["tool_calls"]
    assert (trace["trace_id"], call["name"], call["is_error"]) == ("t", "f", True)


def test_numbered_messages_are_in_the_order_of_their_numbers() -> None:
    told = {
        f"llm.input_messages.{n}.message.{key}": value
        for n in (0, 10, 9)
        for key, value in (("role", "user"), ("content", f"m{n}"))
    }
    record = {"span_id": "a", "name": "n", "attributes": {"openinference.span.kind": "LLM", **told}}
    [trace] = traces("openinference_spans", record)
    assert [m["content"] for m in trace["messages"]] == ["m0", "m9", "m10"]
    assert trace["input"] == "m10"


def test_traceloop_numbers_and_events_of_messages() -> None:
    numbered = {
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "Hi",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "Hello",
        "gen_ai.completion.0.tool_calls.0.name": "f",
        "gen_ai.completion.0.tool_calls.0.arguments": "{}",
        "gen_ai.request.model": "m",
    }
    events = [
        {"name": "gen_ai.user.message", "attributes": {"content": "Hi"}},
        {
            "name": "gen_ai.choice",
            "attributes": {"message": '{"content": "Hello", "tool_calls": [{"name": "f"}]}'},
        },
    ]
    spoken = {"span_id": "a", "name": "chat", "attributes": {"gen_ai.operation.name": "chat"}}
    for record in ({**spoken, "attributes": numbered}, {**spoken, "events": events}):
        [trace] = traces("otel_genai_spans", record)
        assert (trace["input"], trace["output"]) == ("Hi", "Hello")
        assert [call["name"] for call in trace["tool_calls"]] == ["f"]


def test_google_adk_keeps_payloads_in_its_own_attributes() -> None:
    request = {"contents": [{"role": "user", "parts": [{"text": "Roll"}]}]}
    response = {"content": {"role": "model", "parts": [{"text": "6", "thought": False}]}}
    model = {
        "span_id": "a",
        "name": "call_llm",
        "attributes": {
            "gen_ai.system": "gcp.vertex.agent",
            "gen_ai.request.model": "g",
            "gcp.vertex.agent.llm_request": json.dumps(request),
            "gcp.vertex.agent.llm_response": json.dumps(response),
        },
    }
    tool = {
        "span_id": "b",
        "name": "execute_tool roll",
        "attributes": {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "roll",
            "gcp.vertex.agent.tool_call_args": '{"sides": 6}',
            "gcp.vertex.agent.tool_response": '{"result": 6}',
        },
    }
    merged = tool | {"span_id": "c"}
    merged["attributes"] = tool["attributes"] | {"gen_ai.tool.name": "(merged tools)"}
    spans = [{"trace_id": "t", "parent_id": None, **s} for s in (model, tool, merged)]
    [trace] = traces("otel_genai_spans", *spans)
    assert (trace["input"], trace["output"]) == ("Roll", "6")
    assert [(c["args"], c["result"]) for c in trace["tool_calls"]] == [
        ('{"sides": 6}', '{"result": 6}')
    ]


def otlp(trace: str) -> dict[str, Any]:
    attributes = [{"key": "gen_ai.usage.input_tokens", "value": {"intValue": "5"}}]
    one = {"traceId": trace, "spanId": "a", "name": "chat", "attributes": attributes}
    return {"resourceSpans": [{"scopeSpans": [{"spans": [one]}]}]}


def test_zeros_are_a_trace_of_their_file() -> None:
    assert len(traces("otlp_json", otlp("0" * 32), otlp("0" * 32))) == 1
    layout = layouts()["otlp_json"]
    keys = {
        piece.key
        for source in ("a", "b")
        for piece in layout.read(otlp("0" * 32), Place(source, 1))
        if isinstance(piece, Piece)
    }
    assert len(keys) == 2


def mlflow(**info: Any) -> dict[str, Any]:
    def one(id: str, parent: str | None, kind: str, given: Any, made: Any) -> dict[str, Any]:
        told = {"spanType": kind, "spanInputs": given, "spanOutputs": made}
        attributes = {f"mlflow.{key}": json.dumps(value) for key, value in told.items()}
        times = {"start_time_unix_nano": 10**18, "end_time_unix_nano": 10**18 + 10**6}
        ids = {"trace_id": "x", "span_id": id, "parent_span_id": parent, "name": f"n{id}"}
        return ids | times | {"attributes": attributes, "status": {"code": "STATUS_CODE_OK"}}

    spans = [
        one("a", None, "AGENT", {"question": "Q?"}, "A."),
        one("b", "a", "TOOL", {"city": "Oslo"}, {"temp": 3}),
    ]
    assessment = {"assessment_name": "ok", "feedback": {"value": True}}
    about = {"trace_id": "tr-1", "state": "OK", "assessments": [assessment], **info}
    return {"info": about, "data": {"spans": spans}}


def test_the_info_of_mlflow_3() -> None:
    """As `Trace.to_dict` writes it: a location, an ISO time, milliseconds under their own name."""
    info = {
        "trace_id": "tr-1",
        "trace_location": {"type": "X", "mlflow_experiment": {"experiment_id": "7"}},
        "request_time": "2025-01-01T00:00:00Z",
        "execution_duration_ms": 250,
        "state": "OK",
        "request_preview": "Hi",
        "response_preview": "Yo",
    }
    [trace] = of_lines("mlflow", {"info": info, "data": {"spans": []}})
    assert (trace["trace_id"], trace["run"], trace["latency_ms"]) == ("tr-1", "7", 250)
    assert (trace["input"], trace["output"]) == ("Hi", "Yo")


def test_enriched_observations_of_langfuse_tell_of_their_trace() -> None:
    row = {"id": "o", "trace_id": "t", "type": "SPAN", "name": "s", "start_time": "2025-01-01"}
    row |= {"output": "Yo", "trace_name": "chat", "user_id": "u", "session_id": "s", "tags": []}
    [trace] = of_lines("langfuse", row)
    assert (trace["trace_id"], trace["output"]) == ("t", "Yo")
    assert trace["metadata"] == {"name": "chat", "user_id": "u", "session_id": "s"}


@pytest.mark.parametrize("id", ["0" * 32, "0x0", "A" * 22 + "=="])
def test_trace_ids_of_zeros_are_none(tmp_path: Path, id: str) -> None:
    """The spans of a file are one trace then, and the user is told."""
    spans = [
        {"trace_id": id, "span_id": n, "name": "chat", "attributes": {"gen_ai.operation.name": "x"}}
        for n in ("a", "b")
    ]
    for name in ("one", "two"):
        text = "".join(json.dumps(span) + "\n" for span in spans[: 1 + (name == "two")])
        (tmp_path / f"{name}.jsonl").write_text(text)
    log = ReadLog()
    table = read_traces(tmp_path, log=log).collect()
    assert table["trace_id"].to_list() == ["one.jsonl:1", "two.jsonl:1"]
    assert (log.nameless, log.copies) == (2, [])


def test_mlflow() -> None:
    whole = mlflow()
    row = {**whole["info"], "trace": json.dumps(whole), "execution_duration": 5, "spans": []}
    for record in (whole, row):
        [trace] = traces("mlflow", record)
        assert (trace["trace_id"], trace["input"], trace["output"]) == ("tr-1", "Q?", "A.")
        assert trace["tool_calls"][0]["args"] == {"city": "Oslo"}
        assert trace["tool_calls"][0]["name"] == "nb"
        assert trace["labels"] == {"ok": True}
    [trace] = traces("mlflow", mlflow(state="ERROR"))
    assert trace["error"] == "error"


def test_langfuse_tables_are_joined_by_trace() -> None:
    trace = {"id": "t", "timestamp": "2025-01-01 00:00:00", "user_id": "u", "public": False}
    tool = {"id": "o", "trace_id": "t", "type": "TOOL", "name": "f", "level": "ERROR"}
    score = {"trace_id": "t", "name": "q", "value": 0.5, "data_type": "NUMERIC", "id": "s"}
    told = {"input": '"Hi"', "output": '{"role": "assistant", "content": "Hello"}'}
    [made] = traces("langfuse", tool, score, {**trace, **told})
    assert (made["trace_id"], made["input"], made["output"]) == ("t", "Hi", "Hello")
    assert made["tool_calls"] == [{"name": "f", "is_error": True}]
    assert made["labels"] == {"q": 0.5}
    assert traces("langfuse", score) == []


def run(**fields: Any) -> dict[str, Any]:
    return {"trace_id": "r", "id": "r", "run_type": "chain", "name": "n", **fields}


def test_langsmith_runs_of_an_export_and_nested_ones() -> None:
    message = {"type": "tool", "content": "sunny", "tool_call_id": "c", "status": "success"}
    tool = run(
        id="x",
        parent_run_id="r",
        run_type="tool",
        name="weather",
        inputs="{\"input\": \"{'city': 'Oslo'}\"}",
        outputs=json.dumps({"output": message}),
    )
    root = run(inputs='{"messages": [["user", "x"]], "question": "Q?"}', outputs='{"output": "A."}')
    for records in ((tool, root), ({**root, "child_runs": [tool]},), ({"post": [root, tool]},)):
        [trace] = traces("langsmith", *records)
        assert (trace["input"], trace["output"]) == ("Q?", "A.")
        [call] = trace["tool_calls"]
        assert (call["id"], call["result"], call["args"]) == ("c", "sunny", "{'city': 'Oslo'}")


def test_langsmith_patch_without_id_or_without_its_post() -> None:
    id = "dc34609e-3eeb-459d-bc2a-6fedb01d2e6e"
    post = {"id": id, "run_type": "llm", "trace_id": id, "inputs": {"prompt": "Hi"}}
    patch = {"dotted_order": f"20241013T070537170001Z{id}", "outputs": {"output": "Hello"}}
    [trace] = traces("langsmith", {"post": [post]}, {"patch": [patch]})
    assert (trace["trace_id"], trace["input"], trace["output"]) == (id, "Hi", "Hello")
    [partial] = traces("langsmith", {"post": [post]})
    assert partial["output"] == ""


def row(id: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "root_span_id": "r", "span_id": id, **fields}


def test_braintrust_rows_amend_earlier_ones() -> None:
    rows = [
        row("r", span_attributes={"name": "task", "type": "task"}, input="Q?", expected="E"),
        row("r", _is_merge=True, output="A.", scores={"good": 1}, metrics={"start": 1.0e9}),
        row("x", span_parents=["r"], span_attributes={"name": "f", "type": "tool"}, error="bad"),
    ]
    [trace] = traces("braintrust", *rows)
    assert (trace["input"], trace["output"], trace["expected"]) == ("Q?", "A.", "E")
    assert trace["tool_calls"] == [{"name": "f", "is_error": True, "error": "bad"}]
    assert trace["labels"] == {"good": 1}


def test_deepeval_cases_in_both_spellings() -> None:
    case = {
        "input": "Q?",
        "actual_output": "A.",
        "expected_output": "E",
        "tools_called": [{"name": "f", "input_parameters": {"a": 1}, "output": 2}],
        "expected_tools": [{"name": "g"}],
        "retrieval_context": ["c"],
    }
    [trace] = traces("deepeval", case)
    assert trace["tool_calls"] == [{"name": "f", "args": {"a": 1}, "result": 2}]
    assert trace["expected_tool_calls"] == [{"name": "g"}]
    turns = [
        {"role": "user", "content": "Q?"},
        {"role": "assistant", "content": "A.", "toolsCalled": [{"name": "f", "output": 2}]},
    ]
    [talk] = traces("deepeval", {"conversationalTestCases": [{"turns": turns}]})
    assert (talk["input"], talk["output"], talk["tool_calls"][0]["result"]) == ("Q?", "A.", 2)


CALLS = [{"name": "f", "args": {}, "id": "c", "type": "tool_call"}]
OLD = {"tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}


@pytest.mark.parametrize(
    "dump",
    [
        lambda kind, body: {"lc": 1, "type": "constructor", "id": [kind], "kwargs": body},
        lambda kind, body: {"type": _SHORT[kind], "data": body},
        lambda kind, body: {"type": _SHORT[kind], **body},
    ],
)
def test_langchain_messages(dump: Any) -> None:
    messages = [
        dump("HumanMessage", {"content": "Q?"}),
        dump("AIMessage", {"content": "", "tool_calls": CALLS, "additional_kwargs": OLD}),
        dump("ToolMessage", {"content": "no", "tool_call_id": "c", "status": "error"}),
        dump("AIMessage", {"content": [{"type": "text", "text": "A."}]}),
    ]
    for records in (messages, [{"messages": messages}], [messages]):
        [trace] = traces("langchain_messages", *records)
        assert (trace["input"], trace["output"]) == ("Q?", "A.")
        [call] = trace["tool_calls"]
        assert (call["name"], call["result"], call["error"]) == ("f", "no", "no")
        assert all(layouts()["langchain_messages"].marks(record) >= 7 for record in records)


def test_calls_in_blocks_and_beside_them_count_once() -> None:
    use = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
    message = {"type": "ai", "content": [{"type": "text", "text": "A."}, use]}
    for told in (message, {**message, "tool_calls": CALLS}):
        [trace] = traces("langchain_messages", {"messages": [told]})
        assert [call["name"] for call in trace["tool_calls"]] == ["f"]
        assert trace["output"] == "A."
    [trace] = traces("langsmith", run(run_type="llm", outputs={"content": [use], "role": "ai"}))
    assert [call["id"] for call in trace["tool_calls"]] == ["c"]


_SHORT = {"HumanMessage": "human", "AIMessage": "ai", "ToolMessage": "tool"}

SAMPLES: dict[str, list[Any]] = {
    "otlp_json": [otlp("a")],
    "otel_genai_spans": [ASKS, TELLS, TOOL, AGENT],
    "mlflow": [mlflow()],
    "langfuse": [
        {"trace": {"id": "t", "input": "x"}, "observations": [{"type": "TOOL", "name": "f"}]},
        {"id": "o", "trace_id": "t", "type": "TOOL", "name": "f", "usage_details": {"input": 1}},
        {"trace_id": "t", "name": "q", "value": 0.5, "data_type": "NUMERIC", "id": "s"},
    ],
    "langsmith": [{"post": [run(outputs={"output": "A."})], "patch": [run(error="x")]}, run()],
    "braintrust": [row("r", metrics={"start": 1.5}), row("r", _is_merge=True, scores={"a": 1})],
    "deepeval": [
        {"testCases": [{"input": "Q", "actualOutput": "A", "trace": {"toolSpans": [{}]}}]}
    ],
    "langchain_messages": [{"messages": [{"type": "ai", "content": "A", "tool_calls": CALLS}]}],
}
ATOMS = (
    *(None, True, 0, -5, 2**70, 1.5, 1e300, "", "x", "[1]", '{"a": 1}', '"x"', "assistant"),
    *("TOOL", "user", '[{"role": "user"}]', "2025-01-01T00:00:00Z", "9" * 40),
)
KEYS = (
    *("role", "content", "parts", "type", "name", "id", "function", "output", "messages"),
    *("tool_calls", "attributes", "key", "value", "kwargs", "lc", "choices", "generations"),
    *("spans", "trace", "arrayValue", "values", "text", "data", "message", "error", "body"),
)


def odd(rng: Random, depth: int = 0) -> Any:
    """Any JSON value, of the words that the layouts look for."""
    kind = rng.random() if depth < 4 else 0
    if kind < 0.5:
        return rng.choice(ATOMS)
    if kind < 0.7:
        return [odd(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    return {rng.choice(KEYS): odd(rng, depth + 1) for _ in range(rng.randint(0, 4))}


def places(value: Any) -> list[tuple[Any, Any]]:
    found, todo = [], [value]
    while todo:
        box = todo.pop()
        if isinstance(box, dict | list):
            keys = [*box] if isinstance(box, dict) else [*range(len(box))]
            found += [(box, key) for key in keys]
            todo += [box[key] for key in keys]
    return found


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_odd_types_never_raise(name: str, seed: int) -> None:
    rng = Random(seed)
    for sample in SAMPLES.get(name, SAMPLES["otel_genai_spans"]):
        record = json.loads(json.dumps(sample))
        for _ in range(rng.randint(1, 3)):
            box, key = rng.choice(places([record]))
            box[key] = odd(rng)
        for value in (record, odd(rng)):
            assert 0 <= layouts()[name].marks(value) <= 10
            try:
                made = traces(name, value, sample)
            except ValueError:
                continue
            json.dumps(made)


@pytest.mark.parametrize("name", NAMES)
def test_lines_that_are_no_objects_are_broken(name: str) -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        traces(name, "massive error")


@pytest.mark.parametrize("name", NAMES)
def test_native_records_are_left_alone(name: str) -> None:
    native = {"trace_id": "t", "input": "Q", "output": "A", "tool_calls": [], "metadata": {}}
    assert layouts()[name].marks(native) <= 3
    assert layouts()[name].marks({"id": 1, "question": "Q", "answer": "A", "context": []}) <= 3


def test_deep_values_do_not_exhaust_the_stack() -> None:
    deep: Any = {"stringValue": "x"}
    for _ in range(500):
        deep = {"kvlistValue": {"values": [{"key": "output", "value": deep}]}}
    record = {"spanId": "a", "name": "n", "attributes": [{"key": "output", "value": deep}]}
    assert len(traces("otlp_json", record)) == 1
