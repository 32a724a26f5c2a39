"""BaseNode: a place in a pipeline, with inputs, outputs and an id."""

from __future__ import annotations

import abc
import builtins
import dataclasses
import warnings
from collections.abc import Iterable, KeysView, Mapping
from typing import Any, ClassVar, TypeVar, cast

from trainwright._checks import check_string
from trainwright._suggest import did_you_mean
from trainwright.dsl import contexts
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.base_executor import EmptyExecutor
from trainwright.dsl.conditional import active_conditions
from trainwright.dsl.executor_spec import ExecutorClassSpec, ExecutorSpec
from trainwright.dsl.node_options import NodeExecutionOptions, NodeOptions
from trainwright.dsl.type_names import stored_type_name
from trainwright.types.channel import BaseChannel, OutputChannel
from trainwright.types.json_utils import Jsonable
from trainwright.types.names import check_name
from trainwright.types.placeholders.placeholder import Placeholder

NodeT = TypeVar("NodeT", bound="BaseNode")


# What a node's JSON leaves out: how it was made, and the nodes around it.
_NOT_IN_JSON = frozenset(
    {
        "_CONSTRUCT_CLS",
        "_CONSTRUCT_ARGS",
        "_CONSTRUCT_KWARGS",
        "_downstream",
        "_extra_upstream",
        "_node_execution_options",
        "_outputs",
    }
)


class BaseNode(Jsonable, abc.ABC):
    """What a pipeline is made of. Channels join nodes: `b(examples=a.outputs["examples"])`.

    The id is the class name unless `with_id` gives another. A node that is made in a `Cond` block
    has its condition: `conditions` are all that must hold, the outermost first.

    Args:
        executor_spec: What does the node's work; by default there is none to do.
        driver_class: What is found out before the node runs.
    """

    # Whether its outputs are artifacts that it has chosen, perhaps none, and not such as it makes.
    CHOOSES_ARTIFACTS: ClassVar[bool] = False

    # What the node was made with, for tools that make it anew with other arguments.
    _CONSTRUCT_CLS: builtins.type[BaseNode]
    _CONSTRUCT_ARGS: tuple[Any, ...]
    _CONSTRUCT_KWARGS: dict[str, Any]

    def __new__(cls: builtins.type[NodeT], *args: Any, **kwargs: Any) -> NodeT:
        node = super().__new__(cls)
        node._CONSTRUCT_CLS = cls
        node._CONSTRUCT_ARGS = args
        node._CONSTRUCT_KWARGS = kwargs
        return node

    def __init__(
        self,
        executor_spec: ExecutorSpec | None = None,
        driver_class: builtins.type[BaseDriver] | None = None,
    ) -> None:
        self.executor_spec: ExecutorSpec = executor_spec or ExecutorClassSpec(EmptyExecutor)
        self.driver_class = driver_class or BaseDriver
        self._id: str | None = None
        self._extra_upstream: list[BaseNode] = []
        # In the order in which they became known; the values mean nothing.
        self._downstream: dict[BaseNode, None] = {}
        self.environment: dict[str, str] = {}
        self.options = NodeOptions()
        self._node_execution_options: NodeExecutionOptions | None = None
        self.conditions = active_conditions()
        self.platform_config: Any = None
        contexts.get().put_node(self)

    def to_json_dict(self) -> dict[str, Any]:
        state = {name: value for name, value in vars(self).items() if name not in _NOT_IN_JSON}
        return {**state, "options": dataclasses.asdict(self.options)}

    @classmethod
    def from_json_dict(cls, dict_data: dict[str, Any]) -> Any:
        node = cls.__new__(cls)
        BaseNode.__init__(node)
        vars(node).update(dict_data)
        node.options = NodeOptions(**dict_data["options"])
        node.conditions = tuple(dict_data["conditions"])
        return node

    @property
    def id(self) -> str:
        return self._id or self.__class__.__name__

    @id.setter
    def id(self, id: str) -> None:
        self._id = check_name("node id", id)

    @property
    def component_id(self) -> str:
        return self.id

    @classmethod
    def get_class_type(cls) -> str:
        """The name under which the store knows executions of nodes of this class."""
        return stored_type_name(cls)

    @property
    def type(self) -> str:
        """The name under which the store knows executions of this node."""
        return self.get_class_type()

    @property
    def type_name(self) -> str:
        return self.type

    @property
    def component_type(self) -> str:
        return self.type

    def with_id(self: NodeT, id: str) -> NodeT:
        """Names the node; needed when a pipeline holds two of one class."""
        self.id = id
        return self

    def _take_instance_name(self, instance_name: str, stacklevel: int = 3) -> None:
        """Names the node as TFX before 1.0 did, with a warning at the line that makes the node."""
        warnings.warn(
            "instance_name is deprecated; name a node with .with_id(...).",
            DeprecationWarning,
            stacklevel=stacklevel,
        )
        self.id = f"{self.__class__.__name__}.{instance_name}"

    def with_environment(self: NodeT, **variables: str) -> NodeT:
        """Sets environment variables for this node alone.

        Its executor then gets a fresh interpreter, so that variables which libraries read while
        they are imported count: `trainer.with_environment(TF_USE_LEGACY_KERAS="0")`.
        """
        for name, value in variables.items():
            check_string(f"Environment variable {name}", value)
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
        """Tries the node again when it fails, up to this many times.

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

    def with_node_execution_options(
        self: NodeT, node_execution_options: NodeExecutionOptions
    ) -> NodeT:
        """TFX's way to say `with_retries` and `with_timeout`."""
        options = node_execution_options
        if not isinstance(options, NodeExecutionOptions):
            raise TypeError(f"Expected NodeExecutionOptions, got {options!r}.")
        self._node_execution_options = dataclasses.replace(options)
        self.options = dataclasses.replace(
            self.options,
            max_retries=max(options.max_execution_retries or 0, 0),
            timeout_seconds=options.execution_timeout_sec or None,
        )
        return self

    @property
    def node_execution_options(self) -> NodeExecutionOptions | None:
        """What `with_node_execution_options` was given; it can be set, too."""
        return self._node_execution_options

    @node_execution_options.setter
    def node_execution_options(self, options: NodeExecutionOptions | None) -> None:
        if options is None:
            self._node_execution_options = None
            self.options = dataclasses.replace(self.options, max_retries=0, timeout_seconds=None)
        else:
            self.with_node_execution_options(options)

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

    def add_upstream_node(self, upstream_node: BaseNode) -> None:
        """Makes this node wait for another whose outputs it does not read."""
        if not isinstance(upstream_node, BaseNode):
            raise TypeError(f"{self.id} can wait for a node, not for {upstream_node!r}.")
        if upstream_node not in self._extra_upstream:
            self._extra_upstream.append(upstream_node)
        upstream_node.note_downstream_node(self)

    def add_upstream_nodes(self, upstream_nodes: Iterable[BaseNode]) -> None:
        for node in upstream_nodes:
            self.add_upstream_node(node)

    def remove_upstream_node(self, upstream_node: BaseNode) -> None:
        """Takes back `add_upstream_node`; what the node reads it still waits for."""
        self._extra_upstream.remove(upstream_node)
        upstream_node._downstream.pop(self, None)

    def add_downstream_node(self, downstream_node: BaseNode) -> None:
        """Makes another node wait for this one."""
        downstream_node.add_upstream_node(self)

    def add_downstream_nodes(self, downstream_nodes: Iterable[BaseNode]) -> None:
        for node in downstream_nodes:
            node.add_upstream_node(self)

    def remove_downstream_node(self, downstream_node: BaseNode) -> None:
        """Takes back `add_downstream_node`."""
        downstream_node.remove_upstream_node(self)

    def note_downstream_node(self, node: BaseNode) -> None:
        """Remembers a node that waits for this one; a pipeline tells of those that read from it."""
        self._downstream[node] = None

    @property
    def upstream_nodes(self) -> KeysView[BaseNode]:
        """The nodes this one waits for: a set that keeps their order."""
        producers = [
            cast(BaseNode, output.producer)
            for channel in (*self.inputs.values(), *self.hidden_inputs.values())
            for output in channel.producers()
        ]
        return dict.fromkeys(producers + self._extra_upstream).keys()

    @property
    def downstream_nodes(self) -> KeysView[BaseNode]:
        """The nodes that wait for this one: those that were added, and, once they are in a
        pipeline, those that read from it."""
        return self._downstream.keys()

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__} {self.id!r}>"


class NodeOutputs(dict[str, OutputChannel]):
    """The outputs of a node: `trainer.outputs["model"]`, or `trainer.outputs.model`.

    A key that is not there is answered with those that are.
    """

    def __init__(self, node: BaseNode) -> None:
        super().__init__()
        self._node = node

    def __missing__(self, key: str) -> OutputChannel:
        raise KeyError(f"{self._node.id} has no output {key!r}{did_you_mean(str(key), self)}")

    def __getattr__(self, name: str) -> OutputChannel:
        """An output as an attribute: `trainer.outputs.model`.

        Names of dict's own methods (`keys`, `values`) need brackets.
        """
        if name.startswith("__") or name not in self:
            outputs = f"outputs of {self._node.id}" if "_node" in vars(self) else "outputs"
            raise AttributeError(f"{outputs} have no attribute {name!r}{did_you_mean(name, self)}")
        return self[name]
