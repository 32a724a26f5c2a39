"""PipelineConfig: which launchers and configs the components of a pipeline get, in TFX's words."""

from __future__ import annotations

from collections.abc import Sequence

from trainwright.compat.runners.component_configs import BaseComponentConfig
from trainwright.compat.runners.component_launchers import (
    BaseComponentLauncher,
    InProcessComponentLauncher,
)
from trainwright.dsl.base_node import BaseNode


class PipelineConfig:
    """Which launchers a runner may use, and how it configures them.

    Args:
        supported_launcher_classes: The launchers, the preferred one first.
        default_component_configs: Configs for all components, of different types.
        component_config_overrides: The config of single components, by node id.
    """

    def __init__(
        self,
        supported_launcher_classes: list[type[BaseComponentLauncher]] | None = None,
        default_component_configs: list[BaseComponentConfig] | None = None,
        component_config_overrides: dict[str, BaseComponentConfig] | None = None,
    ) -> None:
        self.supported_launcher_classes = supported_launcher_classes or [InProcessComponentLauncher]
        self.default_component_configs = default_component_configs or []
        self.component_config_overrides = component_config_overrides or {}
        if _has_twice(self.supported_launcher_classes):
            raise ValueError("supported_launcher_classes must not have duplicate types")
        if _has_twice([type(config) for config in self.default_component_configs]):
            raise ValueError("default_component_configs must not have configs with the same type")


def _has_twice(classes: Sequence[type]) -> bool:
    return len(classes) > len(set(classes))


def find_component_launch_info(
    p_config: PipelineConfig, component: BaseNode
) -> tuple[type[BaseComponentLauncher], BaseComponentConfig | None]:
    """The first launcher that can launch a component, with the config it does so with.

    A config from `component_config_overrides` is the only one that counts for its component;
    otherwise the default ones are tried in order, and then none.

    Raises:
        RuntimeError: no launcher of the config can.
    """
    configs: list[BaseComponentConfig | None]
    if component.id in p_config.component_config_overrides:
        configs = [p_config.component_config_overrides[component.id]]
    else:
        configs = [*p_config.default_component_configs, None]
    executor_spec = getattr(component, "executor_spec", None)
    for config in configs:
        for launcher in p_config.supported_launcher_classes:
            if launcher.can_launch(executor_spec, config):
                return launcher, config
    names = ", ".join(launcher.__name__ for launcher in p_config.supported_launcher_classes)
    raise RuntimeError(
        f'No launcher info can be found for component "{component.id}". Its executor is '
        f"{executor_spec!r}, and the config's launchers are {names}."
    )
