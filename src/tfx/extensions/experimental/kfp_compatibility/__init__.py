"""TFX's paths to components from files of Kubeflow Pipelines."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.extensions.experimental.kfp_compatibility import (
        kfp_container_component as kfp_container_component,
    )
    from tfx.extensions.experimental.kfp_compatibility import proto as proto
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("kfp_container_component", "proto"),
    )
