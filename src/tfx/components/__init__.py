"""The components, under TFX's older path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components import CsvExampleGen as CsvExampleGen
    from trainwright.components import DataAccessor as DataAccessor
    from trainwright.components import Evaluator as Evaluator
    from trainwright.components import ExampleValidator as ExampleValidator
    from trainwright.components import FileBasedExampleGen as FileBasedExampleGen
    from trainwright.components import FnArgs as FnArgs
    from trainwright.components import ImportExampleGen as ImportExampleGen
    from trainwright.components import ImportSchemaGen as ImportSchemaGen
    from trainwright.components import ModelValidator as ModelValidator
    from trainwright.components import Pusher as Pusher
    from trainwright.components import SchemaGen as SchemaGen
    from trainwright.components import StatisticsGen as StatisticsGen
    from trainwright.components import Trainer as Trainer
    from trainwright.components import Transform as Transform
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "CsvExampleGen": "trainwright.components:CsvExampleGen",
            "DataAccessor": "trainwright.components:DataAccessor",
            "Evaluator": "trainwright.components:Evaluator",
            "ExampleValidator": "trainwright.components:ExampleValidator",
            "FileBasedExampleGen": "trainwright.components:FileBasedExampleGen",
            "FnArgs": "trainwright.components:FnArgs",
            "ImportExampleGen": "trainwright.components:ImportExampleGen",
            "ImportSchemaGen": "trainwright.components:ImportSchemaGen",
            "ModelValidator": "trainwright.components:ModelValidator",
            "Pusher": "trainwright.components:Pusher",
            "SchemaGen": "trainwright.components:SchemaGen",
            "StatisticsGen": "trainwright.components:StatisticsGen",
            "Trainer": "trainwright.components:Trainer",
            "Transform": "trainwright.components:Transform",
        },
        missing=(
            "BulkInferrer",
            "DistributionValidator",
            "ExampleDiff",
            "InfraValidator",
            "QueryBasedExampleGen",
            "Tuner",
            "TunerFnResult",
        ),
    )
