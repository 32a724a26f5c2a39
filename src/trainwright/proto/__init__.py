"""The messages that configure components, by name: `proto.TrainArgs(num_steps=100)`.

Packages, names and field numbers are TFX's, so the bytes and the JSON are too. A name's
generated module is imported when the name is first used: importing this package costs
nothing. `RunState` is in `trainwright.proto.orchestration`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

_NAMES = {
    "bulk_inferrer_pb2": (
        "ClassifyOutput",
        "DataSpec",
        "ModelSpec",
        "OutputColumnsSpec",
        "OutputExampleSpec",
        "PredictOutput",
        "PredictOutputCol",
        "RegressOutput",
    ),
    "distribution_validator_pb2": ("DistributionValidatorConfig", "FeatureComparator"),
    "evaluator_pb2": ("FeatureSlicingSpec", "SingleSlicingSpec"),
    "example_diff_pb2": ("ExampleDiffConfig", "PairedExampleSkew"),
    "example_gen_pb2": ("CustomConfig", "Input", "Output", "PayloadFormat", "SplitConfig"),
    "infra_validator_pb2": (
        "EnvVar",
        "EnvVarSource",
        "KubernetesConfig",
        "LocalDockerConfig",
        "PodOverrides",
        "RequestSpec",
        "SecretKeySelector",
        "ServingSpec",
        "TensorFlowServing",
        "TensorFlowServingRequestSpec",
        "ValidationSpec",
    ),
    "pusher_pb2": ("PushDestination", "Versioning"),
    "range_config_pb2": ("RangeConfig", "RollingRange", "StaticRange"),
    "trainer_pb2": ("EvalArgs", "TrainArgs"),
    "transform_pb2": ("SplitsConfig",),
    "tuner_pb2": ("TuneArgs",),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_MODULE_OF)

if TYPE_CHECKING:
    from trainwright.proto.bulk_inferrer_pb2 import ClassifyOutput as ClassifyOutput
    from trainwright.proto.bulk_inferrer_pb2 import DataSpec as DataSpec
    from trainwright.proto.bulk_inferrer_pb2 import ModelSpec as ModelSpec
    from trainwright.proto.bulk_inferrer_pb2 import OutputColumnsSpec as OutputColumnsSpec
    from trainwright.proto.bulk_inferrer_pb2 import OutputExampleSpec as OutputExampleSpec
    from trainwright.proto.bulk_inferrer_pb2 import PredictOutput as PredictOutput
    from trainwright.proto.bulk_inferrer_pb2 import PredictOutputCol as PredictOutputCol
    from trainwright.proto.bulk_inferrer_pb2 import RegressOutput as RegressOutput
    from trainwright.proto.distribution_validator_pb2 import (
        DistributionValidatorConfig as DistributionValidatorConfig,
    )
    from trainwright.proto.distribution_validator_pb2 import FeatureComparator as FeatureComparator
    from trainwright.proto.evaluator_pb2 import FeatureSlicingSpec as FeatureSlicingSpec
    from trainwright.proto.evaluator_pb2 import SingleSlicingSpec as SingleSlicingSpec
    from trainwright.proto.example_diff_pb2 import ExampleDiffConfig as ExampleDiffConfig
    from trainwright.proto.example_diff_pb2 import PairedExampleSkew as PairedExampleSkew
    from trainwright.proto.example_gen_pb2 import CustomConfig as CustomConfig
    from trainwright.proto.example_gen_pb2 import Input as Input
    from trainwright.proto.example_gen_pb2 import Output as Output
    from trainwright.proto.example_gen_pb2 import PayloadFormat as PayloadFormat
    from trainwright.proto.example_gen_pb2 import SplitConfig as SplitConfig
    from trainwright.proto.infra_validator_pb2 import EnvVar as EnvVar
    from trainwright.proto.infra_validator_pb2 import EnvVarSource as EnvVarSource
    from trainwright.proto.infra_validator_pb2 import KubernetesConfig as KubernetesConfig
    from trainwright.proto.infra_validator_pb2 import LocalDockerConfig as LocalDockerConfig
    from trainwright.proto.infra_validator_pb2 import PodOverrides as PodOverrides
    from trainwright.proto.infra_validator_pb2 import RequestSpec as RequestSpec
    from trainwright.proto.infra_validator_pb2 import SecretKeySelector as SecretKeySelector
    from trainwright.proto.infra_validator_pb2 import ServingSpec as ServingSpec
    from trainwright.proto.infra_validator_pb2 import TensorFlowServing as TensorFlowServing
    from trainwright.proto.infra_validator_pb2 import (
        TensorFlowServingRequestSpec as TensorFlowServingRequestSpec,
    )
    from trainwright.proto.infra_validator_pb2 import ValidationSpec as ValidationSpec
    from trainwright.proto.pusher_pb2 import PushDestination as PushDestination
    from trainwright.proto.pusher_pb2 import Versioning as Versioning
    from trainwright.proto.range_config_pb2 import RangeConfig as RangeConfig
    from trainwright.proto.range_config_pb2 import RollingRange as RollingRange
    from trainwright.proto.range_config_pb2 import StaticRange as StaticRange
    from trainwright.proto.trainer_pb2 import EvalArgs as EvalArgs
    from trainwright.proto.trainer_pb2 import TrainArgs as TrainArgs
    from trainwright.proto.transform_pb2 import SplitsConfig as SplitsConfig
    from trainwright.proto.tuner_pb2 import TuneArgs as TuneArgs
else:  # hidden from type checkers, so that they still report a misspelt name

    def __getattr__(name: str) -> object:
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
