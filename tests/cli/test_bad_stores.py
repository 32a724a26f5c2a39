"""Stores and roots that cannot be used: one clear sentence, exit code 2, nothing touched."""

from __future__ import annotations

import os
import sqlite3

import pytest


@pytest.fixture
def project(scene):
    scene.write("pipeline = make('p', 'root')")
    return scene


def only_sentence(finished) -> str:
    """What was said; it must not be a traceback."""
    assert finished.returncode == 2, finished.stderr
    assert "Traceback" not in finished.stderr
    return finished.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", [("run", "pipeline.py"), ("runs",), ("doctor",)])
def test_a_store_that_is_no_database(project, command):
    path = project.directory / "notes.db"
    path.write_text("Dear diary, " * 1000)
    finished = project.call(*command, TRAINWRIGHT_STORE=str(path))
    if command == ("doctor",):
        assert "is not an SQLite database" in finished.stdout
    else:
        assert f"{path} is not an SQLite database" in only_sentence(finished)
    assert path.read_text().startswith("Dear diary")


def test_a_store_of_a_newer_schema(project):
    assert project.call("run", "pipeline.py").returncode == 0
    with sqlite3.connect(project.directory / "root/metadata.db") as connection:
        connection.execute("UPDATE trainwright_schema_version SET version = 99")
    sentence = only_sentence(project.call("run", "pipeline.py"))
    assert "has schema version 99" in sentence
    assert "pip install --upgrade trainwright" in sentence


def test_a_store_of_ml_metadata(project):
    path = project.directory / "mlmd.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE MLMDEnv (schema_version INTEGER)")
    sentence = only_sentence(project.call("run", "pipeline.py", "--store", str(path)))
    assert "is a database of ml-metadata, as TFX writes it" in sentence


def test_a_store_that_is_a_directory(project):
    sentence = only_sentence(project.call("run", "pipeline.py", "--store", str(project.directory)))
    assert "is a directory. Give the path of a file" in sentence


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_root_without_permission(project):
    root = project.directory / "root"
    root.mkdir(mode=0o500)
    sentence = only_sentence(project.call("run", "pipeline.py"))
    assert f"pipeline_root '{root}' cannot be written to" in sentence
    assert "(Permission denied). Choose a directory that you may write to." in sentence


def test_a_root_that_is_a_file(project):
    (project.directory / "root").write_text("")
    sentence = only_sentence(project.call("run", "pipeline.py"))
    assert "cannot be made: File exists" in sentence


def test_a_store_on_a_server_that_is_not_there(project):
    pytest.importorskip("psycopg")
    url = "postgresql://ada:swordfish@127.0.0.1:1/metadata?connect_timeout=2"
    finished = project.call("run", "pipeline.py", "--store", url)
    assert "swordfish" not in finished.stderr + finished.stdout
    assert "127.0.0.1" in only_sentence(finished)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("gs:/bucket/metadata.db", "is a remote path (gs), but only local paths are supported"),
        ("sqlite:///gs:/bucket/metadata.db", "is a remote path (gs)"),
        (
            os.fsdecode(b"metadata\xff.db"),
            "has the character '\\udcff', which is not valid Unicode",
        ),
        ("/dev/zero", "/dev/zero is a device. Give the path of a file"),
    ],
)
def test_a_store_at_a_path_that_is_none(project, address, words):
    sentence = only_sentence(project.call("runs", "--store", address))
    assert words in sentence


def test_a_pipeline_s_file_that_is_a_special_file(project):
    sentence = only_sentence(project.call("run", "/dev/zero"))
    assert "The pipeline's file '/dev/zero' is a device, not a file." in sentence
