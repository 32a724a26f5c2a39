"""Files of ML Metadata: made when first written, of the library's own schema."""

import contextlib
import os
import sqlite3

import mlmd_guide
import pytest

import ml_metadata as mlmd
from ml_metadata import errors
from ml_metadata.proto import metadata_store_pb2 as pb


def test_looking_leaves_no_file_behind(sqlite_config):
    store = mlmd.MetadataStore(sqlite_config)
    assert store.get_artifacts() == []
    assert not os.path.exists(sqlite_config.sqlite.filename_uri)


def test_what_is_written_is_there_for_the_next(sqlite_config):
    early = mlmd.MetadataStore(sqlite_config)
    assert early.get_artifact_types() == []
    mlmd.MetadataStore(sqlite_config).put_artifact_type(pb.ArtifactType(name="A"))
    assert [one.name for one in early.get_artifact_types()] == ["A"]
    with contextlib.closing(sqlite3.connect(sqlite_config.sqlite.filename_uri)) as connection:
        assert connection.execute("SELECT schema_version FROM MLMDEnv").fetchall() == [(10,)]


def test_the_guide_of_ml_metadata_works_as_written(tmp_path):
    mlmd_guide.work_on(str(tmp_path / "metadata.db"))


@pytest.mark.parametrize("database", ["mysql", "postgresql"])
def test_databases_of_servers_are_refused_in_words(database):
    config = pb.ConnectionConfig()
    getattr(config, database).SetInParent()
    with pytest.raises(errors.UnimplementedError, match=r"not a (MySQL|PostgreSQL) database\. Set"):
        mlmd.MetadataStore(config)
    with pytest.raises(errors.UnimplementedError, match=r"not a metadata server\. Set"):
        mlmd.MetadataStore(pb.MetadataStoreClientConfig(host="localhost", port=8080))


def test_a_file_that_was_cut_off_is_said_to_be_damaged(sqlite_config):
    mlmd_guide.work_on(sqlite_config.sqlite.filename_uri)
    with open(sqlite_config.sqlite.filename_uri, "r+b") as file:
        file.truncate(os.path.getsize(file.name) // 2)
    with pytest.raises((RuntimeError, errors.InternalError), match=r"metadata\.db"):
        mlmd.MetadataStore(sqlite_config).get_artifacts()


def test_file_uris_name_files(tmp_path):
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = f"file://{tmp_path}/by%20uri.db"
    mlmd.MetadataStore(config).put_artifact_type(pb.ArtifactType(name="A"))
    assert (tmp_path / "by uri.db").is_file()


@pytest.mark.parametrize("mode", ["READONLY", "READWRITE"])
def test_a_missing_file_that_must_be_there(sqlite_config, mode):
    sqlite_config.sqlite.connection_mode = pb.SqliteMetadataSourceConfig.ConnectionMode.Value(mode)
    with pytest.raises(RuntimeError, match="Cannot connect sqlite3 database"):
        mlmd.MetadataStore(sqlite_config)


def test_a_directory_that_does_not_exist(tmp_path):
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = str(tmp_path / "nowhere" / "metadata.db")
    with pytest.raises(RuntimeError, match="unable to open database file"):
        mlmd.MetadataStore(config)


def test_a_store_for_reading_only(sqlite_config):
    mlmd.MetadataStore(sqlite_config).put_artifact_type(pb.ArtifactType(name="A"))
    sqlite_config.sqlite.connection_mode = pb.SqliteMetadataSourceConfig.READONLY
    store = mlmd.MetadataStore(sqlite_config)
    assert store.get_artifact_type("A").id
    with pytest.raises(errors.InternalError, match="readonly"):
        store.put_artifact_type(pb.ArtifactType(name="B"))


def test_what_is_not_a_database(sqlite_config):
    with open(sqlite_config.sqlite.filename_uri, "w") as file:
        file.write("not a database at all " * 100)
    with pytest.raises(RuntimeError, match="file is not a database"):
        mlmd.MetadataStore(sqlite_config)


def test_another_schema_version(sqlite_config):
    mlmd.MetadataStore(sqlite_config).put_artifact_type(pb.ArtifactType(name="A"))
    with contextlib.closing(sqlite3.connect(sqlite_config.sqlite.filename_uri)) as connection:
        connection.execute("UPDATE MLMDEnv SET schema_version = 6")
        connection.commit()
    with pytest.raises(RuntimeError, match=r"schema version 6.*Schema migration is disabled"):
        mlmd.MetadataStore(sqlite_config)


def test_a_schema_is_not_downgraded(sqlite_config):
    with pytest.raises(errors.InvalidArgumentError, match="not specified"):
        mlmd.downgrade_schema(sqlite_config, -1)
    with pytest.raises(errors.UnimplementedError, match="use ml-metadata itself"):
        mlmd.downgrade_schema(sqlite_config, 6)
