"""`trainwright import-mlmd`: TFX's history goes on in a store, or one sentence says why not."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
import time
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "compat" / "mlmd_import"))
from tfx_shaped_store import write  # noqa: E402

# What reads the blessed model of a pipeline that TFX ran before.
READER = """
from tfx import v1 as tfx
from tfx.types.standard_artifacts import Model, ModelBlessing

@tfx.dsl.components.component
def Read(
    model: tfx.dsl.components.InputArtifact[Model],
) -> tfx.dsl.components.OutputDict(found=str):
    return {"found": open(model.uri + "/content").read()}

resolver = tfx.dsl.Resolver(
    strategy_class=tfx.dsl.experimental.LatestBlessedModelStrategy,
    model=tfx.dsl.Channel(type=Model),
    model_blessing=tfx.dsl.Channel(type=ModelBlessing),
).with_id("latest_blessed")
tfx.orchestration.LocalDagRunner().run(
    tfx.dsl.Pipeline(
        pipeline_name="penguin",
        pipeline_root="root",
        components=[resolver, Read(model=resolver.outputs["model"])],
        metadata_connection_config=(
            tfx.orchestration.metadata.sqlite_metadata_connection_config("new.db")
        ),
    )
)
"""


@pytest.fixture
def history(scene):
    """A scene with `tfx.db`, two runs as TFX writes them, whose files are below `root`."""
    write(scene.directory / "tfx.db", scene.directory / "root")
    return scene


def refusal(scene, *arguments):
    finished = scene.call("import-mlmd", *arguments)
    assert finished.returncode == 2, finished.stdout
    return finished.stderr


def test_a_pipeline_of_tfx_goes_on_with_its_blessed_model(history):
    imported = history.call("import-mlmd", "tfx.db", "--store", "new.db")
    assert imported.returncode == 0, imported.stderr
    assert "pipelines   penguin (2 runs)" in imported.stdout
    (history.directory / "reader.py").write_text(READER)
    ran = history.call("run", "reader.py")
    assert ran.returncode == 0, ran.stderr
    (found,) = history.directory.glob("root/Read/found/*/value")
    assert found.read_text() == "2"  # the model of the first run: the second is not blessed
    assert found.parent.name == "8"  # behind the executions of TFX
    lineage = history.call("lineage", "7", "--store", "new.db").stdout
    assert "Model 2" in lineage
    assert "made by Trainer (execution 2, complete" in lineage
    assert "Examples 1" in lineage

    # Of the three runs one is kept, and what TFX made stays whatever gc thinks of it.
    collected = history.call("gc", "--keep", "0", "--yes", "--store", "new.db")
    assert collected.returncode == 0, collected.stderr
    assert "made elsewhere and imported from ml-metadata" in collected.stdout
    kept = sorted(
        str(path.relative_to(history.directory))
        for path in history.directory.glob("root/*/*/*/content")
    )
    assert len(kept) == 6
    os.rename(history.directory / "root" / "Trainer", history.directory / "unmounted")
    assert history.call("gc", "--keep", "0", "--yes", "--store", "new.db").returncode == 0
    listed = json.loads(history.call("artifacts", "--json", "--store", "new.db").stdout)
    assert {one["state"] for one in listed} == {"LIVE"}


def test_a_dry_run_writes_nothing(history):
    finished = history.call("import-mlmd", "tfx.db", "--store", "new.db", "--dry-run", "--json")
    document = json.loads(finished.stdout)
    assert document["outcome"] == "dry run"
    assert document["summary"]["counts"]["executions"] == 6
    assert not (history.directory / "new.db").exists()


def test_the_second_import_changes_nothing(history):
    history.call("import-mlmd", "tfx.db", "--store", "new.db")
    before = (history.directory / "new.db").read_bytes()
    again = history.call("import-mlmd", "tfx.db", "--store", "new.db")
    assert again.returncode == 0
    assert "was imported into" in again.stdout
    assert "Nothing was changed." in again.stdout
    assert (history.directory / "new.db").read_bytes() == before


def test_missing_files_are_told_not_refused(history):
    os.rename(history.directory / "root" / "Trainer", history.directory / "elsewhere")
    finished = history.call("import-mlmd", "tfx.db", "--store", "new.db")
    assert finished.returncode == 0
    assert "pass over until they are: 2." in finished.stdout


def test_killed_in_its_middle_it_leaves_nothing_and_can_be_done_again(history):
    # Many more records, so that there is a middle.
    with sqlite3.connect(history.directory / "tfx.db") as connection:
        numbers = (
            "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) "
        )
        type_id = "(SELECT type_id FROM Artifact WHERE id = 1)"
        connection.execute(
            f"INSERT INTO Artifact (id, type_id, uri) {numbers} SELECT i, {type_id}, 'u' FROM n"
        )
    running = history.start("import-mlmd", "tfx.db", "--store", "new.db")
    log = history.directory / "new.db-wal"
    deadline = time.monotonic() + 60
    while not (log.exists() and log.stat().st_size > 500_000):
        assert time.monotonic() < deadline
        assert running.poll() is None, "it was too quick to be killed"
        time.sleep(0.002)
    running.send_signal(signal.SIGKILL)
    running.wait()
    shown = history.call("artifacts", "--json", "--store", "new.db")
    assert json.loads(shown.stdout) == []
    assert history.call("import-mlmd", "tfx.db", "--store", "new.db").returncode == 0


def test_where_to_must_be_said(history):
    assert "--store PATH of a new store" in refusal(history, "tfx.db")


def test_a_file_is_not_imported_into_itself(history):
    message = refusal(history, "tfx.db", "--store", "tfx.db")
    assert "mv tfx.db tfx-tfx.db, then trainwright import-mlmd tfx-tfx.db --store tfx.db" in message


def test_files_that_cannot_be_imported_each_get_their_sentence(history):
    def refused(name, content=None):
        if content is not None:
            (history.directory / name).write_bytes(content)
        message = refusal(history, name, "--store", "new.db")
        assert not (history.directory / "new.db").exists()
        return " ".join(message.split())

    whole = (history.directory / "tfx.db").read_bytes()
    assert "There is no file absent.db." in refused("absent.db")
    assert "is a directory" in refused("root")
    assert "is not an SQLite database" in refused("words.db", b"not a database " * 500)
    assert "not of ml-metadata: it has the tables none" in refused("empty.db", b"")
    assert "is damaged" in refused("cut.db", whole[: len(whole) // 2])
    # SQLite's own message about this has the bytes in it.
    not_text = whole.replace(b"CREATE TABLE", b"CREATE TA\xf5LE", 1)
    assert "is damaged (malformed database schema)" in refused("not_text.db", not_text)
    for version, advice in (("6", "enable_upgrade_migration=True"), ("11", "downgrade_schema")):
        (history.directory / "other.db").write_bytes(whole)
        with sqlite3.connect(history.directory / "other.db") as connection:
            connection.execute(f"UPDATE MLMDEnv SET schema_version = {version}")
        message = refused("other.db")
        assert f"has schema version {version} of ml-metadata" in message
        assert advice in message


def test_a_store_of_trainwright_is_not_a_file_to_import(history):
    history.call("import-mlmd", "tfx.db", "--store", "new.db")
    assert "is a Trainwright store already" in refusal(history, "new.db", "--store", "third.db")
    write(history.directory / "another.db", history.directory / "another")
    assert "has records already" in refusal(history, "another.db", "--store", "new.db")


def test_hostile_names_reach_neither_the_terminal_nor_sql(history):
    with sqlite3.connect(history.directory / "tfx.db") as connection:
        connection.execute(
            "UPDATE Context SET name = ? WHERE name = 'penguin'",
            ("\x1b[2Jp'; DROP TABLE artifacts; --\n",),
        )
    finished = history.call("import-mlmd", "tfx.db", "--store", "new.db")
    assert finished.returncode == 0, finished.stderr
    assert "\x1b" not in finished.stdout
    assert len(json.loads(history.call("artifacts", "--json", "--store", "new.db").stdout)) == 6
    assert "\x1b" not in history.call("runs", "--store", "new.db").stdout


def test_names_with_line_breaks_begin_no_lines_of_their_own(history):
    with sqlite3.connect(history.directory / "tfx.db") as connection:
        for table in ("Context", "Type"):
            connection.execute(
                f"UPDATE {table} SET name = name || char(10) || 'FORGED' "
                "WHERE name IN ('penguin', 'Model')"
            )
        connection.execute("UPDATE Artifact SET uri = uri || char(10) || 'FORGED'")
    shown = [
        history.call(*command, "--store", "new.db").stdout
        for command in (["import-mlmd", "tfx.db"], ["show"], ["lineage", "2"])
    ]
    assert all(r"\nFORGED" in text for text in shown), shown
    assert not any(line.startswith("FORGED") for text in shown for line in text.splitlines())
