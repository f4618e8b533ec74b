"""The first page of the documentation runs in a kernel of Jupyter, and shows what it gives.

PTC_EVAL_BLESS=1 writes its outputs anew.
"""

import os
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient

import ptc_eval

NOTEBOOK = Path(__file__).parents[1] / "first-steps.ipynb"
#: Lines from `import ptc_eval` to the first plot.
LINES = 10


def test_the_notebook_shows_what_it_gives(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", str(Path(ptc_eval.__file__).parents[1]))
    monkeypatch.setenv("COLUMNS", "80")
    shown = nbformat.read(NOTEBOOK, as_version=4)
    run = nbformat.read(NOTEBOOK, as_version=4)
    folder = {"metadata": {"path": str(NOTEBOOK.parent)}}
    # Sockets of files: nothing is asked of a network. The kernel has another working directory, so their path is absolute.
    kernel = AsyncKernelManager(transport="ipc", ip=str(tmp_path / "kernel"))
    NotebookClient(run, km=kernel, timeout=300, resources=folder).execute()
    for cell in run.cells:
        cell.pop("execution_count", None)
        cell.metadata.pop("execution", None)
    if os.environ.get("PTC_EVAL_BLESS") == "1":
        blessed(run)
        nbformat.write(run, NOTEBOOK)
        return
    assert texts(run) == texts(shown), "PTC_EVAL_BLESS=1 writes the outputs anew"
    images = sum("image/png" in output.get("data", {}) for cell in shown.cells for output in cell.get("outputs", []))
    assert images == 2


def test_ten_lines_lead_to_a_plot():
    lines = 0
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        if cell.cell_type == "code":
            lines += len([line for line in cell.source.splitlines() if line.strip()])
            if any("image/png" in output.get("data", {}) for output in cell.outputs):
                break
    assert lines <= LINES


def texts(notebook) -> list:
    """The outputs as text, without the folder of reports, whose name is another each time."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            found.append([line for line in text.splitlines() if "page: " not in line])
    return found


def blessed(notebook) -> None:
    """Takes out what differs from run to run."""
    for number, cell in enumerate(notebook.cells, 1):
        cell["id"] = f"cell-{number}"
        cell.get("outputs", [])
        for output in cell.get("outputs", []):
            output.pop("execution_count", None)
            if output.output_type == "execute_result":
                output["execution_count"] = None
            if "text" in output:
                lines = output["text"].splitlines(keepends=True)
                output["text"] = "".join(line for line in lines if "page: " not in line)
        if cell.cell_type == "code":
            cell["execution_count"] = None
    notebook.metadata.pop("language_info", None)
