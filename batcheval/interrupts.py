"""Requests to end that are not lost, though Python drops what some of its callbacks raise."""

import signal
from typing import Final, NoReturn

_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows lacks the last
_heard: set[int] = set()


def listen() -> None:
    """From now on every such signal is remembered, and raised as KeyboardInterrupt."""
    _heard.clear()
    for name in _NAMES:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _interrupt)


def heard() -> bool:
    """Whether a signal came since `listen`, even if what it raised went astray."""
    return bool(_heard)


def _interrupt(number: int, frame: object) -> NoReturn:
    _heard.add(number)
    raise KeyboardInterrupt
