"""What the user may choose where the dumps leave a choice, applied to the canonical columns."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import polars as pl

from batcheval.errors import BadArgumentError
from batcheval.readers.log import ReadLog
from batcheval.schema import CANONICAL, EXPECTED, OUTPUT, TOOL_CALLS

_CALL: Final = pl.element()
_TEXTS: Final = pl.col("assistant_texts")
_MOST_NAMES: Final = 10_000
_CHOICES: Final = {
    "subagents": ("all", "main"),
    "output": ("last", "all"),
    "answers": ("output", "expected"),
}


@dataclass(frozen=True)
class Rules:
    """Choices about runs, made alike for every layout.

    Attributes:
        subagents: whether the calls of sub-agents count (`"all"`), or the main agent's only.
        ignore_tools: names of tools whose calls are left out, such as `finish` or `think`.
        rename_tools: other names for tools, by the ones in the dump.
        output: the text of the last assistant message (`"last"`), or of all of them.
        answers: whether the answers in the dump are the agent's `"output"`, or `"expected"` ones,
            as in fine-tuning files: the text then stands in `expected`, the calls in
            `expected_tool_calls`, where these are null.
        text_errors: a regular expression; a result in which it is found is an error. Off by
            default, since results may speak of errors.

    Raises:
        BadArgumentError: one of them is of the wrong type, or no regular expression.
    """

    subagents: Literal["all", "main"] = "all"
    ignore_tools: Collection[str] = ()
    rename_tools: Mapping[str, str] = field(default_factory=dict)
    output: Literal["last", "all"] = "last"
    answers: Literal["output", "expected"] = "output"
    text_errors: str | None = None

    def __post_init__(self) -> None:
        """Raise `BadArgumentError` unless the choices are what they should be."""
        for name, words in _CHOICES.items():
            if getattr(self, name) not in words:
                raise BadArgumentError(name, f"one of {', '.join(words)}", getattr(self, name))
        if isinstance(self.ignore_tools, str):
            raise BadArgumentError("ignore_tools", "a list of names", self.ignore_tools)
        if self.text_errors is not None and not _is_pattern(self.text_errors):
            raise BadArgumentError("text_errors", "a regular expression", self.text_errors)

    def apply(self, traces: pl.LazyFrame, log: ReadLog | None = None) -> pl.LazyFrame:
        """The traces by these rules; the log is told what tools there are, if some are named.

        Example:
            >>> from batcheval.schema import canonical
            >>> calls = [[{"name": "think"}, {"name": "s"}]]
            >>> traces = canonical(pl.DataFrame({"tool_calls": calls}))
            >>> rules = Rules(ignore_tools=["think"], rename_tools={"s": "search"})
            >>> (calls,) = rules.apply(traces).collect()["tool_calls"].to_list()
            >>> [call["name"] for call in calls]
            ['search']
        """
        columns: list[pl.Expr] = []
        if log is not None and (named := {*self.ignore_tools, *self.rename_tools}):
            log.tools_named |= named
            traces = traces.with_columns(_noted(log))
        if self.ignore_tools or self.rename_tools or self.text_errors or self.subagents == "main":
            columns.append(TOOL_CALLS.list.eval(self._call().filter(self._counts())))
        said = OUTPUT
        if self.output == "all":
            joined = _TEXTS.list.join("\n\n", ignore_nulls=True)
            said = pl.when(_TEXTS.list.len() > 0).then(joined).otherwise(OUTPUT)
        if self.answers == "expected":
            columns = [*_expected_calls(columns)]
            columns += [EXPECTED.fill_null(said.replace("", None)), pl.lit("").alias("output")]
        elif self.output == "all":
            columns.append(said.alias("output"))
        return traces.with_columns(columns) if columns else traces

    def _counts(self) -> pl.Expr:
        name, agent = _CALL.struct.field("name"), _CALL.struct.field("agent")
        counts = ~name.is_in(list(self.ignore_tools)).fill_null(False)
        return counts & agent.is_null() if self.subagents == "main" else counts

    def _call(self) -> pl.Expr:
        changed: dict[str, Any] = {}
        if self.rename_tools:
            changed["name"] = _CALL.struct.field("name").replace(dict(self.rename_tools))
        if self.text_errors:
            found = _CALL.struct.field("result").str.contains(self.text_errors)
            state = _CALL.struct.field("state")
            changed["state"] = pl.when(found).then(pl.lit("error")).otherwise(state)
        fields = [expr.alias(name) for name, expr in changed.items()]
        return _CALL.struct.with_fields(fields) if fields else _CALL


def _noted(log: ReadLog) -> pl.Expr:
    """The calls as they are; the log keeps their names."""

    def note(calls: pl.Series) -> pl.Series:
        names = calls.list.eval(_CALL.struct.field("name")).list.explode().drop_nulls()
        held = log.tools or set()
        log.tools = held if len(held) > _MOST_NAMES else held | set(names.unique())
        return calls

    return TOOL_CALLS.map_batches(note, return_dtype=CANONICAL["tool_calls"], is_elementwise=True)


def _expected_calls(changed: list[pl.Expr]) -> Iterator[pl.Expr]:
    """The calls as expected ones, JSON text of names and arguments, and none made."""
    made = changed[0] if changed else TOOL_CALLS
    call = pl.struct(_CALL.struct.field("name"), _CALL.struct.field("args"))
    texts = made.list.eval(call.struct.json_encode()).list.join(",")
    told = pl.when(made.list.len() > 0).then(pl.format("[{}]", texts))
    yield pl.col("expected_tool_calls").fill_null(told)
    yield made.list.head(0).alias("tool_calls")


def _is_pattern(text: object) -> bool:
    try:
        pl.select(pl.lit("").str.contains(text))  # type: ignore[arg-type]
    except (pl.exceptions.PolarsError, TypeError):
        return False
    return isinstance(text, str)
