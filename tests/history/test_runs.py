"""`trainwright.runs`: what a program asks about the past."""

import pytest

import trainwright
from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component
from trainwright.metadata.connection import open_store
from trainwright.orchestration.events import NodeFailed


@component
def count() -> OutputDict(number=int):
    return {"number": 3}


@component
def divide(number: int, by: Parameter[int]) -> OutputDict(result=float):
    return {"result": number / by}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The path of a store with a complete run, a failed one, and one of another pipeline."""
    directory = tmp_path_factory.mktemp("history")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(directory / "state"))
        patch.chdir(directory)
        for name, by in (("seal", 1), ("penguin", 2), ("penguin", 0)):
            counter = count()
            divider = divide(number=counter.outputs["number"], by=by)
            pipeline = Pipeline(
                pipeline_name=name,
                pipeline_root=str(directory / name),
                components=[counter, divider],
                metadata_connection_config=f"sqlite:///{directory}/metadata.db",
                enable_cache=True,
            )
            try:
                LocalDagRunner().run(pipeline)
            except ZeroDivisionError:
                assert by == 0
    return directory / "metadata.db"


def test_the_latest_run_and_its_nodes(store):
    run = trainwright.runs("penguin", store=store).latest
    assert (run.pipeline, run.state, list(run)) == ("penguin", "failed", ["count", "divide"])
    assert [node.state for node in run.values()] == ["cached", "failed"]
    assert "division by zero" in run["divide"].error
    assert run["divide"].properties == {"by": 0}
    assert len(run["divide"].outputs) == 0
    assert run["divide"].inputs.number.uri == run["count"].outputs.number.uri


def test_outputs_lead_to_files(store):
    found = trainwright.runs("penguin", store=store)
    result = found.latest_complete["divide"].outputs.result
    assert result.type.name == "Float"
    with open(result.uri) as file:
        assert float(file.read()) == 1.5
    assert found.latest_complete["divide"].outputs["result"] == [result]


def test_runs_are_found_by_their_ids(store):
    found = trainwright.runs(store=store)
    everything = list(found)
    assert [run.pipeline for run in everything] == ["penguin", "penguin", "seal"]
    assert [run.run_id for run in found.newest(2)] == [run.run_id for run in everything[:2]]
    oldest = everything[-1].run_id
    assert found[oldest].run_id == oldest
    assert found["latest"].run_id == everything[0].run_id
    with pytest.raises(LookupError, match=f"Run {oldest} is of pipeline 'seal', not of 'penguin'"):
        trainwright.runs("penguin", store=store)[oldest]
    with pytest.raises(LookupError, match="'1999' matches no run. Some are: "):
        found["1999"]
    with pytest.raises(TypeError, match="found by its id"):
        found[0]


def test_runs_are_found_by_their_state(store):
    found = trainwright.runs(store=store)
    assert [run.state for run in found.newest(None, state="failed")] == ["failed"]
    assert found.newest(5, state="died") == []
    with pytest.raises(ValueError, match="got 'completed'; did you mean 'complete'"):
        found.newest(5, state="completed")


def test_names_that_are_not_there_are_guessed(store):
    with pytest.raises(LookupError, match="no runs of a pipeline 'pengin'; did you mean 'penguin'"):
        trainwright.runs("pengin", store=store)
    run = trainwright.runs("seal", store=store).latest
    with pytest.raises(KeyError, match="has no node 'divde'; did you mean 'divide'"):
        run["divde"]
    with pytest.raises(AttributeError, match="output of <node divide: complete> 'resul'; did you"):
        _ = run["divide"].outputs.resul


def test_the_store_is_found_as_commands_find_it(store, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(store.parent)
    monkeypatch.setenv("TRAINWRIGHT_STORE", "metadata.db")
    assert trainwright.runs("seal").latest.state == "complete"
    monkeypatch.delenv("TRAINWRIGHT_STORE")
    assert trainwright.runs("seal").latest.state == "complete"  # it lies in this directory
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LookupError, match="No run has been remembered yet"):
        trainwright.runs()
    with pytest.raises(LookupError, match="no metadata store at .*other.db"):
        trainwright.runs("seal", store=tmp_path / "other.db")
    assert not (tmp_path / "other.db").exists()


def test_an_open_store_stays_open(store):
    with open_store(store) as opened:
        assert trainwright.runs("seal", store=opened).latest["count"].state == "complete"
        assert opened.get_executions(limit=1)


def test_an_empty_store(tmp_path):
    with open_store(tmp_path / "metadata.db") as opened:
        found = trainwright.runs(store=opened)
        assert list(found) == []
        with pytest.raises(LookupError, match="holds no runs yet"):
            _ = found.latest


def test_what_is_known_of_a_node_beside_its_state(store):
    first, second = trainwright.runs("penguin", store=store).newest(2)[::-1]
    assert (first.state, second.state) == ("complete", "failed")
    assert first.started_at <= first.ended_at <= second.started_at
    assert second["count"].reason.startswith("unchanged since execution")
    assert second["divide"].reason == "property by changed from 2 to 0"
    assert second["count"].log == first["count"].log != first["divide"].log
    with open(second["divide"].log) as file:
        assert "division by zero" in file.read()
    differing = {node.node_id: node for node in second.compare(first)}
    assert differing["count"].is_same
    assert differing["divide"].properties == {"by": (0, 2)}
    assert differing["divide"].state == ("failed", "complete")


def test_events_of_a_run_that_is_over(store):
    run = trainwright.runs("penguin", store=store).latest
    events = list(run.follow())
    assert events[0].run_id == run.run_id
    assert events[-1].state == "failed"
    (failed,) = [event for event in events if isinstance(event, NodeFailed)]
    assert (failed.node, failed.headline) == ("divide", "ZeroDivisionError: division by zero")


def test_lineage_of_an_output(store):
    found = trainwright.runs("penguin", store=store)
    run = found.latest_complete
    number, result = run["count"].outputs.number, run["divide"].outputs.result
    assert set(found.lineage(result).artifacts) == {number.id, result.id}
    assert set(found.lineage(result.id, depth=1).executions) == {run["divide"].execution_id}
    below = found.lineage(number, down=True)
    assert run["divide"].execution_id in below.executions
    with pytest.raises(LookupError, match="There is no artifact 999 in the store"):
        found.lineage(999)
