"""The launchers of a PipelineConfig: each says which executors it is for.

The runners here start every node themselves, in a process of its own. What is left of a launcher
is the choice that a config makes with it: a component that none of them can launch is refused.
"""

from __future__ import annotations

import abc

from trainwright.compat.runners.component_configs import (
    BaseComponentConfig,
    DockerComponentConfig,
    KubernetesComponentConfig,
)
from trainwright.dsl.executor_spec import ExecutorClassSpec, ExecutorSpec


class BaseComponentLauncher(abc.ABC):
    """Base of the launchers."""

    @classmethod
    @abc.abstractmethod
    def can_launch(
        cls,
        component_executor_spec: ExecutorSpec | None,
        component_config: BaseComponentConfig | None = None,
    ) -> bool:
        """Whether this launcher is for such an executor with such a config."""


class InProcessComponentLauncher(BaseComponentLauncher):
    """For executors that are Python code, without a config."""

    @classmethod
    def can_launch(
        cls,
        component_executor_spec: ExecutorSpec | None,
        component_config: BaseComponentConfig | None = None,
    ) -> bool:
        if component_config:
            return False
        # Importers and Resolvers have no executor: every runner does their work itself.
        return component_executor_spec is None or isinstance(
            component_executor_spec, ExecutorClassSpec
        )


class _ContainerLauncher(BaseComponentLauncher):
    """For executors that are containers, without a config or with one of its own kind."""

    CONFIG_CLASS: type[BaseComponentConfig]

    @classmethod
    def can_launch(
        cls,
        component_executor_spec: ExecutorSpec | None,
        component_config: BaseComponentConfig | None = None,
    ) -> bool:
        if component_config and not isinstance(component_config, cls.CONFIG_CLASS):
            return False
        spec = component_executor_spec
        return spec is not None and not isinstance(spec, ExecutorClassSpec)


class DockerComponentLauncher(_ContainerLauncher):
    """For containers on this machine."""

    CONFIG_CLASS = DockerComponentConfig


class KubernetesComponentLauncher(_ContainerLauncher):
    """For containers in a Kubernetes cluster, which nothing here can start."""

    CONFIG_CLASS = KubernetesComponentConfig
