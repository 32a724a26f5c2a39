"""Nothing but running a pipeline loads the heavy libraries."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("tensorflow", "keras", "tf_keras", "apache_beam", "ray", "pandas")
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def loaded_by(code, tmp_path, *arguments):
    """Runs code with arguments; returns the heavy libraries it loaded, and the process."""
    path = tmp_path / "loaded.json"
    prelude = f"""
import atexit, json, sys
def report():
    loaded = sorted({{name.partition('.')[0] for name in sys.modules}} & set({HEAVY!r}))
    with open({str(path)!r}, "w") as file:
        json.dump(loaded, file)
atexit.register(report)
"""
    finished = subprocess.run(
        [sys.executable, "-c", prelude + code, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=dict(os.environ),
        timeout=120,
    )
    return json.loads(path.read_text()), finished


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The store of a small run."""
    directory = tmp_path_factory.mktemp("small")
    code = f"""
from trainwright import LocalDagRunner, OutputDict, Pipeline, component
@component
def count() -> OutputDict(total=int):
    return {{"total": 1}}
LocalDagRunner().run(Pipeline("small", {str(directory)!r}, components=[count()]))
"""
    environment = {**os.environ, "XDG_STATE_HOME": str(directory)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=120)
    return directory / "metadata.db"


def test_the_check_itself_notices_a_heavy_library(tmp_path):
    (tmp_path / "pandas.py").write_text("")
    loaded, _ = loaded_by("import sys; sys.path.insert(0, '.'); import pandas", tmp_path)
    assert loaded == ["pandas"]


@pytest.mark.parametrize(
    "code",
    [
        "import trainwright",
        "from trainwright import training; training.TrainingData",
        "import trainwright; [getattr(trainwright, name) for name in trainwright.__all__]",
        "import trainwright.components as c; [getattr(c, name) for name in c.__all__]",
        "from trainwright.types import standard_artifacts, json_utils",
    ],
)
def test_importing_loads_nothing_heavy(tmp_path, code):
    loaded, finished = loaded_by(code, tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert loaded == []


def test_importing_changes_no_finders(tmp_path):
    code = """
before = list(sys.meta_path)
import trainwright, trainwright.training
assert sys.meta_path == before, sys.meta_path
"""
    _, finished = loaded_by(code, tmp_path)
    assert finished.returncode == 0, finished.stderr


def test_declaring_the_penguin_pipeline_loads_nothing_heavy(tmp_path):
    code = """
import runpy
pipeline = runpy.run_path(sys.argv[1])["create_pipeline"](output="out")
print(*[node.id for node in pipeline.components])
"""
    loaded, finished = loaded_by(code, tmp_path, str(EXAMPLES / "penguin" / "pipeline.py"))
    assert finished.stdout.split() == [
        "CsvExampleGen",
        "ImportSchemaGen",
        "LatestBlessedModel",
        "Trainer",
        "Evaluator",
        "Pusher",
    ]
    assert loaded == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["runs", "--store", "STORE"],
        ["runs", "--store", "STORE", "--json"],
        ["show", "--store", "STORE"],
        ["show", "latest", "--store", "STORE", "--json"],
        ["doctor"],
        ["doctor", "--json"],
        ["--help"],
        ["--version"],
        ["run", "--help"],
    ],
    ids=" ".join,
)
def test_the_commands_load_nothing_heavy(tmp_path, store, arguments):
    arguments = [str(store) if argument == "STORE" else argument for argument in arguments]
    code = "from trainwright.cli.main import main; main()"
    loaded, finished = loaded_by(code, tmp_path, *arguments)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout
    assert loaded == []


# SQLAlchemy imports importlib.metadata for itself: what takes the time is reading entry points.
NO_ENTRY_POINTS = """
from importlib import metadata
def refuse(**options):
    raise AssertionError(f"the entry points {options} were read")
metadata.entry_points = refuse
"""


def test_declaring_a_pipeline_does_not_even_import_what_reads_entry_points(tmp_path):
    code = """
import runpy
runpy.run_path(sys.argv[1])["create_pipeline"](output="out")
assert "importlib.metadata" not in sys.modules
"""
    _, finished = loaded_by(code, tmp_path, str(EXAMPLES / "penguin" / "pipeline.py"))
    assert finished.returncode == 0, finished.stderr


def test_listing_runs_and_a_cached_run_read_no_entry_points(tmp_path):
    (tmp_path / "pipeline.py").write_text("""
from trainwright import OutputDict, Pipeline, component
@component
def count() -> OutputDict(total=int):
    return {"total": 1}
pipeline = Pipeline("small", "output", components=[count()], enable_cache=True)
""")
    code = NO_ENTRY_POINTS + "from trainwright.cli.main import main; main()"
    for arguments in (["run", "pipeline.py"], ["run", "pipeline.py"], ["show"], ["runs"]):
        _, finished = loaded_by(code, tmp_path, *arguments)
        assert finished.returncode == 0, finished.stderr
    assert "1 cached" in finished.stdout
    _, finished = loaded_by(code, tmp_path, "no-such-command")
    assert "AssertionError: the entry points" in finished.stderr  # the check itself notices


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["pipeline", "list"], ["run", "create", "--help"], ["template", "list"]],
    ids=" ".join,
)
def test_tfxs_command_loads_nothing_heavy(tmp_path, monkeypatch, arguments):
    monkeypatch.setenv("LOCAL_HOME", str(tmp_path))
    code = "from trainwright.cli.tfx_command.main import main; main()"
    loaded, finished = loaded_by(code, tmp_path, *arguments)
    assert finished.returncode == 0, finished.stderr
    assert loaded == []
