"""Artifact: a typed piece of data at a URI, with properties that the metadata store remembers."""

from __future__ import annotations

import builtins
import enum
import json
from collections.abc import Mapping
from typing import Any, ClassVar

from trainwright.types import system_types


class PropertyType(enum.Enum):
    """The kinds of value that a declared artifact property can have."""

    INT = "INT"
    FLOAT = "DOUBLE"
    STRING = "STRING"
    BOOLEAN = "BOOLEAN"
    JSON_VALUE = "STRUCT"


class Property:
    """Declares one property of an artifact type: `PROPERTIES = {"span": Property(type=...)}`."""

    def __init__(self, type: PropertyType) -> None:
        if not isinstance(type, PropertyType):
            raise ValueError(f"A property's type must be a PropertyType, got {type!r}.")
        self.type = type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Property) and other.type == self.type

    def __hash__(self) -> int:
        return hash(self.type)

    def __repr__(self) -> str:
        return f"Property({self.type.name})"


_PYTHON_TYPES: dict[PropertyType, tuple[type, ...]] = {
    PropertyType.INT: (int,),
    PropertyType.FLOAT: (float, int),
    PropertyType.STRING: (str,),
    PropertyType.BOOLEAN: (bool,),
    PropertyType.JSON_VALUE: (dict, list, str, int, float, bool, type(None)),
}
_DEFAULTS: dict[PropertyType, Any] = {
    PropertyType.INT: 0,
    PropertyType.FLOAT: 0.0,
    PropertyType.STRING: "",
    PropertyType.BOOLEAN: False,
    PropertyType.JSON_VALUE: None,
}


class ArtifactState:
    """The states that TFX code compares `artifact.state` with."""

    PENDING = "pending"
    PUBLISHED = "published"
    MARKED_FOR_DELETION = "MARKED_FOR_DELETION"
    DELETED = "deleted"
    ABANDONED = "abandoned"


class Artifact:
    """A piece of data that one node makes and others use.

    A subclass names its type and declares its properties, which then are attributes:

    >>> class Embeddings(Artifact):
    ...     TYPE_NAME = "Embeddings"
    ...     PROPERTIES = {"dimensions": Property(type=PropertyType.INT)}
    >>> embeddings = Embeddings()
    >>> embeddings.uri = "/data/embeddings"
    >>> embeddings.dimensions = 64
    >>> embeddings.set_string_custom_property("language", "en")
    >>> embeddings.dimensions, embeddings.get_string_custom_property("language")
    (64, 'en')
    """

    TYPE_NAME: ClassVar[str | None] = None
    PROPERTIES: ClassVar[Mapping[str, Property] | None] = None
    TYPE_ANNOTATION: ClassVar[type[system_types.SystemArtifact] | None] = None
    # Whether the files stay when the execution that was making them fails.
    KEPT_ON_FAILURE: ClassVar[bool] = False

    def __init__(self) -> None:
        if type(self) is not Artifact and not type(self).TYPE_NAME:
            raise ValueError(
                f"The Artifact subclass {type(self).__qualname__} must set TYPE_NAME, "
                "the name under which the metadata store knows its type."
            )
        self._set("id", 0)
        self._set("uri", "")
        self._set("name", "")
        self._set("state", ArtifactState.PENDING)
        self._set("properties", {})
        self._set("custom_properties", {})

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    id: int
    uri: str
    name: str
    state: str
    properties: dict[str, Any]
    custom_properties: dict[str, Any]

    @classmethod
    def declared_properties(cls) -> Mapping[str, Property]:
        return cls.PROPERTIES or {}

    @property
    def type(self) -> type[Artifact]:
        return type(self)

    @property
    def type_name(self) -> str:
        return type(self).TYPE_NAME or "Artifact"

    def __getattr__(self, name: str) -> Any:
        declared = type(self).declared_properties()
        if name in declared:
            return self.properties.get(name, _DEFAULTS[declared[name].type])
        raise AttributeError(f"Artifact of type {self.type_name!r} has no property {name!r}.")

    def __setattr__(self, name: str, value: Any) -> None:
        declared = type(self).declared_properties()
        if name in declared:
            self._set_declared(name, declared[name].type, value)
        elif hasattr(type(self), name) or name in self.__dict__ or name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(
                f"Cannot set unknown property {name!r} on artifact {self!r}. Declared properties: "
                f"{sorted(declared) or 'none'}. For anything else use set_string_custom_property "
                "and its siblings."
            )

    def _set_declared(self, name: str, kind: PropertyType, value: Any) -> None:
        expected = _PYTHON_TYPES[kind]
        if not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected):
            raise ValueError(
                f"Expected a value of kind {kind.name} for property {name!r} of "
                f"{self.type_name}; got {value!r} instead."
            )
        self.properties[name] = value

    # Custom properties: TFX has a getter and a setter for every kind.

    def has_custom_property(self, key: str) -> bool:
        return key in self.custom_properties

    def get_custom_property(self, key: str) -> Any:
        return self.custom_properties.get(key)

    def set_string_custom_property(self, key: str, value: str) -> None:
        self._set_custom(key, value, str)

    def set_int_custom_property(self, key: str, value: int) -> None:
        self._set_custom(key, int(value), int)

    def set_float_custom_property(self, key: str, value: float) -> None:
        self._set_custom(key, float(value), float)

    def set_bool_custom_property(self, key: str, value: bool) -> None:
        self._set_custom(key, value, bool)

    def set_json_value_custom_property(self, key: str, value: Any) -> None:
        json.dumps(value)  # refuses what the store could not hold
        self.custom_properties[key] = value

    def get_string_custom_property(self, key: str) -> str:
        return str(self.custom_properties.get(key, ""))

    def get_int_custom_property(self, key: str) -> int:
        return int(self.custom_properties.get(key, 0))

    def get_float_custom_property(self, key: str) -> float:
        return float(self.custom_properties.get(key, 0.0))

    def get_bool_custom_property(self, key: str) -> bool:
        return bool(self.custom_properties.get(key, False))

    def get_json_value_custom_property(self, key: str) -> Any:
        return self.custom_properties.get(key)

    def _set_custom(self, key: str, value: Any, kind: builtins.type[Any]) -> None:
        if not isinstance(value, kind):
            raise TypeError(
                f"Custom property {key!r} of {self.type_name} expects {kind.__name__}, "
                f"got {value!r}."
            )
        self.custom_properties[key] = value

    @property
    def is_external(self) -> bool:
        return self.get_int_custom_property("is_external") == 1

    @is_external.setter
    def is_external(self, value: bool) -> None:
        self.set_int_custom_property("is_external", int(value))

    def copy_from(self, other: Artifact) -> None:
        """Takes everything but the type from another artifact."""
        for name in ("id", "uri", "name", "state"):
            self._set(name, getattr(other, name))
        self._set("properties", dict(other.properties))
        self._set("custom_properties", dict(other.custom_properties))

    def __repr__(self) -> str:
        shown = {**self.properties, **self.custom_properties}
        return f"{self.type_name}(id={self.id}, uri={self.uri!r}, {shown})"
