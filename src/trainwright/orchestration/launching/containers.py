"""Containers of nodes: the program that runs them, its arguments, and a guard for each.

Docker's containers are children of its daemon, podman's of a monitor, and neither ends when the
program that started it is killed. So the runner starts a guard for each container: a process that
waits for the runner's word that the container is gone, and removes it if the word does not come.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trainwright._errors import TrainwrightError
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.containers.container_spec import ContainerSpec
from trainwright.processes.child import Child
from trainwright.processes.frame import ConnectionClosedError, receive_message, send_message

# In the order in which they are looked for.
_TOOLS = ("docker", "podman")
# How long is waited for a container to be removed.
_REMOVAL_SECONDS = 10.0

# After how many seconds a removal is tried, and tried again: the container may be in the making
# while the program that makes it is killed.
_SECONDS_BEFORE_REMOVALS = (0, 1, 3)


class ContainerFailedError(TrainwrightError, RuntimeError):
    """The command in a container ended with an error, or could not be started."""


def find_tool() -> str | None:
    """The path of docker, or else of podman; None if there is neither.

    Docker's client is often installed where its daemon is not running: podman goes before that.
    """
    found = [path for name in _TOOLS if (path := shutil.which(name))]
    if len(found) > 1 and _docker_answers(found[0]) is None:
        return found[1]
    return found[0] if found else None


def check_container(node: BaseComponent) -> None:
    """Refuses a node whose command is wrong, or that nothing here can run."""
    spec = node.executor_spec
    if not isinstance(spec, ContainerSpec):
        return
    tool = find_tool()
    if tool is None:
        raise ValueError(
            f"{node.id} runs in a container of the image {spec.image!r}, and neither docker nor "
            "podman is on the PATH. Install one of them, or do the work in Python, with @component."
        )
    if os.path.basename(tool) == "docker" and _docker_answers(tool) is None:
        raise ValueError(
            f"{node.id} runs in a container of the image {spec.image!r}, and docker is installed, "
            "but its daemon does not answer (see `docker info`). Start it, or install podman."
        )
    if not spec.image.strip() or spec.image.startswith("-"):
        raise ValueError(f"{node.id}: {spec.image!r} is not the name of an image.")
    try:
        spec.check(type(node.spec))
        platform_options(node.platform_config)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{node.id}: {error}") from error


def container_name(temporary_directory: str) -> str:
    """The name of an execution's container, from its directory, which is its own on a machine."""
    digest = hashlib.sha256(os.path.abspath(temporary_directory).encode()).hexdigest()
    return f"trainwright-{digest[:16]}"


def run_arguments(
    tool: str,
    name: str,
    image: str,
    command: Sequence[str],
    args: Sequence[str],
    *,
    mounts: Iterable[tuple[str, bool]],
    environment: Iterable[str],
    labels: Mapping[str, str],
    options: Sequence[str] = (),
) -> list[str]:
    """The arguments of the program that runs a container and waits for its end.

    Args:
        tool: The path of docker or podman.
        name: The container's name.
        image: The image.
        command: The program in the container and its arguments; empty for the image's own.
        args: More arguments.
        mounts: Paths that the container sees where they are, and whether it may write there.
        environment: Names of variables that the container gets from the program's environment;
            their values may be secrets, which neither a log nor a list of processes should show.
        labels: What people may look for in a list of containers.
        options: More options.
    """
    found = [tool, "run", "--rm", "--name", name, "--security-opt", "label=disable"]
    for key, value in labels.items():
        found += ["--label", f"trainwright.{key}={value}"]
    for path, may_write in mounts:
        found += ["--mount", _mount(path, may_write)]
    for key in environment:
        found += ["--env", key]
    found += [*_user(tool), *options]
    if command:
        found += ["--entrypoint", command[0]]
    return [*found, image, *command[1:], *args]


def has_platform_options(node: BaseNode) -> bool:
    """Whether a node runs in a container that its platform config has a say in."""
    is_container = isinstance(node.executor_spec, ContainerSpec)
    return is_container and _is_docker_config(node.platform_config)


def platform_options(config: Any) -> list[str]:
    """The options that a DockerPlatformConfig asks for; raises ValueError for what is not here."""
    if not _is_docker_config(config):
        return []
    for name in ("docker_server_url", "name", "additional_run_args"):
        if getattr(config, name):
            raise ValueError(f"{name} of a DockerPlatformConfig has no effect here: leave it out.")
    options = ["--privileged"] if config.privileged else []
    if config.HasField("user"):
        options += ["--user", config.user.username or str(config.user.uid)]
    for variable in config.environment:
        options += ["--env", variable]
    for source, mount in config.volumes.items():
        options += ["--volume", ":".join(filter(None, (source, mount.bind, mount.mode)))]
    return options


def _is_docker_config(config: Any) -> bool:
    return config is not None and config.DESCRIPTOR.name == "DockerPlatformConfig"


def _mount(path: str, may_write: bool) -> str:
    """The value of --mount: fields with commas between them, quoted as in a CSV file."""
    fields = ["type=bind", f"source={path}", f"target={path}"]
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(fields if may_write else [*fields, "readonly"])
    return line.getvalue()


def _user(tool: str) -> list[str]:
    """Makes files of docker's containers this user's; podman and rootless docker do it anyway."""
    if os.path.basename(tool) != "docker" or not hasattr(os, "getuid"):
        return []
    answer = _docker_answers(tool)
    if answer is None or "rootless" in answer:
        return []
    return ["--user", f"{os.getuid()}:{os.getgid()}"]


def _docker_answers(tool: str) -> str | None:
    """What docker's daemon says of its security; None if there is no daemon."""
    question = [tool, "info", "--format", "{{.SecurityOptions}}"]
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        answer = subprocess.run(
            question, capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL
        )
        if answer.returncode == 0:
            return answer.stdout
    return None


class ContainerGuard:
    """Removes a container unless it is said to be gone, even if this process dies.

    Args:
        tool: The path of docker or podman.
        name: The container's name, which need not exist yet.
    """

    def __init__(self, tool: str, name: str) -> None:
        self._child = Child(f"{__name__}:guard_container", [tool, name], is_daemon=True)

    def close(self, is_gone: bool) -> None:
        """Ends the guard; unless the container is gone, waits until it was removed."""
        sock = self._child.socket
        with contextlib.suppress(OSError, ConnectionClosedError):
            if is_gone:
                send_message(sock, {"event": "gone"})
            sock.shutdown(socket.SHUT_WR)
            if not is_gone:
                receive_message(sock)  # the first removal; it tries again by itself
        sock.close()
        if is_gone:
            self._child.ends_within(_REMOVAL_SECONDS)


def guard_container(sock: socket.socket, tool: str, name: str) -> None:
    """The guard's own work: it waits for the word of its runner, or for the runner's death."""
    try:
        receive_message(sock)
    except ConnectionClosedError:
        for seconds in _SECONDS_BEFORE_REMOVALS:
            time.sleep(seconds)
            subprocess.run(
                [tool, "rm", "--force", name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
            with contextlib.suppress(OSError):  # nobody waits for it
                send_message(sock, {"event": "removed"})
