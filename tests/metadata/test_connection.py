"""Addresses of metadata stores."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from trainwright.metadata.connection import (
    ConnectionConfig,
    as_connection_config,
    hide_password,
    mysql_metadata_connection_config,
    open_store,
    sqlite_metadata_connection_config,
    sqlite_path,
    without_password,
)
from trainwright.metadata.store import MetadataError, MetadataStore


def test_sqlite_config_from_a_path():
    assert sqlite_metadata_connection_config("metadata.db").url == "sqlite:///metadata.db"
    config = sqlite_metadata_connection_config("/var/metadata.db")
    assert config == ConnectionConfig(url="sqlite:////var/metadata.db")
    assert repr(config) == "ConnectionConfig(url='sqlite:////var/metadata.db')"


@pytest.mark.parametrize("path", ["/a b/c.db", "/100%.db", "/what?.db", "/a%3Fb.db", "/ü#.db"])
def test_path_survives_the_url(path):
    assert sqlite_path(sqlite_metadata_connection_config(path).url) == path


@pytest.mark.parametrize("path", ["", "gs://bucket/metadata.db"])
def test_what_is_no_path_of_a_file(path):
    with pytest.raises(ValueError, match="path of a file on a local disk"):
        sqlite_metadata_connection_config(path)


def test_config_without_a_url():
    with pytest.raises(ValueError, match="'metadata.db'.*sqlite_metadata_connection_config"):
        ConnectionConfig(url="metadata.db")


def test_config_is_frozen():
    with pytest.raises(AttributeError):
        sqlite_metadata_connection_config("metadata.db").url = "sqlite:///other.db"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:hunter2@host/db",
        "postgresql+psycopg://:hunter2@host:5432/db",
        "postgresql://user:p@hunter2@host/db",
        "postgresql://user:hunter2/x@host/db",
        "postgresql://host/db?user=u&password=hunter2&sslmode=require",
        "postgresql://host/db?sslpassword=hunter2",
    ],
)
def test_password_never_shows(url):
    config = ConnectionConfig(url=url)
    assert config.url == url
    for shown in (repr(config), str(config), f"{config}", hide_password(url)):
        assert "hunter2" not in shown
        assert "host" in shown
    assert "hunter2" not in without_password(url)
    assert "host" in without_password(url)


def test_url_without_a_password_shows_whole():
    for url in ("sqlite:////a:b@c/metadata.db", "postgresql://user@host:5432/db"):
        assert hide_password(url) == url


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("postgresql://user:secret@host:5432/db", "postgresql://user@host:5432/db"),
        ("postgresql://user@host/db", "postgresql://user@host/db"),
        ("postgresql://host/db", "postgresql://host/db"),
        ("postgresql://user:@/db?host=/run", "postgresql://user@/db?host=/run"),
        ("postgres://h/db?password=x&sslmode=require", "postgres://h/db?sslmode=require"),
        ("postgres://h/db?user=u&password=x", "postgres://h/db?user=u"),
        ("postgres://h/db?password=x", "postgres://h/db"),
        ("sqlite:////a:b@c/metadata.db", "sqlite:////a:b@c/metadata.db"),
    ],
)
def test_url_without_its_password(url, kept):
    assert without_password(url) == kept


def test_mysql_is_refused_without_its_password():
    expected = r"MySQL.*'metadata'.*'host'.*use SQLite.*'postgresql://user@host:5432/metadata'"
    with pytest.raises(ValueError, match=expected) as raised:
        mysql_metadata_connection_config("host", 3306, "metadata", "user", "hunter2")
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "mysql://host/db",
        "postgresql+psycopg2://host/db",
        "://",
    ],
)
def test_urls_of_no_store(url):
    with pytest.raises(MetadataError, match="such as sqlite:///metadata.db"):
        open_store(url)


def test_url_with_options():
    with pytest.raises(MetadataError, match="%3F"):
        open_store("sqlite:///metadata.db?mode=ro")


def test_open_store_takes_a_config_a_url_and_a_path(tmp_path):
    path = tmp_path / "metadata.db"
    for address in (
        path,
        str(path),
        f"sqlite:///{path}",
        sqlite_metadata_connection_config(str(path)),
    ):
        with open_store(address) as store:
            assert isinstance(store, MetadataStore)
            assert store.get_executions() == []
    assert [entry.name for entry in tmp_path.iterdir()] == ["metadata.db"]


def test_sqlalchemy_is_imported_by_who_opens_a_store():
    script = "import sys, trainwright.metadata.connection; print('sqlalchemy' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    printed = subprocess.run(
        [sys.executable, "-c", script], env=environment, check=True, capture_output=True, text=True
    ).stdout
    assert printed == "False\n"


# What TFX users give


class Proto(SimpleNamespace):
    """Like a message of ml-metadata: fields that are not set can be read as well."""

    def __init__(self, **given):
        self._given = given
        sqlite = SimpleNamespace(filename_uri="")
        mysql = SimpleNamespace(host="", port=0, database="", user="", password="")
        postgresql = SimpleNamespace(host="", port="", dbname="", user="", password="")
        super().__init__(**{"sqlite": sqlite, "mysql": mysql, "postgresql": postgresql, **given})

    def HasField(self, name):
        return name in self._given


def test_config_and_url_are_taken_as_they_are():
    config = sqlite_metadata_connection_config("metadata.db")
    assert as_connection_config(config) is config
    url = "postgresql://user:hunter2@host/db"
    assert as_connection_config(url) == ConnectionConfig(url=url)


@pytest.mark.parametrize("shape", [Proto, SimpleNamespace])
@pytest.mark.parametrize(
    ("filename", "path"),
    [
        ("/data/metadata.db", "/data/metadata.db"),
        ("file:/data/metadata.db", "/data/metadata.db"),
        ("file:///data/meta%20data.db?mode=rwc", "/data/meta data.db"),
    ],
)
def test_proto_with_an_sqlite_file(shape, filename, path):
    config = as_connection_config(shape(sqlite=SimpleNamespace(filename_uri=filename)))
    assert sqlite_path(config.url) == path


@pytest.mark.parametrize("shape", [Proto, SimpleNamespace])
def test_proto_with_a_postgresql_database(shape):
    database = SimpleNamespace(
        host="db.example", port="5433", user="us er", password="p@ss/w", dbname="metadata"
    )
    config = as_connection_config(shape(postgresql=database))
    assert config.url == "postgresql://us%20er:p%40ss%2Fw@db.example:5433/metadata"
    assert "p%40ss" not in repr(config)


@pytest.mark.parametrize("shape", [Proto, SimpleNamespace])
def test_proto_with_a_mysql_database(shape):
    database = SimpleNamespace(
        host="host", port=3306, database="metadata", user="user", password="hunter2"
    )
    with pytest.raises(ValueError, match="MySQL.*'metadata'.*'host'") as raised:
        as_connection_config(shape(mysql=database))
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize("given", [None, Proto(), SimpleNamespace(host="grpc", port=8080), 5])
def test_what_is_no_config(given):
    with pytest.raises(ValueError, match=f"got a {type(given).__name__}"):
        as_connection_config(given)
