"""Schemas from statistics, and statistics held against schemas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright.components.custom_validations import refuse_custom_validations
from trainwright.schemas import inference, validation
from trainwright.schemas.statistics_view import all_examples

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
        schema = transform(schema, all_examples(statistics))
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


def validate_corresponding_slices(
    statistics: _Statistics,
    schema: schema_pb2.Schema,
    environment: str | None = None,
    previous_statistics: _Statistics | None = None,
    serving_statistics: _Statistics | None = None,
) -> anomalies_pb2.Anomalies:
    """The ways in which each slice departs from a schema, and from the same slice of other data.

    Anomalies are named `slice(<slice>)::<feature>`. Constraints of the dataset are those of all
    examples.
    """
    given = (statistics, previous_statistics, serving_statistics)
    current, previous, serving = (None if one is None else _flatten(one) for one in given)
    assert current is not None
    slices = {dataset.name: None for one in given if one is not None for dataset in one.datasets}
    replicated = _replicate(schema, sorted(slices))
    return validation.validate_statistics(current, replicated, environment, previous, serving)


def _flatten(statistics: _Statistics) -> _Statistics:
    """The features of all slices as features of one dataset."""
    flat = _Statistics(datasets=[all_examples(statistics)])
    del flat.datasets[0].features[:]
    del flat.datasets[0].cross_features[:]
    for dataset in statistics.datasets:
        for feature in dataset.features:
            copied = flat.datasets[0].features.add()
            copied.CopyFrom(feature)
            if feature.name:
                copied.name = _name_in_slice(dataset.name, feature.name)
            else:
                copied.path.step[0] = _name_in_slice(dataset.name, feature.path.step[0])
    return flat


def _replicate(schema: schema_pb2.Schema, slices: Sequence[str]) -> schema_pb2.Schema:
    """The schema with the features of each slice."""
    replicated = schema_pb2.Schema()
    replicated.CopyFrom(schema)
    for field in ("feature", "sparse_feature", "weighted_feature"):
        replicated.ClearField(field)
        for slice_name in slices:
            for feature in getattr(schema, field):
                copied = getattr(replicated, field).add()
                copied.CopyFrom(feature)
                copied.name = _name_in_slice(slice_name, feature.name)
    return replicated


def _name_in_slice(slice_name: str, name: str) -> str:
    return f"slice({slice_name})::{name}"
