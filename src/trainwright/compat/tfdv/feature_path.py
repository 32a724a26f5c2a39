"""FeaturePath: which feature, also within structures."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from tensorflow_metadata.proto.v0 import path_pb2


@dataclass(frozen=True, order=True, init=False, repr=False)
class FeaturePath:
    """The steps to a feature; most features have one, their name.

    >>> FeaturePath(["trip", "miles"]).parent().child("fare")
    ('trip', 'fare')
    """

    _steps: tuple[str, ...]

    def __init__(self, steps: Iterable[str]) -> None:
        object.__setattr__(self, "_steps", tuple(steps))

    @classmethod
    def of(cls, feature: str | FeaturePath | Iterable[str]) -> FeaturePath:
        """The path as it was given, or that of a name or of steps."""
        if isinstance(feature, FeaturePath):
            return feature
        return cls([feature] if isinstance(feature, str) else feature)

    @staticmethod
    def from_proto(path_proto: path_pb2.Path) -> FeaturePath:
        return FeaturePath(path_proto.step)

    @staticmethod
    def from_string(path_string: str) -> FeaturePath:
        return FeaturePath(path_string.split("."))

    @staticmethod
    def from_json(path_json: str) -> FeaturePath:
        steps = json.loads(path_json)
        if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
            raise TypeError(f"Invalid FeaturePath json: {path_json}")
        return FeaturePath(steps)

    def to_proto(self) -> path_pb2.Path:
        return path_pb2.Path(step=self._steps)

    def to_json(self) -> str:
        return json.dumps(self._steps)

    def steps(self) -> tuple[str, ...]:
        return self._steps

    def parent(self) -> FeaturePath:
        if not self._steps:
            raise ValueError("Root does not have parent.")
        return FeaturePath(self._steps[:-1])

    def child(self, child_step: str) -> FeaturePath:
        return FeaturePath((*self._steps, child_step))

    def __str__(self) -> str:
        return ".".join(self._steps)

    def __repr__(self) -> str:
        return repr(self._steps)

    def __len__(self) -> int:
        return len(self._steps)
