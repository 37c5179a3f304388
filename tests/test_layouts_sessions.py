"""Sessions and messages of agents: made-up records, a layout each, and the pitfalls of the wild."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import batcheval
from batcheval import Rules, read_traces
from batcheval.readers.layouts import layouts
from batcheval.readers.layouts.layout import Piece, Place, Trace
from tests.layout_files import of_lines

SOURCE = "runs/session-1.jsonl"


def read(name: str, *records: Any, source: str = SOURCE) -> list[Trace]:
    return of_lines(name, *copy.deepcopy(records), source=source)


def one(name: str, *records: Any, source: str = SOURCE) -> Trace:
    (trace,) = read(name, *records, source=source)
    return trace


def claude(role: str, *blocks: Any, id: str | None = None, **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": list(blocks), **({"id": id} if id else {})}
    usage = {"usage": {"input_tokens": 1, "output_tokens": 2}} if role == "assistant" else {}
    return {"type": role, "sessionId": "s", "message": message | usage, **more}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def use(id: Any, name: str = "Bash", **args: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": args}


def result(id: Any, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


# Records of each layout that the layout says are its own, whose calls are named, and whose output
# is the text.
RECORDS: dict[str, tuple[list[Any], list[str], str]] = {
    "anthropic_messages": (
        [
            {
                "type": "message",
                "role": "assistant",
                "id": "msg_1",
                "stop_reason": "end_turn",
                "usage": {"input_tokens": 5, "cache_read_input_tokens": 10, "output_tokens": 1},
                "content": [
                    {"type": "server_tool_use", "id": "a", "name": "web_search", "input": {}},
                    {
                        "type": "web_search_tool_result",
                        "tool_use_id": "a",
                        "content": {"type": "web_search_tool_result_error", "error_code": "x"},
                    },
                    text("Nothing."),
                ],
            }
        ],
        ["web_search"],
        "Nothing.",
    ),
    "anthropic_managed": (
        [
            ["client.beta.sessions.create", {"id": "sesn_1", "agent": {"model": {"id": "m"}}}],
            [
                "client.beta.sessions.events.send",
                ["sesn_1", {"events": [{"type": "user.message", "content": [text("Hi")]}]}],
            ],
            [
                "client.beta.sessions.events.stream",
                {"type": "user.message", "id": "e1", "content": [text("Hi")]},
            ],
            [
                "client.beta.sessions.events.stream",
                {"type": "agent.tool_use", "id": "e2", "name": "bash", "input": {"command": "ls"}},
            ],
            [
                "client.beta.sessions.events.stream",
                {"type": "agent.tool_result", "id": "e3", "tool_use_id": "e2", "is_error": True},
            ],
            [
                "client.beta.sessions.events.stream",
                {"type": "agent.message", "id": "e4", "content": [text("Done.")]},
            ],
        ],
        ["bash"],
        "Done.",
    ),
    "claude_agent_sdk": (
        [
            {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/p", "model": "m"},
            {
                "type": "assistant",
                "session_id": "s",
                "message": {"id": "m1", "role": "assistant", "content": [use("a", "Write")]},
            },
            {
                "type": "user",
                "session_id": "s",
                "message": {"role": "user", "content": [result("a", "no", is_error=True)]},
            },
            {
                "type": "result",
                "subtype": "success",
                "is_error": False,
                "duration_ms": 12,
                "num_turns": 1,
                "result": "Not allowed.",
                "total_cost_usd": 0.1,
                "permission_denials": [{"tool_name": "Write", "tool_use_id": "a"}],
            },
        ],
        ["Write"],
        "Not allowed.",
    ),
    "claude_code": (
        [
            claude("user", text("Go"), uuid="u1"),
            claude("assistant", use("a", "Bash"), uuid="u2", id="m1"),
            claude("user", result("a", [text("ok")]), uuid="u3"),
            claude("assistant", text("Done."), uuid="u4", id="m2"),
            {"type": "summary", "summary": "s", "leafUuid": "u4"},
        ],
        ["Bash"],
        "Done.",
    ),
    "codex_rollout": (
        [
            {"timestamp": "t", "type": "session_meta", "payload": {"id": "c1", "cwd": "/p"}},
            {"timestamp": "t", "type": "turn_context", "payload": {"model": "m"}},
            {
                "timestamp": "t",
                "type": "event_msg",
                "payload": {"type": "user_message", "message": "Go"},
            },
            {
                "timestamp": "t",
                "type": "response_item",
                "payload": {
                    "type": "function_call",
                    "name": "shell",
                    "arguments": "{}",
                    "call_id": "a",
                },
            },
            {
                "timestamp": "t",
                "type": "response_item",
                "payload": {
                    "type": "function_call_output",
                    "call_id": "a",
                    "output": '{"output":"boo","metadata":{"exit_code":1,"duration_seconds":0.5}}',
                },
            },
            {
                "timestamp": "t",
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "Failed."}],
                },
            },
        ],
        ["shell"],
        "Failed.",
    ),
    "pi_session": (
        [
            {"type": "session", "id": "p1", "timestamp": "t", "cwd": "/p"},
            {
                "type": "message",
                "timestamp": "t",
                "message": {"role": "user", "content": [text("Go")]},
            },
            {
                "type": "message",
                "timestamp": "t",
                "message": {
                    "role": "assistant",
                    "model": "m",
                    "content": [
                        text("Reading."),
                        {"type": "toolCall", "id": "a", "name": "read", "arguments": {}},
                    ],
                    "usage": {"input": 1, "output": 2, "cacheRead": 3, "cost": {"total": 0.5}},
                    "stopReason": "aborted",
                    "errorMessage": "Request was aborted",
                },
            },
            {
                "type": "message",
                "timestamp": "t",
                "message": {
                    "role": "toolResult",
                    "toolCallId": "a",
                    "toolName": "read",
                    "content": [text("no such file")],
                    "isError": True,
                },
            },
        ],
        ["read"],
        "Reading.",
    ),
    "opencode": (
        [
            {
                "type": "tool_use",
                "timestamp": 1774712786456,
                "sessionID": "ses_1",
                "part": {
                    "type": "tool",
                    "callID": "a",
                    "tool": "bash",
                    "state": {
                        "status": "error",
                        "input": {},
                        "error": "boo",
                        "time": {"start": 1774712787248, "end": 1774712787904},
                    },
                },
            },
            {
                "type": "text",
                "sessionID": "ses_1",
                "part": {"type": "text", "text": "It failed."},
            },
            {
                "type": "step_finish",
                "sessionID": "ses_1",
                "part": {
                    "type": "step-finish",
                    "cost": 0.25,
                    "tokens": {"input": 2, "output": 3, "cache": {"read": 10, "write": 5}},
                },
            },
        ],
        ["bash"],
        "It failed.",
    ),
    "kimi": (
        [
            {"type": "metadata", "protocol_version": "1.4", "created_at": 1},
            {
                "type": "context.append_message",
                "message": {
                    "role": "user",
                    "content": [text("Go")],
                    "toolCalls": [],
                    "origin": {"kind": "user"},
                },
                "time": 1782295300000,
            },
            {
                "type": "context.append_loop_event",
                "event": {
                    "type": "tool.call",
                    "toolCallId": "a",
                    "name": "Shell",
                    "args": '{"command":"ls"}',
                },
                "time": 1782295300000,
            },
            {
                "type": "context.append_loop_event",
                "event": {
                    "type": "tool.result",
                    "toolCallId": "a",
                    "result": {"output": "boo", "isError": True},
                },
                "time": 1782295301000,
            },
            {
                "type": "context.append_loop_event",
                "event": {"type": "content.part", "part": {"type": "text", "text": "It failed."}},
            },
            {
                "type": "usage.record",
                "model": "k",
                "usage": {"inputOther": 10, "output": 2, "inputCacheRead": 4},
            },
        ],
        ["Shell"],
        "It failed.",
    ),
    "claude_replay": (
        [
            {
                "index": 1,
                "user_text": "Go",
                "blocks": [
                    {"kind": "tool_use", "tool_call": {"name": "Bash", "input": {}, "result": "x"}},
                    {"kind": "text", "text": "Done."},
                ],
            }
        ],
        ["Bash"],
        "Done.",
    ),
    "bedrock_converse": (
        [
            {
                "one": {
                    "messages": [
                        {"role": "user", "content": [{"text": "Hi"}]},
                        {
                            "role": "assistant",
                            "content": [{"toolUse": {"toolUseId": "a", "name": "t", "input": {}}}],
                        },
                        {
                            "role": "user",
                            "content": [
                                {
                                    "toolResult": {
                                        "toolUseId": "a",
                                        "status": "error",
                                        "content": [{"json": {"x": 1}}],
                                    }
                                }
                            ],
                        },
                        {"role": "assistant", "content": [{"text": "Sorry."}]},
                    ]
                }
            }
        ],
        ["t"],
        "Sorry.",
    ),
    "mastra": (
        [
            {
                "id": "2",
                "role": "assistant",
                "thread_id": "th",
                "createdAt": "2026-03-04T00:00:02Z",
                "content": json.dumps(
                    {
                        "format": 2,
                        "parts": [
                            {
                                "type": "tool-invocation",
                                "toolInvocation": {
                                    "state": "result",
                                    "toolCallId": "a",
                                    "toolName": "t",
                                    "args": {},
                                    "result": "no",
                                    "isError": True,
                                },
                            },
                            text("Sorry."),
                        ],
                        "toolInvocations": [
                            {"state": "result", "toolCallId": "a", "toolName": "t", "args": {}}
                        ],
                    }
                ),
                "type": "text",
            },
            {
                "id": "1",
                "role": "user",
                "thread_id": "th",
                "createdAt": "2026-03-04T00:00:01Z",
                "content": '{"format":2,"parts":[{"type":"text","text":"Hi"}]}',
                "type": "text",
            },
        ],
        ["t"],
        "Sorry.",
    ),
    "ui_message": (
        [
            {
                "messages": [
                    {"id": "1", "role": "user", "parts": [text("Hi")]},
                    {
                        "id": "2",
                        "role": "assistant",
                        "parts": [
                            {
                                "type": "tool-get-time",
                                "toolCallId": "a",
                                "state": "output-error",
                                "rawInput": "{}",
                                "errorText": "boo",
                            },
                            text("Sorry, "),
                            {"type": "step-start"},
                            text("no."),
                        ],
                    },
                ]
            }
        ],
        ["get-time"],
        "Sorry, no.",
    ),
    "ui_message_stream": (
        [
            {"type": "start", "messageId": "m"},
            {"type": "tool-input-start", "toolCallId": "a", "toolName": "t"},
            {"type": "tool-input-available", "toolCallId": "a", "toolName": "t", "input": {}},
            {"type": "tool-output-error", "toolCallId": "a", "errorText": "boo"},
            {"type": "text-start", "id": "0"},
            {"type": "text-delta", "id": "0", "delta": "Well"},
            {"type": "text-end", "id": "0"},
            {"type": "text-start", "id": "0"},
            {"type": "text-delta", "id": "0", "delta": "Sor"},
            {"type": "text-delta", "id": "0", "delta": "ry."},
        ],
        ["t"],
        "Sorry.",
    ),
    "adk": (
        [
            {
                "id": "s1",
                "appName": "app",
                "userId": "u",
                "events": [
                    {
                        "author": "user",
                        "invocationId": "i",
                        "content": {"role": "user", "parts": [{"text": "Hi"}]},
                    },
                    {
                        "author": "root",
                        "invocationId": "i",
                        "timestamp": 1741218414.9,
                        "content": {"parts": [{"functionCall": {"name": "t", "args": {}}}]},
                    },
                    {
                        "author": "root",
                        "invocationId": "i",
                        "content": {
                            "parts": [{"functionResponse": {"name": "t", "response": {"r": 1}}}]
                        },
                    },
                    {
                        "author": "helper",
                        "invocationId": "i",
                        "content": {"parts": [{"functionCall": {"name": "u", "args": {}}}]},
                    },
                    {
                        "author": "root",
                        "partial": True,
                        "invocationId": "i",
                        "content": {"parts": [{"text": "Do"}]},
                    },
                    {
                        "author": "root",
                        "invocationId": "i",
                        "content": {"parts": [{"text": "Hm", "thought": True}, {"text": "Done."}]},
                    },
                ],
            }
        ],
        ["t", "u"],
        "Done.",
    ),
    "atif": (
        [
            {
                "schema_version": "ATIF-v1.6",
                "session_id": "s",
                "agent": {"name": "a", "model_name": "m"},
                "steps": [
                    {"step_id": 1, "source": "user", "message": "Go"},
                    {
                        "step_id": 2,
                        "source": "agent",
                        "message": "Copied.",
                        "is_copied_context": True,
                        "tool_calls": [{"tool_call_id": "0", "function_name": "old"}],
                    },
                    {
                        "step_id": 3,
                        "source": "agent",
                        "message": [text("Done.")],
                        "tool_calls": [
                            {"tool_call_id": "a", "function_name": "bash", "arguments": {}}
                        ],
                        "observation": {"results": [{"content": "ok"}]},
                        "metrics": {"prompt_tokens": 3, "completion_tokens": 1, "cost_usd": 0.5},
                    },
                ],
            }
        ],
        ["bash"],
        "Done.",
    ),
    "inspect": (
        [
            {
                "version": 2,
                "eval": {"task": "t", "model": "m", "run_id": "r"},
                "samples": [
                    {
                        "id": 1,
                        "epoch": 2,
                        "input": "Hi",
                        "target": ["yes"],
                        "messages": [
                            {"role": "user", "content": "attachment://" + "0" * 32},
                            {
                                "role": "assistant",
                                "content": "",
                                "tool_calls": [
                                    {
                                        "id": "a",
                                        "function": "bash",
                                        "arguments": {"cmd": "attachment://" + "0" * 32},
                                    }
                                ],
                            },
                            {
                                "role": "tool",
                                "tool_call_id": "a",
                                "content": "",
                                "error": {"type": "timeout", "message": "too slow"},
                            },
                        ],
                        "output": {"choices": [{"message": {"content": "Slow."}}]},
                        "scores": {"match": {"value": "I"}},
                        "attachments": {"0" * 32: 'a "long" text'},
                        "events": [{"event": "tool", "id": "a", "working_time": 0.5}],
                    }
                ],
            }
        ],
        ["bash"],
        "Slow.",
    ),
    "openhands": (
        [
            {
                "instance_id": "i",
                "metadata": {"llm_config": {"model": "m"}},
                "error": None,
                "history": [
                    {"id": 1, "source": "user", "action": "message", "args": {"content": "Go"}},
                    {
                        "id": 2,
                        "source": "agent",
                        "action": "run",
                        "args": {"command": "ls", "thought": "Look"},
                        "tool_call_metadata": {"function_name": "bash", "tool_call_id": "a"},
                    },
                    {"id": 3, "source": "agent", "observation": "error", "cause": 2},
                    {
                        "id": 4,
                        "source": "agent",
                        "action": "finish",
                        "args": {"final_thought": "Done."},
                    },
                ],
            }
        ],
        ["bash"],
        "Done.",
    ),
    "agenta_session": (
        [
            {
                "session_id": "s",
                "sender": "user",
                "session_update": "message",
                "payload": {"text": "Hi"},
            },
            {
                "session_id": "s",
                "sender": "agent",
                "session_update": "tool_call",
                "payload": {"id": "a", "name": "t", "input": {}},
            },
            {
                "session_id": "s",
                "sender": "agent",
                "session_update": "tool_call",
                "payload": {"id": "a", "name": "mcp.t", "input": {"x": 1}},
            },
            {
                "session_id": "s",
                "sender": "agent",
                "session_update": "tool_result",
                "payload": {"id": "a", "output": "boo", "isError": True},
            },
            {
                "session_id": "s",
                "sender": "agent",
                "session_update": "message",
                "payload": {"text": "Sorry."},
            },
        ],
        ["t"],
        "Sorry.",
    ),
    "openclaw_telemetry": (
        [
            {"type": "message.in", "channel": "c", "content": "Go", "timestamp": 1782238951000},
            {"type": "tool.start", "toolName": "exec", "params": {"n": 1}, "sessionKey": "a:main"},
            {"type": "tool.start", "toolName": "exec", "params": {}, "sessionKey": "a:subagent:x"},
            {
                "type": "tool.end",
                "toolName": "exec",
                "durationMs": 7,
                "success": False,
                "sessionKey": "a:subagent:x",
            },
            {"type": "message.out", "channel": "c", "content": "Sorry."},
        ],
        ["exec", "exec"],
        "Sorry.",
    ),
}
NAMES = sorted(RECORDS)


@pytest.mark.parametrize("name", NAMES)
def test_calls_and_output_of_each_layout(name: str) -> None:
    records, calls, output = RECORDS[name]
    trace = one(name, *records)
    assert [call["name"] for call in trace["tool_calls"]] == calls
    assert trace["output"] == output


@pytest.mark.parametrize("name", NAMES)
def test_each_layout_is_the_surest_of_its_own_records(name: str) -> None:
    records = RECORDS[name][0]
    marks = {other: sum(map(layout.marks, records)) for other, layout in layouts().items()}
    best = marks.pop(name)
    assert best > max(marks.values())
    assert best >= 5 * len(records)


@pytest.mark.parametrize("name", NAMES)
def test_native_records_are_left_to_the_native_layout(name: str) -> None:
    native = {"trace_id": "1", "input": "Hi", "output": "Yo", "tool_calls": [], "messages": []}
    assert layouts()[name].marks(native) <= 3


def test_what_is_read_is_a_native_record(tmp_path: Any) -> None:
    traces = [trace for name in NAMES for trace in read(name, *RECORDS[name][0])]
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, traces)))
    table = batcheval.read_traces(path).collect()
    told = table["tool_calls"].list.eval(pl.element().struct.field("state"))
    states = dict(zip(NAMES, told, strict=True))
    failing = {name for name, made in states.items() if "error" in made.to_list()}
    assert failing == {*NAMES} - {"atif", "adk", "claude_code", "claude_agent_sdk", "claude_replay"}
    assert states["claude_agent_sdk"].to_list() == ["denied"]


# What is peculiar to some


def test_a_message_of_claude_code_is_in_pieces_and_used_once() -> None:
    trace = one(
        "claude_code",
        claude("user", text("Go"), uuid="1"),
        claude("assistant", text("One, "), uuid="2", id="m"),
        claude("assistant", use("a"), uuid="3", id="m"),
        claude("user", result("a", "ok"), uuid="4"),
        claude("assistant", use("b"), uuid="5", id="m"),
        claude("assistant", use("b"), uuid="5", id="m"),
        claude("assistant", text("two"), uuid="6", id="m"),
    )
    assert trace["output"] == "One, two"
    assert [(c["id"], c.get("result")) for c in trace["tool_calls"]] == [("a", "ok"), ("b", None)]
    assert (trace["input_tokens"], trace["output_tokens"]) == (1, 2)


def test_side_chains_are_named_by_the_call_that_started_them() -> None:
    side = {"isSidechain": True}
    trace = one(
        "claude_code",
        claude("user", text("List it"), uuid="s1", parentUuid=None, **side),
        claude("assistant", use("x"), uuid="s2", parentUuid="s1", id="m9", **side),
        claude("user", result("x", "ok"), uuid="s3", parentUuid="s2", **side),
        claude("assistant", text("side"), uuid="s4", parentUuid="s3", **side),
        claude("user", text("Go"), uuid="1"),
        claude("assistant", use("t", "Task", prompt="List it", subagent_type="lister"), uuid="2"),
        claude("user", result("t", "side"), uuid="3"),
        claude("assistant", text("main"), uuid="4"),
    )
    side_call, main_call = trace["tool_calls"]
    assert (side_call["agent"], side_call["parent_id"], side_call["result"]) == (
        "lister",
        "t",
        "ok",
    )
    assert main_call.get("agent") is None
    assert (trace["input"], trace["output"]) == ("Go", "main")


def test_a_tool_that_the_user_rejects_is_denied() -> None:
    said = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    trace = one(
        "claude_code",
        claude("assistant", use("a"), uuid="1"),
        claude("user", result("a", said, is_error=True), uuid="2"),
    )
    (call,) = trace["tool_calls"]
    assert call["state"] == "rejected"
    assert "is_error" not in call


def test_sessions_of_claude_code_are_traces_whatever_their_files() -> None:
    lines = [claude("assistant", text(id), uuid=id) | {"sessionId": id} for id in "aab"]
    assert [(t["trace_id"], t["output"]) for t in read("claude_code", *lines)] == [
        ("a", "a"),
        ("b", "b"),
    ]


def test_an_id_used_again_belongs_to_the_nearest_call_without_a_result() -> None:
    block = {"toolUse": {"toolUseId": "a", "name": "t", "input": {}}}
    answers = [{"toolResult": {"toolUseId": "a", "content": [{"text": t}]}} for t in "12"]
    messages = [
        {"role": role, "content": [content]}
        for content, role in zip(
            (answers[0], block, answers[0], block, answers[1], answers[1]),
            ("user", "assistant") * 3,
            strict=True,
        )
    ]
    trace = one("bedrock_converse", {"messages": messages})
    assert [call["result"] for call in trace["tool_calls"]] == ["1", "2"]


def test_a_failed_batch_result_is_a_failed_run() -> None:
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": "bad"}}
    trace = one(
        "anthropic_messages", {"custom_id": "c", "result": {"type": "errored", "error": error}}
    )
    assert (trace["trace_id"], trace["error"], trace["output"]) == ("c", "bad", "")


def test_codex_exec_tells_each_item_twice() -> None:
    def item(state: str, **more: Any) -> dict[str, Any]:
        about = {"id": "i", "type": "command_execution", "command": "ls", **more}
        return {"type": f"item.{state}", "item": about}

    trace = one(
        "codex_rollout",
        {"type": "thread.started", "thread_id": "th"},
        item("started", status="in_progress", aggregated_output="", exit_code=None),
        item("completed", status="failed", aggregated_output="boo", exit_code=2),
        {"type": "turn.failed", "error": {"message": "stopped"}},
    )
    (call,) = trace["tool_calls"]
    assert (call["state"], call["result"], call["is_error"]) == ("failed", "boo", True)
    assert (trace["trace_id"], trace["error"]) == ("th", "stopped")


def test_cached_tokens_are_input_tokens_for_every_writer() -> None:
    trace = one("pi_session", *RECORDS["pi_session"][0])
    assert (trace["input_tokens"], trace["cached_tokens"], trace["total_tokens"]) == (4, 3, 6)
    assert trace["error"] == "Request was aborted"


def test_an_exported_session_of_opencode() -> None:
    tool = RECORDS["opencode"][0][0]["part"]
    messages = [
        {"info": {"role": "user", "sessionID": "s"}, "parts": [text("Go")]},
        {"info": {"role": "assistant", "modelID": "m"}, "parts": [tool, text("Done.")]},
    ]
    record = {"info": {"id": "s"}, "messages": messages}
    trace = one("opencode", record)
    assert layouts()["opencode"].marks(record) == 9
    assert (trace["trace_id"], trace["input"], trace["output"]) == ("s", "Go", "Done.")
    assert trace["tool_calls"][0]["duration_ms"] == 656.0


def test_mastra_calls_are_counted_once_and_found_in_either_list() -> None:
    made = {"state": "result", "toolCallId": "a", "toolName": "t", "args": {}, "result": 1}
    content = {"format": 2, "content": "Hi", "toolInvocations": [made]}
    trace = one("mastra", {"messages": [{"role": "assistant", "content": content}]})
    assert (trace["output"], len(trace["tool_calls"])) == ("Hi", 1)
    old = {"role": "assistant", "threadId": "t", "type": "text", "content": "[not JSON"}
    assert one("mastra", old)["output"] == "[not JSON"


def test_states_of_ui_messages_stay_as_they_are() -> None:
    parts = [
        {"type": "dynamic-tool", "toolName": "x-y", "toolCallId": f"{n}", "state": state}
        for n, state in enumerate(("input-streaming", "approval-requested", "output-denied"))
    ]
    trace = one("ui_message", {"id": "1", "role": "assistant", "parts": parts})
    assert [call["state"] for call in trace["tool_calls"]] == [part["state"] for part in parts]
    old = {"role": "assistant", "content": "Hi", "toolInvocations": [{"toolName": "t"}]}
    assert one("ui_message", {"messages": [old]})["tool_calls"][0]["name"] == "t"


def test_eval_sets_of_adk_of_all_ages() -> None:
    new = {
        "evalSetId": "e",
        "evalCases": [
            {
                "evalId": "c",
                "conversation": [
                    {
                        "userContent": {"parts": [{"text": "Hi"}]},
                        "finalResponse": {"parts": [{"text": "Yo"}]},
                        "intermediateData": {
                            "toolUses": [{"name": "t", "args": {}}],
                            "toolResponses": [{"name": "t", "response": {"x": 1}}],
                        },
                    }
                ],
            }
        ],
    }
    turn = {"query": "Hi", "expected_tool_use": [{"tool_name": "t"}], "reference": "Yo"}
    results = {
        "eval_case_results": [
            {
                "eval_id": "c",
                "session_id": "s",
                "overall_eval_metric_results": [{"metric_name": "m", "score": 0.5}],
                "eval_metric_result_per_invocation": [
                    {
                        "actual_invocation": {"final_response": {"parts": [{"text": "Yo"}]}},
                        "expected_invocation": new["evalCases"][0]["conversation"][0],
                    }
                ],
            }
        ]
    }
    for record in (new, turn, {"name": "old", "data": [turn]}):
        trace = one("adk", record)
        assert (trace["input"], trace["output"], trace.get("expected")) == ("Hi", "Yo", None)
        assert (trace["tool_calls"][0]["name"], trace.get("expected_tool_calls")) == ("t", None)
        assert layouts()["adk"].marks(record) == 9
    trace = one("adk", results)
    assert (trace["tool_calls"], trace["labels"]) == ([], {"m": 0.5})
    assert [call["name"] for call in trace["expected_tool_calls"]] == ["t"]


def test_eval_sets_are_expectations_where_the_user_says_so(tmp_path: Path) -> None:
    turn = {"query": "Hi", "expected_tool_use": [{"tool_name": "t"}], "reference": "Yo"}
    path = tmp_path / "set.test.json"
    path.write_text(json.dumps([turn]))
    told = read_traces(path, rules=Rules(answers="expected")).collect().row(0, named=True)
    assert (told["output"], told["expected"], told["tool_calls"]) == ("", "Yo", [])
    assert json.loads(told["expected_tool_calls"])[0]["name"] == "t"


def test_the_agents_of_a_session_of_kimi_are_one_trace(tmp_path: Path) -> None:
    records = RECORDS["kimi"][0]
    for agent in ("agent-1", "main"):
        folder = tmp_path / "session_5f" / "agents" / agent
        folder.mkdir(parents=True)
        (folder / "wire.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    row = read_traces(tmp_path).collect().row(0, named=True)
    assert (row["trace_id"], row["output"]) == ("session_5f", "It failed.")
    assert sorted([call["agent"] or "" for call in row["tool_calls"]]) == ["", "agent-1"]
    alone = of_lines("kimi", *records, source="sessions/wd/session_5f/wire.jsonl")
    assert alone[0]["trace_id"] == "session_5f"


def test_sub_agents_of_adk_are_named() -> None:
    calls = one("adk", *RECORDS["adk"][0])["tool_calls"]
    assert [call["agent"] for call in calls] == [None, "helper"]


def test_embedded_trajectories_are_traces_of_their_own() -> None:
    child = {"schema_version": "ATIF-v1.7", "trajectory_id": "child", "steps": []}
    parent = {**child, "trajectory_id": "parent", "subagent_trajectories": [child, child]}
    ids = [trace["trace_id"] for trace in read("atif", parent)]
    assert ids == ["parent", "child", "child"]
    assert [t["trace_id"] for t in read("atif", {"p": parent})] == ids
    assert layouts()["atif"].marks({"p": parent, "c": child}) == 9


def test_samples_of_inspect_have_their_attachments_and_times() -> None:
    trace = one("inspect", *RECORDS["inspect"][0])
    (call,) = trace["tool_calls"]
    assert call["args"] == {"cmd": 'a "long" text'}
    assert (call["error"], call["duration_ms"]) == ("too slow", 500.0)
    assert (trace["trace_id"], trace["trial"], trace["expected"]) == ("1/2", 2, "yes")
    assert (trace["model"], trace["run"], trace["labels"]) == ("m", "session-1", {"match": "I"})


def test_an_archive_of_inspect_gives_its_samples_alone() -> None:
    sample = RECORDS["inspect"][0][0]["samples"][0]
    log = "logs/2025_task.eval"
    trace = one("inspect", sample, source=f"{log}!samples/1_epoch_2.json")
    assert trace["run"] == "2025_task"
    summary = {"id": 1, "epoch": 2, "input": "Hi", "scores": {}}
    for other in ({"version": 2, "eval": {}}, [summary], summary, [{"scorer": "s"}]):
        assert read("inspect", other, source=f"{log}!other.json") == []


def test_rows_of_inspects_data_frames() -> None:
    row = {"sample_id": "s", "eval_id": "e", "log": "x.json"}
    asked = "bash(cmd='ls -la')\npython(\n    code='''1'''\n)"
    rows = [
        {"role": "tool", "order": 3, "content": "b", "tool_call_function": "python"},
        {"role": "assistant", "order": 1, "content": "", "tool_calls": asked},
        {"role": "tool", "order": 2, "content": "a", "tool_call_function": "bash"},
        {
            "role": "assistant",
            "order": 4,
            "content": "Done.",
            "tool_calls": "f(x) and (broken\ng()",
        },
    ]
    ids = [{"tool_call_id": f"{n}"} for n in range(4)]
    trace = one("inspect", *(row | r | id for r, id in zip(rows, ids, strict=True)))
    calls = [(c["name"], c["args"], c["id"], c.get("result")) for c in trace["tool_calls"]]
    assert calls == [
        ("bash", {"cmd": "ls -la"}, "2", "a"),
        ("python", {"code": "1"}, "0", "b"),
        ("f", "x) and (broken", None, None),
        ("g", "", None, None),
    ]
    told = {"id": "1", "epoch": 1, "input": "user:\nHi\n", "target": "", "score_match": "C"}
    trace = one("inspect", row | told)
    assert (trace["input"], trace["expected"], trace["labels"]) == ("Hi", None, {"match": "C"})


def test_the_events_of_openhands_version_1() -> None:
    trace = one(
        "openhands",
        {
            "kind": "MessageEvent",
            "source": "user",
            "llm_message": {"role": "user", "content": [text("Go")]},
        },
        *(
            {
                "kind": "ActionEvent",
                "source": "agent",
                "tool_name": name,
                "tool_call_id": name,
                "action": {"message": "Done."},
                "thought": [],
            }
            for name in ("terminal", "finish")
        ),
        {
            "kind": "AgentErrorEvent",
            "source": "agent",
            "tool_name": "terminal",
            "tool_call_id": "terminal",
            "error": "boo",
        },
        {"kind": "ConversationErrorEvent", "source": "environment", "detail": "limit"},
    )
    assert (trace["input"], trace["output"], trace["error"]) == ("Go", "Done.", "limit")
    assert [call.get("error") for call in trace["tool_calls"]] == ["boo", None]


def test_the_event_files_of_an_openhands_conversation_are_one_trace() -> None:
    events = [{"kind": "MessageEvent", "source": s, "llm_message": {}} for s in ("user", "agent")]
    keys = {
        piece.key
        for n, event in enumerate(events)
        for piece in layouts()["openhands"].read(event, Place(f"c/events/event-{n}-x.json", 1))
        if isinstance(piece, Piece)
    }
    assert keys == {"c"}


def test_the_oldest_histories_of_openhands_are_pairs() -> None:
    pair = [{"action": "run", "args": {"command": "ls"}}, {"observation": "run", "content": "a"}]
    trace = one("openhands", {"instance_id": "i", "history": [pair, pair]})
    assert [call["result"] for call in trace["tool_calls"]] == ["a", "a"]


def test_sub_agents_of_openclaw_end_their_own_calls() -> None:
    main, side = one("openclaw_telemetry", *RECORDS["openclaw_telemetry"][0])["tool_calls"]
    assert (main.get("agent"), main.get("duration_ms")) == (None, None)
    assert (side["agent"], side["duration_ms"], side["is_error"]) == ("x", 7, True)


# Anything may stand anywhere

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value: the container, and the key."""
    waiting = [value]
    while waiting:
        container = waiting.pop()
        items = container.items() if isinstance(container, dict) else enumerate(container)
        for key, inner in items:
            yield container, key
            if isinstance(inner, dict | list):
                waiting.append(inner)


@st.composite
def bent(draw: st.DrawFn) -> tuple[str, list[Any]]:
    """Records of a layout in which something else stands in some places, or nothing."""
    name = draw(st.sampled_from(NAMES))
    records = copy.deepcopy(RECORDS[name][0])
    for _ in range(draw(st.integers(1, 3))):
        found = [place for place in places(records) if isinstance(place[0], dict | list)]
        if found:
            container, key = draw(st.sampled_from(found))
            if isinstance(container, dict) and draw(st.booleans()):
                del container[key]
            else:
                container[key] = draw(JSON)
    return name, records


@settings(deadline=None)
@given(bent())
def test_records_that_are_bent_are_read_or_refused(made: tuple[str, list[Any]]) -> None:
    name, records = made
    for record in records:
        for layout in layouts().values():
            assert 0 <= layout.marks(record) <= 10
    kept = [record for record in records if not refused(name, record)]
    for trace in read(name, *kept):
        json.dumps(trace)


@settings(deadline=None)
@given(st.sampled_from(NAMES), JSON)
def test_alien_records_get_no_marks_and_are_read_or_refused(name: str, record: Any) -> None:
    assert layouts()[name].marks(record) <= 6
    refused(name, record)


def refused(name: str, record: Any) -> bool:
    try:
        read(name, record)
    except ValueError:
        return True
    return False
