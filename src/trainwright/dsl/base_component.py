"""BaseComponent: a node with a typed spec and an executor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TypeVar

from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.base_node import BaseNode, NodeOutputs
from trainwright.dsl.beam_flags import check_flags
from trainwright.dsl.executor_spec import ExecutorFunctionSpec, ExecutorSpec
from trainwright.types.channel import BaseChannel, OutputChannel
from trainwright.types.component_spec import ComponentSpec

ComponentT = TypeVar("ComponentT", bound="BaseComponent")


class BaseComponent(BaseNode):
    """Base of the components that have a class. `@component` makes one from a function.

    A subclass names its spec and its executor and passes a filled spec up:

    >>> from trainwright.dsl.base_executor import BaseExecutor
    >>> from trainwright.dsl.executor_spec import ExecutorClassSpec
    >>> from trainwright.types import standard_artifacts
    >>> from trainwright.types.component_spec import ChannelParameter, ExecutionParameter
    >>> class HelloSpec(ComponentSpec):
    ...     PARAMETERS = {"name": ExecutionParameter(type=str)}
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

    SPEC_CLASS: ClassVar[type[ComponentSpec]]
    EXECUTOR_SPEC: ClassVar[ExecutorSpec]
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = BaseDriver

    def __init__(
        self, spec: ComponentSpec, custom_executor_spec: ExecutorSpec | None = None
    ) -> None:
        super().__init__()
        self._check_declarations(spec, custom_executor_spec)
        self.spec = spec
        self.executor_spec = custom_executor_spec or type(self).EXECUTOR_SPEC
        self.beam_pipeline_args: list[str] = []
        self._outputs = self._make_outputs(spec)
        spec.outputs = dict(self._outputs)

    def _check_declarations(self, spec: ComponentSpec, custom: ExecutorSpec | None) -> None:
        cls = type(self)
        if not isinstance(getattr(cls, "SPEC_CLASS", None), type):
            raise TypeError(f"{cls.__name__} must set SPEC_CLASS to a subclass of ComponentSpec.")
        if not isinstance(spec, cls.SPEC_CLASS):
            raise TypeError(
                f"{cls.__name__} expects a spec of type {cls.SPEC_CLASS.__name__}, got {spec!r}."
            )
        executor_spec = custom or getattr(cls, "EXECUTOR_SPEC", None)
        if not isinstance(executor_spec, ExecutorSpec):
            raise TypeError(
                f"{cls.__name__} needs EXECUTOR_SPEC, for example ExecutorClassSpec(MyExecutor); "
                f"got {executor_spec!r}."
            )

    def _make_outputs(self, spec: ComponentSpec) -> dict[str, OutputChannel]:
        outputs = NodeOutputs(self)
        for key, parameter in type(spec).OUTPUTS.items():
            given = spec.outputs.get(key)
            if given is None and parameter.optional:
                continue
            channel = OutputChannel(given.type if given else parameter.type, self, key)
            channel.additional_properties = dict(getattr(given, "additional_properties", {}))
            channel.additional_custom_properties = dict(
                getattr(given, "additional_custom_properties", {})
            )
            outputs[key] = channel
        return outputs

    def with_beam_pipeline_args(self: ComponentT, beam_pipeline_args: Iterable[str]) -> ComponentT:
        """Adds Beam flags for this node, after the pipeline's, so that they count more.

        They reach the executor as `context.beam_pipeline_args`.
        """
        if isinstance(self.executor_spec, ExecutorFunctionSpec):
            raise TypeError(
                f"{self.id} is made from a function, which gets no Beam flags. Name them where the "
                "function makes its Beam pipeline."
            )
        self.beam_pipeline_args += check_flags(beam_pipeline_args)
        return self

    @property
    def inputs(self) -> Mapping[str, BaseChannel]:
        return self.spec.inputs

    @property
    def outputs(self) -> dict[str, OutputChannel]:
        return self._outputs

    @property
    def exec_properties(self) -> dict[str, Any]:
        return self.spec.exec_properties
