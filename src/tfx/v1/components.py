"""The components that pipelines are made of."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components import BulkInferrer as BulkInferrer
    from trainwright.components import CsvExampleGen as CsvExampleGen
    from trainwright.components import DataAccessor as DataAccessor
    from trainwright.components import Evaluator as Evaluator
    from trainwright.components import ExampleDiff as ExampleDiff
    from trainwright.components import ExampleValidator as ExampleValidator
    from trainwright.components import FnArgs as FnArgs
    from trainwright.components import ImportExampleGen as ImportExampleGen
    from trainwright.components import ImportSchemaGen as ImportSchemaGen
    from trainwright.components import InfraValidator as InfraValidator
    from trainwright.components import Pusher as Pusher
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
            "trainwright.components": (
                "BulkInferrer",
                "CsvExampleGen",
                "DataAccessor",
                "Evaluator",
                "ExampleDiff",
                "ExampleValidator",
                "FnArgs",
                "ImportExampleGen",
                "ImportSchemaGen",
                "InfraValidator",
                "Pusher",
                "SchemaGen",
                "StatisticsGen",
                "Trainer",
                "Transform",
                "Tuner",
                "TunerFnResult",
            ),
        },
    )
