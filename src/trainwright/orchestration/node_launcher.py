"""Sends a prepared node to a worker process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

from trainwright import _keras_choice
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.pipeline import Pipeline
from trainwright.orchestration import layout, user_code
from trainwright.orchestration.prepared_nodes import StartedNode
from trainwright.orchestration.worker_pool import Worker, WorkerPool

# Plain workers, and the modules that the light zygote has at hand for them.
_PLAIN_PRELOAD = ("trainwright.orchestration.worker",)


class NodeLauncher:
    """Knows where the files of an execution go and which process suits a node.

    Args:
        pool: The worker processes.
        pipeline: What is run.
        pipeline_root: Where its artifacts go.
        run_id: The run's id.
    """

    def __init__(
        self, pool: WorkerPool, pipeline: Pipeline, pipeline_root: str, run_id: str
    ) -> None:
        self._pool = pool
        self._pipeline = pipeline
        self._root = pipeline_root
        self._run_id = run_id

    def log_path(self, node: BaseComponent, execution_id: int) -> str:
        return layout.log_path(self._root, node.id, execution_id)

    def result_path(self, node: BaseComponent, execution_id: int) -> str:
        return layout.result_path(self._root, node.id, execution_id)

    def launch(self, node: BaseComponent, started: StartedNode) -> Worker:
        """Makes the directories of the outputs and starts the executor.

        Raises OSError or ValueError if the node cannot be started.
        """
        payload = user_code.dump_request(
            node, started.input_dict, started.output_dict, started.exec_properties
        )
        for artifacts in started.output_dict.values():
            for artifact in artifacts:
                layout.make_output_directory(artifact.uri)
        log = self.log_path(node, started.execution.id)
        os.makedirs(os.path.dirname(log), exist_ok=True)
        return self._pool.start(
            self._request_header(node, started.execution.id),
            payload,
            log_path=log,
            preload=_preload(node),
            environment=_environment(node),
        )

    def warm_up(self, nodes: Iterable[BaseNode]) -> None:
        """Starts importing what these nodes will need while others work."""
        components = [node for node in nodes if isinstance(node, BaseComponent)]
        # A zygote with many modules also does for nodes that need fewer.
        for node in sorted(components, key=lambda node: len(_preload(node)), reverse=True):
            if _preload(node) != _PLAIN_PRELOAD:
                self._pool.warm_up(_preload(node), _environment(node))

    def _request_header(self, node: BaseComponent, execution_id: int) -> dict[str, Any]:
        beam_flags = [*self._pipeline.beam_pipeline_args, *node.beam_pipeline_args]
        return {
            "working_directory": os.getcwd(),
            "argv": sys.argv,
            "result_path": self.result_path(node, execution_id),
            "context": {
                "tmp_dir": layout.temporary_directory(self._root, node.id, execution_id),
                "unique_id": str(execution_id),
                "pipeline_name": self._pipeline.pipeline_name,
                "pipeline_run_id": self._run_id,
                "node_id": node.id,
                "beam_pipeline_args": beam_flags,
            },
        }


def _preload(node: BaseComponent) -> tuple[str, ...]:
    return _PLAIN_PRELOAD + node.DRIVER_CLASS().preload(node)


def _environment(node: BaseComponent) -> dict[str, str]:
    """What a worker's environment adds to the runner's."""
    return {_keras_choice.VARIABLE: _keras_choice.choice_for_workers(), **node.environment}
