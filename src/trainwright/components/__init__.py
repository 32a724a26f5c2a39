"""The components that pipelines are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright._lazy import lazy_names

# From here on written by scripts/generate_names.py from scripts/names.toml.

if TYPE_CHECKING:
    from trainwright.components.bulk_inferrer.component import BulkInferrer as BulkInferrer
    from trainwright.components.distribution_validator.component import (
        DistributionValidator as DistributionValidator,
    )
    from trainwright.components.evaluator.component import Evaluator as Evaluator
    from trainwright.components.evaluator.model_validator import ModelValidator as ModelValidator
    from trainwright.components.example_diff.component import ExampleDiff as ExampleDiff
    from trainwright.components.example_gen.component import (
        FileBasedExampleGen as FileBasedExampleGen,
    )
    from trainwright.components.example_gen.component import (
        QueryBasedExampleGen as QueryBasedExampleGen,
    )
    from trainwright.components.example_gen.csv_example_gen.component import (
        CsvExampleGen as CsvExampleGen,
    )
    from trainwright.components.example_gen.import_example_gen.component import (
        ImportExampleGen as ImportExampleGen,
    )
    from trainwright.components.example_gen.parquet_example_gen.component import (
        ParquetExampleGen as ParquetExampleGen,
    )
    from trainwright.components.example_validator.component import (
        ExampleValidator as ExampleValidator,
    )
    from trainwright.components.infra_validator.component import InfraValidator as InfraValidator
    from trainwright.components.pusher.component import Pusher as Pusher
    from trainwright.components.rewriter.component import Rewriter as Rewriter
    from trainwright.components.rewriter.targets import RewriteTarget as RewriteTarget
    from trainwright.components.schema_gen.component import SchemaGen as SchemaGen
    from trainwright.components.schema_gen.import_schema_gen.component import (
        ImportSchemaGen as ImportSchemaGen,
    )
    from trainwright.components.statistics_gen.component import StatisticsGen as StatisticsGen
    from trainwright.components.trainer.component import Trainer as Trainer
    from trainwright.components.transform.component import Transform as Transform
    from trainwright.components.tuner.component import Tuner as Tuner
    from trainwright.components.tuner.component import TunerFnResult as TunerFnResult
    from trainwright.components.user_training.fn_args import DataAccessor as DataAccessor
    from trainwright.components.user_training.fn_args import FnArgs as FnArgs
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "trainwright.components.bulk_inferrer.component": ("BulkInferrer",),
            "trainwright.components.distribution_validator.component": ("DistributionValidator",),
            "trainwright.components.evaluator.component": ("Evaluator",),
            "trainwright.components.evaluator.model_validator": ("ModelValidator",),
            "trainwright.components.example_diff.component": ("ExampleDiff",),
            "trainwright.components.example_gen.component": (
                "FileBasedExampleGen",
                "QueryBasedExampleGen",
            ),
            "trainwright.components.example_gen.csv_example_gen.component": ("CsvExampleGen",),
            "trainwright.components.example_gen.import_example_gen.component": (
                "ImportExampleGen",
            ),
            "trainwright.components.example_gen.parquet_example_gen.component": (
                "ParquetExampleGen",
            ),
            "trainwright.components.example_validator.component": ("ExampleValidator",),
            "trainwright.components.infra_validator.component": ("InfraValidator",),
            "trainwright.components.pusher.component": ("Pusher",),
            "trainwright.components.schema_gen.component": ("SchemaGen",),
            "trainwright.components.schema_gen.import_schema_gen.component": ("ImportSchemaGen",),
            "trainwright.components.statistics_gen.component": ("StatisticsGen",),
            "trainwright.components.rewriter.component": ("Rewriter",),
            "trainwright.components.rewriter.targets": ("RewriteTarget",),
            "trainwright.components.trainer.component": ("Trainer",),
            "trainwright.components.user_training.fn_args": (
                "DataAccessor",
                "FnArgs",
            ),
            "trainwright.components.transform.component": ("Transform",),
            "trainwright.components.tuner.component": (
                "Tuner",
                "TunerFnResult",
            ),
        },
    )
