"""Splits: how the parts of an artifact (train, eval, ...) are named and where they lie."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from trainwright.types.names import check_name

if TYPE_CHECKING:
    from trainwright.types.artifact import Artifact

DEFAULT_TRAIN_SPLIT = "train"
DEFAULT_EVAL_SPLIT = "eval"

_SPLIT_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]*)?")


def encode_split_names(names: Sequence[str]) -> str:
    """Split names as artifacts store them.

    >>> encode_split_names(["train", "eval"])
    '["train", "eval"]'
    """
    for name in names:
        check_split_name(name)
    return json.dumps(list(names))


def decode_split_names(encoded: str) -> list[str]:
    """The inverse of `encode_split_names`; an artifact without split names has none."""
    return list(json.loads(encoded)) if encoded else []


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
    return f"Split-{check_name('split name', name) if name else name}"


def get_split_uris(artifacts: Sequence[Artifact], split: str) -> list[str]:
    """The directory of a split in each of the artifacts, all of which must have it."""
    uris = [
        os.path.join(artifact.uri, split_directory(split))
        for artifact in artifacts
        if split in decode_split_names(artifact.split_names)
    ]
    if not artifacts or len(uris) != len(artifacts):
        found = [decode_split_names(artifact.split_names) for artifact in artifacts]
        raise ValueError(
            f"Split does not exist over all example artifacts: {split}. "
            f"The artifacts have these splits: {found}."
        )
    return uris


def get_split_uri(artifacts: Sequence[Artifact], split: str) -> str:
    """The directory of a split of the one artifact that has it."""
    uris = get_split_uris(artifacts, split)
    if len(uris) != 1:
        raise ValueError(f"Expected exactly one artifact with split {split!r}, got {len(uris)}.")
    return uris[0]
