"""Launch settings of single components, under TFX's paths."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.config import base_component_config as base_component_config
    from tfx.orchestration.config import config_utils as config_utils
    from tfx.orchestration.config import docker_component_config as docker_component_config
    from tfx.orchestration.config import kubernetes_component_config as kubernetes_component_config
    from tfx.orchestration.config import pipeline_config as pipeline_config
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "base_component_config",
            "config_utils",
            "docker_component_config",
            "kubernetes_component_config",
            "pipeline_config",
        ),
    )
