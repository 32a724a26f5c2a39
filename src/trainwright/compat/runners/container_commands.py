"""A container's command with the values of an execution in it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from trainwright.dsl.base_executor import ArtifactDict
from trainwright.dsl.containers.container_spec import ContainerSpec, ExecutorContainerSpec
from trainwright.dsl.containers.templates import parse_template
from trainwright.types.placeholders.placeholder import KnownValues, resolve_part


def resolve_container_template(
    container_spec_tmpl: ContainerSpec,
    input_dict: ArtifactDict,
    output_dict: ArtifactDict,
    exec_properties: dict[str, Any],
) -> ExecutorContainerSpec:
    """A container spec whose templates or placeholders are replaced by their values."""
    known = KnownValues(inputs=input_dict, outputs=output_dict, exec_properties=exec_properties)
    declared = SimpleNamespace(INPUTS=input_dict, OUTPUTS=output_dict, PARAMETERS=exec_properties)
    command, args = container_spec_tmpl.parsed_command(declared)
    image: Any = container_spec_tmpl.image
    if isinstance(container_spec_tmpl, ExecutorContainerSpec):
        image = parse_template(image)
    return ExecutorContainerSpec(
        image=_text(image, known),
        command=[_text(part, known) for part in command],
        args=[_text(part, known) for part in args],
    )


def _text(part: Any, known: KnownValues) -> str:
    return str(resolve_part(part, known))
