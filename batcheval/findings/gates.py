"""What becomes of the gates that ask something of one run."""

from collections.abc import Mapping

import polars as pl

from batcheval.comparing import Run, looked_up
from batcheval.judging import Judgement, judge
from batcheval.suite import Gate, slicing_columns
from batcheval.summary import summarize, summarize_by


def judged_run(
    run: Run, gates: Mapping[str, Gate], traces: pl.LazyFrame | None = None
) -> Judgement:
    """Hold a run against gates, as a whole and slice by slice.

    Args:
        run: the scores.
        gates: by scorer id.
        traces: where columns that make slices are looked up if the scores lack them; without, the
            files that the scores name are read again.

    Raises:
        UnkeptColumnError: such a column is not to be had.
        LostTracesError: the traces are gone.

    Example:
        >>> from batcheval.comparing import open_run
        >>> scores = pl.DataFrame({"trace_id": ["a", "b"], "right": [1.0, 0.0]})
        >>> judged_run(open_run(scores, "scores"), {"right": Gate(min=0.5)}).verdict
        'passed'
    """
    known = [name for name in gates if name in run.scorers]
    columns = slicing_columns(gates)
    told = looked_up(run, dict.fromkeys(columns, "a gate"), traces).scores
    slices = summarize_by(told, columns, known) if columns and known else None
    return judge(summarize(told, known), gates, slices)
