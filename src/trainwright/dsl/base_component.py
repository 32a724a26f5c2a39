"""BaseComponent: a node with a typed spec and an executor."""

from __future__ import annotations

import abc
import builtins
import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TypeVar

from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.base_node import BaseNode, NodeOutputs
from trainwright.dsl.beam_flags import check_flags
from trainwright.dsl.executor_spec import BeamExecutorSpec, ExecutorSpec
from trainwright.dsl.node_resources import NodeResources
from trainwright.types.channel import BaseChannel, Channel, OutputChannel
from trainwright.types.component_spec import ComponentSpec
from trainwright.types.json_compat import JSON_HINT
from trainwright.types.system_types import SystemExecution

ComponentT = TypeVar("ComponentT", bound="BaseComponent")


def _to_be_set() -> Any:
    """A class attribute that a subclass must set: else Python does not make objects of it."""
    return abc.abstractmethod(lambda: None)


class BaseComponent(BaseNode):
    """Base of the components that have a class. `@component` makes one from a function.

    A subclass names its spec and its executor and passes a filled spec up:

    >>> from trainwright.dsl.base_executor import BaseExecutor
    >>> from trainwright.dsl.executor_spec import ExecutorClassSpec
    >>> from trainwright.types import standard_artifacts
    >>> from trainwright.types.component_spec import ChannelParameter, ExecutionParameter
    >>> class HelloSpec(ComponentSpec):
    ...     PARAMETERS = {"name": ExecutionParameter(type=str)}
    ...     INPUTS = {}
    ...     OUTPUTS = {"greeting": ChannelParameter(type=standard_artifacts.String)}
    >>> class HelloExecutor(BaseExecutor):
    ...     def Do(self, input_dict, output_dict, exec_properties):
    ...         output_dict["greeting"][0].value = "Hello, " + exec_properties["name"]
    >>> class Hello(BaseComponent):
    ...     SPEC_CLASS = HelloSpec
    ...     EXECUTOR_SPEC = ExecutorClassSpec(HelloExecutor)
    ...     def __init__(self, name):
    ...         super().__init__(spec=HelloSpec(name=name))
    >>> Hello(name="Ada").outputs["greeting"]
    Hello.outputs['greeting'] (type String)
    """

    SPEC_CLASS: ClassVar[type[ComponentSpec]] = _to_be_set()
    EXECUTOR_SPEC: ClassVar[ExecutorSpec] = _to_be_set()
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = BaseDriver

    # Hooks around the execution, which TFX's own runners do not call either.
    PRE_EXECUTABLE_SPEC: ClassVar[Any] = None
    POST_EXECUTABLE_SPEC: ClassVar[Any] = None

    def __init__(
        self,
        spec: ComponentSpec,
        custom_executor_spec: ExecutorSpec | None = None,
        instance_name: str | None = None,
    ) -> None:
        cls = self.__class__
        if custom_executor_spec and not isinstance(custom_executor_spec, ExecutorSpec):
            raise TypeError(
                f"Custom executor spec override {custom_executor_spec} for {cls} should be an "
                "instance of ExecutorSpec, for example ExecutorClassSpec(MyExecutor)."
            )
        self._validate_spec(spec)
        self._validate_component_class()
        super().__init__(
            executor_spec=(custom_executor_spec or cls.EXECUTOR_SPEC).copy(),
            driver_class=cls.DRIVER_CLASS,
        )
        self.spec = spec
        self._beam_pipeline_args: list[Any] = []
        self._take_outputs()
        if instance_name is not None:
            self._take_instance_name(instance_name, stacklevel=4)

    @classmethod
    def _validate_component_class(cls) -> None:
        if not (isinstance(cls.SPEC_CLASS, type) and issubclass(cls.SPEC_CLASS, ComponentSpec)):
            raise TypeError(
                f"Component class {cls} expects SPEC_CLASS property to be a subclass of "
                f"types.ComponentSpec; got {cls.SPEC_CLASS} instead."
            )
        if not isinstance(cls.EXECUTOR_SPEC, ExecutorSpec):
            raise TypeError(
                f"Component class {cls} expects EXECUTOR_SPEC property to be an instance of "
                f"ExecutorSpec; got {type(cls.EXECUTOR_SPEC)} instead. Name the executor with "
                "ExecutorClassSpec(MyExecutor)."
            )
        if not (isinstance(cls.DRIVER_CLASS, type) and issubclass(cls.DRIVER_CLASS, BaseDriver)):
            raise TypeError(
                f"Component class {cls} expects DRIVER_CLASS property to be a subclass of "
                f"base_driver.BaseDriver; got {cls.DRIVER_CLASS} instead."
            )

    def _validate_spec(self, spec: Any) -> None:
        cls = self.__class__
        if not isinstance(spec, ComponentSpec):
            raise ValueError(
                f'BaseComponent (parent class of {cls}) expects "spec" argument to be an instance '
                f"of types.ComponentSpec, got {spec!r} instead."
            )
        if isinstance(cls.SPEC_CLASS, type) and not isinstance(spec, cls.SPEC_CLASS):
            raise ValueError(
                f'{cls} expects the "spec" argument to be an instance of {cls.SPEC_CLASS}; got '
                f"{spec!r} instead."
            )

    def _take_outputs(self) -> None:
        """Makes the output channels that the spec was given, or declares, those of this node."""
        outputs = NodeOutputs(self)
        for key, parameter in type(self.spec).OUTPUTS.items():
            given = self.spec.outputs.get(key)
            if given is None and parameter.optional:
                continue
            channel = OutputChannel(given.type if given else parameter.type, self, key)
            if isinstance(given, Channel):
                channel.additional_properties = dict(given.additional_properties)
                channel.additional_custom_properties = dict(given.additional_custom_properties)
                channel.set_artifacts(given.get())
            json_hint = getattr(parameter, JSON_HINT, None)
            if json_hint is not None:
                setattr(channel, JSON_HINT, json_hint)
            outputs[key] = channel
        self._outputs = outputs
        self.spec.outputs = dict(outputs)

    def with_processes(self: ComponentT, count: int) -> ComponentT:
        """Runs the executor in this many processes at once, which divide the work among them.

        Each calls `Do` with the same arguments and tells itself from the others by
        `self.context.rank` (0, 1, ...) and `self.context.num_processes`. All may write to the
        outputs' directories; what rank 0 sets on artifacts counts, and only its progress is shown.
        The node is done when all of them are, and fails as soon as one does. The executor's class
        says that it can do so: `USES_RANKS = True`. Rank 0 writes `executor.log`, rank 1
        `executor-1.log`, and so on.
        """
        self.options = dataclasses.replace(self.options, num_processes=count)
        return self

    def with_staging(self: ComponentT, enable: bool = True) -> ComponentT:
        """Whether inputs that lie in an object store are copied to the node's disk, as usual.

        `trainer.with_staging(False)` hands the executor their URIs instead, for code that reads the
        store by itself: TensorFlow reads `gs://`, and no other. Outputs are written locally and
        uploaded either way.
        """
        self.options = dataclasses.replace(self.options, stages_inputs=enable)
        return self

    def with_resources(
        self: ComponentT, *, cpus: float = 1, gpus: float = 0, memory: int | None = None
    ) -> ComponentT:
        """Says what the node needs while it runs, for each of its processes.

        `RayDagRunner` runs it on a machine that has this much free, and refuses what none can ever
        give. `LocalDagRunner` starts it beside others only if the machine has room for all of them:
        `max_parallel` stands for its processors. It is not a limit: a process that uses more than
        it has asked for is not ended. It is not part of the cache key.

        `trainer.with_resources(cpus=4, gpus=1, memory=16 << 30)`

        Args:
            cpus: Processors; a fraction for a process that mostly waits.
            gpus: GPUs; a fraction if several processes may share it.
            memory: Bytes of memory; None if nothing is known of it.
        """
        resources = NodeResources(cpus=cpus, gpus=gpus, memory=memory)
        self.options = dataclasses.replace(self.options, resources=resources)
        return self

    @classmethod
    def from_json_dict(cls, dict_data: dict[str, Any]) -> Any:
        component = super().from_json_dict(dict_data)
        component._take_outputs()
        return component

    def with_beam_pipeline_args(self: ComponentT, beam_pipeline_args: Iterable[str]) -> ComponentT:
        """Adds Beam flags for this node, after the pipeline's, so that they count more.

        They reach the executor as `context.beam_pipeline_args`.
        """
        self.beam_pipeline_args.extend(check_flags(beam_pipeline_args))
        return self

    @property
    def beam_pipeline_args(self) -> list[Any]:
        """The Beam flags of this node alone."""
        if isinstance(self.executor_spec, BeamExecutorSpec):
            return self.executor_spec.beam_pipeline_args
        return self._beam_pipeline_args

    @property
    def type_annotation(self) -> builtins.type[SystemExecution] | None:
        """The base type of the component's executions, such as Train."""
        annotation = self.__class__.SPEC_CLASS.TYPE_ANNOTATION
        if annotation and not issubclass(annotation, SystemExecution):
            raise TypeError(f"TYPE_ANNOTATION {annotation} is not a subclass of SystemExecution.")
        return annotation

    @property
    def inputs(self) -> Mapping[str, BaseChannel]:
        return self.spec.inputs

    @property
    def outputs(self) -> NodeOutputs:
        return self._outputs

    @property
    def exec_properties(self) -> dict[str, Any]:
        return self.spec.exec_properties
