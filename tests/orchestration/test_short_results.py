"""Short access to a run's results: `result["Trainer"].model.uri`; and the root of exceptions."""

import pytest

import trainwright
from trainwright import LocalDagRunner, OutputDict, Pipeline, component
from trainwright.components import Pusher
from trainwright.dsl.resolver import Resolver
from trainwright.types.channel import Channel
from trainwright.types.standard_artifacts import Model


@component
def count() -> OutputDict(total=int):
    return {"total": 1}


@component
def fail(total: int) -> OutputDict(out=int):
    raise LookupError(str(total))


def test_an_output_of_a_run_is_an_attribute(tmp_path):
    result = LocalDagRunner().run(Pipeline("short", str(tmp_path), components=[count()]))
    assert result["count"].total.uri == result.outputs["count"]["total"][0].uri
    with pytest.raises(AttributeError, match="has no output 'totl'; did you mean 'total'"):
        result["count"].totl
    with pytest.raises(KeyError, match="no node 'cuont'; did you mean 'count'"):
        result["cuont"]


def test_failed_runs_and_pipelines_that_cannot_run_have_one_root(tmp_path):
    pipeline = Pipeline("short", str(tmp_path), components=[fail(total=count().outputs.total)])
    with pytest.raises(trainwright.TrainwrightError) as raised:
        LocalDagRunner().run(pipeline)
    assert isinstance(raised.value, LookupError)
    with pytest.raises(trainwright.TrainwrightError) as raised:
        LocalDagRunner().run(Pipeline("short", "", components=[count()]))
    assert isinstance(raised.value, ValueError)


def test_a_mistake_in_the_settings_of_a_project_has_the_same_root(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TRAINWRIGHT_STORE", raising=False)
    (tmp_path / "trainwright.toml").write_text("[stroe]\n")
    with pytest.raises(trainwright.TrainwrightError, match="stroe") as raised:
        trainwright.runs()
    assert isinstance(raised.value, ValueError)


def test_a_destination_is_a_plain_path():
    pusher = Pusher(model=Channel(type=Model), push_destination="serving")
    destination = pusher.exec_properties["push_destination"]
    assert '"base_directory": "serving"' in str(destination)


def test_common_resolvers_are_ready_made():
    assert Resolver.latest_blessed_model().id == "LatestBlessedModel"
    assert list(Resolver.latest_blessed_model().outputs) == ["model", "model_blessing"]
    assert Resolver.latest_model().outputs.model.type is Model
