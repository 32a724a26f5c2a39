"""Component classes made from parts, and the hooks that they may have."""

# ruff: noqa: UP007, UP045  as users of TFX write it

from typing import Optional

import pytest

from trainwright import LocalDagRunner, Pipeline
from trainwright.dsl.base_executor import EmptyExecutor
from trainwright.dsl.containers.container_component import (
    create_container_component,
    create_tfx_component_class,
)
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types import json_utils, system_types
from trainwright.types.channel import Channel
from trainwright.types.component_spec import ChannelParameter, ExecutionParameter
from trainwright.types.standard_artifacts import Examples, Integer, JsonValue, Model


def make(**more):
    return create_tfx_component_class(
        name="Made",
        tfx_executor_spec=ExecutorClassSpec(EmptyExecutor),
        input_channel_parameters={
            "examples": ChannelParameter(type=Examples),
            "base": ChannelParameter(type=Model, optional=True),
            "number": ChannelParameter(type=Integer),
            "table": ChannelParameter(type=JsonValue),
        },
        output_channel_parameters={"model": ChannelParameter(type=Model)},
        execution_parameters={"steps": ExecutionParameter(type=int)},
        **more,
    )


def declare(made, **more):
    channels = {"number": Channel(type=Integer), "table": Channel(type=JsonValue)}
    return made(examples=Channel(type=Examples), steps=3, **channels, **more)


def test_a_class_is_made_from_its_parts():
    made = make(type_annotation=system_types.Train, default_init_args={"steps": 5})
    node = declare(made)
    assert node.id == "Made"
    assert node.exec_properties == {"steps": 5}
    assert node.outputs["model"].type is Model
    assert node.type_annotation is system_types.Train
    assert node.type == f"{__name__}.Made"


def good_hook(
    steps: int,
    examples: Examples,
    base: Model | None,
    number: int,
    table: dict[str, int],
    model: list[Model],
):
    pass


def test_a_hook_must_fit_the_component():
    node = declare(make(pre_execution=good_hook))
    assert node.PRE_EXECUTABLE_SPEC.class_path == f"{__name__}.good_hook"
    assert node.POST_EXECUTABLE_SPEC is None


@pytest.mark.parametrize(
    ("name", "hint", "error"),
    [
        ("steps", str, TypeError),
        ("examples", Model, TypeError),
        ("base", Model, TypeError),
        ("number", Optional[int], TypeError),
        ("table", set, TypeError),
        ("model", Examples, TypeError),
        ("other", int, AttributeError),
    ],
)
def test_a_hook_that_does_not_fit_is_refused(name, hint, error):
    scope = {"hint": hint}
    exec(f"def hook({name}: hint): pass", scope)
    with pytest.raises(error, match=name):
        make(post_execution=scope["hook"])


def test_a_component_with_a_hook_does_not_run(tmp_path):
    def no_arguments():
        pass

    with pytest.raises(ValueError, match="Invalid execution hook function of Made"):
        make(pre_execution=no_arguments)
    node = declare(make(pre_execution=good_hook))
    with pytest.raises(ValueError, match="Made has a hook around its execution"):
        LocalDagRunner().run(Pipeline("hooks", str(tmp_path), components=[node]))


def test_a_container_component_needs_a_name():
    with pytest.raises(ValueError, match="Component name cannot be empty"):
        create_container_component(name="", image="tools:1", command=["tool"])


JsonNode = make()
JsonNode.__qualname__ = JsonNode.__name__ = "JsonNode"
JsonNodeSpec = JsonNode.SPEC_CLASS
JsonNodeSpec.__qualname__ = JsonNodeSpec.__name__ = "JsonNodeSpec"


def test_a_component_goes_through_json():
    node = declare(JsonNode).with_id("there").with_retries(2)
    back = json_utils.loads(json_utils.dumps(node))
    assert type(back) is JsonNode
    assert back.id == "there"
    assert back.inputs["examples"].type is Examples
    assert back.exec_properties == {"steps": 3}
    assert back.outputs["model"].producer is back
    assert back.options.max_retries == 2
    assert back.driver_class is node.driver_class
