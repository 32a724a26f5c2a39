"""The base types of ML Metadata, which types of a pipeline may name."""

from __future__ import annotations

from typing import Any, ClassVar

from trainwright.proto.mlmd import metadata_store_pb2 as mlmd


class _SystemType:
    """A base type: its number in messages, and the name under which it is stored."""

    system_type: ClassVar[int]
    _enum: ClassVar[Any]

    @property
    def name(self) -> str:
        value = self._enum.DESCRIPTOR.values_by_number[self.system_type]
        return str(value.GetOptions().Extensions[mlmd.system_type_extension].type_name)


class ArtifactType(_SystemType):
    """A base type of artifacts."""

    _enum = mlmd.ArtifactType.SystemDefinedBaseType


class ExecutionType(_SystemType):
    """A base type of executions."""

    _enum = mlmd.ExecutionType.SystemDefinedBaseType


class Dataset(ArtifactType):
    """Data to train, evaluate or predict with."""

    system_type = mlmd.ArtifactType.DATASET


class Model(ArtifactType):
    """A trained model."""

    system_type = mlmd.ArtifactType.MODEL


class Metrics(ArtifactType):
    """Measurements of a model."""

    system_type = mlmd.ArtifactType.METRICS


class Statistics(ArtifactType):
    """Statistics of data."""

    system_type = mlmd.ArtifactType.STATISTICS


class Train(ExecutionType):
    """Trains a model."""

    system_type = mlmd.ExecutionType.TRAIN


class Transform(ExecutionType):
    """Makes data of data."""

    system_type = mlmd.ExecutionType.TRANSFORM


class Process(ExecutionType):
    """Looks at data."""

    system_type = mlmd.ExecutionType.PROCESS


class Evaluate(ExecutionType):
    """Measures a model."""

    system_type = mlmd.ExecutionType.EVALUATE


class Deploy(ExecutionType):
    """Brings a model to where it is served."""

    system_type = mlmd.ExecutionType.DEPLOY
