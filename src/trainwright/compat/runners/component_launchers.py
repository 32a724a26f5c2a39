"""The launchers of a PipelineConfig: each says which executors it is for.

The runners here start every node themselves, in a process of its own. What is left of a launcher
is the choice that a config makes with it: a component that none of them can launch is refused.
"""

from __future__ import annotations

import abc
from typing import Any, NoReturn

from trainwright.compat.runners.component_configs import (
    BaseComponentConfig,
    DockerComponentConfig,
    KubernetesComponentConfig,
)
from trainwright.dsl.executor_spec import ExecutorClassSpec, ExecutorSpec


class BaseComponentLauncher(abc.ABC):
    """Base of the launchers.

    Args:
        component: What is launched.
        pipeline_info: Name and root of its pipeline.
        driver_args: Whether results may be reused.
        metadata_connection: Where executions are remembered.
        beam_pipeline_args: Flags for executors on Beam.
        additional_pipeline_args: Other settings of the pipeline.
        component_config: How it is launched.
    """

    def __init__(
        self,
        component: Any,
        pipeline_info: Any,
        driver_args: Any,
        metadata_connection: Any,
        beam_pipeline_args: list[str],
        additional_pipeline_args: dict[str, Any],
        component_config: BaseComponentConfig | None = None,
    ) -> None:
        if not self.can_launch(component.executor_spec, component_config):
            raise ValueError(
                f'component.executor_spec with type "{type(component.executor_spec).__name__}" and '
                f'component config with type "{type(component_config).__name__}" are not '
                f'launchable by "{type(self).__name__}".'
            )
        self._component = component

    @classmethod
    def create(
        cls,
        component: Any,
        pipeline_info: Any,
        driver_args: Any,
        metadata_connection: Any,
        beam_pipeline_args: list[str],
        additional_pipeline_args: dict[str, Any],
        component_config: BaseComponentConfig | None = None,
    ) -> BaseComponentLauncher:
        """Makes a launcher: the same as calling the class."""
        return cls(
            component,
            pipeline_info,
            driver_args,
            metadata_connection,
            beam_pipeline_args,
            additional_pipeline_args,
            component_config,
        )

    def launch(self) -> NoReturn:
        """Says how a component is run here."""
        raise RuntimeError(
            f"{type(self).__name__} does not run components by itself: put {self._component.id!r} "
            "into a Pipeline and give that to tfx.v1.orchestration.LocalDagRunner().run()."
        )

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
