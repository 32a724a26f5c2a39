"""`trainwright doctor`: what is installed, which store is used, and whether all of that works."""

import json
import os
import sys

from trainwright._version import TFX_API_VERSION


def diagnoses_of(finished):
    return {item["subject"]: item for item in json.loads(finished.stdout)}


def test_doctor_says_what_is_installed(trainwright):
    finished = trainwright("doctor")
    assert finished.returncode == 0, finished.stdout
    lines = {line.split()[0]: line for line in finished.stdout.splitlines()}
    assert f"{sys.version_info.major}.{sys.version_info.minor}." in lines["python"]
    assert "not installed" not in lines["tensorflow"]
    assert f"TFX {TFX_API_VERSION}" in lines["trainwright"]
    assert "psycopg" in lines
    assert "none yet" in lines["store"]
    assert "none yet" in lines["last"]


def test_doctor_as_json(trainwright):
    finished = trainwright("doctor", "--json")
    assert finished.returncode == 0
    diagnoses = diagnoses_of(finished)
    assert diagnoses["pyarrow"]["is_problem"] is False
    assert diagnoses["last store"]["advice"] == "trainwright run FILE.py"
    assert diagnoses["fork"]["found"]


def test_doctor_finds_a_rival_package(trainwright, tmp_path):
    metadata = tmp_path / "site-packages" / "ml_metadata-1.15.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: ml-metadata\nVersion: 1.15.0\n"
    )
    path = os.pathsep.join([str(tmp_path / "site-packages"), os.environ.get("PYTHONPATH", "")])
    finished = trainwright("doctor", PYTHONPATH=path)
    assert finished.returncode == 1
    assert "pip uninstall ml-metadata" in finished.stdout


def test_doctor_says_which_store_is_used_and_by_whom(scene):
    scene.write("pipeline = make('found', 'root')")
    scene.run_here("pipeline.py")
    store = scene.directory / "root" / "metadata.db"
    diagnoses = diagnoses_of(scene.call("doctor", "--json"))
    assert diagnoses["store"]["found"].startswith(
        f"{store}, named by the last run in {scene.directory}; opens, schema"
    )
    assert diagnoses["last store"]["found"] == str(store)
    assert f"free in {store.parent}" in diagnoses["disk space"]["found"]

    diagnoses = diagnoses_of(scene.call("doctor", "--json", TRAINWRIGHT_STORE=str(store)))
    assert "named by TRAINWRIGHT_STORE; opens" in diagnoses["store"]["found"]


def test_a_store_that_is_yet_to_be_made_is_no_problem(scene):
    finished = scene.call("doctor", "--json", TRAINWRIGHT_STORE="later/metadata.db")
    assert finished.returncode == 0
    store = diagnoses_of(finished)["store"]
    assert store["found"].endswith("later/metadata.db, named by TRAINWRIGHT_STORE (not there)")
    assert not (scene.directory / "later").exists()


def test_a_store_that_does_not_open_is_a_problem(scene):
    (scene.directory / "notes.txt").write_text("not a database " * 100)
    finished = scene.call("doctor", "--json", "--store", "notes.txt")
    assert finished.returncode == 1
    assert "is not an SQLite database" in diagnoses_of(finished)["store"]["advice"]

    (scene.directory / "trainwright.toml").write_text("[stroe]")
    finished = scene.call("doctor", "--json")
    assert finished.returncode == 1
    assert "did you mean 'store'?" in diagnoses_of(finished)["store"]["found"]


def test_a_last_store_on_a_server_does_not_break_it(scene, state_home):
    remembered = state_home / "trainwright" / "last_store"
    remembered.parent.mkdir()
    remembered.write_text("postgresql://ada:secret@127.0.0.1:1/penguin?connect_timeout=2")
    finished = scene.call("doctor", "--json")
    assert finished.returncode == 1
    diagnoses = diagnoses_of(finished)
    assert diagnoses["store"]["is_problem"]
    assert diagnoses["last store"]["found"].startswith("postgresql://")
    assert "secret" not in finished.stdout + finished.stderr


def test_a_last_store_that_is_nonsense_does_not_break_it(scene, state_home):
    remembered = state_home / "trainwright" / "last_store"
    remembered.parent.mkdir()
    remembered.write_text("sqlite:nonsense")
    finished = scene.call("doctor", "--json")
    assert finished.returncode == 1
    assert "sqlite:nonsense" in diagnoses_of(finished)["last store"]["found"]


def test_a_last_store_that_is_gone(scene, state_home):
    remembered = state_home / "trainwright" / "last_store"
    remembered.parent.mkdir()
    remembered.write_text(f"sqlite:///{scene.directory}/gone.db")
    assert "gone.db (gone)" in scene.call("doctor").stdout
