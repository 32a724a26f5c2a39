"""`trainwright.types.standard_artifacts` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.artifact import Artifact as Artifact
    from trainwright.types.artifact import Property as Property
    from trainwright.types.artifact import PropertyType as PropertyType
    from trainwright.types.standard_artifacts import SPAN_PROPERTY as SPAN_PROPERTY
    from trainwright.types.standard_artifacts import SPLIT_NAMES_PROPERTY as SPLIT_NAMES_PROPERTY
    from trainwright.types.standard_artifacts import STRING_VALUE_PROPERTY as STRING_VALUE_PROPERTY
    from trainwright.types.standard_artifacts import VERSION_PROPERTY as VERSION_PROPERTY
    from trainwright.types.standard_artifacts import Boolean as Boolean
    from trainwright.types.standard_artifacts import Bytes as Bytes
    from trainwright.types.standard_artifacts import Config as Config
    from trainwright.types.standard_artifacts import DataView as DataView
    from trainwright.types.standard_artifacts import ExampleAnomalies as ExampleAnomalies
    from trainwright.types.standard_artifacts import Examples as Examples
    from trainwright.types.standard_artifacts import ExamplesDiff as ExamplesDiff
    from trainwright.types.standard_artifacts import ExampleStatistics as ExampleStatistics
    from trainwright.types.standard_artifacts import (
        ExampleValidationMetrics as ExampleValidationMetrics,
    )
    from trainwright.types.standard_artifacts import ExternalArtifact as ExternalArtifact
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
    from trainwright.types.system_types import Dataset as Dataset
    from trainwright.types.system_types import Model as _SystemModel_
    from trainwright.types.system_types import Statistics as Statistics
    from trainwright.types.value_artifact import ValueArtifact as ValueArtifact

    SystemModel = _SystemModel_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.artifact": (
                "Artifact",
                "Property",
                "PropertyType",
            ),
            "trainwright.types.standard_artifacts": (
                "Boolean",
                "Bytes",
                "Config",
                "DataView",
                "ExampleAnomalies",
                "ExampleStatistics",
                "ExampleValidationMetrics",
                "Examples",
                "ExamplesDiff",
                "ExternalArtifact",
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
                "SPAN_PROPERTY",
                "SPLIT_NAMES_PROPERTY",
                "STRING_VALUE_PROPERTY",
                "Schema",
                "String",
                "TransformCache",
                "TransformGraph",
                "TunerResults",
                "VERSION_PROPERTY",
            ),
            "trainwright.types.system_types": (
                "Dataset",
                "Model as SystemModel",
                "Statistics",
            ),
            "trainwright.types.value_artifact": ("ValueArtifact",),
        },
    )
