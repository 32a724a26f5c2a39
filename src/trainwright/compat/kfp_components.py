"""Container components from the component.yaml files of Kubeflow Pipelines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf import json_format

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.containers import command_placeholders as placeholders
from trainwright.dsl.containers.container_component import create_container_component
from trainwright.proto.kubeflow import kfp_component_spec_pb2
from trainwright.types.standard_artifacts import String

_PLACEHOLDERS: dict[str, Callable[[str], placeholders.CommandlineArgumentType]] = {
    "constantValue": str,
    "inputValue": placeholders.InputValuePlaceholder,
    "inputPath": placeholders.InputUriPlaceholder,
    "outputPath": placeholders.OutputUriPlaceholder,
}


def load_kfp_yaml_container_component(path: str) -> Callable[..., BaseComponent]:
    """Makes a container component from a component file of Kubeflow Pipelines.

    Its inputs and outputs are String artifacts.

    Args:
        path: The file, such as `"component.yaml"`.

    Example:
        ```python
        Filter = load_kfp_yaml_container_component("filter/component.yaml")
        filter_text = Filter(text=download.outputs["text"])
        ```
    """
    spec = json_format.ParseDict(_read(path), kfp_component_spec_pb2.ComponentSpec())
    container = spec.implementation.container
    return create_container_component(
        name=spec.name,
        image=container.image,
        command=[_argument(part) for part in (*container.command, *container.args)],
        inputs={declared.name: String for declared in spec.inputs},
        outputs={declared.name: String for declared in spec.outputs},
        parameters={},
    )


def _read(path: str) -> dict[str, Any]:
    """The file's content, in the form of the message: plain strings of a command are wrapped."""
    try:
        import yaml
    except ImportError as error:
        raise ImportError(f"Reading {path} needs PyYAML: pip install pyyaml.") from error
    with open(path, encoding="utf-8") as file:
        content: dict[str, Any] = yaml.safe_load(file)
    container = content.get("implementation", {}).get("container", {})
    for key in ("command", "args"):
        if isinstance(container.get(key), list):
            container[key] = [
                {"constantValue": part} if isinstance(part, str) else part
                for part in container[key]
            ]
    return content


def _argument(
    part: kfp_component_spec_pb2.StringOrPlaceholder,
) -> placeholders.CommandlineArgumentType:
    kind = part.WhichOneof("wrapped_value")
    if kind is None:
        raise ValueError(f"Unrecognized command {part}")
    return _PLACEHOLDERS[kind](getattr(part, kind))
