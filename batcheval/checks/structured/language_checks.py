"""Checks of whether the output is well formed: markup and data."""

import polars as pl

from batcheval.checks.structured.grammars import xml_error, yaml_error
from batcheval.checks.structured.html import html_error
from batcheval.checks.structured.verdicts import well_formed
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check

__all__ = ["is_html", "is_xml", "is_yaml"]


@check
def is_xml(*, fenced: bool = False, on: pl.Expr = OUTPUT) -> Verdict:
    """The output is a well-formed XML document: 1.0, else 0.0.

    As expat reads it: one element, after what XML lets stand before. No schema or other file is
    looked at; entities that swell to more than a hundredfold are an error. White space around the
    document does not matter. A blank text is none. Details: `valid`, `error`.

    Args:
        fenced: the document is what stands in the first code fence, where a text has one.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["<a><b/></a>", "<a><b></a>", "<a/><a/>"]})
        >>> traces.select(is_xml().score).to_series().to_list()
        [1.0, 0.0, 0.0]
    """
    return well_formed("XML", xml_error, on, fenced)


@check
def is_html(*, fenced: bool = False, on: pl.Expr = OUTPUT) -> Verdict:
    """The output is HTML, a document or a piece of one: 1.0, else 0.0.

    It has at least one tag, all tags are elements of HTML (or have a hyphen, or are in `svg` or
    `math`), and those are closed in turn that must be. Stricter than browsers, which take anything;
    attributes and what may stand in what are not looked at. Details: `valid`, `error`.

    Args:
        fenced: as in `is_xml`.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["<ul><li>one<li>two</ul>", "<b>bold", "none"]})
        >>> traces.select(is_html().score).to_series().to_list()
        [1.0, 0.0, 0.0]
    """
    return well_formed("HTML", html_error, on, fenced)


@check
def is_yaml(*, fenced: bool = False, on: pl.Expr = OUTPUT) -> Verdict:
    r"""The output is YAML, a mapping or a sequence: 1.0, else 0.0.

    As PyYAML reads it (YAML 1.1), syntax alone: tags and aliases are not resolved. One bare scalar
    is none here, since any words are one. Nesting of more than 500 is an error. JSON is YAML
    nearly always. Details: `valid`, `error`.

    Args:
        fenced: as in `is_xml`.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["a: 1\nb: [2]", "just words", "a: b: c"]})
        >>> traces.select(is_yaml().score).to_series().to_list()
        [1.0, 0.0, 0.0]
    """
    return well_formed("YAML", yaml_error, on, fenced)
