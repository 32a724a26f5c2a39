"""Sends a prepared node to a worker process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

from trainwright import _keras_choice
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.containers.container_spec import ContainerSpec
from trainwright.dsl.executor_spec import BeamExecutorSpec
from trainwright.dsl.pipeline import Pipeline
from trainwright.orchestration.launching import user_code
from trainwright.orchestration.launching.containers import ContainerGuard, container_name, find_tool
from trainwright.orchestration.launching.worker_pool import Worker, WorkerPool
from trainwright.orchestration.planning.prepared_nodes import StartedNode
from trainwright.orchestration.publishing import claims, layout
from trainwright.types.placeholder import KnownValues, resolve_part

# Plain workers, and the modules that the light zygote has at hand for them.
_PLAIN_PRELOAD = ("trainwright.orchestration.execution.worker",)


class NodeLauncher:
    """Knows where the files of an execution go and which process suits a node.

    Args:
        pool: The worker processes.
        pipeline: What is run.
        run_id: The run's id.
        store_location: Where the store is that knows of the executions.
        root: Where the pipeline's artifacts go.
        engine: What runs the nodes' passes over data, by name or URL; the local one if None.
    """

    def __init__(
        self,
        pool: WorkerPool,
        pipeline: Pipeline,
        run_id: str,
        store_location: str,
        root: str,
        engine: str | None = None,
    ) -> None:
        self._pool = pool
        self._pipeline = pipeline
        self._run_id = run_id
        self._store_location = store_location
        self._root = root
        self._engine = engine

    def launch(self, node: BaseComponent, started: StartedNode) -> Worker:
        """Makes the directories of the execution and its outputs and starts the executor.

        Raises OSError or ValueError if the node cannot be started; PlaceTakenError, and nothing is
        left, if it can be under another number.
        """
        payload = user_code.dump_request(
            node, started.input_dict, started.output_dict, started.exec_properties
        )
        claims.claim(started.directory, started.token, self._store_location)
        _make_output_directories(started)
        return self._pool.start(
            self._request_header(node, started),
            payload,
            log_path=layout.log_path(started.directory),
            preload=_preload(node),
            environment=_environment(node),
            guard=_guard(node, started),
        )

    def warm_up(self, nodes: Iterable[BaseNode]) -> None:
        """Starts importing what these nodes will need while others work."""
        components = [node for node in nodes if isinstance(node, BaseComponent)]
        # A zygote with many modules also does for nodes that need fewer.
        for node in sorted(components, key=lambda node: len(_preload(node)), reverse=True):
            if _preload(node) != _PLAIN_PRELOAD:
                self._pool.warm_up(_preload(node), _environment(node))

    def _request_header(self, node: BaseComponent, started: StartedNode) -> dict[str, Any]:
        beam_flags = node.beam_pipeline_args
        if not isinstance(node.executor_spec, BeamExecutorSpec):  # which has the pipeline's, too
            beam_flags = [*self._pipeline.beam_pipeline_args, *beam_flags]
        return {
            "working_directory": os.getcwd(),
            "argv": sys.argv,
            "result_path": layout.result_path(started.directory),
            "context": {
                "tmp_dir": layout.temporary_directory(started.directory),
                "unique_id": str(started.execution.id),
                "pipeline_name": self._pipeline.pipeline_name,
                "pipeline_run_id": self._run_id,
                "pipeline_root": self._root,
                "node_id": node.id,
                "beam_pipeline_args": _resolve_flags(node, beam_flags),
                "engine": self._engine,
                "earlier_outputs": started.earlier_outputs,
                "extra_flags": list(getattr(node.executor_spec, "extra_flags", ())),
            },
        }


def _make_output_directories(started: StartedNode) -> None:
    """All of them, or none: the mark says that whatever is there is the execution's."""
    uris = [artifact.uri for group in started.output_dict.values() for artifact in group]
    made: list[str] = []
    try:
        for uri in uris:
            layout.make_output_directory(uri)
            made.append(layout.output_directory(uri))
    except OSError as error:
        for directory in made:
            os.rmdir(directory)
        claims.give_back(started.directory, started.token)
        if isinstance(error, FileExistsError):
            raise claims.PlaceTakenError(layout.output_directory(uri)) from None
        raise


def _resolve_flags(node: BaseComponent, flags: Iterable[Any]) -> list[str]:
    """Beam flags with the values of placeholders, which may be environment variables."""
    try:
        return [str(resolve_part(flag, KnownValues())) for flag in flags]
    except ValueError as error:
        raise ValueError(f"{node.id}: a flag in beam_pipeline_args: {error}") from error


def _guard(node: BaseComponent, started: StartedNode) -> ContainerGuard | None:
    """What removes the node's container, if it has one, when its worker has died."""
    tool = find_tool() if isinstance(node.executor_spec, ContainerSpec) else None
    if tool is None:
        return None
    return ContainerGuard(tool, container_name(layout.temporary_directory(started.directory)))


def _preload(node: BaseComponent) -> tuple[str, ...]:
    return _PLAIN_PRELOAD + node.DRIVER_CLASS().preload(node)


def _environment(node: BaseComponent) -> dict[str, str]:
    """What a worker's environment adds to the runner's."""
    return {_keras_choice.VARIABLE: _keras_choice.choice_for_workers(), **node.environment}
