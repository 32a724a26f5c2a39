"""Rows that were damaged by other means: named in one sentence; the others are shown."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3

import pytest


@pytest.fixture(scope="module")
def good_store(shared_scene):
    """A store with three runs: two of pipeline `a`, one of `b`."""
    for name in ("a", "a", "b"):
        shared_scene.write(f"pipeline = make({name!r}, {name!r})")
        shared_scene.run_here("pipeline.py", "--store", "metadata.db")
    return shared_scene


@pytest.fixture
def damaged(good_store, tmp_path):
    """A copy of the store that statements can damage; calls commands on it."""
    path = tmp_path / "metadata.db"
    shutil.copy(good_store.directory / "metadata.db", path)

    def call(*arguments):
        return good_store.call(*arguments, "--store", path)

    def damage(statement, *values):
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            assert connection.execute(statement, values).rowcount > 0

    call.damage = damage
    return call


RUN_1 = "id = (SELECT min(id) FROM runs)"
NODE_OF_RUN_1 = "run = (SELECT min(id) FROM runs)"


def assert_told(finished, *expected):
    assert "Traceback" not in finished.stderr
    message = finished.stderr.splitlines()[-1]
    for text in ("The metadata store is damaged: ", "Restore the store", *expected):
        assert text in message


@pytest.mark.parametrize(
    ("change", "value", "expected"),
    [
        ("runs SET state = ?", "exploded", "has state 'exploded', expected one of running"),
        ("runs SET lease_host = NULL, state = ?", "running", "has lease_host None, expected str"),
        ("runs SET lease_pid = ?", b"1", "has lease_pid b'1', expected int"),
        ("runs SET pipeline = ?", b"\0", "has pipeline b'\\x00', expected str"),
        ("runs SET started_at = ?", "yesterday", "started_at 'yesterday', expected seconds"),
        ("runs SET deleted_at = ?", "yesterday", None),
        ("run_nodes SET upstream = ?", '["a', "JSON (Unterminated string"),
        ("run_nodes SET upstream = ?", '{"a": 1}', "expected a JSON list"),
        ("run_nodes SET upstream = ?", "[1]", "has an upstream node 1, expected str"),
        ("run_nodes SET skip_reason = ?", b"\0", "has a node with skip_reason b'\\x00'"),
    ],
)
def test_runs_lists_the_others(damaged, change, value, expected):
    row = NODE_OF_RUN_1 if change.startswith("run_nodes") else RUN_1
    damaged.damage(f"UPDATE {change} WHERE {row}", value)
    if expected is None:  # deleted, whenever that was
        assert len(json.loads(damaged("runs", "--json").stdout)) == 2
        return
    finished = damaged("runs", "--json")
    assert finished.returncode == 1
    assert [run["pipeline"] for run in json.loads(finished.stdout)] == ["b", "a"]
    error = json.loads(finished.stderr.splitlines()[-1])["error"]
    assert error.startswith("The metadata store is damaged: ")
    assert expected in error


def test_an_execution_with_an_unknown_state(damaged):
    damaged.damage("UPDATE executions SET state = 'EXPLODED' WHERE id = 1")
    listed = damaged("runs")
    assert listed.returncode == 1
    assert_told(listed, "execution 1 has state 'EXPLODED', expected one of ", "COMPLETE")
    assert len(listed.stdout.splitlines()) == 3  # the heading and two runs

    assert damaged("show", "latest").returncode == 0
    run = json.loads(damaged("runs", "--json").stdout)[-1]["run_id"]
    assert damaged("show", run).returncode == 0

    # What the execution needs is not known, so of its pipeline nothing goes.
    collected = damaged("gc", "--keep", "0", "--dry-run", "--json")
    assert collected.returncode == 1
    assert list(json.loads(collected.stdout)) == ["b"]
    assert "Nothing of pipeline 'a' is deleted. The metadata store is damaged" in collected.stderr
    assert "execution 1" in collected.stderr


def test_gc_deletes_nothing_when_a_run_cannot_be_read(damaged):
    """Of which pipeline it was, and what it needs, is not known."""
    damaged.damage(f"UPDATE runs SET state = 'damaged' WHERE {RUN_1}")
    collected = damaged("gc", "--keep", "0", "--yes")
    assert collected.returncode == 1
    assert "Nothing of pipeline 'a' is deleted." in collected.stderr
    assert "Nothing of pipeline 'b' is deleted." in collected.stderr
    assert "deleted" not in damaged("artifacts").stdout


@pytest.mark.parametrize("name", ["root", "pipeline", "lease_pid"])
def test_gc_names_a_run_that_notes_what_no_run_notes(damaged, name):
    damaged.damage(f"UPDATE runs SET {name} = ? WHERE {RUN_1}", b"7")
    collected = damaged("gc", "--keep", "0", "--yes")
    assert collected.returncode == 1
    assert "Traceback" not in collected.stderr
    assert "Nothing of pipeline 'a' is deleted. The metadata store is damaged" in collected.stderr
    assert f" has {name} " in collected.stderr


def test_artifacts_lists_the_others(damaged):
    damaged.damage("UPDATE artifacts SET state = 'LOST' WHERE id = 1")
    damaged.damage("UPDATE artifacts SET custom_properties = 'x' WHERE id = 2")
    listed = damaged("artifacts", "--json")
    assert listed.returncode == 1
    assert [record["id"] for record in json.loads(listed.stdout)] == [4, 3]
    errors = [json.loads(line)["error"] for line in listed.stderr.splitlines()[-2:]]
    assert "artifact 2 has custom_properties 'x', expected JSON" in errors[0]
    assert "artifact 1 has state 'LOST', expected one of PENDING, LIVE" in errors[1]
    for command in ("artifacts 1", "lineage 1"):
        finished = damaged(*command.split())
        assert finished.returncode == 2
        assert_told(finished, "artifact 1 has state 'LOST'")


@pytest.mark.parametrize(
    ("statement", "command", "expected"),
    [
        ("UPDATE events SET type = 'EATEN'", "show", "the event between execution "),
        ("UPDATE types SET properties = '{'", "artifacts 1", "has properties '{', expected JSON"),
        ("UPDATE executions SET custom_properties = ''", "show", "has custom_properties ''"),
        ("UPDATE executions SET updated_at = 'x'", "show", "has updated_at 'x'"),
        ("UPDATE runs SET state = 'x'", "show", "has state 'x'"),
        ("UPDATE executions SET custom_properties = 'x'", "logs count", "expected JSON"),
        ("UPDATE artifacts SET uri = x'00'", "artifacts 1", "has uri b'\\x00', expected a path"),
    ],
)
def test_what_cannot_be_shown_is_named(damaged, statement, command, expected):
    damaged.damage(statement)
    finished = damaged(*command.split())
    assert finished.returncode == 2
    assert_told(finished, expected)
