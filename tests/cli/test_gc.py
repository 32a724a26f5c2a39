"""`trainwright gc`: shows what would go, and deletes it when told to."""

from __future__ import annotations

import json
import shutil

import pytest


@pytest.fixture
def two_runs(scene):
    scene.write("def create_pipeline(start: int = 1):\n    return make('p', 'root', start)")
    for start in (1, 2):
        scene.run_here("pipeline.py", "--set", f"start={start}")
    return scene


def values(scene) -> list[str]:
    return sorted(path.read_text() for path in scene.directory.glob("root/*/*/*/value"))


def test_it_shows_and_deletes_only_when_told_to(two_runs):
    shown = two_runs.call("gc", "--keep", "1")
    assert shown.returncode == 0
    assert "p: 1 of 2 runs are kept." in shown.stdout
    assert "2 artifacts of 2 B and the logs of 2 executions can go." in shown.stdout
    assert "Nothing was deleted. Say --yes to delete." in shown.stderr
    assert values(two_runs) == ["1", "2", "2", "4"]
    done = two_runs.call("gc", "--keep", "1", "--yes")
    assert done.returncode == 0
    assert "Deleted 2 artifacts, 2 B." in done.stdout
    assert values(two_runs) == ["2", "4"]
    assert "Nothing to delete." in two_runs.call("gc", "--keep", "1").stdout


def test_nothing_goes_while_there_are_few_runs(two_runs):
    finished = two_runs.call("gc", "--yes")
    assert "p: 2 of 2 runs are kept.\nNothing to delete." in finished.stdout
    assert len(values(two_runs)) == 4


def test_json(two_runs):
    finished = two_runs.call("gc", "--keep", "1", "--json", "--dry-run")
    plan = json.loads(finished.stdout)["p"]
    assert plan["bytes"] == 2
    assert [artifact["type_name"] for artifact in plan["artifacts"]] == ["Integer", "Integer"]
    assert len(values(two_runs)) == 4


def test_contradictions_are_refused(two_runs):
    finished = two_runs.call("gc", "--yes", "--dry-run")
    assert finished.returncode == 2
    assert "contradict each other" in finished.stderr


def test_what_is_gone_already_is_not_said_to_be_deleted(two_runs):
    for directory in two_runs.directory.glob("root/*/*/1"):
        shutil.rmtree(directory)
    finished = two_runs.call("gc", "--keep", "1", "--yes")
    assert finished.returncode == 0
    assert (
        "2 artifacts of 1 B and the logs of 2 executions can go. The files of 1 " in finished.stdout
    )
    assert (
        "Deleted 1 artifacts, 1 B. The files of 1 artifacts were gone already." in finished.stdout
    )


def test_what_stays_because_it_lies_behind_a_link_is_named(two_runs):
    root = two_runs.directory / "root"
    node = min(path for path in root.iterdir() if list(path.glob("*/1/value")))
    node.rename(two_runs.directory / "disk")
    node.symlink_to(two_runs.directory / "disk")
    shown = two_runs.call("gc", "--keep", "1", "--yes").stdout
    assert "1 artifacts of 1 B stay that no kept run needs: they lie behind a link" in shown
    assert f"Delete them yourself: {node}/" in shown
    finished = two_runs.call("gc", "--keep", "1", "--json", "--dry-run")
    assert len(json.loads(finished.stdout)["p"]["behind_links"]) == 1
