"""The messages that configure components: `tfx.proto.TrainArgs(num_steps=100)`.

Each name is imported when it is first used.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tfx._names import refusal
from tfx.v1.proto import orchestration as orchestration
from trainwright import proto as _proto

__all__ = [
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
    "Filesystem",
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
    "orchestration",
]

if TYPE_CHECKING:
    from trainwright.proto import (
        ClassifyOutput,
        CustomConfig,
        DataSpec,
        DistributionValidatorConfig,
        EnvVar,
        EnvVarSource,
        EvalArgs,
        ExampleDiffConfig,
        FeatureComparator,
        FeatureSlicingSpec,
        Input,
        KubernetesConfig,
        LocalDockerConfig,
        ModelSpec,
        Output,
        OutputColumnsSpec,
        OutputExampleSpec,
        PairedExampleSkew,
        PayloadFormat,
        PodOverrides,
        PredictOutput,
        PredictOutputCol,
        PushDestination,
        RangeConfig,
        RegressOutput,
        RequestSpec,
        RollingRange,
        SecretKeySelector,
        ServingSpec,
        SingleSlicingSpec,
        SplitConfig,
        SplitsConfig,
        StaticRange,
        TensorFlowServing,
        TensorFlowServingRequestSpec,
        TrainArgs,
        TuneArgs,
        ValidationSpec,
        Versioning,
    )

    Filesystem = _proto.PushDestination.Filesystem
else:  # hidden from type checkers, so that they still report a misspelt name

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise refusal(__name__, name, sys._getframe(1), known=__all__)
        # TFX has this one nested message at the top as well.
        owner = _proto.PushDestination if name == "Filesystem" else _proto
        value = getattr(owner, name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
