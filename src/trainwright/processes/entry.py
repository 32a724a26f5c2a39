"""The start of a `Child`, in its own process: it calls the function that the parent has named.

This is imported by every process of ours before it knows what it is for, so it imports little.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import signal
import socket
from collections.abc import Sequence
from typing import Any

from trainwright.processes.keeper import die_with


def main(arguments: Sequence[str]) -> None:
    """What a fresh interpreter does."""
    entry, descriptor, encoded, parent = arguments
    sock = socket.socket(fileno=int(descriptor))
    sock.set_inheritable(False)
    call_entry(entry, sock, json.loads(encoded), int(parent))


def call_entry(entry: str, sock: socket.socket, arguments: Sequence[Any], parent: int) -> None:
    """Calls `"module:function"`; if a parent is given, this process dies with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent:
        die_with(parent, signal.SIGKILL)
    module, _, name = entry.partition(":")
    # The parent is gone when nothing can be sent to it any more: nobody is left to be told.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        getattr(importlib.import_module(module), name)(sock, *arguments)
