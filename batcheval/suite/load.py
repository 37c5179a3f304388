"""A suite file as scorers and gates."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from batcheval.errors import BadArgumentError, NoScorersError, UnknownKeyError
from batcheval.ids import require_ids
from batcheval.scorer import Scorer
from batcheval.suite.binding import make_scorer
from batcheval.suite.gates import Gate, read_gates
from batcheval.suite.parts import from_table
from batcheval.suite.places import placed
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
    path = Path(path)
    with placed(str(path)):
        content = read_text(path)
        return _suite(parse(content, path.suffix.lower() == ".json"), content, path)


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


def suite_of(content: str) -> Suite:
    r"""A suite from its text, as a file of scores keeps it; modules may lie in this folder.

    Raises:
        BatchevalError: any mistake in the text.

    Example:
        >>> [scorer.id for scorer in suite_of("[scorers.used_no_tools]").scorers]
        ['used_no_tools']
    """
    with placed("the suite among the scores"):
        return _suite(parse(content), content, Path("suite.toml"))


def _suite(data: Mapping[str, Any], content: str, path: Path) -> Suite:
    for key in data:
        if key not in _KEYS:
            raise UnknownKeyError("a suite", key, _KEYS)
    tables = table("'scorers'", data.get("scorers", {}))
    require_ids(tables)
    scorers = [_scorer(key, keys, path.parent) for key, keys in tables.items()]
    if not scorers:
        raise NoScorersError
    gates = read_gates(data.get("gates", {}), tables)
    name, description = (text(f"'{k}'", data[k]) if k in data else "" for k in _KEYS[:2])
    return Suite(scorers, gates, name or path.stem, description, content)


def _scorer(scorer_id: str, keys: object, folder: Path) -> Scorer:
    with placed(f"scorer '{scorer_id}'"):
        given, make = table("a scorer", keys), partial(make_scorer, folder=folder)
        try:
            return from_table(scorer_id, given, make).named(scorer_id)
        except RecursionError as error:
            raise BadArgumentError("an argument", "nested less deeply", given) from error
