"""Pages of HTML that are whole in themselves: of one run, of a comparison."""

from batcheval.report.page.comparison_page import comparison_page
from batcheval.report.page.environment import require_packages
from batcheval.report.page.files import write_text
from batcheval.report.page.run_page import run_page

__all__ = ["comparison_page", "require_packages", "run_page", "write_text"]
