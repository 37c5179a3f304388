"""How traces are named and read on the command line: the options that several commands share."""

import functools
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

if TYPE_CHECKING:
    import polars as pl

    from batcheval.readers import ReadLog


class BadLines(click.ParamType[int | float]):
    """`10`, or `1%`."""

    name = "NUMBER|PERCENT"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | float:
        try:
            limit = float(value[:-1]) / 100 if str(value).endswith("%") else int(value)
        except ValueError:
            limit = -1
        if limit < 0 or (isinstance(limit, float) and not limit <= 1):
            self.fail(f"{value!r} is neither a number of lines nor a percentage", param, ctx)
        return limit


class Renaming(click.ParamType[tuple[str, str]]):
    """`OLD=NEW`."""

    name = "OLD=NEW"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        old, found, new = str(value).partition("=")
        if not (old and found and new):
            self.fail(f"{value!r} is not of the form OLD=NEW", param, ctx)
        return old, new


Command: TypeAlias = Callable[..., None]

_OPTIONS: Final = (
    click.option(
        "--on-bad-line",
        type=click.Choice(["quarantine", "fail"]),
        default="quarantine",
        show_default=True,
        help="Set lines that are no JSON aside, in <out>.quarantine.jsonl, or stop at the first.",
    ),
    click.option("--max-bad-lines", type=BadLines(), help="How many to bear, e.g. 10 or 1%."),
    click.option(
        "--subagents",
        type=click.Choice(["all", "main"]),
        default="all",
        show_default=True,
        help="Whether the calls of sub-agents count.",
    ),
    click.option("--ignore-tool", multiple=True, help="A tool whose calls are left out."),
    click.option("--rename-tool", multiple=True, type=Renaming(), help="Another name for a tool."),
    click.option(
        "--output",
        type=click.Choice(["last", "all"]),
        default="last",
        show_default=True,
        help="The output: the last text of the assistant, or all of them.",
    ),
    click.option(
        "--answers",
        type=click.Choice(["output", "expected"]),
        default="output",
        show_default=True,
        help="What the answers in the traces are.",
    ),
    click.option("--text-errors", help="A pattern: a result in which it is found is an error."),
)
_NAMES: Final = (
    *("layout", "run", "on_bad_line", "max_bad_lines", "subagents", "ignore_tool"),
    *("rename_tool", "output", "answers", "text_errors"),
)


RUN: Final = "The experiment run that these traces belong to."


def reading_options(*layout: str, run: str = RUN) -> Callable[[Command], Command]:
    """Give a command the options of reading; it gets what was chosen as `reading`.

    Args:
        layout: how the option is called that names the layout.
        run: what `--run` is for.
    """
    which = click.option(
        *layout,
        "layout",
        help="The layout, if it is not to be guessed: a name that `batcheval formats` lists, a"
        " mapping (.toml), or module:function.",
    )

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def gathered(**options: Any) -> None:
            command(reading={name: options.pop(name) for name in _NAMES}, **options)

        for option in reversed((which, click.option("--run", help=run), *_OPTIONS)):
            gathered = option(gathered)
        return gathered

    return decorate


def how_to_read(reading: dict[str, Any]) -> dict[str, Any]:
    """What the options of reading come to, as arguments of `read_traces`."""
    from batcheval.readers import Rules

    rules = Rules(
        subagents=reading["subagents"],
        ignore_tools=reading["ignore_tool"],
        rename_tools=dict(reading["rename_tool"]),
        output=reading["output"],
        answers=reading["answers"],
        text_errors=reading["text_errors"],
    )
    return {"format": reading["layout"], "rules": rules}


def log_of(reading: dict[str, Any]) -> "ReadLog":
    """A log that bears as many bad lines as was said."""
    from batcheval.readers import ReadLog

    return ReadLog(reading["on_bad_line"], reading["max_bad_lines"])


def traces_of(
    paths: Collection[str], columns: Collection[str], reading: dict[str, Any]
) -> "tuple[pl.LazyFrame, ReadLog]":
    """The traces at `paths`, and the log of reading them."""
    from batcheval.readers import read_traces

    log, how = log_of(reading), how_to_read(reading)
    return read_traces(*paths, run=reading["run"], columns=columns, log=log, **how), log
