"""The group of commands, and how each way of ending is told: in one line, with its exit code."""

import atexit
import contextlib
import os
import sys
from typing import NoReturn

import click

from batcheval import __version__
from batcheval.cli.agree import agree
from batcheval.cli.checks import checks
from batcheval.cli.compare import compare
from batcheval.cli.convert import convert
from batcheval.cli.explain import explain
from batcheval.cli.formats import formats
from batcheval.cli.look import inspect, show
from batcheval.cli.plan import plan
from batcheval.cli.reliability import reliability
from batcheval.cli.report import report
from batcheval.cli.score import score
from batcheval.cli.shortest import shortest
from batcheval.cli.suggest import suggest
from batcheval.cli.suites import check_suite, init
from batcheval.cli.summary import summary
from batcheval.errors import BatchevalError
from batcheval.interrupts import heard, listen

_USAGE, _DATA = 2, 3
_LONGEST = 2_000  # characters of a message; texts of the user's are quoted in some
_INTERRUPTED, _PIPE_CLOSED = 130, 141  # 128 and the number of the signal, as shells have it
_STOPPED = "interrupted; nothing was written"


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Judge recorded agent runs: column-wise checks over whole dumps of traces.

    Exit codes: 0 done, 1 a gate failed, 2 bad usage or suite, 3 bad data.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        context.exit(_USAGE)


for command in (
    score,
    plan,
    summary,
    compare,
    report,
    reliability,
    agree,
    shortest,
    inspect,
    suggest,
    show,
    explain,
    convert,
    init,
    check_suite,
    checks,
    formats,
):
    commands.add_command(command)


def run() -> NoReturn:
    """The command as a process of its own, which ends without waiting for the threads of polars.

    A run that stops early leaves them inside Python, where its ordinary end would be an abort.
    """
    try:
        main()
    except SystemExit as end:
        with contextlib.suppress(OSError):
            atexit._run_exitfuncs()
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
        os._exit(int(end.code or 0))


def main() -> NoReturn:
    """Run a command; a mistake of the user's is one line, anything else keeps its traceback."""
    listen()
    try:
        # Not by `commands.main`, which has words of its own for interrupts and closed pipes.
        with commands.make_context("batcheval", sys.argv[1:]) as context:
            commands.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except BatchevalError as error:
        if heard():  # what was read so far may be the mistake
            _end(_STOPPED, _INTERRUPTED)
        _end(str(error), error.exit_code)
    except click.ClickException as error:
        _end(_usage(error), _USAGE)
    except (click.Abort, KeyboardInterrupt) as stopped:
        _end(str(stopped) or _STOPPED, _INTERRUPTED)
    except BrokenPipeError:
        _leave_output()
        _end("the output was closed before its end", _PIPE_CLOSED)
    except OSError as error:
        _leave_output()
        _end(f"the output failed: {error.strerror or error}".lower(), _DATA)
    sys.exit(0)


def _usage(error: click.ClickException) -> str:
    message = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "batcheval"
    return f"{message[:1].lower()}{message[1:]} ({path} --help tells more)"


def _leave_output() -> None:
    """Let nothing more be written to a pipe that is closed, or a device that is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(message: str, code: int) -> NoReturn:
    line = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in " ".join(message.split()))
    shown = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
    with contextlib.suppress(OSError):  # standard error may be closed too
        click.echo(f"Error: {shown}", err=True)
    sys.exit(code)
