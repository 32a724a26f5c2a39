"""Evaluation: metrics of models over slices of examples, thresholds and what came of them.

The config classes have the names and fields of TFMA's:

    from trainwright.evaluation import EvalConfig, MetricConfig, MetricsSpec, ModelSpec
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright._lazy import lazy_names

# From here on written by scripts/generate_names.py from scripts/names.toml.

if TYPE_CHECKING:
    from trainwright.evaluation.config.eval_config import AggregationOptions as AggregationOptions
    from trainwright.evaluation.config.eval_config import BinarizationOptions as BinarizationOptions
    from trainwright.evaluation.config.eval_config import (
        ConfidenceIntervalOptions as ConfidenceIntervalOptions,
    )
    from trainwright.evaluation.config.eval_config import (
        CrossSliceMetricThreshold as CrossSliceMetricThreshold,
    )
    from trainwright.evaluation.config.eval_config import (
        CrossSliceMetricThresholds as CrossSliceMetricThresholds,
    )
    from trainwright.evaluation.config.eval_config import CrossSlicingSpec as CrossSlicingSpec
    from trainwright.evaluation.config.eval_config import EvalConfig as EvalConfig
    from trainwright.evaluation.config.eval_config import (
        ExampleWeightOptions as ExampleWeightOptions,
    )
    from trainwright.evaluation.config.eval_config import (
        GenericChangeThreshold as GenericChangeThreshold,
    )
    from trainwright.evaluation.config.eval_config import (
        GenericValueThreshold as GenericValueThreshold,
    )
    from trainwright.evaluation.config.eval_config import MetricConfig as MetricConfig
    from trainwright.evaluation.config.eval_config import MetricDirection as MetricDirection
    from trainwright.evaluation.config.eval_config import MetricsSpec as MetricsSpec
    from trainwright.evaluation.config.eval_config import MetricThreshold as MetricThreshold
    from trainwright.evaluation.config.eval_config import ModelSpec as ModelSpec
    from trainwright.evaluation.config.eval_config import Options as Options
    from trainwright.evaluation.config.eval_config import (
        PerSliceMetricThreshold as PerSliceMetricThreshold,
    )
    from trainwright.evaluation.config.eval_config import (
        PerSliceMetricThresholds as PerSliceMetricThresholds,
    )
    from trainwright.evaluation.config.eval_config import SlicingSpec as SlicingSpec
    from trainwright.evaluation.evaluate import evaluate as evaluate
    from trainwright.evaluation.models.evaluated_model import ModelSource as ModelSource
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "trainwright.evaluation.config.eval_config": (
                "AggregationOptions",
                "BinarizationOptions",
                "ConfidenceIntervalOptions",
                "CrossSliceMetricThreshold",
                "CrossSliceMetricThresholds",
                "CrossSlicingSpec",
                "EvalConfig",
                "ExampleWeightOptions",
                "GenericChangeThreshold",
                "GenericValueThreshold",
                "MetricConfig",
                "MetricDirection",
                "MetricThreshold",
                "MetricsSpec",
                "ModelSpec",
                "Options",
                "PerSliceMetricThreshold",
                "PerSliceMetricThresholds",
                "SlicingSpec",
            ),
            "trainwright.evaluation.evaluate": ("evaluate",),
            "trainwright.evaluation.models.evaluated_model": ("ModelSource",),
        },
    )
