"""A suite file as scorers and gates."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from batcheval.errors import BadArgumentError, BatchevalError, NoScorersError, UnknownKeyError
from batcheval.ids import id_mistakes
from batcheval.scorer import Scorer
from batcheval.suite.binding import make_scorer
from batcheval.suite.gates import Gate, read_gates
from batcheval.suite.parts import from_table
from batcheval.suite.places import noted, placed, raise_all
from batcheval.suite.shapes import table, text
from batcheval.suite.source import parse, read_text

_KEYS: Final = ("name", "description", "scorers", "gates")


@dataclass(frozen=True)
class Suite:
    """What a suite file holds.

    Attributes:
        scorers: in the order of the file, each under its own id.
        gates: what the run must reach, by scorer id.
        name: its own `name`, else the file's name without ending.
        description: what it says of itself, or nothing.
        text: the file as read.
    """

    scorers: list[Scorer]
    gates: dict[str, Gate] = field(default_factory=dict)
    name: str = ""
    description: str = ""
    text: str = ""


@dataclass(frozen=True)
class Draft:
    """What could be made of a suite file.

    Attributes:
        suite: without the scorers and gates in which there is a mistake.
        tables: the keys of each scorer by its id, as they stand in the file.
        mistakes: all that were found, in the order in which `load_suite` looks for them, without
            the path.
    """

    suite: Suite
    tables: Mapping[str, Any]
    mistakes: list[BatchevalError]


def load_suite(path: Path | str) -> Suite:
    """Read a suite, TOML or JSON.

    Args:
        path: the file. A JSON one ends in `.json` or begins with a brace. Modules that its checks
            name (`module:function`) may lie beside it.

    Raises:
        BatchevalError: any mistake in the file, after its path and, where it lies in a scorer or
            a gate, that one's id; the class is that of the mistake (`UnknownCheckError`, ...).

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "weather.toml")
        >>> _ = path.write_text('''
        ... [scorers.sunny]
        ... check = "includes"
        ... expected = { column = "expected" }
        ... ''')
        >>> suite = load_suite(path)
        >>> suite.name, [scorer.id for scorer in suite.scorers]
        ('weather', ['sunny'])
    """
    draft = read_suite(path)
    with placed(str(path)):
        raise_all(draft.mistakes)
    return draft.suite


def read_suite(path: Path | str) -> Draft:
    """Read a suite as `load_suite` does, with all mistakes in it instead of the first.

    Raises:
        UnreadableSuiteError: there is no such file, or it is not UTF-8.
        SuiteSyntaxError: its text is broken.
        WrongShapeError: it is JSON, but no object.
    """
    path = Path(path)
    with placed(str(path)):
        content = read_text(path)
        data = parse(content, path.suffix.lower() == ".json")
    return _draft(data, content, path)


def gates_of(content: str, scorers: Collection[str]) -> dict[str, Gate]:
    r"""The gates in the text of a suite, as a file of scores keeps it; no check is looked up.

    Raises:
        BatchevalError: any mistake in the text.

    Example:
        >>> gates_of("[gates.tone]\nmin = 0.8", ["tone"])["tone"].min
        0.8
    """
    with placed("the suite among the scores"):
        return read_gates(parse(content).get("gates", {}), scorers)


def _draft(data: Mapping[str, Any], content: str, path: Path) -> Draft:
    mistakes: list[BatchevalError] = []
    mistakes += [UnknownKeyError("a suite", key, _KEYS) for key in data if key not in _KEYS]
    tables, scorers, gates, texts = {}, [], {}, {}
    with noted(mistakes):
        tables = table("'scorers'", data.get("scorers", {}))
        mistakes += id_mistakes(tables)
        if not tables and not mistakes:
            raise NoScorersError
    for key, keys in tables.items():
        with noted(mistakes):
            scorers.append(_scorer(key, keys, path.parent))
    with noted(mistakes):
        gates = read_gates(data.get("gates", {}), tables)
    for key in ("name", "description"):
        with noted(mistakes):
            texts[key] = text(f"'{key}'", data[key]) if key in data else ""
    name = texts.get("name") or path.stem
    suite = Suite(scorers, gates, name, texts.get("description", ""), content)
    return Draft(suite, tables, mistakes)


def _scorer(scorer_id: str, keys: object, folder: Path) -> Scorer:
    with placed(f"scorer '{scorer_id}'"):
        given, make = table("a scorer", keys), partial(make_scorer, folder=folder)
        try:
            return from_table(scorer_id, given, make).named(scorer_id)
        except RecursionError as error:
            raise BadArgumentError("an argument", "nested less deeply", given) from error
