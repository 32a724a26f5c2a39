"""`trainwright logs` and `trainwright cancel`: watching a run from elsewhere, and stopping it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from documented_output import assert_lines_are_printed, block

PIPELINE = """
    import time
    from pathlib import Path

    @component
    def first(seconds: Parameter[float]) -> OutputDict(total=int):
        print("first begins", flush=True)
        end = time.monotonic() + seconds
        while time.monotonic() < end and not Path("go").exists():
            time.sleep(0.05)
        print("first ends", flush=True)
        return {"total": 1}

    @component
    def second(total: int) -> OutputDict(twice=int):
        print("second begins\\nsecond ends without a newline", end="")
        return {"twice": 2}

    @component
    def fail(twice: int):
        print("before the failure")
        raise KeyError("no such penguin")

    def create_pipeline(seconds: float = 0.0, failing: bool = False):
        one = first(seconds=seconds)
        two = second(total=one.outputs["total"])
        nodes = [one, two]
        if failing:
            three = fail(twice=two.outputs["twice"])
            nodes += [three, double(total=two.outputs["twice"]).with_id("last")]
            nodes[-1].add_upstream_node(three)
        return Pipeline("logged", "root", components=nodes, enable_cache=True)
"""


@pytest.fixture
def logged(scene):
    scene.write(PIPELINE)
    return scene


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.1)


@pytest.fixture
def slow_run(logged):
    """A run whose first node goes on until there is a file named `go`."""
    process = logged.start("run", "pipeline.py", "--set", "seconds=60")
    log = logged.directory / "root/first/.system/executor_execution/1/executor.log"
    wait_for(lambda: log.exists() and "first begins" in log.read_text())
    yield process
    process.kill()
    process.communicate()


def test_logs_of_finished_nodes(logged):
    assert logged.call("run", "pipeline.py", "--set", "failing=true").returncode == 1

    finished = logged.call("logs", "first")
    assert finished.returncode == 0
    store = logged.directory / "root" / "metadata.db"
    assert finished.stderr == f"Store: {store} (named by the last run in {logged.directory})\n"
    assert "first begins\nfirst ends\n" in finished.stdout
    assert logged.call("logs", "first", "-f").stdout == finished.stdout

    failed = logged.call("logs", "fail")
    assert failed.returncode == 1
    assert "before the failure" in failed.stdout
    assert "no such penguin" in failed.stdout

    document = json.loads(logged.call("logs", "second", "--json").stdout)
    assert document["lines"][-2:] == ["second begins", "second ends without a newline"]
    assert document["state"] == "complete"
    assert document["execution_id"] == 2
    followed = logged.call("logs", "second", "-f", "--json").stdout.splitlines()
    assert [json.loads(line)["line"] for line in followed] == document["lines"]

    by_execution = logged.call("logs", "--execution", "1")
    assert by_execution.stdout == finished.stdout

    # Reasons for there being none.
    skipped = logged.call("logs", "last")
    assert skipped.returncode == 2
    assert "last has no log: run " in skipped.stderr
    assert "What failed before it: fail." in skipped.stderr
    for arguments, complaint in [
        ([], "Name the NODE, or an execution"),
        (["frist"], "has no node 'frist'; did you mean 'first'?"),
        (["first", "1999"], "'1999' matches no run"),
        (["--execution", "99"], "There is no execution 99"),
        (["second", "--execution", "1"], "Execution 1 is one of first, not of second"),
    ]:
        refused = logged.call("logs", *arguments)
        assert refused.returncode == 2
        assert complaint in refused.stderr
        assert refused.stdout == ""

    # A reused node shows the log of who made its outputs.
    assert logged.call("run", "pipeline.py").returncode == 0
    reused = logged.call("logs", "second")
    assert reused.returncode == 0
    assert reused.stdout.endswith("second begins\nsecond ends without a newline")
    assert "second was reused in run " in reused.stderr
    assert "this is the log of execution 2, which made its outputs in run" in reused.stderr

    shutil.rmtree(logged.directory / "root" / "first" / ".system")
    removed = logged.call("logs", "first")
    assert removed.returncode == 2
    assert "The log of first (execution 1) is not there any more" in removed.stderr


def test_a_node_that_was_refused_says_why_it_has_no_log(scene):
    scene.write(
        """
        from trainwright.components import CsvExampleGen

        @component
        def write_nothing() -> OutputDict(total=int):
            import shutil
            shutil.rmtree("data")
            return {"total": 1}

        def create_pipeline():
            spans = {"splits": [{"name": "all", "pattern": "span-{SPAN}/*"}]}
            example_gen = CsvExampleGen(input_base="data", input_config=spans)
            writer = write_nothing()
            example_gen.add_upstream_node(writer)
            return Pipeline("refused", "root", components=[writer, example_gen])
        """
    )
    (scene.directory / "data" / "span-1").mkdir(parents=True)
    (scene.directory / "data" / "span-1" / "a.csv").write_text("a,b\n1,2\n")
    assert scene.call("run", "pipeline.py").returncode == 1
    finished = scene.call("logs", "CsvExampleGen")
    assert finished.returncode == 2
    assert "has no log: it failed before its executor was started." in finished.stderr


def test_following_a_run_from_node_to_node(logged, slow_run):
    early = logged.call("logs", "second")
    assert early.returncode == 2
    assert "has not reached second yet, so it has no log. Wait for it with -f." in early.stderr
    shown = logged.call("show")
    assert shown.returncode == 0
    assert "running" in shown.stdout
    assert "waiting" in shown.stdout

    first = logged.start("logs", "first", "--follow")
    second = logged.start("logs", "second", "-f")
    while first.stdout.readline() != "first begins\n":
        assert first.poll() is None
    assert second.stderr.readline().startswith("Store: ")
    assert "has not reached second yet; waiting for it." in second.stderr.readline()
    (logged.directory / "go").touch()
    output, _ = first.communicate(timeout=60)
    assert output == "first ends\n"
    assert first.returncode == 0
    output, _ = second.communicate(timeout=60)
    assert output.endswith("second begins\nsecond ends without a newline")
    assert second.returncode == 0


def test_following_ends_quietly_with_ctrl_c(logged, slow_run):
    follower = logged.start("logs", "first", "-f")
    assert follower.stdout.readline()
    follower.send_signal(signal.SIGINT)
    _, messages = follower.communicate(timeout=60)
    assert follower.returncode == 130
    assert messages.startswith("Store: ")
    assert len(messages.strip().splitlines()) == 1


def test_a_run_is_canceled(logged, slow_run):
    follower = logged.start("logs", "second", "-f")
    assert follower.stderr.readline().startswith("Store: ")
    assert "waiting for it" in follower.stderr.readline()
    began = time.monotonic()
    canceled = logged.call("cancel", "latest")
    assert canceled.returncode == 0, canceled.stderr
    assert time.monotonic() - began < 30
    assert "of logged: canceled. Stopped: first. Not run: second.\n" in canceled.stdout
    assert_lines_are_printed(
        block("docs/command_line.md", "Stopping run"),
        canceled.stderr + canceled.stdout,
        {"penguin": "logged", "Trainer": "first", "Pusher": "second"},
    )
    slow_run.communicate(timeout=60)
    assert slow_run.returncode == 130
    follower.communicate(timeout=60)
    assert follower.returncode == 2

    assert logged.call("show").returncode == 1
    run = json.loads(logged.call("runs", "--json", "--state", "canceled").stdout)[0]
    assert run["nodes"][0]["state"] == "canceled"

    again = logged.call("cancel", run["run_id"])
    assert again.returncode == 2
    assert f"Run {run['run_id']} is over already: canceled, started " in again.stderr


def test_a_request_is_left_in_the_store_without_waiting(logged, slow_run):
    from trainwright.metadata.connection import open_store
    from trainwright.metadata.contexts import run_context

    asked = json.loads(logged.call("cancel", "latest", "--no-wait", "--json").stdout)
    assert asked["outcome"] == "asked to stop"
    with open_store(logged.directory / "root" / "metadata.db") as store:
        record = store.get_context(run_context(asked["run_id"]))
        assert store.now() - 60 < record.custom_properties["cancel_requested_at"] <= store.now()
    slow_run.communicate(timeout=60)
    assert slow_run.returncode == 130


def test_a_program_that_runs_a_pipeline_in_a_thread_survives(scene):
    path = scene.write(
        """
        import threading
        from trainwright import LocalDagRunner

        @component
        def wait() -> OutputDict(total=int):
            import time
            time.sleep(60)
            return {"total": 1}

        def work():
            try:
                LocalDagRunner().run(Pipeline("threaded", "root", components=[wait()]))
            except BaseException as error:
                print(type(error).__name__)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        print("still here")
        """,
        name="program.py",
    )
    program = subprocess.Popen(
        [sys.executable, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **scene.options({})
    )
    store = scene.directory / "root" / "metadata.db"
    log = scene.directory / "root/wait/.system/executor_execution/1/executor.log"
    wait_for(log.exists)
    canceled = scene.call("cancel", "latest", "--store", store)
    assert canceled.returncode == 0, canceled.stderr
    output, _ = program.communicate(timeout=60)
    assert output == "RunCanceled\nstill here\n"


def test_a_run_that_died_is_told_apart(logged, slow_run):
    os.kill(slow_run.pid, signal.SIGKILL)
    slow_run.wait()
    canceled = logged.call("cancel", "latest")
    assert canceled.returncode == 2
    assert "has died: its process is gone, so there is nothing to stop." in canceled.stderr
    shown = logged.call("show", "--json")
    assert shown.returncode == 1
    document = json.loads(shown.stdout)
    assert document["state"] == "died"
    assert [node["state"] for node in document["nodes"]] == ["died", "not run"]
    followed = logged.call("logs", "first", "-f")
    assert "first begins" in followed.stdout
    assert "The process that ran first has died." in followed.stderr
    assert [run["state"] for run in json.loads(logged.call("runs", "--json").stdout)] == ["died"]


def test_only_a_run_can_be_canceled(logged):
    assert logged.call("run", "pipeline.py").returncode == 0
    for arguments, complaint in [
        (["1999"], "'1999' matches no run"),
        (["latest"], "is over already: complete"),
        ([], "Missing argument 'RUN'"),
    ]:
        refused = logged.call("cancel", *arguments)
        assert refused.returncode == 2
        assert complaint in refused.stderr


def test_a_run_that_somebody_else_started_is_followed_to_its_end(logged, slow_run):
    following = logged.start("logs", "-f")
    as_json = logged.start("logs", "-f", "latest", "--json")
    seen = []
    while not any("first | first begins" in line for line in seen):
        seen.append(following.stdout.readline())
        assert seen[-1], "it ended before the run did"
    (logged.directory / "go").touch()
    rest, _ = following.communicate(timeout=60)
    lines = [*(line.rstrip("\n") for line in seen), *rest.splitlines()]
    told = [line.split(" ", 1)[1] if line[:1].isdigit() else line for line in lines]
    order = [
        "first: started (execution 1): it has not run before",
        "first | first begins",
        "first | first ends",
        next(line for line in told if line.startswith("first: done in")),
        "second: started (execution 2): it has not run before",
        "second | second begins",
        "second | second ends without a newline",
        next(line for line in told if line.startswith("second: done in")),
        next(line for line in told if line.startswith("logged: complete in")),
    ]
    places = [told.index(line) for line in order]
    assert places == sorted(places)
    assert told[0].startswith("logged: run 20")
    assert following.returncode == 0

    printed, _ = as_json.communicate(timeout=60)
    events = [json.loads(line) for line in printed.splitlines()]
    assert [event["event"] for event in events] == [
        "run_started",
        "node_started",
        "node_completed",
        "node_started",
        "node_completed",
        "run_finished",
    ]
    assert events[-1]["state"] == "complete"
    slow_run.communicate(timeout=60)
    # What is over is told from the beginning.
    again = logged.call("logs", "-f", events[0]["run_id"][:-1])
    assert again.returncode == 0
    assert [line for line in again.stdout.splitlines() if line[:1].isalpha()] == [
        line for line in lines if line[:1].isalpha()
    ]


def test_following_ends_when_the_run_is_killed(logged, slow_run):
    following = logged.start("logs", "-f", "latest")
    assert "logged: run 20" in following.stdout.readline()
    slow_run.kill()
    # Not communicate(): it does not know of lines that were buffered behind the first.
    rest, errors = following.stdout.read(), following.stderr.read()
    assert following.wait(60) == 1
    assert "first | first begins" in rest
    assert "has died: its process is gone." in errors


def test_following_tells_of_failures_without_obeying_them(logged):
    logged.write(
        """
        @component
        def fail():
            raise KeyError("no\\x1b[2Jpenguin")

        pipeline = Pipeline("hostile", "root", components=[fail()])
        """
    )
    assert logged.call("run", "pipeline.py").returncode == 1
    followed = logged.call("logs", "-f")
    assert followed.returncode == 1
    assert "fail: FAILED with KeyError: " in followed.stdout
    assert "\x1b" not in followed.stdout + followed.stderr
    assert "[2Jpenguin" in followed.stdout
    (events,) = (logged.directory / "root/.system/runs").glob("*/events.jsonl")
    with events.open("ab") as file:
        file.write(b'not JSON\n{"event": "node_started", "at": 1, "node": "x"}\n')
    assert logged.call("logs", "-f").stdout == followed.stdout


def test_a_run_that_cannot_be_followed(logged):
    assert logged.call("run", "pipeline.py").returncode == 0
    raw = logged.call("logs", "-f", "latest", "--raw")
    assert raw.returncode == 2
    assert "--raw is for the log of a node" in raw.stderr
    alone = logged.call("logs", "latest")
    assert alone.returncode == 2
    assert "or follow all of it with -f" in alone.stderr
    shutil.rmtree(logged.directory / "root/.system")
    gone = logged.call("logs", "-f")
    assert gone.returncode == 2
    assert "has no event log below" in gone.stderr
