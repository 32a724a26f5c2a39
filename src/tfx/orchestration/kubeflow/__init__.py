"""TFX's paths to the runners for Kubeflow."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.kubeflow import decorators as decorators
    from tfx.orchestration.kubeflow import kubeflow_dag_runner as kubeflow_dag_runner
    from tfx.orchestration.kubeflow import proto as proto
    from tfx.orchestration.kubeflow import runner as runner
    from tfx.orchestration.kubeflow import utils as utils
    from tfx.orchestration.kubeflow import v2 as v2
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("decorators", "kubeflow_dag_runner", "proto", "runner", "utils", "v2"),
    )
