"""A check of the web addresses in a text."""

from collections.abc import Sequence
from functools import partial

import polars as pl

from batcheval.checks.operands import column, listing, sentence, subject
from batcheval.checks.texts.addresses import FOUND, is_valid, trimmed
from batcheval.checks.texts.lists import texts
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check, passed

__all__ = ["valid_urls"]

_LIST = pl.List(pl.String)


@check
def valid_urls(*, hosts: Sequence[str] | None = None, on: pl.Expr = OUTPUT) -> Verdict:
    """Each web address in the output is well formed: 1.0, else 0.0; 1.0 without any.

    An address begins with `http://`, `https://` or `ftp://` and ends at white space, `<`, `>`, a
    double quote or a backtick, less the marks of the sentence around it. It is well formed by RFC
    3986: a host of valid labels and a top-level domain, or an IP address, or `localhost`; a port up
    to 65535; no stray `%`, braces or backslashes, as in templates. Nothing is looked up. Details:
    `urls`, and those `invalid`.

    Args:
        hosts: domains such as "example.com", to which, or to whose subdomains, all must lead.
        on: the text to search instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.
        BlankArgumentError: `hosts` is empty, or one of them is.

    Example:
        >>> traces = pl.DataFrame({"output": ["See https://example.com.", "See http://{host}/"]})
        >>> traces.select(valid_urls().score).to_series().to_list()
        [1.0, 0.0]
    """
    known = None if hosts is None else frozenset(map(str.lower, texts("hosts", hosts)))
    text = column("on", on)
    may = text.str.contains("://", literal=True).fill_null(True)
    raw = pl.when(may).then(text).otherwise(pl.lit("")).str.extract_all(FOUND)
    urls = raw.map_batches(_trimmed, return_dtype=_LIST, is_elementwise=True)
    invalid = urls.map_batches(
        partial(_invalid, hosts=known), return_dtype=_LIST, is_elementwise=True
    )
    holds = invalid.list.len() == 0
    template = "{} has, of {} web addresses, these that are not valid: {}; and should have none"
    reason = sentence(holds, template, subject(on), urls.list.len(), listing(invalid))
    return passed(holds, pl.struct(urls=urls, invalid=invalid), reason)


def _trimmed(batch: pl.Series) -> pl.Series:
    rows = [None if urls is None else [trimmed(url) for url in urls] for urls in batch.to_list()]
    return pl.Series(batch.name, rows, _LIST)


def _invalid(batch: pl.Series, hosts: frozenset[str] | None) -> pl.Series:
    rows = [
        None if urls is None else [url for url in urls if not is_valid(url, hosts)]
        for urls in batch.to_list()
    ]
    return pl.Series(batch.name, rows, _LIST)
