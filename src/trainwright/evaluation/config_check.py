"""What of an eval config can be found wrong before any node runs, without importing Keras."""

from __future__ import annotations

from collections.abc import Iterator

from trainwright._suggest import did_you_mean
from trainwright.evaluation.config_completion import complete_eval_config
from trainwright.evaluation.metrics.arguments import parse_config, request_metric, snake_case
from trainwright.evaluation.metrics.errors import UnknownMetricError, unknown_metric
from trainwright.evaluation.metrics.keras_names import KERAS_METRICS
from trainwright.evaluation.metrics.not_here import NOT_HERE
from trainwright.evaluation.metrics.registry import METRIC_CLASSES
from trainwright.evaluation.metrics.specs import scopes_of_spec
from trainwright.evaluation.slicing_specs import slice_specs
from trainwright.proto.tfma import config_pb2


def check_eval_config(
    config: config_pb2.EvalConfig, *, has_baseline: bool, has_model: bool
) -> None:
    """Refuses a config that no data could be evaluated with.

    Metrics of Keras and of users are known by name here; what is wrong with their arguments is
    said when the node runs.

    Args:
        config: As the user gave it.
        has_baseline: Whether a baseline may come.
        has_model: Whether there is a model.

    Raises:
        UnknownMetricError: if there is no metric of a name, with the nearest names.
        ValueError: if something else is wrong.
    """
    # With and without a baseline: the first run has none.
    for with_baseline in {False, has_baseline}:
        complete = complete_eval_config(config, has_baseline=with_baseline, has_model=has_model)
        slice_specs(complete)
        for spec in complete.metrics_specs:
            _check_metrics_spec(complete, spec)
    if not any(spec.metrics for spec in config.metrics_specs):
        raise ValueError(
            "The eval config has no metric. Name at least one, for example "
            '{"metrics_specs": [{"metrics": [{"class_name": "ExampleCount"}]}]}.'
        )


def _check_metrics_spec(config: config_pb2.EvalConfig, spec: config_pb2.MetricsSpec) -> None:
    list(scopes_of_spec(config, spec, None))
    names = {name for metric in spec.metrics for name in _check_metric(metric)}
    for name in (*spec.thresholds, *spec.per_slice_thresholds, *spec.cross_slice_thresholds):
        if names and not any(name == known or name.startswith(f"{known}/") for known in names):
            raise ValueError(
                f"A threshold is on the metric {name!r}, which its metrics spec does not compute"
                f"{did_you_mean(name, names)} Add the metric, or correct the threshold's name."
            )


def _check_metric(metric: config_pb2.MetricConfig) -> Iterator[str]:
    """Checks a metric and says what it is called in the results."""
    class_name = metric.class_name
    arguments = parse_config(class_name, metric.config)
    if not metric.module and class_name in METRIC_CLASSES:
        yield request_metric(class_name, METRIC_CLASSES[class_name], arguments).name
        return
    if not metric.module and class_name in NOT_HERE:
        raise UnknownMetricError(
            f"{class_name} is a metric of TFMA that Trainwright does not compute. "
            f"{NOT_HERE[class_name]}"
        )
    if not metric.module and class_name not in KERAS_METRICS:
        raise unknown_metric(class_name, {*KERAS_METRICS, *METRIC_CLASSES})
    yield str(arguments.get("name") or snake_case(class_name))
