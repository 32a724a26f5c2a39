"""Launch settings of single components, in TFX's words: DockerComponentConfig and its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.types.json_utils import Jsonable


class BaseComponentConfig(Jsonable):
    """Base of the configs that a PipelineConfig gives to components."""


class DockerComponentConfig(BaseComponentConfig):
    """Arguments of `docker run` for the container of a component.

    Args:
        docker_server_url: Where the Docker server listens; the environment's if None.
        environment: Variables for the container, as a dict or as `["NAME=value"]`.
        name: The container's name.
        privileged: Whether it gets extended privileges.
        user: The user name or id inside the container.
        volumes: What is mounted: `{"/data": {"bind": "/mnt", "mode": "ro"}}` or `["/data:/mnt"]`.
        **kwargs: Other arguments of docker-py's `containers.run`.

    >>> DockerComponentConfig(name="grep", ports={"80/tcp": 8080}).to_run_args()
    {'ports': {'80/tcp': 8080}, 'privileged': False, 'name': 'grep'}
    """

    def __init__(
        self,
        docker_server_url: str | None = None,
        environment: dict[str, str] | list[str] | None = None,
        name: str | None = None,
        privileged: bool = False,
        user: str | int | None = None,
        volumes: dict[str, dict[str, str]] | list[str] | None = None,
        **kwargs: Any,
    ) -> None:
        self.docker_server_url = docker_server_url
        self.environment = environment
        self.name = name
        self.privileged = privileged
        self.user = user
        self.volumes = volumes
        self.additional_run_args = kwargs

    def to_run_args(self) -> dict[str, Any]:
        """The keyword arguments for docker-py's `containers.run`; what is empty is left out."""
        optional = {
            "environment": self.environment,
            "name": self.name,
            "user": self.user,
            "volumes": self.volumes,
        }
        given = {name: value for name, value in optional.items() if value}
        return {**(self.additional_run_args or {}), "privileged": self.privileged, **given}


class KubernetesComponentConfig(BaseComponentConfig):
    """The pod in which a component would run on Kubernetes.

    Args:
        pod: A dict of a pod's spec, or a `kubernetes.client.V1Pod`.
    """

    def __init__(self, pod: Any) -> None:
        if not pod:
            raise ValueError("pod must have a value.")
        self.pod = to_swagger_dict(pod)


def to_swagger_dict(config: Any) -> Any:
    """A config of the Kubernetes client as plain dicts and lists, under the names of its API.

    The client's objects say in `attribute_map` how the API calls their attributes; what is empty
    is left out.
    """
    if isinstance(config, list):
        return [to_swagger_dict(item) for item in config]
    if isinstance(config, Mapping):
        return {key: to_swagger_dict(value) for key, value in config.items()}
    names = getattr(config, "attribute_map", None)
    if names is None:
        return config
    values = {name: getattr(config, attribute) for attribute, name in names.items()}
    return {name: to_swagger_dict(value) for name, value in values.items() if value}
