"""What of an eval config can be found wrong before any node runs, without importing Keras."""

from __future__ import annotations

from collections.abc import Mapping

from trainwright.evaluation.compiled_model import CompiledModel
from trainwright.evaluation.config_completion import complete_eval_config, includes_default_metrics
from trainwright.evaluation.metric_keys import MetricKey
from trainwright.evaluation.metrics.arguments import parse_config, snake_case
from trainwright.evaluation.metrics.compiled import compiled_keys, missing_labels
from trainwright.evaluation.metrics.errors import unknown_metric
from trainwright.evaluation.metrics.keras_names import KERAS_METRICS
from trainwright.evaluation.metrics.registry import METRIC_CLASSES, is_native, make_metrics
from trainwright.evaluation.metrics.specs import scopes_of_spec
from trainwright.evaluation.slicing_specs import slice_specs
from trainwright.evaluation.threshold_rules import check_thresholds
from trainwright.proto.tfma import config_pb2

_HOW_TO_SAVE = (
    "The metrics that a Keras model was compiled with are in its files if a Trainer's run_fn saves "
    "it with tf.saved_model.save(model, dir), model.export(dir) or model.save(dir, "
    'save_format="tf"), and if Keras 2 saves it anywhere with model.save(dir, save_format="tf").'
)


def check_eval_config(
    config: config_pb2.EvalConfig, *, has_baseline: bool, has_model: bool
) -> None:
    """Refuses a config that no data could be evaluated with.

    Metrics of Keras and of users are known by name here; what is wrong with their arguments is
    said when the node runs. So is a threshold on a metric that the model might have brought.

    Args:
        config: As the user gave it.
        has_baseline: Whether a baseline may come.
        has_model: Whether there is a model.

    Raises:
        UnknownMetricError: if there is no metric of a name, with the nearest names.
        ValueError: if something else is wrong.
    """
    may_bring_metrics = has_model and includes_default_metrics(config)
    if not may_bring_metrics and not any(spec.metrics for spec in config.metrics_specs):
        raise _no_metric(
            "Options(include_default_metrics=False) leaves out those that the model was compiled "
            "with"
            if has_model
            else "there is no model that may bring its own"
        )
    # With and without a baseline: the first run has none.
    for with_baseline in {False, has_baseline}:
        complete = complete_eval_config(config, has_baseline=with_baseline, has_model=has_model)
        slice_specs(complete)
        check_thresholds(complete, _metric_keys(complete), may_be_more=may_bring_metrics)


def check_with_models(config: config_pb2.EvalConfig, models: Mapping[str, CompiledModel]) -> None:
    """Refuses what only the models show to be wrong, before any example is read.

    Args:
        config: Completed.
        models: What models were compiled with, by the name of their spec.

    Raises:
        ValueError: There is nothing to compute, or a threshold is on a metric that neither the
            config has nor a model was compiled with.
    """
    brought = compiled_keys(config, models)
    missing = missing_labels(config, models)
    is_silent = includes_default_metrics(config) and any(
        spec.name not in models and not spec.is_baseline for spec in config.model_specs
    )
    try:
        if not brought and not any(spec.metrics for spec in config.metrics_specs):
            raise _no_metric(
                _why_none_of_the_model(has_no_label=bool(missing), is_silent=is_silent)
            )
        check_thresholds(config, [*_metric_keys(config), *brought])
    except ValueError as error:
        # A label, or what the model was compiled with, may be all that is missing.
        advice = [_HOW_TO_SAVE] if is_silent else []
        raise ValueError(" ".join([str(error), *missing, *advice])) from error


def _why_none_of_the_model(*, has_no_label: bool, is_silent: bool) -> str:
    if has_no_label:
        return "those of the model have no label"
    if is_silent:
        return "the model's files do not tell which ones it was compiled with"
    return "the model was not compiled with any"


def _no_metric(why_not_of_the_model: str) -> ValueError:
    return ValueError(
        f"There is no metric: the eval config lists none, and {why_not_of_the_model}. List at "
        'least one, for example {"metrics_specs": [{"metrics": [{"class_name": "ExampleCount"}]}]}.'
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
        raise unknown_metric(metric.class_name, {*KERAS_METRICS, *METRIC_CLASSES})
    arguments = parse_config(metric.class_name, metric.config)
    return str(arguments.get("name") or snake_case(metric.class_name))
