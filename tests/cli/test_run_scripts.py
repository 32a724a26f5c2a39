"""Files that run their pipelines themselves, and the arguments that such a file takes."""

import json

import pytest

NOTE = """
    import sys
    from trainwright import LocalDagRunner, RunOptions, RuntimeParameter

    def note(*words):
        with open("noted.txt", "a") as file:
            print(*words, file=file)

    @component
    def fail(total: int):
        raise ValueError("not five")

    def failing():
        counter = count()
        return Pipeline("f", "root", components=[counter, fail(total=counter.outputs["total"])])
"""


@pytest.fixture
def write_script(scene):
    """Writes pipeline.py, which has `note(...)` for what it does, and a pipeline `failing()`."""

    def write(lines):
        scene.write(NOTE).open("a").write(lines)
        return scene.directory / "pipeline.py"

    return write


@pytest.fixture
def noted(scene):
    """What the script has noted, line by line."""

    def read():
        path = scene.directory / "noted.txt"
        return path.read_text().splitlines() if path.exists() else []

    return read


def test_runs_are_performed_where_the_script_calls_them(scene, write_script, noted):
    """Also those of a `pipeline` that the command would run otherwise: it runs once."""
    write_script(
        """
start = RuntimeParameter("start", ptype=int)
pipeline = make("first", "root", start)
kinds = set()
runner = LocalDagRunner(observer=lambda event: kinds.add(event.kind.value))
result = runner.run(pipeline, RunOptions(to_nodes=["double"]), runtime_parameters={"start": 3})
note(result.state, open(result.outputs["count"]["total"][0].uri).read(), *result.states)
note("run_finished" in kinds, __name__ == "__main__")
print("printed")
second = LocalDagRunner(default_store="second.db").run(make("second", "root2", start))
note(second.state, *second.states)
"""
    )
    finished = scene.call("run", "pipeline.py", "--set", "start=7", "--to", "count")
    assert finished.returncode == 0, finished.stderr
    assert noted() == ["complete 7 count", "True False", "complete count"]
    assert finished.stderr.count("Found the pipeline that pipeline.py runs") == 2
    assert "printed\n" in finished.stderr
    assert finished.stdout.count("1 artifact in ") == 2
    assert len(list((scene.directory / "root" / "count" / "total").iterdir())) == 1
    assert (scene.directory / "second.db").exists()


def test_the_failure_of_a_run_reaches_the_script(scene, write_script, noted):
    write_script(
        """
try:
    LocalDagRunner().run(failing())
except ValueError as error:
    note("caught", type(error).__name__)
note("after")
"""
    )
    finished = scene.call("run", "pipeline.py")
    assert finished.returncode == 1
    assert finished.stderr.count("fail failed with ValueError: not five") == 1
    assert noted() == ["caught PipelineRunError", "after"]


def test_a_failure_that_the_script_does_not_catch_ends_it(scene, write_script, noted):
    write_script(
        """
from absl import app

def main(argv):
    try:
        LocalDagRunner().run(failing())
    finally:
        note("finally")
    note("never")

if __name__ == "__main__":
    app.run(main)
"""
    )
    finished = scene.call("run", "pipeline.py", "--json")
    assert finished.returncode == 1
    assert noted() == ["finally"]
    assert json.loads(finished.stdout.splitlines()[-1])["state"] == "failed"
    assert finished.stderr == ""


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("note(result.outputs['nothing'])", "KeyError: 'nothing'"),
        ("sys.exit(3)", "pipeline.py ended with exit code 3, after its run."),
    ],
    ids=["exception", "exit code"],
)
def test_an_error_after_the_run_is_told(scene, write_script, noted, lines, told):
    path = write_script(f'result = LocalDagRunner().run(make("p", "root"))\n{lines}\nnote("no")\n')
    finished = scene.call("run", "pipeline.py")
    assert finished.returncode == 1
    assert "complete in" in finished.stderr
    assert told in finished.stderr
    if "KeyError" in told:
        number = path.read_text().splitlines().index(lines) + 1
        assert "pipeline.py failed after its run." in finished.stderr
        assert f'File "{path}", line {number}, in <module>' in finished.stderr
        assert "cli/" not in finished.stderr
    assert noted() == []


def test_a_run_that_was_stopped_reaches_the_script(scene, write_script, noted):
    write_script(
        """
import os, signal

def stop(event):
    if event.kind.value == "node_started":
        os.kill(os.getpid(), signal.SIGINT)

try:
    LocalDagRunner(observer=stop).run(make("p", "root"))
except KeyboardInterrupt as error:
    note(error.result.state)
"""
    )
    assert scene.call("run", "pipeline.py").returncode == 130
    assert noted() == ["canceled"]


def test_a_refusal_reaches_the_script_and_is_told(scene, write_script, noted):
    write_script(
        """
try:
    LocalDagRunner().run(make("p", ""))
except ValueError:
    note("refused")
"""
    )
    finished = scene.call("run", "pipeline.py")
    assert finished.returncode == 2
    assert "Pipeline 'p' has no pipeline_root" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert noted() == ["refused"]


def test_a_script_that_is_only_looked_at_ends_where_it_would_run(scene, write_script, noted):
    write_script(
        """
pipeline = make("other", "root")
try:
    result = LocalDagRunner().run(make("found", "root"), RunOptions(to_nodes=["count"]))
    note(result.state)
except Exception:
    note("caught")
note("after")
"""
    )
    explained = scene.call("explain", "pipeline.py", "--json")
    assert [item["node_id"] for item in json.loads(explained.stdout)] == ["count"]
    drawn = scene.call("graph", "pipeline.py", "--json")
    assert json.loads(drawn.stdout)["pipeline"] == "found"
    assert noted() == []
    assert not (scene.directory / "root").exists()


def test_a_script_that_catches_everything_is_not_given_a_result(scene, write_script, noted):
    write_script(
        """
def create_pipeline():
    try:
        result = LocalDagRunner().run(make("found", "root"))
        note("after")
    except:
        raise RuntimeError("no result")
"""
    )
    finished = scene.call("run", "pipeline.py", "--explain")
    assert finished.returncode == 0, finished.stderr
    assert "2 of 2 nodes would run" in finished.stdout
    assert noted() == []


ARGPARSE = """
import argparse

def create_pipeline(start=1):
    return make("found", "root", start)

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, required=True)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    note(arguments.n, arguments.json)
    LocalDagRunner().run(create_pipeline(arguments.n))
"""


def test_what_follows_two_hyphens_are_the_script_s_own_arguments(scene, write_script, noted):
    """They go before `create_pipeline()`, which would not see them."""
    write_script(ARGPARSE)
    finished = scene.call("run", "pipeline.py", "--to", "count", "--", "--n=5", "--json")
    assert finished.returncode == 0, finished.stderr
    assert "Found the pipeline that pipeline.py runs: found" in finished.stderr
    assert noted() == ["5 True"]
    (total,) = (scene.directory / "root" / "count" / "total").iterdir()
    assert (total / "value").read_text() == "5"
    explained = scene.call("explain", "pipeline.py", "--", "--n=6")
    assert "property start changed from 5 to 6" in explained.stdout, explained.stderr
    assert scene.call("graph", "pipeline.py", "--json", "--", "--n=7").returncode == 0
    assert noted() == ["5 True", "6 False", "7 False"]


@pytest.mark.parametrize("library", ["argparse", "absl"])
def test_missing_flags_are_told_with_how_to_give_them(scene, write_script, noted, library):
    flags = """
from absl import app, flags

flags.DEFINE_integer("n", None, "How many.", required=True)

def main(argv):
    LocalDagRunner().run(make("found", "root", flags.FLAGS.n))

if __name__ == "__main__":
    app.run(main)
"""
    required = ARGPARSE.replace("create_pipeline(start=1)", "create_pipeline(start)")
    write_script(required if library == "argparse" else flags)
    finished = scene.call("run", "pipeline.py")
    assert finished.returncode == 2
    assert "--n" in finished.stderr
    assert "trainwright run pipeline.py -- --flag=value" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["run", "pipeline.py", "--n=5"], "No such option"),
        (["run", "pipeline.py", "n=5"], "unexpected extra argument (n=5)"),
        (["explain", "latest", "--", "--n=5"], "are for a pipeline's file"),
        (["run", "pipeline.py", "--set", "n=5"], "which has no runtime parameter 'n'"),
    ],
)
def test_arguments_that_nobody_takes_are_refused(scene, write_script, arguments, complaint):
    write_script('LocalDagRunner().run(make("found", "root"))')
    finished = scene.call(*arguments)
    assert finished.returncode == 2
    assert complaint in finished.stderr
    assert not (scene.directory / "root").exists()
