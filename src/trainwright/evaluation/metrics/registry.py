"""Metrics and plots of an EvalConfig, by class name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from trainwright import _plugins
from trainwright.evaluation.metrics import counts, regression
from trainwright.evaluation.metrics.arguments import parse_config, request_metric, snake_case
from trainwright.evaluation.metrics.averages import macro_average, output_average
from trainwright.evaluation.metrics.binary import (
    binary_plots,
    calibration,
    confusion_rates,
    curves,
    discrimination,
    fairness_indicators,
)
from trainwright.evaluation.metrics.errors import UnknownMetricError, unknown_metric
from trainwright.evaluation.metrics.keras.keras_metrics import KerasMetric
from trainwright.evaluation.metrics.keras.keras_names import KERAS_METRICS
from trainwright.evaluation.metrics.keras.keras_objects import KerasObject, keras_metric_names
from trainwright.evaluation.metrics.metric import Metric, Plot
from trainwright.evaluation.metrics.multiclass import (
    class_accuracy,
    class_matrices,
    cross_entropy,
    label_matrices,
)
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope
from trainwright.evaluation.metrics.specs import SpecScopes, scopes_of_spec
from trainwright.evaluation.metrics.unsupported import UNSUPPORTED_METRICS

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

    from trainwright.proto.tfma import config_pb2

METRIC_CLASSES: Mapping[str, MetricClass] = {
    **counts.METRIC_CLASSES,
    **calibration.METRIC_CLASSES,
    **confusion_rates.METRIC_CLASSES,
    **curves.METRIC_CLASSES,
    **regression.METRIC_CLASSES,
    **cross_entropy.METRIC_CLASSES,
    **discrimination.METRIC_CLASSES,
    **fairness_indicators.METRIC_CLASSES,
    **class_accuracy.METRIC_CLASSES,
    **class_matrices.METRIC_CLASSES,
    **label_matrices.METRIC_CLASSES,
    **binary_plots.METRIC_CLASSES,
}

# Entry points of other packages, by class name: subclasses of RequestedMetric.
PLUGIN_GROUP = "trainwright.metrics"

# A class of these is ours if we have one of its name, as it is TFMA's in TFMA.
_LIBRARIES = ("", "fairness_indicators", "keras", "tensorflow", "tensorflow_model_analysis", "tf")
_OTHER_NAMES = ("tf_keras", "tfma")


def make_metrics(
    eval_config: config_pb2.EvalConfig, schema: schema_pb2.Schema | None = None
) -> tuple[list[Metric], list[Plot]]:
    """What an EvalConfig asks for: the metrics and plots of every model, output and class.

    Args:
        eval_config: Whose `model_specs` are the models that are evaluated. If there are two or
            more, metrics that name no model are of each of them; if there is one it is called "".
        schema: Where the range of a label says where a calibration plot begins and ends.

    Raises:
        UnknownMetricError: If there is no metric of a class name.
        ValueError: If a metric cannot be made with its config, or two are called the same.
    """
    made: dict[tuple[type, object], tuple[object, Metric | Plot]] = {}

    def add(part: Metric | Plot, origin: object) -> None:
        before = made.setdefault((type(part), part.key), (origin, part))
        if before[0] != origin:
            raise ValueError(
                f"Two metrics with different configs are called {part.key.name!r}. Give one of "
                'them another name in its config: {"name": "..."}.'
            )

    for spec in eval_config.metrics_specs:
        requests = [_request(config) for config in spec.metrics]
        for scopes in scopes_of_spec(eval_config, spec, schema):
            for request in requests:
                _add_parts(request, scopes, add)
    parts = [part for _, part in made.values()]
    metrics = [part for part in parts if isinstance(part, Metric)]
    return metrics, [part for part in parts if isinstance(part, Plot)]


def _add_parts(
    request: RequestedMetric, scopes: SpecScopes, add: Callable[[Metric | Plot, object], None]
) -> None:
    """One metric for each output of a model, and its average over them."""
    weights = tuple(scopes.class_weights.items())
    by_output = {scope.output_name: _parts(request, scope, scopes) for scope in scopes.by_output}
    for parts in by_output.values():
        for part in parts:
            add(part, (request, weights))
    if not scopes.output_weights or not request.is_numeric:
        return
    averaged = [by_output[name] for name in scopes.output_weights]
    for same in zip(*averaged, strict=True):
        metrics = [part for part in same if isinstance(part, Metric)]
        average = output_average(metrics[0].key, metrics, list(scopes.output_weights.values()))
        add(average, (request, weights, tuple(scopes.output_weights.items())))


def _parts(request: RequestedMetric, scope: Scope, scopes: SpecScopes) -> list[Metric | Plot]:
    if not request.has_sub_keys:
        return list(request.at(scope.of_all_classes()))
    if scope.aggregation_type in ("macro_average", "weighted_macro_average"):
        return list(macro_average(request, scope, scopes.class_weights))
    return list(request.at(scope))


def is_native(config: config_pb2.MetricConfig) -> bool:
    """Whether it is decided here what a metric is; all others are Keras' or a user's.

    Raises PluginError if an installed package offers the metric, and it cannot be used.
    """
    return _is_own(config) or metric_class_of_package(config) is not None


def _is_own(config: config_pb2.MetricConfig) -> bool:
    is_of_library = config.module.split(".")[0] in (*_LIBRARIES, *_OTHER_NAMES)
    return is_of_library and (
        config.class_name in METRIC_CLASSES or config.class_name in UNSUPPORTED_METRICS
    )


def metric_class_of_package(config: config_pb2.MetricConfig) -> MetricClass | None:
    """The metric that an installed package offers by this class name, if nobody else has it.

    A config with a module says itself where its class is.
    """
    class_name = config.class_name
    if config.module or class_name in METRIC_CLASSES or class_name in KERAS_METRICS:
        return None
    found = _plugins.find(PLUGIN_GROUP, class_name)
    if found is None:
        return None
    if not (isinstance(found, type) and issubclass(found, RequestedMetric)):
        raise _plugins.refuse(
            PLUGIN_GROUP,
            class_name,
            f"which is {found!r}: expected a subclass of RequestedMetric, a frozen dataclass",
        )
    return MetricClass(found, snake_case(class_name))


def metric_names() -> set[str]:
    """The class names that need no module, but those of Keras."""
    return {*METRIC_CLASSES, *_plugins.names(PLUGIN_GROUP)}


def _request(config: config_pb2.MetricConfig) -> RequestedMetric:
    class_name = config.class_name
    arguments = parse_config(class_name, config.config)
    if _is_own(config):
        if class_name in METRIC_CLASSES:
            return request_metric(class_name, METRIC_CLASSES[class_name], arguments)
        if class_name in UNSUPPORTED_METRICS:
            raise UnknownMetricError(
                f"{class_name} is a metric of TFMA that Trainwright does not compute. "
                f"{UNSUPPORTED_METRICS[class_name]}"
            )
    of_package = metric_class_of_package(config)
    if of_package is not None:
        return request_metric(class_name, of_package, arguments)
    return _request_keras(config.module, class_name, arguments)


def _request_keras(module: str, class_name: str, arguments: dict[str, Any]) -> RequestedMetric:
    if not module or module.startswith(("tensorflow_model_analysis", "tfma")):
        names = keras_metric_names()
        if class_name not in names:
            raise unknown_metric(class_name, {*metric_names(), *names})
        module = ""
    arguments.setdefault("name", snake_case(class_name))
    described = KerasObject.of(module, class_name, arguments)
    described.make()
    return KerasMetric(name=arguments["name"], described=described)
