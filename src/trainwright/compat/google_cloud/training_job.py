"""Training jobs of Vertex AI and AI Platform as TFX sends them: plain dicts, made without Google's
libraries.

Every worker of a job runs `python -m tfx.scripts.run_executor` with the executor, the artifacts and
the properties of the node as JSON. So the names in a job are TFX's own, which an image with TFX and
an image with Trainwright both have.
"""

from __future__ import annotations

import copy
import datetime
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from trainwright._version import TFX_VERSION
from trainwright.compat.utils import telemetry
from trainwright.compat.utils.version_utils import get_image_version
from trainwright.types.artifact import Artifact

GENERIC_EXECUTOR = "tfx.components.trainer.executor.GenericExecutor"
ESTIMATOR_EXECUTOR = "tfx.components.trainer.executor.Executor"

CONTAINER_COMMAND = ("python", "-m", "tfx.scripts.run_executor")

_IMAGE = "gcr.io/tfx-oss-public/tfx"
_LAST_VERSION_WITH_ESTIMATORS = "1.15.1"

# Where TFX has the artifact classes that are defined here.
_TFX_MODULES = {
    "trainwright.types.artifact": "tfx.types.artifact",
    "trainwright.types.standard_artifacts": "tfx.types.standard_artifacts",
    "trainwright.compat.types.simple_artifacts": "tfx.types.experimental.simple_artifacts",
}
_CLASS_MODULE = "__artifact_class_module__"

Artifacts = Mapping[str, Sequence[Artifact]]


def default_image(executor_class_path: str) -> str:
    """TFX's image for a job that names none: of the last version that has the executor.

    >>> default_image("tfx.components.trainer.executor.Executor")
    'gcr.io/tfx-oss-public/tfx:1.15.1'
    """
    if executor_class_path == ESTIMATOR_EXECUTOR:
        return f"{_IMAGE}:{_LAST_VERSION_WITH_ESTIMATORS}"
    return f"{_IMAGE}:{get_image_version()}"


def container_command(
    inputs: Artifacts,
    outputs: Artifacts,
    exec_properties: Mapping[str, Any],
    executor_class_path: str,
) -> list[str]:
    """What each worker of a job runs."""
    return [
        *CONTAINER_COMMAND,
        "--executor_class_path",
        executor_class_path,
        "--inputs",
        artifacts_as_json(inputs),
        "--outputs",
        artifacts_as_json(outputs),
        "--exec-properties",
        properties_as_json(exec_properties),
    ]


def vertex_job(
    command: Sequence[str],
    executor_class_path: str,
    job_args: Mapping[str, Any],
    job_id: str | None = None,
) -> dict[str, Any]:
    """A CustomJob of Vertex AI.

    Args:
        command: What each worker runs; it takes the place of a command in `job_args`.
        executor_class_path: Goes to a label, and says which image is the default.
        job_args: A CustomJob, or, deprecated in TFX, only its `job_spec`; without the project.
        job_id: The display name, unless `job_args` has one.
    """
    args = copy.deepcopy(dict(job_args))
    job_spec = args.get("job_spec") or args
    job_spec["worker_pool_specs"] = job_spec.get("worker_pool_specs") or [{}]
    for pool in job_spec["worker_pool_specs"]:
        container = pool.get("container_spec") or {"image_uri": default_image(executor_class_path)}
        pool["container_spec"] = {**_with_published_image(container, "image_uri")}
        pool["container_spec"]["command"] = list(command)
    return {
        "display_name": args.get("display_name", job_id)
        or f"tfx_{_now()}_{random.getrandbits(32):08x}",
        "job_spec": job_spec,
        "labels": {**_telemetry_labels(executor_class_path), **args.get("labels", {})},
        "encryption_spec": args.get("encryption_spec", {}),
    }


def ai_platform_job(
    command: Sequence[str],
    executor_class_path: str,
    job_args: Mapping[str, Any],
    job_id: str | None = None,
    labels: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The body of a request for a job of AI Platform Training.

    Args:
        command: What each worker runs; it takes the place of a command in `job_args`.
        executor_class_path: Goes to a label, and says which image is the default.
        job_args: A TrainingInput, without the project.
        job_id: The job's id; without one the time makes it.
        labels: Labels of the user's own.
    """
    training_input = copy.deepcopy(dict(job_args))
    config = training_input.get("masterConfig") or {"imageUri": default_image(executor_class_path)}
    training_input["masterConfig"] = {
        **_with_published_image(config, "imageUri"),
        "containerCommand": list(command),
    }
    return {
        "job_id": job_id or f"tfx_{_now()}",
        "training_input": training_input,
        "labels": {**(labels or {}), **_telemetry_labels(executor_class_path)},
    }


def gcloud_config(job: Mapping[str, Any]) -> dict[str, Any]:
    """The file for `gcloud ai custom-jobs create --config`: a CustomJob's `job_spec`, whose keys
    must be in camel case there, and durations text."""
    config = _in_camel_case(job["job_spec"])
    assert isinstance(config, dict)
    return config


def artifacts_as_json(artifacts: Artifacts) -> str:
    """Artifacts as `run_executor` reads them, their classes under TFX's names."""
    return json.dumps(
        {key: [_artifact_as_dict(one) for one in group] for key, group in artifacts.items()}
    )


def properties_as_json(exec_properties: Mapping[str, Any]) -> str:
    """Properties as `run_executor` reads them: messages are text in JSON, keys are sorted."""
    return json.dumps(exec_properties, sort_keys=True, default=_message_as_text)


def _artifact_as_dict(artifact: Artifact) -> dict[str, Any]:
    written = artifact.to_json_dict()
    module = written[_CLASS_MODULE]
    return {**written, _CLASS_MODULE: _TFX_MODULES.get(module, module)}


def _message_as_text(value: Any) -> str:
    if not isinstance(value, Message):
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
    text = json_format.MessageToJson(value, preserving_proto_field_name=True, sort_keys=True)
    return str(text)


def _with_published_image(container: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Mends the tag of TFX's image where it was made from `tfx.__version__`, which has the version
    of Trainwright in it: no tag can have its plus sign."""
    image = container.get(key)
    if isinstance(image, str) and image.endswith(f":{TFX_VERSION}"):
        image = f"{image.removesuffix(f':{TFX_VERSION}')}:{get_image_version()}"
        return {**container, key: image}
    return dict(container)


def _telemetry_labels(executor_class_path: str) -> dict[str, str]:
    with telemetry.scoped_labels({telemetry.LABEL_TFX_EXECUTOR: executor_class_path}):
        return telemetry.make_labels_dict()


def _now() -> str:
    return datetime.datetime.now().strftime("%Y%m%d%H%M%S")


def _in_camel_case(value: Any) -> Any:
    if isinstance(value, Mapping):
        if value and value.keys() <= {"seconds", "nanos"}:
            return _duration(value)
        return {_camel(key): _in_camel_case(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_in_camel_case(inner) for inner in value]
    return value


def _camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in others)


def _duration(value: Mapping[str, Any]) -> str:
    nanos = f"{value.get('nanos', 0):09d}".rstrip("0")
    return f"{value.get('seconds', 0)}{'.' + nanos if nanos else ''}s"
