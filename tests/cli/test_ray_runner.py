"""`trainwright run` on a Ray cluster: which one it is, and what is said when there is none."""

from __future__ import annotations

import textwrap

import pytest

# Nothing listens there.
NOWHERE = "127.0.0.1:1"
UNREACHABLE = f"There is no Ray cluster at {NOWHERE} that this process could join"

PIPELINE = """
    from trainwright import OutputDict, Pipeline, RayDagRunner, component

    @component
    def count() -> OutputDict(total=int):
        return {"total": 1}

    pipeline = Pipeline("counting", "output", components=[count()])
"""
SCRIPT = f"""
    from trainwright import Pipeline, RayDagRunner
    from pipeline import count

    RayDagRunner("{NOWHERE}").run(Pipeline("counting", "output", components=[count()]))
"""


@pytest.fixture
def files(scene):
    for name, source in [("pipeline.py", PIPELINE), ("script.py", SCRIPT)]:
        (scene.directory / name).write_text(textwrap.dedent(source))
    return scene


@pytest.mark.parametrize(
    ("settings", "arguments"),
    [
        ("", ["pipeline.py", "--runner", "ray", "--address", NOWHERE]),
        (f'runner = "ray"\n[ray]\naddress = "{NOWHERE}"\n', ["pipeline.py"]),
        ('[ray]\naddress = "10.0.0.5:6379"\n', ["script.py"]),
    ],
)
def test_a_cluster_that_does_not_answer_is_named_and_nothing_is_started(files, settings, arguments):
    (files.directory / "trainwright.toml").write_text(settings)
    finished = files.call("run", *arguments)
    assert finished.returncode == 2
    assert UNREACHABLE in " ".join(finished.stderr.split())
    assert "Traceback" not in finished.stderr
    assert not (files.directory / "output").exists()


def test_a_script_for_a_cluster_can_be_run_here(files):
    finished = files.call("run", "script.py", "--runner", "local")
    assert finished.returncode == 0, finished.stderr
    assert "counting: complete" in finished.stderr


@pytest.mark.parametrize(
    ("settings", "arguments", "message"),
    [
        ("", ["--address", NOWHERE], "--address is that of a Ray cluster: add --runner ray."),
        (
            "",
            ["--runner", "ray", "--address", "head"],
            "'head' is not the address of a Ray cluster: expected host:port",
        ),
        (
            "[ray]\naddress = 6379\n",
            [],
            'address in [ray] is 6379: expected a string such as "10.0.0.5:6379"',
        ),
        ("[ray]\nautoscales = 1\n", [], "autoscales in [ray] is 1: expected true or false"),
        ("[ray]\nlease_seconds = true\n", [], "is True: expected a number such as 30"),
        (
            'runner = "ray"\n[ray]\nlease_seconds = 1\n',
            [],
            "trainwright.toml: lease_seconds is 1: expected",
        ),
    ],
)
def test_mistakes_are_told(files, settings, arguments, message):
    (files.directory / "trainwright.toml").write_text(settings)
    finished = files.call("run", "pipeline.py", *arguments)
    assert finished.returncode == 2
    assert message in " ".join(finished.stderr.split())
