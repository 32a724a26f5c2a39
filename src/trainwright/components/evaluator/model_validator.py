"""ModelValidator: what Evaluator was once called when it only blessed."""

from __future__ import annotations

import warnings
from typing import Any

from trainwright.components.evaluator.component import EvalConfigLike, Evaluator
from trainwright.types.channel import BaseChannel


class ModelValidator(Evaluator):
    """An Evaluator under its oldest name; it warns and says what to write instead.

    Args:
        examples: The examples to evaluate on.
        model: The model.
        eval_config: What to compute, and the thresholds that decide. Without it nothing is
            blessed, since nothing says what is good enough.
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
            else " This one has no eval_config, so no threshold: its model will be neither blessed "
            "nor refused, and a Pusher that waits for the blessing pushes nothing."
        )
        warnings.warn(
            "ModelValidator has become Evaluator, which evaluates and blesses. Write "
            "Evaluator(examples=..., model=..., baseline_model=resolver.outputs['model'], "
            f"eval_config=...) with thresholds in the eval_config.{without}",
            DeprecationWarning,
            stacklevel=2,
        )
        super().__init__(examples=examples, model=model, eval_config=eval_config, **others)
