"""Lines that could not be read, set aside in a file beside the scores."""

import base64
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, TypeVar

import msgspec

from batcheval.errors import WriteFailedError
from batcheval.output.replacement import Replacement
from batcheval.readers import BadLine
from batcheval.readers.opening import raw
from batcheval.stores import Address, Place, is_file, removed

Somewhere = TypeVar("Somewhere", Path, Address, Place)


def quarantine_path(out: Somewhere) -> Somewhere:
    """Where the lines go that cannot be read, for scores that go to `out`."""
    return out.with_name(f"{out.name}.quarantine.jsonl")


class Quarantine:
    """The file `<out>.quarantine.jsonl`, there only if a line was set aside.

    Each of its lines is an object with `source`, `line` (from 1), `offset` (the byte, in the
    unpacked file), `reason`, and `raw`, the line's text, or `raw_base64` where it is no UTF-8.

    Args:
        out: the file that the other lines come into.
        appending: the lines that were set aside before stay, since what is in `out` does.
    """

    def __init__(self, out: Place, *, appending: bool = False) -> None:
        self.path, self._out, self._appending = quarantine_path(out), out, appending
        self.written: Place | None = None
        self._replacement: Replacement | None = None

    def add(self, bad: BadLine) -> None:
        """Write a line.

        Raises:
            UnwritablePathError: no file can stand beside the scores.
            WriteFailedError: the disk is full or failing.
        """
        facts: dict[str, object] = bad._asdict()
        raw = facts.pop("raw")
        assert isinstance(raw, bytes)
        try:
            facts["raw"] = raw.decode()
        except UnicodeDecodeError:
            facts["raw_base64"] = base64.b64encode(raw).decode()
        file = self._file()
        with self._telling_failures():
            file.write(msgspec.json.encode(facts) + b"\n")

    def take(self, part: Place) -> None:
        """Write the lines that were set aside for a part of the scores."""
        lines = quarantine_path(part)
        if is_file(lines):
            file = self._file()
            with self._telling_failures(), raw(str(lines)) as stream:
                shutil.copyfileobj(stream, file)

    def _file(self) -> BinaryIO:
        if self._replacement is None:
            replacement = Replacement(self.path)
            replacement.open()
            self._replacement = replacement
            if self._appending:  # begin with the lines that are to stay
                self.take(self._out)
        return self._replacement.file

    def __enter__(self) -> "Quarantine":
        """Make no file yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Put the file in its place; an old one, of scores that are replaced, goes."""
        with self._telling_failures():
            if kind is not None:
                self._discard()
            elif self._replacement is None and not self._appending:
                self._remove()
            elif self._replacement is not None:
                self._replacement.commit()
                self.written = self.path

    def _remove(self) -> None:
        if isinstance(self.path, Address):
            removed(self.path)
            return
        with suppress(OSError):  # a name that is too long for the system, say
            self.path.unlink()

    def _discard(self) -> None:
        if self._replacement is not None:
            self._replacement.discard()

    @contextmanager
    def _telling_failures(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._discard()
            raise WriteFailedError(self.path, error) from error
