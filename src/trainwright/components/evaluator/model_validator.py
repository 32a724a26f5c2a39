"""ModelValidator: what Evaluator was once called when it only blessed."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

from trainwright.components.evaluator.component import EvalConfigLike, Evaluator
from trainwright.dsl.input_resolution.resolver_function import resolver_function
from trainwright.dsl.input_resolution.resolver_op import ResolverOp
from trainwright.dsl.resolver_strategy import Artifacts
from trainwright.dsl.strategies import LatestBlessedModelStrategy
from trainwright.types.channel import BaseChannel, Channel
from trainwright.types.standard_artifacts import Model, ModelBlessing

# The first ModelValidator took the accuracy that an Estimator computes itself, and blessed
# a model that was not worse than the last blessed one, or the first of all.
_AS_ACCURATE_AS_THE_LAST = {
    "model_specs": [{"signature_name": "eval"}],
    "metrics_specs": [
        {
            "thresholds": {
                "accuracy": {
                    "value_threshold": {"lower_bound": 0.0},
                    "change_threshold": {"direction": "HIGHER_IS_BETTER", "absolute": -1e-10},
                }
            }
        }
    ],
}


class ModelValidator(Evaluator):
    """An Evaluator under its oldest name; it warns and says what to write instead.

    Args:
        examples: The examples to evaluate on.
        model: The model.
        eval_config: What to compute, and the thresholds that decide. Without it, an Estimator's
            model is blessed if it is as accurate as the last blessed one, as it was in TFX 0.21.
        **others: Further arguments of `Evaluator`.

    Example:
        ```python
        validator = ModelValidator(
            examples=example_gen.outputs["examples"],
            model=trainer.outputs["model"],
            eval_config=eval_config,
        )
        ```
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.components.model_validator.component.ModelValidator"

    def __init__(
        self,
        examples: BaseChannel,
        model: BaseChannel,
        eval_config: EvalConfigLike | None = None,
        **others: Any,
    ) -> None:
        without = (
            ""
            if eval_config is not None
            else " This one has no eval_config: the model of an Estimator is blessed if its "
            "accuracy is not below that of the last blessed one."
        )
        warnings.warn(
            "ModelValidator has become Evaluator, which evaluates and blesses. Write "
            "Evaluator(examples=..., model=..., baseline_model=resolver.outputs['model'], "
            f"eval_config=...) with thresholds in the eval_config.{without}",
            DeprecationWarning,
            stacklevel=2,
        )
        if eval_config is None:
            eval_config = _AS_ACCURATE_AS_THE_LAST
            others.setdefault("baseline_model", _latest_blessed_model())
        super().__init__(examples=examples, model=model, eval_config=eval_config, **others)


def _latest_blessed_model() -> BaseChannel:
    """The last model of the pipeline that was blessed; it had no Resolver for that then."""
    chosen = _choose({"model": Channel(type=Model), "blessing": Channel(type=ModelBlessing)})
    model: BaseChannel = chosen["model"]
    return model


class _LatestBlessed(ResolverOp):
    """The strategy of a Resolver, as an operator on the inputs of a node."""

    def apply(self, input_dict: Artifacts) -> Artifacts:
        return LatestBlessedModelStrategy().resolve_artifacts(self.context.store, input_dict) or {}


@resolver_function
def _choose(models_and_blessings: Any) -> Any:
    return _LatestBlessed(models_and_blessings)
