"""Ray tasks that host the worker processes of RayEngine.

Ray knows these functions by their names; what they take and give are strings and bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trainwright._imports import require
from trainwright.engine.hosted import hosting
from trainwright.engine.hosted.hosting import HostedTask, run_hosted
from trainwright.engine.packing import pack


def run_shard(task: str, data: bytes, files: Mapping[str, Sequence[Any]]) -> tuple[str, bytes]:
    """Processes a shard; gives an `Outcome` as JSON and the result.

    Args:
        task: A `HostedTask` as JSON.
        data: The shard's.
        files: References to carried files, by digest, each in a list: only then does Ray not bring
            what this machine may have already.
    """
    outcome, result = run_hosted(HostedTask.from_json(task), data, _fetcher(files))
    return outcome.to_json(), result


def merge_group(
    task: str, files: Mapping[str, Sequence[Any]], *accumulators: bytes
) -> tuple[str, bytes]:
    """Merges the accumulators of neighbours; gives an `Outcome` as JSON and the accumulator."""
    outcome, result = run_hosted(
        HostedTask.from_json(task), pack(None, accumulators), _fetcher(files)
    )
    return outcome.to_json(), result


def warm_up(setting: str) -> None:
    """Starts a worker process, which imports what passes will need."""
    hosting.warm_up(json.loads(setting))


def _fetcher(files: Mapping[str, Sequence[Any]]) -> Callable[[str], bytes]:
    def fetch(digest: str) -> bytes:
        data: bytes = require("ray", "ray").get(files[digest][0])
        return data

    return fetch
