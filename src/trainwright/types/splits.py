"""Splits: how the parts of an artifact (train, eval, ...) are named and where they lie."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from trainwright.types.artifact_version import (
    _ARTIFACT_VERSION_FOR_SPLIT_UPDATE,
    is_artifact_version_older_than,
)
from trainwright.types.names import check_name
from trainwright.types.runtime_parameter import RuntimeParameter

if TYPE_CHECKING:
    from trainwright.types.artifact import Artifact

DEFAULT_TRAIN_SPLIT = "train"
DEFAULT_EVAL_SPLIT = "eval"

_PREFIX = "Split-"
_SPLIT_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]*)?")


def encode_split_names(splits: Sequence[str | RuntimeParameter]) -> str:
    """Split names as artifacts store them.

    >>> encode_split_names(["train", "eval"])
    '["train", "eval"]'
    """
    return json.dumps([_encode_split_name(name) for name in splits])


def _encode_split_name(name: str | RuntimeParameter) -> str:
    if isinstance(name, RuntimeParameter):
        return str(name)  # named when the pipeline runs
    check_split_name(name)
    return name


def decode_split_names(split_names: str) -> list[str]:
    """The inverse of `encode_split_names`; an artifact without split names has none."""
    return list(json.loads(split_names)) if split_names else []


def check_split_name(name: str) -> None:
    if not _SPLIT_NAME.fullmatch(name):
        raise ValueError(
            "Split names are expected to be alphanumeric (allowing dashes and underscores, "
            f"provided they are not the first character); got {name!r} instead."
        )
    if name:
        check_name("split name", name)


def split_directory(name: str) -> str:
    """The directory of a split inside its artifact's.

    >>> split_directory("train")
    'Split-train'
    """
    # What an executor wrote into its artifact's split names itself was never checked.
    return f"{_PREFIX}{check_name('split name', name) if name else name}"


def get_split_uris(artifact_list: Sequence[Artifact], split: str) -> list[str]:
    """The directory of a split in each of the artifacts, all of which must have it."""
    uris = [
        os.path.join(artifact.uri, _directory_in(artifact, split))
        for artifact in artifact_list
        if split in decode_split_names(artifact.split_names)
    ]
    if not artifact_list or len(uris) != len(artifact_list):
        found = [decode_split_names(artifact.split_names) for artifact in artifact_list]
        raise ValueError(
            f"Split does not exist over all example artifacts: {split}. "
            f"The artifacts have these splits: {found}."
        )
    return uris


def _directory_in(artifact: Artifact, split: str) -> str:
    directory = split_directory(split)
    if not is_artifact_version_older_than(artifact, _ARTIFACT_VERSION_FOR_SPLIT_UPDATE):
        return directory
    # An artifact without a version need not be old: whoever registered it may have named none.
    is_new = os.path.isdir(os.path.join(artifact.uri, directory))
    return directory if is_new else directory.removeprefix(_PREFIX)


def get_split_uri(artifact_list: Sequence[Artifact], split: str) -> str:
    """The directory of a split of the one artifact that has it."""
    uris = get_split_uris(artifact_list, split)
    if len(uris) != 1:
        raise ValueError(
            f"Expected exactly one artifact with split {split!r}, but found matching artifacts "
            f"{uris}."
        )
    return uris[0]
