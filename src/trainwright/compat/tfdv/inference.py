"""Schemas from statistics, and statistics held against schemas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright.components.example_validator.custom_validations import refuse_custom_validations
from trainwright.schemas import inference, validation

_Statistics: TypeAlias = statistics_pb2.DatasetFeatureStatisticsList
_Transformation = Callable[
    [schema_pb2.Schema, statistics_pb2.DatasetFeatureStatistics], schema_pb2.Schema
]


def infer_schema(
    statistics: _Statistics,
    infer_feature_shape: bool = True,
    max_string_domain_size: int = 100,
    schema_transformations: Sequence[_Transformation] | None = None,
) -> schema_pb2.Schema:
    """A schema that the data fits.

    Args:
        statistics: Of the data.
        infer_feature_shape: Whether features with a constant number of values get a shape.
        max_string_domain_size: Up to how many different values a string feature has a domain.
        schema_transformations: Functions that change the schema at the end, one after the other.
    """
    schema = inference.infer_schema(statistics, infer_feature_shape, max_string_domain_size)
    for transform in schema_transformations or ():
        schema = transform(schema, statistics.datasets[0])
    return schema


def update_schema(
    schema: schema_pb2.Schema,
    statistics: _Statistics,
    infer_feature_shape: bool = True,
    max_string_domain_size: int = 100,
) -> schema_pb2.Schema:
    """A copy of the schema that the data fits, too; shapes stay as the schema has them."""
    return inference.update_schema(schema, statistics, max_string_domain_size)


def validate_statistics(
    statistics: _Statistics,
    schema: schema_pb2.Schema,
    environment: str | None = None,
    previous_statistics: _Statistics | None = None,
    serving_statistics: _Statistics | None = None,
    custom_validation_config: Any | None = None,
) -> anomalies_pb2.Anomalies:
    """The ways in which data departs from a schema; see `trainwright.schemas.validation`."""
    refuse_custom_validations(custom_validation_config)
    return validation.validate_statistics(
        statistics, schema, environment, previous_statistics, serving_statistics
    )
