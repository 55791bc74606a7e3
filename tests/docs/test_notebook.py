"""The notebook in examples/ runs, and what it shows is what it says."""

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"


def outputs(notebook):
    """Give all that the cells put out, but for warnings."""
    made = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output for output in made if output.get("name") != "stderr"]


@pytest.mark.slow
def test_it_runs_from_top_to_bottom(tmp_path, monkeypatch):
    monkeypatch.delenv("MENSURA_STORE", raising=False)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    stored = len(outputs(notebook))
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert len(outputs(notebook)) == stored
    said = json.dumps(outputs(notebook))
    for words in ("coin-v1", "overconfident", "quadratic_score", "halves-v1", "<svg"):
        assert words in said
    assert "<svg" in (tmp_path / "report.html").read_text()


def test_it_is_kept_executed():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
    assert not any(
        output.get("output_type") == "error" for cell in notebook.cells for output in cell.get("outputs", [])
    )
