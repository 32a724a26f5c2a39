"""TFX's paths to the launchers that a PipelineConfig names."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.launcher import base_component_launcher as base_component_launcher
    from tfx.orchestration.launcher import container_common as container_common
    from tfx.orchestration.launcher import docker_component_launcher as docker_component_launcher
    from tfx.orchestration.launcher import (
        in_process_component_launcher as in_process_component_launcher,
    )
    from tfx.orchestration.launcher import (
        kubernetes_component_launcher as kubernetes_component_launcher,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "base_component_launcher",
            "container_common",
            "docker_component_launcher",
            "in_process_component_launcher",
            "kubernetes_component_launcher",
        ),
    )
