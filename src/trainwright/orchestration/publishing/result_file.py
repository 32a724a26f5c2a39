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

from trainwright._paths import is_remote
from trainwright.orchestration.publishing import places
from trainwright.orchestration.publishing.manifest import find_damage
from trainwright.orchestration.publishing.plain_files import open_plain
from trainwright.processes.frame import encode_json

# How the name of a file ends that is not written to its end.
_UNFINISHED = ".part"
# In an object store. A result lists the files of all outputs, some hundred bytes for each of them.
_LARGEST_RESULT = 1 << 26


def write_result(path: str, result: Mapping[str, Any]) -> None:
    """Writes the file so that it is there whole or not at all.

    It is not written through to the disk: the runner publishes the result in a moment, and what a
    power failure leaves of it in that moment does not parse.
    """
    _write_whole(path, result)


def read_result(path: str) -> dict[str, Any] | None:
    """The result, or None if there is none or the outputs are no longer what it says."""
    result: dict[str, Any] | None = _read_json(path)
    if result is None or not is_result(result):
        return None
    try:
        is_whole = all(
            find_damage(artifact["uri"], manifest) is None
            for key, artifacts in result["outputs"].items()
            for artifact, manifest in zip(artifacts, result["manifests"][key], strict=True)
        )
    except (OSError, ValueError):  # a name that no file can have, or a file that cannot be read
        return None
    return result if is_whole else None


def read_first_party_files(path: str) -> dict[str, str]:
    """The files of the user's code that another process of the node has loaded, with digests."""
    result = _read_json(path)
    return dict(result["first_party_files"]) if is_result(result) else {}


def write_failure(path: str, error: Mapping[str, Any]) -> None:
    """Writes why an executor failed beside where its result would be.

    Only if the runner cannot be told: user code in a worker may close what it finds open.
    """
    _write_whole(_failure(path), error)


def take_failure(path: str) -> dict[str, str] | None:
    """Reads and removes what `write_failure` left; None if there is nothing, or not of its form."""
    error = _read_json(_failure(path))
    with contextlib.suppress(OSError):
        os.remove(_failure(path))
    return error if is_error(error) else None


def _read_json(path: str) -> Any:
    """What a file holds; None if there is none, or not JSON.

    User code can put anything in its place: a named pipe would never let go of its reader.
    """
    try:
        if is_remote(path):
            return json.loads(places.read_small(path, _LARGEST_RESULT) or b"")
        with open(open_plain(path, os.O_RDONLY), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError, RecursionError):
        return None


def is_result(value: Any) -> bool:
    """Whether a value has the form in which a worker tells its result."""
    if not isinstance(value, dict):
        return False
    outputs, manifests = value.get("outputs"), value.get("manifests")
    files = value.get("first_party_files")
    return (
        isinstance(outputs, dict)
        and isinstance(manifests, dict)
        and isinstance(files, dict)
        and isinstance(value.get("progress", {}), dict)
        and outputs.keys() == manifests.keys()
        and all(isinstance(digest, str) for digest in files.values())
        and are_strings(value.get("changed_inputs", []))
        and all(_are_outputs(outputs[key], manifests[key]) for key in outputs)
    )


def is_storable(value: Any) -> bool:
    """Whether a value is a string that every metadata store can hold."""
    try:
        return isinstance(value, str) and b"\0" not in value.encode()
    except UnicodeEncodeError:
        return False


def are_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _are_outputs(artifacts: Any, manifests: Any) -> bool:
    return (
        isinstance(artifacts, list)
        and isinstance(manifests, list)
        and len(artifacts) == len(manifests)
        and all(map(_is_artifact, artifacts))
        and all(manifest is None or _is_manifest(manifest) for manifest in manifests)
    )


def _is_artifact(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and is_storable(value.get("uri"))
        and isinstance(value.get("id"), int | None)
        and is_storable(value.get("name") or "")
        and isinstance(value.get("properties"), dict)
        and isinstance(value.get("custom_properties"), dict)
    )


def _is_manifest(value: Any) -> bool:
    return isinstance(value, dict) and all(
        _is_within_artifact(name) and _are_facts(facts) for name, facts in value.items()
    )


def _are_facts(value: Any) -> bool:
    """Whether a value is what a manifest holds of one file: three numbers, or four of a link."""
    return (
        isinstance(value, list)
        and len(value) in (3, 4)
        and all(isinstance(one, int) for one in value)
    )


def _is_within_artifact(name: str) -> bool:
    return "\0" not in name and not os.path.isabs(name) and ".." not in name.split(os.sep)


def is_error(value: Any) -> bool:
    """Whether a value has the form of a described exception."""
    return (
        isinstance(value, dict)
        and {"type", "message"} <= value.keys()
        and all(isinstance(part, str) for part in value.values())
    )


def discard_unfinished(path: str) -> None:
    """Removes what a worker left that died while it wrote its result."""
    if is_remote(path):
        return  # an object is whole or not there
    directory, name = os.path.split(path)
    with contextlib.suppress(OSError):
        for unfinished in os.listdir(directory):
            if unfinished.startswith(f"{name}.") and unfinished.endswith(_UNFINISHED):
                with contextlib.suppress(OSError):
                    os.remove(os.path.join(directory, unfinished))


def _write_whole(path: str, value: Mapping[str, Any]) -> None:
    encoded = encode_json(value)
    # A name that user code cannot have put a named pipe at.
    temporary = f"{path}.{os.urandom(8).hex()}{_UNFINISHED}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(open_plain(temporary, flags), "w", encoding="utf-8") as file:
        file.write(encoded)
    os.replace(temporary, path)


def _failure(path: str) -> str:
    return f"{path}.failure"
