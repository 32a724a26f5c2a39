"""The artifact types that TFX's components exchange, under TFX's type names."""

from __future__ import annotations

import decimal
import math
from collections.abc import Sequence
from typing import Any

from trainwright.types import json_utils, system_types
from trainwright.types import splits as split_names_format
from trainwright.types.artifact import Artifact, Property, PropertyType
from trainwright.types.value_artifact import ValueArtifact

SPAN_PROPERTY = Property(type=PropertyType.INT)
VERSION_PROPERTY = Property(type=PropertyType.INT)
SPLIT_NAMES_PROPERTY = Property(type=PropertyType.STRING)
STRING_VALUE_PROPERTY = Property(type=PropertyType.STRING)


class _SplitArtifact(Artifact):
    """An artifact with a directory per split."""

    @property
    def splits(self) -> list[str]:
        """The names of the splits, in the order in which they were written."""
        return split_names_format.decode_split_names(self.split_names)

    @splits.setter
    def splits(self, names: Sequence[str]) -> None:
        if isinstance(names, (str, bytes)) or not all(isinstance(name, str) for name in names):
            raise TypeError(f"splits should be Sequence[str] but got {names!r}")
        self.split_names = split_names_format.encode_split_names(names)

    def path(self, *, split: str) -> str:
        """The directory of one split; raises ValueError for a split that is not there."""
        if split not in self.splits:
            raise ValueError(
                f"Split {split!r} not found in {self.splits=}. Did you forget to update "
                f"{type(self).__name__}.splits first?"
            )
        return split_names_format.get_split_uri([self], split)


class Examples(_SplitArtifact):
    TYPE_NAME = "Examples"
    TYPE_ANNOTATION = system_types.Dataset
    PROPERTIES = {
        "span": SPAN_PROPERTY,
        "version": VERSION_PROPERTY,
        "split_names": SPLIT_NAMES_PROPERTY,
    }


class ExampleStatistics(_SplitArtifact):
    TYPE_NAME = "ExampleStatistics"
    TYPE_ANNOTATION = system_types.Statistics
    PROPERTIES = {"span": SPAN_PROPERTY, "split_names": SPLIT_NAMES_PROPERTY}


class ExampleAnomalies(_SplitArtifact):
    TYPE_NAME = "ExampleAnomalies"
    PROPERTIES = {"span": SPAN_PROPERTY, "split_names": SPLIT_NAMES_PROPERTY}


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


class ExampleValidationMetrics(_SplitArtifact):
    TYPE_NAME = "ExampleValidationMetrics"
    PROPERTIES = {"span": SPAN_PROPERTY, "split_names": SPLIT_NAMES_PROPERTY}


class ExamplesDiff(Artifact):
    TYPE_NAME = "ExamplesDiff"


class ExternalArtifact(Artifact):
    """Files that come from outside: what components of early TFX versions took as their input."""

    TYPE_NAME = "ExternalArtifact"


class DataView(Artifact):
    TYPE_NAME = "DataView"


class Config(Artifact):
    TYPE_NAME = "Config"


class Bytes(ValueArtifact):
    TYPE_NAME = "Bytes"

    def encode(self, value: Any) -> bytes:
        self._check(value, "bytes", bytes)
        return bytes(value)

    def decode(self, serialized_value: bytes) -> bytes:
        return serialized_value


class String(ValueArtifact):
    TYPE_NAME = "String"

    def encode(self, value: Any) -> bytes:
        self._check(value, "Text", str)
        return str(value).encode("utf-8")

    def decode(self, serialized_value: bytes) -> str:
        return serialized_value.decode("utf-8")


class Boolean(ValueArtifact):
    TYPE_NAME = "Boolean"

    def encode(self, value: Any) -> bytes:
        self._check(value, "bool", bool)
        return b"1" if value else b"0"

    def decode(self, serialized_value: bytes) -> bool:
        return int(serialized_value) != 0


class Integer(ValueArtifact):
    TYPE_NAME = "Integer"

    def encode(self, value: Any) -> bytes:
        self._check(value, "int", int)
        return str(value).encode("ascii")

    def decode(self, serialized_value: bytes) -> int:
        return int(serialized_value)


class Float(ValueArtifact):
    """A float, written so that other languages read it: `NaN`, `Infinity`, or its digits."""

    TYPE_NAME = "Float"

    def encode(self, value: Any) -> bytes:
        self._check(value, "float", float, int)
        if math.isfinite(value):
            return repr(float(value)).encode("ascii")
        _warn('! The number "%s" may be unsupported by non-python components.', value)
        if math.isnan(value):
            return b"NaN"
        return b"Infinity" if value > 0 else b"-Infinity"

    def decode(self, serialized_value: bytes) -> float:
        value = float(serialized_value)
        written = serialized_value.decode("ascii").strip()
        if math.isfinite(value) and decimal.Decimal(written) != decimal.Decimal(repr(value)):
            _warn('The number "%s" has lost precision when converted to float "%s"', written, value)
        return value


def _warn(message: str, *arguments: object) -> None:
    from absl import logging  # where TFX's users look for it

    logging.warning(message, *arguments)


class JsonValue(ValueArtifact):
    """What JSON knows, messages, classes and Jsonable objects."""

    TYPE_NAME = "JsonValue"

    def encode(self, value: Any) -> str:
        return json_utils.dumps(value)

    def decode(self, serialized_value: bytes | str) -> Any:
        if isinstance(serialized_value, bytes):
            serialized_value = serialized_value.decode("utf-8")
        return json_utils.loads_data(serialized_value)


STANDARD_ARTIFACTS: tuple[type[Artifact], ...] = (
    Boolean,
    Bytes,
    Config,
    DataView,
    ExampleAnomalies,
    ExampleStatistics,
    ExampleValidationMetrics,
    Examples,
    ExamplesDiff,
    ExternalArtifact,
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
