"""Notices that a node has changed its own inputs, which other nodes and later runs rely on."""

from __future__ import annotations

import os

from trainwright.dsl.base_executor import ArtifactDict
from trainwright.orchestration.publishing.manifest import FileTimes, list_times


class InputWatch:
    """Remembers what the inputs of a node are made of while its executor runs.

    By sizes and times, which cost a look at the directory and no reading; of a link, also those of
    the file that it leads to. What is noticed happened while the node ran: if others that read the
    same ran beside it, it may have been one of them.
    """

    def __init__(self, input_dict: ArtifactDict) -> None:
        inputs = [(key, artifact) for key, group in input_dict.items() for artifact in group]
        self._keys = {
            artifact.uri: f"{key!r} ({artifact.type_name} {artifact.id})"
            for key, artifact in inputs
        }
        # Imported data may be linked together from elsewhere; then the links are followed.
        self._imported = {
            artifact.uri for _, artifact in inputs if artifact.get_custom_property("is_external")
        }
        self._before = {uri: self._look_at(uri) for uri in self._keys}
        self._links = {uri for uri in self._keys if os.path.islink(uri)}

    def _look_at(self, uri: str) -> FileTimes | None:
        return list_times(uri, follow_links=uri in self._imported)

    def find_changes(self) -> list[str]:
        """The inputs that are not what they were, with the first difference of each."""
        found = []
        for uri, before in self._before.items():
            if os.path.islink(uri) and uri not in self._links:
                difference: str | None = f"{uri} has become a link"
            else:
                difference = _find_difference(uri, before, self._look_at(uri))
            if difference is not None:
                found.append(f"its input {self._keys[uri]} changed: {difference}")
        return found


def _find_difference(uri: str, before: FileTimes | None, after: FileTimes | None) -> str | None:
    if before is None or before == after:
        return None  # what is not a local path cannot be watched
    if after is None:
        return f"{uri} was removed"
    for relative in sorted(before.keys() | after.keys()):
        path = os.path.join(uri, relative) if relative else uri
        if relative not in after:
            return f"{path} was removed"
        if relative not in before:
            return f"{path} was added"
        if before[relative] != after[relative]:
            return f"{path} was changed"
    return None
