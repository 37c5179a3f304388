"""agree(): do the checks agree with people?"""

from collections.abc import Sequence

import polars as pl

from batcheval.agreeing.labels import labels_of
from batcheval.agreeing.result import SCORERS, Agreement, Settings
from batcheval.agreeing.rows import clusters_of, row_of
from batcheval.agreeing.truth import truth_of
from batcheval.agreeing.twins import constant, score, twins, verdicts
from batcheval.comparing.runs import Source, open_run
from batcheval.errors import BadLabelsError
from batcheval.schema import Frame
from batcheval.summary.tallies import wanted_scorers


def agree(
    scores: Source,
    label: str,
    scorers: str | Sequence[str] | None = None,
    *,
    traces: Frame | None = None,
    positive: str | Sequence[str] = (),
    above: float | None = None,
    threshold: float = 0.5,
    cluster: str | None = None,
    confidence: float = 0.95,
    resamples: int = 1_000,
    seed: int = 0,
) -> Agreement:
    """Do the checks agree with people? Each scorer's verdicts and scores against human labels.

    Args:
        scores: a scores file, a folder of them, `FILE@RUN` for the rows of one run in a file, an
            opened `ScoresFile`, or a table of scores, wide or long.
        label: the column of the labels, or a path such as `labels.correct`.
        scorers: the ids of those to look at; without, all.
        traces: where to read the labels, joined by `trace_id`. Without, the scores themselves, or
            if they lack the column, the files of traces that they name.
        positive: the labels that are good; all others are bad.
        above: labels are numbers, and good above this one. Without either, true and false, words
            such as `pass` and `wrong`, 1 and 0, and 1 and -1 are understood. Null, NaN and blanks
            are no labels.
        threshold: a score of at least this passes.
        cluster: a column whose equal values do not vary independently. Without: `task_id`, if the
            labelled rows are of fewer tasks than rows.
        confidence: of the intervals.
        resamples: of the bootstrap of the best threshold; 0 for no interval.
        seed: of the bootstrap.

    Returns:
        Two tables. `scorers` has a row a scorer: `n` rows that are labelled and scored, and the
        labelled ones `unscored`; the number of `clusters`, if rows do not stand alone; `tp`, `fp`,
        `fn` and `tn`, the passes that are good and bad and the fails that are good and bad;
        `agreement`, Cohen's `kappa`, `precision`, `recall`, `f1` and `auroc`, each with its `_low`
        and `_high`; the `best_threshold`, with the highest Youden's J, its interval, and that J
        (`youden`); of all rows, labelled or not, how many are `scored` and how many of them are
        `passing`, and if that is all or none, in `constant`: never fails, or always fails. What
        cannot be told is null, as the AUROC where all labels are of one kind.

        `pairs` has a row for each pair of scorers that say the same: see `twins`.

        Intervals are Wilson's, for kappa Fleiss' and for AUROC DeLong's, in clusters each by the
        cluster-robust error; the functions of `batcheval.agreeing` name the sources.

    Raises:
        UnreadableFileError: there is no such file, or it is damaged.
        NotScoresError: there are no scores in it.
        UnknownRunError: a file has no such run.
        UnknownScorerError: the scores have no such scorer.
        LostTracesError: the scores lack the labels, and their traces are gone.
        MissingColumnsError: the traces lack the label's column.
        NoLabelsError: no row has a label.
        BadLabelsError: it cannot be told whether labels are good or bad, or they are the scores of
            one of `scorers`.
        UnkeptColumnError: the scores lack a column, and do not say where their traces are.
        BadArgumentError: an argument makes no sense.

    Example:
        >>> rows = {"trace_id": list("abcd"), "verdict": ["pass", "fail", "pass", None]}
        >>> scores = pl.DataFrame({**rows, "right": [1.0, 0.0, 0.0, 1.0]})
        >>> agree(scores, "verdict").scorers.select("n", "agreement", "precision").row(0)
        (3, 0.6666666666666666, 1.0)
    """
    settings = Settings(threshold, confidence, resamples, seed)
    settings.require_sense()
    run = open_run(scores, "the run")
    ids = wanted_scorers(scorers, run.scorers)
    labels = labels_of(run, label, traces)
    named = (positive,) if isinstance(positive, str) else tuple(positive)
    truth = truth_of(labels.values, label, named, above)
    if label in ids:
        raise BadLabelsError.scored(label, (name for name in run.scorers if name != label))
    labelled = run.scores.select(map(score, ids)).collect(engine="streaming")
    known = truth.good.is_not_null()
    labelled, good = labelled.filter(known), truth.good.filter(known).to_numpy()
    by, codes = clusters_of(run, cluster, known)
    patterns = verdicts(run.scores, ids, threshold)
    rows = [
        {"scorer": name, **row_of(labelled[name], good, codes, settings)} | constant(patterns, name)
        for name in ids
    ]
    return Agreement(
        *(run.name, label, labels.home, truth.meaning),
        *(len(labels.values), int(good.sum()), int((~good).sum()), labels.unmatched),
        cluster=by,
        settings=settings,
        scorers=pl.DataFrame(rows, schema=SCORERS),
        pairs=twins(patterns, run.scores, ids),
    )
