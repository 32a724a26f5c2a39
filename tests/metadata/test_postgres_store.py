"""The metadata store in PostgreSQL: its contract, and what is special to PostgreSQL."""

import socket
import sys
import threading
import time
import traceback
from urllib.parse import quote

import pytest

pytest.importorskip("psycopg")

from trainwright.metadata import postgres_backend
from trainwright.metadata.connection import open_store
from trainwright.metadata.contexts import run_context
from trainwright.metadata.records import Lease, RunNode, RunState
from trainwright.metadata.sql_store import SqlMetadataStore
from trainwright.metadata.store import MetadataError, StoreUnavailableError
from trainwright.testing.postgres_server import PASSWORD
from trainwright.testing.store_contract import MetadataStoreContract
from trainwright.testing.store_contract_processes import read_line, start, workers
from trainwright.testing.store_samples import complete, content, model, one_model, register


class TestPostgresStore(MetadataStoreContract):
    writers = 12

    @pytest.fixture
    def store_url(self, postgres_url):
        return postgres_url

    @pytest.mark.soak
    def test_many_processes_write_at_once(self, store_url):
        self.writers = 32
        self.test_processes_write_at_once(store_url)


@pytest.fixture
def database(postgres_url):
    """The name of the empty database."""
    return postgres_url.rpartition("/")[2]


@pytest.fixture
def address(postgres_url):
    """The URL of the empty database as messages show it."""
    return postgres_url.replace(f":{quote(PASSWORD, safe='')}", "")


@pytest.fixture
def unused_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def assert_no_password(error, password=PASSWORD):
    """Neither in the error nor in what led to it."""
    while error is not None:
        for shown in (
            str(error),
            repr(error),
            repr(vars(error)),
            *traceback.format_exception(error),
        ):
            for secret in (password, quote(password, safe=""), "hunter2"):
                assert secret not in shown
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize("scheme", ["postgres", "postgresql+psycopg"])
def test_other_spellings_of_the_scheme(postgres_url, scheme):
    with open_store(postgres_url.replace("postgresql", scheme, 1)) as store:
        complete(store)


def test_password_from_the_environment(postgres_url, address, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    open_store(address).close()
    monkeypatch.setenv("PGPASSWORD", "hunter2-wrong")
    with pytest.raises(MetadataError, match="password authentication failed") as raised:
        open_store(address)
    assert_no_password(raised.value)


def test_password_from_a_file(postgres_url, address, tmp_path, monkeypatch):
    file = tmp_path / "pgpass"
    escaped = PASSWORD.replace(":", "\\:")
    file.write_text(f"127.0.0.1:*:*:postgres:{escaped}\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    open_store(address).close()


def test_clock_is_the_servers(postgres_url, monkeypatch):
    with open_store(postgres_url) as store:
        really = time.time()
        monkeypatch.setattr(time, "time", lambda: 0.0)
        assert abs(store.now() - really) < 60
        assert abs(register(store)[0].created_at - really) < 60


def test_reader_does_not_wait_for_a_writer(postgres_url):
    with open_store(postgres_url) as store:
        complete(store)

        def outputs(execution_id):
            assert len(store.get_executions()) == 1
            return one_model(execution_id)

        register(store, pending_outputs=outputs)
        assert len(store.get_executions()) == 2


def test_lock_that_is_never_released(postgres_url, address, monkeypatch):
    monkeypatch.setattr(postgres_backend, "LOCK_TIMEOUT_SECONDS", 0.1)
    with open_store(postgres_url) as store, workers("stop_inside", postgres_url) as (process,):
        start(process)
        assert read_line(process) == "inside"
        with pytest.raises(MetadataError, match="lock timeout.*stop it or try again"):
            register(store)
        process.kill()
        process.wait()
        # The server learns of the end of the process when it next reads from it.
        time.sleep(0.2)
        register(store)


def test_writer_that_stands_still_holds_up_nobody(postgres_url, monkeypatch):
    monkeypatch.setattr(postgres_backend, "LOCK_TIMEOUT_SECONDS", 0.1)
    with open_store(postgres_url) as sleeping:
        monkeypatch.undo()
        inside, completed = threading.Event(), threading.Event()
        was_first = []

        def outputs(execution_id):
            inside.set()
            was_first.append(completed.wait(30))
            time.sleep(1)
            return one_model(execution_id)

        def stand_still():
            with pytest.raises(StoreUnavailableError, match="idle-in-transaction"):
                register(sleeping, pending_outputs=outputs)

        thread = threading.Thread(target=stand_still)
        with open_store(postgres_url) as store:
            thread.start()
            inside.wait()
            complete(store)
            completed.set()
            thread.join()
            assert was_first == [True]
            assert len(store.get_executions()) == 1


# Where the tables are


def test_stores_in_two_schemas_of_a_database(postgres_server, postgres_url, database):
    postgres_server.execute("CREATE SCHEMA one", "CREATE SCHEMA two", database=database)
    urls = [f"{postgres_url}?options=-csearch_path%3D{name}" for name in ("one", "two")]
    for url in urls:
        with open_store(url) as store:
            complete(store)
    for url in urls:
        with open_store(url) as store:
            assert len(store.get_executions()) == 1


def test_tables_in_another_schema_do_not_matter(postgres_server, postgres_url, database):
    statements = "CREATE SCHEMA app", "CREATE TABLE app.types (id int)"
    postgres_server.execute(*statements, database=database)
    with open_store(postgres_url) as store:
        complete(store)


def test_tables_of_somebody_else(postgres_server, postgres_url, database, address):
    postgres_server.execute("CREATE TABLE users (id int)", database=database)
    with pytest.raises(
        MetadataError, match=r"not a metadata store's \(users\).*another place"
    ) as e:
        open_store(postgres_url)
    assert address in str(e.value)
    assert_no_password(e.value)


def test_search_path_to_nowhere(postgres_url):
    with pytest.raises(MetadataError, match="leads to no schema.*CREATE SCHEMA"):
        open_store(f"{postgres_url}?options=-csearch_path%3Dnowhere")


def test_user_who_may_not_create_tables(postgres_server, postgres_url, database):
    postgres_server.execute(f"CREATE USER guest_{database} PASSWORD 'secret'", database=database)
    url = postgres_server.url(database, user=f"guest_{database}", password="secret")
    with pytest.raises(MetadataError, match="permission denied for schema public.*GRANT CREATE"):
        open_store(url)


def test_store_that_may_only_be_read(postgres_server, postgres_url, database):
    open_store(postgres_url).close()
    read_only = f"ALTER DATABASE {database} SET default_transaction_read_only = on"
    postgres_server.execute(read_only)
    with open_store(postgres_url) as store:
        assert store.get_executions() == []
        with pytest.raises(MetadataError, match="read-only transaction.*not of a replica"):
            register(store)


def test_table_that_is_gone(postgres_server, postgres_url, database):
    with open_store(postgres_url) as store:
        postgres_server.execute("DROP TABLE attachments", database=database)
        with pytest.raises(MetadataError, match='"attachments" does not exist.*from a backup'):
            store.get_attachments("files", [1])


def test_nul_in_a_name(postgres_url):
    with open_store(postgres_url) as store:
        before = content(store)
        with pytest.raises(MetadataError, match=r"NUL character .*Remove the character"):
            register(store, pending_outputs=lambda _: {"model": [model("/a\0b")]})
        assert content(store) == before


# Connections that fail


def test_wrong_password(postgres_server, postgres_url, database):
    url = postgres_server.url(database, password="hunter2-wrong")
    with pytest.raises(MetadataError, match="password authentication failed.*PGPASSWORD") as raised:
        open_store(url)
    assert not isinstance(raised.value, StoreUnavailableError)
    assert_no_password(raised.value, "hunter2-wrong")


def test_no_password(address, monkeypatch):
    monkeypatch.delenv("PGPASSWORD", raising=False)
    with pytest.raises(MetadataError, match="no password supplied.*PGPASSWORD"):
        open_store(address)


def test_database_that_does_not_exist(postgres_server):
    with pytest.raises(MetadataError, match='"nowhere" does not exist.*createdb') as raised:
        open_store(postgres_server.url("nowhere"))
    assert_no_password(raised.value)


def test_port_where_nobody_listens(postgres_server, unused_port):
    url = postgres_server.url().replace(str(postgres_server.port), str(unused_port))
    with pytest.raises(
        StoreUnavailableError, match="cannot be reached.*refused.*host and port"
    ) as e:
        open_store(url)
    assert_no_password(e.value)


def test_host_that_does_not_exist(postgres_server):
    url = postgres_server.url().replace("127.0.0.1", "no-such-host.invalid")
    with pytest.raises(StoreUnavailableError, match="cannot be reached: .*no-such-host") as raised:
        open_store(url)
    assert_no_password(raised.value)


@pytest.mark.not_quick  # takes seconds
def test_host_that_does_not_answer():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        began = time.monotonic()
        with pytest.raises(StoreUnavailableError, match="timeout"):
            open_store(f"postgresql://user:hunter2@127.0.0.1:{port}/db?connect_timeout=2")
        assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:p@hunter2@host/db",
        "postgresql://user:hunter2/x@host/db",
        "postgresql://user:%zzhunter2@host/db",
        "postgresql://user:hunter2@host/db?sslmod=require",
        "postgresql://user:hunter2@host:port/db",
    ],
)
def test_url_that_cannot_be_read(url):
    with pytest.raises(MetadataError) as raised:
        open_store(url)
    assert_no_password(raised.value)


def test_misspelled_option_is_named():
    with pytest.raises(MetadataError, match='"sslmod"'):
        open_store("postgresql://user:hunter2@host/db?sslmod=require")


def test_missing_driver(postgres_url, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MetadataError, match=r"pip install 'trainwright\[postgres\]'"):
        open_store(postgres_url)


# Connections that are lost


def test_restarted_server(postgres_server, postgres_url):
    with open_store(postgres_url) as store:
        complete(store)
        postgres_server.stop()
        try:
            for _ in range(2):
                with pytest.raises(StoreUnavailableError) as raised:
                    store.get_executions()
                assert_no_password(raised.value)
                with pytest.raises(StoreUnavailableError):
                    register(store)
        finally:
            postgres_server.start()
        complete(store)
        assert len(store.get_executions()) == 2


def test_connection_that_was_ended_while_unused(postgres_server, postgres_url, database):
    with open_store(postgres_url) as store:
        complete(store)
        end_connections(postgres_server, database)
        complete(store)
        end_connections(postgres_server, database)
        assert len(store.get_executions()) == 2


def test_connection_lost_in_a_transaction(postgres_server, postgres_url, database):
    def outputs(execution_id):
        end_connections(postgres_server, database)
        return one_model(execution_id)

    with open_store(postgres_url) as store:
        complete(store)
        before = content(store)
        with pytest.raises(StoreUnavailableError, match="was lost.*Try again") as raised:
            register(store, pending_outputs=outputs)
        assert_no_password(raised.value)
        assert content(store) == before
        complete(store)


def test_connections_of_ended_threads_are_used_again(postgres_server, postgres_url, database):
    with SqlMetadataStore(postgres_url) as store:
        for _ in range(5):
            thread = threading.Thread(target=complete, args=(store,))
            thread.start()
            thread.join()
        assert len(store.get_executions()) == 5
        assert count_connections(postgres_server, database) == 1
    wait_for_no_connections(postgres_server, database)


def end_connections(postgres_server, database):
    postgres_server.execute(
        f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{database}'"
    )


def count_connections(postgres_server, database):
    query = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}'"
    return postgres_server.execute(query)[0][0]


def wait_for_no_connections(postgres_server, database):
    """A process of the server outlives its connection for a moment."""
    deadline = time.monotonic() + 10
    while count_connections(postgres_server, database):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_version_2_is_migrated_with_its_runs(postgres_url):
    """A store from before there were rows of runs: what the contexts say becomes rows."""
    lease = {"host": "h", "pid": 7, "process_started_at": 2.5}
    noted = {"pipeline": "p", "root": "/r", "state": "running", "nodes": ["a", "b"], **lease}
    noted["upstream"] = {"a": [], "b": ["a"]}
    noted["skipped"] = {"b": "no data"}
    with SqlMetadataStore(postgres_url) as store:
        store.put_context(run_context("run-1"), noted)
        store.put_context(run_context("run-2"), {"pipeline": "p", "state": "exploded"})
        store.put_context(run_context("by-hand"), {})
        contexts = store.get_contexts()
        structure = columns(store)
        with store._backend.writing() as (connection, _):
            for statement in (
                "DROP TABLE run_nodes",
                "DROP TABLE runs",
                "UPDATE trainwright_schema_version SET version = 2",
            ):
                connection.exec_driver_sql(statement)
    damage = []
    with open_store(postgres_url) as store:
        assert columns(store) == structure
        by_hand, run = store.get_runs(on_damaged=damage.append)
        assert (by_hand.run_id, by_hand.state) == ("by-hand", RunState.UNKNOWN)
        assert (run.pipeline, run.root, run.state) == ("p", "/r", RunState.RUNNING)
        assert run.nodes == (
            RunNode(node_id="a", upstream=()),
            RunNode(node_id="b", upstream=("a",), skip_reason="no data"),
        )
        assert run.lease == Lease(host="h", pid=7, process_started_at=2.5, heartbeat_at=0.0)
        assert "run 'run-2'" in str(damage[0])
        assert store.get_contexts() == contexts
        store.update_run("run-1", state=RunState.COMPLETE)
        assert store.get_run("run-1").ended_at is not None


def columns(store):
    """The columns of the tables of runs and what their indexes are for."""
    described = (
        "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns "
        "WHERE table_name IN ('runs', 'run_nodes') ORDER BY 1, 2"
    )
    indexed = (
        "SELECT indexdef FROM pg_catalog.pg_indexes WHERE tablename IN ('runs', 'run_nodes') "
        "ORDER BY 1"
    )
    with store._backend.reading() as connection:
        return [connection.exec_driver_sql(query).all() for query in (described, indexed)]
