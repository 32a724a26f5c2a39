"""The metadata store in an SQLite file: its contract, and what is special to SQLite."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from trainwright.metadata import contexts, migrations, sqlite_backend
from trainwright.metadata.connection import open_store
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import ExecutionState, RunNode, RunState
from trainwright.metadata.sql_store import SqlMetadataStore
from trainwright.metadata.sqlite_backend import SqliteBackend
from trainwright.metadata.store import DamagedRecordError, MetadataError
from trainwright.testing.store_contract import MetadataStoreContract
from trainwright.testing.store_samples import NODE, PIPELINE, complete, content, register


@pytest.fixture
def path(tmp_path):
    return tmp_path / "metadata.db"


class TestSqliteStore(MetadataStoreContract):
    @pytest.fixture
    def store_url(self, path):
        return f"sqlite:///{path}"


def execute(path, *statements):
    connection = sqlite3.connect(path)
    rows = [connection.execute(statement).fetchall() for statement in statements]
    connection.commit()
    connection.close()
    return rows[-1]


def test_file_is_in_wal_mode_and_checks_references(path):
    with SqlMetadataStore(f"sqlite:///{path}") as store:
        assert execute(path, "PRAGMA journal_mode") == [("wal",)]
        with store._backend.reading() as connection:
            assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
            assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
            assert connection.execute(text("PRAGMA busy_timeout")).scalar() == 60_000


def test_file_that_left_wal_mode_returns_to_it(path):
    open_store(path).close()
    assert execute(path, "PRAGMA journal_mode = DELETE") == [("delete",)]
    open_store(path).close()
    assert execute(path, "PRAGMA journal_mode") == [("wal",)]


def test_change_to_wal_mode_waits_for_a_writer(path):
    open_store(path).close()
    execute(path, "PRAGMA journal_mode = DELETE")
    writer = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    writer.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, writer.execute, ["ROLLBACK"])
    release.start()
    with open_store(path) as store:
        complete(store)
    release.join()
    writer.close()


def test_reader_does_not_wait_for_a_writer(path):
    with open_store(path) as store:
        complete(store)
        writer = sqlite3.connect(path, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        assert len(store.get_executions()) == 1
        writer.close()


def test_lock_that_is_never_released(path, monkeypatch):
    monkeypatch.setattr(sqlite_backend, "LOCK_TIMEOUT_SECONDS", 0.1)
    with open_store(path) as store:
        writer = sqlite3.connect(path, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(MetadataError, match=f"{path} has been locked by another process"):
            register(store)
        writer.execute("ROLLBACK")
        writer.close()
        register(store)


def test_connections_of_ended_threads_are_used_again(path):
    with SqlMetadataStore(f"sqlite:///{path}") as store:
        for _ in range(10):
            thread = threading.Thread(target=complete, args=(store,))
            thread.start()
            thread.join()
        assert store._backend._engine.pool.checkedin() == 1
        assert len(store.get_executions()) == 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_store_is_not_carried_across_a_fork(path):
    with open_store(path) as store:
        complete(store)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                store.get_executions()
            except MetadataError as error:
                os.write(writer, str(error).encode())
            store.close()
            os._exit(0)
        os.close(writer)
        message = os.read(reader, 10_000).decode()
        os.close(reader)
        os.waitpid(child, 0)
        assert f"opened in process {os.getpid()}" in message
        assert f"process {child}" in message
        assert "Open it again" in message
        complete(store)


def test_no_query_scans_a_growing_table(path):
    """Each question has its index, and none that may have a limit sorts what it does not return."""
    with SqlMetadataStore(f"sqlite:///{path}") as store:
        complete(store)
        statements = []
        store._backend._engine.pool.dispose()
        with store._backend.reading() as connection:
            connection.connection.driver_connection.set_trace_callback(statements.append)
        execution, (output,) = complete(store)
        finished = [ExecutionState.COMPLETE, ExecutionState.CACHED]
        store.get_executions(context=NODE, states=finished, limit=1)
        store.get_executions(context=PIPELINE, limit=10)
        store.get_executions(states=[ExecutionState.RUNNING])
        store.get_executions(context=NODE, states=[ExecutionState.RUNNING])
        store.get_artifacts(ids=[output])
        store.get_artifacts(context=PIPELINE, limit=10)
        store.get_artifacts(type_name="Model", limit=10)
        store.get_artifacts(uri="/root/Trainer/model/1")
        store.get_events(execution_ids=[execution])
        store.get_events(artifact_ids=[output])
        store.get_contexts(type_name="pipeline_run", within=PIPELINE, limit=10)
        store.register_run(
            "run-2", pipeline="p", root="/", nodes=[RunNode(node_id="a")], lease=current_lease()
        )
        store.update_run("run-2", is_alive=True, skipped={"a": "b"})
        store.get_run("run-2")
        store.get_runs(pipeline="p", limit=10)
        store.heartbeat([execution])
        store.get_attachments("files", [execution])
        store.mark_for_deletion([output], last_execution_id=execution)
        register(store, contexts=[NODE], last_seen=(NODE, execution))
    asked = [line for line in statements if line.startswith(("SELECT", "UPDATE", "DELETE"))]
    assert len(asked) > 15
    for statement in asked:
        plan = [row[3] for row in execute(path, f"EXPLAIN QUERY PLAN {statement}")]
        assert not [step for step in plan if step.startswith("SCAN")], statement
        if "LIMIT" in statement:
            assert not [step for step in plan if "TEMP B-TREE" in step], statement


def test_import_brings_no_other_dialect_and_no_orm():
    script = (
        "import sys, trainwright.metadata.sql_store;"
        "print({m.split('.')[2] for m in sys.modules if m.startswith('sqlalchemy.dialects.')}"
        " - {'_typing', 'sqlite'}, 'sqlalchemy.orm' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    printed = subprocess.run(
        [sys.executable, "-c", script], env=environment, check=True, capture_output=True, text=True
    ).stdout
    assert printed == "set() False\n"


# The version of the tables


def version_of(path):
    return execute(path, "SELECT version FROM trainwright_schema_version")


def test_new_store_has_the_newest_version(path):
    open_store(path).close()
    assert version_of(path) == [(migrations.SCHEMA_VERSION,)]


def test_newer_store_is_refused(path):
    open_store(path).close()
    execute(path, "UPDATE trainwright_schema_version SET version = 7")
    with pytest.raises(MetadataError) as raised:
        open_store(path)
    message = str(raised.value)
    assert f"{path} has schema version 7" in message
    assert f"up to {migrations.SCHEMA_VERSION}" in message
    assert "pip install --upgrade trainwright" in message


def test_older_store_is_migrated_step_by_step(path):
    with open_store(path) as store:
        complete(store)
        before = content(store)
    steps = []

    def add_column(connection):
        connection.execute(text("ALTER TABLE artifacts ADD COLUMN size INTEGER DEFAULT 5"))
        steps.append(1)

    def add_table(connection):
        assert connection.execute(text("SELECT size FROM artifacts")).scalar() == 5
        connection.execute(text("CREATE TABLE notes (note TEXT)"))
        steps.append(2)

    backend = SqliteBackend(f"sqlite:///{path}")
    newest = migrations.SCHEMA_VERSION
    steps_up = {newest: add_column, newest + 1: add_table}
    for _ in range(2):
        migrations.prepare_schema(backend, version=newest + 2, migrations=steps_up)
    backend.close()
    assert steps == [1, 2]
    assert version_of(path) == [(newest + 2,)]
    assert execute(path, "SELECT size FROM artifacts") == [(5,)]
    execute(path, f"UPDATE trainwright_schema_version SET version = {newest}")
    with open_store(path) as store:
        assert content(store) == before


def test_version_1_is_migrated_with_its_content(path):
    """The file is as trainwright wrote it before there were attachments."""
    script = (Path(__file__).parent / "version_1_store.sql").read_text()
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    for _ in range(2):
        with open_store(path) as store:
            trainer, generator = store.get_executions()
            assert trainer.type.name == "tfx.components.trainer.component.Trainer"
            assert trainer.custom_properties == {"__node_id__": "Trainer", "epochs": 5}
            assert [artifact.uri for artifact in store.get_artifacts()] == ["/m/2", "/e/1"]
            assert len(store.get_events(execution_ids=[trainer.id])) == 2
            assert len(store.get_contexts(execution_id=generator.id)) == 2
            assert store.get_attachments("files", [trainer.id]) == {}
    with open_store(path) as store:
        execution, _ = register(store, attachments={"files": [1]})
        assert execution.id == 3
        assert store.get_attachments("files", [execution.id]) == {3: [1]}
    new_path = path.with_name("new.db")
    open_store(new_path).close()
    assert structure(path) == structure(new_path)


@pytest.fixture
def version_2(path):
    """A store as trainwright wrote it when runs were properties of their contexts."""
    script = (Path(__file__).parent / "version_2_store.sql").read_text()
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return path


def test_version_2_is_migrated_with_its_runs(version_2):
    noted = execute(version_2, "SELECT id, name, custom_properties, created_at FROM contexts")
    for _ in range(2):
        with open_store(version_2) as store:
            runs = store.get_runs(with_deleted=True)
            assert [(run.id, run.pipeline, run.state.value) for run in runs] == [
                (18, "seal", "canceled"),
                (17, "", "unknown"),
                (15, "seal", "running"),
                (14, "penguin", "complete"),
                (11, "penguin", "failed"),
                (5, "penguin", "complete"),
                (1, "seal", "complete"),
            ]
            assert [run.id for run in store.get_runs()] == [18, 17, 15, 14, 5, 1]
            skipping, whole, failed, died = (runs[index] for index in (6, 5, 4, 2))
            assert skipping.root == whole.root == "/pipelines/root"
            assert [(node.node_id, node.upstream) for node in whole.nodes] == [
                ("count", ()),
                ("double", ("count",)),
            ]
            assert [node.skip_reason for node in skipping.nodes] == [
                None,
                "count.outputs['total'][0].value > 2 does not hold (it is 1)",
            ]
            assert whole.started_at == next(row[3] for row in noted if row[0] == whole.id)
            last = store.get_executions(context=contexts.run_context(whole.run_id), limit=1)[0]
            assert whole.ended_at == last.updated_at > whole.started_at
            assert failed.deleted_at > failed.ended_at
            assert died.lease.host == "workstation"
            assert died.lease.heartbeat_at >= died.started_at - 1
            assert died.ended_at is None
            assert runs[0].cancel_requested_at == 5.0
            assert runs[1].nodes == ()
    # What readers of ML Metadata see is as it was.
    assert execute(version_2, "SELECT id, name, custom_properties, created_at FROM contexts") == (
        noted
    )
    new_path = version_2.with_name("new.db")
    open_store(new_path).close()
    assert structure(version_2) == structure(new_path)


def test_run_that_goes_on_after_the_migration(version_2):
    """The notes of a run from before are kept up as those of a new one."""
    with open_store(version_2) as store:
        died = store.get_runs(pipeline="seal")[1]
        store.update_run(died.run_id, state=RunState.FAILED, skipped={"double": "too late"})
        context = store.get_context(contexts.run_context(died.run_id)).custom_properties
    assert (context["state"], context["skipped"]) == ("failed", {"double": "too late"})
    assert context["pid"] == died.lease.pid


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("?", '{"pipeline": "a'),
        ("?", "[1, 2]"),
        ("json_set(custom_properties, '$.state', ?)", "exploded"),
        ("json_set(json_remove(custom_properties, '$.host'), '$.state', ?)", "running"),
        ("json_set(custom_properties, '$.nodes', ?)", 5),
        ("json_set(custom_properties, '$.nodes', json(?))", "[7]"),
        ("json_set(custom_properties, '$.root', json(?))", "null"),
        ("json_set(custom_properties, '$.upstream', json(?))", '{"count": 3}'),
    ],
)
def test_damaged_run_stays_damaged_when_it_is_migrated(version_2, change, value):
    """`gc` must not take it for a run that needs nothing."""
    connection = sqlite3.connect(version_2)
    with connection:
        connection.execute(
            f"UPDATE contexts SET custom_properties = {change} WHERE id = 5", [value]
        )
    connection.close()
    damage = []
    with open_store(version_2) as store:
        assert [run.id for run in store.get_runs(on_damaged=damage.append)] == [18, 17, 15, 14, 1]
        with pytest.raises(DamagedRecordError, match="when the store was migrated"):
            store.get_runs()
    assert "(context 5) has state 'damaged', expected one of running," in str(damage[0])


def test_version_2_that_may_only_be_read(version_2):
    execute(version_2, "PRAGMA journal_mode = WAL")
    before = version_2.read_bytes()
    backend = SqliteBackend(f"sqlite:///{version_2}")
    backend.is_read_only = True
    with pytest.raises(MetadataError) as raised:
        migrations.prepare_schema(backend, create=False)
    backend.close()
    assert "has schema version 2 and may only be read" in str(raised.value)
    assert "Open it once with write access, or open a copy of it." in str(raised.value)
    assert version_2.read_bytes() == before


def structure(path):
    """The columns of the tables and what their indexes are for."""
    tables = [
        name for (name,) in execute(path, "SELECT name FROM sqlite_master WHERE type='table'")
    ]
    return {
        table: (
            sorted(column[1:] for column in execute(path, f"PRAGMA table_info({table})")),
            sorted(index[2:] for index in execute(path, f"PRAGMA index_list({table})")),
        )
        for table in tables
    }


def test_failed_migration_changes_nothing(path):
    open_store(path).close()

    def add_table(connection):
        connection.execute(text("CREATE TABLE notes (note TEXT)"))

    def fail(connection):
        raise ZeroDivisionError

    backend = SqliteBackend(f"sqlite:///{path}")
    newest = migrations.SCHEMA_VERSION
    wanted = newest + 2
    failing_steps = {newest: add_table, newest + 1: fail}
    with pytest.raises(ZeroDivisionError):
        migrations.prepare_schema(backend, version=wanted, migrations=failing_steps)
    message = f"schema version {newest}, which .* cannot migrate to {wanted}"
    with pytest.raises(MetadataError, match=message):
        migrations.prepare_schema(backend, version=wanted, migrations={newest: add_table})
    backend.close()
    assert version_of(path) == [(newest,)]
    assert execute(path, "SELECT * FROM sqlite_master WHERE name = 'notes'") == []


def test_store_without_a_version_is_refused(path):
    open_store(path).close()
    execute(path, "DELETE FROM trainwright_schema_version")
    with pytest.raises(MetadataError, match=f"{path} does not say its schema version"):
        open_store(path)


# Places where no store can be


def test_file_that_is_no_database(path):
    path.write_text("span,version\n" * 1000)
    with pytest.raises(MetadataError, match=f"{path} is not an SQLite database.*another path"):
        open_store(path)
    assert path.read_text().startswith("span")


def test_empty_file_becomes_a_store(path):
    path.touch()
    with open_store(path) as store:
        complete(store)


def test_database_of_ml_metadata(path):
    execute(path, "CREATE TABLE MLMDEnv (schema_version INT)", "CREATE TABLE Type (id INT)")
    before = path.read_bytes()
    with pytest.raises(MetadataError, match=f"{path} is a database of ml-metadata.*another place"):
        open_store(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_database_of_somebody_else(path):
    execute(path, "CREATE TABLE users (id INT)", "CREATE TABLE schema_version (version INT)")
    before = path.read_bytes()
    with pytest.raises(MetadataError, match=r"tables that are not .*schema_version, users"):
        open_store(path)
    assert path.read_bytes() == before


def test_directory(tmp_path):
    with pytest.raises(MetadataError, match=f"{tmp_path} is a directory.*metadata.db"):
        open_store(tmp_path)


def test_missing_directories_are_made(tmp_path):
    with open_store(tmp_path / "a" / "b" / "metadata.db") as store:
        complete(store)
    assert (tmp_path / "a" / "b" / "metadata.db").exists()


def test_directory_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(MetadataError, match=r"cannot be made \(.*Give another path"):
        open_store(tmp_path / "file" / "metadata.db")


def test_read_only_directory(open_directory, only_reading):
    open_store(open_directory / "store.db").close()
    with only_reading(open_directory):
        for name in ("new.db", "store.db"):
            with pytest.raises(MetadataError, match=f"{name} cannot be written.*write access"):
                open_store(open_directory / name)
        with pytest.raises(MetadataError, match="Permission denied"):
            open_store(open_directory / "below" / "new.db")


def leave_closed(path):
    """A store that nobody has open: all is in one file."""
    with open_store(path) as store:
        complete(store)
        return content(store)


def leave_a_log(path):
    """A store whose writer was killed, copied without the log's index."""
    aside = path.parent / "aside.db"
    with open_store(aside) as store:
        complete(store)
        for end in ("", "-wal"):
            shutil.copyfile(f"{aside}{end}", f"{path}{end}")
        return content(store)


@pytest.mark.parametrize("leave", [leave_closed, leave_a_log])
def test_a_store_that_may_only_be_read_can_be_read(open_directory, only_reading, leave):
    path = open_directory / "store.db"
    before = leave(path)
    files = sorted(os.listdir(open_directory))
    with only_reading(open_directory), open_store(path, create=False) as store:
        assert content(store) == before
        assert store.is_read_only
        with pytest.raises(MetadataError, match=f"{path} cannot be written: no write access to"):
            complete(store)
        assert content(store) == before
    assert sorted(os.listdir(open_directory)) == files
    assert not list(Path(tempfile.gettempdir()).glob("trainwright-store-*"))


def test_a_reader_without_write_access_sees_what_a_writer_adds(open_directory, only_reading):
    path = open_directory / "store.db"
    open_store(path).close()
    with only_reading(open_directory):
        reader = open_store(path, create=False)
        assert reader.get_executions() == []
    with open_store(path) as writer:  # whose log and index the reader finds
        complete(writer)
        assert content(reader) == content(writer)
        complete(writer)
        with only_reading(open_directory):
            assert len(reader.get_executions()) == 2
    assert len(reader.get_executions()) == 2
    reader.close()


def test_no_file_is_made_beside_one_that_may_only_be_read(open_directory, unprivileged):
    """A reader who made a log's index would lock out the writer, to whom it does not belong."""
    path = open_directory / "store.db"
    before = leave_closed(path)
    path.chmod(0o444)
    open_directory.chmod(0o777)
    with unprivileged(), open_store(path, create=False) as store:
        assert content(store) == before
        assert os.listdir(open_directory) == ["store.db"]


def test_an_older_store_that_may_only_be_read_is_not_migrated(open_directory, only_reading):
    path = open_directory / "store.db"
    leave_closed(path)
    execute(path, "UPDATE trainwright_schema_version SET version = 1")
    with (
        only_reading(open_directory),
        pytest.raises(MetadataError, match="version 1 and may only be read.*open a copy"),
    ):
        open_store(path, create=False)


def test_a_store_without_read_access_is_called_so(open_directory, unprivileged):
    path = open_directory / "store.db"
    leave_closed(path)
    path.chmod(0o000)
    with unprivileged(), pytest.raises(MetadataError, match=r"cannot be read \(unable to open"):
        open_store(path, create=False)


@pytest.mark.parametrize("create", [True, False])
def test_a_store_that_is_a_special_file_is_refused(path, create):
    os.mkfifo(path)
    with pytest.raises(MetadataError, match=f"{path} is a named pipe. Give the path of a file"):
        open_store(path, create=create)


def test_disk_that_is_full(path):
    with SqlMetadataStore(f"sqlite:///{path}") as store:
        complete(store)
        before = content(store)
        with store._backend.reading() as connection:
            connection.execute(text("PRAGMA max_page_count = 1"))
        with pytest.raises(MetadataError, match=f"{path} cannot grow.*Make room"):
            register(store, custom_properties={"large": "x" * 1_000_000})
        assert content(store) == before


def test_old_sqlite_library(path, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 26, 0))
    with pytest.raises(MetadataError, match="3.35 or newer"):
        open_store(path)


@pytest.mark.parametrize(
    "name", ["with space.db", "100%.db", "what?.db", "ünï.db", "a#b.db", "a%20b"]
)
def test_unusual_file_names(tmp_path, name):
    with open_store(tmp_path / name) as store:
        complete(store)
    assert (tmp_path / name).exists()


def test_relative_path_is_kept_when_the_directory_changes(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    with open_store("metadata.db") as store:
        monkeypatch.chdir(tmp_path / "other")
        complete(store)
        thread = threading.Thread(target=complete, args=(store,))
        thread.start()
        thread.join()
        assert len(store.get_executions()) == 2
    assert [entry.name for entry in tmp_path.glob("**/*.db")] == ["metadata.db"]
