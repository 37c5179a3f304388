"""The notebooks run from top to bottom, and give what they show."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def texts(cell: Any) -> Iterator[str]:
    """What a cell shows, as plain text."""
    for output in cell.get("outputs", ()):
        yield output["text"] if "text" in output else output["data"]["text/plain"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like the checkout, to write in; the kernel finds the package of this checkout."""
    shutil.copytree(ROOT / "sample_traces", tmp_path / "sample_traces")
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    (tmp_path / "notebooks").mkdir()
    return tmp_path / "notebooks"


@pytest.mark.filterwarnings("ignore")  # those of Jupyter's own packages
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_gives_what_it_shows(path: Path, folder: Path) -> None:
    import matplotlib.font_manager  # else a first plot says that it looks for fonts
    import nbformat  # here, so that their absence is one failure and not the end of all tests
    from nbclient import NotebookClient

    assert matplotlib.font_manager.fontManager.ttflist

    notebook = nbformat.read(path, as_version=4)
    shown = [list(texts(cell)) for cell in notebook.cells]
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources)
    client.execute()
    assert [list(texts(cell)) for cell in notebook.cells] == shown


def test_there_are_notebooks_with_plots() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["compare_two_runs", "first_scores"]
    for path in NOTEBOOKS:
        assert path.read_text("utf-8").count('"image/png"') >= 2
