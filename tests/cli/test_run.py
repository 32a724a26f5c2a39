"""`trainwright run`: finds the pipeline in a file, runs it, and says what became of it."""

import json
from pathlib import Path

import pytest


def value(root, node, key):
    """The value that the newest execution of a node wrote."""
    directories = Path(root, node, key).iterdir()
    newest = max(directories, key=lambda directory: int(directory.name))
    return (newest / "value").read_text()


@pytest.mark.parametrize(
    ("lines", "description"),
    [
        ("pipeline = make('found', 'root')\nother = make('other', 'other')", "`pipeline` in"),
        ("def create_pipeline():\n    return make('found', 'root')", "create_pipeline() in"),
        ("mine = make('found', 'root')", "`mine` in"),
        (
            "from trainwright import LocalDagRunner\nLocalDagRunner().run(make('found', 'root'))",
            "the pipeline that pipeline.py runs",
        ),
        (
            """
            from trainwright import LocalDagRunner
            def main():
                LocalDagRunner().run(make('found', 'root'))
            if __name__ == "__main__":
                main()
            """,
            "the pipeline that pipeline.py runs",
        ),
        (
            """
            from trainwright import LocalDagRunner
            first, second = make('other', 'other'), make('found', 'root')
            LocalDagRunner().run(second)
            """,
            "the pipeline that pipeline.py runs",
        ),
    ],
    ids=["variable", "function", "only one", "run at once", "run as a script", "one of two is run"],
)
def test_the_pipeline_is_found_and_run_once(
    trainwright, write_pipeline, tmp_path, lines, description
):
    write_pipeline(lines)
    finished = trainwright("run", "pipeline.py")
    assert finished.returncode == 0, finished.stderr
    assert f"Found {description}" in finished.stderr
    assert ": found\n" in finished.stderr
    assert value(tmp_path / "root", "double", "twice") == "2"
    assert len(list((tmp_path / "root" / "count" / "total").iterdir())) == 1
    assert not (tmp_path / "other").exists()


def test_each_line_of_a_script_is_executed_once(trainwright, write_pipeline, tmp_path):
    """A flag of absl cannot be defined twice, nor can most of what a file does be done twice."""
    write_pipeline(
        """
        from absl import app, flags
        from trainwright import LocalDagRunner

        flags.DEFINE_integer("start", 4, "Where to begin.")

        def note(text):
            with open("executed.txt", "a") as file:
                print(text, file=file)

        note("module")

        def main(argv):
            note("main")
            LocalDagRunner().run(make("found", "root", flags.FLAGS.start))

        if __name__ != "another":
            note("both")
        if "__main__" == __name__ and flags:
            def two():
                return 2
            note(f"block {__name__} {two()}")
            app.run(main)
            note("never")
        else:
            note("else")
        """
    )
    finished = trainwright("run", "pipeline.py")
    assert finished.returncode == 0, finished.stderr
    assert value(tmp_path / "root", "double", "twice") == "8"
    executed = (tmp_path / "executed.txt").read_text().splitlines()
    assert executed == ["module", "both", "else", "block __main__ 2", "main"]


@pytest.mark.parametrize("future", ["", "from __future__ import annotations"])
def test_a_script_is_compiled_with_its_own_future_statements(
    trainwright, write_pipeline, tmp_path, future
):
    path = write_pipeline(
        """
        def typed(x: int): ...
        if __name__ == "__main__":
            from trainwright import LocalDagRunner
            def also_typed(x: int): ...
            kinds = {type(f.__annotations__["x"]).__name__ for f in (typed, also_typed)}
            print("annotations:", *kinds)
            LocalDagRunner().run(make("found", "root"))
        """
    )
    path.write_text(f"{future}\n{path.read_text()}")
    finished = trainwright("run", "pipeline.py", "--explain")
    assert f"annotations: {'str' if future else 'type'}\n" in finished.stderr, finished.stderr


def test_the_results_and_the_next_command_are_printed(trainwright, write_pipeline, tmp_path):
    write_pipeline("pipeline = make('found', 'root')")
    finished = trainwright("run", "pipeline.py")
    root = tmp_path / "root"
    assert finished.stdout.startswith(f"2 artifacts in {root}\n")
    command = finished.stdout.strip().splitlines()[-1].split()
    assert command[:2] == ["trainwright", "show"]
    assert trainwright(*command[1:]).returncode == 0

    again = trainwright("run", "pipeline.py")
    assert "count: cached" in again.stderr
    assert "double: cached" in again.stderr


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("a = make('a', 'root')\nb = make('b', 'root')", "has several pipelines: a, b. Name the"),
        ("x = 5", "pipeline.py has no pipeline. Expected a variable `pipeline`, a function"),
        ("def create_pipeline():\n    return 5", "create_pipeline() in pipeline.py returned 5"),
        ("import sys\nsys.exit(3)", "ended with exit code 3"),
        ("pipeline = make('a', '')", "Pipeline 'a' has no pipeline_root"),
    ],
    ids=["several", "none", "no Pipeline", "exit", "no root"],
)
def test_what_cannot_run_ends_in_one_sentence_and_exit_code_2(
    trainwright, write_pipeline, tmp_path, lines, complaint
):
    write_pipeline(lines)
    finished = trainwright("run", "pipeline.py")
    assert finished.returncode == 2
    assert complaint in finished.stderr
    assert "Traceback" not in finished.stderr
    assert finished.stdout == ""
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize(
    ("lines", "wrong_line"),
    [
        ("def create_pipeline():\n    return make('a', 5)", "    return make('a', 5)"),
        ("import no_such_module", "import no_such_module"),
        ("def create_pipeline(:", "def create_pipeline(:"),
    ],
    ids=["wrong argument", "missing module", "syntax error"],
)
def test_an_error_in_the_file_is_told_with_the_user_s_line(
    trainwright, write_pipeline, lines, wrong_line
):
    path = write_pipeline(lines)
    number = path.read_text().splitlines().index(wrong_line) + 1
    finished = trainwright("run", "pipeline.py")
    assert finished.returncode == 2
    assert "pipeline.py cannot be loaded" in finished.stderr
    assert f'File "{path}", line {number}' in finished.stderr
    assert wrong_line in finished.stderr
    assert "click" not in finished.stderr


def test_a_missing_file_is_named(trainwright):
    finished = trainwright("run", "nothing.py")
    assert finished.returncode == 2
    assert "'nothing.py' does not exist" in finished.stderr


def test_a_pipeline_file_finds_what_lies_beside_it(trainwright, tmp_path, write_pipeline):
    (tmp_path / "settings_beside.py").write_text("START = 21\n")
    write_pipeline("from settings_beside import START\npipeline = make('found', 'root', START)")
    finished = trainwright("run", tmp_path / "pipeline.py")
    assert finished.returncode == 0, finished.stderr
    assert value(tmp_path / "root", "double", "twice") == "42"


SETTINGS = """
    @component
    def note(text: Parameter[str]) -> OutputDict(noted=str):
        return {"noted": text}

    def create_pipeline(
        root: str,
        steps: int,
        rate=0.5,
        is_small: "bool" = False,
        limit: "int | None" = None,
        name=None,
    ):
        text = repr((steps, rate, is_small, limit, name))
        return Pipeline("settings", root, components=[note(text=text)])
"""


def test_settings_become_arguments_of_their_type(trainwright, write_pipeline, tmp_path):
    write_pipeline(SETTINGS)
    settings = ["root=out", "steps=5", "rate=2", "is_small=true", "limit=7", "name=1=2"]
    finished = trainwright("run", "pipeline.py", *[f"--set={setting}" for setting in settings])
    assert finished.returncode == 0, finished.stderr
    assert value(tmp_path / "out", "note", "noted") == "(5, 2.0, True, 7, '1=2')"


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ([], "needs the arguments root, steps: give each with --set NAME=VALUE"),
        (["root=out"], "needs the arguments steps: give"),
        (["root=out", "steps=five"], "steps expects int, got 'five'"),
        (["root=out", "steps=5", "rate=fast"], "rate expects float, got 'fast'"),
        (
            ["root=out", "steps=5", "is_small=maybe"],
            "is_small expects bool (true or false), got 'maybe'",
        ),
        (["root=out", "steps=5", "limits=7"], "'limits'; did you mean 'limit'?"),
        (["root"], "'root' is not NAME=VALUE"),
        (["=5"], "'=5' is not NAME=VALUE"),
    ],
)
def test_wrong_settings_are_refused(trainwright, write_pipeline, tmp_path, settings, complaint):
    write_pipeline(SETTINGS)
    finished = trainwright("run", "pipeline.py", *[f"--set={setting}" for setting in settings])
    assert finished.returncode == 2
    assert complaint in finished.stderr
    assert not (tmp_path / "out").exists()


PARAMETERS = """
    from trainwright import RuntimeParameter

    def create_pipeline(root="root"):
        return make("parameters", root, RuntimeParameter("start", ptype=int))
"""


def test_settings_become_runtime_parameters_too(trainwright, write_pipeline, tmp_path):
    write_pipeline(PARAMETERS)
    finished = trainwright("run", "pipeline.py", "--set", "start=4", "--set", "root=out")
    assert finished.returncode == 0, finished.stderr
    assert value(tmp_path / "out", "double", "twice") == "8"


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        (None, "Runtime parameter 'start' has no default and was given no value"),
        ("start=x", "Runtime parameter 'start' expects int, got 'x'"),
        ("strat=5", "no argument or runtime parameter 'strat'; did you mean 'start'?"),
    ],
)
def test_wrong_runtime_parameters_are_refused(
    trainwright, write_pipeline, tmp_path, setting, complaint
):
    write_pipeline(PARAMETERS)
    arguments = [] if setting is None else ["--set", setting]
    finished = trainwright("run", "pipeline.py", *arguments)
    assert finished.returncode == 2
    assert complaint in finished.stderr
    assert not (tmp_path / "root").exists()


FAILING = """
    @component
    def fail(total: int):
        rows = [total]
        return rows[5]

    def create_pipeline():
        counter = count()
        failing = fail(total=counter.outputs["total"])
        after = double(total=counter.outputs["total"])
        after.add_upstream_node(failing)
        return Pipeline("failing", "root", components=[counter, failing, after])
"""


def test_a_failed_node_is_told_with_the_user_s_line_and_the_log(
    trainwright, write_pipeline, tmp_path
):
    path = write_pipeline(FAILING)
    line = path.read_text().splitlines().index("    return rows[5]") + 1
    finished = trainwright("run", "pipeline.py")
    assert finished.returncode == 1
    assert "fail failed with IndexError: list index out of range" in finished.stderr
    assert f'File "{path}", line {line}, in fail' in finished.stderr
    assert "return rows[5]" in finished.stderr
    assert "function_executor.py" not in finished.stderr
    assert "Not run because of that: double." in finished.stderr
    log = tmp_path / "root" / "fail" / ".system" / "executor_execution" / "2" / "executor.log"
    assert f"Log: {log}" in finished.stderr
    assert "IndexError" in log.read_text()
    assert finished.stdout == ""


def test_a_value_error_of_a_component_is_a_failure_not_a_refusal(trainwright, write_pipeline):
    write_pipeline(FAILING.replace("return rows[5]", "raise ValueError('not five')"))
    finished = trainwright("run", "pipeline.py")
    assert finished.returncode == 1
    assert "fail failed with ValueError: not five" in finished.stderr


def test_json_is_one_object_per_line(trainwright, write_pipeline, tmp_path):
    write_pipeline("pipeline = make('found', 'root')")
    finished = trainwright("run", "pipeline.py", "--json")
    assert finished.returncode == 0
    events = [json.loads(line) for line in finished.stdout.splitlines()]
    assert [event["event"] for event in events if event["event"] != "node_progress"] == [
        "run_started",
        "node_started",
        "node_completed",
        "node_started",
        "node_completed",
        "run_finished",
    ]
    assert events[0]["pipeline"] == "found"
    assert events[0]["root"] == str(tmp_path / "root")
    assert [event["node"] for event in events if event["event"] == "node_completed"] == [
        "count",
        "double",
    ]
    assert events[-1]["state"] == "complete"
    assert finished.stderr == ""


@pytest.mark.parametrize(
    ("lines", "is_kept"),
    [
        ("import tfx\npipeline = two", True),
        ("from tfx import v1 as tfx\ntfx.orchestration.LocalDagRunner().run(two)", True),
        ("import tfx\nfrom trainwright import LocalDagRunner\nLocalDagRunner().run(two)", False),
    ],
    ids=["tfx names", "tfx runner", "own runner"],
)
def test_a_file_in_tfx_names_keeps_its_listed_order(trainwright, write_pipeline, lines, is_kept):
    pair = "[count().with_id('first'), count().with_id('second')]"
    both = f"two, other = Pipeline('p', 'root', components={pair}), make('o', 'o')"
    write_pipeline(f"{both}\n{lines}")
    finished = trainwright("run", "pipeline.py", "--json", "--max-parallel", "2")
    assert finished.returncode == 0, finished.stderr
    events = [json.loads(line) for line in finished.stdout.splitlines()]
    seen = [event["event"] for event in events if event["event"].startswith("node_")]
    started, ended = "node_started", "node_completed"
    kept = [started, ended, started, ended]
    assert seen == (kept if is_kept else [started, started, ended, ended])


def test_json_of_a_failed_run_has_the_traceback(trainwright, write_pipeline):
    write_pipeline(FAILING)
    finished = trainwright("run", "pipeline.py", "--json")
    assert finished.returncode == 1
    events = {event["event"]: event for event in map(json.loads, finished.stdout.splitlines())}
    assert "pipeline.py" in events["node_failed"]["traceback"]
    assert events["node_failed"]["error"].startswith("IndexError")
    assert events["node_skipped"]["because_of"] == ["fail"]
    assert events["run_finished"]["states"] == {
        "count": "complete",
        "fail": "failed",
        "double": "skipped",
    }


def test_max_parallel_must_be_positive(trainwright, write_pipeline):
    write_pipeline("pipeline = make('found', 'root')")
    assert trainwright("run", "pipeline.py", "--max-parallel", "0").returncode == 2
    assert trainwright("run", "pipeline.py", "--max-parallel", "1").returncode == 0


def test_progress_cannot_pass_for_another_event(capsys):
    from trainwright.cli.commands.run import _print_json
    from trainwright.orchestration.events import NodeProgress

    progress = {"event": "run_finished", "node": "other", "step": 1}
    _print_json(NodeProgress(node="a", progress=progress, at=1.0))
    told = json.loads(capsys.readouterr().out)
    assert told == {"event": "node_progress", "at": 1.0, "node": "a", "step": 1}


def test_a_reader_of_events_may_go_away(scene):
    scene.write("pipeline = make('found', 'root')")
    process = scene.start("run", "pipeline.py", "--json")
    assert json.loads(process.stdout.readline())["event"] == "run_started"
    process.stdout.close()
    assert "Warning" not in process.stderr.read()
    assert process.wait(60) == 0
