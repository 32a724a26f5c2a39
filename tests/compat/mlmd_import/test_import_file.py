"""Import of an ml-metadata file: what comes over and what does not."""

import contextlib
import json
import sqlite3

import pytest
from tfx_shaped_store import RUNS, open_store, write

import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2 as pb
from trainwright.compat.mlmd_import.import_file import find_import
from trainwright.compat.mlmd_import.source_file import MlmdFileError, open_mlmd_file
from trainwright.history.run_history import list_runs
from trainwright.metadata import contexts
from trainwright.metadata.records import EventType, ExecutionState, TypeRecord


def change(path, *statements):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_records_keep_their_ids_types_properties_states_and_times(mlmd_file, bring_over, tmp_path):
    before = open_store(mlmd_file)
    bring_over(mlmd_file)
    after = open_store(tmp_path / "new.db")
    for kind in ("artifact", "execution"):
        ids = [one.id for one in getattr(before, f"get_{kind}s")()]
        assert [one.id for one in getattr(after, f"get_{kind}s")()] == ids
        for id_ in ids:
            (old,) = getattr(before, f"get_{kind}s_by_id")([id_])
            (new,) = getattr(after, f"get_{kind}s_by_id")([id_])
            for name in set(new.custom_properties) - set(old.custom_properties):
                assert name in ("__node_id__", "__run_id__")
                del new.custom_properties[name]
            assert new == old
    events = before.get_events_by_execution_ids(range(1, 7))
    assert len(events) == 12
    by_place = lambda one: (one.execution_id, one.type, one.path.steps[0].key)  # noqa: E731
    found = after.get_events_by_execution_ids(range(1, 7))
    assert sorted(found, key=by_place) == sorted(events, key=by_place)
    model = after.get_artifact_type("Model")
    assert model == before.get_artifact_type("Model")
    assert model.base_type == pb.ArtifactType.MODEL
    for old in before.get_contexts():
        new = after.get_context_by_type_and_name(old.type, old.name)
        assert (new.id, new.create_time_since_epoch) == (old.id, old.create_time_since_epoch)
        members = [one.id for one in before.get_artifacts_by_context(old.id)]
        assert [one.id for one in after.get_artifacts_by_context(old.id)] == members


def test_runs_are_known_as_those_of_trainwright(mlmd_file, bring_over, tmp_path):
    store, summary = bring_over(mlmd_file)
    newest, oldest = list_runs(store)
    assert (oldest.run_id, newest.run_id) == RUNS
    assert newest.pipeline == "penguin"
    assert newest.state == "complete"
    assert newest.root == str(tmp_path / "root")
    assert [node.node_id for node in newest.nodes] == ["CsvExampleGen", "Trainer", "Evaluator"]
    assert summary.pipelines == {"penguin": 2}
    assert summary.counts["executions"] == 6


def test_new_records_get_ids_behind_the_imported_ones(mlmd_file, bring_over):
    store, _ = bring_over(mlmd_file)
    made = store.record_finished_execution(
        TypeRecord(name="Mine"),
        state=ExecutionState.COMPLETE,
        contexts=[contexts.pipeline_context("penguin")],
        inputs={"model": [2]},
        outputs={},
        custom_properties={},
    )
    assert made.id == 7
    assert {one.execution_id for one in store.get_events(artifact_ids=[2])} == {2, 3, 7}


def test_a_store_with_records_is_refused_and_stays_as_it_is(mlmd_file, bring_over, tmp_path):
    store, _ = bring_over(mlmd_file)
    other = tmp_path / "other.db"
    write(other, tmp_path / "other-root", runs=RUNS[:1])
    with pytest.raises(MlmdFileError, match=r"has records already .*6 executions.*would clash"):
        bring_over(other)
    assert len(store.get_executions()) == 6


def test_an_import_is_remembered_by_what_the_file_holds(mlmd_file, bring_over):
    store, _ = bring_over(mlmd_file)
    copy = mlmd_file.with_name("copy.db")
    copy.write_bytes(mlmd_file.read_bytes())
    with open_mlmd_file(str(copy)) as file:
        assert find_import(store, file) is not None
    change(copy, "UPDATE Execution SET last_update_time_since_epoch = 7 WHERE id = 1")
    with open_mlmd_file(str(copy)) as file:
        assert find_import(store, file) is None


def test_what_fails_midway_leaves_nothing(mlmd_file, bring_over, tmp_path):
    change(mlmd_file, "UPDATE Execution SET type_id = 999 WHERE id = 6")
    with pytest.raises(MlmdFileError, match=r"damaged: execution 6 has type 999"):
        bring_over(mlmd_file)
    with contextlib.closing(sqlite3.connect(tmp_path / "new.db")) as connection:
        for table in ("types", "artifacts", "executions", "events", "contexts"):
            assert connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (0,)


def test_what_had_not_finished_has_failed_and_what_has_no_state_counts(mlmd_file, bring_over):
    change(
        mlmd_file,
        "UPDATE Execution SET last_known_state = 2 WHERE id = 6",
        "UPDATE Execution SET last_known_state = NULL WHERE id = 5",
        "UPDATE Artifact SET state = NULL WHERE id = 5",
    )
    store, summary = bring_over(mlmd_file)
    assert store.get_execution(6).state is ExecutionState.FAILED
    assert "had not finished (RUNNING)" in store.get_execution(6).custom_properties["__error__"]
    assert store.get_execution(5).state is ExecutionState.COMPLETE
    assert list_runs(store)[0].state == "failed"
    assert summary.remarks == [
        "Executions that had not finished, and count as FAILED now: 1.",
        "Artifacts and executions that had no state, and count as LIVE and COMPLETE: 2.",
    ]


def test_events_without_a_path_or_with_the_same_one_all_come_over(mlmd_file, bring_over):
    change(mlmd_file, "DELETE FROM EventPath", "UPDATE Event SET type = 3 WHERE execution_id = 3")
    store, summary = bring_over(mlmd_file)
    events = store.get_events(execution_ids=[3])
    assert {one.type for one in events} == {EventType.INPUT}
    assert sorted((one.key, one.index) for one in events) == [("", 0), ("", 1), ("", 2)]
    assert summary.counts["events"] == 12


def test_what_refers_to_nothing_is_left_out_and_told(mlmd_file, bring_over):
    change(
        mlmd_file,
        "INSERT INTO Event (artifact_id, execution_id, type) VALUES (99, 1, 4), (1, 2, 0)",
        "INSERT INTO Association (context_id, execution_id) VALUES (99, 1)",
        "INSERT INTO ArtifactProperty (artifact_id, name, is_custom_property) VALUES (99, 'a', 1)",
        "INSERT INTO ParentContext VALUES (1, 2)",
    )
    _, summary = bring_over(mlmd_file)
    assert summary.left_out == {
        "parent contexts": 1,
        "events without a type, an artifact or an execution": 2,
    }


def test_versions_of_a_type_become_types_of_their_own(tmp_path, bring_over):
    path = tmp_path / "versions.db"
    source = open_store(path)
    for version in (None, "2"):
        type_id = source.put_artifact_type(pb.ArtifactType(name="Model", version=version))
        source.put_artifacts([pb.Artifact(type_id=type_id, uri=f"version {version}")])
    store, summary = bring_over(path)
    (plain,) = store.get_artifacts(type_name="Model")
    (second,) = store.get_artifacts(type_name="Model@2")
    assert (plain.uri, second.uri) == ("version None", "version 2")
    assert "are called Model@2" in summary.remarks[-1]


def test_notes_that_only_trainwright_makes_are_not_taken_from_a_file(mlmd_file, bring_over):
    change(
        mlmd_file,
        "INSERT INTO ExecutionProperty (execution_id, name, is_custom_property, string_value) "
        "VALUES (1, '__reused_execution__', 1, 'x'), (1, '__node_id__', 1, '../..')",
        "INSERT INTO ContextProperty (context_id, name, is_custom_property, int_value) "
        "SELECT c.id, 'state', 1, 3 FROM Context AS c JOIN Type AS t ON t.id = c.type_id "
        "WHERE t.name = 'pipeline_run'",
    )
    store, _ = bring_over(mlmd_file)
    properties = store.get_execution(1).custom_properties
    assert properties["__node_id__"] == "CsvExampleGen"
    assert "__reused_execution__" not in properties
    assert [run.state for run in list_runs(store)] == ["complete", "complete"]


def test_values_of_all_kinds(tmp_path, bring_over):
    path = tmp_path / "values.db"
    source = open_store(path)
    artifact = pb.Artifact(uri="u", type_id=source.put_artifact_type(pb.ArtifactType(name="A")))
    values = artifact.custom_properties
    values["int"].int_value = -(2**63)
    values["double"].double_value = 0.1
    values["infinite"].double_value = float("-inf")
    values["flag"].bool_value = False
    values["struct"].struct_value["list"] = [1, "two", {"three": None}]
    values["single"].struct_value["__value__"] = ["a"]
    values["message"].proto_value.Pack(pb.Context(name="packed"))
    values["unknown"].proto_value.type_url = "type.googleapis.com/nobody.Knows"
    values["hostile"].string_value = "\x1b[2J'; DROP TABLE artifacts; --\x00"
    values["broken"].string_value = "mlmd-struct::%%%"
    source.put_artifacts([artifact])
    store, _ = bring_over(path)
    (stored,) = store.get_artifacts()
    found = stored.custom_properties
    assert found["int"] == -(2**63)
    assert (found["double"], found["infinite"], found["flag"]) == (0.1, float("-inf"), False)
    assert found["struct"] == {"list": [1, "two", {"three": None}]}
    assert found["single"] == ["a"]
    assert found["message"]["name"] == "packed"
    assert found["unknown"] == {"@type": "type.googleapis.com/nobody.Knows", "value": ""}
    assert found["hostile"] == "\x1b[2J'; DROP TABLE artifacts; --\x00"
    assert found["broken"] == "mlmd-struct::%%%"
    reopened = mlmd.MetadataStore(open_config(tmp_path / "new.db"))
    (again,) = reopened.get_artifacts()
    assert again.custom_properties["message"] == values["message"]


def open_config(path):
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = str(path)
    return config


def test_it_goes_into_postgresql_as_well(mlmd_file, bring_over, postgres_url):
    store, summary = bring_over(mlmd_file, postgres_url)
    assert summary.counts["artifacts"] == 6
    assert json.dumps([run.run_id for run in list_runs(store)]) == json.dumps(list(RUNS[::-1]))
    made = store.record_finished_execution(
        TypeRecord(name="Mine"),
        state=ExecutionState.COMPLETE,
        contexts=[],
        inputs={},
        outputs={},
        custom_properties={},
    )
    assert made.id == 7


def test_a_file_whose_writer_died_is_not_read_half_written(mlmd_file, tmp_path):
    half = tmp_path / "half.db"
    with contextlib.closing(sqlite3.connect(mlmd_file)) as connection:
        connection.execute("PRAGMA cache_size = 1")  # so that changes go to the file at once
        connection.execute("UPDATE Artifact SET uri = 'half'")
        names = [("a" * 1000 + str(number),) for number in range(500)]
        connection.executemany("INSERT INTO Type (name, type_kind) VALUES (?, 1)", names)
        half.write_bytes(mlmd_file.read_bytes())
        journal = mlmd_file.with_name(f"{mlmd_file.name}-journal")
        half.with_name("half.db-journal").write_bytes(journal.read_bytes())
    refused = pytest.raises(MlmdFileError, match="has a rollback journal beside it")
    with refused, open_mlmd_file(str(half)):
        pass


def test_places_of_published_artifacts_are_counted(mlmd_file, bring_over):
    change(
        mlmd_file,
        "UPDATE Artifact SET uri = 'gs://bucket/model' WHERE id = 1",
        "UPDATE Artifact SET uri = 'nowhere/model' WHERE id = 2",
        "UPDATE Artifact SET uri = '/nowhere/model', state = 4 WHERE id = 3",
    )
    _, summary = bring_over(mlmd_file)
    assert (summary.remote, summary.relative, summary.missing_files) == (1, 1, 1)
