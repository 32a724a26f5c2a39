"""Features and domains of a schema."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright._suggest import did_you_mean
from trainwright.compat.tfdv.feature_path import FeaturePath

_logger = logging.getLogger(__name__)


def get_feature(schema: schema_pb2.Schema, feature_path: str | FeaturePath) -> schema_pb2.Feature:
    """A feature of a schema, by its name or path; changes of it are changes of the schema.

    Raises:
        ValueError: if there is no such feature.

    Example: `get_feature(schema, "fare").presence.min_fraction = 1.0`
    """
    _check_schema(schema)
    path = FeaturePath.of(feature_path)
    features = schema.feature
    for step in path.steps()[:-1]:
        structure = _find(step, features, path)
        if structure.type != schema_pb2.STRUCT:
            raise ValueError(
                f"Step {step} in feature {path} does not refer to a valid STRUCT feature"
            )
        features = structure.struct_domain.feature
    return _find(path.steps()[-1], features, path)


def _find(name: str, features: Any, path: FeaturePath) -> schema_pb2.Feature:
    for feature in features:
        if feature.name == name:
            return feature
    known = [feature.name for feature in features]
    raise ValueError(f"Feature {path} not found in the schema{did_you_mean(name, known)}")


def get_domain(schema: schema_pb2.Schema, feature_path: str | FeaturePath) -> Any:
    """The domain of a feature, its own or the one that it names; ValueError if it has none."""
    feature = get_feature(schema, feature_path)
    kind = feature.WhichOneof("domain_info")
    if kind is None:
        raise ValueError(f"Feature {feature_path} has no domain associated with it.")
    if kind != "domain":
        return getattr(feature, kind)
    for domain in schema.string_domain:
        if domain.name == feature.domain:
            return domain
    raise ValueError(f"Feature {feature_path} has an unsupported domain {feature.domain}.")


def set_domain(schema: schema_pb2.Schema, feature_path: str | FeaturePath, domain: Any) -> None:
    """Gives a feature a domain in place of the one it has.

    Args:
        schema: The schema, which is changed.
        feature_path: The feature.
        domain: A message such as `IntDomain`, or the name of a `string_domain` of the schema.
    """
    _check_schema(schema)
    fields = schema_pb2.Feature.DESCRIPTOR.oneofs_by_name["domain_info"].fields
    by_message = {one.message_type.name: one.name for one in fields if one.message_type}
    field = "domain" if isinstance(domain, str) else by_message.get(type(domain).__name__)
    if field is None:
        raise TypeError(
            f"domain is of type {type(domain).__name__}, should be one of the supported types in "
            f"schema.Features.domain_info: {', '.join(sorted(by_message))}, or a name."
        )
    feature = get_feature(schema, feature_path)
    if feature.type == schema_pb2.STRUCT:
        raise TypeError(f"Could not set the domain of a STRUCT feature {feature_path}.")
    if feature.WhichOneof("domain_info") is not None:
        _logger.warning('Replacing existing domain of feature "%s".', feature_path)
    if not isinstance(domain, str):
        getattr(feature, field).CopyFrom(domain)
        return
    if domain not in [one.name for one in schema.string_domain]:
        raise ValueError(f'Invalid global string domain "{domain}".')
    feature.domain = domain


def generate_dummy_schema_with_paths(paths: Iterable[FeaturePath]) -> schema_pb2.Schema:
    """A schema that has these features and says nothing else of them."""
    schema = schema_pb2.Schema()
    for path in sorted(paths):
        features = schema.feature
        for number, step in enumerate(path.steps(), start=1):
            feature = next((one for one in features if one.name == step), None)
            if feature is None:
                feature = features.add(name=step)
            if number < len(path):
                feature.type = schema_pb2.STRUCT
                features = feature.struct_domain.feature
    return schema


def _check_schema(schema: Any) -> None:
    if not isinstance(schema, schema_pb2.Schema):
        raise TypeError(f"schema is of type {type(schema).__name__}, should be a Schema proto.")


def look_up_feature(
    feature_name: str, container: Iterable[schema_pb2.Feature]
) -> schema_pb2.Feature | None:
    """The feature of this name among others; None if there is none."""
    return next((feature for feature in container if feature.name == feature_name), None)


def get_all_leaf_features(
    schema: schema_pb2.Schema,
) -> list[tuple[FeaturePath, schema_pb2.Feature]]:
    """All features that are not structures, with their paths."""
    return list(_leaves(FeaturePath([]), schema.feature))


def _leaves(
    parent: FeaturePath, features: Iterable[schema_pb2.Feature]
) -> Iterator[tuple[FeaturePath, schema_pb2.Feature]]:
    for feature in features:
        path = parent.child(feature.name)
        if feature.type == schema_pb2.STRUCT:
            yield from _leaves(path, feature.struct_domain.feature)
        else:
            yield path, feature


def is_categorical_feature(feature: schema_pb2.Feature) -> bool:
    """Whether values are categories: strings, and numbers that the schema calls so."""
    if feature.type == schema_pb2.INT:
        named = ("bool_domain", "natural_language_domain")
        is_named = feature.WhichOneof("domain_info") in named
        return is_named or bool(feature.int_domain.is_categorical)
    if feature.type == schema_pb2.FLOAT:
        return bool(feature.float_domain.is_categorical)
    return bool(feature.type == schema_pb2.BYTES)


def get_categorical_features(schema: schema_pb2.Schema) -> set[FeaturePath]:
    """The paths of all categorical features."""
    return {path for path, one in get_all_leaf_features(schema) if is_categorical_feature(one)}


def get_multivalent_features(schema: schema_pb2.Schema) -> set[FeaturePath]:
    """The paths of all features that may have several values in an example."""
    return {path for path, one in get_all_leaf_features(schema) if not _is_univalent(one)}


def _is_univalent(feature: schema_pb2.Feature) -> bool:
    return [one.size for one in feature.shape.dim] == [1] or feature.value_count.max == 1


def get_bytes_features(schema: schema_pb2.Schema) -> list[FeaturePath]:
    """The paths of features whose bytes are not text: images."""
    return [
        path
        for path, feature in get_all_leaf_features(schema)
        if feature.WhichOneof("domain_info") == "image_domain"
    ]
