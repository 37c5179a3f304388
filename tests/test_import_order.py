"""Imports go one way, files stay small, and the package offers what it says."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import batcheval

HOUSE = Path(batcheval.__file__).parent
FILES = sorted(HOUSE.rglob("*.py"))
MOST_LINES = 150

# From the ground up; a room imports only from lower floors. Rooms on one floor are sisters.
FLOORS = [
    {"errors", "interrupts"},
    {"schema", "batching", "nesting", "stores"},
    {"scorer", "rehearsal", "plugins"},
    {"conditions", "ids"},
    {"readers", "checks"},
    {"suite"},
    {"engine"},
    {"costing"},
    {"output", "repeats", "summary", "selection", "judging"},
    {"comparing", "writing", "shortest"},
    {"profiling", "trials", "agreeing", "findings", "linting", "explaining", "suggesting", "parts"},
    {"report"},
    {"cli"},
    {"__main__"},
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def name_of(path: Path) -> str:
    """The path, as the tests are called by it."""
    return str(path.relative_to(HOUSE))


def room_of(path: Path) -> str:
    """The room that a file belongs to: its folder, or its own name."""
    return path.relative_to(HOUSE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, ast.stmt]]:
    """The modules of batcheval that a file imports, inside functions and `if` as well."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name_of(path)}:{node.lineno} imports by dots"
            assert node.module is not None
            if node.module == "batcheval":
                yield from ((f"batcheval.{alias.name}", node) for alias in node.names)
            else:
                yield (node.module, node)


def rooms_imported(path: Path) -> Iterator[tuple[str, int]]:
    for module, node in imports(path):
        package, _, rest = module.partition(".")
        room = rest.partition(".")[0]
        if package == "batcheval" and room not in ("", "__version__"):
            yield room, node.lineno


def test_every_room_has_a_floor() -> None:
    assert {room_of(path) for path in FILES} - {"__init__"} == set(FLOOR)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_go_down(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        return  # it imports late, by name: see below
    for other, line in rooms_imported(path):
        assert other == room or FLOOR[other] < FLOOR[room], f"line {line}: {room} imports {other}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_files_are_small(path: Path) -> None:
    assert len(path.read_text().splitlines()) < MOST_LINES


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_files_say_what_they_are_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))
    assert path.stem not in ("utils", "util", "helpers", "common", "misc")


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_nothing_loops_over_rows(path: Path) -> None:
    """Outside `readers/`, tests and reports, no row is a Python object."""
    nodes = ast.walk(ast.parse(path.read_text()))
    named = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    assert "map_elements" not in named
    assert room_of(path) in ("report", "readers") or not named & {"iter_rows", "map_rows"}


def test_all_is_what_is_imported_late() -> None:
    rooms = {"checks"}
    assert set(batcheval.__all__) == set(batcheval._HOMES) | rooms
    assert batcheval.__all__ == sorted(batcheval.__all__)
    for name in batcheval.__all__:
        assert getattr(batcheval, name) is not None
        assert name in dir(batcheval)
    with pytest.raises(AttributeError, match="nope"):
        _ = batcheval.nope


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((HOUSE / "__init__.py").read_text())
    (guard,) = [node for node in tree.body if isinstance(node, ast.If)]
    homes: dict[str, str] = {}
    for node in guard.body:
        assert isinstance(node, ast.ImportFrom)
        assert node.module is not None
        room = node.module.removeprefix("batcheval").removeprefix(".")
        homes |= {alias.name: room for alias in node.names}
    assert homes.pop("checks") == ""
    assert homes == batcheval._HOMES
