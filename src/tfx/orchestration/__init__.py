"""Runners of pipelines, under TFX's older paths."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration import airflow as airflow
    from tfx.orchestration import beam as beam
    from tfx.orchestration import config as config
    from tfx.orchestration import data_types as data_types
    from tfx.orchestration import data_types_utils as data_types_utils
    from tfx.orchestration import experimental as experimental
    from tfx.orchestration import kubeflow as kubeflow
    from tfx.orchestration import launcher as launcher
    from tfx.orchestration import local as local
    from tfx.orchestration import metadata as metadata
    from tfx.orchestration import mlmd_connection_manager as mlmd_connection_manager
    from tfx.orchestration import node_proto_view as node_proto_view
    from tfx.orchestration import pipeline as pipeline
    from tfx.orchestration import portable as portable
    from tfx.orchestration import subpipeline_utils as subpipeline_utils
    from tfx.orchestration import tfx_runner as tfx_runner
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "airflow",
            "beam",
            "config",
            "data_types",
            "data_types_utils",
            "experimental",
            "kubeflow",
            "launcher",
            "local",
            "metadata",
            "mlmd_connection_manager",
            "node_proto_view",
            "pipeline",
            "portable",
            "subpipeline_utils",
            "tfx_runner",
        ),
    )
