"""What every test leaves as it found it."""

import sys
from collections.abc import Iterator
from tempfile import gettempdir

import pytest


@pytest.fixture(autouse=True)
def own_modules_leave(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget the modules that a test wrote and imported: another's may have the same name."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(gettempdir()):
            del sys.modules[name]
