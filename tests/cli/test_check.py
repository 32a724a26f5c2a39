"""`trainwright check`: a table for each file, a summary, and an exit code."""

from __future__ import annotations

import json


def test_a_project_that_runs_as_it_is(scene):
    (scene.directory / "pipeline.py").write_text(
        "from tfx import v1 as tfx\nimport trainer_module\ntfx.components.Trainer(examples=1)\n"
    )
    (scene.directory / "trainer_module.py").write_text("def run_fn(fn_args):\n    pass\n")
    finished = scene.call("check", "pipeline.py", "trainer_module.py")
    assert finished.returncode == 0, finished.stdout
    assert "3     here     tfx.v1.components.Trainer" in finished.stdout
    assert finished.stdout.endswith("2 files: 2 here. Nothing stands in the way.\n")
    assert finished.stderr == ""


def test_problems_of_a_directory(scene):
    project = scene.directory / "project"
    (project / ".hidden").mkdir(parents=True)
    (project / ".hidden" / "ignored.py").write_text("import tfx.nothing\n")
    cloud = "tfx.v1.extensions.google_cloud_ai_platform"
    (project / "a.py").write_text(f"from {cloud} import Tuner\nTuner(examples=1)\n")
    (project / "b.py").write_text("from tfx.components import Tuner\n")
    finished = scene.call("check", "project", "--problems")
    assert finished.returncode == 1
    assert f"2     refused  {cloud}.Tuner" in finished.stdout
    assert "searches on this machine" in finished.stdout
    assert "b.py" not in finished.stdout
    assert "2 files: 1 here, 1 refused." in finished.stdout


def test_json(scene):
    (scene.directory / "a.py").write_text("import tfx.nothing\n")
    finished = scene.call("check", "a.py", "--json")
    assert finished.returncode == 1
    document = json.loads(finished.stdout)
    assert document["problems"] == 1
    (finding,) = document["files"]["a.py"]
    assert (finding["line"], finding["what"], finding["verdict"]) == (
        "1",
        "tfx.nothing",
        "not here",
    )


def test_mistakes_of_a_newcomer(scene):
    absent = scene.call("check", "pipelin.py")
    assert absent.returncode == 2
    assert "pipelin.py is nothing" not in absent.stderr
    assert "There is no pipelin.py" in absent.stderr
    (scene.directory / "empty").mkdir()
    empty = scene.call("check", "empty")
    assert empty.returncode == 2
    assert "no .py files and no notebooks" in empty.stderr


def test_hostile_code_reaches_no_terminal(scene):
    (scene.directory / "a.py").write_text("x = 'gs://\x1b[2J'\nfrom tfx import \u0430\n")
    finished = scene.call("check", "a.py")
    assert finished.returncode == 1
    assert "\x1b" not in finished.stdout
