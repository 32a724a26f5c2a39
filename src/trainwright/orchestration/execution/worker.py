"""The worker: what happens in a node's own process, from the request to the result."""

from __future__ import annotations

import atexit
import contextlib
import errno
import logging
import os
import shutil
import socket
import sys
import time
import traceback
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from trainwright import _absl_modules
from trainwright._autograph_files import keep_autograph_files_in
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor, ExecutorContext
from trainwright.metadata.artifact_records import stored_content
from trainwright.orchestration.execution.container_executor import ContainerCode, ContainerExecutor
from trainwright.orchestration.execution.failures import describe_failure
from trainwright.orchestration.execution.input_watch import InputWatch
from trainwright.orchestration.execution.output_places import check_outputs_exist, remove_unused
from trainwright.orchestration.execution.pages import write_pages
from trainwright.orchestration.execution.staging import Staging
from trainwright.orchestration.launching import user_code
from trainwright.orchestration.planning import first_party
from trainwright.orchestration.publishing import layout
from trainwright.orchestration.publishing.manifest import (
    Manifest,
    list_for_upload,
    write_through,
)
from trainwright.orchestration.publishing.result_file import (
    is_storable,
    read_first_party_files,
    write_failure,
    write_result,
)
from trainwright.processes.frame import send_message
from trainwright.types.artifact import Artifact

_logger = logging.getLogger(__name__)

# How often progress is passed on, at most.
_PROGRESS_SECONDS = 0.25
_SECONDS_BETWEEN_LOOKS = 0.02


def run_in_this_process(
    header: Mapping[str, Any], payload: bytes, channel_fd: int, log_fd: int
) -> int:
    """Runs one request with its output in the log; returns the exit code."""
    channel = _Channel(channel_fd)
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
    _remove_library_handlers()
    changes: list[str] = []
    try:
        result = _execute(header, payload, channel, changes)
    except BaseException as error:  # SystemExit from user code is a failure, too
        result = {"ok": False, "error": describe_failure(error), "changed_inputs": changes}
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # a full disk, or user code has closed the stream
            stream.flush()
    try:
        channel.send({"event": "result", **result})
    except OSError:
        # User code has closed the channel. A result is in its file already; a failure goes there.
        if not result["ok"]:
            write_failure(header["result_path"], result["error"])
    return 0 if result["ok"] else 1


def _remove_library_handlers() -> None:
    """Leaves logging to the root logger: TensorFlow, which the zygote imported before the root
    logger had a handler, would write each of its lines a second time."""
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger) and logger.propagate:
            for handler in list(logger.handlers):
                if type(handler) is logging.StreamHandler:
                    logger.removeHandler(handler)


class _Channel:
    """The worker's end of its socket to the runner, which user code neither passes on nor fools.

    Processes that user code starts do not inherit it, and what user code has opened under its
    number, after it closed every descriptor that it found, is not written to.
    """

    def __init__(self, fd: int) -> None:
        os.set_inheritable(fd, False)
        self._socket = socket.socket(fileno=fd)
        self._inode = os.fstat(fd).st_ino
        os.register_at_fork(after_in_child=self._let_go)

    def send(self, message: Mapping[str, Any]) -> None:
        """Raises OSError if the channel is closed, by user code or by the runner's death."""
        if not self._is_open():
            raise OSError(errno.EBADF, "the channel to the runner was closed")
        send_message(self._socket, message)

    def _is_open(self) -> bool:
        try:
            return os.fstat(self._socket.fileno()).st_ino == self._inode
        except OSError:
            return False

    def _let_go(self) -> None:
        """In a fork of the worker (a data loader), which must not write into the same stream."""
        is_open = self._is_open()
        fd = self._socket.detach()
        if is_open:
            os.close(fd)


def _run_exit_handlers() -> None:
    """What user code registered to happen at exit happens before its outputs are published."""
    try:
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()


def _execute(
    header: Mapping[str, Any], payload: bytes, channel: _Channel, changed_inputs: list[str]
) -> dict[str, Any]:
    with contextlib.ExitStack() as held:
        return _execute_staged(header, payload, channel, changed_inputs, held)


def _execute_staged(
    header: Mapping[str, Any],
    payload: bytes,
    channel: _Channel,
    changed_inputs: list[str],
    held: contextlib.ExitStack,
) -> dict[str, Any]:
    """Runs the executor; when this returns, its outputs and its result are on disk.

    `changed_inputs` gets what the executor did to its inputs, also if it fails.
    """
    started = time.time()
    before = frozenset(sys.modules)
    os.chdir(header["working_directory"])
    sys.argv[:] = header["argv"]
    context = header["context"]
    _absl_modules.install()
    keep_autograph_files_in(os.path.join(context["tmp_dir"], "autograph"))
    inputs = InputWatch({})
    try:
        request = user_code.load_request(payload)
        staging = held.enter_context(
            Staging(
                header["staging"],
                context,
                request.input_dict,
                request.output_dict,
                _streamed_inputs(request.executor, context["engine"]),
            )
        )
        declared = list(request.output_dict)
        reserved = {artifact.uri for group in request.output_dict.values() for artifact in group}
        progress = _ProgressReporter(channel)
        context = {**staging.context, "report_progress": progress.report}
        executor = make_executor(request.executor, context)
        inputs = InputWatch(request.input_dict)
        try:
            _call(executor, request)
        finally:
            progress.flush()
        if header["waits_for"]:
            # First what was registered for the exit: others may wait for this process there.
            _run_exit_handlers()
            _wait_for_others(header["waits_for"], staging)
    finally:
        _run_exit_handlers()
        changed_inputs += inputs.find_changes()
        for change in changed_inputs:
            _logger.warning("While the executor ran, %s", change)
        shutil.rmtree(context["tmp_dir"], ignore_errors=True)
    first_party_files = first_party.loaded_files(started, not_counting=before)
    if context["rank"] > 0:
        # The outputs are for rank 0 to list, which waits for this file.
        nothing: dict[str, Any] = {"outputs": {}, "manifests": {}, "changed_inputs": []}
        result = {**nothing, "first_party_files": first_party_files}
        write_result(header["result_path"], result)
        staging.put_result(header["result_path"], result)
        return {"ok": True, **result}
    for path in header["waits_for"]:
        first_party_files = {**read_first_party_files(path), **first_party_files}
    _check_keys(request.output_dict, declared)
    check_outputs_exist(request.output_dict, reserved)
    remove_unused(reserved, request.output_dict)
    manifests = _list_outputs(request.output_dict, reserved, staging)
    write_pages(os.path.dirname(header["result_path"]), request.input_dict, request.output_dict)
    staging.upload(manifests)
    result = {
        "outputs": _encode_outputs(request.output_dict),
        "manifests": manifests,
        "first_party_files": first_party_files,
        "progress": progress.last,
        "changed_inputs": changed_inputs,
    }
    # A property that cannot be stored fails here, with the user's traceback.
    write_result(header["result_path"], result)
    staging.put_result(header["result_path"], result)
    return {"ok": True, **result}


def _streamed_inputs(executor: Any, engine: str | None) -> tuple[str, ...]:
    """The inputs that are read where an engine's passes run, if that may be on other machines.

    A subclass of the user's own may read them by itself.
    """
    is_ours = getattr(executor, "__module__", "").startswith("trainwright.")
    if not is_ours or engine is None or engine.partition("://")[0] == "local":
        return ()
    return tuple(getattr(executor, "STREAMED_INPUTS", ()))


def _wait_for_others(paths: Iterable[str], staging: Staging) -> None:
    """Waits until the other processes of the node are done: each leaves a file as its last act.

    By files, so that nothing is listed and no result is left before all outputs are there, even if
    the runner has died. If another fails, this process is ended from outside.
    """
    for path in paths:
        while not staging.is_there(path):
            time.sleep(_SECONDS_BETWEEN_LOOKS)


def _call(executor: Any, request: user_code.ExecutorRequest) -> None:
    process = os.getpid()
    try:
        executor.Do(request.input_dict, request.output_dict, request.exec_properties)
    finally:
        if os.getpid() != process:
            os._exit(1)  # user code forked and let its child come back: it is not the node


def _check_keys(output_dict: ArtifactDict, declared: Collection[str]) -> None:
    if output_dict.keys() != set(declared):
        raise ValueError(
            f"The executor left the outputs {sorted(output_dict)} in output_dict; the component "
            f"declares {sorted(declared)}. Fill those that are there, or declare the others."
        )


def _list_outputs(
    output_dict: ArtifactDict, reserved: Collection[str], staging: Staging
) -> dict[str, list[Manifest | None]]:
    """The manifests of the outputs; what lies where the executor chose is not ours to list."""
    # What is uploaded need not survive a power failure here.
    list_output = list_for_upload if staging.is_remote else write_through
    return {
        key: [
            list_output(artifact.uri) if _is_ours(artifact.uri, reserved) else None
            for artifact in artifacts
        ]
        for key, artifacts in output_dict.items()
    }


def _is_ours(uri: str, reserved: Collection[str]) -> bool:
    """Whether an output lies in its reserved directory, and not behind a link in place of it."""
    return uri in reserved and not os.path.islink(layout.output_directory(uri))


def make_executor(executor: Any, context: Mapping[str, Any]) -> Any:
    if isinstance(executor, ContainerCode):
        return ContainerExecutor(executor, ExecutorContext(**context))
    if issubclass(executor, BaseExecutor):
        return executor(executor.Context(**context))
    return executor()  # a class of the user that merely has a Do method


class _ProgressReporter:
    """Passes progress on, but not more often than a person can see; the last always."""

    def __init__(self, channel: _Channel) -> None:
        self._channel = channel
        self._next = 0.0
        self._held_back: dict[str, Any] | None = None
        self.last: dict[str, Any] = {}  # the last value of each name

    def report(self, progress: Mapping[str, Any]) -> None:
        now = time.monotonic()
        self._held_back = dict(progress)
        self.last.update(progress)
        if now >= self._next:
            self._next = now + _PROGRESS_SECONDS
            self.flush()

    def flush(self) -> None:
        if self._held_back is not None:
            message = {"event": "progress", "progress": self._held_back}
            self._held_back = None
            with contextlib.suppress(OSError):  # nobody listens: no reason to fail
                self._channel.send(message)


def _encode_outputs(output_dict: ArtifactDict) -> dict[str, list[dict[str, Any]]]:
    return {
        key: [_encode_artifact(key, artifact) for artifact in artifacts]
        for key, artifacts in output_dict.items()
    }


def _encode_artifact(key: str, artifact: Artifact) -> dict[str, Any]:
    for name, value in (("uri", artifact.uri), ("name", artifact.name or "")):
        if not is_storable(value):
            raise ValueError(
                f"Output {key!r} has the {name} {value!r}, which the metadata store cannot hold. "
                "Give a string without NUL, whose characters can be written in UTF-8."
            )
    return stored_content(artifact)
