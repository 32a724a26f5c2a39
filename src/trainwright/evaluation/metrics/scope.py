"""Scope: of which model, output, classes and weights a metric is asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trainwright.evaluation.metric_keys import AggregationType, MetricKey, SubKey
from trainwright.evaluation.metrics.pairs import ClassWeights, PairRule


@dataclass(frozen=True, kw_only=True)
class Scope:
    """One combination of what a MetricsSpec lists.

    Args:
        model_name: As `ModelSpec.name` says; "" for the only model.
        output_name: Which output of the model; "" for the only one.
        sub_key: Which classes; None for all together.
        aggregation_type: How classes are averaged; None if they are not.
        class_weights: What each class counts in a micro average; a class that is not named counts
            nothing. None if all count one.
        example_weighted: Whether examples count by their weight, or one each.
        label_range: The least and the greatest label that the schema allows, as far as it says.
    """

    model_name: str = ""
    output_name: str = ""
    sub_key: SubKey | None = None
    aggregation_type: AggregationType | None = None
    class_weights: ClassWeights | None = None
    example_weighted: bool = False
    label_range: tuple[float | None, float | None] = (None, None)

    def key(self, name: str) -> MetricKey:
        return MetricKey(
            name=name,
            model_name=self.model_name,
            output_name=self.output_name,
            sub_key=self.sub_key,
            aggregation_type=self.aggregation_type,
            example_weighted=self.example_weighted,
        )

    @property
    def pair_rule(self) -> PairRule:
        """How the labels and predictions of this scope are paired."""
        return PairRule(
            sub_key=self.sub_key,
            aggregated=self.aggregation_type is not None,
            class_weights=self.class_weights,
            weighted=self.example_weighted,
        )

    def of_class(self, sub_key: SubKey) -> Scope:
        """The part of a macro average that is about one class."""
        return replace(self, sub_key=sub_key, aggregation_type=None, class_weights=None)

    def of_all_classes(self) -> Scope:
        """The same without a choice of classes."""
        return replace(self, sub_key=None, aggregation_type=None, class_weights=None)

    def narrowed(self, metric_name: str, *, top_k: int | None, class_id: int | None) -> Scope:
        """The scope with the classes that the metric's own arguments choose.

        Raises:
            ValueError: If the MetricsSpec has chosen already.
        """
        chosen = {"top_k": top_k, "class_id": class_id}
        chosen = {name: value for name, value in chosen.items() if value is not None}
        if not chosen:
            return self
        sub_key = self.sub_key or SubKey()
        for name, value in chosen.items():
            if getattr(sub_key, name) is not None or sub_key.k is not None:
                raise ValueError(
                    f"The metric {metric_name!r} has {name}={value}, and its metrics_spec chooses "
                    f"classes too: {sub_key}. Choose in one place: leave {name} out of the "
                    "metric's config, or move the metric to a metrics_spec without binarize and "
                    "top_k_list."
                )
        return replace(self, sub_key=replace(sub_key, **chosen))
