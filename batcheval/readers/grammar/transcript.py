"""A conversation put down turn by turn, and the trace that it makes."""

from typing import Any

from batcheval.readers.grammar.values import as_text
from batcheval.readers.layouts.layout import UNPAIRED, Trace


class Transcript:
    """Takes down messages, tool calls and results in their order.

    Calls and results are paired as they come: a result belongs to the nearest earlier call of its
    id that has none yet; without an id, to the first such call of its name, else to the first.

    Example:
        >>> log = Transcript()
        >>> log.say("user", "Weather?"); log.say("assistant", "")
        >>> log.call("weather", {"city": "Oslo"}, id="c1"); log.answer("sunny", id="c1")
        True
        >>> log.say("assistant", "It is sunny.")
        >>> trace = log.trace(trace_id="t1")
        >>> trace["input"], trace["output"], trace["tool_calls"][0]["result"]
        ('Weather?', 'It is sunny.', 'sunny')
    """

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.calls: list[dict[str, Any]] = []
        self.input = ""
        self.output = ""
        self.unpaired = 0  # results whose call is missing
        self._texts: list[str] = []
        self._spoke = False
        self._open: list[dict[str, Any]] = []
        self._said: int | None = None

    def say(self, role: str, text: str, name: str | None = None) -> None:
        """A message; role `assistant` is the agent's, and its last one is the output.

        The input is what the user said last before that, or first where the agent opens the talk.
        """
        self._said = len(self.messages)
        self.messages.append({"role": role, "content": text, "name": name})
        if role == "assistant":
            self.output, self._spoke = text, True
            self._texts += [text] if text else []
        elif role == "user" and not (self.input and self._spoke):
            self.input = text

    def act(self) -> None:
        """A turn of the assistant without words, for calls to come, unless it has the floor."""
        if not self.messages or self.messages[-1]["role"] != "assistant":
            self.say("assistant", "")

    def call(self, name: str | None, args: Any = None, id: str | None = None, **more: Any) -> None:
        """A tool call of the message said last; `more` are other fields of the canonical call."""
        made = {"id": id, "name": name, "args": args, "message": self._said, **more}
        self.calls.append(made)
        self._open.append(made)

    def answer(
        self, result: Any, id: str | None = None, name: str | None = None, **more: Any
    ) -> bool:
        """The result of a call, with more of its fields, such as `error` or `is_error`.

        Returns:
            Whether there was a call to pair it with.
        """
        place = self._unanswered(id, name)
        text = result if type(result) is str else as_text(result)
        said = {"role": "tool", "content": text, "name": name, "tool_call_id": id}
        self.messages.append(said)
        if place is None:
            self.unpaired += 1
            return False
        self._open.pop(place).update({"result": result} | more)
        return True

    def awaits(self, id: str) -> bool:
        """Whether a call of this id has no result yet."""
        return self._unanswered(id, None) is not None

    def _unanswered(self, id: str | None, name: str | None) -> int | None:
        places = range(len(self._open))
        if id is not None:
            for place in reversed(places):
                if self._open[place]["id"] == id:
                    return place
            return None
        named = [n for n in places if name is not None and self._open[n]["name"] == name]
        return next(iter(named or places), None)

    def trace(self, **fields: Any) -> Trace:
        """The trace, with other canonical fields; those given win over what was taken down."""
        return {
            "input": self.input,
            "output": self.output,
            "assistant_texts": self._texts,
            "tool_calls": self.calls,
            "messages": self.messages,
            **fields,
            **({UNPAIRED: self.unpaired} if self.unpaired else {}),
        }
