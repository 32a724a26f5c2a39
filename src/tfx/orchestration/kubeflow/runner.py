"""The oldest names of the runner for Kubeflow."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.runners.kubeflow import KubeflowDagRunner as _KubeflowRunner_
    from trainwright.compat.runners.kubeflow import (
        KubeflowDagRunnerConfig as _KubeflowRunnerConfig_,
    )

    KubeflowRunner = _KubeflowRunner_
    KubeflowRunnerConfig = _KubeflowRunnerConfig_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.kubeflow": (
                "KubeflowDagRunner as KubeflowRunner",
                "KubeflowDagRunnerConfig as KubeflowRunnerConfig",
            ),
        },
    )
