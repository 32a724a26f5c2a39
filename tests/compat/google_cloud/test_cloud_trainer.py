"""The Trainer for Vertex AI and AI Platform writes its job, and says how to submit it."""

from __future__ import annotations

import copy
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tfx import v1 as tfx
from tfx.dsl.components.base.executor_spec import ExecutorClassSpec
from tfx.extensions.google_cloud_ai_platform import cmle_runner, runner
from tfx.extensions.google_cloud_ai_platform.trainer import executor
from tfx.types import standard_artifacts
from trainwright.compat.google_cloud import job_submission

cloud = tfx.extensions.google_cloud_ai_platform

MODULE = """
import os

import a_package_of_the_image


def run_fn(fn_args):
    os.makedirs(fn_args.serving_model_dir)
    with open(os.path.join(fn_args.serving_model_dir, "model.txt"), "w") as file:
        file.write(f"{fn_args.train_steps} steps, {fn_args.custom_config['units']} units")


trainer_fn = run_fn
"""
POOL = {
    "machine_spec": {"machine_type": "n1-standard-4"},
    "replica_count": 1,
    "container_spec": {"image_uri": "mine:1", "env": [{"name": "TOKEN", "value": "hush-hush"}]},
}
VERTEX_ARGS = {"project": "my-project", "job_spec": {"worker_pool_specs": [POOL]}}
VERTEX = {
    cloud.ENABLE_VERTEX_KEY: True,
    cloud.VERTEX_REGION_KEY: "us-central1",
    cloud.TRAINING_ARGS_KEY: VERTEX_ARGS,
    cloud.JOB_ID_KEY: "my job",
    "units": 8,
}
AI_PLATFORM = {
    cloud.TRAINING_ARGS_KEY: {"project": "12345", "region": "us-central1"},
    cloud.JOB_ID_KEY: "my_job",
}


@pytest.fixture
def make_trainer(tmp_path):
    """Makes an importer of examples and a Trainer of them."""
    for split in ("train", "eval"):
        (tmp_path / "data" / f"Split-{split}").mkdir(parents=True)
    module_file = tmp_path / "module.py"
    module_file.write_text(MODULE)

    def make(custom_config, trainer_class=cloud.Trainer, **arguments):
        source = tfx.dsl.Importer(
            source_uri=str(tmp_path / "data"),
            artifact_type=standard_artifacts.Examples,
            properties={"split_names": '["train", "eval"]'},
        ).with_id("Data")
        if not arguments.keys() & {"run_fn", "trainer_fn"}:
            arguments.setdefault("module_file", str(module_file))
        trainer = trainer_class(
            examples=source.outputs["result"],
            train_args=tfx.proto.TrainArgs(num_steps=7),
            eval_args=tfx.proto.EvalArgs(),
            custom_config=custom_config,
            **arguments,
        )
        return [source, trainer]

    return make


@pytest.fixture
def run(tmp_path):
    """Runs nodes; returns the error's message and the directory of the ModelRun, if it was made."""

    def run_nodes(nodes, error=RuntimeError):
        pipeline = tfx.dsl.Pipeline("cloud", str(tmp_path / "root"), components=nodes)
        with pytest.raises(error) as raised:
            tfx.orchestration.LocalDagRunner().run(pipeline)
        directories = list(tmp_path.glob("root/Trainer/model_run/*"))
        return str(raised.value), directories[0] if directories else None

    return run_nodes


def gcloud_command(message):
    (line,) = (line for line in message.splitlines() if line.startswith("  gcloud "))
    return shlex.split(line)


def test_a_run_leaves_the_job_and_the_command_that_submits_it(make_trainer, run, tmp_path):
    message, directory = run(make_trainer(VERTEX))
    assert "Nothing was submitted to Vertex AI" in message
    assert str(directory / "job.json") in message
    assert "use tfx.v1.components.Trainer with the same arguments" in message
    job = json.loads((directory / "job.json").read_text())
    assert job["display_name"] == "my job"
    assert (directory / "job.json").read_text() == json.dumps(job, indent=2, sort_keys=True) + "\n"
    assert sorted(path.name for path in directory.iterdir()) == ["custom_job_spec.json", "job.json"]

    config = directory / "custom_job_spec.json"
    labels = "tfx_executor=tfx-components-trainer-executor-genericexecutor"
    command = gcloud_command(message)
    assert command[:4] == ["gcloud", "ai", "custom-jobs", "create"]
    flags = dict(flag.split("=", 1) for flag in command[4:])
    assert flags.pop("--labels").startswith(labels)
    assert flags == {
        "--project": "my-project",
        "--region": "us-central1",
        "--display-name": "my job",
        "--config": str(config),
    }
    (pool,) = json.loads(config.read_text())["workerPoolSpecs"]
    assert pool["machineSpec"] == {"machineType": "n1-standard-4"}
    assert pool["containerSpec"]["imageUri"] == "mine:1"

    for name in ("data", "root/Trainer/model/", "root/Trainer/model_run/", "module.py"):
        assert str(tmp_path / name) in message.partition("cannot reach")[2]
    (log,) = tmp_path.glob("root/Trainer/.system/executor_execution/*/executor.log")
    assert "hush-hush" not in message + log.read_text()


def test_what_a_worker_runs_trains_the_model(make_trainer, run, tmp_path):
    """The command of the job, in an environment with Trainwright: an image may have that."""
    _, directory = run(make_trainer(VERTEX))
    job = json.loads((directory / "job.json").read_text())
    command = job["job_spec"]["worker_pool_specs"][0]["container_spec"]["command"]
    assert command[0] == "python"
    (tmp_path / "a_package_of_the_image.py").touch()
    done = subprocess.run(
        [sys.executable, *command[1:]], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (model,) = tmp_path.glob("root/Trainer/model/*/Format-Serving/model.txt")
    assert model.read_text() == "7 steps, 8 units"


def test_ai_platform_is_gone_and_its_job_is_written_all_the_same(make_trainer, run):
    message, directory = run(make_trainer(AI_PLATFORM))
    assert "shut AI Platform Training down on January 31, 2025" in message
    assert "gcloud" not in message
    assert [path.name for path in directory.iterdir()] == ["job.json"]
    job = json.loads((directory / "job.json").read_text())
    assert job["job_id"] == "my_job"
    assert job["training_input"]["region"] == "us-central1"
    assert "project" not in job["training_input"]


@pytest.mark.parametrize("name", ["GenericExecutor", "Executor"])
def test_the_older_way_to_name_the_executor_does_the_same(make_trainer, run, name):
    spec = ExecutorClassSpec(getattr(executor, name))
    with pytest.warns(DeprecationWarning, match="custom_executor_spec"):
        nodes = make_trainer(VERTEX, tfx.components.Trainer, custom_executor_spec=spec)
    message, directory = run(nodes)
    assert "gcloud ai custom-jobs create" in message
    assert f'"tfx.components.trainer.executor.{name}"' in (directory / "job.json").read_text()


@pytest.mark.parametrize("trainer_class", [cloud.Trainer, tfx.components.Trainer])
@pytest.mark.filterwarnings("ignore:custom_executor_spec:DeprecationWarning")
def test_wrong_settings_are_refused_before_anything_runs(
    make_trainer, run, trainer_class, tmp_path
):
    arguments = {}
    if trainer_class is tfx.components.Trainer:
        arguments["custom_executor_spec"] = ExecutorClassSpec(executor.GenericExecutor)
    nodes = make_trainer({"units": 8}, trainer_class, **arguments)
    message, _ = run(nodes, ValueError)
    assert message.startswith("Trainer: 'ai_platform_training_args' not found in custom_config.")
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"trainer_fn": "package.trainer_fn"}, "its executor calls run_fn"),
        ({"run_fn": lambda fn_args: None}, "a worker elsewhere does not have"),
        ({"module_file": "/nowhere/module.py"}, "does not exist"),
    ],
)
def test_code_that_a_worker_would_not_find_is_refused(make_trainer, run, arguments, expected):
    message, directory = run(make_trainer(VERTEX, **arguments), ValueError)
    assert expected in message
    assert directory is None


@pytest.mark.parametrize("trainer_class", [cloud.Trainer, tfx.components.Trainer])
@pytest.mark.filterwarnings("ignore:custom_executor_spec:DeprecationWarning")
def test_a_module_file_in_a_bucket_is_the_workers_matter(make_trainer, run, trainer_class):
    arguments = {"module_file": "gs://bucket/module.py"}
    if trainer_class is tfx.components.Trainer:
        arguments["custom_executor_spec"] = ExecutorClassSpec(executor.GenericExecutor)
    message, directory = run(make_trainer(VERTEX, trainer_class, **arguments))
    assert "gs://bucket/module.py" not in message
    assert "gs://bucket/module.py" in (directory / "job.json").read_text()


class OwnExecutor(executor.GenericExecutor):
    def Do(self, input_dict, output_dict, exec_properties):
        for artifacts in output_dict.values():
            Path(artifacts[0].uri, "file").write_text("made here")


def test_an_executor_of_the_user_s_own_does_the_work(make_trainer, tmp_path):
    class OwnTrainer(cloud.Trainer):
        EXECUTOR_SPEC = ExecutorClassSpec(OwnExecutor)

    def models_after_a_run():
        nodes = make_trainer(None, OwnTrainer, module_file=str(module_file))
        root = str(tmp_path / "root")
        pipeline = tfx.dsl.Pipeline("cloud", root, components=nodes, enable_cache=True)
        tfx.orchestration.LocalDagRunner().run(pipeline)
        return len(list(tmp_path.glob("root/OwnTrainer/model/*/file")))

    module_file = tmp_path / "own_module.py"
    module_file.write_text("")
    assert [models_after_a_run(), models_after_a_run()] == [1, 1]
    module_file.write_text("changed = True")
    assert models_after_a_run() == 2


def call_executor(executor_class, tmp_path, custom_config, **properties):
    outputs = {}
    for key, kind in {
        "model": standard_artifacts.Model,
        "model_run": standard_artifacts.ModelRun,
    }.items():
        artifact = kind()
        artifact.uri = str(tmp_path / key)
        outputs[key] = [artifact]
    properties = {"custom_config": json.dumps(custom_config), "run_fn": None, **properties}
    with pytest.raises(RuntimeError) as raised:
        executor_class().Do({}, outputs, properties)
    return str(raised.value), json.loads((tmp_path / "model_run" / "job.json").read_text())


def test_an_estimator_s_job_names_the_executor_that_calls_trainer_fn(tmp_path):
    _, job = call_executor(executor.Executor, tmp_path, AI_PLATFORM, trainer_fn="m.trainer_fn")
    command = job["training_input"]["masterConfig"]["containerCommand"]
    assert command[4] == "tfx.components.trainer.executor.Executor"
    properties = json.loads(command[-1])
    assert properties == {"custom_config": json.dumps(AI_PLATFORM), "trainer_fn": "m.trainer_fn"}


def test_below_a_mounted_bucket_there_is_nothing_to_be_said(tmp_path, monkeypatch):
    monkeypatch.setattr(job_submission, "_MOUNT", str(tmp_path))
    message, _ = call_executor(
        executor.GenericExecutor, tmp_path, VERTEX, module_file=str(tmp_path / "module.py")
    )
    assert "Before it is submitted" not in message


def test_what_is_not_sent_or_was_added_is_said(tmp_path):
    config = copy.deepcopy(VERTEX)
    container = {"command": ["sh"]}
    config[cloud.TRAINING_ARGS_KEY] = {
        "project": "p",
        "worker_pool_specs": [{**POOL, "container_spec": container}],
    }
    config[cloud.LABELS_KEY] = {"team": "a"}
    message, job = call_executor(executor.GenericExecutor, tmp_path, config)
    assert re.findall(r"^- (\w+ \w+ \w+)", message, re.MULTILINE) == [
        "The workers cannot",
        "Vertex AI ignores",
        "A bare CustomJobSpec",
        "The command of",
        "No image_uri was",
    ]
    assert "gcr.io/tfx-oss-public/tfx:1.21.0" in message
    assert "team" not in job["labels"]


def test_a_key_for_encryption_is_in_the_command(tmp_path):
    key = "projects/p/locations/us-central1/keyRings/r/cryptoKeys/k"
    args = {**VERTEX_ARGS, "encryption_spec": {"kms_key_name": key}}
    config = {**VERTEX, cloud.TRAINING_ARGS_KEY: args}
    message, job = call_executor(executor.GenericExecutor, tmp_path, config)
    assert f"--kms-key={key}" in gcloud_command(message)
    assert job["encryption_spec"] == {"kms_key_name": key}


def test_the_function_that_starts_jobs_says_what_became_of_it():
    with pytest.raises(RuntimeError, match=r"(?s)Nothing was submitted.*no ModelRun among"):
        runner.start_cloud_training(
            {}, {}, {}, "path", VERTEX_ARGS, None, None, True, "us-central1"
        )
    assert VERTEX_ARGS["project"] == "my-project", "the caller's dict was changed"
    with pytest.raises(ValueError, match="'project' not found"):
        cmle_runner.start_cmle_training({}, {}, {}, "path", {}, None)
