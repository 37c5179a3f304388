"""The command line in this process, for tests that look at a command from end to end."""

import signal
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from batcheval.cli import main


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


class Command:
    """Runs `batcheval ARGUMENTS…` by the same `main`, without half a second of start-up."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._capsys, self._patch = capsys, patch

    def __call__(self, *args: str | Path) -> Ran:
        self._capsys.readouterr()
        before = signal.getsignal(signal.SIGTERM)
        self._patch.setattr(sys, "argv", ["batcheval", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            main()
        signal.signal(signal.SIGTERM, before)
        out, err = self._capsys.readouterr()
        return Ran(int(ended.value.code or 0), out, err)
