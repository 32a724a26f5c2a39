"""Code in the style of TFX's older paths."""

from __future__ import annotations


def test_a_custom_component_in_the_older_style():
    from tfx import types
    from tfx.dsl.components.base import base_component, base_executor, executor_spec
    from tfx.types import channel_utils, standard_artifacts
    from tfx.types.component_spec import ChannelParameter, ExecutionParameter

    class HelloSpec(types.ComponentSpec):
        PARAMETERS = {"name": ExecutionParameter(type=str)}
        INPUTS = {"examples": ChannelParameter(type=standard_artifacts.Examples)}
        OUTPUTS = {"copied": ChannelParameter(type=standard_artifacts.Examples)}

    class HelloExecutor(base_executor.BaseExecutor):
        def Do(self, input_dict, output_dict, exec_properties):
            return None

    class Hello(base_component.BaseComponent):
        SPEC_CLASS = HelloSpec
        EXECUTOR_SPEC = executor_spec.ExecutorClassSpec(HelloExecutor)

        def __init__(self, examples, name):
            copied = channel_utils.as_channel([standard_artifacts.Examples()])
            super().__init__(HelloSpec(examples=examples, name=name, copied=copied))

    hello = Hello(examples=types.Channel(type=standard_artifacts.Examples), name="Ada")
    assert hello.outputs["copied"].type is standard_artifacts.Examples
