"""Config check: mistakes in an eval config, found before any node runs and without Keras."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from trainwright.evaluation.config.config_completion import (
    complete_eval_config,
    includes_default_metrics,
)
from trainwright.evaluation.metric_keys import MetricKey
from trainwright.evaluation.metrics.arguments import parse_config, snake_case
from trainwright.evaluation.metrics.errors import unknown_metric
from trainwright.evaluation.metrics.keras.compiled import compiled_keys, missing_labels
from trainwright.evaluation.metrics.keras.keras_names import KERAS_METRICS
from trainwright.evaluation.metrics.registry import is_native, make_metrics, metric_names
from trainwright.evaluation.metrics.specs import scopes_of_spec
from trainwright.evaluation.models.compiled_model import CompiledModel
from trainwright.evaluation.slices.slicing_specs import slice_specs
from trainwright.evaluation.thresholds.rules import check_thresholds
from trainwright.proto.tfma import config_pb2
from trainwright.types import model_paths

_logger = logging.getLogger(__name__)

# Models of these types are converted from others, and seldom tell what those were compiled with.
_CONVERTED_TYPES = (model_paths.TF_LITE, model_paths.TF_JS, model_paths.ONNX)

_LEFT_OUT = (
    "Options(include_default_metrics=False) leaves out those that the model was compiled with"
)
_HOW_TO_SAVE = (
    "The metrics that a Keras model was compiled with are in its files if a Trainer's run_fn saves "
    "it with tf.saved_model.save(model, dir), model.export(dir) or model.save(dir, "
    'save_format="tf"), and if Keras 2 saves it anywhere with model.save(dir, save_format="tf").'
)


def check_eval_config(
    config: config_pb2.EvalConfig, *, has_baseline: bool, has_model: bool
) -> None:
    """Refuses a config that no data could be evaluated with.

    Metrics of Keras and of users' modules are known by name here; what is wrong with their
    arguments is said when the node runs. So is a threshold on a metric that the model might have
    brought.

    Args:
        config: As the user gave it.
        has_baseline: Whether a baseline may come.
        has_model: Whether there is a model.

    Raises:
        UnknownMetricError: if there is no metric of a name, with the nearest names.
        ValueError: if something else is wrong.
    """
    may_bring_metrics = has_model and includes_default_metrics(config)
    # With and without a baseline: the first run has none.
    for with_baseline in {False, has_baseline}:
        complete = complete_eval_config(config, has_baseline=with_baseline, has_model=has_model)
        slice_specs(complete)
        try:
            check_thresholds(complete, _metric_keys(complete), may_be_more=may_bring_metrics)
        except ValueError as error:
            if not has_model or may_bring_metrics:
                raise
            raise ValueError(f"{error} {_LEFT_OUT}.") from error


def check_with_models(
    config: config_pb2.EvalConfig,
    models: Mapping[str, CompiledModel],
    in_graphs: Sequence[MetricKey] = (),
) -> None:
    """Refuses what only the models show to be wrong, before any example is read.

    Where there is nothing to compute, a metric that counts examples is added, and said.

    Args:
        config: Completed.
        models: What models were compiled with, by the name of their spec.
        in_graphs: The metrics inside of EvalSavedModels.

    Raises:
        ValueError: A threshold is on a metric that neither the config has nor a model brings.
    """
    brought = [*compiled_keys(config, models), *in_graphs]
    missing = missing_labels(config, models)
    has_nothing = not brought and not any(spec.metrics for spec in config.metrics_specs)
    advice = _why_none_of_the_models(config, models, missing) if has_nothing else list(missing)
    try:
        check_thresholds(config, [*_metric_keys(config), *brought])
    except ValueError as error:
        # A label, or what the model was compiled with, may be all that is missing.
        if not has_nothing and _is_silent(config, models):
            advice.append(_HOW_TO_SAVE)
        raise ValueError(" ".join([str(error), *advice])) from error
    if has_nothing:
        _logger.warning(
            "The eval config lists no metrics: examples are counted, and nothing else is computed. "
            "%s",
            " ".join(advice),
        )
        config.metrics_specs.add(
            metrics=[config_pb2.MetricConfig(class_name="ExampleCount")],
            model_names=[spec.name for spec in config.model_specs],
        )


def _why_none_of_the_models(
    config: config_pb2.EvalConfig, models: Mapping[str, CompiledModel], missing: list[str]
) -> list[str]:
    """Why no model brings metrics, and what to do, in sentences."""
    if missing:
        return ["Those of the model have no label.", *missing]
    if _is_silent(config, models):
        why = "The model's files do not tell which ones it was compiled with."
        return [why, _HOW_TO_SAVE]
    if models and not includes_default_metrics(config):
        return [f"{_LEFT_OUT}."]
    return ["No model brings any: list them in metrics_specs."]


def _is_silent(config: config_pb2.EvalConfig, models: Mapping[str, CompiledModel]) -> bool:
    """Whether a SavedModel's files do not tell what it was compiled with."""
    return includes_default_metrics(config) and any(
        spec.name not in models and not spec.is_baseline and spec.model_type not in _CONVERTED_TYPES
        for spec in config.model_specs
    )


def _metric_keys(config: config_pb2.EvalConfig) -> list[MetricKey]:
    """The metrics that will be computed; those of Keras and of users by name alone."""
    native = config_pb2.EvalConfig()
    native.CopyFrom(config)
    keys = []
    for spec in native.metrics_specs:
        others = [metric for metric in spec.metrics if not is_native(metric)]
        names = [_name_of(metric) for metric in others]
        for metric in others:
            spec.metrics.remove(metric)
        scopes = scopes_of_spec(config, spec, None)
        keys += [scope.key(name) for each in scopes for scope in each.by_output for name in names]
    metrics, _ = make_metrics(native)
    return [*keys, *(metric.key for metric in metrics)]


def _name_of(metric: config_pb2.MetricConfig) -> str:
    """What a metric of Keras or of a user is called in the results."""
    if not metric.module and metric.class_name not in KERAS_METRICS:
        raise unknown_metric(metric.class_name, {*KERAS_METRICS, *metric_names()})
    arguments = parse_config(metric.class_name, metric.config)
    return str(arguments.get("name") or snake_case(metric.class_name))
