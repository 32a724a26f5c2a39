"""The messages that configure components: `tfx.proto.TrainArgs(num_steps=100)`.

Each name is imported when it is first used.
"""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.v1.proto import orchestration as orchestration
    from trainwright.proto import ClassifyOutput as ClassifyOutput
    from trainwright.proto import CustomConfig as CustomConfig
    from trainwright.proto import DataSpec as DataSpec
    from trainwright.proto import DistributionValidatorConfig as DistributionValidatorConfig
    from trainwright.proto import EnvVar as EnvVar
    from trainwright.proto import EnvVarSource as EnvVarSource
    from trainwright.proto import EvalArgs as EvalArgs
    from trainwright.proto import ExampleDiffConfig as ExampleDiffConfig
    from trainwright.proto import FeatureComparator as FeatureComparator
    from trainwright.proto import FeatureSlicingSpec as FeatureSlicingSpec
    from trainwright.proto import Input as Input
    from trainwright.proto import KubernetesConfig as KubernetesConfig
    from trainwright.proto import LocalDockerConfig as LocalDockerConfig
    from trainwright.proto import ModelSpec as ModelSpec
    from trainwright.proto import Output as Output
    from trainwright.proto import OutputColumnsSpec as OutputColumnsSpec
    from trainwright.proto import OutputExampleSpec as OutputExampleSpec
    from trainwright.proto import PairedExampleSkew as PairedExampleSkew
    from trainwright.proto import PayloadFormat as PayloadFormat
    from trainwright.proto import PodOverrides as PodOverrides
    from trainwright.proto import PredictOutput as PredictOutput
    from trainwright.proto import PredictOutputCol as PredictOutputCol
    from trainwright.proto import PushDestination as PushDestination
    from trainwright.proto import PushDestination as _Filesystem_
    from trainwright.proto import RangeConfig as RangeConfig
    from trainwright.proto import RegressOutput as RegressOutput
    from trainwright.proto import RequestSpec as RequestSpec
    from trainwright.proto import RollingRange as RollingRange
    from trainwright.proto import SecretKeySelector as SecretKeySelector
    from trainwright.proto import ServingSpec as ServingSpec
    from trainwright.proto import SingleSlicingSpec as SingleSlicingSpec
    from trainwright.proto import SplitConfig as SplitConfig
    from trainwright.proto import SplitsConfig as SplitsConfig
    from trainwright.proto import StaticRange as StaticRange
    from trainwright.proto import TensorFlowServing as TensorFlowServing
    from trainwright.proto import TensorFlowServingRequestSpec as TensorFlowServingRequestSpec
    from trainwright.proto import TrainArgs as TrainArgs
    from trainwright.proto import TuneArgs as TuneArgs
    from trainwright.proto import ValidationSpec as ValidationSpec
    from trainwright.proto import Versioning as Versioning

    Filesystem = _Filesystem_.Filesystem
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.proto": (
                "ClassifyOutput",
                "CustomConfig",
                "DataSpec",
                "DistributionValidatorConfig",
                "EnvVar",
                "EnvVarSource",
                "EvalArgs",
                "ExampleDiffConfig",
                "FeatureComparator",
                "FeatureSlicingSpec",
                "Input",
                "KubernetesConfig",
                "LocalDockerConfig",
                "ModelSpec",
                "Output",
                "OutputColumnsSpec",
                "OutputExampleSpec",
                "PairedExampleSkew",
                "PayloadFormat",
                "PodOverrides",
                "PredictOutput",
                "PredictOutputCol",
                "PushDestination",
                "PushDestination.Filesystem as Filesystem",
                "RangeConfig",
                "RegressOutput",
                "RequestSpec",
                "RollingRange",
                "SecretKeySelector",
                "ServingSpec",
                "SingleSlicingSpec",
                "SplitConfig",
                "SplitsConfig",
                "StaticRange",
                "TensorFlowServing",
                "TensorFlowServingRequestSpec",
                "TrainArgs",
                "TuneArgs",
                "ValidationSpec",
                "Versioning",
            ),
        },
        public_modules=("orchestration",),
    )
