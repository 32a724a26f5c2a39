"""Output places: an executor's outputs must be there; reserved directories not in use go."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

from trainwright.dsl.base_executor import ArtifactDict
from trainwright.orchestration.publishing import layout, places
from trainwright.orchestration.publishing.reserved_directories import (
    OccupiedPaths,
    remove_directory,
)


def check_outputs_exist(output_dict: ArtifactDict, reserved: Collection[str]) -> None:
    """Raises FileNotFoundError if there is nothing where an output is said to lie.

    A uri that is not an absolute path (`bq://...`) is not ours to judge. The file of a value may be
    missing, if its directory is there: the value was not set.
    """
    for key, artifacts in output_dict.items():
        for artifact in artifacts:
            uri = artifact.uri
            place = layout.output_directory(uri) if uri in reserved else uri
            if not place or (os.path.isabs(place) and not os.path.exists(place)):
                raise FileNotFoundError(_describe_missing(key, place, is_reserved=uri in reserved))


def _describe_missing(key: str, place: str, *, is_reserved: bool) -> str:
    if is_reserved:
        return (
            f"Output {key!r} is gone: the directory {place} was there before the executor ran and "
            "has been removed. Write into it, or leave it empty."
        )
    return (
        f"Output {key!r} has the uri {place or repr(place)}, where there is nothing. Write it "
        "there, or leave the uri as it was given."
    )


def remove_unused(reserved: Iterable[str], output_dict: ArtifactDict) -> None:
    """Removes the directories that were reserved for outputs which lie elsewhere now."""
    uris = [artifact.uri for artifacts in output_dict.values() for artifact in artifacts]
    for uri in set(reserved) - set(uris):
        directory = layout.output_directory(uri)
        if os.path.islink(directory) or OccupiedPaths(uris).touch(os.path.realpath(directory)):
            continue
        if not (places.has_files(directory) and _is_linked_to(os.path.realpath(directory), uris)):
            remove_directory(os.path.realpath(directory))


def _is_linked_to(directory: str, uris: Iterable[str]) -> bool:
    """Whether a link in one of the outputs leads into a directory."""
    for uri in uris:
        for parent, directories, files in os.walk(uri):
            for name in directories + files:
                path = os.path.join(parent, name)
                target = os.path.realpath(path) if os.path.islink(path) else ""
                if target == directory or target.startswith(directory + os.sep):
                    return True
    return False
