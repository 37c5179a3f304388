"""The page of a comparison, or of several with one base."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from batcheval import __version__
from batcheval.comparing import BETTER, TOO_FEW, UNSHOWN, WORSE
from batcheval.findings import Cases, Change
from batcheval.judging import Judgement
from batcheval.report.comparison import TEST_HEADS, main_cells, test_cells
from batcheval.report.page.axis import Scale, around_zero
from batcheval.report.page.environment import fill
from batcheval.report.page.marks import marked
from batcheval.report.page.safe import cut
from batcheval.report.page.views import ROWS, SUITE, View, charts, facts, made, outcome
from batcheval.report.page.views import percent as percent_of
from batcheval.report.page.views import plural, text
from batcheval.report.said import said_of_pairs, said_of_scorer, signed

_TONES: Final = {BETTER: "good", WORSE: "bad", TOO_FEW: "unsure", UNSHOWN: ""}


def comparison_page(changes: Sequence[Change], judgements: Sequence[Judgement] = ()) -> str:
    """A page of HTML that needs nothing else: verdict, scorers, distributions, slices, regressions.

    Args:
        changes: comparisons with one base.
        judgements: what became of the gates, by comparison, if any were asked.

    Raises:
        MissingExtraError: the packages that make it are not installed.
    """
    judged = list(judgements) or [Judgement([], None)] * len(changes)
    first = changes[0].comparison
    others = [change.comparison.candidate.strip("'") for change in changes]
    title = others[0] if len(others) == 1 else f"{len(others)} candidates"
    return fill(
        "comparison.html",
        version=__version__,
        polars=pl.__version__,
        title=f"{first.base.strip(chr(39))} → {title}",
        comparisons=[_view(*both) for both in zip(changes, judged, strict=True)],
    )


def _view(change: Change, judgement: Judgement) -> View:
    found = change.comparison
    rows, level = found.scorers.to_dicts(), found.settings.confidence
    scale = _scale(rows)
    bins = {
        scorer: dict(zip(("base", "candidate"), both, strict=True))
        for scorer, both in change.histograms.items()
    }
    return {
        "candidate": found.candidate.strip("'"),
        "panel": _panel(change, judgement),
        "confidence": percent_of(level),
        "caption": f"{plural(found.pairs, 'pair')}: {found.made_by}",
        "scale": _ends(scale),
        "rows": [{"scorer": row["scorer"], **_row(row, scale, level)} for row in rows],
        "said": [said_of_scorer(row, level, len(rows)) for row in rows],
        "test_heads": TEST_HEADS,
        "tests": [test_cells(row) for row in rows],
        **charts(bins),
        "slices": _slices(found.slices, level),
        "worst": _worst(change.worst, found.scorers["scorer"].to_list()),
        "paired": list(said_of_pairs(found)),
        "sides": [
            {"title": f"Read for the {side}", **facts(counts)}
            for side, counts in change.counts.items()
        ],
        "made": _made(change),
        "suites": _suites(change.suites),
    }


def _panel(change: Change, judgement: Judgement) -> View:
    verdicts = change.comparison.scorers["verdict"].to_list()
    tally = [(n, word, _TONES[word]) for word in _TONES if (n := verdicts.count(word))]
    better, worse = verdicts.count(BETTER), verdicts.count(WORSE)
    word, tone = _word(better, worse, verdicts.count(TOO_FEW))
    said = "No gate of a suite was held against this comparison."
    panel = outcome(judgement) or {"word": word, "tone": tone, "said": said, "gates": []}
    if judgement.verdict is not None:
        panel["said"] = f"{word}: {panel['said']}"
    return panel | {"tally": tally}


def _word(better: int, worse: int, few: int) -> tuple[str, str]:
    if worse:
        return ("Better and worse" if better else "Worse"), "bad"
    if better:
        return "Better", "good"
    return ("Too few to tell", "unsure") if few else ("No difference shown", "")


def _scale(rows: Sequence[Mapping[str, Any]]) -> Scale:
    return around_zero(row[name] for row in rows for name in ("difference", "low", "high"))


def _ends(scale: Scale) -> View:
    return {"low": f"{scale.low:+.3g}", "high": f"{scale.high:+.3g}"}


def _row(row: Mapping[str, Any], scale: Scale, level: float) -> View:
    _, pairs, base, candidate, difference, ends, wins, ties, losses, p_holm, verdict = main_cells(row)
    said = f"difference {difference}"
    return {
        "pairs": pairs,
        "base": base,
        "candidate": candidate,
        "difference": difference,
        "ends": ends,
        "wins": wins,
        "ties": ties,
        "losses": losses,
        "p_holm": p_holm,
        "verdict": verdict,
        "tone": _TONES[verdict],
        "at": scale.whiskers(row["difference"], row["low"], row["high"]),
        "label": said if ends == "-" else f"{said}, {percent_of(level)} interval {ends}",
    }


def _slices(slices: pl.DataFrame, level: float) -> list[View]:
    parts = slices.partition_by("column", as_dict=True, maintain_order=True)
    return [_slice(str(column), table, level) for (column,), table in parts.items()]


def _slice(column: str, table: pl.DataFrame, level: float) -> View:
    kept, caption = table, "Each slice compared on its own; p values are adjusted over all of them"
    if table.height > ROWS:
        kept = table.sort("difference", maintain_order=True, nulls_last=True).head(ROWS)
        caption = f"The {ROWS:,} of {table.height:,} comparisons that fell most"
    rows = kept.to_dicts()
    scale = _scale(rows)
    shown = [
        {
            "value": "(null)" if row["value"] is None else row["value"],
            "scorer": row["scorer"],
            **_row(row, scale, level),
        }
        for row in rows
    ]
    verdicts = table["verdict"].to_list()
    counts = [f"{n:,} {word}" for word in (WORSE, BETTER) if (n := verdicts.count(word))]
    said = ", ".join([plural(table["value"].n_unique(), "slice"), *counts])
    return {"column": column, "caption": caption, "scale": _ends(scale), "rows": shown, "said": said}


def _worst(worst: Cases, scorers: Sequence[str]) -> View:
    shown = worst.frame.height
    said = "No score of any pair fell."
    if shown:
        said = (
            f"{plural(shown, 'pair')} of the {worst.total:,} in which a score fell: those that lost"
            " most over all scorers. Words that the other output lacks are marked; long texts are cut."
        )
    cases = [_case(row, scorers) for row in worst.frame.to_dicts()]
    return {"said": said, "notes": worst.notes, "cases": cases}


def _case(row: Mapping[str, Any], scorers: Sequence[str]) -> View:
    both = {s: (row[f"base:{s}"], row[f"candidate:{s}"]) for s in scorers}
    known = {s: pair for s, pair in both.items() if None not in pair}
    changed = {s: pair for s, pair in known.items() if pair[0] != pair[1]}
    order = sorted(changed, key=lambda scorer: changed[scorer][1] - changed[scorer][0])
    fell = [scorer for scorer in order if changed[scorer][1] < changed[scorer][0]]
    outputs = [text(row["base_output"]), text(row["candidate_output"])]
    pieces: tuple[Any, Any] = (None, None)
    if outputs[0] and outputs[1] and outputs[0].text and outputs[1].text:
        pieces = marked(outputs[0].text, outputs[1].text)
    return {
        "name": row["key"],
        "said": f"{plural(len(fell), 'score')} fell: {', '.join(fell[:5])}"
        + (" …" if len(fell) > 5 else ""),
        "input": text(row["text:input"]),
        "expected": text(row["text:expected"]),
        "base": outputs[0],
        "candidate": outputs[1],
        "base_pieces": pieces[0],
        "candidate_pieces": pieces[1],
        "base_trace": row["base_trace"],
        "candidate_trace": row["candidate_trace"],
        "same": plural(len(known) - len(changed), "score"),
        "scores": [_score(scorer, *changed[scorer]) for scorer in order],
    }


def _score(scorer: str, base: float, candidate: float) -> View:
    return {
        "scorer": scorer,
        "base": f"{base:.3f}",
        "candidate": f"{candidate:.3f}",
        "change": signed(candidate - base),
        "tone": "bad" if candidate < base else "good",
    }


def _made(change: Change) -> str:
    found, versions = change.comparison, set(change.versions.values())
    settings = found.settings
    drawn = f"Bootstraps draw {settings.resamples:,} resamples from seed {settings.seed}."
    return made(
        " and ".join(sorted(versions)),
        percent_of(settings.confidence),
        [drawn if settings.resamples else "No bootstrap was asked for."],
    )


def _suites(suites: Mapping[str, str]) -> list[tuple[str, Any]]:
    if len(suites) == 2 and len(set(suites.values())) == 1:
        return [("The suite of both runs", cut(suites["base"], SUITE))]
    return [(f"The suite of the {side}", cut(content, SUITE)) for side, content in suites.items()]
