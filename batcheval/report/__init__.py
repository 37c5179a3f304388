"""Summaries, counts and checks as text, Markdown and JSON."""

from batcheval.report.agreement import render_agreement
from batcheval.report.catalog import render_check, render_checks, render_formats
from batcheval.report.comparison import render_comparison
from batcheval.report.differences import differences
from batcheval.report.dump import render_profile
from batcheval.report.explanation import render_explanation
from batcheval.report.judgement import gate_lines
from batcheval.report.line_counts import count_lines
from batcheval.report.lint import render_lint
from batcheval.report.outlook import render_outlook
from batcheval.report.pair import render_pair
from batcheval.report.rendering import FORMATS, Format, render
from batcheval.report.run import render_trace, render_traces
from batcheval.report.run_tables import render_run
from batcheval.report.suggested import render_suggestions
from batcheval.report.trials import render_reliability

__all__ = [
    "FORMATS",
    "Format",
    "count_lines",
    "differences",
    "gate_lines",
    "render",
    "render_agreement",
    "render_check",
    "render_checks",
    "render_comparison",
    "render_explanation",
    "render_formats",
    "render_lint",
    "render_outlook",
    "render_pair",
    "render_profile",
    "render_reliability",
    "render_run",
    "render_suggestions",
    "render_trace",
    "render_traces",
]
