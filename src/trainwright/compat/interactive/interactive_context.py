"""InteractiveContext: TFX's way to run components one by one in a notebook."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from trainwright._ipython import is_in_ipython
from trainwright.compat.interactive.notebook_export import export_notebook
from trainwright.compat.mlmd.connections import sqlite_metadata_connection_config
from trainwright.dsl.base_node import BaseNode
from trainwright.notebook.execution_result import ExecutionResult
from trainwright.notebook.notebook import Notebook

_logger = logging.getLogger(__name__)
_FunctionT = TypeVar("_FunctionT", bound=Callable[..., Any])


def requires_ipython(fn: _FunctionT) -> _FunctionT:
    """A function that only warns where there is no IPython, so that notebooks can be scripts."""

    @functools.wraps(fn)
    def call_in_ipython(*args: Any, **kwargs: Any) -> Any:
        if is_in_ipython():
            return fn(*args, **kwargs)
        _logger.warning(
            'Method "%s" is a no-op when invoked outside of IPython. A script can use '
            "trainwright.Notebook, or run a Pipeline with LocalDagRunner.",
            fn.__name__,
        )
        return None

    return cast(_FunctionT, call_in_ipython)


class InteractiveContext(Notebook):
    """Runs components one by one in a notebook: `Notebook` with TFX's arguments.

    Args:
        pipeline_name: The name of the pipeline; made up from the time if None.
        pipeline_root: The directory of the artifacts; a new temporary one if None.
        metadata_connection_config: Where runs are remembered. If None it is `metadata.sqlite` in
            the root; of a root in an object store, a file of this user on this machine.
        beam_pipeline_args: Flags for components that run on Beam.

    Example:
        ```python
        context = InteractiveContext()
        context.run(example_gen)
        context.show(example_gen.outputs["examples"])
        ```
    """

    def __init__(
        self,
        pipeline_name: str | None = None,
        pipeline_root: str | None = None,
        metadata_connection_config: Any = None,
        beam_pipeline_args: list[str] | None = None,
    ) -> None:
        super().__init__(
            pipeline_name,
            pipeline_root,
            store=metadata_connection_config,
            beam_pipeline_args=beam_pipeline_args,
        )
        if metadata_connection_config is None:
            # As TFX's, a message: tutorials read its sqlite.filename_uri.
            self.metadata_connection_config = sqlite_metadata_connection_config(self._store_file())

    @requires_ipython
    def run(
        self,
        component: BaseNode,
        enable_cache: bool = True,
        beam_pipeline_args: Sequence[str] | None = None,
    ) -> ExecutionResult:
        """Runs a component as `Notebook.run` does; outside of IPython nothing happens."""
        return super().run(component, enable_cache, beam_pipeline_args)

    @requires_ipython
    def show(self, item: Any) -> None:
        """Draws an artifact, a channel, a component or a result; outside of IPython nothing."""
        super().show(item)

    @requires_ipython
    def export_to_pipeline(
        self, notebook_filepath: str, export_filepath: str, runner_type: str
    ) -> None:
        """Writes the code of a notebook as a script that runs a pipeline.

        Args:
            notebook_filepath: The notebook, saved. Its cells define `components`,
                `_pipeline_name`, `_pipeline_root` and `_metadata_path`; cells that begin with
                `%%skip_for_export` are left out, and so are lines of magics and shell commands.
            export_filepath: The script to write.
            runner_type: "beam" for a script that runs here; "airflow" for a DAG of Airflow.

        Raises:
            ValueError: if the runner or the notebook is of another kind.
        """
        export_notebook(notebook_filepath, export_filepath, runner_type)
