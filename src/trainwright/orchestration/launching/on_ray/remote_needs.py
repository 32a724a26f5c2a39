"""Needs of a node on another machine: the files and modules that it has to find there.

User code travels by its name where a process can import it, so the machine has to have it. What is
missing is found before the node's process is started, and refused in words.
"""

from __future__ import annotations

import os
import pickletools
import socket
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trainwright._imports import is_installed
from trainwright._paths import is_remote
from trainwright.dsl.base_component import BaseComponent
from trainwright.orchestration.launching import user_code
from trainwright.orchestration.launching.node_request import NodeRequest
from trainwright.orchestration.publishing import claims

# Opcodes of pickle that push a string, and those that keep and fetch it.
_STRINGS = {"SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "UNICODE"}
_FETCHES = {"BINGET", "LONG_BINGET", "GET"}
_KEEPS = {"BINPUT", "LONG_BINPUT", "PUT"}


@dataclass(frozen=True, kw_only=True)
class RemoteNeeds:
    """What a machine must have to run a process of a node.

    Args:
        host: The machine that the run is on, for messages.
        working_directory: Where user code begins to look for relative paths.
        directory: The execution's directory, if it is on a filesystem, and its mark.
        token: The mark.
        files: Files and directories that properties name and that this machine has, by property.
        modules: The modules that the code is in, and the file of each on this machine.
    """

    host: str
    working_directory: str
    directory: str
    token: str
    files: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)

    def find_missing(self) -> str:
        """What this machine does not have, in words; empty if it has all."""
        here = socket.gethostname()
        if not is_remote(self.directory) and not claims.is_marked(self.directory, self.token):
            return (
                f"{here} does not see {self.directory}, which {self.host} has made for the node. "
                "The pipeline root has to be on a filesystem that all machines of the cluster "
                "share, under the same path, or in an object store."
            )
        if not os.path.isdir(self.working_directory):
            return lacks_directory(here, self.working_directory, self.host)
        for name, path in self.files.items():
            if not os.path.exists(path):
                return lacks_file(here, name, path, self.host)
        for name, path in self.modules.items():
            if not is_installed(name.partition(".")[0]):
                return (
                    f"the code of the node is in the module {name}, which {self.host} has in "
                    f"{path} and {here} does not have. Install it on all machines of the cluster, "
                    "or keep it in a directory that they share and that is on the Python path of "
                    "the run."
                )
        return ""


def needs_of(request: NodeRequest, host: str = "") -> RemoteNeeds:
    """What a machine must have for a node; asked on the machine that the run is on."""
    started = request.started
    return RemoteNeeds(
        host=host or socket.gethostname(),
        working_directory=request.common["working_directory"],
        directory=started.directory,
        token=started.token,
        files=files_named(started.node, started.exec_properties),
        modules=_files_of(modules_in(request.payload) | {user_code.module_of(started.node)}),
    )


def files_named(node: BaseComponent, properties: Mapping[str, Any]) -> dict[str, str]:
    """The paths that a node's properties name and that this machine has, by property."""
    named = node.DRIVER_CLASS().checked_paths(node, dict(properties))
    return {
        name: os.path.abspath(path)
        for name, path in named.items()
        if isinstance(path, str) and os.path.exists(path)
    }


def lacks_directory(machine: str, path: str, host: str) -> str:
    """What is said of a machine without the directory in which the run was started."""
    return (
        f"{machine} has no directory {path}, in which the run was started on {host} and user code "
        "looks for relative paths. Start the run in a directory that all machines of the cluster "
        "have under the same path."
    )


def lacks_file(machine: str, name: str, path: str, host: str) -> str:
    """What is said of a machine without a file that a property names."""
    return (
        f"{name} is {path}, which {host} has and {machine} does not have. Put it on a filesystem "
        "that all machines of the cluster share, under the same path."
    )


def modules_in(payload: bytes) -> set[str]:
    """The modules that objects in a pickle are of, found without loading it.

    >>> import pickle
    >>> modules_in(pickle.dumps(socket.gethostname))
    {'_socket'}
    """
    found: set[str] = set()
    kept: dict[int, str] = {}
    recent: list[str] = ["", ""]  # the last two strings: what STACK_GLOBAL takes
    for opcode, argument, _ in pickletools.genops(payload):
        if opcode.name in _STRINGS:
            recent = [recent[-1], str(argument)]
        elif opcode.name == "MEMOIZE":
            kept[len(kept)] = recent[-1]
        elif opcode.name in _KEEPS:
            kept[int(argument or 0)] = recent[-1]
        elif opcode.name in _FETCHES:
            recent = [recent[-1], kept.get(int(argument or 0), "")]
        elif opcode.name == "STACK_GLOBAL":
            found.add(recent[0])
        elif opcode.name in ("GLOBAL", "INST"):
            found.add(str(argument).partition(" ")[0])
    return found


def _files_of(modules: Iterable[str]) -> dict[str, str]:
    """The modules that are not Python's own or this project's, with the file of each."""
    found = {}
    for name in sorted(modules):
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names or top == __name__.partition(".")[0]:
            continue
        file = getattr(sys.modules.get(name), "__file__", None)
        if file:
            found[name] = file
    return found


def merge_paths(theirs: Iterable[str], their_prefix: str) -> list[str]:
    """The module path of a node's process: that of the run, where its Python is here, too.

    Else what the run has added to its own Python, as far as it is here, before this Python's own.
    """
    entries = [entry for entry in theirs if entry]
    if os.path.realpath(their_prefix) == os.path.realpath(sys.prefix):
        return entries
    prefix = their_prefix.rstrip(os.sep) + os.sep
    added = [entry for entry in entries if not entry.startswith(prefix) and os.path.isdir(entry)]
    return [*dict.fromkeys([*added, *sys.path])]
