"""SchemaHints: what a schema says about how features are counted."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass

from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.statistics.feature_arrays import FLOAT, INT, Path

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class SchemaHints:
    """Features that are counted in another way than their type suggests.

    Args:
        images: Strings of which only the sizes matter.
        categorical: Numbers that are categories, with their type.
    """

    images: frozenset[Path] = frozenset()
    categorical: frozenset[tuple[Path, int]] = frozenset()

    def is_categorical(self, path: Path, kind: int | None) -> bool:
        """Whether the schema calls a number a category, and the data are such numbers."""
        return kind is not None and (path, kind) in self.categorical

    @classmethod
    def read(cls, schema: schema_pb2.Schema | None) -> SchemaHints:
        if schema is None:
            return cls()
        if schema.sparse_feature or schema.weighted_feature:
            _logger.warning(
                "The schema has sparse or weighted features: statistics of how their parts fit "
                "together are not computed."
            )
        images, categorical = set(), set()
        for path, feature in schema_leaves((), schema.feature):
            if feature.WhichOneof("domain_info") == "image_domain":
                images.add(path)
            kind = _categorical_type(feature)
            if kind is not None:
                categorical.add((path, kind))
        return cls(frozenset(images), frozenset(categorical))


def schema_leaves(path: Path, features: object) -> Iterator[tuple[Path, schema_pb2.Feature]]:
    """Yields the features that are not structs, with their paths below `path`."""
    for feature in features:  # type: ignore[attr-defined]
        if feature.type == schema_pb2.STRUCT:
            yield from schema_leaves((*path, feature.name), feature.struct_domain.feature)
        else:
            yield (*path, feature.name), feature


def _categorical_type(feature: schema_pb2.Feature) -> int | None:
    domain = feature.WhichOneof("domain_info")
    if feature.type == schema_pb2.INT and (
        domain in ("bool_domain", "natural_language_domain")
        or (domain == "int_domain" and feature.int_domain.is_categorical)
    ):
        return INT
    if (
        feature.type == schema_pb2.FLOAT
        and domain == "float_domain"
        and feature.float_domain.is_categorical
    ):
        return FLOAT
    return None
