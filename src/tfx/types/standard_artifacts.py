"""`trainwright.types.standard_artifacts` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.standard_artifacts import Boolean as Boolean
    from trainwright.types.standard_artifacts import Bytes as Bytes
    from trainwright.types.standard_artifacts import ExampleAnomalies as ExampleAnomalies
    from trainwright.types.standard_artifacts import Examples as Examples
    from trainwright.types.standard_artifacts import ExampleStatistics as ExampleStatistics
    from trainwright.types.standard_artifacts import Float as Float
    from trainwright.types.standard_artifacts import HyperParameters as HyperParameters
    from trainwright.types.standard_artifacts import InferenceResult as InferenceResult
    from trainwright.types.standard_artifacts import InfraBlessing as InfraBlessing
    from trainwright.types.standard_artifacts import Integer as Integer
    from trainwright.types.standard_artifacts import JsonValue as JsonValue
    from trainwright.types.standard_artifacts import Model as Model
    from trainwright.types.standard_artifacts import ModelBlessing as ModelBlessing
    from trainwright.types.standard_artifacts import ModelEvaluation as ModelEvaluation
    from trainwright.types.standard_artifacts import ModelRun as ModelRun
    from trainwright.types.standard_artifacts import PushedModel as PushedModel
    from trainwright.types.standard_artifacts import Schema as Schema
    from trainwright.types.standard_artifacts import String as String
    from trainwright.types.standard_artifacts import TransformCache as TransformCache
    from trainwright.types.standard_artifacts import TransformGraph as TransformGraph
    from trainwright.types.standard_artifacts import TunerResults as TunerResults
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.standard_artifacts": (
                "Boolean",
                "Bytes",
                "ExampleAnomalies",
                "ExampleStatistics",
                "Examples",
                "Float",
                "HyperParameters",
                "InferenceResult",
                "InfraBlessing",
                "Integer",
                "JsonValue",
                "Model",
                "ModelBlessing",
                "ModelEvaluation",
                "ModelRun",
                "PushedModel",
                "Schema",
                "String",
                "TransformCache",
                "TransformGraph",
                "TunerResults",
            ),
        },
    )
