"""`trainwright.compat.runners.kubeflow` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.runners.kubeflow import (
        DEFAULT_KUBEFLOW_TFX_IMAGE as DEFAULT_KUBEFLOW_TFX_IMAGE,
    )
    from trainwright.compat.runners.kubeflow import KubeflowDagRunner as KubeflowDagRunner
    from trainwright.compat.runners.kubeflow import (
        KubeflowDagRunnerConfig as KubeflowDagRunnerConfig,
    )
    from trainwright.compat.runners.kubeflow import OpFunc as OpFunc
    from trainwright.compat.runners.kubeflow import (
        get_default_kubeflow_metadata_config as get_default_kubeflow_metadata_config,
    )
    from trainwright.compat.runners.kubeflow import (
        get_default_output_filename as get_default_output_filename,
    )
    from trainwright.compat.runners.kubeflow import (
        get_default_pipeline_operator_funcs as get_default_pipeline_operator_funcs,
    )
    from trainwright.compat.runners.kubeflow import get_default_pod_labels as get_default_pod_labels
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.kubeflow": (
                "DEFAULT_KUBEFLOW_TFX_IMAGE",
                "KubeflowDagRunner",
                "KubeflowDagRunnerConfig",
                "OpFunc",
                "get_default_kubeflow_metadata_config",
                "get_default_output_filename",
                "get_default_pipeline_operator_funcs",
                "get_default_pod_labels",
            ),
        },
    )
