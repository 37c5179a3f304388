"""The options of commands that write files besides what they print: a page, JUnit XML."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batcheval.findings import Change, RunFindings
    from batcheval.judging import Judgement

Command: TypeAlias = Callable[..., None]

_ENDINGS: Final = {"report": (".html", ".htm"), "junit": (".xml",)}


class Besides(NamedTuple):
    """The files that are to be written besides, by option."""

    report: str | None
    junit: str | None

    def require(self) -> None:
        """See to it that they can be written, before any work is done.

        Raises:
            WrongEndingError: a name ends otherwise, and may be that of a file of data.
            UnwritablePathError: no file can stand there.
            MissingExtraError: the packages that make a page are not installed.
        """
        from batcheval.errors import WrongEndingError
        from batcheval.output.replacement import Replacement
        from batcheval.report.page import require_packages

        for option, path in self._asdict().items():
            if path is None:
                continue
            if Path(path).suffix.lower() not in _ENDINGS[option]:
                raise WrongEndingError(path, f"--{option}", _ENDINGS[option])
            Replacement(Path(path))
        if self.report is not None:
            require_packages()

    def tell(self, err: bool = False) -> None:
        """Say where they are."""
        for option, path in self._asdict().items():
            if path is not None:
                click.echo(f"{option}: {path}", err=err)


def besides_options(command: Command) -> Command:
    """Give a command `--report` and `--junit`; it gets them as `besides`."""

    @functools.wraps(command)
    def gathered(report: str | None, junit: str | None, **options: Any) -> None:
        command(besides=Besides(report, junit), **options)

    junit = click.option("--junit", type=click.Path(), help="Write JUnit XML too, .xml.")
    report = click.option(
        "--report",
        type=click.Path(),
        help="Write a page of HTML (pip install 'batcheval[report]').",
    )
    return report(junit(gathered))


def write_run(found: "RunFindings", besides: Besides) -> None:
    """Write what is wanted of one run."""
    from batcheval.report.page import run_page, write_text

    if besides.report is not None:
        write_text(besides.report, run_page(found))
    if besides.junit is not None:
        from batcheval.report.junit import run_junit

        write_text(besides.junit, run_junit(found))


def write_changes(
    changes: "Sequence[Change]", judgements: "Sequence[Judgement]", besides: Besides
) -> None:
    """Write what is wanted of comparisons with one base."""
    from batcheval.report.page import comparison_page, write_text

    if besides.report is not None:
        write_text(besides.report, comparison_page(changes, judgements))
    if besides.junit is not None:
        from batcheval.report.junit import comparison_junit

        write_text(besides.junit, comparison_junit(changes, judgements))
