"""The page of a comparison, or of several with one base."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from batcheval import __version__
from batcheval.comparing import BETTER, TOO_FEW, WORSE, Comparison
from batcheval.findings import Change
from batcheval.judging import Judgement
from batcheval.report.comparison_cells import TEST_HEADS, test_cells
from batcheval.report.found import HEADS_OF_SEARCH, rows_of_search, said_of_search
from batcheval.report.page.comparison_cases import worst_pairs
from batcheval.report.page.comparison_rows import TONES, ends_of, row_of, scale_of, slices_of
from batcheval.report.page.environment import fill
from batcheval.report.page.safe import cut
from batcheval.report.page.views import SUITE, View, charts, facts, level_of, made, outcome
from batcheval.report.said import said_of_pairs, said_of_scorer, tally
from batcheval.report.styles import counted


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
    scale = scale_of(rows)
    bins = {
        scorer: dict(zip(("base", "candidate"), both, strict=True))
        for scorer, both in change.histograms.items()
    }
    return {
        "candidate": found.candidate.strip("'"),
        "panel": _panel(change, judgement),
        "confidence": level_of(level),
        "caption": f"{counted(found.pairs, 'pair')}: {found.made_by}",
        "scale": ends_of(scale),
        "rows": [{"scorer": row["scorer"], **row_of(row, scale, level)} for row in rows],
        "said": [said_of_scorer(row, level, len(rows)) for row in rows],
        "test_heads": TEST_HEADS,
        "tests": [test_cells(row) for row in rows],
        **charts(bins),
        "slices": slices_of(found.slices, level),
        "found": _found(found),
        "worst": worst_pairs(change.worst, found.scorers["scorer"].to_list()),
        "paired": list(said_of_pairs(found)),
        "sides": [
            {"title": f"Read for the {side}", **facts(counts)}
            for side, counts in change.counts.items()
        ],
        "made": _made(change),
        "suites": _suites(change.suites),
    }


def _found(comparison: Comparison) -> View | None:
    found = comparison.found
    if found is None:
        return None
    said = list(said_of_search(found, comparison.settings.confidence))
    return {"said": said, "heads": HEADS_OF_SEARCH, "rows": rows_of_search(found)}


def _panel(change: Change, judgement: Judgement) -> View:
    verdicts = change.comparison.scorers["verdict"].to_list()
    counts = [(count, word, TONES[word]) for count, word in tally(change.comparison.scorers)]
    better, worse = verdicts.count(BETTER), verdicts.count(WORSE)
    word, tone = _word(better, worse, verdicts.count(TOO_FEW))
    said = "No gate of a suite was held against this comparison."
    panel = outcome(judgement) or {"word": word, "tone": tone, "said": said, "gates": []}
    if judgement.verdict is not None:
        panel["said"] = f"{word}. {panel['said']}"
    return panel | {"tally": counts}


def _word(better: int, worse: int, few: int) -> tuple[str, str]:
    if worse:
        return ("Better and worse" if better else "Worse"), "bad"
    if better:
        return "Better", "good"
    return ("Too few to tell", "unsure") if few else ("No difference shown", "")


def _made(change: Change) -> str:
    found, versions = change.comparison, set(change.versions.values())
    settings = found.settings
    drawn = f"Bootstraps draw {settings.resamples:,} resamples from seed {settings.seed}."
    return made(
        " and ".join(sorted(versions)),
        level_of(settings.confidence),
        [drawn if settings.resamples else "No bootstrap was asked for."],
    )


def _suites(suites: Mapping[str, str]) -> list[tuple[str, Any]]:
    if len(suites) == 2 and len(set(suites.values())) == 1:
        return [("The suite of both runs", cut(suites["base"], SUITE))]
    return [(f"The suite of the {side}", cut(content, SUITE)) for side, content in suites.items()]
