"""The magic `%%skip_for_export`: `%load_ext tfx...notebook_extensions.skip` turns it on."""

from __future__ import annotations

from typing import Any

from IPython.core.magic import Magics, cell_magic, magics_class


@magics_class
class SkipMagics(Magics):
    """Marks cells that `InteractiveContext.export_to_pipeline` leaves out."""

    @cell_magic
    def skip_for_export(self, line: str, cell: str) -> None:
        """Executes a cell that is not exported."""
        assert self.shell is not None, "IPython has loaded it"
        self.shell.run_cell(cell)  # type: ignore[no-untyped-call]
        print("This cell will be skipped during export to pipeline.")


def load_ipython_extension(ipython: Any) -> None:
    """Called by `%load_ext`."""
    ipython.register_magics(SkipMagics)
