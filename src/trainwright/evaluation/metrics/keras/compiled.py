"""Metrics that a Keras model was compiled with: they are computed without being asked for.

As in TFMA, `metrics` count examples by one and `weighted_metrics` by their weight, and a loss is
the sum of what the examples lose, weighted, divided by their number. They are computed by Keras'
own code, so that a compiled AUC has the thresholds that it was trained with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from trainwright.evaluation.computation import Computation, Entries, Floats, ModelBatch
from trainwright.evaluation.metric_keys import MetricKey
from trainwright.evaluation.metrics.keras.keras_confusion import KerasConfusion
from trainwright.evaluation.metrics.keras.keras_metrics import (
    KerasMean,
    KerasState,
    mean_of,
    result_of,
    value_of_state,
)
from trainwright.evaluation.metrics.metric import Metric, SliceSums
from trainwright.evaluation.metrics.pairs import PairRule
from trainwright.evaluation.models.compiled_model import LOSS, CompiledModel, CompiledPart
from trainwright.evaluation.results import MetricValue
from trainwright.proto.tfma import config_pb2

_HOW_TO_LEAVE_OUT = (
    "It was compiled into the model: Options(include_default_metrics=False) of the eval config "
    "leaves such metrics out."
)


@dataclass
class CompiledMetrics:
    """The metrics of all compiled models, and what could not be made of them.

    Args:
        metrics: Of every model and output.
        left_out: A sentence for each that is not computed.
    """

    metrics: list[Metric] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def without_thresholds(self, config: config_pb2.EvalConfig) -> set[Computation]:
        """What is computed for metrics that no threshold is on."""
        named = {
            name
            for spec in config.metrics_specs
            for by_name in (
                spec.thresholds,
                spec.per_slice_thresholds,
                spec.cross_slice_thresholds,
            )
            for name in by_name
        }
        held = [metric for metric in self.metrics if metric.key.name in named]
        return _computations(self.metrics) - _computations(held)


def _computations(metrics: Iterable[Metric]) -> set[Computation]:
    return {computation for metric in metrics for computation in metric.computations}


def make_compiled_metrics(
    config: config_pb2.EvalConfig, models: Mapping[str, CompiledModel]
) -> CompiledMetrics:
    """The metrics that models bring with them.

    A metric that Keras cannot read, as one of the user's own, and one of an output without a
    label are left out.

    Args:
        config: Completed.
        models: What models were compiled with, by the name of their spec.
    """
    made = CompiledMetrics(left_out=missing_labels(config, models))
    for spec in config.model_specs:
        if spec.name in models:
            _add_model(made, models[spec.name], spec)
    return made


def compiled_keys(
    config: config_pb2.EvalConfig, models: Mapping[str, CompiledModel]
) -> list[MetricKey]:
    """What the metrics of models with a label are called, known without making them."""
    return [
        key
        for spec in config.model_specs
        if spec.name in models
        for key in _keys(models[spec.name], spec)
    ]


def missing_labels(config: config_pb2.EvalConfig, models: Mapping[str, CompiledModel]) -> list[str]:
    """A sentence for the metrics of models that are not computed for want of a label.

    A candidate and its baseline mostly have the same ones: what both lack is said once.
    """
    sentences: dict[str, None] = {}
    for spec in config.model_specs:
        model = models.get(spec.name, CompiledModel((), ()))
        parts = [part for part in (*model.metrics, *model.losses) if not _has_label(part, spec)]
        names = ", ".join(dict.fromkeys(str(_key_of(part, spec.name)) for part in parts))
        if names:
            sentence = (
                f"Not computed, for want of a label: {names}, which the model was compiled with. "
                "Name the label in the model spec: label_key, or label_keys of a model with "
                "several outputs."
            )
            sentences[sentence] = None
    return list(sentences)


def _has_label(part: CompiledPart, spec: config_pb2.ModelSpec) -> bool:
    return bool(spec.label_key or spec.label_keys.get(part.output_name))


def _keys(model: CompiledModel, spec: config_pb2.ModelSpec) -> Iterator[MetricKey]:
    metrics, losses = (
        [part for part in parts if _has_label(part, spec)]
        for parts in (model.metrics, model.losses)
    )
    for part in metrics:
        yield _key_of(part, spec.name)
    if losses:
        yield MetricKey(LOSS, spec.name)
    if model.has_several_outputs:
        for part in losses:
            yield _key_of(part, spec.name)


def _key_of(part: CompiledPart, model_name: str, suffix: str = "") -> MetricKey:
    return MetricKey(part.name + suffix, model_name, part.output_name, sub_key=part.sub_key)


def _add_model(made: CompiledMetrics, model: CompiledModel, spec: config_pb2.ModelSpec) -> None:
    for part in model.metrics:
        if not _has_label(part, spec):
            continue
        try:
            made.metrics += _metrics_of(part, spec.name)
        except ValueError as error:
            made.left_out.append(_left_out(part, error))
    _add_losses(made, model, [part for part in model.losses if _has_label(part, spec)], spec.name)


def _add_losses(
    made: CompiledMetrics, model: CompiledModel, losses: Sequence[CompiledPart], model_name: str
) -> None:
    """The loss of each output, if there are several, and the sum that was trained for."""
    means: list[tuple[CompiledPart, KerasMean]] = []
    for part in losses:
        try:
            means.append((part, _loss_of(part, model_name)))
        except ValueError as error:
            made.left_out.append(_left_out(part, error))
    if model.has_several_outputs:
        for part, mean in means:
            made.metrics.append(Metric(_key_of(part, model_name), (mean,), mean_of(mean)))
    if means and len(means) == len(losses):
        computations = tuple(mean for _, mean in means)
        made.metrics.append(Metric(MetricKey(LOSS, model_name), computations, _total(means)))


def _left_out(part: CompiledPart, error: ValueError) -> str:
    return (
        f"Not computed: {part.name}, which the model was compiled with, because {error}. List it "
        "in the eval config, with its module, to have it evaluated."
    )


def _metrics_of(part: CompiledPart, model_name: str) -> list[Metric]:
    rule = PairRule(weighted=part.is_weighted)
    described = part.described
    if described.example_function() is not None:
        mean = _CompiledMean(model_name, part.output_name, described, rule, asked_by=part.name)
        return [Metric(_key_of(part, model_name), (mean,), mean_of(mean))]
    if KerasConfusion.can_compute(described):
        return _confusion_metrics(part, model_name, rule)
    state = _CompiledState(model_name, part.output_name, described, rule, asked_by=part.name)
    return [
        Metric(_key_of(part, model_name, suffix), (state,), value_of_state(state, suffix))
        for suffix in result_of(described.make())
    ]


def _confusion_metrics(part: CompiledPart, model_name: str, rule: PairRule) -> list[Metric]:
    sums = _CompiledConfusion(
        model_name, part.output_name, part.described, rule, asked_by=part.name
    )

    def value(suffix: str) -> Callable[[SliceSums], MetricValue]:
        return lambda found: sums.result(found[sums])[suffix]

    return [
        Metric(_key_of(part, model_name, suffix), (sums,), value(suffix))
        for suffix in result_of(part.described.make())
    ]


def _loss_of(part: CompiledPart, model_name: str) -> _CompiledMean:
    part.described.make()
    rule = PairRule(weighted=True)
    return _CompiledMean(
        model_name, part.output_name, part.described, rule, counts_examples=True, asked_by=LOSS
    )


def _total(means: Sequence[tuple[CompiledPart, KerasMean]]) -> Callable[[SliceSums], float]:
    return lambda sums: sum(part.loss_weight * mean_of(mean)(sums) for part, mean in means)


class _CompiledMean(KerasMean):
    """A mean metric or loss that nobody asked for by name: an error says how to do without."""

    def entries(self, batch: ModelBatch) -> Entries:
        try:
            return super().entries(batch)
        except ValueError as error:
            raise ValueError(f"{error} {_HOW_TO_LEAVE_OUT}") from error


class _CompiledConfusion(KerasConfusion):
    """A metric of confusion matrices of that kind."""

    def entries(self, batch: ModelBatch) -> Entries:
        try:
            return super().entries(batch)
        except ValueError as error:
            raise ValueError(f"{error} {_HOW_TO_LEAVE_OUT}") from error


class _CompiledState(KerasState):
    """Another metric of that kind."""

    def state(self, batch: ModelBatch) -> Floats:
        try:
            return super().state(batch)
        except ValueError as error:
            raise ValueError(f"{error} {_HOW_TO_LEAVE_OUT}") from error
