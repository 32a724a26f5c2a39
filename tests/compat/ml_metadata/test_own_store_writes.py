"""Writing to Trainwright's own store: what comes back, and what runs rely on and stays theirs."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import mlmd_guide
import mlmd_put_answers
import mlmd_reference_records
import pytest

import ml_metadata as mlmd
import trainwright
from ml_metadata import errors
from ml_metadata.proto import metadata_store_pb2 as pb
from trainwright.history.run_history import list_runs
from trainwright.metadata.connection import open_store
from trainwright.metadata.contexts import (
    cache_context,
    node_context,
    pipeline_context,
    run_context,
)
from trainwright.metadata.internal_properties import NODE_ID
from trainwright.metadata.leases import current_lease
from trainwright.metadata.lineage import trace_downstream, trace_upstream
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ExecutionState,
    RunNode,
    RunState,
    TypeRecord,
)
from trainwright.orchestration.cleanup.recovery import recover
from trainwright.orchestration.publishing.publisher import Publisher

SOURCES = str(Path(trainwright.__file__).parents[1])


@pytest.fixture
def core(own_config):
    """The same store as runs open it."""
    with open_store(own_config.sqlite.filename_uri) as core:
        yield core


@pytest.fixture
def own(own_config, core):
    return mlmd.MetadataStore(own_config)


def register(core, key="model", state=None):
    """An execution of a run, with the output that it is making; ended if a state is given."""
    execution, outputs = core.register_execution(
        TypeRecord(name="Trainer"),
        contexts=[
            pipeline_context("p"),
            run_context("run-1"),
            node_context("p", "Trainer"),
            cache_context("cache-key"),
        ],
        inputs={},
        pending_outputs=lambda number: {
            key: [ArtifactRecord(type=TypeRecord(name="Model"), uri=f"/root/{number}")]
        },
        custom_properties={NODE_ID: "Trainer", "steps": 3},
        lease=current_lease(),
    )
    if state is ExecutionState.COMPLETE:
        core.publish_execution(execution.id, outputs=outputs, custom_properties={})
    elif state is not None:
        core.fail_execution(execution.id, state=state, custom_properties={})
    return execution.id, outputs[key][0].id


def put_type(own, name="Model"):
    return own.put_artifact_type(pb.ArtifactType(name=name), can_omit_fields=True)


def put_training(own, state=pb.Execution.COMPLETE, contexts=(), **event):
    """An execution by hand with a model that it has made; returns their ids."""
    execution_type = own.put_execution_type(pb.ExecutionType(name="Training"))
    given = pb.Event(type=pb.Event.OUTPUT, **event)
    execution_id, (artifact_id,), _ = own.put_execution(
        pb.Execution(type_id=execution_type, last_known_state=state),
        [(pb.Artifact(type_id=put_type(own), uri="/by/hand"), given)],
        contexts,
        reuse_context_if_already_exist=True,
    )
    return execution_id, artifact_id


def comparable(path):
    """What is found in a store, without times and without the ids of types."""
    found = {}
    for what, messages in mlmd_reference_records.ask(str(path)).items():
        for message in messages:
            times = [one for one in message.DESCRIPTOR.fields_by_name if one.endswith("_epoch")]
            for field in [*times, "type_id"]:
                if field in message.DESCRIPTOR.fields_by_name:
                    message.ClearField(field)
            if what.endswith("_types"):
                message.ClearField("id")
        found[what] = sorted(one.SerializeToString(deterministic=True) for one in messages)
    return found


def test_records_of_every_kind_come_back_as_from_a_file_of_ml_metadata(own_config, tmp_path):
    own, file = own_config.sqlite.filename_uri, str(tmp_path / "file.db")
    for path in (own, file):
        mlmd_reference_records.write(path)
    assert comparable(own) == comparable(file)


def test_puts_are_answered_as_by_a_file_of_ml_metadata(own_config, tmp_path):
    answers = mlmd_put_answers.answers(own_config.sqlite.filename_uri)
    assert answers == mlmd_put_answers.answers(str(tmp_path / "file.db"))
    assert answers["with its context"] == (2, [4], [1])


def test_the_guide_of_ml_metadata_works_on_a_store_of_trainwright(own_config):
    mlmd_guide.work_on(own_config.sqlite.filename_uri)


def test_runs_and_commands_see_what_was_written_and_readers_at_once(own_config, core):
    early = mlmd.MetadataStore(own_config)
    assert early.get_artifacts() == []
    own = mlmd.MetadataStore(own_config)
    execution_id, artifact_id = put_training(own)
    assert [one.id for one in early.get_artifacts()] == [artifact_id]
    (record,) = core.get_artifacts(type_name="Model")
    assert (record.id, record.uri, record.state) == (artifact_id, "/by/hand", ArtifactState.LIVE)
    assert core.get_execution(execution_id).state is ExecutionState.COMPLETE
    made = trace_upstream(core, artifact_ids=[artifact_id])
    assert list(made.executions) == [execution_id]


def test_ids_count_on_with_those_of_runs(own, core):
    first, model = register(core)
    assert put_training(own) == (first + 1, model + 1)
    assert register(core) == (first + 2, model + 2)


def test_the_state_of_an_execution_of_a_run_is_the_runs(own, core):
    execution_id, _ = register(core)
    (running,) = own.get_executions()
    for state in (pb.Execution.COMPLETE, pb.Execution.CANCELED):
        running.last_known_state = state
        with pytest.raises(errors.FailedPreconditionError, match="registered by a run"):
            own.put_executions([running])
    with pytest.raises(errors.FailedPreconditionError, match="field_mask_paths"):
        own.put_executions([pb.Execution(id=execution_id)])
    assert core.get_execution(execution_id).state is ExecutionState.RUNNING
    assert core.get_execution(execution_id).lease is not None
    core.fail_execution(execution_id, state=ExecutionState.FAILED, custom_properties={})
    with pytest.raises(errors.FailedPreconditionError, match="FAILED, not COMPLETE"):
        own.put_executions([pb.Execution(id=execution_id, last_known_state=pb.Execution.COMPLETE)])


def test_a_running_execution_takes_properties_and_keeps_what_runs_note(own, core):
    execution_id, _ = register(core)
    change = pb.Execution(id=execution_id, last_known_state=pb.Execution.RUNNING)
    change.custom_properties["note"].string_value = "by hand"
    own.put_executions([change])
    record = core.get_execution(execution_id)
    assert record.custom_properties == {NODE_ID: "Trainer", "note": "by hand"}
    assert record.lease is not None
    change.custom_properties[NODE_ID].string_value = "Evaluator"
    with pytest.raises(errors.FailedPreconditionError, match="use another name"):
        own.put_executions([change])
    core.publish_execution(execution_id, outputs={}, custom_properties={})
    assert core.get_execution(execution_id).custom_properties["note"] == "by hand"


def test_what_is_put_back_as_it_was_read_stays_as_the_run_wrote_it(own, core):
    properties = {"flag": True, "layers": [8, 8], "loss": float("inf"), "__kept_outputs__": ["a"]}
    execution = core.record_finished_execution(
        TypeRecord(name="Trainer"),
        state=ExecutionState.COMPLETE,
        contexts=[],
        inputs={},
        outputs={},
        custom_properties=properties,
    )
    nodes = [RunNode(node_id="a", upstream=())]
    core.register_run("run-1", pipeline="p", root="/r", nodes=nodes, lease=current_lease())
    (stored,) = own.get_executions()
    stored.custom_properties["note"].bool_value = True
    own.put_executions([stored])
    assert core.get_execution(execution.id).custom_properties == {**properties, "note": True}
    (again,) = own.get_executions()
    assert again.custom_properties == stored.custom_properties
    (context,) = own.get_contexts()
    run = core.get_context(run_context("run-1")).custom_properties
    heartbeat_at = core.update_run("run-1", is_alive=True).lease.heartbeat_at
    assert heartbeat_at > run["heartbeat_at"]
    context.custom_properties["note"].int_value = 1
    own.put_contexts([context])
    expected = {**run, "heartbeat_at": heartbeat_at, "note": 1}
    assert core.get_context(run_context("run-1")).custom_properties == expected


def test_infinite_numbers_are_refused_in_words(own):
    execution = pb.Execution(type_id=own.put_execution_type(pb.ExecutionType(name="T")))
    execution.custom_properties["bound"].double_value = float("-inf")
    with pytest.raises(errors.InvalidArgumentError, match="Set string_value to '-inf'"):
        own.put_executions([execution])


def test_outputs_that_are_made_or_removed_keep_their_state_and_place(own, core):
    _, pending = register(core)
    _, abandoned = register(core, state=ExecutionState.FAILED)
    last, marked = register(core, state=ExecutionState.COMPLETE)
    core.mark_for_deletion([marked], last_execution_id=last)
    for artifact_id in (pending, abandoned, marked):
        (artifact,) = own.get_artifacts_by_id([artifact_id])
        artifact.custom_properties["note"].int_value = 1
        own.put_artifacts([artifact])
        artifact.state = pb.Artifact.LIVE
        with pytest.raises(errors.FailedPreconditionError, match="an output of a run"):
            own.put_artifacts([artifact])
        with pytest.raises(errors.FailedPreconditionError, match="an output of a run"):
            own.put_artifacts([pb.Artifact(id=artifact_id, uri="/elsewhere")], ["uri"])
    states = [one.state for one in core.get_artifacts(ids=[pending, abandoned, marked])]
    assert states == [
        ArtifactState.MARKED_FOR_DELETION,
        ArtifactState.ABANDONED,
        ArtifactState.PENDING,
    ]


def test_a_published_artifact_can_be_changed(own, core):
    _, model = register(core, state=ExecutionState.COMPLETE)
    (artifact,) = own.get_artifacts()
    artifact.custom_properties["accuracy"].double_value = 0.5
    artifact.state = pb.Artifact.DELETED
    own.put_artifacts([artifact])
    (record,) = core.get_artifacts(ids=[model])
    assert record.state is ArtifactState.DELETED
    assert record.custom_properties == {"accuracy": 0.5}
    (stored,) = own.get_artifacts()
    assert stored.last_update_time_since_epoch >= artifact.last_update_time_since_epoch
    assert stored.custom_properties == artifact.custom_properties


def test_outputs_by_hand_are_not_what_the_node_declares(own, core):
    execution_id, _ = register(core, key="model")
    event = pb.Event(execution_id=execution_id, type=pb.Event.OUTPUT)
    event.path.steps.add(key="model")
    event.path.steps.add(index=0)
    (event.artifact_id,) = own.put_artifacts([pb.Artifact(type_id=put_type(own), uri="/by/hand")])
    pending = pb.Event(
        execution_id=execution_id, artifact_id=event.artifact_id, type=pb.Event.PENDING_OUTPUT
    )
    own.put_events([event, pending])
    published = core.publish_execution(execution_id, outputs={}, custom_properties={})
    assert published == {}
    (record,) = core.get_artifacts(ids=[event.artifact_id])
    assert record.state is ArtifactState.LIVE
    given = own.get_events_by_artifact_ids([event.artifact_id])
    assert [one.type for one in given] == [pb.Event.OUTPUT, pb.Event.PENDING_OUTPUT]
    assert given[0].path == event.path
    # Lineage goes along it all the same.
    assert event.artifact_id in trace_downstream(core, execution_ids=[execution_id]).artifacts


def test_an_execution_by_hand_is_left_to_who_wrote_it(own, core, tmp_path):
    context_type = own.put_context_type(pb.ContextType(name="pipeline"))
    pipeline = pb.Context(type_id=context_type, name="p")
    execution_id, _ = put_training(own, pb.Execution.RUNNING, [pipeline])
    assert recover(Publisher(core, str(tmp_path)), "p") == []
    assert core.get_execution(execution_id).state is ExecutionState.RUNNING
    own.put_executions([pb.Execution(id=execution_id, last_known_state=pb.Execution.COMPLETE)])
    assert core.get_execution(execution_id).state is ExecutionState.COMPLETE


def test_the_history_of_runs_and_the_cache_take_nothing_from_outside(own, core):
    execution_id, _ = register(core, state=ExecutionState.COMPLETE)
    core.register_run("run-1", pipeline="p", root="/r", nodes=[], lease=current_lease())
    core.update_run("run-1", state=RunState.COMPLETE)
    contexts = {one.type: one for one in own.get_contexts()}
    by_hand, _ = put_training(own)
    link = pb.Association(execution_id=by_hand, context_id=contexts["execution_cache"].id)
    with pytest.raises(errors.FailedPreconditionError, match="what they can reuse"):
        own.put_attributions_and_associations([], [link])
    (other,) = own.put_contexts([pb.Context(type_id=contexts["pipeline"].type_id, name="q")])
    link = pb.Association(execution_id=execution_id, context_id=other)
    with pytest.raises(errors.FailedPreconditionError, match="another type"):
        own.put_attributions_and_associations([], [link])
    with pytest.raises(errors.FailedPreconditionError, match="runs find their history"):
        own.put_contexts([pb.Context(id=contexts["pipeline"].id, name="renamed")])
    run = contexts["pipeline_run"]
    with pytest.raises(errors.FailedPreconditionError, match="'state' of context"):
        own.put_contexts(
            [
                pb.Context(
                    id=run.id, name=run.name, custom_properties={"state": pb.Value(int_value=1)}
                )
            ]
        )
    note = {"note": pb.Value(string_value="by hand")}
    own.put_contexts([pb.Context(id=run.id, name=run.name, custom_properties=note)])
    (history,) = list_runs(core)
    assert (history.run_id, history.state) == ("run-1", "complete")
    group_type = own.put_context_type(pb.ContextType(name="experiment"))
    (group,) = own.put_contexts([pb.Context(type_id=group_type, name="first")])
    link = pb.Association(execution_id=execution_id, context_id=group)
    own.put_attributions_and_associations([], [link])
    assert [one.id for one in own.get_executions_by_context(group)] == [execution_id]


def test_what_was_refused_leaves_nothing_of_its_call(own, core):
    execution_id, _ = register(core)
    type_id = put_type(own)
    bad = pb.Execution(id=execution_id, last_known_state=pb.Execution.FAILED)
    with pytest.raises(errors.FailedPreconditionError):
        own.put_execution(bad, [(pb.Artifact(type_id=type_id, uri="/new"), None)], [])
    with pytest.raises(errors.FailedPreconditionError):
        own.put_lineage_subgraph([bad], [pb.Artifact(type_id=type_id, uri="/new")], [], [])
    assert len(own.get_artifacts()) == 1


def test_what_the_caller_says_of_is_external_comes_back_and_runs_know_better(own, core):
    given = pb.Artifact(type_id=put_type(own), uri="/by/hand")
    given.custom_properties["is_external"].int_value = 0
    (given.id,) = own.put_artifacts([given])
    assert core.get_artifacts()[0].custom_properties == {"is_external": 1}
    assert own.get_artifacts()[0].custom_properties == given.custom_properties
    own.put_artifacts([pb.Artifact(id=given.id, uri="/by/hand")])
    assert core.get_artifacts()[0].custom_properties == {"is_external": 1}
    assert not own.get_artifacts()[0].custom_properties


def test_a_store_opened_for_reading_is_refused_in_words(own_config, core):
    own_config.sqlite.connection_mode = pb.SqliteMetadataSourceConfig.READONLY
    store = mlmd.MetadataStore(own_config)
    with pytest.raises(errors.PermissionDeniedError, match="connection_mode READONLY"):
        store.put_artifact_type(pb.ArtifactType(name="A"))


def test_a_store_that_may_only_be_read_is_refused_in_words(open_directory, only_reading):
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = str(open_directory / "metadata.db")
    open_store(config.sqlite.filename_uri).close()
    with only_reading(open_directory):
        store = mlmd.MetadataStore(config)
        with pytest.raises(errors.PermissionDeniedError, match="Give this user write access"):
            store.put_artifact_type(pb.ArtifactType(name="A"))
        assert store.get_artifact_types() == []


KILLED = """
import os, signal, sys
import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2 as pb
from trainwright.compat.ml_metadata.sqlite.own_writer import OwnStoreWriter

config = pb.ConnectionConfig()
config.sqlite.filename_uri = sys.argv[1]
store = mlmd.MetadataStore(config)
model = store.put_artifact_type(pb.ArtifactType(name="Model"))
train = store.put_execution_type(pb.ExecutionType(name="Train"))
insert_event = OwnStoreWriter.insert_event

def insert_and_die(self, event, at):
    insert_event(self, event, at)
    os.kill(os.getpid(), signal.SIGKILL)

OwnStoreWriter.insert_event = insert_and_die
store.put_execution(
    pb.Execution(type_id=train),
    [(pb.Artifact(type_id=model, uri="u"), pb.Event(type=pb.Event.OUTPUT))],
    [],
)
"""


def run_with_sources(script, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        env={**os.environ, "PYTHONPATH": SOURCES},
    )


def test_killed_in_the_middle_of_a_put_leaves_nothing_of_it(own_config, core):
    process = run_with_sources(KILLED, own_config.sqlite.filename_uri)
    assert process.wait(60) == -signal.SIGKILL
    own = mlmd.MetadataStore(own_config)
    assert [one.name for one in own.get_artifact_types()] == ["Model"]
    assert own.get_artifacts() == own.get_executions() == []
    assert core.get_executions() == []
    assert put_training(own) == (1, 1)


WRITER = """
import sys
import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2 as pb

config = pb.ConnectionConfig()
config.sqlite.filename_uri = sys.argv[1]
store = mlmd.MetadataStore(config)
model = store.put_artifact_type(pb.ArtifactType(name="Model"))
train = store.put_execution_type(pb.ExecutionType(name="Train"))
group = store.put_context_type(pb.ContextType(name="group"))
for number in range(20):
    store.put_execution(
        pb.Execution(type_id=train),
        [(pb.Artifact(type_id=model, uri=sys.argv[2]), pb.Event(type=pb.Event.OUTPUT))],
        [pb.Context(type_id=group, name="all")],
        reuse_context_if_already_exist=True,
    )
"""


def test_two_programs_and_a_run_write_at_once(own_config, core):
    writers = [run_with_sources(WRITER, own_config.sqlite.filename_uri, name) for name in "ab"]
    registered = 0
    while any(writer.poll() is None for writer in writers):
        register(core, state=ExecutionState.COMPLETE)
        registered += 1
    assert [writer.returncode for writer in writers] == [0, 0]
    own = mlmd.MetadataStore(own_config)
    (group,) = own.get_contexts_by_type("group")
    by_hand = own.get_artifacts_by_context(group.id)
    assert sorted(one.uri for one in by_hand) == ["a"] * 20 + ["b"] * 20
    assert len(own.get_executions()) == len(own.get_artifacts()) == 40 + registered
    for artifact in by_hand:
        assert len(own.get_events_by_artifact_ids([artifact.id])) == 1
