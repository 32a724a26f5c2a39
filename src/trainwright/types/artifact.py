"""Artifact: a typed piece of data at a URI, with properties that the metadata store remembers."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, cast

from google.protobuf import descriptor_pool, json_format, text_format
from google.protobuf.message import Message

from trainwright._checks import check_string
from trainwright.types import system_types
from trainwright.types.artifact_property import DEFAULTS, check_value
from trainwright.types.artifact_property import Property as Property
from trainwright.types.artifact_property import PropertyType as PropertyType
from trainwright.types.json_utils import Jsonable, import_named_module
from trainwright.types.property_values import PropertyValues

# The messages are imported when the first artifact is made: declaring a pipeline makes none.
if TYPE_CHECKING:
    from trainwright.proto.mlmd import metadata_store_pb2


class ArtifactState:
    """The states that TFX code compares `artifact.state` with."""

    PENDING = "pending"
    PUBLISHED = "published"
    MISSING = "missing"
    MARKED_FOR_DELETION = "MARKED_FOR_DELETION"
    DELETED = "deleted"
    ABANDONED = "abandoned"
    # A copy that stands for an artifact of another store.
    REFERENCE = "reference"


# The states that ML Metadata has a name for. Others are kept as the custom property `state`.
_STORED_STATES = {
    ArtifactState.PENDING: "PENDING",
    ArtifactState.PUBLISHED: "LIVE",
    ArtifactState.MARKED_FOR_DELETION: "MARKED_FOR_DELETION",
    ArtifactState.DELETED: "DELETED",
    ArtifactState.ABANDONED: "ABANDONED",
    ArtifactState.REFERENCE: "REFERENCE",
}
_STATES_BY_STORED = {stored: state for state, stored in _STORED_STATES.items()}

# Names of TFX that programs import from here.
DEFAULT_EXAMPLE_SPLITS = ["train", "eval"]
CUSTOM_PROPERTIES_PREFIX = "custom:"
JsonValueType = dict[Any, Any] | list[Any] | int | float | None | str

_CLASS_MODULE = "__artifact_class_module__"
_CLASS_NAME = "__artifact_class_name__"


class Artifact(Jsonable):
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

    What it holds is ML Metadata's message: `mlmd_artifact` is the message itself, and a change to
    that is a change of the artifact.
    """

    TYPE_NAME: ClassVar[str | None] = None
    PROPERTIES: ClassVar[Mapping[str, Property] | None] = None
    TYPE_ANNOTATION: ClassVar[type[system_types.SystemArtifact] | None] = None
    # Whether the files stay when the execution that was making them fails.
    KEPT_ON_FAILURE: ClassVar[bool] = False

    # Subclasses may set attributes before they call `__init__`.
    _initialized = False

    def __init__(self, mlmd_artifact_type: metadata_store_pb2.ArtifactType | None = None) -> None:
        from trainwright.proto.mlmd import metadata_store_pb2

        self._artifact_type = self._choose_type(mlmd_artifact_type)
        self._set_message(metadata_store_pb2.Artifact())
        self._initialized = True

    def _choose_type(
        self, given: metadata_store_pb2.ArtifactType | None
    ) -> metadata_store_pb2.ArtifactType:
        """The type's message: given for a plain Artifact, of the class for a subclass."""
        from trainwright.proto.mlmd import metadata_store_pb2

        if type(self) is not Artifact:
            if given is not None:
                raise ValueError(
                    'The "mlmd_artifact_type" argument must not be passed for Artifact subclass '
                    f"{type(self)}."
                )
            return self._get_artifact_type()
        if given is None:
            raise ValueError(
                'The "mlmd_artifact_type" argument must be passed to specify a type for this '
                "Artifact. Make an artifact of a subclass, for example standard_artifacts.Model()."
            )
        if not isinstance(given, metadata_store_pb2.ArtifactType):
            raise ValueError(
                'The "mlmd_artifact_type" argument must be an instance of the proto message '
                f"ml_metadata.proto.metadata_store_pb2.ArtifactType; got {given!r}."
            )
        return given

    def _set_message(self, message: metadata_store_pb2.Artifact) -> None:
        object.__setattr__(self, "_artifact", message)
        object.__setattr__(self, "_properties", PropertyValues(message, "properties"))
        object.__setattr__(self, "_custom_properties", PropertyValues(message, "custom_properties"))

    _artifact: metadata_store_pb2.Artifact
    _properties: PropertyValues
    _custom_properties: PropertyValues

    @classmethod
    def declared_properties(cls) -> Mapping[str, Property]:
        return cls.PROPERTIES or {}

    @classmethod
    def _get_artifact_type(cls) -> metadata_store_pb2.ArtifactType:
        """A message of its own that describes the class."""
        from trainwright.types.artifact_types import describe_class

        return describe_class(cls)

    @property
    def type(self) -> type[Artifact]:
        return type(self)

    @property
    def type_name(self) -> str:
        return self._artifact_type.name

    @property
    def artifact_type(self) -> metadata_store_pb2.ArtifactType:
        """The message that describes the artifact's type."""
        return self._artifact_type

    def set_mlmd_artifact_type(self, artifact_type: metadata_store_pb2.ArtifactType) -> None:
        from trainwright.proto.mlmd import metadata_store_pb2

        if not isinstance(artifact_type, metadata_store_pb2.ArtifactType):
            raise ValueError(
                "Expected instance of metadata_store_pb2.ArtifactType, got "
                f"{artifact_type} instead."
            )
        self._artifact_type = artifact_type
        self._artifact.type_id = artifact_type.id

    @property
    def mlmd_artifact(self) -> metadata_store_pb2.Artifact:
        """The artifact's own message, brought up to date."""
        self._properties.flush()
        self._custom_properties.flush()
        return self._artifact

    def set_mlmd_artifact(self, artifact: metadata_store_pb2.Artifact) -> None:
        """Makes a message the artifact's own."""
        from trainwright.proto.mlmd import metadata_store_pb2

        if not isinstance(artifact, metadata_store_pb2.Artifact):
            raise ValueError(
                f"Expected instance of metadata_store_pb2.Artifact, got {artifact} instead."
            )
        self._set_message(artifact)

    # What every artifact has.

    @property
    def id(self) -> int:
        return self._artifact.id

    @id.setter
    def id(self, value: int) -> None:
        self._artifact.id = value

    @property
    def type_id(self) -> int:
        return self._artifact.type_id

    @type_id.setter
    def type_id(self, value: int) -> None:
        self._artifact.type_id = value

    @property
    def uri(self) -> str:
        return self._artifact.uri

    @uri.setter
    def uri(self, value: str) -> None:
        self._artifact.uri = _check_text("uri", value)

    @property
    def name(self) -> str:
        return self._get_system_property("name")

    @name.setter
    def name(self, value: str) -> None:
        self._set_system_property("name", _check_text("name", value))
        self._artifact.name = value

    @property
    def state(self) -> str:
        """One of `ArtifactState`; empty for an artifact that no store knows."""
        stored = type(self._artifact).State.Name(self._artifact.state)
        return _STATES_BY_STORED.get(stored) or self._get_system_property("state")

    @state.setter
    def state(self, value: str) -> None:
        number = type(self._artifact).State.Value(_STORED_STATES.get(value, "UNKNOWN"))
        self._artifact.state = cast("metadata_store_pb2.Artifact.State", number)
        if value not in _STORED_STATES:
            self._set_system_property("state", value)

    @property
    def pipeline_name(self) -> str:
        """The pipeline that made the artifact."""
        return self._get_system_property("pipeline_name")

    @pipeline_name.setter
    def pipeline_name(self, value: str) -> None:
        self._set_system_property("pipeline_name", value)

    @property
    def producer_component(self) -> str:
        """The id of the node that made the artifact."""
        return self._get_system_property("producer_component")

    @producer_component.setter
    def producer_component(self, value: str) -> None:
        self._set_system_property("producer_component", value)

    @property
    def is_external(self) -> bool:
        """Whether the files are the user's, who imported them."""
        return self.get_int_custom_property("is_external") == 1

    @is_external.setter
    def is_external(self, value: bool) -> None:
        self.set_int_custom_property("is_external", value)

    def _get_system_property(self, key: str) -> str:
        """What every artifact has; types of old stores declare it, others have it as custom."""
        if key in self._artifact_type.properties and key in self._artifact.properties:
            return self._artifact.properties[key].string_value
        return self.get_string_custom_property(key)

    def _set_system_property(self, key: str, value: str) -> None:
        if key in self._artifact_type.properties:
            self._properties.pop(key, None)
        self._custom_properties[key] = value

    # Declared properties are attributes.

    def __getattr__(self, name: str) -> Any:
        # Copying and unpickling ask an artifact that has no attributes yet.
        if name.startswith("_") or name not in self._artifact_type.properties:
            raise AttributeError(f"Artifact has no property {name!r}.")
        return self._properties.get(name, DEFAULTS[self._kind_of(name)])

    def __setattr__(self, name: str, value: Any) -> None:
        if self._initialized and name in self._artifact_type.properties:
            self._set_declared(name, value)
        elif not self._initialized or self._has_attribute(name):
            object.__setattr__(self, name, value)
        else:
            declared = sorted(self._artifact_type.properties)
            raise AttributeError(
                f"Cannot set unknown property {name!r} on artifact {self._brief()}. Declared "
                f"properties: {declared or 'none'}. For anything else use "
                "set_string_custom_property and its siblings."
            )

    def _has_attribute(self, name: str) -> bool:
        return name.startswith("_") or name in self.__dict__ or hasattr(type(self), name)

    def _kind_of(self, name: str) -> PropertyType:
        from trainwright.proto.mlmd import metadata_store_pb2

        number = self._artifact_type.properties[name]
        return PropertyType(metadata_store_pb2.PropertyType.Name(number))

    def _set_declared(self, name: str, value: Any) -> None:
        kind = self._kind_of(name)
        checked = check_value(name, kind, value)
        if kind in (PropertyType.JSON_VALUE, PropertyType.PROTO):
            self._properties.set_object(name, checked)
        else:
            self._properties[name] = checked

    @property
    def properties(self) -> PropertyValues:
        """The declared properties that are set, as a dict."""
        return self._properties

    @property
    def custom_properties(self) -> PropertyValues:
        """All other properties, as a dict."""
        return self._custom_properties

    def has_property(self, key: str) -> bool:
        return key in self._properties

    # Custom properties: TFX has a getter and a setter for every kind.

    def has_custom_property(self, key: str) -> bool:
        return key in self._custom_properties

    def get_custom_property(self, key: str) -> Any:
        return self._custom_properties.get(key)

    def set_string_custom_property(self, key: str, value: str) -> None:
        self._custom_properties[key] = self._check_custom(key, value, str, bytes)

    def set_int_custom_property(self, key: str, value: int) -> None:
        self._custom_properties[key] = int(value)

    def set_float_custom_property(self, key: str, value: float) -> None:
        self._custom_properties[key] = float(value)

    def set_bool_custom_property(self, key: str, value: bool) -> None:
        self._custom_properties[key] = bool(self._check_custom(key, value, bool, int))

    def set_json_value_custom_property(self, key: str, value: Any) -> None:
        self._custom_properties.set_object(key, value)

    def set_proto_custom_property(self, key: str, value: Message | None) -> None:
        self._custom_properties[key] = self._check_custom(key, value, Message, type(None))

    def get_string_custom_property(self, key: str) -> str:
        value = self._custom_properties.get(key)
        return value if isinstance(value, str) else ""

    def get_int_custom_property(self, key: str) -> int:
        value = self._custom_properties.get(key)
        return int(value) if isinstance(value, (int, float)) else 0

    def get_float_custom_property(self, key: str) -> float:
        value = self._custom_properties.get(key)
        return float(value) if isinstance(value, (int, float)) else 0.0

    def get_bool_custom_property(self, key: str) -> bool:
        value = self._custom_properties.get(key)
        return bool(value) if isinstance(value, (bool, int)) else False

    def get_json_value_custom_property(self, key: str) -> Any:
        return self._custom_properties.get(key)

    def get_proto_custom_property(self, key: str) -> Message | None:
        value = self._custom_properties.get(key)
        return value if isinstance(value, Message) else None

    def _check_custom(self, key: str, value: Any, *kinds: builtins.type[Any]) -> Any:
        if not isinstance(value, kinds):
            raise TypeError(
                f"Custom property {key!r} of {self.type_name} expects {kinds[0].__name__}, "
                f"got {value!r}."
            )
        return value

    # Copies and other forms.

    def copy_from(self, other: Artifact) -> None:
        """Takes the URI and all properties from another artifact of the same type."""
        assert self.type is other.type, (
            "Unable to set properties from an artifact of different type: "
            f"{self.type_name} vs {other.type_name}"
        )
        source = other.mlmd_artifact
        self.uri = source.uri
        if other.artifact_type.HasField("id"):
            self.type_id = other.artifact_type.id
        message = self._artifact
        for field in ("properties", "custom_properties"):
            message.ClearField(field)
            getattr(message, field).MergeFrom(getattr(source, field))
        self._set_message(message)

    def to_json_dict(self) -> dict[str, Any]:
        return {
            "artifact": _to_dict(self.mlmd_artifact),
            "artifact_type": _to_dict(self._artifact_type),
            _CLASS_MODULE: type(self).__module__,
            _CLASS_NAME: type(self).__name__,
        }

    @classmethod
    def from_json_dict(cls, dict_data: dict[str, Any]) -> Artifact:
        """An artifact of the class that was written; a plain Artifact if it cannot be imported."""
        from trainwright.proto.mlmd import metadata_store_pb2

        artifact_type = metadata_store_pb2.ArtifactType()
        json_format.ParseDict(dict_data["artifact_type"], artifact_type)
        message = metadata_store_pb2.Artifact()
        json_format.ParseDict(dict_data["artifact"], message)
        artifact = _make_artifact(dict_data[_CLASS_MODULE], dict_data[_CLASS_NAME], artifact_type)
        artifact.set_mlmd_artifact_type(artifact_type)
        artifact.set_mlmd_artifact(message)
        return artifact

    def _brief(self) -> str:
        """The artifact in a line, for messages."""
        number = f"id={self.id}, " if self.id else ""
        return f"{self.type_name}({number}uri={self.uri!r})"

    def __repr__(self) -> str:
        return (
            f"Artifact(artifact: {_to_text(self.mlmd_artifact)}, "
            f"artifact_type: {_to_text(self._artifact_type)})"
        )


def _check_text(what: str, value: Any) -> str:
    text = check_string(f"The {what} of an artifact", value)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"The {what} {value!r} cannot be stored: its characters cannot be written in UTF-8."
        ) from error
    return text


def _make_artifact(
    module: str, name: str, artifact_type: metadata_store_pb2.ArtifactType
) -> Artifact:
    try:
        found = getattr(import_named_module(module), name)
        if found is not Artifact and isinstance(found, type) and issubclass(found, Artifact):
            return found()
    except (AttributeError, ImportError, ValueError):
        from absl import logging

        logging.warning(
            "Could not load artifact class %s.%s; its artifact is read as a plain Artifact. Make "
            "sure that the class can be imported here.",
            module,
            name,
        )
    return Artifact(mlmd_artifact_type=artifact_type)


# A pool without types: with it, messages within messages are written as their bytes.
_NO_TYPES = descriptor_pool.DescriptorPool()


def _to_text(message: Message) -> str:
    return str(text_format.MessageToString(message, descriptor_pool=_NO_TYPES))


def _to_dict(message: Message) -> dict[str, Any]:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


def _ArtifactType(
    name: str | None = None,
    annotation: type[system_types.SystemArtifact] | None = None,
    properties: Mapping[str, Property] | None = None,
    mlmd_artifact_type: metadata_store_pb2.ArtifactType | None = None,
) -> type[Artifact]:
    """TFX's way to make an artifact class from its parts or from the message of its type."""
    from trainwright.types.artifact_types import class_from_message

    if mlmd_artifact_type is not None:
        if name or annotation or properties:
            raise ValueError(
                'The "name", "annotation" and "properties" fields should not be passed when the '
                '"mlmd_artifact_type" parameter is set, in _ArtifactType call.'
            )
        return class_from_message(mlmd_artifact_type, Artifact)
    if not name:
        raise ValueError(
            '"name" parameter must be passed to _ArtifactType when a '
            "metadata_store_pb2.ArtifactType object is not passed for the "
            '"mlmd_artifact_type" parameter.'
        )
    parts = {"TYPE_NAME": name, "TYPE_ANNOTATION": annotation, "PROPERTIES": properties}
    return type(name, (Artifact,), parts)
