"""Score distributions as drawings that take on the colours of the page they stand in."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from batcheval.findings import BINS

_WIDTH: Final = 1 / BINS
_TICKS: Final = (0, 0.25, 0.5, 0.75, 1)
_TEXT: Final = {"labelColor": "currentColor", "titleColor": "currentColor", "titleFontWeight": 400}
_LINES: Final = dict.fromkeys(("domainColor", "tickColor", "gridColor"), "var(--rule)")


def distribution(bins: Mapping[str, Sequence[int]]) -> str:
    """A histogram as SVG, its bars in the colours `var(--<series>)` and its text in the page's own.

    Args:
        bins: of each series (`run`, or `base` and `candidate`), how many scores lie in each bin.
    """
    import vl_convert

    svg = str(vl_convert.vegalite_to_svg(json.dumps(_spec(bins))))
    return svg.replace('xmlns:xlink="http://www.w3.org/1999/xlink" ', "", 1)


def said(bins: Mapping[str, Sequence[int]]) -> str:
    """The same in words, for those who do not see it.

    Example:
        >>> said({"run": [1] + [0] * 18 + [3]})
        'run: 25.0% from 0 to 0.05, 75.0% from 0.95 to 1'
    """
    return "; ".join(f"{name}: {_listed(counts)}" for name, counts in bins.items())


def _listed(counts: Sequence[int]) -> str:
    total = sum(counts)
    shares = (
        f"{count / total:.1%} from {place * _WIDTH:.2g} to {(place + 1) * _WIDTH:.2g}"
        for place, count in enumerate(counts)
        if count
    )
    return ", ".join(shares) or "nothing was scored"


def _spec(bins: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    share = {"field": "share", "type": "quantitative", "title": None}
    ends = {"field": "low", "type": "quantitative", "title": None}
    colors = [f"var(--{name})" for name in bins]
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": 250,
        "height": 90,
        "background": None,
        "data": {"values": _bars(bins)},
        "mark": "rect",
        "encoding": {
            "x": ends | {"scale": {"domain": [0, 1]}, "axis": {"values": _TICKS, "format": ".2~f"}},
            "x2": {"field": "high"},
            "y": share | {"axis": {"format": "~%", "tickCount": 3}},
            "y2": {"datum": 0},
            "color": {
                "field": "series",
                "scale": {"domain": list(bins), "range": colors},
                "legend": None,
            },
        },
        "config": {
            "font": "inherit",
            "axis": _TEXT | _LINES | {"labelFontSize": 11},
            "axisX": {"grid": False},
            "axisY": {"domain": False, "ticks": False},
            "view": {"stroke": None},
        },
    }


def _bars(bins: Mapping[str, Sequence[int]]) -> list[dict[str, Any]]:
    """The bars that there are: where series share a bin they stand beside each other in it."""
    each, gap = _WIDTH / len(bins), _WIDTH / 20
    return [
        {
            "series": name,
            "low": round(place * _WIDTH + nth * each + gap, 6),
            "high": round(place * _WIDTH + (nth + 1) * each - gap, 6),
            "share": count / sum(counts),
        }
        for nth, (name, counts) in enumerate(bins.items())
        for place, count in enumerate(counts)
        if count
    ]
