"""The result of a finished executor as a file: whoever finds it whole can publish the outputs.

The worker writes it as its last act, when its outputs are on disk. So what a node has finished is
not lost if the runner dies, or the store cannot be reached, before the outputs are published.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from typing import Any

from trainwright.orchestration.manifest import find_damage


def write_result(path: str, result: Mapping[str, Any]) -> None:
    """Writes the file so that it is there whole or not at all.

    It is not written through to the disk: the runner publishes the result in a moment, and what a
    power failure leaves of it in that moment does not parse.
    """
    encoded = json.dumps(result)
    temporary = _unfinished(path)
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(encoded)
    os.replace(temporary, path)


def read_result(path: str) -> dict[str, Any] | None:
    """The result, or None if there is none or the outputs are no longer what it says."""
    try:
        with open(path, encoding="utf-8") as file:
            result: dict[str, Any] = json.load(file)
    except (OSError, ValueError):
        return None
    for key, artifacts in result["outputs"].items():
        for artifact, manifest in zip(artifacts, result["manifests"][key], strict=True):
            if find_damage(artifact["uri"], manifest) is not None:
                return None
    return result


def discard_unfinished(path: str) -> None:
    """Removes what a worker left that died while it wrote its result."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(_unfinished(path))


def _unfinished(path: str) -> str:
    return f"{path}.part"
