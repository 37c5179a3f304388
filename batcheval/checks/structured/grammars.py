"""Is a text well formed? Each function gives None if it is, else what is wrong with it.

All are bounded: none nests further than its parser can, nor reads what is beyond its limit.
"""

import ast
import warnings
from logging import ERROR, getLogger
from threading import Lock
from typing import Any, Final
from xml.parsers import expat

from batcheval.checks.structured.documents import MOST_DEEP

BLANK: Final = "it is blank"
TOO_LONG: Final = "\0"  # not judged

MOST_PYTHON: Final = 1 << 20  # characters; a syntax tree takes a hundred times as much memory
MOST_SQL: Final = 100_000

_WARNINGS: Final = Lock()  # their filters are one for all threads
_TOO_DEEP: Final = "it is nested too deeply"


def python_error(text: str) -> str | None:
    """As the running Python reads it: syntax alone, nothing is run or compiled.

    Example:
        >>> python_error("x = 1"), python_error("x = ")
        (None, 'invalid syntax (line 1)')
    """
    if not text.strip():
        return BLANK
    if len(text) > MOST_PYTHON:
        return TOO_LONG
    try:
        with _WARNINGS, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of backslashes, as in "\d"
            ast.parse(text)
    except SyntaxError as error:
        return f"{error.msg} (line {error.lineno})"
    except (ValueError, OverflowError) as error:
        return str(error)
    except (RecursionError, MemoryError):
        return _TOO_DEEP
    return None


def xml_error(text: str) -> str | None:
    """A well-formed XML document; entities that swell beyond measure are an error of expat's.

    Example:
        >>> xml_error("<a><b/></a>"), xml_error("<a>")
        (None, 'no element found: line 1, column 3')
    """
    parser = expat.ParserCreate("utf-8")
    try:
        parser.Parse(text.strip(), True)
    except expat.ExpatError as error:
        return BLANK if not text.strip() else str(error)
    return None


def yaml_error(text: str) -> str | None:
    """One YAML document or more, each a mapping or a sequence; aliases are not followed.

    Example:
        >>> yaml_error("a: [1, 2]"), yaml_error("just words")
        (None, 'it is a bare scalar, as any words are')
    """
    import yaml

    if not text.strip():
        return BLANK
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_yaml_loader(yaml)):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            elif depth == 0 and isinstance(event, yaml.NodeEvent):
                return "it is a bare scalar, as any words are"
            if depth > MOST_DEEP:
                return _TOO_DEEP
    except yaml.YAMLError as error:
        return " ".join(str(error).split())
    except RecursionError:
        return _TOO_DEEP
    return None


def _yaml_loader(yaml: Any) -> Any:
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def sql_error(text: str, dialect: str) -> str | None:
    """Statements of SQL that `sqlglot` can read; a bare expression, as any word is, is none.

    Example:
        >>> sql_error("select 1", ""), sql_error("hello", "")
        (None, 'it is no statement')
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    if not text.strip():
        return BLANK
    if len(text) > MOST_SQL:
        return TOO_LONG
    getLogger("sqlglot").setLevel(ERROR)  # it warns of each statement that it takes unread
    try:
        found = [one for one in sqlglot.parse(text, dialect=dialect or None) if one is not None]
    except SqlglotError as error:
        return " ".join(str(error).replace("\x1b[4m", "").replace("\x1b[0m", "").split())
    except RecursionError:
        return _TOO_DEEP
    statements = (exp.Query, exp.DML, exp.DDL, exp.Drop, exp.Alter)
    is_read = all(isinstance(one, statements) for one in found)
    return None if found and is_read else "it is no statement"
