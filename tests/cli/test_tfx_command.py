"""The `tfx` command: what scripts that were written for TFX call, and what they look for."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import textwrap
import time

import pytest
from documented_output import assert_lines_are_printed, block

from trainwright.cli.tfx_command.main import main

COMMAND = [sys.executable, "-c", "from trainwright.cli.tfx_command.main import main; main()"]

RUNNER = """
    import time
    from pathlib import Path

    from tfx import v1 as tfx
    from trainwright import OutputDict, Parameter, component

    NAME = {name!r}

    @component
    def count(start: Parameter[int]) -> OutputDict(total=int):
        if start < 0:
            raise ValueError("cannot count from there")
        print("counting", flush=True)
        while start == 60 and not Path("go").exists():
            time.sleep(0.05)
        return {{"total": start}}

    def run():
        start = tfx.dsl.experimental.RuntimeParameter(name="start", ptype=int, default=1)
        tfx.orchestration.LocalDagRunner().run(
            tfx.dsl.Pipeline(NAME, "out", components=[count(start=start)])
        )

    if __name__ == "__main__":
        run()
"""


# What executes a pipeline's file needs a process of its own; the rest is quicker in this one.
EXECUTING = ("pipeline create", "pipeline update", "pipeline compile", "run create")


class Tfx:
    """The command in a directory and with a home of its own."""

    def __init__(self, directory, monkeypatch):
        self.directory = directory
        self.monkeypatch = monkeypatch
        self.home = directory / "home" / "tfx" / "local"
        (directory / "home").mkdir()

    def write(self, name="counting", file="runner.py", source=RUNNER):
        path = self.directory / file
        path.write_text(textwrap.dedent(source.format(name=name)))
        return path

    def options(self, cwd=None, **environment):
        variables = {**os.environ, "HOME": str(self.directory / "home"), **environment}
        return {"cwd": cwd or self.directory, "text": True, "env": variables}

    def __call__(self, line, **options):
        """Calls the command; returns the finished process, or what stands for one."""
        arguments, options = line.split(), self.options(**options)
        if line.startswith(EXECUTING):
            return subprocess.run(
                [*COMMAND, *arguments], capture_output=True, timeout=120, **options
            )
        with self.monkeypatch.context() as patched:
            patched.chdir(options["cwd"])
            for name, value in options["env"].items():
                patched.setenv(name, value)
            patched.setattr(sys, "argv", ["tfx", *arguments])
            stdout, stderr = io.StringIO(), io.StringIO()
            with (
                contextlib.redirect_stdout(stdout),
                contextlib.redirect_stderr(stderr),
                pytest.raises(SystemExit) as ended,
            ):
                main()
        return subprocess.CompletedProcess(
            arguments, ended.value.code, stdout.getvalue(), stderr.getvalue()
        )

    def register(self, **given):
        """Notes the pipeline as TFX does, which is quicker than `pipeline create`."""
        path = self.write(**given)
        noted = {
            "pipeline_name": "counting",
            "pipeline_root": "out",
            "pipeline_dsl_path": str(path),
        }
        (self.home / "counting").mkdir(parents=True)
        (self.home / "counting" / "pipeline_args.json").write_text(json.dumps(noted))

    def runs(self, name="counting"):
        """The rows of `run list`, newest first."""
        printed = self(f"run list --engine local --pipeline_name {name}").stdout
        cells = [line.strip("|").split("|") for line in printed.splitlines() if line[:1] == "|"]
        return [tuple(cell.strip() for cell in row) for row in cells[1:]]


@pytest.fixture
def tfx(tmp_path, monkeypatch):
    monkeypatch.delenv("LOCAL_HOME", raising=False)
    return Tfx(tmp_path, monkeypatch)


def test_a_pipeline_is_registered_run_listed_and_forgotten(tfx):
    assert "No pipelines to display." in tfx("pipeline list --engine local").stdout
    tfx.write()
    created = tfx("pipeline create --pipeline-path runner.py")  # an engine is found by itself
    assert created.returncode == 0
    shown = block("docs/tfx_command.md", "Creating pipeline")
    creation, listing = shown.split("...\n")
    assert_lines_are_printed(creation, created.stdout, {"my_penguins": "counting"})
    assert created.stdout.splitlines() == [
        "CLI",
        "Creating pipeline",
        "Detected Local.",
        "Use --engine flag if you intend to use a different orchestrator.",
        'Pipeline "counting" created successfully.',
    ]
    assert not (tfx.directory / "out").exists()
    noted = json.loads((tfx.home / "counting" / "pipeline_args.json").read_text())
    assert noted["pipeline_name"] == "counting"
    assert noted["pipeline_root"] == str(tfx.directory / "out")
    assert noted["pipeline_dsl_path"] == str(tfx.directory / "runner.py")
    compiled = json.loads((tfx.home / "counting" / "pipeline_ir.json").read_text())
    assert compiled["nodes"][0]["pipeline_node"]["node_info"]["id"] == "count"
    listed = tfx("pipeline list --engine=local").stdout
    assert listed.splitlines()[2:] == ["-" * 30, "counting", "-" * 30]
    assert "No runs found." in tfx("run list --engine local --pipeline_name counting").stdout

    line = "run create --engine local --pipeline_name counting --runtime_parameter start=7"
    finished = tfx(line)
    assert finished.returncode == 0, finished.stderr
    assert "Creating a run for pipeline: counting" in finished.stdout
    (value,) = (tfx.directory / "out" / "count" / "total").glob("*/value")
    assert value.read_text() == "7"
    ((name, run_id, state, _),) = tfx.runs()
    assert (name, state) == ("counting", "complete")
    printed = tfx("run list --engine=local --pipeline_name=counting").stdout
    # The columns are as wide as the names in them.
    narrow = lambda text: re.sub(r" *\| *", "|", re.sub(r"=+", "=", text))
    assert_lines_are_printed(narrow(listing), narrow(printed), {"my_penguins": "counting"})
    status = tfx(f"run status --engine local --pipeline-name counting --run-id {run_id}")
    assert (status.returncode, run_id in status.stdout) == (0, True)

    over = tfx(f"run terminate --engine local --run_id {run_id}")
    assert over.returncode == 1
    assert "is over already: complete" in over.stderr
    assert "Run deleted." in tfx(f"run delete --engine local --run_id {run_id}").stdout
    assert tfx.runs() == []
    assert value.exists()

    deleted = tfx("pipeline delete --engine local --pipeline_name counting")
    assert 'Pipeline "counting" deleted successfully.' in deleted.stdout
    assert list(tfx.home.iterdir()) == []
    assert value.exists()


def test_create_is_for_new_pipelines_and_update_for_known_ones(tfx):
    tfx.write()
    unknown = tfx("pipeline update --engine local --pipeline_path runner.py")
    assert unknown.returncode == 1
    assert 'Pipeline "counting" does not exist.' in unknown.stderr
    assert tfx("pipeline create --engine local --pipeline_path runner.py").returncode == 0
    again = tfx("pipeline create --engine local --pipeline_path runner.py")
    assert again.returncode == 1
    assert 'Pipeline "counting" already exists.' in again.stderr
    tfx.write(file="other.py")
    updated = tfx("pipeline update --engine local --pipeline_path other.py")
    assert 'Pipeline "counting" updated successfully.' in updated.stdout
    assert "other.py" in (tfx.home / "counting" / "pipeline_args.json").read_text()


def test_compile_says_what_is_wrong_with_a_file(tfx):
    tfx.write()
    line = "pipeline compile --engine local --pipeline_path"
    compiled = tfx(f"{line} runner.py")
    assert compiled.returncode == 0, compiled.stderr
    assert "Pipeline compiled successfully." in compiled.stdout
    assert not tfx.home.exists()
    missing = tfx(f"{line} runer.py")
    assert (missing.returncode, "Invalid pipeline path: runer.py" in missing.stderr) == (1, True)
    tfx.write(file="empty.py", source="x = 1")
    empty = tfx(f"{line} empty.py")
    assert empty.returncode == 1
    assert "Cannot find LocalDagRunner.run() in empty.py" in empty.stderr
    tfx.write(file="broken.py", source="import no_such_module")
    broken = tfx(f"{line} broken.py")
    assert (broken.returncode, "no_such_module" in broken.stderr) == (1, True)
    tfx.write(file="flags.py", source="raise SystemExit(3)")
    assert "without flags" in tfx(f"{line} flags.py").stderr


@pytest.mark.parametrize("engine", ["kubeflow", "vertex", "airflow"])
def test_engines_that_are_other_systems_say_what_to_use(tfx, engine):
    finished = tfx(f"run create --engine {engine} --pipeline_name counting --region x")
    assert finished.returncode == 1
    assert "--engine=local" in finished.stderr
    assert "--region is for pipelines on other systems" in finished.stderr


def test_an_unknown_engine_and_a_flag_that_tfx_has_removed(tfx):
    finished = tfx("pipeline list --engine loacl")
    assert finished.returncode == 1
    assert "Engine loacl is not supported. Did you mean 'local'?" in finished.stderr
    removed = tfx("pipeline create --pipeline_path x.py --skaffold_cmd skaffold")
    assert (removed.returncode, "was DELETED" in removed.stderr) == (1, True)


def test_wrong_names_and_options_are_guessed(tfx):
    tfx.register()
    wrong = tfx("run create --engine local --pipeline_name countin")
    assert wrong.returncode == 1
    assert "Pipeline \"countin\" does not exist. Did you mean 'counting'?" in wrong.stderr
    status = tfx("run status --engine local --pipeline_name counting --run_id 2026")
    assert status.returncode == 1
    assert 'Run "2026" of pipeline "counting" does not exist.' in status.stderr
    assert tfx("run terminate --engine local --run_id 2026").returncode == 1
    missing = tfx("run create --engine local")
    assert (missing.returncode, "--pipeline_name" in missing.stderr) == (2, True)
    assert "did you mean 'pipeline'" in tfx("pipelin list").stderr
    parameter = tfx("run create --engine local --pipeline_name counting --runtime_parameter stat=2")
    assert parameter.returncode == 1
    assert "did you mean 'start'" in parameter.stderr
    assert not (tfx.directory / "out").exists()


def test_a_name_cannot_lead_out_of_the_home(tfx):
    tfx.register()
    other = tfx.home.parent / "other"
    other.mkdir()
    (other / "pipeline_args.json").write_text("{}")
    finished = tfx("pipeline delete --engine local --pipeline_name ../other")
    assert (finished.returncode, other.exists()) == (1, True)
    assert 'Pipeline "../other" does not exist.' in finished.stderr


def test_a_run_that_fails_or_cannot_begin_is_exit_code_1(tfx):
    tfx.register()
    line = "run create --engine local --pipeline_name counting --runtime_parameter"
    failed = tfx(f"{line} start=-1")
    assert (failed.returncode, "cannot count from there" in failed.stderr) == (1, True)
    ((_, run_id, state, _),) = tfx.runs()
    assert state == "failed"
    status = tfx(f"run status --engine local --pipeline_name counting --run_id {run_id}")
    assert (status.returncode, "failed" in status.stdout) == (0, True)
    wrong = tfx(f"{line} start")
    assert (wrong.returncode, "<name>=<value>" in wrong.stderr) == (1, True)
    tfx.write(name="renamed")
    renamed = tfx("run create --engine local --pipeline_name counting")
    assert (renamed.returncode, '"renamed" now' in renamed.stderr) == (1, True)


def test_terminate_stops_a_run_in_another_process(tfx):
    tfx.register()
    line = "run create --engine local --pipeline_name counting --runtime_parameter start=60"
    process = subprocess.Popen(
        [*COMMAND, *line.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **tfx.options(),
    )
    try:
        log = tfx.directory / "out/count/.system/executor_execution/1/executor.log"
        end = time.monotonic() + 60
        while not (log.exists() and "counting" in log.read_text()):
            assert time.monotonic() < end, "the run did not begin"
            time.sleep(0.1)
        ((_, run_id, state, _),) = tfx.runs()
        assert state == "running"
        running = tfx(f"run delete --engine local --run_id {run_id}")
        assert (running.returncode, "Stop it first" in running.stderr) == (1, True)
        stopped = tfx(f"run terminate --engine local --run_id {run_id}")
        assert stopped.returncode == 0, stopped.stderr
        assert "Run terminated." in stopped.stdout
        process.communicate(timeout=60)
        assert process.returncode == 130
    finally:
        process.kill()
        process.communicate()
    assert [row[2] for row in tfx.runs()] == ["canceled"]


def test_a_run_goes_where_the_pipeline_was_registered(tfx, tmp_path_factory):
    tfx.write()
    assert tfx("pipeline create --engine local --pipeline_path runner.py").returncode == 0
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    line = "run create --engine local --pipeline_name counting"
    assert tfx(line, cwd=elsewhere).returncode == 0
    assert list(elsewhere.iterdir()) == []
    assert len(tfx.runs()) == 1
    schema = tfx("pipeline schema --engine local --pipeline_name counting")
    assert schema.returncode == 1
    assert "Either SchemaGen component does not exist" in schema.stderr


def test_the_home_is_that_of_the_engine(tfx):
    tfx.write()
    home = tfx.directory / "mine"
    line = "pipeline create --engine beam --pipeline_path runner.py"
    assert tfx(line, BEAM_HOME=str(home)).returncode == 0
    assert (home / "counting" / "pipeline_args.json").exists()
    assert "No pipelines to display." in tfx("pipeline list --engine local").stdout
    assert "counting" in tfx("pipeline list --engine beam", BEAM_HOME=str(home)).stdout


def test_a_pipeline_that_tfx_has_registered_runs(tfx):
    tfx.register()
    assert tfx.runs() == []
    assert tfx("run create --engine local --pipeline_name counting").returncode == 0
    assert [row[2] for row in tfx.runs()] == ["complete"]


def test_deleting_leaves_what_others_put_beside_the_notes(tfx):
    tfx.register()
    directory = tfx.home / "counting"
    (directory / "local_runner.py").write_text("# a project with its pipeline's name")
    assert tfx("pipeline delete --engine local --pipeline_name counting").returncode == 0
    assert [path.name for path in directory.iterdir()] == ["local_runner.py"]
    assert "No pipelines to display." in tfx("pipeline list --engine local").stdout


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ('{"pipeline_dsl_path": 5}', "pipeline_dsl_path is 5, expected a string"),
        ("[1, 2]", "it holds a list, expected an object"),
        ("{}", "it has no pipeline_dsl_path"),
    ],
)
def test_a_damaged_note_is_named(tfx, note, words):
    tfx.register()
    (tfx.home / "counting" / "pipeline_args.json").write_text(note)
    finished = tfx("run create --engine local --pipeline_name counting")
    assert finished.returncode == 1
    assert "pipeline_args.json cannot be read" in finished.stderr
    assert words in finished.stderr
    assert "pipeline update" in finished.stderr
    assert tfx("pipeline update --engine local --pipeline_path runner.py").returncode == 0
    assert tfx.runs() == []


WITH_PASSWORD = """
    from ml_metadata.proto import metadata_store_pb2
    from tfx import v1 as tfx
    store = metadata_store_pb2.ConnectionConfig()
    store.postgresql.host, store.postgresql.dbname = "host", "runs"
    store.postgresql.user, store.postgresql.password = "ada", "hunter2"
    node = tfx.components.ImportSchemaGen(schema_file="my.pbtxt")
    tfx.orchestration.LocalDagRunner().run(
        tfx.dsl.Pipeline({name!r}, "out", components=[node], metadata_connection_config=store)
    )
"""


def test_a_password_is_not_written_down(tfx):
    tfx.write(source=WITH_PASSWORD)
    assert tfx("pipeline create --engine local --pipeline_path runner.py").returncode == 0
    noted = {path.name: path.read_text() for path in (tfx.home / "counting").iterdir()}
    assert "postgresql://ada@host/runs" in noted["pipeline_args.json"]
    assert not any("hunter2" in content for content in noted.values())


WITH_SCHEMA = """
    from tfx import v1 as tfx
    node = tfx.components.ImportSchemaGen(schema_file="my.pbtxt")
    pipeline = tfx.dsl.Pipeline({name!r}, "out", components=[node])
    tfx.orchestration.LocalDagRunner().run(pipeline)
"""


def test_the_schema_is_printed_and_copied(tfx):
    schema = 'feature {\n  name: "age"\n  type: INT\n}\n'
    (tfx.directory / "my.pbtxt").write_text(schema)
    tfx.register(source=WITH_SCHEMA)
    line = "pipeline schema --engine local --pipeline_name counting"
    early = tfx(line)
    assert early.returncode == 1
    assert "Create a run before inferring schema." in early.stderr
    assert tfx("run create --engine local --pipeline_name counting").returncode == 0
    found = tfx(line)
    copied = tfx.directory / "schema.pbtxt"
    assert found.returncode == 0, found.stderr
    assert f"Path to schema: {copied}" in found.stdout
    assert "*********SCHEMA FOR COUNTING**********" in found.stdout
    assert 'name: "age"' in found.stdout
    assert 'name: "age"' in copied.read_text()
