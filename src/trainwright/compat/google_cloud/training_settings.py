"""Settings of a training job on Vertex AI or AI Platform, read from `custom_config` and checked.

Mistakes are found before a run, where the service would report them after minutes, or never.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.compat.google_cloud.keys import (
    ENABLE_UCAIP_KEY,
    ENABLE_VERTEX_KEY,
    JOB_ID_KEY,
    LABELS_KEY,
    TRAINING_ARGS_KEY,
    UCAIP_REGION_KEY,
    VERTEX_REGION_KEY,
)

# The fields of the services' messages: a dict is a message, a list is repeated, `object` is not
# looked into. What only the service sets is left out.
_ENV = [{"name": str, "value": str}]
_POOL = {
    "container_spec": {"image_uri": str, "command": [str], "args": [str], "env": _ENV},
    "python_package_spec": object,
    "machine_spec": {
        "machine_type": str,
        "accelerator_type": object,  # by name or by number
        "accelerator_count": int,
        "gpu_partition_size": str,
        "tpu_topology": str,
        "reservation_affinity": object,
    },
    "replica_count": int,
    "nfs_mounts": [{"server": str, "path": str, "mount_point": str}],
    "lustre_mounts": [object],
    "disk_spec": {"boot_disk_type": str, "boot_disk_size_gb": int},
}
_JOB_SPEC = {
    "persistent_resource_id": str,
    "worker_pool_specs": [_POOL],
    "scheduling": {
        "timeout": object,
        "restart_job_on_worker_restart": bool,
        "strategy": object,
        "disable_retries": bool,
        "max_wait_duration": object,
    },
    "service_account": str,
    "network": str,
    "reserved_ip_ranges": [str],
    "psc_interface_config": object,
    "base_output_directory": {"output_uri_prefix": str},
    "protected_artifact_location_id": str,
    "tensorboard": str,
    "enable_web_access": bool,
    "enable_dashboard_access": bool,
    "experiment": str,
    "experiment_run": str,
    "models": [str],
}
_CUSTOM_JOB = {
    "display_name": str,
    "job_spec": _JOB_SPEC,
    "labels": object,
    "encryption_spec": {"kms_key_name": str},
}
_REPLICA_CONFIG = {
    "imageUri": str,
    "containerCommand": [str],
    "containerArgs": [str],
    "acceleratorConfig": object,
    "tpuTfVersion": str,
    "diskConfig": object,
}
_TRAINING_INPUT = {
    "scaleTier": str,
    "masterType": str,
    "masterConfig": _REPLICA_CONFIG,
    "workerType": str,
    "workerConfig": _REPLICA_CONFIG,
    "workerCount": int,
    "parameterServerType": str,
    "parameterServerConfig": _REPLICA_CONFIG,
    "parameterServerCount": int,
    "evaluatorType": str,
    "evaluatorConfig": _REPLICA_CONFIG,
    "evaluatorCount": int,
    "packageUris": [str],
    "pythonModule": str,
    "args": [str],
    "hyperparameters": object,
    "region": str,
    "jobDir": str,
    "runtimeVersion": str,
    "pythonVersion": str,
    "encryptionConfig": object,
    "scheduling": object,
    "network": str,
    "serviceAccount": str,
    "useChiefInTfConfig": bool,
    "enableWebAccess": bool,
}

AI_PLATFORM_IS_GONE = (
    "Google shut AI Platform Training down on January 31, 2025: use Vertex AI. In custom_config, "
    f"set {ENABLE_VERTEX_KEY!r} to True and {VERTEX_REGION_KEY!r} to a region, and give "
    f"{TRAINING_ARGS_KEY!r} the job as a CustomJob."
)

_REGION = re.compile(r"[a-z]+-[a-z]+\d+")
_AI_PLATFORM_JOB_ID = re.compile(r"[A-Za-z]\w{0,127}", re.ASCII)
_LONGEST_NAME = 128
_LONGEST_LABEL = 63
_TYPE_NAMES = {str: "a string", int: "a whole number", bool: "True or False"}


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """The settings of a training job.

    Args:
        project: The project that the job belongs to.
        job_args: Without the project: a CustomJob or a CustomJobSpec for Vertex AI, a TrainingInput
            for AI Platform.
        job_id: The job's id on AI Platform, its display name on Vertex AI.
        labels: Labels from `job_args`, and those of LABELS_KEY, which win.
        use_vertex: Vertex AI, or else AI Platform.
        region: Where Vertex AI runs the job.
    """

    project: Any
    job_args: Mapping[str, Any]
    job_id: str | None = None
    labels: Mapping[str, Any]
    use_vertex: bool = False
    region: Any = None


def read_settings(custom_config: Any) -> TrainingSettings:
    """The settings in a `custom_config`; ValueError if it has none."""
    config = custom_config or {}
    if not isinstance(config, Mapping):
        raise ValueError(
            f"custom_config in execution properties needs to be a dict. Got {type(config)} instead."
        )
    job_args = config.get(TRAINING_ARGS_KEY)
    if job_args is None:
        raise ValueError(
            f"'{TRAINING_ARGS_KEY}' not found in custom_config. It has the job's settings, for "
            f"example {{'{TRAINING_ARGS_KEY}': {{'project': 'my-project', 'job_spec': "
            "{'worker_pool_specs': [{'machine_spec': {'machine_type': 'n1-standard-4'}, "
            "'replica_count': 1}]}}}."
        )
    if not isinstance(job_args, Mapping):
        raise ValueError(
            f"{TRAINING_ARGS_KEY!r} in custom_config must be a dict, got {_described(job_args)}."
        )
    return make_settings(
        job_args,
        config.get(JOB_ID_KEY),
        {**_mapping(job_args.get("labels")), **_mapping(config.get(LABELS_KEY))},
        config.get(ENABLE_VERTEX_KEY, config.get(ENABLE_UCAIP_KEY, False)),
        config.get(VERTEX_REGION_KEY, config.get(UCAIP_REGION_KEY)),
    )


def make_settings(
    job_args: Mapping[str, Any],
    job_id: str | None,
    labels: Mapping[str, Any] | None,
    use_vertex: bool | None,
    region: str | None,
) -> TrainingSettings:
    """Settings from a job's arguments, among which the project is."""
    return TrainingSettings(
        project=job_args.get("project"),
        job_args={name: value for name, value in job_args.items() if name != "project"},
        job_id=job_id,
        labels=labels or {},
        use_vertex=bool(use_vertex),
        region=region,
    )


def check_settings(settings: TrainingSettings) -> None:
    """Raises ValueError with all that is wrong with the settings."""
    of_service = _vertex_problems if settings.use_vertex else _ai_platform_problems
    problems = [
        *_project_problems(settings.project),
        *of_service(settings),
        *_label_problems(settings.labels),
    ]
    if problems and not settings.use_vertex:
        problems.append(AI_PLATFORM_IS_GONE)
    if problems:
        raise ValueError(" ".join(problems))


def is_bare_job_spec(settings: TrainingSettings) -> bool:
    """Whether the arguments are only a CustomJobSpec, which TFX has deprecated."""
    return settings.use_vertex and not settings.job_args.get("job_spec")


def _mapping(value: Any) -> Mapping[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        raise ValueError(f"The labels of a training job must be a dict, got {_described(value)}.")
    return value or {}


def _project_problems(project: Any) -> Iterator[str]:
    if not project:
        yield (
            f"'project' not found in {TRAINING_ARGS_KEY!r}: name the Google Cloud project that the "
            "job belongs to."
        )
    elif not isinstance(project, str) or not re.fullmatch(r"[\w.:-]+", project):
        yield (
            f"'project' in {TRAINING_ARGS_KEY!r} is {project!r}; expected the id or the number of "
            "a project, for example 'my-project', without 'projects/'."
        )


def _vertex_problems(settings: TrainingSettings) -> Iterator[str]:
    yield from _region_problems(settings.region)
    args = settings.job_args
    if is_bare_job_spec(settings):
        beside = sorted(args.keys() & _CUSTOM_JOB.keys())
        if beside:
            yield (
                f"{TRAINING_ARGS_KEY!r} has {', '.join(map(repr, beside))} but no 'job_spec': put "
                "'worker_pool_specs' and what else describes the workers under 'job_spec'."
            )
        job_spec: Any = {name: value for name, value in args.items() if name not in beside}
        shape, path = {**_JOB_SPEC, **_CUSTOM_JOB}, "the job's arguments"
    else:
        others = {name: value for name, value in args.items() if name != "job_spec"}
        yield from _field_problems(others, _CUSTOM_JOB, "the job's arguments")
        job_spec, shape, path = args["job_spec"], _JOB_SPEC, "job_spec"
    wrong_fields = list(_field_problems(job_spec, shape, path))
    yield from wrong_fields
    if not wrong_fields:
        yield from _pool_problems(job_spec.get("worker_pool_specs"))
    name = args.get("display_name", settings.job_id)
    if name is not None and (not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME):
        yield (
            f"The display name of a job has 1 to {_LONGEST_NAME} characters, got {name!r}: change "
            f"'display_name', or {JOB_ID_KEY!r} in custom_config."
        )


def _region_problems(region: Any) -> Iterator[str]:
    if not region:
        yield (
            f"Please specify a region for Vertex training. Set {VERTEX_REGION_KEY!r} in "
            "custom_config, for example to 'us-central1'."
        )
    elif not isinstance(region, str) or not _REGION.fullmatch(region):
        hint = ""
        if isinstance(region, str) and _REGION.fullmatch(region[:-2]) and region[-2] == "-":
            hint = f" {region!r} is a zone: write {region[:-2]!r}."
        yield (
            f"{VERTEX_REGION_KEY!r} is {region!r}, which is not the name of a region such as "
            f"'us-central1' or 'europe-west4'.{hint}"
        )


def _pool_problems(pools: Any) -> Iterator[str]:
    if not pools:
        yield (
            "The job has no 'worker_pool_specs', and Vertex AI needs at least one: "
            "[{'machine_spec': {'machine_type': 'n1-standard-4'}, 'replica_count': 1}]."
        )
        return
    for number, pool in enumerate(pools):
        where = f"worker_pool_specs[{number}]"
        count = pool.get("replica_count")
        if count is not None and int(count) < (1 if number == 0 else 0):
            yield f"{where} has the replica_count {count}; expected 1 or more."
        if number == 0 and count is not None and int(count) > 1:
            yield (
                f"{where} has the replica_count {count}, but it is the pool of the chief, of which "
                "there is one: put the other workers into a second pool."
            )
        if count is not None and int(count) == 0 and number > 0:
            continue  # a pool that is skipped
        if not (pool.get("machine_spec") or {}).get("machine_type"):
            yield (
                f"{where} has no machine_spec.machine_type, which Vertex AI needs, for example "
                "'n1-standard-4'."
            )
        if pool.get("python_package_spec"):
            yield (
                f"{where} has a python_package_spec, but the workers run the Trainer in a "
                "container: give container_spec.image_uri an image that has your packages."
            )


def _ai_platform_problems(settings: TrainingSettings) -> Iterator[str]:
    args = dict(settings.job_args)
    if args.pop("labels", None) is not None:
        yield (
            f"{TRAINING_ARGS_KEY!r} has 'labels', which a TrainingInput cannot have: put them "
            f"under {LABELS_KEY!r} in custom_config."
        )
    if "worker_pool_specs" in args or "job_spec" in args:
        yield (
            f"{TRAINING_ARGS_KEY!r} has the settings of a job on Vertex AI, but "
            f"{ENABLE_VERTEX_KEY!r} is not True in custom_config: set it, and "
            f"{VERTEX_REGION_KEY!r}."
        )
        return
    yield from _field_problems(args, _TRAINING_INPUT, "the job's arguments")
    if not args.get("region"):
        yield f"'region' not found in {TRAINING_ARGS_KEY!r}: a TrainingInput needs one."
    job_id = settings.job_id
    if job_id is not None and not (
        isinstance(job_id, str) and _AI_PLATFORM_JOB_ID.fullmatch(job_id)
    ):
        yield (
            f"{JOB_ID_KEY!r} is {job_id!r}; expected letters, digits and underscores, the first of "
            f"them a letter, at most {_LONGEST_NAME}."
        )


def _label_problems(labels: Mapping[str, Any]) -> Iterator[str]:
    for key, value in labels.items():
        if not _is_label(key) or not key[:1].isalpha():
            yield (
                f"{key!r} cannot be the key of a label: it begins with a lowercase letter, and has "
                f"lowercase letters, digits, '_' and '-', at most {_LONGEST_LABEL}."
            )
        if not _is_label(value):
            yield (
                f"The label {key!r} has the value {value!r}; expected a string of lowercase "
                f"letters, digits, '_' and '-', at most {_LONGEST_LABEL}."
            )


def _is_label(text: Any) -> bool:
    return (
        isinstance(text, str)
        and len(text) <= _LONGEST_LABEL
        and text == text.lower()
        and all(character.isalnum() or character in "_-" for character in text)
    )


def _field_problems(value: Any, shape: Any, path: str) -> Iterator[str]:
    """What in a value is not as a message's fields are."""
    if isinstance(shape, dict):
        if not isinstance(value, Mapping):
            yield f"{path} must be a dict, got {_described(value)}."
            return
        for name, inner in value.items():
            if name not in shape:
                yield f"{name!r} is not a field of {path}{did_you_mean(str(name), shape)}"
            elif inner is not None:
                inner_path = name if path.startswith("the ") else f"{path}.{name}"
                yield from _field_problems(inner, shape[name], inner_path)
    elif isinstance(shape, list):
        if not isinstance(value, Sequence) or isinstance(value, str):
            yield f"{path} must be a list, got {_described(value)}."
            return
        for number, inner in enumerate(value):
            yield from _field_problems(inner, shape[0], f"{path}[{number}]")
    elif shape is not object and not _is_of_type(value, shape):
        # What is in `env` may be secret.
        got = type(value).__name__ if ".env[" in path else _described(value)
        yield f"{path} must be {_TYPE_NAMES[shape]}, got {got}."


def _is_of_type(value: Any, wanted: type) -> bool:
    if wanted is int:
        # A 64-bit number may be a string in JSON.
        is_text = isinstance(value, str) and value.isdecimal()
        return is_text or (isinstance(value, int) and not isinstance(value, bool))
    return isinstance(value, wanted)


def _described(value: Any) -> str:
    """A plain value itself; of what may have secrets within only the type."""
    is_plain = value is None or isinstance(value, (str, int, float))
    return repr(value) if is_plain else f"a {type(value).__name__}"
