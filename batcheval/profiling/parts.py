"""The counts of a profile, gathered batch by batch."""

from typing import Any, Final

import polars as pl

from batcheval.schema import CANONICAL, INPUT, OUTPUT, TOOL_CALLS, TRACE_ID

_MOST: Final = 10_000  # names of a kind that are held; the rest is one
_SIZES: Final = {
    "input": INPUT.str.len_chars(),
    "output": OUTPUT.str.len_chars(),
    "calls": TOOL_CALLS.list.len(),
}
_NAMES: Final = {"files": "source", "runs": "run", "models": "model"}
_SUMS: Final = ("input_tokens", "output_tokens", "total_tokens", "cached_tokens", "cost")
_CALL: Final = pl.element().struct.field
_COUNTS: Final = {
    "without_input": INPUT.str.strip_chars() == "",
    "without_output": OUTPUT.str.strip_chars() == "",
    "without_calls": TOOL_CALLS.list.len() == 0,
    "failed": pl.col("error").is_not_null(),
    "with_expected": pl.col("expected").is_not_null(),
    "with_expected_calls": pl.col("expected_tool_calls").is_not_null(),
    "with_zero_id": TRACE_ID.str.contains("^0{8}[0-]*$"),
    "calls_without_result": TOOL_CALLS.list.eval(
        _CALL("result").is_null() & _CALL("error").is_null()
    ).list.sum(),
}


class Parts:
    """Takes frames of the canonical table; memory holds names and counts only."""

    def __init__(self) -> None:
        self._rows = 0
        self._tables: dict[str, list[pl.DataFrame]] = {}

    def add(self, frame: pl.DataFrame) -> None:
        """Count the rows of a frame."""
        self._rows += frame.height
        one = pl.lit(1).cast(pl.Int64).alias("n")
        for title, column in _NAMES.items():
            self._put(title, frame.select(pl.col(column).alias("name"), one))
        for title, size in _SIZES.items():
            self._put(f"size of {title}", frame.select(_rounded(size), size.alias("size"), one))
        self._put("tools", _calls(frame))
        self._put("states", _calls(frame).select(pl.col("state").alias("name"), "n"))
        counts = [expr.sum().cast(pl.Int64).alias(name) for name, expr in _COUNTS.items()]
        sums = [pl.col(name).cast(pl.Float64).sum() for name in _SUMS]
        times = [pl.col("started_at").min().alias("from"), pl.col("started_at").max().alias("to")]
        self._tables.setdefault("whole", []).append(frame.select(*counts, *sums, *times))

    def _put(self, title: str, rows: pl.DataFrame) -> None:
        held = self._tables.setdefault(title, [])
        held.append(_grouped(rows))
        if len(held) > 50:
            merged = _grouped(pl.concat(held))
            self._tables[title] = [merged.sort("n", descending=True).head(_MOST)]

    def _merged(self, title: str) -> pl.DataFrame:
        return _grouped(pl.concat(self._tables[title])).sort("n", "name", descending=[True, False])

    def facts(self) -> dict[str, Any]:
        """All that was counted, as `profile` tells it."""
        if not self._rows:
            self.add(pl.DataFrame(schema=CANONICAL))
        whole = pl.concat(self._tables["whole"])
        counts = whole.select(pl.col(*_COUNTS, *_SUMS).sum()).row(0, named=True)
        start, end = whole["from"].min(), whole["to"].max()
        tools = self._merged("tools").filter(pl.col("name").is_not_null())
        return {
            "traces": self._rows,
            **{title: _listed(self._merged(title), "traces") for title in _NAMES},
            "tools": tools.rename({"n": "calls"})
            .select("name", "calls", "errors", "traces")
            .to_dicts(),
            "states": _listed(self._merged("states"), "calls"),
            "lengths": {title: self._size(title) for title in _SIZES},
            **counts,
            "started_at": {"from": start, "to": end},
        }

    def _size(self, title: str) -> dict[str, Any]:
        sizes = self._merged(f"size of {title}").sort("name")
        number = int(sizes["n"].sum())
        if not number:
            return dict.fromkeys(("min", "median", "mean", "max"))
        middle = sizes.filter(pl.col("n").cum_sum() * 2 >= number)["name"][0]
        return {
            "min": sizes["min"].min(),
            "median": max(min(middle, sizes["max"].max()), sizes["min"].min()),
            "mean": float(sizes["size"].sum()) / number,
            "max": sizes["max"].max(),
        }


def _rounded(size: pl.Expr) -> pl.Expr:
    """A size to two digits, so that few different ones need be held."""
    return size.cast(pl.Float64).round_sig_figs(2).cast(pl.Int64).alias("name")


def _calls(frame: pl.DataFrame) -> pl.DataFrame:
    calls = frame.select(pl.int_range(pl.len()).alias("row"), TOOL_CALLS).explode("tool_calls")
    call = pl.col("tool_calls").struct
    calls = calls.drop_nulls().select(
        "row", call.field("name").alias("name"), call.field("state").alias("state")
    )
    return calls.select(
        "name",
        "state",
        pl.lit(1).cast(pl.Int64).alias("n"),
        (pl.col("state") == "error").cast(pl.Int64).alias("errors"),
        pl.struct("row", "name").is_first_distinct().cast(pl.Int64).alias("traces"),
    )


def _grouped(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a name, its counts added up; of sizes the least and the largest too."""
    added = [
        pl.col(name).sum() for name in ("n", "errors", "traces", "size") if name in rows.columns
    ]
    if "size" in rows.columns:
        least = "min" if "min" in rows.columns else "size"
        most = "max" if "max" in rows.columns else "size"
        added += [pl.col(least).min().alias("min"), pl.col(most).max().alias("max")]
    return rows.group_by("name").agg(added)


def _listed(table: pl.DataFrame, unit: str) -> list[dict[str, Any]]:
    return table.select("name", pl.col("n").alias(unit)).to_dicts()
