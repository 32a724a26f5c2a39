"""SchemaIndex: the features and domains of a schema by path and name, and changes to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.schemas.feature_paths import Path

# Stages in which a feature is not held against data.
_UNCHECKED_STAGES = frozenset(
    {
        schema_pb2.PLANNED,
        schema_pb2.ALPHA,
        schema_pb2.DEPRECATED,
        schema_pb2.DEBUG_ONLY,
        schema_pb2.DISABLED,
    }
)


def is_unchecked(feature: Any) -> bool:
    """Whether a feature, sparse feature or weighted feature is out of use."""
    return getattr(feature, "deprecated", False) or feature.lifecycle_stage in _UNCHECKED_STAGES


def deprecate(feature: Any) -> None:
    feature.lifecycle_stage = schema_pb2.DEPRECATED


class SchemaIndex:
    """Finds what is in a schema, and changes the schema itself.

    Args:
        schema: The schema; changes are made in it.
    """

    def __init__(self, schema: schema_pb2.Schema) -> None:
        self.schema = schema
        self._features: dict[Path, Any] = {}
        self._sparse_features: dict[Path, Any] = {}
        self._weighted_features: dict[Path, Any] = {}
        self._string_domains: dict[str, Any] = {}
        self._add_level((), schema)
        for weighted in schema.weighted_feature:
            self._weighted_features.setdefault((weighted.name,), weighted)
        for domain in schema.string_domain:
            self._string_domains.setdefault(domain.name, domain)

    def _add_level(self, parent: Path, level: Any) -> None:
        for feature in level.feature:
            path = (*parent, feature.name)
            if path not in self._features:
                self._features[path] = feature
                self._add_level(path, feature.struct_domain)
        for sparse in level.sparse_feature:
            self._sparse_features.setdefault((*parent, sparse.name), sparse)

    def feature(self, path: Path) -> Any | None:
        return self._features.get(path)

    def sparse_feature(self, path: Path) -> Any | None:
        return self._sparse_features.get(path)

    def weighted_feature(self, path: Path) -> Any | None:
        return self._weighted_features.get(path)

    def string_domain(self, name: str) -> Any | None:
        return self._string_domains.get(name)

    def __contains__(self, path: Path) -> bool:
        kinds = (self._features, self._sparse_features, self._weighted_features)
        return any(path in kind for kind in kinds)

    def is_unchecked(self, path: Path) -> bool:
        feature = self._features.get(path) or self._sparse_features.get(path)
        return feature is not None and is_unchecked(feature)

    def features(self) -> Iterator[tuple[Path, Any]]:
        """All features with their paths, a struct before what is inside it."""
        return iter(self._features.items())

    def add_feature(self, path: Path) -> Any:
        """A new feature; the struct around it must be there."""
        parent = self._features[path[:-1]].struct_domain if len(path) > 1 else self.schema
        feature = parent.feature.add(name=path[-1])
        self._features[path] = feature
        return feature

    def forget_inside(self, path: Path) -> None:
        """Forgets what was inside a feature that is not a struct any more."""
        for kind in (self._features, self._sparse_features):
            for inside in [other for other in kind if other[:-1] == path]:
                del kind[inside]
                self.forget_inside(inside)

    def add_string_domain(self, wanted: str) -> Any:
        """A new domain of that name, or with the first number behind it that is not taken."""
        name, number = wanted, 1
        while name in self._string_domains:
            number += 1
            name = f"{wanted}{number}"
        domain = self.schema.string_domain.add(name=name)
        self._string_domains[name] = domain
        return domain

    def drop_string_domain(self, name: str) -> None:
        """Removes a domain, also from the features that refer to it."""
        for feature in self._features.values():
            if feature.domain == name:
                feature.ClearField("domain")
        kept = [domain for domain in self.schema.string_domain if domain.name != name]
        copies = schema_pb2.Schema(string_domain=kept)
        self.schema.ClearField("string_domain")
        self.schema.string_domain.extend(copies.string_domain)
        self._string_domains = {}
        for domain in self.schema.string_domain:
            self._string_domains.setdefault(domain.name, domain)

    def excerpt(self, path: Path) -> SchemaIndex:
        """A copy of what is said of one path, which may be changed without changing the schema."""
        excerpt = SchemaIndex(
            schema_pb2.Schema(default_environment=self.schema.default_environment)
        )
        kinds = (
            (self._features, excerpt._features),
            (self._sparse_features, excerpt._sparse_features),
            (self._weighted_features, excerpt._weighted_features),
        )
        for found, copies in kinds:
            if path in found:
                copies[path] = type(found[path])()
                copies[path].CopyFrom(found[path])
        feature = self._features.get(path)
        domain = self._string_domains.get(feature.domain) if feature is not None else None
        if domain is not None:
            copied = excerpt.schema.string_domain.add()
            copied.CopyFrom(domain)
            excerpt._string_domains[domain.name] = copied
        return excerpt

    def is_in_environment(self, feature: Any, environment: str | None) -> bool:
        """Whether a feature is expected in an environment; without one, all are."""
        if environment is None or environment in feature.in_environment:
            return True
        if environment in feature.not_in_environment:
            return False
        return environment in self.schema.default_environment

    def is_required(self, feature: Any, environment: str | None) -> bool:
        """Whether data without the feature is wrong."""
        if is_unchecked(feature):
            return False
        if feature.presence.min_count <= 0 and feature.presence.min_fraction <= 0:
            return False
        return self.is_in_environment(feature, environment)

    def missing_paths(self, present: Iterable[Path], environment: str | None) -> list[Path]:
        """The required features that are not among the present ones."""
        seen = set(present)
        unchecked: set[Path] = set()
        missing = []
        for path, feature in self._features.items():
            if path[:-1] in unchecked:
                unchecked.add(path)
                continue
            if is_unchecked(feature):
                unchecked.add(path)
            elif path not in seen and self.is_required(feature, environment):
                missing.append(path)
        return missing
