"""The artifact types that TFX's components exchange, under TFX's type names."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from typing import Any

from trainwright.types import splits as split_names_format
from trainwright.types import system_types
from trainwright.types.artifact import Artifact, Property, PropertyType
from trainwright.types.value_artifact import ValueArtifact

SPAN = Property(type=PropertyType.INT)
VERSION = Property(type=PropertyType.INT)
SPLIT_NAMES = Property(type=PropertyType.STRING)


class _SplitArtifact(Artifact):
    """An artifact with a directory per split."""

    @property
    def splits(self) -> list[str]:
        """The names of the splits, in the order in which they were written."""
        return split_names_format.decode_split_names(self.split_names)

    @splits.setter
    def splits(self, names: Sequence[str]) -> None:
        self.split_names = split_names_format.encode_split_names(names)

    def path(self, *, split: str) -> str:
        """The directory of one split; raises ValueError for a split that is not there."""
        if split not in self.splits:
            raise ValueError(f"Split {split!r} not found in {self.splits=}.")
        return os.path.join(self.uri, split_names_format.split_directory(split))


class Examples(_SplitArtifact):
    TYPE_NAME = "Examples"
    TYPE_ANNOTATION = system_types.Dataset
    PROPERTIES = {"span": SPAN, "version": VERSION, "split_names": SPLIT_NAMES}


class ExampleStatistics(_SplitArtifact):
    TYPE_NAME = "ExampleStatistics"
    TYPE_ANNOTATION = system_types.Statistics
    PROPERTIES = {"span": SPAN, "split_names": SPLIT_NAMES}


class ExampleAnomalies(_SplitArtifact):
    TYPE_NAME = "ExampleAnomalies"
    PROPERTIES = {"span": SPAN, "split_names": SPLIT_NAMES}


class Schema(Artifact):
    TYPE_NAME = "Schema"


class TransformGraph(Artifact):
    TYPE_NAME = "TransformGraph"


class TransformCache(Artifact):
    TYPE_NAME = "TransformCache"


class Model(Artifact):
    TYPE_NAME = "Model"
    TYPE_ANNOTATION = system_types.Model


class ModelRun(Artifact):
    """The files of a training run: logs and checkpoints. They outlive a failed training."""

    TYPE_NAME = "ModelRun"
    KEPT_ON_FAILURE = True


class ModelBlessing(Artifact):
    TYPE_NAME = "ModelBlessing"


class ModelEvaluation(Artifact):
    TYPE_NAME = "ModelEvaluation"


class InfraBlessing(Artifact):
    TYPE_NAME = "InfraBlessing"


class PushedModel(Artifact):
    TYPE_NAME = "PushedModel"
    TYPE_ANNOTATION = system_types.Model


class HyperParameters(Artifact):
    TYPE_NAME = "HyperParameters"


class TunerResults(Artifact):
    TYPE_NAME = "TunerResults"


class InferenceResult(Artifact):
    TYPE_NAME = "InferenceResult"


class Bytes(ValueArtifact):
    TYPE_NAME = "Bytes"

    def encode(self, value: Any) -> bytes:
        self._check(value, bytes)
        return bytes(value)

    def decode(self, serialized: bytes) -> bytes:
        return serialized


class String(ValueArtifact):
    TYPE_NAME = "String"

    def encode(self, value: Any) -> bytes:
        self._check(value, str)
        return str(value).encode("utf-8")

    def decode(self, serialized: bytes) -> str:
        return serialized.decode("utf-8")


class Boolean(ValueArtifact):
    TYPE_NAME = "Boolean"

    def encode(self, value: Any) -> bytes:
        self._check(value, bool)
        return b"1" if value else b"0"

    def decode(self, serialized: bytes) -> bool:
        return int(serialized) != 0


class Integer(ValueArtifact):
    TYPE_NAME = "Integer"

    def encode(self, value: Any) -> bytes:
        self._check(value, int)
        return str(value).encode("ascii")

    def decode(self, serialized: bytes) -> int:
        return int(serialized)


class Float(ValueArtifact):
    TYPE_NAME = "Float"

    def encode(self, value: Any) -> bytes:
        self._check(value, float, int)
        if math.isnan(value):
            return b"NaN"
        if math.isinf(value):
            return b"Infinity" if value > 0 else b"-Infinity"
        return repr(float(value)).encode("ascii")

    def decode(self, serialized: bytes) -> float:
        return float(serialized)


class JsonValue(ValueArtifact):
    TYPE_NAME = "JsonValue"

    def encode(self, value: Any) -> bytes:
        return json.dumps(value, sort_keys=True).encode("utf-8")

    def decode(self, serialized: bytes) -> Any:
        return json.loads(serialized)


STANDARD_ARTIFACTS: tuple[type[Artifact], ...] = (
    Boolean,
    Bytes,
    ExampleAnomalies,
    ExampleStatistics,
    Examples,
    Float,
    HyperParameters,
    InferenceResult,
    InfraBlessing,
    Integer,
    JsonValue,
    Model,
    ModelBlessing,
    ModelEvaluation,
    ModelRun,
    PushedModel,
    Schema,
    String,
    TransformCache,
    TransformGraph,
    TunerResults,
)
