"""Evaluator: measures a model on slices of examples and says whether it is good enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from trainwright import _tfma_names
from trainwright._checks import check_strings
from trainwright.components.evaluator.driver import EvaluatorDriver
from trainwright.components.older_arguments import takes_older_arguments
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.evaluation.config.config_reading import read_eval_config
from trainwright.evaluation.config.eval_config import EvalConfig
from trainwright.proto import evaluator_pb2
from trainwright.proto.tfma import config_pb2
from trainwright.types import json_utils
from trainwright.types.channel import BaseChannel
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.runtime_parameter import RuntimeParameter, has_runtime_parameters
from trainwright.types.standard_component_specs import EvaluatorSpec

EvalConfigLike = EvalConfig | config_pb2.EvalConfig | Mapping[str, Any] | str | RuntimeParameter
# Who declares an Evaluator may take the names of its config from TFMA.
_tfma_names.install()

SlicingLike = evaluator_pb2.FeatureSlicingSpec | Mapping[str, Any] | str | RuntimeParameter


class Evaluator(BaseComponent):
    """Computes metrics of a model for all examples and for slices, and blesses it.

    Outputs are `evaluation`, which TFMA's readers read, and `blessing`: its property `blessed` is
    1 if every threshold of the config holds, 0 if one does not, and unset if there is none.

    Args:
        examples: The examples to evaluate on, raw or transformed.
        model: The model; without one, predictions are a feature of the examples.
        baseline_model: A model to compare with, as a Resolver finds it. Thresholds on the change
            from it count only while there is one.
        feature_slicing_spec: Deprecated: columns to slice by, where there is no eval_config.
        fairness_indicator_thresholds: Adds fairness indicators at these thresholds.
        example_splits: The splits to evaluate on; `["eval"]` if None.
        eval_config: `trainwright.evaluation.EvalConfig`, `tfma.EvalConfig`, a dict or JSON.
        schema: The schema of the examples.
        module_file: The path of a .py file with `custom_eval_shared_model` or
            `custom_extractors`, for models that are not a SavedModel.
        module_path: Instead of a module file: a module's dotted name.

    Example:
        ```python
        evaluator = Evaluator(
            examples=example_gen.outputs["examples"],
            model=trainer.outputs["model"],
            baseline_model=resolver.outputs["model"],
            eval_config=EvalConfig(
                model_specs=[ModelSpec(label_key="species")],
                slicing_specs=[SlicingSpec(), SlicingSpec(feature_keys=["island"])],
                metrics_specs=[MetricsSpec(metrics=[MetricConfig(
                    class_name="SparseCategoricalAccuracy",
                    threshold=MetricThreshold(
                        value_threshold=GenericValueThreshold(lower_bound=0.6))),
                ])],
            ),
        )
        ```
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.components.evaluator.component.Evaluator"

    SPEC_CLASS = EvaluatorSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.evaluator.executor:Executor")
    DRIVER_CLASS = EvaluatorDriver

    @takes_older_arguments(
        renamed={"model_exports": "model"},
        outputs={"output": "evaluation", "evaluation": "evaluation", "blessing": "blessing"},
    )
    def __init__(
        self,
        examples: BaseChannel,
        model: BaseChannel | None = None,
        baseline_model: BaseChannel | None = None,
        feature_slicing_spec: SlicingLike | None = None,
        fairness_indicator_thresholds: Sequence[float | RuntimeParameter] | None = None,
        example_splits: Sequence[str] | None = None,
        eval_config: EvalConfigLike | None = None,
        schema: BaseChannel | None = None,
        module_file: str | None = None,
        module_path: str | None = None,
    ) -> None:
        if eval_config is not None and feature_slicing_spec is not None:
            raise ValueError(
                "Exactly one of 'eval_config' or 'feature_slicing_spec' must be supplied."
            )
        if eval_config is None and feature_slicing_spec is None:
            feature_slicing_spec = evaluator_pb2.FeatureSlicingSpec()
        if module_file and module_path:
            raise ValueError(
                "Python module path can not be specified together with the module file path: "
                f"got module_file={module_file!r} and module_path={module_path!r}."
            )
        if isinstance(example_splits, str):
            check_strings("example_splits", example_splits, "split names", ValueError)
        spec = EvaluatorSpec(
            examples=examples,
            model=model,
            baseline_model=baseline_model,
            schema=schema,
            eval_config=_read(eval_config),
            feature_slicing_spec=feature_slicing_spec,
            fairness_indicator_thresholds=json_utils.dumps(fairness_indicator_thresholds),
            example_splits=json_utils.dumps(example_splits),
            module_file=module_file,
            module_path=module_path,
        )
        super().__init__(spec=spec)


def _read(eval_config: EvalConfigLike | Placeholder | None) -> Any:
    """The config as a message; one that is known later, as JSON, is read when the run has it."""
    is_known_later = isinstance(eval_config, Placeholder) or has_runtime_parameters(eval_config)
    if eval_config is None or is_known_later:
        return eval_config
    return read_eval_config(eval_config)
