"""The jobs are those that TFX sends: values from its runner's unit tests, and from its code."""

from __future__ import annotations

import json
import re

import pytest

from tfx.extensions.google_cloud_ai_platform import training_clients
from tfx.types import artifact_utils, standard_artifacts
from tfx.utils import telemetry_utils, version_utils
from tfx.version import __version__
from trainwright.compat.google_cloud import training_job
from trainwright.proto import trainer_pb2

CLASS_PATH = "foo.bar.class"
DEFAULT_IMAGE = "gcr.io/tfx-oss-public/tfx:1.21.0"
PROPERTIES = {"custom_config": '{"ai_platform_training_args": {"project": "12345"}}'}
COMMAND = [
    *("python", "-m", "tfx.scripts.run_executor", "--executor_class_path", CLASS_PATH),
    *("--inputs", "{}", "--outputs", "{}", "--exec-properties"),
    r'{"custom_config": "{\"ai_platform_training_args\": {\"project\": \"12345\"}}"}',
]


def vertex_job(job_args, job_id=None, labels=None, class_path=CLASS_PATH):
    client = training_clients.get_job_client(True, "us-central1")
    return client.create_training_job({}, {}, PROPERTIES, class_path, job_args, job_id, labels)


def ai_platform_job(job_args, job_id=None, labels=None, class_path=CLASS_PATH):
    client = training_clients.get_job_client()
    return client.create_training_job({}, {}, PROPERTIES, class_path, job_args, job_id, labels)


def test_a_vertex_job_without_settings_has_one_pool_with_tfx_s_image():
    job = vertex_job({})
    pool = {"container_spec": {"image_uri": DEFAULT_IMAGE, "command": COMMAND}}
    assert job["job_spec"] == {"worker_pool_specs": [pool]}
    assert re.fullmatch(r"tfx_\d{14}_[0-9a-f]{8}", job["display_name"])
    assert job["encryption_spec"] == {}
    assert DEFAULT_IMAGE.endswith(version_utils.get_image_version())


def test_a_custom_job_keeps_what_it_says_and_every_pool_runs_the_executor():
    pools = [
        {"container_spec": {"image_uri": "mine", "command": ["sh"], "env": [{"name": "A"}]}},
        {"machine_spec": {"machine_type": "n1-standard-4"}, "replica_count": 3},
    ]
    job_args = {
        "display_name": "valid_name",
        "job_spec": {
            "worker_pool_specs": pools,
            "service_account": "me@p.iam.gserviceaccount.com",
            "scheduling": {"restart_job_on_worker_restart": True},
        },
        "labels": {"l1": "v1", "l2": "v2"},
        "encryption_spec": {"kms_key_name": "my_kmskey"},
    }
    before = json.dumps(job_args)
    job = vertex_job(job_args, "my_jobid", class_path="tfx.components.trainer.executor.X")
    command = [*COMMAND[:4], "tfx.components.trainer.executor.X", *COMMAND[5:]]
    assert job["display_name"] == "valid_name"
    assert job["encryption_spec"] == {"kms_key_name": "my_kmskey"}
    assert job["job_spec"]["service_account"] == "me@p.iam.gserviceaccount.com"
    assert job["job_spec"]["scheduling"] == {"restart_job_on_worker_restart": True}
    first, second = job["job_spec"]["worker_pool_specs"]
    assert first == {
        "container_spec": {"image_uri": "mine", "command": command, "env": [{"name": "A"}]}
    }
    assert second == {
        **pools[1],
        "container_spec": {"image_uri": DEFAULT_IMAGE, "command": command},
    }
    telemetry = telemetry_utils.make_labels_dict()
    assert telemetry["tfx_version"] == "1-21-0"
    executor = "tfx-components-trainer-executor-x"
    assert job["labels"] == {**telemetry, "l1": "v1", "l2": "v2", "tfx_executor": executor}
    assert json.dumps(job_args) == before, "the user's dict was changed"


def test_a_bare_job_spec_is_taken_for_the_job_spec():
    pools = [{"container_spec": {"image_uri": "my-custom-image"}}]
    job = vertex_job({"worker_pool_specs": pools}, "my_jobid")
    assert job["display_name"] == "my_jobid"
    container = {"image_uri": "my-custom-image", "command": COMMAND}
    assert job["job_spec"] == {"worker_pool_specs": [{"container_spec": container}]}


def test_vertex_ignores_labels_of_custom_config_and_says_so(caplog):
    assert "team" not in vertex_job({}, labels={"team": "a"})["labels"]
    assert "ignores the labels" in caplog.text


def test_an_image_named_by_the_version_of_tfx_has_a_tag_that_exists():
    image = f"gcr.io/tfx-oss-public/tfx:{__version__}"
    job = vertex_job({"worker_pool_specs": [{"container_spec": {"image_uri": image}}]})
    assert job["job_spec"]["worker_pool_specs"][0]["container_spec"]["image_uri"] == DEFAULT_IMAGE
    job = ai_platform_job({"masterConfig": {"imageUri": image}})
    assert job["training_input"]["masterConfig"]["imageUri"] == DEFAULT_IMAGE


def test_an_ai_platform_job_without_settings_has_tfx_s_image():
    job = ai_platform_job({"region": "us-central1"}, labels={"team": "a"})
    config = {"imageUri": DEFAULT_IMAGE, "containerCommand": COMMAND}
    assert job["training_input"] == {"region": "us-central1", "masterConfig": config}
    assert re.fullmatch(r"tfx_\d{14}", job["job_id"])
    assert job["labels"]["team"] == "a"
    assert job["labels"]["tfx_executor"] == "third_party_executor"
    assert job.keys() == {"job_id", "training_input", "labels"}


def test_an_ai_platform_job_keeps_the_user_s_container_and_id():
    job = ai_platform_job({"masterConfig": {"imageUri": "my-custom-image"}}, "my_jobid")
    config = {"imageUri": "my-custom-image", "containerCommand": COMMAND}
    assert job["training_input"] == {"masterConfig": config}
    assert job["job_id"] == "my_jobid"


def test_an_estimator_trains_in_the_last_image_that_has_its_executor():
    job = ai_platform_job({}, class_path=training_job.ESTIMATOR_EXECUTOR)
    config = job["training_input"]["masterConfig"]
    assert config["imageUri"] == "gcr.io/tfx-oss-public/tfx:1.15.1"
    assert config["containerCommand"][4] == "tfx.components.trainer.executor.Executor"


def test_artifacts_have_the_classes_of_tfx_and_can_be_read_back():
    examples = standard_artifacts.Examples()
    examples.uri = "gs://bucket/examples"
    examples.split_names = '["train", "eval"]'
    text = training_job.artifacts_as_json({"examples": [examples]})
    (written,) = json.loads(text)["examples"]
    assert written["__artifact_class_module__"] == "tfx.types.standard_artifacts"
    assert written["__artifact_class_name__"] == "Examples"
    assert written["artifact_type"]["name"] == "Examples"
    (read,) = artifact_utils.parse_artifact_dict(text)["examples"]
    assert isinstance(read, standard_artifacts.Examples)
    assert (read.uri, read.split_names) == (examples.uri, examples.split_names)


def test_properties_are_sorted_and_messages_are_json_in_them():
    text = training_job.properties_as_json(
        {"train_args": trainer_pb2.TrainArgs(num_steps=3), "module_file": "gs://b/m.py"}
    )
    assert list(json.loads(text)) == ["module_file", "train_args"]
    assert json.loads(json.loads(text)["train_args"]) == {"num_steps": 3}
    with pytest.raises(TypeError, match="set is not JSON serializable"):
        training_job.properties_as_json({"x": set()})


def test_the_config_for_gcloud_is_in_camel_case():
    job_spec = {
        "scheduling": {"timeout": {"seconds": 90, "nanos": 500_000_000}},
        "base_output_directory": {"output_uri_prefix": "gs://b/out_put"},
        "worker_pool_specs": [{"disk_spec": {"boot_disk_size_gb": 100}, "nfs_mounts": []}],
    }
    assert training_job.gcloud_config({"job_spec": job_spec}) == {
        "scheduling": {"timeout": "90.5s"},
        "baseOutputDirectory": {"outputUriPrefix": "gs://b/out_put"},
        "workerPoolSpecs": [{"diskSpec": {"bootDiskSizeGb": 100}, "nfsMounts": []}],
    }


def test_clients_make_jobs_and_send_none():
    with pytest.raises(ValueError, match="Please specify a region for Vertex training"):
        training_clients.get_job_client(True)
    client = training_clients.get_job_client(True, "us-central1")
    assert isinstance(client, training_clients.VertexJobClient)
    with pytest.raises(RuntimeError, match="Nothing was submitted"):
        client.launch_job("p", {})
    with pytest.raises(RuntimeError, match="Nothing was submitted"):
        client.get_job()
    assert client.get_job_name() == ""
    client = training_clients.get_job_client()
    assert isinstance(client, training_clients.CAIPJobClient)
    assert client.get_job_state({"state": "FAILED"}) in client.JOB_STATES_FAILED


@pytest.mark.reference
def test_google_s_library_takes_the_job():
    types = pytest.importorskip("google.cloud.aiplatform_v1.types")
    from google.protobuf import json_format

    pools = [{"machine_spec": {"machine_type": "n1-standard-4"}, "replica_count": 1}]
    job_spec = {"worker_pool_specs": pools, "scheduling": {"timeout": {"seconds": 90}}}
    job = vertex_job({"job_spec": job_spec, "labels": {"team": "a"}})
    message = types.CustomJob(job)
    assert message.job_spec.worker_pool_specs[0].container_spec.command == COMMAND
    config = types.CustomJobSpec.from_json(json_format.json.dumps(training_job.gcloud_config(job)))
    assert config == message.job_spec
