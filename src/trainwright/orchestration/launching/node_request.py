"""Request of a node: all that a launcher needs to start its processes, and the directories made.

It is the same for every launcher. What is in it of the user's code is pickled, so it goes to a
process by a pipe or a socket, never by a file.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from dataclasses import dataclass
from typing import Any

from trainwright import _keras_choice
from trainwright._paths import is_remote
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import BeamExecutorSpec
from trainwright.dsl.pipeline import Pipeline
from trainwright.engine.engine_urls import engine_of_flags
from trainwright.orchestration.launching import user_code
from trainwright.orchestration.planning.node_plan import StartedNode
from trainwright.orchestration.publishing import claims, layout, places
from trainwright.orchestration.publishing.work_files import make_work_directory
from trainwright.types.placeholders.placeholder import KnownValues, resolve_part

# Plain workers, and the modules that the light zygote has at hand for them.
PLAIN_PRELOAD = ("trainwright.orchestration.execution.worker",)


@dataclass(frozen=True, kw_only=True)
class NodeRequest:
    """A node that is ready to be launched: its directories are there, its code is packed.

    Args:
        started: Its execution, and what its executor gets.
        common: What the header is for every rank.
        payload: The executor with its artifacts and properties, for `execution/worker.py` alone.
    """

    started: StartedNode
    common: dict[str, Any]
    payload: bytes

    @property
    def work_directory(self) -> str:
        """Where the node's processes write what is the run's: the execution's directory, or, if
        that is in an object store, one on this machine's disk, from which it is uploaded."""
        return layout.work_directory(self.started.directory)

    @property
    def num_processes(self) -> int:
        return self.started.node.options.num_processes

    @property
    def preload(self) -> tuple[str, ...]:
        """The modules that take long to import and that the node will need."""
        return preload_of(self.started.node)

    @property
    def environment(self) -> dict[str, str]:
        """What the environment of the node's processes adds to the runner's."""
        return environment_of(self.started.node)

    def header(self, rank: int) -> dict[str, Any]:
        """What the process of a rank is told beside the payload; JSON."""
        temporary = layout.temporary_directory(self.work_directory)
        context = {
            **self.common["context"],
            "tmp_dir": os.path.join(temporary, f"process-{rank}") if rank else temporary,
            "rank": rank,
            "num_processes": self.num_processes,
        }
        others = range(1, self.num_processes) if rank == 0 else ()
        return {
            **self.common,
            "result_path": self.result_path(rank),
            "waits_for": [self.result_path(other) for other in others],
            "context": context,
        }

    def log_path(self, rank: int = 0) -> str:
        """The file that what a process prints is appended to."""
        return layout.log_path(self.work_directory, rank)

    def result_path(self, rank: int = 0) -> str:
        """The file that is there as soon as a process has done its work."""
        return layout.result_path(self.work_directory, rank)

    def has_result(self, rank: int = 0) -> bool:
        """Whether a process has done its work, on this machine or on another."""
        if os.path.isfile(self.result_path(rank)):
            return True
        directory = self.started.directory
        return is_remote(directory) and places.exists(layout.result_path(directory, rank))

    @property
    def command(self) -> list[str]:
        """A program that runs one process of the node, for launchers that only start commands.

        It reads `encode(rank)` from its standard input, which is to be kept open: it ends when that
        is closed, so that it does not outlive the run. It writes the log, and leaves the result, or
        its error, in files of the work directory: on this machine, or on one that sees the same
        files.
        """
        return [sys.executable, "-m", "trainwright.orchestration.execution.request_command"]

    def encode(self, rank: int) -> bytes:
        """The request of a rank as `command` reads it: a line of JSON, and the payload."""
        header = {
            **self.header(rank),
            "log_path": self.log_path(rank),
            "sys_path": [os.path.abspath(entry) for entry in sys.path],
            "payload_bytes": len(self.payload),
        }
        return json.dumps(header).encode() + b"\n" + self.payload


@dataclass(frozen=True, kw_only=True)
class RequestMaker:
    """Makes the requests of one run's nodes; knows where the files of an execution go.

    Args:
        pipeline: What is run.
        run_id: The run's id.
        store_location: Where the store is that knows of the executions.
        root: Where the pipeline's artifacts go.
        engine: What runs the nodes' passes over data, by name or URL; the local one if None.
    """

    pipeline: Pipeline
    run_id: str
    store_location: str
    root: str
    engine: str | None = None

    def make(self, started: StartedNode) -> NodeRequest:
        """Packs the node's code and makes the directories of the execution and its outputs.

        Raises OSError or ValueError if the node cannot be started; PlaceTakenError, and nothing is
        left, if it can be under another number.
        """
        payload = user_code.dump_request(
            started.node, started.input_dict, started.output_dict, started.exec_properties
        )
        claims.claim(started.directory, started.token, self.store_location)
        if is_remote(started.directory):
            # The rest is made by the worker, which may be on another machine.
            _make_work_directory(started)
        else:
            _make_output_directories(started)
            _take_over_state(started)
        common = self._request_header(started.node, started)
        return NodeRequest(started=started, common=common, payload=payload)

    def _request_header(self, node: BaseComponent, started: StartedNode) -> dict[str, Any]:
        work_directory = layout.work_directory(started.directory)
        flags = _beam_flags(self.pipeline, node)
        return {
            "working_directory": os.getcwd(),
            "argv": sys.argv,
            "work_directory": work_directory,
            "staging": _describe_staging(started),
            "context": {
                "stateful_working_dir": layout.state_directory(work_directory),
                "log_dir": work_directory,
                "unique_id": str(started.execution.id),
                "pipeline_name": self.pipeline.pipeline_name,
                "pipeline_run_id": self.run_id,
                "pipeline_root": self.root,
                "node_id": node.id,
                "beam_pipeline_args": flags,
                "engine": self.engine or engine_by_flags(self.pipeline, node),
                "earlier_outputs": started.earlier.outputs,
                "extra_flags": list(getattr(node.executor_spec, "extra_flags", ())),
            },
        }


def _make_work_directory(started: StartedNode) -> None:
    """On this machine; a worker elsewhere makes its own."""
    directory = layout.work_directory(started.directory)
    shutil.rmtree(directory, ignore_errors=True)  # of an object that was deleted since
    try:
        make_work_directory(started.directory)
    except OSError:
        claims.give_back(started.directory, started.token)
        raise


def _describe_staging(started: StartedNode) -> dict[str, Any] | None:
    """What `execution/staging.py` does for the node, as JSON; None if all of it is on disks."""
    inputs = [artifact.uri for group in started.input_dict.values() for artifact in group]
    if not any(map(is_remote, [started.directory, *inputs])):
        return None
    return {
        "directory": started.directory,
        "manifests": dict(started.input_manifests),
        "kept": started.kept_places,
        "stages_inputs": started.node.options.stages_inputs,
        "earlier_state": "" if _begins_anew(started.node) else started.earlier.state,
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


def _take_over_state(started: StartedNode) -> None:
    """Moves the state of the last attempt to this one, or makes an empty directory.

    It is moved, not shared: of two that want it one gets it, and an attempt that was given up but
    still writes somewhere no longer finds it.
    """
    state = layout.state_directory(started.directory)
    if started.earlier.state and not _begins_anew(started.node):
        with contextlib.suppress(FileNotFoundError):  # garbage collection, or another run has it
            os.rename(started.earlier.state, state)
            return
    os.mkdir(state)


def _begins_anew(node: BaseComponent) -> bool:
    options = node.node_execution_options
    return options is not None and options.reset_stateful_working_dir


def _beam_flags(pipeline: Pipeline, node: BaseComponent) -> list[str]:
    """A node's Beam flags, with the values of placeholders, which may be environment variables."""
    flags = node.beam_pipeline_args
    if not isinstance(node.executor_spec, BeamExecutorSpec):  # which has the pipeline's, too
        flags = [*pipeline.beam_pipeline_args, *flags]
    try:
        return [str(resolve_part(flag, KnownValues())) for flag in flags]
    except ValueError as error:
        raise ValueError(f"{node.id}: a flag in beam_pipeline_args: {error}") from error


def engine_by_flags(pipeline: Pipeline, node: BaseComponent) -> str | None:
    """The engine that Beam's flags stand for, where nobody has named one, of nodes with passes."""
    executor = getattr(node.executor_spec, "executor_class", None)
    if not getattr(executor, "REPLACES_BEAM", False):
        return None
    return engine_of_flags(_beam_flags(pipeline, node))


def preload_of(node: BaseComponent) -> tuple[str, ...]:
    """The modules that take long to import and that a node will need."""
    return PLAIN_PRELOAD + node.DRIVER_CLASS().preload(node)


def environment_of(node: BaseComponent) -> dict[str, str]:
    """What a worker's environment adds to the runner's."""
    return {_keras_choice.VARIABLE: _keras_choice.choice_for_workers(), **node.environment}
