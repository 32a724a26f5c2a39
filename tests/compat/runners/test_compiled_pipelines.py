"""Pipelines compiled in this process can be run; deployment configs are read from the messages."""

from __future__ import annotations

import pytest

from tfx.orchestration.beam.beam_dag_runner import BeamDagRunner
from tfx.orchestration.launcher.in_process_component_launcher import InProcessComponentLauncher
from tfx.orchestration.local import runner_utils
from tfx.orchestration.local.local_dag_runner import LocalDagRunner
from tfx.proto.orchestration import (
    executable_spec_pb2,
    local_deployment_config_pb2,
    pipeline_pb2,
    platform_config_pb2,
)
from trainwright import OutputArtifact, Pipeline, component
from trainwright.compat.runners import compiled_pipelines
from trainwright.types import standard_artifacts


@component
def greet(greeting: OutputArtifact[standard_artifacts.String]) -> None:
    greeting.value = "hello"


@component
def part(farewell: OutputArtifact[standard_artifacts.String]) -> None:
    farewell.value = "goodbye"


@pytest.fixture
def compiled(tmp_path):
    pipeline = Pipeline("greeting", str(tmp_path / "root"), components=[greet(), part()])
    message = pipeline_pb2.Pipeline()
    message.pipeline_info.id = "greeting"
    compiled_pipelines.remember(pipeline, message)
    return message


def test_a_compiled_pipeline_runs_in_whole_and_in_part(compiled):
    assert set(LocalDagRunner().run_with_ir(compiled).states) == {"greet", "part"}
    options = pipeline_pb2.RunOptions()
    options.partial_run.from_nodes.append("part")
    options.partial_run.snapshot_settings.latest_pipeline_run_strategy.SetInParent()
    result = BeamDagRunner().run_with_ir(compiled, run_options=options)
    assert set(result.states) == {"part"}


def test_a_compiled_pipeline_that_was_changed_is_refused(compiled):
    compiled.pipeline_info.id = "other"
    with pytest.raises(ValueError, match="give the Pipeline itself to run()"):
        LocalDagRunner().run_with_ir(compiled)


def test_the_compilers_deployment_config_becomes_one_of_this_machine():
    spec = executable_spec_pb2.PythonClassExecutableSpec(class_path="my.Executor")
    intermediate = pipeline_pb2.IntermediateDeploymentConfig()
    intermediate.executor_specs["mine"].Pack(spec)
    intermediate.executor_specs["empty"].Pack(executable_spec_pb2.BeamExecutableSpec())
    platform = platform_config_pb2.DockerPlatformConfig(docker_server_url="url")
    intermediate.node_level_platform_configs["mine"].Pack(platform)
    pipeline = pipeline_pb2.Pipeline()
    pipeline.deployment_config.Pack(intermediate)
    config = runner_utils.extract_local_deployment_config(pipeline)
    assert runner_utils.extract_executor_spec(config, "mine") == spec
    assert runner_utils.extract_executor_spec(config, "empty") is not None
    assert runner_utils.extract_executor_spec(config, "importer") is None
    assert runner_utils.extract_custom_driver_spec(config, "mine") is None
    assert config.node_level_platform_configs["mine"].docker_platform_config == platform


def test_a_deployment_config_of_this_machine_stays_as_it_is():
    local = local_deployment_config_pb2.LocalDeploymentConfig()
    local.executor_specs["mine"].container_executable_spec.image = "image"
    pipeline = pipeline_pb2.Pipeline()
    pipeline.deployment_config.Pack(local)
    assert runner_utils.extract_local_deployment_config(pipeline) == local


def test_a_deployment_config_of_another_kind_is_refused():
    pipeline = pipeline_pb2.Pipeline()
    pipeline.deployment_config.Pack(pipeline_pb2.PipelineInfo(id="no config"))
    with pytest.raises(ValueError, match="is not supported"):
        runner_utils.extract_local_deployment_config(pipeline)
    intermediate = pipeline_pb2.IntermediateDeploymentConfig()
    intermediate.executor_specs["mine"].Pack(pipeline_pb2.PipelineInfo())
    pipeline.deployment_config.Pack(intermediate)
    with pytest.raises(ValueError, match="Executor spec of mine is expected to be of one of"):
        runner_utils.extract_local_deployment_config(pipeline)


def test_a_launcher_says_who_runs_its_component():
    node = greet()
    launcher = InProcessComponentLauncher.create(node, None, None, None, [], {})
    with pytest.raises(RuntimeError, match=r"put 'greet' into a Pipeline"):
        launcher.launch()
