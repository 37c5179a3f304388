"""Suites to begin with, which lie here as files; the comments in them are for whoever takes one."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from batcheval.errors import UnknownReadySuiteError

READY: Final[Mapping[str, str]] = {
    "support-agent": "an agent that answers customers and works on their orders with tools",
    "coding-agent": "an agent that edits a code base: its commands, its tools, its last message",
    "rag": "answers from retrieved passages, held against references and the passages",
    "json-api": "answers that are JSON for a program to read",
}


def ready_suite(kind: str) -> str:
    """The text of a suite to begin with.

    Args:
        kind: one of `READY`.

    Raises:
        UnknownReadySuiteError: there is none of that name.

    Example:
        >>> ready_suite("rag").splitlines()[0]
        '# A suite to begin with, for answers from retrieved passages (RAG).'
    """
    if kind not in READY:
        raise UnknownReadySuiteError(kind, READY)
    return files(__name__).joinpath(f"{kind}.toml").read_text("utf-8")
