"""Submission of a training job: its files, and the command that submits them.

Nothing is sent from here. The paths of a pipeline that runs on this machine are local, so a job
would start workers that find neither its examples nor a place for its model; whoever has mounted a
bucket submits the files.
"""

from __future__ import annotations

import json
import logging
import os
import shlex
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from trainwright._paths import is_remote
from trainwright.compat.google_cloud.keys import LABELS_KEY, TRAINING_ARGS_KEY
from trainwright.compat.google_cloud.training_clients import get_job_client
from trainwright.compat.google_cloud.training_job import (
    Artifacts,
    default_image,
    gcloud_config,
)
from trainwright.compat.google_cloud.training_settings import (
    AI_PLATFORM_IS_GONE,
    TrainingSettings,
    check_settings,
    is_bare_job_spec,
    make_settings,
)
from trainwright.types.standard_artifacts import ModelRun

JOB_FILE = "job.json"
CONFIG_FILE = "custom_job_spec.json"

TRAIN_HERE = (
    "To train on this machine instead, use tfx.v1.components.Trainer with the same arguments."
)

# Where Vertex AI mounts the buckets of Cloud Storage for its workers.
_MOUNT = "/gcs/"

_logger = logging.getLogger(__name__)


def start_cloud_training(
    input_dict: Artifacts,
    output_dict: Artifacts,
    exec_properties: dict[str, Any],
    executor_class_path: str,
    job_args: dict[str, Any],
    job_id: str | None,
    job_labels: dict[str, Any] | None = None,
    enable_vertex: bool | None = False,
    vertex_region: str | None = None,
) -> NoReturn:
    """Writes a training job to the directory of its ModelRun, and raises what tells how to go on.

    Args:
        input_dict: The artifacts that the Trainer reads.
        output_dict: Those that it writes, a ModelRun among them.
        exec_properties: The Trainer's properties.
        executor_class_path: The executor that the workers run, under TFX's name.
        job_args: The project and, for Vertex AI, a CustomJob, for AI Platform a TrainingInput.
        job_id: The job's id, or its display name.
        job_labels: Labels of the job on AI Platform.
        enable_vertex: Vertex AI, or else AI Platform.
        vertex_region: The region, for Vertex AI.

    Raises:
        ValueError: if the settings are wrong.
        RuntimeError: in any other case, because nothing is submitted; it has the files' paths and
            the command to submit them.
    """
    settings = make_settings(job_args, job_id, job_labels, enable_vertex, vertex_region)
    check_settings(settings)
    client = get_job_client(settings.use_vertex, settings.region)
    job = client.create_training_job(
        input_dict,
        output_dict,
        exec_properties,
        executor_class_path,
        settings.job_args,
        settings.job_id,
        {} if settings.use_vertex else settings.labels,
    )
    directory = _job_directory(output_dict)
    if directory is not None:
        _write_json(os.path.join(directory, JOB_FILE), job)
        if settings.use_vertex:
            _write_json(os.path.join(directory, CONFIG_FILE), gcloud_config(job))
        _logger.info("The job was written to %s; nothing was submitted.", directory)
    cautions = [
        *_unreachable_paths(input_dict, output_dict, exec_properties, settings),
        *_setting_cautions(settings, executor_class_path),
    ]
    raise RuntimeError(_words(settings, job, directory, cautions))


def submit_command(settings: TrainingSettings, job: Mapping[str, Any], config: str) -> str:
    """The command that submits a CustomJob, as a shell takes it."""
    command = [
        "gcloud",
        "ai",
        "custom-jobs",
        "create",
        f"--project={settings.project}",
        f"--region={settings.region}",
        f"--display-name={job['display_name']}",
        f"--config={config}",
    ]
    if job["labels"]:
        labels = ",".join(f"{key}={value}" for key, value in sorted(job["labels"].items()))
        command.append(f"--labels={labels}")
    key = job["encryption_spec"].get("kms_key_name")
    if key:
        command.append(f"--kms-key={key}")
    return shlex.join(command)


def _job_directory(outputs: Artifacts) -> str | None:
    """The directory of the ModelRun: it stays when its node fails."""
    for group in outputs.values():
        for artifact in group:
            if artifact.type_name == ModelRun.TYPE_NAME and not is_remote(artifact.uri):
                os.makedirs(artifact.uri, exist_ok=True)
                return artifact.uri
    return None


def _write_json(path: str, content: Mapping[str, Any]) -> None:
    """Writes a file whole, with sorted keys."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".job-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2, sort_keys=True, ensure_ascii=False)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def _words(
    settings: TrainingSettings,
    job: Mapping[str, Any],
    directory: str | None,
    cautions: list[str],
) -> str:
    service = "Vertex AI" if settings.use_vertex else "AI Platform"
    lines = [f"Nothing was submitted to {service}: Trainwright writes jobs and does not send them."]
    if directory is None:
        lines.append(
            "It was not written either, because there is no ModelRun among the outputs: "
            "training_clients.get_job_client(...).create_training_job(...) returns it."
        )
    elif settings.use_vertex:
        config = os.path.join(directory, CONFIG_FILE)
        lines += [
            f"The CustomJob is {os.path.join(directory, JOB_FILE)}. Submit it with",
            f"  {submit_command(settings, job, config)}",
        ]
    else:
        lines.append(f"The body of the request is {os.path.join(directory, JOB_FILE)}.")
    if not settings.use_vertex:
        lines.append(AI_PLATFORM_IS_GONE)
    if cautions:
        lines += ["Before it is submitted:", *(f"- {caution}" for caution in cautions)]
    return "\n".join([*lines, TRAIN_HERE])


def _unreachable_paths(
    inputs: Artifacts,
    outputs: Artifacts,
    exec_properties: Mapping[str, Any],
    settings: TrainingSettings,
) -> Iterator[str]:
    """What the workers could not read or write."""
    paths = {
        key: artifact.uri
        for artifacts in (inputs, outputs)
        for key, group in artifacts.items()
        for artifact in group
    }
    if exec_properties.get("module_file"):
        paths["module_file"] = str(exec_properties["module_file"])
    local = {
        name: path
        for name, path in paths.items()
        if not is_remote(path) and not (settings.use_vertex and path.startswith(_MOUNT))
    }
    if local:
        named = ", ".join(f"{name} ({path})" for name, path in local.items())
        advice = (
            "Mount the bucket with Cloud Storage FUSE at /gcs/BUCKET, where the workers of Vertex "
            "AI have it as well, and give a pipeline_root and a module_file below it."
            if settings.use_vertex
            else "They read gs:// paths."
        )
        yield f"The workers cannot reach these paths of this machine: {named}. {advice}"


def _setting_cautions(settings: TrainingSettings, executor_class_path: str) -> Iterator[str]:
    """What in the settings is not sent, or was added to them."""
    args = settings.job_args
    if settings.use_vertex:
        pools = (args.get("job_spec") or args).get("worker_pool_specs") or [{}]
        containers = [pool.get("container_spec") or {} for pool in pools]
        image_key, command_key = "image_uri", "command"
        if settings.labels.items() - args.get("labels", {}).items():
            yield (
                f"Vertex AI ignores {LABELS_KEY!r} of custom_config: put the labels beside "
                f"'job_spec', as 'labels' in {TRAINING_ARGS_KEY!r}."
            )
        if is_bare_job_spec(settings):
            yield (
                f"A bare CustomJobSpec is deprecated: put all but the project under 'job_spec' in "
                f"{TRAINING_ARGS_KEY!r}."
            )
    else:
        containers = [args.get("masterConfig") or {}]
        image_key, command_key = "imageUri", "containerCommand"
    if any(command_key in container for container in containers):
        yield f"The {command_key} of a container was replaced: the workers run the Trainer."
    if not all(container.get(image_key) for container in containers):
        yield (
            f"No {image_key} was given, so the image is {default_image(executor_class_path)}. Make "
            "sure that it exists, or name an image that has TFX or Trainwright."
        )
