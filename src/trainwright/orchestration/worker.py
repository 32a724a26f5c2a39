"""The worker: what happens in a node's own process, from the request to the result."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import shutil
import socket
import sys
import time
import traceback
from collections.abc import Collection, Mapping
from typing import Any

from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor, ExecutorContext
from trainwright.dsl.function_executor import FunctionExecutor
from trainwright.orchestration import first_party, user_code
from trainwright.orchestration.manifest import Manifest, write_through
from trainwright.orchestration.pages import write_pages
from trainwright.orchestration.result_file import write_result
from trainwright.orchestration.tracebacks import describe_exception
from trainwright.orchestration.wire import send_message
from trainwright.types.artifact import Artifact

# How often progress is passed on, at most.
_PROGRESS_SECONDS = 0.25


def run_in_this_process(
    header: Mapping[str, Any], payload: bytes, channel_fd: int, log_fd: int
) -> int:
    """Runs one request with its output in the log; returns the exit code."""
    channel = socket.socket(fileno=channel_fd)
    os.dup2(log_fd, 1)
    os.dup2(log_fd, 2)
    os.close(log_fd)
    sys.stdout = os.fdopen(1, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
    logging.basicConfig(
        level=logging.INFO,
        stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        force=True,
    )
    try:
        result = _execute(header, payload, channel)
    except BaseException as error:  # SystemExit from user code is a failure, too
        result = {"ok": False, "error": describe_exception(error)}
        with contextlib.suppress(OSError):  # the log may lie on the disk that is full
            traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    send_message(channel, {"event": "result", **result})
    channel.close()
    return 0 if result["ok"] else 1


def _run_exit_handlers() -> None:
    """What user code registered to happen at exit happens before its outputs are published."""
    try:
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()


def _execute(header: Mapping[str, Any], payload: bytes, channel: socket.socket) -> dict[str, Any]:
    """Runs the executor; when this returns, its outputs and its result are on disk."""
    started = time.time()
    before = frozenset(sys.modules)
    os.chdir(header["working_directory"])
    sys.argv[:] = header["argv"]
    context = header["context"]
    try:
        request = user_code.load_request(payload)
        reserved = {artifact.uri for group in request.output_dict.values() for artifact in group}
        progress = _ProgressReporter(channel)
        executor = make_executor(
            request.executor, ExecutorContext(**context, report_progress=progress.report)
        )
        executor.Do(request.input_dict, request.output_dict, request.exec_properties)
        progress.flush()
    finally:
        _run_exit_handlers()
        shutil.rmtree(context["tmp_dir"], ignore_errors=True)
    result = {
        "outputs": _encode_outputs(request.output_dict),
        "manifests": _write_outputs_through(request.output_dict, reserved),
        "first_party_files": first_party.loaded_files(started, not_counting=before),
    }
    write_pages(os.path.dirname(header["result_path"]), request.input_dict, request.output_dict)
    # A property that cannot be stored fails here, with the user's traceback.
    write_result(header["result_path"], result)
    return {"ok": True, **result}


def _write_outputs_through(
    output_dict: ArtifactDict, reserved: Collection[str]
) -> dict[str, list[Manifest | None]]:
    """The manifests of the outputs; what lies where the executor chose is not ours to list."""
    return {
        key: [
            write_through(artifact.uri) if artifact.uri in reserved else None
            for artifact in artifacts
        ]
        for key, artifacts in output_dict.items()
    }


def make_executor(executor: Any, context: ExecutorContext) -> Any:
    if isinstance(executor, user_code.FunctionCode):
        return FunctionExecutor(executor.function, executor.signature, context)
    if issubclass(executor, BaseExecutor):
        return executor(context)
    return executor()  # a class of the user that merely has a Do method


class _ProgressReporter:
    """Passes progress on, but not more often than a person can see; the last always."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._pid = os.getpid()
        self._next = 0.0
        self._held_back: dict[str, Any] | None = None

    def report(self, progress: Mapping[str, Any]) -> None:
        now = time.monotonic()
        self._held_back = dict(progress)
        if now >= self._next:
            self._next = now + _PROGRESS_SECONDS
            self.flush()

    def flush(self) -> None:
        # A fork of the worker (a data loader) must not write into the same stream.
        if self._held_back is not None and os.getpid() == self._pid:
            send_message(self._channel, {"event": "progress", "progress": self._held_back})
            self._held_back = None


def _encode_outputs(output_dict: ArtifactDict) -> dict[str, list[dict[str, Any]]]:
    return {
        key: [_encode_artifact(artifact) for artifact in artifacts]
        for key, artifacts in output_dict.items()
    }


def _encode_artifact(artifact: Artifact) -> dict[str, Any]:
    return {
        "id": artifact.id,
        "uri": artifact.uri,
        "name": artifact.name,
        "properties": artifact.properties,
        "custom_properties": artifact.custom_properties,
    }
