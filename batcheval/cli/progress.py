"""A progress bar on a terminal, nothing elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from batcheval.readers import ReadLog


@contextmanager
def progress(log: ReadLog, quiet: bool, what: str = "scoring") -> Iterator[Callable[[int], None]]:
    """Show how far a read is: in bytes where files of records are read, else in rows.

    Yields:
        What to call with every number of rows that is done.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda rows: None
        return
    from tqdm import tqdm

    in_bytes = log.table_rows == 0
    size = log.record_bytes
    total, unit = (size, "B") if in_bytes else (None if size else log.table_rows, " traces")
    with tqdm(total=total, unit=unit, unit_scale=True, leave=False, desc=what) as bar:

        def advance(count: int) -> None:
            bar.update(count)

        log.on_bytes = advance if in_bytes else None
        yield (lambda rows: None) if in_bytes else advance


@contextmanager
def progress_of_parts(size: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show how many bytes of the dump are done, over all parts.

    Yields:
        What to call with every number of bytes that is done.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda count: None
        return
    from tqdm import tqdm

    with tqdm(total=size, unit="B", unit_scale=True, leave=False, desc="scoring") as bar:

        def advance(count: int) -> None:
            bar.update(count)

        yield advance
