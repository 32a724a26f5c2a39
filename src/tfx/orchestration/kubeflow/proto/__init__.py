"""TFX's path to the messages for Kubeflow."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.kubeflow.proto import kubeflow_pb2 as kubeflow_pb2
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("kubeflow_pb2",),
    )
