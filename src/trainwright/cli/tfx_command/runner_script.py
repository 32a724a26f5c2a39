"""The files that the command is given: scripts that call `LocalDagRunner().run(pipeline)`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from trainwright.cli.script import Script, ScriptEnd, end_script
from trainwright.cli.tfx_command.options import Failure
from trainwright.cli.tfx_command.registered_pipelines import RegisteredPipeline
from trainwright.orchestration import script_runs

if TYPE_CHECKING:
    from trainwright.orchestration.run_result import RunResult
    from trainwright.orchestration.script_runs import RequestedRun, RunHandler


def find_requested_run(path: str) -> RequestedRun:
    """The run that a file asks for, which is not performed: the file ends there."""
    try:
        _execute(path, end_script)
    except ScriptEnd as end:
        return end.requested
    raise Failure(
        f"Cannot find LocalDagRunner.run() in {path}. A file for this command runs its pipeline, "
        "also below `if __name__ == '__main__'`; `trainwright run FILE` takes one that only "
        "defines it."
    )


def perform_requested_runs(path: str, perform: Callable[[RequestedRun], RunResult]) -> None:
    """Executes a file; its runs are performed where it calls `run()`.

    Raises what became of the first run that was not well, also if the file has caught it.
    """

    def perform_in_place(requested: RequestedRun) -> RunResult:
        with script_runs.handled_by(None):
            return perform(requested)

    if not _execute(path, perform_in_place):
        raise Failure(f"Cannot find LocalDagRunner.run() in {path}; it may have been changed.")


def _execute(path: str, on_run: RunHandler) -> bool:
    """Executes a file as Python would; says whether it has asked for a run."""
    if not os.path.isfile(path):
        raise Failure(
            f"Invalid pipeline path: {path}. It is not a file; relative paths count from "
            f"{os.getcwd()}."
        )
    script = Script(path, (), on_run)
    script.execute()
    script.execute_main_blocks()
    if script.problem is not None:
        raise script.problem
    return script.has_run


def compile_requested(requested: RequestedRun) -> str:
    """The pipeline of a run as the message that TFX's orchestrators take, in JSON.

    The address of its store is left out, because a password may be in it.
    """
    from google.protobuf import json_format

    from trainwright.compat.compiler.compiler import Compiler
    from trainwright.proto.orchestration import pipeline_pb2

    try:
        compiled = Compiler().compile(requested.pipeline)
    except (ValueError, TypeError, RuntimeError) as error:
        name = requested.pipeline.pipeline_name
        raise Failure(f'Pipeline "{name}" cannot be compiled: {error}') from error
    deployment = pipeline_pb2.IntermediateDeploymentConfig()
    compiled.deployment_config.Unpack(deployment)
    deployment.ClearField("metadata_connection_config")
    compiled.deployment_config.Pack(deployment)
    return str(json_format.MessageToJson(compiled, preserving_proto_field_name=True))


def describe_requested(
    requested: RequestedRun, dsl_path: str, working_directory: str | None
) -> RegisteredPipeline:
    """What is noted of the pipeline of a run; its relative paths count from the current directory,
    to which the file may have gone by itself."""
    root = _root(requested)
    return RegisteredPipeline(
        name=requested.pipeline.pipeline_name,
        dsl_path=dsl_path,
        root=root,
        working_directory=working_directory,
        store=_store(requested, root),
    )


def _root(requested: RequestedRun) -> str | None:
    from trainwright.types.runtime_parameter import RuntimeParameter

    root = requested.pipeline.pipeline_root
    if isinstance(root, RuntimeParameter):
        root = requested.runtime_parameters.get(root.name, root.default)
    return os.path.abspath(root) if isinstance(root, str) and root else None


def _store(requested: RequestedRun, root: str | None) -> str | None:
    """The URL of the store that LocalDagRunner would use, as it may be written down."""
    from trainwright.cli.store_option import configured_store_url
    from trainwright.metadata.connection import (
        as_connection_config,
        is_sqlite,
        sqlite_metadata_connection_config,
        sqlite_path,
        without_password,
    )

    given = (
        requested.pipeline.metadata_connection_config
        or requested.default_store
        or configured_store_url()
    )
    if given is None and root is None:
        return None
    if given is None:
        given = sqlite_metadata_connection_config(os.path.join(root or "", "metadata.db"))
    try:
        url = as_connection_config(given).url
        if is_sqlite(url):
            return sqlite_metadata_connection_config(sqlite_path(url)).url
    except ValueError as error:
        raise Failure(str(error)) from error
    return without_password(url)
