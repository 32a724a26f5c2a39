"""Trainwright trains models in pipelines.

    from trainwright import LocalDagRunner, Pipeline
    from trainwright.components import CsvExampleGen, Trainer, Pusher

Importing it loads neither TensorFlow nor anything else that takes long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright import _tfma_names
from trainwright._lazy import lazy_names
from trainwright._version import __version__ as __version__

_tfma_names.install()

if TYPE_CHECKING:
    from trainwright import components as components
    from trainwright import evaluation as evaluation
    from trainwright import proto as proto
    from trainwright import statistics as statistics
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
    from trainwright.metadata.connection import open_store as open_store
    from trainwright.metadata.connection import (
        sqlite_metadata_connection_config as sqlite_metadata_connection_config,
    )
    from trainwright.orchestration.local_dag_runner import LocalDagRunner as LocalDagRunner
    from trainwright.orchestration.run_options import RunOptions as RunOptions
    from trainwright.orchestration.run_result import PipelineRunError as PipelineRunError
    from trainwright.types.artifact import Artifact as Artifact
    from trainwright.types.channel import Channel as Channel
    from trainwright.types.placeholder import logical_and as logical_and
    from trainwright.types.placeholder import logical_not as logical_not
    from trainwright.types.placeholder import logical_or as logical_or
    from trainwright.types.runtime_parameter import RuntimeParameter as RuntimeParameter

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "Artifact": "trainwright.types.artifact:Artifact",
        "Channel": "trainwright.types.channel:Channel",
        "Cond": "trainwright.dsl.conditional:Cond",
        "Importer": "trainwright.dsl.importer:Importer",
        "InputArtifact": "trainwright.dsl.annotations:InputArtifact",
        "LocalDagRunner": "trainwright.orchestration.local_dag_runner:LocalDagRunner",
        "OutputArtifact": "trainwright.dsl.annotations:OutputArtifact",
        "OutputDict": "trainwright.dsl.annotations:OutputDict",
        "Parameter": "trainwright.dsl.annotations:Parameter",
        "Pipeline": "trainwright.dsl.pipeline:Pipeline",
        "PipelineRunError": "trainwright.orchestration.run_result:PipelineRunError",
        "RecordBatchesOptions": "trainwright.data.dataset_options:RecordBatchesOptions",
        "Resolver": "trainwright.dsl.resolver:Resolver",
        "RunOptions": "trainwright.orchestration.run_options:RunOptions",
        "RuntimeParameter": "trainwright.types.runtime_parameter:RuntimeParameter",
        "TensorFlowDatasetOptions": "trainwright.data.dataset_options:TensorFlowDatasetOptions",
        "component": "trainwright.dsl.function_component:component",
        "components": "trainwright.components",
        "evaluation": "trainwright.evaluation",
        "logical_and": "trainwright.types.placeholder:logical_and",
        "logical_not": "trainwright.types.placeholder:logical_not",
        "logical_or": "trainwright.types.placeholder:logical_or",
        "open_store": "trainwright.metadata.connection:open_store",
        "proto": "trainwright.proto",
        "sqlite_metadata_connection_config": (
            "trainwright.metadata.connection:sqlite_metadata_connection_config"
        ),
        "statistics": "trainwright.statistics",
    },
)
