"""`create_container_component`: a component class from an image and a command."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.containers.container_spec import TemplatedExecutorContainerSpec
from trainwright.dsl.containers.execution_hooks import check_hook, hook_spec
from trainwright.dsl.executor_spec import ExecutorSpec
from trainwright.types.artifact import Artifact
from trainwright.types.channel import OutputChannel
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.system_types import SystemExecution


def create_container_component(
    name: str,
    image: str,
    command: Sequence[Any],
    inputs: Mapping[str, type[Artifact]] | None = None,
    outputs: Mapping[str, type[Artifact]] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Callable[..., BaseComponent]:
    """Makes a component whose work is a command in a container.

    The command runs with docker or podman. It sees its inputs and outputs at the paths that the
    placeholders give it, and what it prints goes to the node's log.

    Args:
        name: The name of the component class.
        image: The image, as docker and podman know it.
        command: The program and its arguments, no shell in between: strings, and placeholders for
            what is known when the node runs.
        inputs: The artifact types of the inputs.
        outputs: The artifact types of the outputs.
        parameters: The Python types of the parameters.

    Example:
        ```python
        Trainer = create_container_component(
            name="Trainer",
            image="python:3.12-slim",
            inputs={"examples": Examples},
            outputs={"model": Model},
            parameters={"steps": int},
            command=[
                "python", "-m", "trainer",
                "--examples", InputUriPlaceholder("examples"),
                "--model", OutputUriPlaceholder("model"),
                "--steps", InputValuePlaceholder("steps"),
            ],
        )
        trainer = Trainer(examples=example_gen.outputs["examples"], steps=100)
        ```
    """
    if not name:
        raise ValueError("Component name cannot be empty.")
    module = sys._getframe(1).f_globals.get("__name__", "__main__")
    spec_class = _make_spec_class(
        name,
        module,
        PARAMETERS={key: ExecutionParameter(type=kind) for key, kind in (parameters or {}).items()},
        INPUTS={key: ChannelParameter(type=kind) for key, kind in (inputs or {}).items()},
        OUTPUTS={key: ChannelParameter(type=kind) for key, kind in (outputs or {}).items()},
    )
    executor_spec = TemplatedExecutorContainerSpec(image=image, command=command)
    return _make_component_class(name, spec_class, executor_spec)


def create_tfx_component_class(
    name: str,
    tfx_executor_spec: ExecutorSpec,
    input_channel_parameters: Mapping[str, ChannelParameter] | None = None,
    output_channel_parameters: Mapping[str, ChannelParameter] | None = None,
    execution_parameters: Mapping[str, ExecutionParameter] | None = None,
    type_annotation: type[SystemExecution] | None = None,
    default_init_args: Mapping[str, Any] | None = None,
    pre_execution: Callable[..., Any] | None = None,
    post_execution: Callable[..., Any] | None = None,
    base_class: type[BaseComponent] = BaseComponent,
) -> Callable[..., BaseComponent]:
    """Makes a component class of an executor spec and the parts of a component spec.

    The hooks are checked against the spec. No runner that TFX is published with calls them, nor do
    those here: a pipeline with such a node is refused before it runs.
    """
    spec_class = _make_spec_class(
        name,
        sys._getframe(1).f_globals.get("__name__", "__main__"),
        PARAMETERS=dict(execution_parameters or {}),
        INPUTS=dict(input_channel_parameters or {}),
        OUTPUTS=dict(output_channel_parameters or {}),
        TYPE_ANNOTATION=type_annotation,
    )
    for hook in (pre_execution, post_execution):
        check_hook(spec_class, hook)
    try:
        hooks = {
            "PRE_EXECUTABLE_SPEC": hook_spec(pre_execution),
            "POST_EXECUTABLE_SPEC": hook_spec(post_execution),
        }
    except ValueError as error:
        raise ValueError(f"Invalid execution hook function of {name}: {error}") from error
    return _make_component_class(
        name, spec_class, tfx_executor_spec, base_class, default_init_args, **hooks
    )


def _make_spec_class(name: str, module: str, **tables: Any) -> type[ComponentSpec]:
    return type(f"{name}Spec", (ComponentSpec,), {**tables, "__module__": module})


def _make_component_class(
    name: str,
    spec_class: type[ComponentSpec],
    executor_spec: ExecutorSpec,
    base_class: type[BaseComponent] = BaseComponent,
    default_arguments: Mapping[str, Any] | None = None,
    **attributes: Any,
) -> type[BaseComponent]:
    """A class in the module of its spec: the user's, so that it counts as the user's own."""

    def init(self: BaseComponent, **arguments: Any) -> None:
        given = {**arguments, **(default_arguments or {})}
        for key, parameter in spec_class.OUTPUTS.items():
            given.setdefault(key, OutputChannel(parameter.type, self, key))
        base_class.__init__(self, spec=spec_class(**given))

    return type(
        name,
        (base_class,),
        {
            **attributes,
            "SPEC_CLASS": spec_class,
            "EXECUTOR_SPEC": executor_spec,
            "__init__": init,
            "__module__": spec_class.__module__,
        },
    )
