"""`tfx template` and `trainwright new`: projects to begin with, whose pipelines run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from documented_output import block

pytestmark = pytest.mark.usefixtures("warm_scripts")

TFX = [sys.executable, "-c", "from trainwright.cli.tfx_command.main import main; main()"]
TRAINWRIGHT = [sys.executable, "-c", "from trainwright.cli.main import main; main()"]


@pytest.fixture
def call(tmp_path):
    """Calls a command in a directory of its own; returns the finished process."""

    def call(command, *arguments, cwd=tmp_path):
        return subprocess.run(
            [*command, *arguments],
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=600,
            env={**os.environ, "HOME": str(tmp_path), "LOCAL_HOME": str(tmp_path / "home")},
        )

    return call


def copy(call, model, name="my_pipeline", destination="project"):
    options = (f"--model={model}", f"--pipeline_name={name}", f"--destination_path={destination}")
    return call(TFX, "template", "copy", *options)


def content_of(directory):
    files = (path for path in Path(directory).rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_text() for path in files}


def test_the_templates_are_listed_and_have_the_layout_of_tfxs(call, tmp_path):
    assert call(TFX, "template", "list").stdout.splitlines() == [
        "CLI",
        "Available templates:",
        "- penguin",
        "- taxi",
    ]
    for model, folder in (("penguin", "models"), ("taxi", "models/keras_model")):
        copied = copy(call, model, destination=model)
        assert copied.returncode == 0, copied.stderr
        assert f"configs.py -> {model}/pipeline/configs.py" in copied.stdout
        files = content_of(tmp_path / model)
        assert {
            "local_runner.py",
            "pipeline/configs.py",
            "pipeline/pipeline.py",
            "models/features.py",
            "models/features_test.py",
            "models/preprocessing.py",
            "models/preprocessing_test.py",
            f"{folder}/model.py",
            f"{folder}/model_test.py",
            "data/data.csv",
        } <= set(files)
        if model == "penguin":
            _, *documented = block("docs/tfx_command.md", "my_penguins/").splitlines()
            assert {line.split()[0] for line in documented} <= set(files)
        assert 'PIPELINE_NAME = "my_pipeline"' in files["pipeline/configs.py"]
        assert not any("{{" in content for content in files.values())


def test_a_copy_overwrites_nothing(call, tmp_path):
    copy(call, "penguin")
    assert copy(call, "penguin").returncode == 0  # nothing was changed: nothing is lost
    changed = tmp_path / "project" / "models" / "model.py"
    changed.write_text("# mine\n")
    before = content_of(tmp_path / "project")
    refused = copy(call, "penguin", name="another")
    assert refused.returncode == 1
    assert "nothing was copied" in refused.stderr
    assert content_of(tmp_path / "project") == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "pinguin"}, "Model pinguin does not exist. Did you mean 'penguin'?"),
        ({"model": "taxi", "name": "a/b"}, "'a/b' has a slash in it"),
        ({"model": "taxi", "name": "n" * 64}, "exceeds maximum allowed length"),
        ({"model": "taxi", "destination": "gs://bucket/x"}, "is a remote path"),
        ({"model": "taxi", "destination": "file"}, "file is not a directory"),
    ],
)
def test_a_wrong_copy_is_refused(call, tmp_path, options, message):
    (tmp_path / "file").write_text("")
    refused = copy(call, **options)
    assert refused.returncode == 1
    assert message in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_name_with_quotes_is_still_python(call, tmp_path):
    assert copy(call, "penguin", name='the "new" one').returncode == 0
    names = {}
    exec((tmp_path / "project/pipeline/configs.py").read_text(), names)
    assert names["PIPELINE_NAME"] == 'the "new" one'
    compile((tmp_path / "project/local_runner.py").read_text(), "local_runner.py", "exec")


def run_copied(call, tmp_path, model):
    """Copies a template and runs it under its name; returns what was printed of its schema."""
    assert copy(call, model).returncode == 0
    project = tmp_path / "project"
    engine = "--engine=local"
    created = call(TFX, "pipeline", "create", engine, "--pipeline_path=project/local_runner.py")
    assert created.returncode == 0, created.stderr
    finished = call(TFX, "run", "create", engine, "--pipeline_name=my_pipeline")
    assert finished.returncode == 0, finished.stderr
    root = project / "tfx_pipeline_output" / "my_pipeline"
    assert len(list(root.glob("serving_model/*/saved_model.pb"))) == 1
    assert (project / "tfx_metadata" / "my_pipeline" / "metadata.db").exists()
    listed = call(TFX, "run", "list", engine, "--pipeline_name=my_pipeline").stdout
    assert listed.count("complete") == 1
    return call(TFX, "pipeline", "schema", engine, "--pipeline_name=my_pipeline").stdout


def test_the_penguin_template_runs_to_its_end(call, tmp_path):
    pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")
    assert "bill_length_mm" in run_copied(call, tmp_path, "penguin")


@pytest.mark.reference
def test_the_taxi_template_runs_to_its_end(call, tmp_path):
    assert "trip_miles" in run_copied(call, tmp_path, "taxi")


@pytest.mark.reference
@pytest.mark.parametrize("model", ["penguin", "taxi"])
@pytest.mark.parametrize("style", ["tfx", "trainwright"])
def test_the_unit_tests_of_a_new_project_pass(call, tmp_path, style, model):
    if style == "tfx":
        copy(call, model)
    else:
        call(TRAINWRIGHT, "new", "project", "--template", model)
    command = [sys.executable, "-m", "unittest", "discover", "-p", "*_test.py"]
    finished = call(command, cwd=tmp_path / "project")
    assert finished.returncode == 0, finished.stderr
    assert "OK" in finished.stderr


def test_a_new_project_can_run_at_once(call, tmp_path):
    made = call(TRAINWRIGHT, "new", "my_penguins")
    assert made.returncode == 0, made.stderr
    assert "\n  cd my_penguins\n  trainwright run pipeline.py\n" in made.stdout
    explained = call(TRAINWRIGHT, "run", "pipeline.py", "--explain", cwd=tmp_path / "my_penguins")
    assert explained.returncode == 0, explained.stderr
    assert "Trainer" in explained.stdout


@pytest.mark.reference
def test_a_new_penguin_project_runs_at_once(call, tmp_path):
    assert call(TRAINWRIGHT, "new", "my_penguins").returncode == 0
    project = tmp_path / "my_penguins"
    finished = call(TRAINWRIGHT, "run", "pipeline.py", cwd=project)
    assert finished.returncode == 0, finished.stderr
    assert "the model is blessed" in finished.stdout
    assert len(list(project.glob("output/serving_model/*/saved_model.pb"))) == 1
    runs = call(TRAINWRIGHT, "runs", cwd=project)
    assert "trainwright.toml" in runs.stderr
    assert "my_penguins" in runs.stdout


@pytest.mark.reference
def test_a_new_taxi_project_runs_at_once(call, tmp_path):
    assert call(TRAINWRIGHT, "new", "trips", "--template", "taxi").returncode == 0
    finished = call(TRAINWRIGHT, "run", "pipeline.py", cwd=tmp_path / "trips")
    assert finished.returncode == 0, finished.stderr
    assert "the model is blessed" in finished.stdout


def test_new_makes_all_of_a_project_or_nothing(call, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "empty").mkdir()
    for arguments, message in (
        (["full"], "is a directory that is not empty"),
        (["../up"], "begins with a dot"),
        (["a/b"], "has a slash in it"),
        (["mine", "--template", "taxy"], "did you mean 'taxi'?"),
    ):
        refused = call(TRAINWRIGHT, "new", *arguments)
        assert (refused.returncode, message in refused.stderr) == (2, True), refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "full"]
    assert call(TRAINWRIGHT, "new", "empty").returncode == 0
    assert (tmp_path / "empty" / "pipeline.py").exists()
