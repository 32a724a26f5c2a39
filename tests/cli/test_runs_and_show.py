"""`trainwright runs` and `trainwright show`: what is in a store, which they never create."""

import json
import os
import sys
from pathlib import Path

import pytest

from trainwright._version import TFX_API_VERSION, __version__

PIPELINES = """
    import sys

    @component
    def fail(total: int):
        raise KeyError("no such penguin")

    def create_pipeline(name="good"):
        counter = count()
        if name == "good":
            return make("good", "root")
        return Pipeline(
            name,
            "root",
            components=[counter, fail(total=counter.outputs["total"])],
        )
"""


@pytest.fixture
def run_ids(trainwright, write_pipeline):
    """A good run, then a bad one; their ids."""
    write_pipeline(PIPELINES)
    ids = []
    for name in ("good", "bad"):
        finished = trainwright("run", "pipeline.py", "--set", f"name={name}", "--json")
        ids.append(json.loads(finished.stdout.splitlines()[0])["run_id"])
    return ids


def test_runs_and_show(trainwright, run_ids, tmp_path):
    """One story, because making the runs takes long."""
    good, bad = run_ids
    root = tmp_path / "root"

    # The store of the last run is the one that is looked into; newest first.
    listed = trainwright("runs")
    assert listed.returncode == 0
    lines = [line.split() for line in listed.stdout.splitlines()]
    assert lines[0] == ["RUN", "PIPELINE", "STATE", "STARTED", "NODES"]
    assert [line[:3] for line in lines[1:]] == [[bad, "bad", "failed"], [good, "good", "complete"]]
    assert "2 complete" in listed.stdout
    assert "1 complete, 1 failed" in listed.stdout

    assert trainwright("runs", "--pipeline", "good").stdout.count("\n") == 2
    assert trainwright("runs", "--limit", "1").stdout.splitlines()[1].startswith(bad)
    assert trainwright("runs", "--pipeline", "unknown").stdout == "No runs of pipeline 'unknown'.\n"

    as_json = json.loads(trainwright("runs", "--json").stdout)
    assert [run["run_id"] for run in as_json] == [bad, good]
    assert [node["state"] for node in as_json[0]["nodes"]] == ["complete", "failed"]

    # A run by the word, by its id and by the beginning of it.
    for wanted in ([], ["latest"], [bad]):
        shown = trainwright("show", *wanted)
        assert shown.returncode == 0
        assert f"bad  run {bad}  failed" in shown.stdout
        assert f"artifacts in {root}" in shown.stdout
        assert "fail: KeyError: 'no such penguin'" in shown.stdout
    shown = trainwright("show", good[:-2])
    assert f"run {good}  complete" in shown.stdout
    assert f"double.twice  Integer 2\n  {root}/double/twice/2/value" in shown.stdout

    as_json = json.loads(trainwright("show", good, "--json").stdout)
    assert as_json["pipeline"] == "good"
    assert [node["node_id"] for node in as_json["nodes"]] == ["count", "double"]
    (made,) = as_json["nodes"][0]["outputs"]["total"]
    assert made["type"]["name"] == "Integer"
    assert Path(made["uri"]).read_text() == "1"

    # What is not there, or there twice.
    unknown = trainwright("show", "1999")
    assert unknown.returncode == 2
    assert "'1999' matches no run" in unknown.stderr
    assert bad in unknown.stderr
    several = trainwright("show", os.path.commonprefix([good, bad]))
    assert several.returncode == 2
    assert "matches several runs" in several.stderr

    # The same from elsewhere, by the path of the store.
    store = root / "metadata.db"
    other_home = {"XDG_STATE_HOME": str(tmp_path / "elsewhere")}
    assert trainwright("runs", **other_home).returncode == 2
    assert trainwright("runs", "--store", store, **other_home).stdout == listed.stdout
    assert trainwright("runs", "--store", "root/metadata.db", **other_home).returncode == 0
    assert trainwright("runs", "--store", f"sqlite:///{store}", **other_home).returncode == 0


@pytest.mark.parametrize("command", ["runs", "show"])
def test_without_any_run_there_is_nothing_to_look_into(trainwright, command):
    finished = trainwright(command)
    assert finished.returncode == 2
    assert "No run has been remembered yet" in finished.stderr
    assert "--store PATH" in finished.stderr


@pytest.mark.parametrize("command", ["runs", "show"])
@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_a_store_that_is_not_there_is_not_created(trainwright, tmp_path, command, form):
    path = tmp_path / "nothing" / "metadata.db"
    path.parent.mkdir()
    finished = trainwright(command, "--store", form.format(path))
    assert finished.returncode == 2
    assert f"There is no metadata store at {path}" in finished.stderr
    assert list(path.parent.iterdir()) == []


def test_a_file_that_is_no_store_is_left_alone(trainwright, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database " * 100)
    finished = trainwright("runs", "--store", path)
    assert finished.returncode == 2
    assert "notes.txt is not an SQLite database" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert path.read_text() == "not a database " * 100


def test_a_store_that_was_removed_is_named(trainwright, state_home, tmp_path):
    remembered = state_home / "trainwright" / "last_store"
    remembered.parent.mkdir()
    remembered.write_text(f"sqlite:///{tmp_path}/gone.db")
    finished = trainwright("runs")
    assert finished.returncode == 2
    assert f"There is no metadata store at {tmp_path}/gone.db" in finished.stderr
    assert "(gone)" in trainwright("doctor").stdout


def test_doctor_says_what_is_installed(trainwright):
    finished = trainwright("doctor")
    assert finished.returncode == 0, finished.stdout
    lines = {line.split()[0]: line for line in finished.stdout.splitlines()}
    assert f"{sys.version_info.major}.{sys.version_info.minor}." in lines["python"]
    assert "tensorflow" in lines
    assert "not installed" not in lines["tensorflow"]
    assert f"TFX {TFX_API_VERSION}" in lines["trainwright"]
    assert "none yet" in lines["last"]


def test_doctor_as_json(trainwright):
    finished = trainwright("doctor", "--json")
    assert finished.returncode == 0
    diagnoses = {item["subject"]: item for item in json.loads(finished.stdout)}
    assert diagnoses["pyarrow"]["is_problem"] is False
    assert diagnoses["last store"]["advice"] == "trainwright run FILE.py"


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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--help"], ["run", "runs", "show", "doctor", "--version"]),
        (["-h"], ["run", "runs", "show", "doctor"]),
        (["run", "--help"], ["--set NAME=VALUE", "--json", "--max-parallel", "Exit code"]),
        (["runs", "--help"], ["--store PATH", "--pipeline", "--limit", "--json"]),
        (["show", "--help"], ["--store PATH", "--json", "latest"]),
        (["doctor", "--help"], ["--json", "Exit code"]),
    ],
)
def test_help(trainwright, arguments, words):
    finished = trainwright(*arguments)
    assert finished.returncode == 0
    for word in words:
        assert word in finished.stdout
    assert finished.stderr == ""


def test_version(trainwright):
    finished = trainwright("--version")
    assert finished.returncode == 0
    assert finished.stdout == f"trainwright, version {__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["bogus"], ["run"], ["runs", "--limit", "0"]])
def test_a_wrong_command_is_exit_code_2(trainwright, arguments):
    finished = trainwright(*arguments)
    assert finished.returncode == 2
    assert "Usage:" in finished.stderr
