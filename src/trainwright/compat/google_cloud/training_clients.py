"""TFX's clients of training services: they make the job; nothing here sends it."""

from __future__ import annotations

import abc
import logging
from collections.abc import Mapping
from typing import Any, NoReturn

from trainwright.compat.google_cloud.training_job import (
    Artifacts,
    ai_platform_job,
    container_command,
    vertex_job,
)

_logger = logging.getLogger(__name__)

_NOT_SENT = (
    "Nothing was submitted: Trainwright writes training jobs and does not send them. "
    "create_training_job() returns the job; submit it with gcloud or google-cloud-aiplatform, as "
    "docs/cloud_training.md shows."
)


class AbstractJobClient(abc.ABC):
    """Makes the training jobs of a service."""

    JOB_STATES_COMPLETED: tuple[Any, ...] = ()
    JOB_STATES_FAILED: tuple[Any, ...] = ()

    def __init__(self) -> None:
        self.create_client()
        self._job_name = ""

    @abc.abstractmethod
    def create_client(self) -> None:
        """Prepares for making jobs."""

    @abc.abstractmethod
    def create_training_job(
        self,
        input_dict: Artifacts,
        output_dict: Artifacts,
        exec_properties: Mapping[str, Any],
        executor_class_path: str,
        job_args: Mapping[str, Any],
        job_id: str | None,
        job_labels: Mapping[str, Any] | None,
    ) -> dict[str, Any]:
        """The job as the service takes it.

        Args:
            input_dict: The artifacts that the Trainer reads.
            output_dict: Those that it writes.
            exec_properties: The Trainer's properties, as JSON has them.
            executor_class_path: The executor that the workers run.
            job_args: The job's settings, without the project.
            job_id: The job's id or display name; None for one made of the time.
            job_labels: Labels of the job.
        """

    @abc.abstractmethod
    def launch_job(self, project: str, training_job: Mapping[str, Any]) -> None:
        """Sends the job."""

    @abc.abstractmethod
    def get_job(self) -> Any:
        """What the service says of the job."""

    @abc.abstractmethod
    def get_job_state(self, response: Any) -> Any:
        """The state in an answer of `get_job`."""

    def get_job_name(self) -> str:
        """The name that the service gave the job; empty if none was sent."""
        return self._job_name

    def generate_container_command(
        self,
        input_dict: Artifacts,
        output_dict: Artifacts,
        exec_properties: Mapping[str, Any],
        executor_class_path: str,
    ) -> list[str]:
        """What each worker of a job runs."""
        return container_command(input_dict, output_dict, exec_properties, executor_class_path)


class _UnconnectedClient(AbstractJobClient):
    """A client of a service that nothing is sent to."""

    def create_client(self) -> None:
        """Nothing is connected to, so there is nothing to prepare."""

    def launch_job(self, project: str, training_job: Mapping[str, Any]) -> NoReturn:
        """Raises RuntimeError: jobs are not sent from here."""
        raise RuntimeError(_NOT_SENT)

    def get_job(self) -> NoReturn:
        """Raises RuntimeError: no job was sent."""
        raise RuntimeError(_NOT_SENT)


class CAIPJobClient(_UnconnectedClient):
    """Makes jobs of AI Platform Training."""

    JOB_STATES_COMPLETED = ("SUCCEEDED", "FAILED", "CANCELLED")
    JOB_STATES_FAILED = ("FAILED", "CANCELLED")

    def create_training_job(
        self,
        input_dict: Artifacts,
        output_dict: Artifacts,
        exec_properties: Mapping[str, Any],
        executor_class_path: str,
        job_args: Mapping[str, Any],
        job_id: str | None,
        job_labels: Mapping[str, Any] | None,
    ) -> dict[str, Any]:
        command = self.generate_container_command(
            input_dict, output_dict, exec_properties, executor_class_path
        )
        return ai_platform_job(command, executor_class_path, job_args, job_id, job_labels)

    def get_job_state(self, response: Mapping[str, Any]) -> Any:
        return response["state"]


class VertexJobClient(_UnconnectedClient):
    """Makes jobs of Vertex AI.

    Args:
        vertex_region: Where the jobs run.
    """

    JOB_STATES_COMPLETED = ("JOB_STATE_SUCCEEDED", "JOB_STATE_FAILED", "JOB_STATE_CANCELLED")
    JOB_STATES_FAILED = ("JOB_STATE_FAILED", "JOB_STATE_CANCELLED")

    def __init__(self, vertex_region: str | None) -> None:
        if vertex_region is None:
            raise ValueError("Please specify a region for Vertex training.")
        self._region = vertex_region
        super().__init__()

    def create_training_job(
        self,
        input_dict: Artifacts,
        output_dict: Artifacts,
        exec_properties: Mapping[str, Any],
        executor_class_path: str,
        job_args: Mapping[str, Any],
        job_id: str | None,
        job_labels: Mapping[str, Any] | None,
    ) -> dict[str, Any]:
        if job_labels:
            _logger.warning(
                "Vertex AI ignores the labels of custom_config: put them into the CustomJob."
            )
        command = self.generate_container_command(
            input_dict, output_dict, exec_properties, executor_class_path
        )
        return vertex_job(command, executor_class_path, job_args, job_id)

    def get_job_state(self, response: Any) -> Any:
        return response.state


def get_job_client(
    enable_vertex: bool | None = False, vertex_region: str | None = None
) -> CAIPJobClient | VertexJobClient:
    """The client of Vertex AI, or else of AI Platform."""
    if enable_vertex:
        return VertexJobClient(vertex_region)
    return CAIPJobClient()
