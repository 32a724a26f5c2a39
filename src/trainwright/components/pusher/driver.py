"""The Pusher's driver: checks before it runs, and whether an earlier push still counts."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright._paths import check_can_write_below
from trainwright.components.pusher.remote_versions import (
    check_can_push,
    find_remote_damage,
    newest_remote_version,
)
from trainwright.components.pusher.versions import newest_version
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver, has_custom_executor
from trainwright.proto import proto_json, pusher_pb2
from trainwright.storage import uris
from trainwright.storage.errors import StorageError
from trainwright.storage.uris import is_supported
from trainwright.types.artifact import Artifact


class PusherDriver(BaseDriver):
    """Looks at the destination before anything is trained for it."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        base_directory = _base_directory(component, exec_properties)
        if base_directory and is_supported(base_directory):
            check_can_push(base_directory)
        elif base_directory:
            check_can_write_below(base_directory, f"push_destination of {component.id}")

    def checked_paths(
        self, component: BaseComponent, exec_properties: dict[str, Any]
    ) -> Mapping[str, str]:
        base_directory = _base_directory(component, exec_properties)
        return {"push_destination": base_directory} if base_directory else {}

    def why_not_reuse(self, outputs: Mapping[str, Sequence[Artifact]]) -> str | None:
        """An earlier push counts if its version is whole and is the newest, which is served."""
        if not outputs.get("pushed_model"):
            return "the store has no record of what was pushed"
        pushed_model = outputs["pushed_model"][0]
        if not pushed_model.get_int_custom_property("pushed"):
            return None
        destination = pushed_model.get_string_custom_property("pushed_destination")
        if is_supported(destination):
            return _why_not_there(destination)
        if not os.path.isdir(destination):
            return f"the pushed version {destination} is gone"
        base_directory, version = os.path.split(destination)
        if not version.isdecimal():
            return None  # a custom executor has its own names
        newest = newest_version(base_directory)
        if int(version) != newest:
            return f"version {newest} was pushed to {base_directory} after {version}"
        damage = _find_damage(destination, pushed_model.uri)
        return f"the pushed version {destination} is damaged: {damage}" if damage else None


def _why_not_there(destination: str) -> str | None:
    """Why a version in an object store no longer counts; None if it does."""
    base, version = uris.parent(destination), uris.name(destination)
    if not version.isdecimal():
        return None  # a custom executor has its own names
    try:
        damage = find_remote_damage(destination)
        newest = newest_remote_version(base)
    except StorageError as error:
        return f"the pushed version cannot be looked at: {error}"
    if damage is not None:
        return f"the pushed version {destination} is damaged: {damage}"
    if int(version) != newest:
        return f"version {newest} was pushed to {base} after {version}"
    return None


def _find_damage(version: str, pushed_model: str) -> str | None:
    """What a version lacks of the model that was pushed, by names and sizes; None if nothing.

    What was added to it, such as requests to warm up with, is not damage. The artifact of a custom
    executor may hold something else than what it has pushed: then they have no file in common.
    """
    expected, found = _sizes(pushed_model), _sizes(version)
    if not found:
        return "it has no files" if expected else None
    if expected.keys().isdisjoint(found):
        return None
    for name, size in sorted(expected.items()):
        if name not in found:
            return f"{name} is gone"
        if found[name] != size:
            return f"{name} has {found[name]} bytes instead of {size}"
    return None


def _sizes(directory: str) -> dict[str, int]:
    """The sizes of the files in a directory, by their relative paths."""
    sizes = {}
    for above, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(above, name)
            with contextlib.suppress(OSError):  # a link that leads nowhere, or it goes just now
                sizes[os.path.relpath(path, directory)] = os.stat(path).st_size
    return sizes


def _base_directory(component: BaseComponent, exec_properties: dict[str, Any]) -> str | None:
    """The directory to push to; None if a custom executor does it, which has its own places."""
    encoded = exec_properties.get("push_destination")
    if not encoded or has_custom_executor(component):
        return None
    destination = proto_json.json_to_proto(encoded, pusher_pb2.PushDestination())
    return destination.filesystem.base_directory or None
