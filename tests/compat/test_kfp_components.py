"""A component file of Kubeflow Pipelines becomes a container component."""

from __future__ import annotations

import pytest

from tfx.dsl.component.experimental import placeholders
from tfx.dsl.components.base.executor_spec import ExecutorContainerSpec
from tfx.extensions.experimental.kfp_compatibility import kfp_container_component
from tfx.orchestration.launcher.container_common import resolve_container_template
from tfx.types import standard_artifacts

COMPONENT = """
name: Filter text
inputs:
- {name: text, type: String}
- {name: pattern, type: String}
outputs:
- {name: found, type: String}
implementation:
  container:
    image: alpine
    command: [grep, {inputValue: pattern}]
    args: [{inputPath: text}, --out, {outputPath: found}]
"""


def test_the_command_has_placeholders_for_inputs_and_outputs(tmp_path):
    pytest.importorskip("yaml")
    path = tmp_path / "component.yaml"
    path.write_text(COMPONENT)
    component = kfp_container_component.load_kfp_yaml_container_component(str(path))
    assert component.EXECUTOR_SPEC.image == "alpine"
    assert component.EXECUTOR_SPEC.command == [
        "grep",
        placeholders.InputValuePlaceholder("pattern"),
        placeholders.InputUriPlaceholder("text"),
        "--out",
        placeholders.OutputUriPlaceholder("found"),
    ]
    assert set(component.SPEC_CLASS.INPUTS) == {"text", "pattern"}
    assert set(component.SPEC_CLASS.OUTPUTS) == {"found"}


def test_a_template_of_a_command_gets_the_values_of_an_execution():
    model = standard_artifacts.Model()
    model.uri = "/models/1"
    template = ExecutorContainerSpec(
        image="trainer:{{exec_properties.version}}",
        command=["{{exec_properties.model}}_trainer"],
        args=["--out", '{{output_dict["model"][0].uri}}'],
    )
    resolved = resolve_container_template(
        template, {}, {"model": [model]}, {"version": "v1", "model": "cnn"}
    )
    assert (resolved.image, resolved.command) == ("trainer:v1", ["cnn_trainer"])
    assert resolved.args == ["--out", "/models/1"]
