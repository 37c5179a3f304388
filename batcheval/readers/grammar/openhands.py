"""Events of OpenHands: actions of the agent, and observations that say which action caused them."""

from collections.abc import Mapping
from typing import Any, Final

from batcheval.readers.grammar.clock import elapsed_ms
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import as_text, dig, first, has, text_in

Event = Mapping[str, Any]
# Actions that are no calls, where no model called a tool for them.
_NO_CALLS: Final = (
    *("message", "system", "recall", "change_agent_state", "null", "delegate", "finish"),
)


class Actions:
    """Takes down the events of versions before 1.

    Attributes:
        log: the transcript.
        output: what the last message or finish of the agent says.
    """

    def __init__(self) -> None:
        self.log = Transcript()
        self.output = ""
        self._calls: dict[str, dict[str, Any]] = {}

    def take(self, event: Event) -> None:
        """Take down an event; one that is neither an action nor an observation is passed over."""
        if isinstance(event.get("action"), str):
            self._act(event, event["action"])
        elif has(event, "observation"):
            self._observe(event)

    def _act(self, event: Event, action: str) -> None:
        args = event["args"] if isinstance(event.get("args"), dict) else event
        if event.get("source", "agent") != "agent":
            if action == "message":
                self.log.say("user", text_in(args.get("content") or event.get("message")))
            return
        if action == "system":
            self.log.say("system", text_in(args.get("content") or event.get("message")))
        if action in ("message", "finish"):
            self.output = _final(event, args)
            self.log.say("assistant", self.output)
        if has(event, "tool_call_metadata") or action not in _NO_CALLS:
            self._call(event, action, args)

    def _call(self, event: Event, action: str, args: Event) -> None:
        about, said = event.get("tool_call_metadata"), text_in(args.get("thought"))
        if action not in _NO_CALLS:
            self.log.say("assistant", said)
        name = dig(about, "function_name") or action
        id, time = dig(about, "tool_call_id"), event.get("timestamp")
        self.log.call(name, _asked(about, id) or event.get("args"), id, started_at=time)
        self._calls[as_text(event.get("id"))] = self.log.calls[-1]

    def _observe(self, event: Event) -> None:
        call = self._calls.get(as_text(event["cause"])) if has(event, "cause") else None
        content = event.get("content")
        self.log.messages.append({"role": "tool", "content": as_text(content)})
        if call is None:
            return
        call["result"] = content
        call["duration_ms"] = elapsed_ms(call["started_at"], event.get("timestamp"))
        if event["observation"] == "error":
            call["is_error"] = True


def _final(event: Event, args: Event) -> str:
    return text_in(first(args, "content", "final_thought", "thought")) or text_in(
        event.get("message")
    )


def _asked(about: Any, id: Any) -> Any:
    """The arguments as the model gave them: the event has them in words of its own."""
    calls = dig(about, "model_response.choices.0.message.tool_calls")
    called = calls if isinstance(calls, list) else []
    return next((a for c in called if id and dig(c, "id") == id and (a := _args(c))), None)


def _args(call: Any) -> Any:
    return dig(call, "function.arguments")


def take_v1(event: Event, log: Transcript) -> str | None:
    """Take down an event of version 1; returned is what it says, if it can be the last word."""
    kind, id = event.get("kind"), event.get("tool_call_id")
    if kind == "MessageEvent":
        role = "assistant" if event.get("source") == "agent" else str(event.get("source"))
        log.say(role, text_in(dig(event, "llm_message.content")))
        return log.output if role == "assistant" else None
    if kind == "SystemPromptEvent":
        log.say("system", text_in(event.get("system_prompt")))
    elif kind == "ActionEvent":
        args = dig(event, "tool_call.arguments") or event.get("action")
        log.say("assistant", text_in(event.get("thought")))
        log.call(event.get("tool_name"), args, id, started_at=event.get("timestamp"))
        return dig(event, "action.message") if event.get("tool_name") == "finish" else None
    elif kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
        _outcome(event, str(kind), log)
    return None


def _outcome(event: Event, kind: str, log: Transcript) -> None:
    seen = event.get("observation")
    content = dig(seen, "content")
    more: dict[str, Any] = {}
    if kind == "AgentErrorEvent":
        more["error"] = event.get("error") or "error"
    elif kind == "UserRejectObservation":
        more["state"] = "rejected"
    elif dig(seen, "is_error") is True:
        more["is_error"] = True
    said = text_in(content) or content or first(event, "error", "rejection_reason") or seen
    log.answer(said, event.get("tool_call_id"), event.get("tool_name"), **more)
