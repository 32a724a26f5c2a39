"""Beam inside IPython: there it also imports its dataframes, which not every pandas suits."""

from __future__ import annotations

import pytest

pytest.importorskip("apache_beam", reason="pip install 'trainwright[beam]'")

CELLS = """
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
for cell in ("import apache_beam as beam", "import apache_beam.dataframe.frames"):
    shell.run_cell(cell).raise_error()
print("imported")
"""


def test_beam_can_be_imported_in_ipython(run_script):
    assert run_script(CELLS).stdout.splitlines()[-1] == "imported"
