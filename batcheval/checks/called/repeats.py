"""Calls that failed, calls that followed a failure, and calls that were made before."""

from functools import cache

import numpy as np
import polars as pl

from batcheval.checks.called.flat import Flat, Ints, Mask, coded, ordinals
from batcheval.checks.called.values import same_arguments


def failed(calls: Flat) -> Mask:
    """The calls that ended in an error, or did not end."""
    return calls.calls["state"].is_in(["error", "pending"]).fill_null(False).to_numpy()


def _after_its_like(calls: Flat, codes: Ints) -> Mask:
    """The calls that the call just before in their run has the code of."""
    after = np.zeros(codes.size, np.bool_)
    after[1:] = (codes[1:] == codes[:-1]) & (calls.rows[1:] == calls.rows[:-1])
    return after


def retried(calls: Flat) -> Mask:
    """The calls of a tool whose call, just before, failed."""
    names, rows = calls.names, pl.Series(calls.rows)
    same = (names == names.shift(1)) & (rows == rows.shift(1))
    before = np.concatenate(([False], failed(calls)[:-1])) if rows.len() else failed(calls)
    return same.fill_null(False).to_numpy() & before


def repeated(calls: Flat, in_a_row: bool) -> Ints:
    """For each call how many with its name and arguments came before.

    Only calls of a tool that their run called before are looked into.

    Args:
        calls: with their `args`.
        in_a_row: only those that came at once before it, without another in between.
    """
    tools = coded(pl.Series(calls.rows), calls.names)
    many = np.bincount(tools)[tools] > 1 if tools.size else tools > 0
    codes = -1 - np.arange(tools.size)  # of one that cannot be a repeat: its own
    args = calls.calls["args"].filter(pl.Series(many, dtype=pl.Boolean))
    codes[many] = coded(pl.Series(tools[many]), pl.Series(_same(args), dtype=pl.String))
    if not in_a_row:
        return ordinals(codes)
    starts = ~_after_its_like(calls, codes)
    return ordinals(np.cumsum(starts))


def _same(args: pl.Series) -> list[str]:
    once = cache(same_arguments)
    return [once(text) for text in args]
