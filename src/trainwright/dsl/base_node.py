"""BaseNode: a place in a pipeline, with inputs, outputs and an id."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast

from trainwright._suggest import did_you_mean
from trainwright.dsl.conditional import active_conditions
from trainwright.dsl.node_options import NodeExecutionOptions, NodeOptions
from trainwright.dsl.type_names import stored_type_name
from trainwright.types.channel import BaseChannel, OutputChannel
from trainwright.types.names import check_name
from trainwright.types.placeholder import Placeholder

NodeT = TypeVar("NodeT", bound="BaseNode")


class BaseNode(abc.ABC):
    """What a pipeline is made of. Channels join nodes: `b(examples=a.outputs["examples"])`.

    The id is the class name unless `with_id` gives another. A node that is made in a `Cond` block
    has its condition: `conditions` are all that must hold, the outermost first.
    """

    def __init__(self) -> None:
        self._id: str | None = None
        self._extra_upstream: list[BaseNode] = []
        self.environment: dict[str, str] = {}
        self.options = NodeOptions()
        self.conditions = active_conditions()
        self.platform_config: Any = None

    @property
    def id(self) -> str:
        return self._id or type(self).__name__

    @property
    def component_id(self) -> str:
        return self.id

    @property
    def type_name(self) -> str:
        """The name under which the store knows executions of this node."""
        return stored_type_name(type(self))

    def with_id(self: NodeT, id: str) -> NodeT:
        """Names the node; needed when a pipeline holds two of one class."""
        self._id = check_name("node id", id)
        return self

    def with_environment(self: NodeT, **variables: str) -> NodeT:
        """Sets environment variables for this node alone.

        Its executor then gets a fresh interpreter, so that variables which libraries read while
        they are imported count: `trainer.with_environment(TF_USE_LEGACY_KERAS="0")`.
        """
        for name, value in variables.items():
            if not isinstance(value, str):
                raise TypeError(f"Environment variable {name} must be a string, got {value!r}.")
        self.environment.update(variables)
        return self

    def with_cache(self: NodeT, enable: bool = True) -> NodeT:
        """Whether an earlier result of this node is reused, whatever the pipeline says.

        `pusher.with_cache(False)` always pushes; `example_gen.with_cache()` is reused even in a
        pipeline without `enable_cache`.
        """
        self.options = dataclasses.replace(self.options, enable_cache=enable)
        return self

    def with_retries(self: NodeT, times: int, wait_seconds: float = 1.0) -> NodeT:
        """Tries the node again when it fails, up to so many times.

        The first retry comes after `wait_seconds`, each later one after twice the wait before:
        `example_gen.with_retries(3, wait_seconds=10)` waits 10, 20 and 40 seconds.
        """
        self.options = dataclasses.replace(
            self.options, max_retries=times, retry_wait_seconds=wait_seconds
        )
        return self

    def with_timeout(self: NodeT, seconds: float) -> NodeT:
        """Ends an attempt that takes longer; the node has failed then, or is tried again."""
        self.options = dataclasses.replace(self.options, timeout_seconds=seconds)
        return self

    def with_node_execution_options(self: NodeT, options: NodeExecutionOptions) -> NodeT:
        """TFX's way to say `with_retries` and `with_timeout`."""
        if not isinstance(options, NodeExecutionOptions):
            raise TypeError(f"Expected NodeExecutionOptions, got {options!r}.")
        options.check()
        self.options = dataclasses.replace(
            self.options,
            max_retries=max(options.max_execution_retries or 0, 0),
            timeout_seconds=options.execution_timeout_sec or None,
        )
        return self

    def with_platform_config(self: NodeT, config: Any) -> NodeT:
        """Attaches a message for the platform that the node runs on.

        There is one platform, this machine, which needs none: a run says that it has no effect.
        """
        if not hasattr(config, "DESCRIPTOR"):
            raise TypeError(f"A platform config is a protobuf message, got {config!r}.")
        self.platform_config = config
        return self

    @property
    @abc.abstractmethod
    def inputs(self) -> Mapping[str, BaseChannel]:
        """The channels that the node reads, by key."""

    @property
    @abc.abstractmethod
    def outputs(self) -> dict[str, OutputChannel]:
        """The channels that the node fills, by key."""

    @property
    @abc.abstractmethod
    def exec_properties(self) -> dict[str, Any]:
        """The values that the executor gets beside the artifacts."""

    @property
    def placeholders(self) -> dict[str, Placeholder]:
        """The execution properties whose values are known just before the node runs."""
        return {
            name: value
            for name, value in self.exec_properties.items()
            if isinstance(value, Placeholder)
        }

    @property
    def hidden_inputs(self) -> dict[str, OutputChannel]:
        """What conditions and placeholders look at beside the inputs, by TFX's keys for it.

        For example `_Evaluator.blessing`.
        """
        asked = [
            output
            for placeholder in (*self.conditions, *self.placeholders.values())
            for channel in placeholder.channels()
            for output in channel.producers()
        ]
        read = {
            (output.producer_id, output.output_key)
            for channel in self.inputs.values()
            for output in channel.producers()
        }
        return {
            f"_{output.producer_id}.{output.output_key}": output
            for output in asked
            if (output.producer_id, output.output_key) not in read
        }

    def add_upstream_node(self, node: BaseNode) -> None:
        """Makes this node wait for another whose outputs it does not read."""
        if not isinstance(node, BaseNode):
            raise TypeError(f"{self.id} can wait for a node, not for {node!r}.")
        self._extra_upstream.append(node)

    def add_upstream_nodes(self, nodes: Iterable[BaseNode]) -> None:
        for node in nodes:
            self.add_upstream_node(node)

    def add_downstream_node(self, node: BaseNode) -> None:
        node.add_upstream_node(self)

    def add_downstream_nodes(self, nodes: Iterable[BaseNode]) -> None:
        for node in nodes:
            node.add_upstream_node(self)

    @property
    def upstream_nodes(self) -> list[BaseNode]:
        """The nodes this one waits for, each once."""
        producers = [
            cast(BaseNode, output.producer)
            for channel in (*self.inputs.values(), *self.hidden_inputs.values())
            for output in channel.producers()
        ]
        return list(dict.fromkeys(producers + self._extra_upstream))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id!r}>"


class NodeOutputs(dict[str, OutputChannel]):
    """The outputs of a node; a key that is not there is answered with those that are."""

    def __init__(self, node: BaseNode) -> None:
        super().__init__()
        self._node = node

    def __missing__(self, key: str) -> OutputChannel:
        raise KeyError(f"{self._node.id} has no output {key!r}{did_you_mean(str(key), self)}")
