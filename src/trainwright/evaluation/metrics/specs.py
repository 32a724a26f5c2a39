"""Scopes of a MetricsSpec: the models, outputs, classes and weights that it lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from trainwright._suggest import did_you_mean
from trainwright.evaluation.metric_keys import AggregationType, SubKey
from trainwright.evaluation.metrics.scope import Scope

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

    from trainwright.proto.tfma import config_pb2


@dataclass(frozen=True)
class SpecScopes:
    """One choice of classes and weights of one model, for each of its outputs.

    Args:
        by_output: In the order of the spec.
        output_weights: What each output counts in an average over them; empty if there is none.
        class_weights: What each class counts in an average over them.
    """

    by_output: tuple[Scope, ...]
    output_weights: Mapping[str, float]
    class_weights: Mapping[int, float]


def scopes_of_spec(
    eval_config: config_pb2.EvalConfig,
    spec: config_pb2.MetricsSpec,
    schema: schema_pb2.Schema | None,
) -> Iterator[SpecScopes]:
    """Every combination that the spec asks for.

    Raises:
        ValueError: If the spec names a model or an output that is not there, or contradicts
            itself.
    """
    _check_spec(spec)
    output_names = list(spec.output_names) or [""]
    class_weights = dict(sorted(spec.aggregate.class_weights.items()))
    for model_name in _model_names(eval_config, spec):
        for weighted in _weight_options(eval_config, spec):
            for sub_key, aggregation_type in _class_choices(spec):
                micro = aggregation_type == "micro_average"
                scopes = [
                    Scope(
                        model_name=model_name,
                        output_name=output_name,
                        sub_key=sub_key,
                        aggregation_type=aggregation_type,
                        class_weights=tuple(class_weights.items()) or None if micro else None,
                        example_weighted=weighted,
                        label_range=_label_range(eval_config, schema, model_name, output_name),
                    )
                    for output_name in output_names
                ]
                yield SpecScopes(tuple(scopes), dict(spec.output_weights), class_weights)


def _check_spec(spec: config_pb2.MetricsSpec) -> None:
    if spec.query_key:
        raise ValueError(
            f"A metrics_spec has query_key {spec.query_key!r}. Metrics of the examples of a query "
            "together are not computed here: leave query_key out."
        )
    output_names = list(spec.output_names) or [""]
    for name in spec.output_weights:
        if name not in output_names:
            raise ValueError(
                f"output_weights name the output {name!r}, which is not among output_names"
                f"{did_you_mean(name, output_names)}"
            )
    if spec.aggregate.top_k_list.values and spec.aggregate.class_weights:
        raise ValueError(
            "aggregate has both top_k_list and class_weights. The top k are other classes for "
            "each example, so that classes cannot be weighted: leave one of them out."
        )
    binarize = spec.binarize
    places = [*binarize.k_list.values, *binarize.top_k_list.values]
    places += spec.aggregate.top_k_list.values
    if any(place < 1 for place in places) or any(value < 0 for value in binarize.class_ids.values):
        raise ValueError(
            "binarize and aggregate count classes from 0, and places in k_list and top_k_list "
            f"from 1: {binarize}{spec.aggregate}"
        )


def _model_names(eval_config: config_pb2.EvalConfig, spec: config_pb2.MetricsSpec) -> list[str]:
    """The models of a spec: those it names, or all; the only one is called ""."""
    known = [model_spec.name for model_spec in eval_config.model_specs]
    if len(known) < 2:
        return [""]
    for name in spec.model_names:
        if name not in known:
            raise ValueError(
                f"A metrics_spec names the model {name!r}, which no model_spec is called"
                f"{did_you_mean(name, known)}"
            )
    return list(spec.model_names) or known


def _weight_options(eval_config: config_pb2.EvalConfig, spec: config_pb2.MetricsSpec) -> list[bool]:
    """Whether examples are weighted, unweighted or both; weighted if one of the models says how."""
    options = [
        weighted
        for weighted, is_asked_for in (
            (True, spec.example_weights.weighted),
            (False, spec.example_weights.unweighted),
        )
        if is_asked_for
    ]
    if options:
        return options
    names = _model_names(eval_config, spec)
    model_specs = [
        model_spec
        for model_spec in eval_config.model_specs
        if len(eval_config.model_specs) == 1 or model_spec.name in names
    ]
    return [
        any(
            model_spec.example_weight_key
            or any(name in model_spec.example_weight_keys for name in spec.output_names)
            for model_spec in model_specs
        )
    ]


def _class_choices(
    spec: config_pb2.MetricsSpec,
) -> list[tuple[SubKey | None, AggregationType | None]]:
    choices: list[tuple[SubKey | None, AggregationType | None]] = [
        *((SubKey(class_id=value), None) for value in spec.binarize.class_ids.values),
        *((SubKey(k=value), None) for value in spec.binarize.k_list.values),
        *((SubKey(top_k=value), None) for value in spec.binarize.top_k_list.values),
    ]
    if spec.HasField("aggregate"):
        aggregation_type = _aggregation_type(spec.aggregate)
        top_k = spec.aggregate.top_k_list.values
        sub_keys: list[SubKey | None] = [SubKey(top_k=value) for value in top_k]
        choices += [(sub_key, aggregation_type) for sub_key in sub_keys or [None]]
    return choices or [(None, None)]


def _aggregation_type(aggregate: config_pb2.AggregationOptions) -> AggregationType:
    types: tuple[AggregationType, ...] = get_args(AggregationType)
    for aggregation_type in types:
        if getattr(aggregate, aggregation_type):
            return aggregation_type
    raise ValueError(f"aggregate of a metrics_spec must say one of {', '.join(types)}.")


def _label_range(
    eval_config: config_pb2.EvalConfig,
    schema: schema_pb2.Schema | None,
    model_name: str,
    output_name: str,
) -> tuple[float | None, float | None]:
    """The least and greatest label that the schema allows."""
    if schema is None:
        return None, None
    for model_spec in eval_config.model_specs:
        if len(eval_config.model_specs) > 1 and model_spec.name != model_name:
            continue
        label_key = model_spec.label_key or model_spec.label_keys.get(output_name, "")
        for feature in schema.feature:
            kind = feature.WhichOneof("domain_info")
            if feature.name == label_key and kind in ("int_domain", "float_domain"):
                domain = getattr(feature, kind)
                return (
                    float(domain.min) if domain.HasField("min") else None,
                    float(domain.max) if domain.HasField("max") else None,
                )
    return None, None
