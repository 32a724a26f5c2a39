"""Channel: the typed arrow from one node's output to other nodes' inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from trainwright.types.artifact import Artifact
from trainwright.types.channel_placeholder import ChannelWrappedPlaceholder
from trainwright.types.names import check_name


class Producer(Protocol):
    """What a channel needs to know of the node that fills it."""

    @property
    def id(self) -> str: ...

    @property
    def outputs(self) -> Mapping[str, OutputChannel]: ...


def check_artifact_type(artifact_type: Any) -> type[Artifact]:
    if not (isinstance(artifact_type, type) and issubclass(artifact_type, Artifact)):
        raise ValueError(
            "The type of a channel must be a subclass of Artifact, for example "
            f"standard_artifacts.Examples; got {artifact_type!r}."
        )
    return artifact_type


class BaseChannel:
    """What a node's input can be: artifacts of one type that are known when the node runs."""

    def __init__(self, type: type[Artifact], *, is_optional: bool | None = None) -> None:
        self.type = check_artifact_type(type)
        self.is_optional = is_optional

    @property
    def type_name(self) -> str:
        return self.type.TYPE_NAME or "Artifact"

    def producers(self) -> Iterable[OutputChannel]:
        """The node outputs that the artifacts come from."""
        raise TypeError(f"{self.__class__.__name__} does not say where its artifacts come from.")

    @property
    def path(self) -> str:
        """How the channel is written in a pipeline."""
        return repr(self)

    def as_optional(self) -> BaseChannel:
        """The same channel as an input that may stay empty: its node runs all the same."""
        return OptionalChannel(self)

    def future(self) -> ChannelWrappedPlaceholder:
        """Stands for the artifacts that the channel will hold when the pipeline runs.

        `channel.future()[0].value` is a placeholder for the value of the first, `.uri`,
        `.property(name)` and `.custom_property(name)` for more of it. Compare it in a `Cond`, or
        pass it where a component takes an execution property.
        """
        return ChannelWrappedPlaceholder(self)


class Channel(BaseChannel):
    """Artifacts that no node of the pipeline makes: given at once, or looked up in the store.

    >>> from trainwright.types import standard_artifacts
    >>> Channel(type=standard_artifacts.Model)
    Channel(type=Model)
    """

    def __init__(
        self,
        type: type[Artifact],
        additional_properties: Mapping[str, Any] | None = None,
        additional_custom_properties: Mapping[str, Any] | None = None,
        artifacts: Iterable[Artifact] | None = None,
        producer_component_id: str | None = None,
        output_key: str | None = None,
    ) -> None:
        super().__init__(type)
        self.additional_properties = dict(additional_properties or {})
        self.additional_custom_properties = dict(additional_custom_properties or {})
        self.producer_component_id = producer_component_id
        self.output_key = output_key
        self._artifacts: list[Artifact] = []
        if artifacts is not None:
            self.set_artifacts(artifacts)

    def set_artifacts(self, artifacts: Iterable[Artifact]) -> Channel:
        """Fixes the artifacts, all of which must be of the channel's type."""
        given = list(artifacts)
        for artifact in given:
            if not isinstance(artifact, self.type):
                raise ValueError(
                    f"A channel of type {self.type_name} cannot hold {artifact!r}, "
                    f"which is of type {getattr(artifact, 'type_name', type(artifact).__name__)}."
                )
        self._artifacts = given
        return self

    def get(self) -> list[Artifact]:
        """The artifacts that were set, or that the last run found."""
        return list(self._artifacts)

    def producers(self) -> Iterable[OutputChannel]:
        return ()

    def __repr__(self) -> str:
        return f"Channel(type={self.type_name})"


class OutputChannel(Channel):
    """One output of a node, as found in `node.outputs[key]`."""

    def __init__(self, artifact_type: type[Artifact], producer: Producer, output_key: str) -> None:
        super().__init__(artifact_type, output_key=check_name("output key", output_key))
        self.producer = producer

    @property
    def producer_id(self) -> str:
        return self.producer.id

    @property
    def path(self) -> str:
        return f"{self.producer.id}.outputs[{self.output_key!r}]"

    def producers(self) -> Iterable[OutputChannel]:
        return (self,)

    def __repr__(self) -> str:
        return f"{self.path} (type {self.type_name})"


class UnionChannel(BaseChannel):
    """The artifacts of several channels of the same type, one after the other."""

    def __init__(self, channels: Sequence[BaseChannel]) -> None:
        if not channels:
            raise ValueError("A union needs at least one channel.")
        types = {channel.type for channel in channels}
        if len(types) != 1:
            names = sorted(channel.type_name for channel in channels)
            raise TypeError(
                f"The channels of a union must be of one artifact type, got {', '.join(names)}."
            )
        super().__init__(channels[0].type)
        self.channels = tuple(channels)

    def producers(self) -> Iterable[OutputChannel]:
        return tuple(producer for channel in self.channels for producer in channel.producers())

    @property
    def path(self) -> str:
        return f"union([{', '.join(channel.path for channel in self.channels)}])"

    def __repr__(self) -> str:
        return f"union({', '.join(map(repr, self.channels))})"


class OptionalChannel(BaseChannel):
    """A channel wrapped so that finding nothing in it is no reason to stop."""

    def __init__(self, channel: BaseChannel) -> None:
        super().__init__(channel.type, is_optional=True)
        self.channel = channel

    def producers(self) -> Iterable[OutputChannel]:
        return self.channel.producers()

    @property
    def path(self) -> str:
        return self.channel.path

    def __repr__(self) -> str:
        return f"{self.channel!r}.as_optional()"


def union(channels: Iterable[BaseChannel]) -> UnionChannel:
    """Joins channels of one type into one input.

    Example: `Trainer(examples=union([monday.outputs["examples"], tuesday.outputs["examples"]]))`.
    """
    return UnionChannel(tuple(channels))


def as_channel(source: BaseChannel | Iterable[Artifact]) -> BaseChannel:
    """A channel from a channel or from artifacts, as TFX's `channel_utils.as_channel`."""
    if isinstance(source, BaseChannel):
        return source
    artifacts = list(source)
    if not artifacts:
        raise ValueError("Cannot convert an empty list of artifacts into a Channel.")
    return Channel(type=type(artifacts[0]), artifacts=artifacts)
