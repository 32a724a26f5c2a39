"""The worker process of the local engine: it builds passes and runs them over shards."""

from __future__ import annotations

import importlib
import socket
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright._autograph_files import keep_autograph_files_of_node
from trainwright.engine.passes import PassSpec, ReportUnits, Shard
from trainwright.processes.tasks import DoTask, serve_tasks


def main(sock: socket.socket, preload: Sequence[str] = ()) -> None:
    """Imports modules and processes shards until the engine closes its end of the socket."""
    keep_autograph_files_of_node()
    for module in preload:
        importlib.import_module(module)
    serve_tasks(sock, _open_pass)


def _open_pass(spec: Mapping[str, Any]) -> DoTask:
    built = PassSpec.from_json(spec).build()

    def run(config: dict[str, Any], data: bytes, report: ReportUnits) -> bytes:
        return built.run(Shard.from_json(config, data), report)

    return run
