"""A check typed as a call, such as `includes("sunny")`: parsed, never evaluated."""

import ast
import re
import warnings
from typing import Any, Final, NamedTuple

import polars as pl

from batcheval.errors import BadColumnError, CallSyntaxError
from batcheval.suite.kinds import column

_NAME: Final = re.compile(r"\w+(?:\.\w+)*(?::\w+(?:\.\w+)*)?")


class Call(NamedTuple):
    """The name of a check and its arguments."""

    check: str
    args: list[Any]
    kwargs: dict[str, Any]


def parse_call(text: str) -> Call:
    r"""The check and the arguments that a text names.

    Args:
        text: a check's name or `module:function`; then, in parentheses, arguments as in Python:
            texts, numbers, `True`, `False`, `None`, lists and dicts of these, columns as
            `col("expected")`, `pl.col("expected")` or `column("expected")`, and further calls of
            checks, which stand for these. As in Python, `r"\bday\b"` spares backslashes.

    Raises:
        CallSyntaxError: it is anything else.

    Example:
        >>> parse_call('includes("sunny", ignore_case=False)')
        Call(check='includes', args=['sunny'], kwargs={'ignore_case': False})
        >>> parse_call("used_no_tools")
        Call(check='used_no_tools', args=[], kwargs={})
    """
    return _Reader(text.strip().replace("\r\n", "\n").replace("\r", "\n")).call()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        name = _NAME.match(text)
        self.name = name[0] if name else ""

    def call(self) -> Call:
        tree = self._tree()
        name = getattr(tree, "func", tree)
        end = (name.end_lineno, name.end_col_offset)
        if not self.name or end != (1, len(self.name.encode())):
            raise CallSyntaxError(self.text, "only a check's name, then its arguments, is taken", 0)
        if not isinstance(tree, ast.Call):
            return Call(self.name, [], {})
        return Call(self.name, [self._value(node) for node in tree.args], self._named(tree))

    def _tree(self) -> ast.expr:
        # `module:function` is no Python, `module.function` is, and is as long.
        source = self.name.replace(":", ".") + self.text[len(self.name) :]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of backslashes, as in "\d"
                return ast.parse(source, mode="eval").body
        except SyntaxError as error:
            place = self._index(error.lineno or 1, max((error.offset or 1) - 1, 0))
            raise CallSyntaxError(self.text, error.msg, place) from None
        except (ValueError, RecursionError, MemoryError):
            raise CallSyntaxError(self.text, "this is too deep, or no text,", 0) from None

    def _named(self, tree: ast.Call) -> dict[str, Any]:
        named: dict[str, Any] = {}
        for keyword in tree.keywords:
            if keyword.arg is None or keyword.arg in named:
                problem = "'**' is not taken" if keyword.arg is None else "an argument stands twice"
                raise CallSyntaxError(self.text, problem, self._place(keyword))
            named[keyword.arg] = self._value(keyword.value)
        return named

    def _value(self, node: ast.expr) -> object:
        match node:
            case ast.Constant(value=str() | int() | float() | None as value):
                return value
            case ast.UnaryOp(ast.USub(), ast.Constant(value=int() | float() as number)):
                return -number
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self._value(item) for item in items]
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                return {self._key(key, value): self._value(value) for key, value in pairs}
            case ast.Call(func=ast.Name("col" | "column") | ast.Attribute(ast.Name("pl"), "col")):
                return self._column(node)
            case ast.Call(func=ast.Name(name)):
                return Call(name, [self._value(item) for item in node.args], self._named(node))
            case ast.Call():
                problem = (
                    "only the name of a check, or col('name of a column'), is called in a call"
                )
                raise CallSyntaxError(self.text, problem, self._place(node))
        raise CallSyntaxError(self.text, _problem(node), self._place(node))

    def _key(self, key: ast.expr | None, value: ast.expr) -> object:
        if isinstance(key, ast.Constant):
            return self._value(key)
        place = self._place(key or value)
        raise CallSyntaxError(self.text, "only texts and numbers are taken as keys", place)

    def _column(self, node: ast.Call) -> pl.Expr:
        problem = "a column is written col('its name')"
        match node:
            case ast.Call(args=[ast.Constant(value=str() as name)], keywords=[]):
                try:
                    return column(name)
                except BadColumnError as error:
                    problem = str(error)
        raise CallSyntaxError(self.text, problem, self._place(node))

    def _place(self, node: ast.expr | ast.keyword) -> int:
        return self._index(node.lineno, node.col_offset, in_bytes=True)

    def _index(self, line: int, column: int, in_bytes: bool = False) -> int:
        lines = self.text.split("\n")
        before, rest = lines[: line - 1], "".join(lines[line - 1 : line])
        if in_bytes:
            column = len(rest.encode()[:column].decode())
        return min(sum(len(text) + 1 for text in before) + column, len(self.text))


def _problem(node: ast.expr) -> str:
    if not isinstance(node, ast.Name):
        return "only literals and columns are taken"
    word = {"true": "True", "false": "False", "null": "None"}.get(node.id)
    return f"this is written {word} here" if word else "a text needs quotes"
