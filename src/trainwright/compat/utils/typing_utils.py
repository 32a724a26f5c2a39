"""Aliases for the types of what flows between nodes, to be used in annotations."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import TypeVar

from trainwright.types.artifact import Artifact

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_ReadValue = TypeVar("_ReadValue", covariant=True)

MultiMap = Mapping[_Key, Sequence[_ReadValue]]
MutableMultiMap = MutableMapping[_Key, MutableSequence[_Value]]

ArtifactMultiMap = Mapping[str, Sequence[Artifact]]
ArtifactMutableMultiMap = MutableMapping[str, MutableSequence[Artifact]]
ArtifactMultiDict = dict[str, list[Artifact]]
