"""Notebooks, written as scripts with a line `# %%` before each cell, run in a real kernel."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

HERE = Path(__file__).parent
DATA = HERE.parent.parent / "examples" / "penguin" / "data"


class ExecutedNotebook:
    """What a notebook's cells have put out."""

    def __init__(self, notebook):
        self.notebook = notebook
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]

    def cell(self, beginning):
        """The only code cell that has a line that begins so."""
        found = [
            cell
            for cell in self.cells
            if any(line.startswith(beginning) for line in cell.source.splitlines())
        ]
        assert len(found) == 1, f"{len(found)} cells have a line {beginning!r}"
        return found[0]

    def printed(self, beginning):
        """What a cell has printed."""
        outputs = self.cell(beginning).outputs
        return "".join(one.text for one in outputs if one.output_type == "stream")

    def html(self, beginning):
        """What a cell shows as HTML."""
        outputs = self.cell(beginning).outputs
        return "\n".join(one.data.get("text/html", "") for one in outputs if "data" in one)

    def error(self, beginning):
        """The traceback that a cell shows, without colors."""
        errors = [o for o in self.cell(beginning).outputs if o.output_type == "error"]
        return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(errors[0].traceback)) if errors else ""


def read_notebook(path):
    """A script with cells as a notebook."""
    notebook = nbformat.v4.new_notebook()
    for part in re.split(r"^# %%", path.read_text(), flags=re.MULTILINE)[1:]:
        kind, _, source = part.partition("\n")
        if "[markdown]" in kind:
            notebook.cells.append(nbformat.v4.new_markdown_cell(kind.partition("]")[2].strip()))
        else:
            notebook.cells.append(nbformat.v4.new_code_cell(source.strip("\n")))
    return notebook


@pytest.fixture(scope="module")
def run_notebook(tmp_path_factory, warm_scripts):
    """Runs a notebook of this folder beside a directory `data` with the penguins."""

    def run(name, *, allow_errors=False):
        directory = tmp_path_factory.mktemp(name)
        (directory / "data").mkdir()
        shutil.copy(DATA / "penguins.csv", directory / "data")
        notebook = read_notebook(HERE / "notebooks" / f"{name}.py")
        client = NotebookClient(
            notebook,
            timeout=300,
            kernel_name="python3",
            allow_errors=allow_errors,
            resources={"metadata": {"path": str(directory)}},
        )
        client.execute()
        nbformat.write(notebook, directory / f"{name}.ipynb")
        return ExecutedNotebook(notebook)

    return run
