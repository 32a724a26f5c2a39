"""`trainwright.compat.runners.kubeflow` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.runners.kubeflow import KUBEFLOW_TFX_CMD as KUBEFLOW_TFX_CMD
    from trainwright.compat.runners.kubeflow import KubeflowV2DagRunner as KubeflowV2DagRunner
    from trainwright.compat.runners.kubeflow import (
        KubeflowV2DagRunnerConfig as KubeflowV2DagRunnerConfig,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.kubeflow": (
                "KUBEFLOW_TFX_CMD",
                "KubeflowV2DagRunner",
                "KubeflowV2DagRunnerConfig",
            ),
        },
    )
