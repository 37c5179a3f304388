"""What every test leaves as it found it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir

import pytest
from hypothesis import HealthCheck, settings

from tests.command import Command

# How long an example takes says more about the machine than about the code.
settings.register_profile(
    "any machine", deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What one process tests: a file, or of the laws, which take longest, one room of checks."""
    for item in items:
        room = getattr(item, "callspec", None) and item.callspec.params.get("room")  # type: ignore[attr-defined]
        name = f"{item.path.name}-{room}" if isinstance(room, str) else str(item.path.name)
        item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture(autouse=True)
def own_modules_leave(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget the modules that a test wrote and imported: another's may have the same name."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    yield
    installed = (sys.prefix, str(Path(__file__).parents[1]))  # which may lie there too
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(gettempdir()) and not file.startswith(installed):
            del sys.modules[name]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line, in this process."""
    return Command(capsys, monkeypatch)
