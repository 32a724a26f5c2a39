"""BeamDagRunner and LocalDagRunner of TFX programs run here, and refuse what they cannot launch."""

from __future__ import annotations

import logging

import pytest
from google.protobuf.empty_pb2 import Empty

from tfx.orchestration.beam.beam_dag_runner import BeamDagRunner
from tfx.orchestration.config.docker_component_config import DockerComponentConfig
from tfx.orchestration.config.pipeline_config import PipelineConfig
from tfx.orchestration.launcher.docker_component_launcher import DockerComponentLauncher
from tfx.orchestration.local.local_dag_runner import LocalDagRunner
from tfx.orchestration.tfx_runner import TfxRunner
from trainwright import LocalDagRunner as OurLocalDagRunner
from trainwright import OutputArtifact, Pipeline, component
from trainwright.types import standard_artifacts


@component
def write_greeting(greeting: OutputArtifact[standard_artifacts.String]) -> None:
    greeting.value = "hello"


@pytest.fixture
def pipeline(tmp_path):
    return Pipeline("greeting", str(tmp_path / "root"), components=[write_greeting()])


def test_beam_dag_runner_runs_here_and_says_so(pipeline, caplog):
    with caplog.at_level(logging.WARNING):
        result = BeamDagRunner().run(pipeline)
    assert result.state == "complete"
    (message,) = [record.getMessage() for record in caplog.records]
    assert (
        message
        == "BeamDagRunner runs the nodes on this machine as LocalDagRunner does, without Beam."
    )


def test_flags_of_the_orchestrator_are_said_to_have_no_effect(pipeline, caplog, monkeypatch):
    monkeypatch.setattr(OurLocalDagRunner, "run", lambda *arguments, **options: None)
    with caplog.at_level(logging.WARNING):
        BeamDagRunner(beam_orchestrator_args=["--runner=FlinkRunner"]).run(pipeline)
    assert "beam_orchestrator_args ['--runner=FlinkRunner'] have no effect" in caplog.text


def test_a_component_that_no_launcher_can_launch_is_refused(pipeline, tmp_path):
    config = PipelineConfig(supported_launcher_classes=[DockerComponentLauncher])
    for runner in (BeamDagRunner(config=config), LocalDagRunner(config=config)):
        assert runner.config is config
        with pytest.raises(RuntimeError, match='No launcher info .* component "write_greeting"'):
            runner.run(pipeline)
    assert not (tmp_path / "root").exists()


def test_an_override_counts_alone_for_its_component(pipeline):
    override = DockerComponentConfig(name="one")
    config = PipelineConfig(component_config_overrides={"write_greeting": override})
    with pytest.raises(RuntimeError, match="No launcher info can be found"):
        LocalDagRunner(config=config).run(pipeline)


def test_a_compiled_pipeline_is_not_what_run_takes():
    with pytest.raises(ValueError, match='Did you mean to call the "run_with_ir" method'):
        LocalDagRunner().run(Empty())


def test_the_runners_are_tfx_runners():
    assert isinstance(BeamDagRunner(), TfxRunner)
    assert issubclass(LocalDagRunner, TfxRunner)
