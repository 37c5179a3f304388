"""The first lines of a CSV, by which it is told from lines of text."""

import csv
import re
from contextlib import suppress
from typing import Final

from batcheval.readers.fields import KNOWN
from batcheval.schema.columns import STANDS_FOR

_SEPARATORS: Final = (",", ";", "\t", "|")
_NAME: Final = re.compile(r"[^\W\d][\w .:/()-]{0,99}")
_LOOKED_AT: Final = 5  # rows, the header among them
_LONG: Final = 10_000  # characters; a head of so many may end within a row


def separator_of(head: bytes) -> str | None:
    r"""The separator of a CSV, by its first bytes; None where these are no CSV's.

    Its first line names columns of traces, or it names columns of any kind and the rows below have
    as many fields. A single column of another name has quoted cells.

    Example:
        >>> separator_of(b'chat\n"[{""role"": ""user""}]"\n'), separator_of(b'chat\n["a"]\n')
        (',', None)
        >>> separator_of(b"output\nSunny."), separator_of(b"a;b\n1;2\n"), separator_of(b"a, b\n1")
        (',', ';', None)
    """
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \r\n").decode("utf-8", "replace")
    for separator in _SEPARATORS:
        names = [name.strip('" ') for name in text.partition("\n")[0].strip().split(separator)]
        known = any(name in KNOWN or name in STANDS_FOR for name in names)
        if known and (len(names) > 1 or separator == ","):
            return separator
    return next((separator for separator in _SEPARATORS if _is_table(text, separator)), None)


def _is_table(text: str, separator: str) -> bool:
    rows = _rows(text, separator)
    names = [name.strip() for name in rows[0]] if rows else []
    named = names[1:] if names[:1] == [""] else names  # an index has no name
    is_lone = len(names) == 1 and separator == "," and text.partition("\n")[2][:1] == '"'
    if (
        not (len(names) > 1 or is_lone)
        or len(set(names)) < len(names)
        or not all(map(_NAME.fullmatch, named))
    ):
        return False
    return all(len(row) in (0, len(names)) for row in rows)


def _rows(text: str, separator: str) -> list[list[str]]:
    """The first rows, as far as they can be read; the last may be cut off, and is left out."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        for row in csv.reader(text.splitlines(keepends=True), delimiter=separator, strict=True):
            rows.append(row)
            if len(rows) == _LOOKED_AT:
                return rows
    return rows[:-1] if len(text) > _LONG else rows
