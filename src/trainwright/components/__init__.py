"""The components that pipelines are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright._lazy import lazy_names

if TYPE_CHECKING:
    from trainwright.components.evaluator.component import Evaluator as Evaluator
    from trainwright.components.evaluator.model_validator import ModelValidator as ModelValidator
    from trainwright.components.example_gen.component import (
        FileBasedExampleGen as FileBasedExampleGen,
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
    from trainwright.components.pusher.component import Pusher as Pusher
    from trainwright.components.schema_gen.component import SchemaGen as SchemaGen
    from trainwright.components.schema_gen.import_schema_gen.component import (
        ImportSchemaGen as ImportSchemaGen,
    )
    from trainwright.components.statistics_gen.component import StatisticsGen as StatisticsGen
    from trainwright.components.trainer.component import Trainer as Trainer
    from trainwright.components.trainer.fn_args import DataAccessor as DataAccessor
    from trainwright.components.trainer.fn_args import FnArgs as FnArgs
    from trainwright.components.transform.component import Transform as Transform

_EXAMPLE_GEN = "trainwright.components.example_gen"
_SCHEMA_GEN = "trainwright.components.schema_gen"
_TRAINER = "trainwright.components.trainer"

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "CsvExampleGen": f"{_EXAMPLE_GEN}.csv_example_gen.component:CsvExampleGen",
        "DataAccessor": f"{_TRAINER}.fn_args:DataAccessor",
        "Evaluator": "trainwright.components.evaluator.component:Evaluator",
        "ExampleValidator": "trainwright.components.example_validator.component:ExampleValidator",
        "FileBasedExampleGen": f"{_EXAMPLE_GEN}.component:FileBasedExampleGen",
        "FnArgs": f"{_TRAINER}.fn_args:FnArgs",
        "ImportExampleGen": f"{_EXAMPLE_GEN}.import_example_gen.component:ImportExampleGen",
        "ImportSchemaGen": f"{_SCHEMA_GEN}.import_schema_gen.component:ImportSchemaGen",
        "ModelValidator": "trainwright.components.evaluator.model_validator:ModelValidator",
        "ParquetExampleGen": f"{_EXAMPLE_GEN}.parquet_example_gen.component:ParquetExampleGen",
        "Pusher": "trainwright.components.pusher.component:Pusher",
        "SchemaGen": f"{_SCHEMA_GEN}.component:SchemaGen",
        "StatisticsGen": "trainwright.components.statistics_gen.component:StatisticsGen",
        "Trainer": f"{_TRAINER}.component:Trainer",
        "Transform": "trainwright.components.transform.component:Transform",
    },
)
