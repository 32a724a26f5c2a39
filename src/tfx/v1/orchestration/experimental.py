"""Runners of other systems: they are declared, and say at run() what to use."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.runners.kubeflow import LABEL_KFP_SDK_ENV as LABEL_KFP_SDK_ENV
    from trainwright.compat.runners.kubeflow import FinalStatusStr as FinalStatusStr
    from trainwright.compat.runners.kubeflow import KubeflowDagRunner as KubeflowDagRunner
    from trainwright.compat.runners.kubeflow import (
        KubeflowDagRunnerConfig as KubeflowDagRunnerConfig,
    )
    from trainwright.compat.runners.kubeflow import KubeflowV2DagRunner as KubeflowV2DagRunner
    from trainwright.compat.runners.kubeflow import (
        KubeflowV2DagRunnerConfig as KubeflowV2DagRunnerConfig,
    )
    from trainwright.compat.runners.kubeflow import exit_handler as exit_handler
    from trainwright.compat.runners.kubeflow import (
        get_default_kubeflow_metadata_config as get_default_kubeflow_metadata_config,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.kubeflow": (
                "FinalStatusStr",
                "KubeflowDagRunner",
                "KubeflowDagRunnerConfig",
                "KubeflowV2DagRunner",
                "KubeflowV2DagRunnerConfig",
                "LABEL_KFP_SDK_ENV",
                "exit_handler",
                "get_default_kubeflow_metadata_config",
            ),
        },
    )
