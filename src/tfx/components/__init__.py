"""The components, under TFX's older path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components import base as base
    from tfx.components import bulk_inferrer as bulk_inferrer
    from tfx.components import common_nodes as common_nodes
    from tfx.components import distribution_validator as distribution_validator
    from tfx.components import evaluator as evaluator
    from tfx.components import example_diff as example_diff
    from tfx.components import example_gen as example_gen
    from tfx.components import example_validator as example_validator
    from tfx.components import experimental as experimental
    from tfx.components import infra_validator as infra_validator
    from tfx.components import model_validator as model_validator
    from tfx.components import pusher as pusher
    from tfx.components import schema_gen as schema_gen
    from tfx.components import statistics_gen as statistics_gen
    from tfx.components import trainer as trainer
    from tfx.components import transform as transform
    from tfx.components import tuner as tuner
    from tfx.components import util as util
    from trainwright.compat.components.old_nodes import ImporterNode as ImporterNode
    from trainwright.compat.components.old_nodes import ResolverNode as ResolverNode
    from trainwright.components import BulkInferrer as BulkInferrer
    from trainwright.components import CsvExampleGen as CsvExampleGen
    from trainwright.components import DataAccessor as DataAccessor
    from trainwright.components import DistributionValidator as DistributionValidator
    from trainwright.components import Evaluator as Evaluator
    from trainwright.components import ExampleDiff as ExampleDiff
    from trainwright.components import ExampleValidator as ExampleValidator
    from trainwright.components import FileBasedExampleGen as FileBasedExampleGen
    from trainwright.components import FnArgs as FnArgs
    from trainwright.components import ImportExampleGen as ImportExampleGen
    from trainwright.components import ImportSchemaGen as ImportSchemaGen
    from trainwright.components import InfraValidator as InfraValidator
    from trainwright.components import ModelValidator as ModelValidator
    from trainwright.components import Pusher as Pusher
    from trainwright.components import QueryBasedExampleGen as QueryBasedExampleGen
    from trainwright.components import SchemaGen as SchemaGen
    from trainwright.components import StatisticsGen as StatisticsGen
    from trainwright.components import Trainer as Trainer
    from trainwright.components import Transform as Transform
    from trainwright.components import Tuner as Tuner
    from trainwright.components import TunerFnResult as TunerFnResult
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.old_nodes": (
                "ImporterNode",
                "ResolverNode",
            ),
            "trainwright.components": (
                "BulkInferrer",
                "CsvExampleGen",
                "DataAccessor",
                "DistributionValidator",
                "Evaluator",
                "ExampleDiff",
                "ExampleValidator",
                "FileBasedExampleGen",
                "FnArgs",
                "ImportExampleGen",
                "ImportSchemaGen",
                "InfraValidator",
                "ModelValidator",
                "Pusher",
                "QueryBasedExampleGen",
                "SchemaGen",
                "StatisticsGen",
                "Trainer",
                "Transform",
                "Tuner",
                "TunerFnResult",
            ),
        },
        other_modules=(
            "base",
            "bulk_inferrer",
            "common_nodes",
            "distribution_validator",
            "evaluator",
            "example_diff",
            "example_gen",
            "example_validator",
            "experimental",
            "infra_validator",
            "model_validator",
            "pusher",
            "schema_gen",
            "statistics_gen",
            "trainer",
            "transform",
            "tuner",
            "util",
        ),
    )
