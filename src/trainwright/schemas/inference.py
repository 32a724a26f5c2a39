"""Inferring a schema from statistics, and fitting a schema to more of them."""

from __future__ import annotations

from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright.schemas.bool_domain import infer_bool_domain
from trainwright.schemas.comparators import Controls
from trainwright.schemas.feature_fitting import fit_known_path, mark_derived
from trainwright.schemas.feature_paths import path_text
from trainwright.schemas.numeric_domains import is_integer_text
from trainwright.schemas.presence import infer_presence
from trainwright.schemas.schema_index import SchemaIndex, deprecate
from trainwright.schemas.semantic_domains import take_proposed_domain
from trainwright.schemas.statistics_view import DatasetView, FeatureView, all_examples
from trainwright.schemas.string_domain import fit_string_domain, is_categorical
from trainwright.schemas.valency import infer_valency

# A string feature with more different values is free text, or an id.
LARGEST_STRING_DOMAIN = 100


def infer_schema(
    statistics: statistics_pb2.DatasetFeatureStatisticsList,
    infer_feature_shape: bool = True,
    max_string_domain_size: int = LARGEST_STRING_DOMAIN,
) -> schema_pb2.Schema:
    """The schema that data with these statistics suggests: a beginning, for people to go on from.

    Args:
        statistics: The statistics of one dataset, or of slices of it and of all examples.
        infer_feature_shape: Whether features with a constant number of values get a shape.
        max_string_domain_size: Up to how many different values a string feature has a domain.

    Example: `schema = infer_schema(statistics)`
    """
    schema = schema_pb2.Schema()
    dataset = DatasetView(_with_common_statistics(all_examples(statistics)))
    _extend(dataset, SchemaIndex(schema), max_string_domain_size, infer_feature_shape)
    return schema


def update_schema(
    schema: schema_pb2.Schema,
    statistics: statistics_pb2.DatasetFeatureStatisticsList,
    max_string_domain_size: int = LARGEST_STRING_DOMAIN,
) -> schema_pb2.Schema:
    """The schema, changed so far that data with these statistics fits it.

    Features that are new are added, without shapes; required features that are missing are
    deprecated; everything else is widened.

    Args:
        schema: A schema; it is not changed.
        statistics: As for `infer_schema`.
        max_string_domain_size: As for `infer_schema`.

    Example: `schema = update_schema(infer_schema(train), evaluation)`
    """
    if not isinstance(schema, schema_pb2.Schema):
        raise TypeError(f"schema is of type {type(schema).__name__}, should be a Schema proto.")
    updated = schema_pb2.Schema()
    updated.CopyFrom(schema)
    index = SchemaIndex(updated)
    dataset = DatasetView(all_examples(statistics))
    _extend(dataset, index, max_string_domain_size, infer_shape=False)
    for path in index.missing_paths(dataset.features, environment=None):
        deprecate(index.feature(path))
    return updated


def _with_common_statistics(statistics: Any) -> Any:
    """Without sparse and weighted features, of which nothing can be inferred."""
    known = [feature for feature in statistics.features if feature.WhichOneof("stats") is not None]
    if len(known) == len(statistics.features):
        return statistics
    kept = statistics_pb2.DatasetFeatureStatistics(features=known)
    kept.num_examples = statistics.num_examples
    kept.weighted_num_examples = statistics.weighted_num_examples
    return kept


def _extend(
    dataset: DatasetView, index: SchemaIndex, largest_domain: int, infer_shape: bool
) -> None:
    views = list(reversed(dataset.roots))
    while views:
        view = views.pop()
        if view.path in index:
            fit_known_path(view, index, None, Controls())
            feature = index.feature(view.path)
            if view.children and feature is not None and not feature.HasField("struct_domain"):
                index.forget_inside(view.path)
        elif view.has_common_statistics:
            _add_feature(view, index, largest_domain, infer_shape)
        if not index.is_unchecked(view.path):
            views += reversed(view.children)


def _add_feature(
    view: FeatureView, index: SchemaIndex, largest_domain: int, infer_shape: bool
) -> None:
    feature = index.add_feature(view.path)
    feature.type = view.feature_type
    infer_presence(view, feature)
    if view.num_present > 0:
        infer_valency(view, feature, infer_shape=infer_shape)
    if view.statistics.HasField("validation_derived_source"):
        mark_derived(view, feature)
    if not take_proposed_domain(view, feature):
        _infer_domain(view, feature, index, largest_domain)


def _infer_domain(view: FeatureView, feature: Any, index: SchemaIndex, largest_domain: int) -> None:
    if view.has_invalid_utf8 or view.type == statistics_pb2.FeatureNameStatistics.BYTES:
        return
    bool_domain = infer_bool_domain(view)
    if bool_domain is not None:
        feature.bool_domain.CopyFrom(bool_domain)
    elif is_integer_text(view):
        # What is known is that the string is an integer; its range is for people to say.
        feature.int_domain.SetInParent()
    elif is_categorical(view, largest_domain):
        if view.feature_type == schema_pb2.INT:
            feature.int_domain.is_categorical = True
            return
        domain = index.add_string_domain(path_text(view.path))
        fit_string_domain(view, domain)
        feature.domain = domain.name
