"""`trainwright explain` and `run --explain`: why nodes run, before and afterwards."""

from __future__ import annotations

import json


def table(text: str) -> list[list[str]]:
    """The rows of a table, without its head."""
    return [line.split(maxsplit=2) for line in text.split("\n\n")[0].splitlines()[1:]]


def test_a_pipeline_is_explained_without_running_it(scene):
    scene.write("def create_pipeline(start: int = 1):\n    return make('p', 'root', start)")
    finished = scene.call("run", "pipeline.py", "--explain")
    assert finished.returncode == 0, finished.stderr
    assert table(finished.stdout) == [
        ["count", "run", "it has not run before"],
        ["double", "run", "new outputs of count"],
    ]
    assert "2 of 2 nodes would run." in finished.stdout
    assert not (scene.directory / "root").exists()
    scene.run_here("pipeline.py")
    finished = scene.call("explain", "pipeline.py", "--set", "start=5")
    assert table(finished.stdout)[0] == ["count", "run", "property start changed from 1 to 5"]


def test_a_run_is_explained_afterwards(scene):
    scene.write("def create_pipeline(start: int = 1):\n    return make('p', 'root', start)")
    scene.run_here("pipeline.py")
    scene.run_here("pipeline.py", "--set", "start=2")
    finished = scene.call("explain")
    assert finished.returncode == 0, finished.stderr
    assert "property start changed from 1 to 2" in finished.stdout
    assert "input total changed (artifact 3 instead of 1)" in finished.stdout
    explained = json.loads(scene.call("explain", "latest", "--json").stdout)
    assert explained["nodes"][0] == {
        "node_id": "count",
        "state": "complete",
        "reason": "property start changed from 1 to 2",
    }


def test_explanations_as_json(scene):
    scene.write("pipeline = make('p', 'root')")
    finished = scene.call("run", "pipeline.py", "--explain", "--json")
    assert json.loads(finished.stdout)[0] == {
        "node_id": "count",
        "will_run": True,
        "reason": "it has not run before",
        "reused_execution_id": None,
        "is_skipped": False,
        "condition": None,
    }


def test_what_cannot_be_explained_is_told(scene):
    scene.write("pipeline = make('p', 'root')")
    finished = scene.call("explain", "pipelin.py")
    assert finished.returncode == 2
    assert "There is no file pipelin.py" in finished.stderr
    scene.run_here("pipeline.py")
    finished = scene.call("explain", "yesterday")
    assert finished.returncode == 2
    assert "'yesterday' matches no run" in finished.stderr
    assert scene.call("explain", "latest", "--set", "start=1").returncode == 2


def test_a_part_of_a_pipeline(scene):
    scene.write("pipeline = make('p', 'root')")
    finished = scene.call("run", "pipeline.py", "--from", "double")
    assert finished.returncode == 2
    assert "count is not part of this run, and its outputs cannot be used" in finished.stderr
    scene.run_here("pipeline.py", "--to", "count")
    assert not (scene.directory / "root/double").exists()
    finished = scene.call("run", "pipeline.py", "--from", "double")
    assert finished.returncode == 0, finished.stderr
    assert "double: started" in finished.stderr
    assert "count: cached, reuses execution 1" in finished.stderr
    finished = scene.call("run", "pipeline.py", "--from", "dubble")
    assert finished.returncode == 2
    assert "did you mean 'double'" in finished.stderr
    assert scene.call("run", "pipeline.py", "--base-run", "latest").returncode == 2


def test_a_run_goes_where_the_settings_say(scene):
    scene.write("pipeline = make('p', 'root')")
    scene.run_here("pipeline.py", "--store", "here.db")
    assert (scene.directory / "here.db").exists()
    (scene.directory / "trainwright.toml").write_text('[store]\nurl = "there.db"\n')
    scene.run_here("pipeline.py")
    assert (scene.directory / "there.db").exists()
    assert not (scene.directory / "root/metadata.db").exists()
