"""Trainwright trains models in pipelines.

    from trainwright import LocalDagRunner, Pipeline
    from trainwright.components import CsvExampleGen, Trainer, Pusher

Importing it loads neither TensorFlow nor anything else that takes long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright._lazy import lazy_names
from trainwright._version import __version__ as __version__

# From here on written by scripts/generate_names.py from scripts/names.toml.

if TYPE_CHECKING:
    from trainwright import components as components
    from trainwright import evaluation as evaluation
    from trainwright import statistics as statistics
    from trainwright._errors import TrainwrightError as TrainwrightError
    from trainwright.data.dataset_options import RecordBatchesOptions as RecordBatchesOptions
    from trainwright.data.dataset_options import (
        TensorFlowDatasetOptions as TensorFlowDatasetOptions,
    )
    from trainwright.dsl.annotations import InputArtifact as InputArtifact
    from trainwright.dsl.annotations import OutputArtifact as OutputArtifact
    from trainwright.dsl.annotations import OutputDict as OutputDict
    from trainwright.dsl.annotations import Parameter as Parameter
    from trainwright.dsl.conditional import Cond as Cond
    from trainwright.dsl.function_component import component as component
    from trainwright.dsl.importer import Importer as Importer
    from trainwright.dsl.pipeline import Pipeline as Pipeline
    from trainwright.dsl.resolver import Resolver as Resolver
    from trainwright.evaluation.config.short_config import eval_config as eval_config
    from trainwright.history.runs import runs as runs
    from trainwright.metadata.connection import open_store as open_store
    from trainwright.metadata.connection import (
        sqlite_metadata_connection_config as sqlite_metadata_connection_config,
    )
    from trainwright.notebook.notebook import Notebook as Notebook
    from trainwright.orchestration.local_dag_runner import LocalDagRunner as LocalDagRunner
    from trainwright.orchestration.ray_dag_runner import RayDagRunner as RayDagRunner
    from trainwright.orchestration.run_options import RunOptions as RunOptions
    from trainwright.orchestration.run_result import PipelineRunError as PipelineRunError
    from trainwright.types.artifact import Artifact as Artifact
    from trainwright.types.channel import Channel as Channel
    from trainwright.types.placeholders.placeholder import logical_and as logical_and
    from trainwright.types.placeholders.placeholder import logical_not as logical_not
    from trainwright.types.placeholders.placeholder import logical_or as logical_or
    from trainwright.types.runtime_parameter import RuntimeParameter as RuntimeParameter
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "trainwright._errors": ("TrainwrightError",),
            "trainwright.data.dataset_options": (
                "RecordBatchesOptions",
                "TensorFlowDatasetOptions",
            ),
            "trainwright.dsl.annotations": (
                "InputArtifact",
                "OutputArtifact",
                "OutputDict",
                "Parameter",
            ),
            "trainwright.dsl.conditional": ("Cond",),
            "trainwright.dsl.function_component": ("component",),
            "trainwright.dsl.importer": ("Importer",),
            "trainwright.dsl.pipeline": ("Pipeline",),
            "trainwright.dsl.resolver": ("Resolver",),
            "trainwright.evaluation.config.short_config": ("eval_config",),
            "trainwright.history.runs": ("runs",),
            "trainwright.metadata.connection": (
                "open_store",
                "sqlite_metadata_connection_config",
            ),
            "trainwright.notebook.notebook": ("Notebook",),
            "trainwright.orchestration.local_dag_runner": ("LocalDagRunner",),
            "trainwright.orchestration.ray_dag_runner": ("RayDagRunner",),
            "trainwright.orchestration.run_options": ("RunOptions",),
            "trainwright.orchestration.run_result": ("PipelineRunError",),
            "trainwright.types.artifact": ("Artifact",),
            "trainwright.types.channel": ("Channel",),
            "trainwright.types.placeholders.placeholder": (
                "logical_and",
                "logical_not",
                "logical_or",
            ),
            "trainwright.types.runtime_parameter": ("RuntimeParameter",),
        },
        public_modules=("components", "evaluation", "proto", "statistics", "training"),
    )
