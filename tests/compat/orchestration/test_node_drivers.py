"""Drivers that are called by hand, on a metadata handle."""

import os
from pathlib import Path

import pytest

from trainwright.compat.mlmd.connections import sqlite_metadata_connection_config
from trainwright.compat.mlmd.metadata import Metadata
from trainwright.compat.orchestration.node_drivers import ImporterDriver, ResolverDriver
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.driver_messages import DriverArgs
from trainwright.dsl.pipeline_info import ComponentInfo, PipelineInfo
from trainwright.dsl.strategies.latest_artifact_strategy import LatestArtifactStrategy
from trainwright.types.channel import Channel
from trainwright.types.standard_artifacts import Examples, String


@pytest.fixture
def handle(tmp_path):
    with Metadata(sqlite_metadata_connection_config(str(tmp_path / "metadata.db"))) as handle:
        yield handle


def decide(driver, tmp_path, inputs, outputs, properties, **args):
    pipeline = PipelineInfo("pipeline", str(tmp_path), "run")
    component = ComponentInfo("module.Node", "node", pipeline)
    return driver.pre_execution(
        inputs, outputs, properties, DriverArgs(**args), pipeline, component
    )


def test_a_driver_makes_places_for_outputs(handle, tmp_path):
    outputs = {"text": Channel(type=String), "examples": Channel(type=Examples)}
    decision = decide(BaseDriver(handle), tmp_path, {}, outputs, {"steps": 3}, enable_cache=False)
    assert not decision.use_cached_results
    place = tmp_path / "node"
    assert decision.output_dict["examples"][0].uri == str(
        place / "examples" / str(decision.execution_id)
    )
    assert decision.output_dict["text"][0].uri == str(
        place / "text" / str(decision.execution_id) / "value"
    )
    assert os.path.isdir(decision.output_dict["examples"][0].uri)
    assert decision.exec_properties == {"steps": 3}


def test_inputs_must_be_there():
    missing = Examples()
    missing.uri = "/nowhere"
    with pytest.raises(RuntimeError):
        BaseDriver().verify_input_artifacts({"examples": [missing]})


def test_given_inputs_must_have_been_made():
    channel = Channel(type=Examples, artifacts=[Examples()])
    args = DriverArgs(interactive_resolution=True)
    with pytest.raises(ValueError, match="was passed in interactive mode"):
        BaseDriver().resolve_input_artifacts({"examples": channel}, {}, args, None)


def test_an_import_is_reused_until_its_properties_change(handle, tmp_path):
    Path(tmp_path, "data").mkdir()

    def imported(reimport=0, **custom):
        channel = Channel(type=Examples, additional_custom_properties=custom)
        properties = {
            "artifact_uri": str(tmp_path / "data"),
            "reimport": reimport,
            "output_key": "result",
        }
        driver = ImporterDriver(handle)
        decision = decide(driver, tmp_path, {}, {"result": channel}, properties)
        [artifact] = decision.output_dict["result"]
        assert artifact.is_external
        return artifact.id

    first = imported(year=2026)
    assert imported(year=2026) == first
    assert imported(year=2027) != first
    assert imported(1, year=2026) != first


def test_a_resolver_chooses_among_what_was_published(handle, tmp_path):
    pipeline = PipelineInfo("pipeline", str(tmp_path), "run")
    component = ComponentInfo("module.Maker", "maker", pipeline)
    contexts = handle.register_pipeline_contexts_if_not_exists(pipeline)
    for name in "ab":
        examples = Examples()
        examples.uri = str(tmp_path / name)
        handle.publish_artifacts([examples])
        handle.register_execution(
            exec_properties={}, pipeline_info=pipeline, component_info=component, contexts=contexts
        )
        handle.publish_execution(
            component_info=component, output_artifacts={"examples": [examples]}
        )

    def chosen(properties):
        channels = {"examples": Channel(type=Examples)}
        driver = ResolverDriver(handle)
        decision = decide(driver, tmp_path, channels, dict(channels), properties)
        assert decision.use_cached_results
        return {os.path.basename(artifact.uri) for artifact in decision.output_dict["examples"]}

    assert chosen({}) == {"a", "b"}
    assert chosen({"resolver_class": LatestArtifactStrategy, "source_uri": {}}) == {"b"}
