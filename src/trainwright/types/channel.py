"""Channel: the typed arrow from one node's output to other nodes' inputs."""

from __future__ import annotations

import builtins
import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from google.protobuf.message import Message

from trainwright._deprecation import warn_deprecated
from trainwright.types.artifact import Artifact
from trainwright.types.classes import is_subclass
from trainwright.types.json_utils import Jsonable
from trainwright.types.names import check_name
from trainwright.types.placeholders.channel_placeholder import ChannelWrappedPlaceholder

if TYPE_CHECKING:
    from typing_extensions import Self

# What properties of artifacts and of executions can be.
PropertyValue = int | float | str | Message
ExecPropertyTypes = int | float | str | bool | Message | list[Any] | dict[Any, Any]
_EXEC_PROPERTY_CLASSES = (int, float, str, bool, Message, list, dict)


class Producer(Protocol):
    """What a channel needs to know of the node that fills it."""

    @property
    def id(self) -> str: ...

    @property
    def outputs(self) -> Mapping[str, OutputChannel]: ...


def check_artifact_type(artifact_type: Any) -> type[Artifact]:
    if not (is_subclass(artifact_type, Artifact)):
        raise ValueError(
            'Argument "type" of BaseChannel constructor must be a subclass of tfx.Artifact (got '
            f"{artifact_type!r}). Give for example standard_artifacts.Examples."
        )
    return artifact_type


class NoTrigger:
    """The mark of an input that does not start its node; there is one."""

    _instance: NoTrigger | None = None

    def __new__(cls) -> NoTrigger:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance


@dataclass(frozen=True)
class TriggerByProperty:
    """The mark of an input that starts its node when one of these properties changes."""

    property_keys: Sequence[str]


class BaseChannel:
    """What a node's input can be: artifacts of one type that are known when the node runs."""

    def __init__(self, type: type[Artifact], is_optional: bool | None = None) -> None:
        self._artifact_type = check_artifact_type(type)
        self._is_optional = is_optional
        self._input_trigger: NoTrigger | TriggerByProperty | None = None

    @property
    def type(self) -> type[Artifact]:
        """The class of the artifacts."""
        return self._artifact_type

    @type.setter
    def type(self, value: type[Artifact]) -> None:
        self._set_type(value)

    def _set_type(self, value: builtins.type[Artifact]) -> None:
        raise TypeError(
            f"Cannot change artifact type. {self!r} has that of what it is made of; only a "
            "Channel's can be set."
        )

    @property
    def type_name(self) -> str:
        return self.type.TYPE_NAME or "Artifact"

    @property
    def is_optional(self) -> bool | None:
        """Whether the channel may stay empty, as an input; None if nobody said."""
        return self._is_optional

    def as_optional(self) -> Self:
        """The same channel as an input that may stay empty: its node runs all the same."""
        optional = copy.copy(self)
        optional._is_optional = True
        return optional

    @property
    def input_trigger(self) -> NoTrigger | TriggerByProperty | None:
        """What starts a node that reads the channel, in pipelines that run all the time.

        Where a pipeline is run once, as it is here, its order starts the node.
        """
        return self._input_trigger

    def no_trigger(self) -> Self:
        """The same channel as an input whose changes do not start its node."""
        return self._with_input_trigger(NoTrigger())

    def trigger_by_property(self, *property_keys: str) -> Self:
        """The same channel as an input that starts its node when one of the properties changes."""
        return self._with_input_trigger(TriggerByProperty(property_keys))

    def _with_input_trigger(self, input_trigger: NoTrigger | TriggerByProperty) -> Self:
        triggering = copy.copy(self)
        triggering._input_trigger = input_trigger
        return triggering

    def producers(self) -> Iterable[OutputChannel]:
        """The node outputs that the artifacts come from."""
        raise TypeError(f"{self.__class__.__name__} does not say where its artifacts come from.")

    def get_data_dependent_node_ids(self) -> set[str]:
        """The ids of the nodes that must have run before the channel holds something."""
        return {output.producer_id for output in self.producers()}

    @property
    def path(self) -> str:
        """How the channel is written in a pipeline."""
        return repr(self)

    def future(self) -> ChannelWrappedPlaceholder:
        """Stands for the artifacts that the channel will hold when the pipeline runs.

        `channel.future()[0].value` is a placeholder for the value of the first, `.uri`,
        `.property(name)` and `.custom_property(name)` for more of it. Compare it in a `Cond`, or
        pass it where a component takes an execution property.
        """
        return ChannelWrappedPlaceholder(self)


class Channel(Jsonable, BaseChannel):
    """Artifacts that no node of the pipeline makes: given at once, or looked up in the store.

    Args:
        type: The class of the artifacts.
        additional_properties: Set on the artifacts if the channel becomes a node's output.
        additional_custom_properties: The same for custom properties.
        artifacts: What the channel holds.
        producer_component_id: Which node makes the artifacts, for a look-up.
        output_key: Which of its outputs.
        matching_channel_name: Old, and only noted.

    >>> from trainwright.types import standard_artifacts
    >>> Channel(type=standard_artifacts.Model)
    Channel(type=Model)
    """

    def __init__(
        self,
        type: type[Artifact],
        additional_properties: dict[str, Any] | None = None,
        additional_custom_properties: dict[str, Any] | None = None,
        artifacts: Iterable[Artifact] | None = None,
        producer_component_id: str | None = None,
        output_key: str | None = None,
        matching_channel_name: str | None = None,
    ) -> None:
        BaseChannel.__init__(self, type)
        self.additional_properties = _check_properties(
            "additional_properties", additional_properties
        )
        self.additional_custom_properties = _check_properties(
            "additional_custom_properties", additional_custom_properties
        )
        self._producer_component_id = _check_text("producer_component_id", producer_component_id)
        self.output_key = _check_text("output_key", output_key)
        self._matching_channel_name: str | None = None
        self._artifacts: list[Artifact] = []
        if artifacts is not None:
            self.set_artifacts(artifacts)
        if matching_channel_name is not None:
            warn_deprecated(
                "Channel(matching_channel_name=...) is of TFX before 1.0; leave it out. Executors "
                "may append artifacts to its output."
            )
            self.matching_channel_name = matching_channel_name

    def _set_type(self, value: builtins.type[Artifact]) -> None:
        if not (is_subclass(value, Artifact)):
            raise TypeError(f"artifact_type should be a subclass of tfx.Artifact (got {value}).")
        self._artifact_type = value

    @property
    def producer_component_id(self) -> str | None:
        """The id of the node that makes the artifacts, if it is known."""
        return self._producer_component_id

    @producer_component_id.setter
    def producer_component_id(self, value: str) -> None:
        if not isinstance(value, str):
            raise ValueError(f"Invalid producer_component_id {value}. Must be a str type.")
        self._producer_component_id = value

    def set_artifacts(self, artifacts: Iterable[Artifact]) -> Self:
        """Fixes the artifacts, all of which must be of the channel's type."""
        given = list(artifacts)
        for artifact in given:
            if getattr(artifact, "type_name", None) != self.type_name:
                is_artifact = isinstance(artifact, Artifact)
                raise ValueError(
                    f"Artifacts provided do not match Channel's artifact type {self.type_name}: "
                    f"got {artifact._brief() if is_artifact else repr(artifact)}."
                )
        if given and self._matching_channel_name:
            raise ValueError(_ONE_OF_TWO)
        self._artifacts = given
        return self

    def get(self) -> list[Artifact]:
        """The artifacts that were set, or that the last run found."""
        return list(self._artifacts)

    @property
    def matching_channel_name(self) -> str | None:
        """Old: the key of an input that has as many artifacts as this output is to have."""
        return self._matching_channel_name

    @matching_channel_name.setter
    def matching_channel_name(self, value: str) -> None:
        if self._artifacts:
            raise ValueError(_ONE_OF_TWO)
        self._matching_channel_name = value

    def producers(self) -> Iterable[OutputChannel]:
        return ()

    def as_output_channel(self, producer_component: Any, output_key: str) -> OutputChannel:
        """An output of a node that shares this channel's properties."""
        output = OutputChannel(self.type, producer_component, output_key)
        output.additional_properties = self.additional_properties
        output.additional_custom_properties = self.additional_custom_properties
        output.set_artifacts(self._artifacts)
        return output

    def to_json_dict(self) -> dict[str, Any]:
        from google.protobuf import json_format

        described = self.type._get_artifact_type()
        return {
            "type": json_format.MessageToDict(described, preserving_proto_field_name=True),
            "artifacts": [artifact.to_json_dict() for artifact in self._artifacts],
            "additional_properties": self.additional_properties,
            "additional_custom_properties": self.additional_custom_properties,
            "producer_component_id": self.producer_component_id or None,
            "output_key": self.output_key or None,
        }

    @classmethod
    def from_json_dict(cls, dict_data: dict[str, Any]) -> Channel:
        """A plain channel, of whatever class the written one was."""
        from google.protobuf import json_format

        from trainwright.proto.mlmd import metadata_store_pb2
        from trainwright.types.artifact_types import get_artifact_type_class

        described = json_format.ParseDict(dict_data["type"], metadata_store_pb2.ArtifactType())
        return Channel(
            type=get_artifact_type_class(described),
            additional_properties=dict_data["additional_properties"],
            additional_custom_properties=dict_data["additional_custom_properties"],
            artifacts=[Artifact.from_json_dict(one) for one in dict_data["artifacts"]],
            producer_component_id=dict_data.get("producer_component_id"),
            output_key=dict_data.get("output_key"),
        )

    def __repr__(self) -> str:
        return f"Channel(type={self.type_name})"


_ONE_OF_TWO = "Only one of `artifacts` and `matching_channel_name` should be set."


def _check_properties(argument: str, given: dict[str, Any] | None) -> dict[str, Any]:
    if given is None:
        return {}
    is_right = isinstance(given, dict) and all(
        isinstance(key, str) and isinstance(value, _EXEC_PROPERTY_CLASSES)
        for key, value in given.items()
    )
    if not is_right:
        raise ValueError(
            f"Invalid {argument} {given}. Must be a dict from names to numbers, strings or "
            "messages."
        )
    return given


def _check_text(argument: str, given: Any) -> str | None:
    if given is not None and not isinstance(given, str):
        raise ValueError(f"Invalid {argument} {given}. Must be a str type.")
    return given


class OutputChannel(Channel):
    """One output of a node, as found in `node.outputs[key]`."""

    def __init__(
        self,
        artifact_type: type[Artifact],
        producer_component: Producer,
        output_key: str,
        additional_properties: dict[str, Any] | None = None,
        additional_custom_properties: dict[str, Any] | None = None,
        is_async: bool = False,
    ) -> None:
        super().__init__(
            artifact_type,
            additional_properties,
            additional_custom_properties,
            output_key=check_name("output key", output_key),
        )
        self.producer = producer_component
        self._is_async = is_async
        self._predefined_artifact_uris: list[str] | None = None

    @property
    def producer_id(self) -> str:
        return self.producer.id

    # TFX's names for the two.

    @property
    def producer_component(self) -> Any:
        return self.producer

    @producer_component.setter
    def producer_component(self, value: Any) -> None:
        self.producer = value

    @property
    def producer_component_id(self) -> str:
        return self.producer.id

    @producer_component_id.setter
    def producer_component_id(self, value: str) -> None:
        raise AttributeError(f"{self!r} has the id of its node. Call with_id({value!r}) there.")

    @property
    def is_async(self) -> bool:
        """Whether artifacts are published while the node still runs; here they never are."""
        return self._is_async

    def set_as_async_channel(self) -> None:
        self._is_async = True

    def set_external(self, predefined_artifact_uris: list[str]) -> None:
        """Notes where the artifacts will be, for systems that make them elsewhere."""
        self._predefined_artifact_uris = predefined_artifact_uris

    @property
    def path(self) -> str:
        return f"{self.producer.id}.outputs[{self.output_key!r}]"

    def producers(self) -> Iterable[OutputChannel]:
        return (self,)

    def as_output_channel(self, producer_component: Any, output_key: str) -> OutputChannel:
        if self.producer is not producer_component:
            raise ValueError(
                f"producer_component mismatch: {self.producer} != {producer_component}."
            )
        if self.output_key != output_key:
            raise ValueError(f"output_key mismatch: {self.output_key} != {output_key}.")
        return self

    def __repr__(self) -> str:
        return f"{self.path} (type {self.type_name})"


class UnionChannel(BaseChannel):
    """The artifacts of several channels of the same type, one after the other."""

    def __init__(self, channels: Iterable[BaseChannel]) -> None:
        given = list(channels)
        if not given:
            raise ValueError("At least one input channel expected.")
        self.channels: list[BaseChannel] = []
        for channel in given:
            if not isinstance(channel, BaseChannel):
                raise ValueError(f"Unexpected channel type: {channel!r}.")
            self.channels += channel.channels if isinstance(channel, UnionChannel) else [channel]
        super().__init__(self.channels[0].type)
        for channel in self.channels:
            if channel.type is not self.type:
                raise TypeError(
                    f"Unioned channels must have the same type. Expected {self.type} (got "
                    f"{channel.type})."
                )

    def producers(self) -> Iterable[OutputChannel]:
        return tuple(producer for channel in self.channels for producer in channel.producers())

    @property
    def path(self) -> str:
        return f"union([{', '.join(channel.path for channel in self.channels)}])"

    def __repr__(self) -> str:
        return f"union({', '.join(map(repr, self.channels))})"


def union(channels: Iterable[BaseChannel]) -> UnionChannel:
    """Joins channels of one type into one input.

    Example: `Trainer(examples=union([monday.outputs["examples"], tuesday.outputs["examples"]]))`.
    """
    return UnionChannel(channels)


def as_channel(artifacts: BaseChannel | Iterable[Artifact]) -> BaseChannel:
    """A channel from a channel or from artifacts, as TFX's `channel_utils.as_channel`."""
    if isinstance(artifacts, BaseChannel):
        return artifacts
    given = list(artifacts)
    if not given:
        raise ValueError("Cannot convert empty artifact iterable into Channel.")
    if not isinstance(given[0], Artifact):
        raise ValueError(f"Invalid artifact iterable: {artifacts}")
    return Channel(type=type(given[0]), artifacts=given)
