"""Files of ours under ml-metadata itself, and its files here; puts answered by both.

TRAINWRIGHT_MLMD_PYTHON names a Python that has ml-metadata 1.17.1: it needs an older Python and a
protobuf older than 5, so it can never be in this process. `make test-reference` makes one.
"""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import trainwright
from trainwright.metadata.connection import open_store

VARIABLE = "TRAINWRIGHT_MLMD_PYTHON"
RECORDS = Path(__file__).with_name("mlmd_reference_records.py")
GUIDE = RECORDS.with_name("mlmd_guide.py")
ANSWERS = RECORDS.with_name("mlmd_put_answers.py")
TFX_SHAPED = RECORDS.parents[1] / "mlmd_import" / "tfx_shaped_store.py"
OURS = {"PYTHONPATH": str(Path(trainwright.__file__).parents[1])}

pytestmark = pytest.mark.reference


def real_python():
    python = os.environ.get(VARIABLE)
    if not python or not os.path.exists(python):
        pytest.skip(f"{VARIABLE} names no Python that has ml-metadata 1.17.1")
    return python


def run_script(python, *arguments, environment):
    environment = {**os.environ, "PYTHONPATH": "", **environment}
    finished = subprocess.run(
        [python, *map(str, arguments)], capture_output=True, text=True, env=environment
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def run(python, what, path, environment):
    return run_script(python, RECORDS, what, path, environment=environment)


@pytest.fixture(params=["ours", "theirs"])
def path(request, tmp_path):
    path = tmp_path / "metadata.db"
    real = real_python()
    if request.param == "ours":
        run(sys.executable, "write", path, OURS)
    else:
        run(real, "write", path, {})
    return path


def test_both_find_the_same_in_a_file(path):
    ours = json.loads(run(sys.executable, "dump", path, OURS))
    theirs = json.loads(run(real_python(), "dump", path, {}))
    assert ours.keys() == theirs.keys()
    for what in theirs:
        # Without an order that was asked for, theirs is that of a set.
        assert sorted(ours[what]) == sorted(theirs[what]), what
    assert all(ours[query] for query in ours if "contexts_0.name = 'penguin'" in query)


def test_both_find_the_same_in_a_store_of_the_shape_that_tfx_writes(tmp_path):
    path = tmp_path / "tfx.db"
    run_script(real_python(), TFX_SHAPED, path, tmp_path / "root", environment={})
    ours = json.loads(run(sys.executable, "dump", path, OURS))
    theirs = json.loads(run(real_python(), "dump", path, {}))
    assert len(ours["artifacts"]) == 6
    assert {what: sorted(found) for what, found in ours.items()} == {
        what: sorted(found) for what, found in theirs.items()
    }


def test_a_store_that_tfx_wrote_reads_the_same_once_it_is_imported(tmp_path):
    path, store = tmp_path / "tfx.db", tmp_path / "new.db"
    run_script(real_python(), TFX_SHAPED, path, tmp_path / "root", environment={})
    imported = "from trainwright.cli.main import main; main()"
    arguments = ("-c", imported, "import-mlmd", path, "--store", store)
    run_script(sys.executable, *arguments, environment=OURS)
    before = json.loads(run(real_python(), "dump", path, {}))
    after = json.loads(run(sys.executable, "dump", store, OURS))
    for what in ("artifacts", "events by artifact", "events by execution", "artifact_types"):
        assert len(before[what]) == len(after[what]), what
    for what in ("artifacts", "artifacts of penguin", "artifacts of penguin.Trainer"):
        assert sorted(after[what]) == sorted(before[what]), what


def test_the_guide_works_under_both(tmp_path):
    run_script(sys.executable, GUIDE, tmp_path / "ours.db", environment=OURS)
    run_script(real_python(), GUIDE, tmp_path / "theirs.db", environment={})


@pytest.mark.parametrize("kind", ["a file of ml-metadata", "a store of Trainwright"])
def test_both_answer_puts_alike(tmp_path, kind):
    if kind == "a store of Trainwright":
        open_store(tmp_path / "ours.db").close()
    ours = run_script(sys.executable, ANSWERS, tmp_path / "ours.db", environment=OURS)
    theirs = run_script(real_python(), ANSWERS, tmp_path / "theirs.db", environment={})
    assert json.loads(ours) == json.loads(theirs)


def test_a_new_file_has_the_same_tables(tmp_path):
    def schema(path):
        with sqlite3.connect(path) as connection:
            tables = [
                name
                for (name,) in connection.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
                )
            ]
            return {
                table: (
                    connection.execute(f"PRAGMA table_info({table})").fetchall(),
                    sorted(row[1:] for row in connection.execute(f"PRAGMA index_list({table})")),
                )
                for table in tables
            }

    run(sys.executable, "write", tmp_path / "ours.db", OURS)
    run(real_python(), "write", tmp_path / "theirs.db", {})
    assert schema(tmp_path / "ours.db") == schema(tmp_path / "theirs.db")
