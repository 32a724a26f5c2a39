"""ContainerExecutor: runs a node's command in a container and waits for its end."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from trainwright._paths import is_remote
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor, ExecutorContext
from trainwright.orchestration.launching.containers import (
    ContainerFailedError,
    container_name,
    find_tool,
    run_arguments,
)
from trainwright.orchestration.publishing import layout
from trainwright.proto import proto_json
from trainwright.types.placeholders.placeholder import KnownValues, resolve_part

# What docker and podman end with if the container was not even started.
_TOOL_FAILED = 125
_CANNOT_BE_INVOKED = 126
_NOT_FOUND = 127


@dataclass(frozen=True)
class ContainerCode:
    """What a worker needs to run a container: the parts of its spec, and what the node adds."""

    image: str
    command: list[Any]
    args: list[Any]
    environment: dict[str, str]
    options: list[str]


class ContainerExecutor(BaseExecutor):
    """Resolves the command's placeholders, runs it with docker or podman, and waits.

    The container sees the pipeline's root and its inputs, read-only, and its outputs, all of them
    at their own paths. What it prints goes to the node's log.
    """

    def __init__(self, code: ContainerCode, context: ExecutorContext) -> None:
        super().__init__(context)
        self._code = code

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        tool = find_tool()
        if tool is None:
            raise ContainerFailedError("Neither docker nor podman is on the PATH.")
        known = KnownValues(inputs=input_dict, outputs=output_dict, exec_properties=exec_properties)
        arguments = run_arguments(
            tool,
            container_name(self.context.tmp_dir or ""),
            self._code.image,
            [_argument(part, known) for part in self._code.command],
            [_argument(part, known) for part in self._code.args],
            mounts=list(_mounts(self.context.pipeline_root, input_dict, output_dict)),
            environment=self._code.environment,
            labels={
                "pipeline": self.context.pipeline_name,
                "run": self.context.pipeline_run_id or "",
                "node": self.context.node_id,
            },
            options=self._code.options,
        )
        print(f"Image {self._code.image}, run as: {shlex.join(arguments)}", flush=True)
        environment = {**os.environ, **self._code.environment}
        status = subprocess.run(
            arguments, stdin=subprocess.DEVNULL, env=environment, check=False
        ).returncode
        if status:
            raise ContainerFailedError(_describe_status(status, tool, self._code.image))
        print(f"Image {self._code.image}: the container ended with exit status 0.", flush=True)


def _argument(part: Any, known: KnownValues) -> str:
    """An argument as the string that the command gets."""
    value = resolve_part(part, known)
    if value is None:
        raise ValueError(f"{part} in the container's command has no value.")
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, Message):
        return proto_json.proto_to_json(value)
    return json.dumps(value) if isinstance(value, (list, dict)) else str(value)


def _mounts(
    root: str, input_dict: ArtifactDict, output_dict: ArtifactDict
) -> Iterator[tuple[str, bool]]:
    """The paths that the container sees, and whether it may write there; each once."""
    if root and not is_remote(root):  # of which the node has copies
        yield root, False
    inputs = dict.fromkeys(artifact.uri for group in input_dict.values() for artifact in group)
    for uri in inputs:
        if os.path.exists(uri) and not (root and uri.startswith(os.path.join(root, ""))):
            yield os.path.abspath(uri), False
    outputs = [artifact.uri for group in output_dict.values() for artifact in group]
    for uri in outputs:
        yield layout.output_directory(uri), True


def _describe_status(status: int, tool: str, image: str) -> str:
    name = os.path.basename(tool)
    if status < 0:
        return f"{name} was ended by {signal.Signals(-status).name} while it ran {image!r}."
    why = {
        _TOOL_FAILED: f": {name} could not start the container",
        _CANNOT_BE_INVOKED: ": the command in the container cannot be executed",
        _NOT_FOUND: ": the command is not in the image",
    }.get(status, "")
    return (
        f'Container exited with error code "{status}"{why}. The image is {image!r}; what it and '
        f"{name} said is in the node's log."
    )
