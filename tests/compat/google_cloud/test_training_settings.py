"""Mistakes in the settings of a training job are reported before a run."""

from __future__ import annotations

import pytest

from trainwright.compat.google_cloud import keys, training_settings
from trainwright.compat.google_cloud.training_settings import check_settings, read_settings

POOL = {"machine_spec": {"machine_type": "n1-standard-4"}, "replica_count": 1}
VERTEX = {"project": "my-project", "job_spec": {"worker_pool_specs": [POOL]}}
AI_PLATFORM = {"project": "12345", "region": "us-central1", "scaleTier": "BASIC"}


def vertex_config(args=VERTEX, **others):
    return {
        keys.ENABLE_VERTEX_KEY: True,
        keys.VERTEX_REGION_KEY: "us-central1",
        keys.TRAINING_ARGS_KEY: args,
        **others,
    }


def ai_platform_config(args=AI_PLATFORM, **others):
    return {keys.TRAINING_ARGS_KEY: args, **others}


def problem(config):
    with pytest.raises(ValueError) as raised:
        check_settings(read_settings(config))
    return str(raised.value)


def with_pools(*pools, **others):
    return {"project": "my-project", "job_spec": {"worker_pool_specs": [*pools], **others}}


@pytest.mark.parametrize(
    "config",
    [
        vertex_config(),
        vertex_config({"project": "p", "worker_pool_specs": [POOL]}),
        vertex_config(with_pools(POOL, {"replica_count": 0}, {**POOL, "replica_count": 7})),
        vertex_config(
            with_pools(
                {**POOL, "container_spec": {"env": [{"name": "A", "value": "b"}]}},
                scheduling={"timeout": "90s", "strategy": "SPOT"},
                reserved_ip_ranges=["r"],
                base_output_directory={"output_uri_prefix": "gs://b"},
            )
        ),
        vertex_config({**VERTEX, "labels": {"team": "größe_1"}, "display_name": "My job"}),
        vertex_config(with_pools({**POOL, "replica_count": "1"})),
        ai_platform_config(),
        ai_platform_config(**{keys.JOB_ID_KEY: "job_1", keys.LABELS_KEY: {"team": "a"}}),
    ],
)
def test_good_settings_pass(config):
    check_settings(read_settings(config))


def test_the_older_keys_of_vertex_are_read():
    settings = read_settings(
        {
            keys.ENABLE_UCAIP_KEY: True,
            keys.UCAIP_REGION_KEY: "us-central2",
            keys.TRAINING_ARGS_KEY: VERTEX,
        }
    )
    assert settings.use_vertex
    assert settings.region == "us-central2"
    newer = read_settings({keys.ENABLE_UCAIP_KEY: True, **ai_platform_config(), **vertex_config()})
    assert newer.region == "us-central1"


def test_labels_of_custom_config_win_over_those_of_the_job():
    args = {**AI_PLATFORM, "labels": {"a": "1", "b": "1"}}
    settings = read_settings(ai_platform_config(args, **{keys.LABELS_KEY: {"b": "2"}}))
    assert settings.labels == {"a": "1", "b": "2"}


@pytest.mark.parametrize("config", [None, {}, {"units": 8}])
def test_without_training_args_it_is_said_in_tfx_s_words(config):
    assert problem(config).startswith("'ai_platform_training_args' not found in custom_config.")


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ([1], "custom_config in execution properties needs to be a dict"),
        (vertex_config("text"), "must be a dict, got 'text'"),
        (vertex_config({"job_spec": VERTEX["job_spec"]}), "'project' not found"),
        (vertex_config({**VERTEX, "project": "projects/p"}), "without 'projects/'"),
        (vertex_config(**{keys.VERTEX_REGION_KEY: None}), "Please specify a region for Vertex"),
        (
            vertex_config(**{keys.VERTEX_REGION_KEY: "US"}),
            "'US', which is not the name",
        ),
        (vertex_config(**{keys.VERTEX_REGION_KEY: "us-central1-a"}), "write 'us-central1'"),
        (vertex_config({"project": "p"}), "has no 'worker_pool_specs'"),
        (vertex_config(with_pools()), "has no 'worker_pool_specs'"),
        (
            vertex_config({"project": "p", "worker_pool_specs": {}}),
            "worker_pool_specs must be a list, got a dict",
        ),
        (vertex_config(with_pools({})), "worker_pool_specs[0] has no machine_spec.machine_type"),
        (
            vertex_config(with_pools({**POOL, "replica_count": 0})),
            "worker_pool_specs[0] has the replica_count 0; expected 1 or more",
        ),
        (
            vertex_config(with_pools({**POOL, "replica_count": 2})),
            "put the other workers into a second pool",
        ),
        (
            vertex_config(with_pools({**POOL, "replica_count": "two"})),
            "replica_count must be a whole number, got 'two'",
        ),
        (
            vertex_config(with_pools({**POOL, "python_package_spec": {"python_module": "m"}})),
            "container_spec.image_uri",
        ),
        (
            vertex_config(with_pools({"machine_spec": {"machineType": "n1"}})),
            "did you mean 'machine_type'?",
        ),
        (vertex_config({"project": "p", "jobSpec": {}}), "did you mean 'job_spec'?"),
        (
            vertex_config({"project": "p", "worker_pool_specs": [POOL], "labels": {"a": "b"}}),
            "has 'labels' but no 'job_spec'",
        ),
        (vertex_config({**VERTEX, "labels": {"Team": "a"}}), "'Team' cannot be the key of a label"),
        (vertex_config({**VERTEX, "labels": {"team": "A b"}}), "'team' has the value 'A b'"),
        (vertex_config({**VERTEX, "labels": ["a"]}), "labels of a training job must be a dict"),
        (vertex_config(**{keys.JOB_ID_KEY: "x" * 129}), "1 to 128 characters"),
        (ai_platform_config({"region": "us-central1"}), "'project' not found"),
        (ai_platform_config({"project": "p"}), "'region' not found"),
        (ai_platform_config({**AI_PLATFORM, "scale_tier": "BASIC"}), "did you mean 'scaleTier'?"),
        (ai_platform_config({**AI_PLATFORM, "labels": {"a": "b"}}), keys.LABELS_KEY),
        (ai_platform_config(**{keys.JOB_ID_KEY: "my-job"}), "letters, digits and underscores"),
        (ai_platform_config(VERTEX), "'ai_platform_enable_vertex' is not True"),
    ],
)
def test_wrong_settings_are_named(config, expected):
    assert expected in problem(config)


def test_all_problems_are_said_at_once_and_with_them_that_the_service_is_gone():
    message = problem(ai_platform_config({"reigon": "x"}))
    assert "'project' not found" in message
    assert "did you mean 'region'?" in message
    assert "shut AI Platform Training down" in message


@pytest.mark.parametrize("env", [{"TOKEN": "hush"}, [{"name": "TOKEN", "value": ["hush"]}]])
def test_the_environment_of_the_workers_is_not_repeated(env):
    message = problem(vertex_config(with_pools({**POOL, "container_spec": {"env": env}})))
    assert "container_spec.env" in message
    assert "hush" not in message


@pytest.mark.reference
def test_the_fields_are_those_of_google_s_messages():
    types = pytest.importorskip("google.cloud.aiplatform_v1.types")

    def fields(message):
        return set(message.meta.fields)

    job_spec = training_settings._JOB_SPEC
    pool = training_settings._POOL
    assert set(job_spec) == fields(types.CustomJobSpec)
    assert set(job_spec["scheduling"]) == fields(types.Scheduling)
    assert set(pool) == fields(types.WorkerPoolSpec)
    assert set(pool["machine_spec"]) == fields(types.MachineSpec)
    assert set(pool["container_spec"]) == fields(types.ContainerSpec)
    assert set(pool["disk_spec"]) == fields(types.DiskSpec)
    assert set(training_settings._CUSTOM_JOB) < fields(types.CustomJob)
