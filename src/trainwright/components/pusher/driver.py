"""What is checked before a Pusher runs, and whether an earlier push still counts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.components.pusher.versions import newest_version
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.proto import proto_json, pusher_pb2
from trainwright.types.artifact import Artifact


class PusherDriver(BaseDriver):
    """Looks at the destination before anything is trained for it."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        encoded = exec_properties.get("push_destination")
        if not encoded:
            return  # a custom executor has its own
        destination = proto_json.json_to_proto(encoded, pusher_pb2.PushDestination())
        if destination.HasField("filesystem"):
            _check_writable(destination.filesystem.base_directory)

    def why_not_reuse(self, outputs: Mapping[str, Sequence[Artifact]]) -> str | None:
        """An earlier push counts if its version is there and is the newest, which is served."""
        pushed_model = outputs["pushed_model"][0]
        if not pushed_model.get_int_custom_property("pushed"):
            return None
        destination = pushed_model.get_string_custom_property("pushed_destination")
        if not os.path.isdir(destination):
            return f"the pushed version {destination} is gone"
        base_directory, version = os.path.split(destination)
        if not version.isdecimal():
            return None  # a custom executor has its own names
        newest = newest_version(base_directory)
        if int(version) != newest:
            return f"version {newest} was pushed to {base_directory} after {version}"
        return None


def _check_writable(base_directory: str) -> None:
    """The directory, or the nearest one above it that exists, must take new entries."""
    existing = os.path.abspath(base_directory)
    while not os.path.exists(existing):
        existing = os.path.dirname(existing)
    if not (os.path.isdir(existing) and os.access(existing, os.W_OK)):
        raise ValueError(
            f"The push_destination's base_directory {base_directory!r} cannot be written to: "
            f"{existing!r} is {'read-only' if os.path.isdir(existing) else 'not a directory'}."
        )
