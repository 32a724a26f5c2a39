"""Pods and jobs of Kubernetes. What asks a cluster needs the package kubernetes."""

from __future__ import annotations

import enum
import logging
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from trainwright._imports import require

# The container that Argo, and so Kubeflow Pipelines, starts in a pod.
ARGO_MAIN_CONTAINER_NAME = "main"

# Environment variables inside a pod of Kubeflow Pipelines.
KFP_POD_NAME = "KFP_POD_NAME"
KFP_NAMESPACE = "KFP_NAMESPACE"

TFX_SERVICE_ACCOUNT = "tfx-service-account"

_SERVICE_TOKEN = Path("/var/run/secrets/kubernetes.io/serviceaccount/token")
_NOT_FOUND = 404
_LONGEST_WAIT = 32  # seconds between two looks at a pod
_log = logging.getLogger(__name__)


class PodPhase(enum.Enum):
    """How far a pod is."""

    PENDING = "Pending"
    RUNNING = "Running"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"
    UNKNOWN = "Unknown"

    @property
    def is_done(self) -> bool:
        return self in (PodPhase.SUCCEEDED, PodPhase.FAILED)


class RestartPolicy(enum.Enum):
    """When the containers of a pod are started again."""

    ALWAYS = "Always"
    ON_FAILURE = "OnFailure"
    NEVER = "Never"


class PersistentVolumeAccessMode(enum.Enum):
    """Who may mount a volume."""

    READ_WRITE_ONCE = "ReadWriteOnce"
    READ_ONLY_MANY = "ReadOnlyMany"
    READ_WRITE_MANY = "ReadWriteMany"


def sanitize_pod_name(pod_name: str) -> str:
    """A name in the characters that Kubernetes takes.

    >>> sanitize_pod_name("My Pipeline_2")
    'my-pipeline-2'
    """
    plain = re.sub(r"[^a-z0-9-]", "-", pod_name.lower()).lstrip("-")
    return re.sub(r"-+", "-", plain)


def pod_is_not_pending(resp: Any) -> bool:
    return bool(resp.status.phase != PodPhase.PENDING.value)


def pod_is_done(resp: Any) -> bool:
    return PodPhase(resp.status.phase).is_done


def is_inside_cluster() -> bool:
    """Whether this process runs in a pod: Kubernetes gives it an address and a token."""
    return "KUBERNETES_SERVICE_HOST" in os.environ and _SERVICE_TOKEN.exists()


def is_inside_kfp() -> bool:
    """Whether this process runs in a pod of Kubeflow Pipelines."""
    return is_inside_cluster() and KFP_POD_NAME in os.environ and KFP_NAMESPACE in os.environ


def get_kfp_namespace() -> str:
    """The namespace of the pod of Kubeflow Pipelines that this process runs in."""
    if KFP_NAMESPACE not in os.environ:
        raise RuntimeError(
            "Cannot determine KFP namespace from the environment. This process is not in a pod of "
            "Kubeflow Pipelines."
        )
    return os.environ[KFP_NAMESPACE]


def get_current_kfp_pod(client: Any) -> Any:
    """The pod of Kubeflow Pipelines that this process runs in."""
    if KFP_NAMESPACE not in os.environ or KFP_POD_NAME not in os.environ:
        raise RuntimeError(
            "Cannot determine KFP pod from the environment. This process is not in a pod of "
            "Kubeflow Pipelines."
        )
    return client.read_namespaced_pod(
        name=os.environ[KFP_POD_NAME], namespace=os.environ[KFP_NAMESPACE]
    )


def make_core_v1_api() -> Any:
    """A client of the core API, for the cluster around this process or that of the kubeconfig."""
    return _configured_client().CoreV1Api()


def make_batch_v1_api() -> Any:
    """A client of the batch API, for the same cluster."""
    return _configured_client().BatchV1Api()


def _configured_client() -> Any:
    config = require("kubernetes.config", package="kubernetes")
    if is_inside_cluster():
        config.load_incluster_config()
    else:
        config.load_kube_config()
    return require("kubernetes.client", package="kubernetes")


def make_job_object(
    name: str,
    container_image: str,
    command: list[str],
    namespace: str = "default",
    container_name: str = "jobcontainer",
    pod_labels: dict[str, str] | None = None,
    service_account_name: str = "default",
    ttl_seconds_after_finished: int | None = None,
) -> Any:
    """A `V1Job` with one pod that runs one command.

    Args:
        name: The job's name, brought into the form that Kubernetes takes.
        container_image: The image to run.
        command: What to run in it.
        namespace: Where the job goes.
        container_name: The container's name.
        pod_labels: Labels of the pod.
        service_account_name: Whose rights the pod has.
        ttl_seconds_after_finished: When the job is removed after its end; None for never.
    """
    client = require("kubernetes.client", package="kubernetes")
    container = client.V1Container(name=container_name, image=container_image, command=command)
    template = client.V1PodTemplateSpec(
        metadata=client.V1ObjectMeta(labels=pod_labels or {}),
        spec=client.V1PodSpec(
            containers=[container],
            service_account_name=service_account_name,
            restart_policy=RestartPolicy.NEVER.value,
        ),
    )
    return client.V1Job(
        api_version="batch/v1",
        kind="Job",
        metadata=client.V1ObjectMeta(namespace=namespace, name=sanitize_pod_name(name)),
        status=client.V1JobStatus(),
        spec=client.V1JobSpec(
            ttl_seconds_after_finished=ttl_seconds_after_finished, template=template
        ),
    )


def get_pod(core_api: Any, pod_name: str, namespace: str) -> Any:
    """A pod, or None if there is none of this name."""
    rest = require("kubernetes.client.rest", package="kubernetes")
    try:
        return core_api.read_namespaced_pod(name=pod_name, namespace=namespace)
    except rest.ApiException as error:
        if error.status != _NOT_FOUND:
            raise RuntimeError(
                f"Unknown error! \nReason: {error.reason}\nBody: {error.body}"
            ) from error
        return None


def wait_pod(
    core_api: Any,
    pod_name: str,
    namespace: str,
    exit_condition_lambda: Callable[[Any], bool],
    condition_description: str,
    timeout_sec: int = 0,
    exponential_backoff: bool = False,
) -> Any:
    """Waits until a pod meets a condition, and returns the pod.

    Args:
        core_api: A client of the core API.
        pod_name: The pod's name.
        namespace: The pod's namespace.
        exit_condition_lambda: The condition.
        condition_description: What messages call the condition.
        timeout_sec: How long to wait; 0 for ever. RuntimeError is raised after that.
        exponential_backoff: Wait longer from one look to the next, instead of a second.
    """
    started = time.monotonic()
    pause = 1
    while True:
        pod = get_pod(core_api, pod_name, namespace)
        if exit_condition_lambda(pod):
            return pod
        if timeout_sec and time.monotonic() - started >= timeout_sec:
            raise RuntimeError(
                f'Pod "{namespace}:{pod_name}" does not reach "{condition_description}" within '
                f"{timeout_sec} seconds."
            )
        _log.info("Waiting for pod %s to be %s.", pod_name, condition_description)
        time.sleep(pause)
        if exponential_backoff:
            pause = min(2 * pause, _LONGEST_WAIT)
