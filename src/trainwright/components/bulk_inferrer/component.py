"""BulkInferrer: predictions for many examples. It is declared; this version does not run it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.components.older_arguments import takes_older_arguments
from trainwright.components.unsupported import UnsupportedDriver
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import bulk_inferrer_pb2
from trainwright.types.channel import BaseChannel, Channel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import BulkInferrerSpec

_SpecLike = Mapping[str, Any] | str | RuntimeParameter


class BulkInferrer(BaseComponent):
    """Asks a model about many examples and writes what it answers.

    The output is `inference_result`, or `output_examples` if there is an `output_example_spec`.
    This version declares the component and refuses to run it.

    Args:
        examples: The examples.
        model: The model.
        model_blessing: Evaluator's word on it.
        data_spec: `DataSpec`, a dict or JSON: which splits.
        model_spec: `ModelSpec`, likewise: which signatures and tags.
        output_example_spec: `OutputExampleSpec`, likewise: what of the answers becomes examples.

    Example:
        ```python
        bulk_inferrer = BulkInferrer(
            examples=example_gen.outputs["examples"], model=trainer.outputs["model"]
        )
        ```
    """

    SPEC_CLASS = BulkInferrerSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.bulk_inferrer.executor:Executor")
    DRIVER_CLASS = UnsupportedDriver

    @takes_older_arguments(
        renamed={"model_export": "model"},
        outputs={
            "output": "inference_result",
            "inference_result": "inference_result",
            "output_examples": "output_examples",
        },
    )
    def __init__(
        self,
        examples: BaseChannel,
        model: BaseChannel | None = None,
        model_blessing: BaseChannel | None = None,
        data_spec: bulk_inferrer_pb2.DataSpec | _SpecLike | None = None,
        model_spec: bulk_inferrer_pb2.ModelSpec | _SpecLike | None = None,
        output_example_spec: bulk_inferrer_pb2.OutputExampleSpec | _SpecLike | None = None,
    ) -> None:
        output = "inference_result" if output_example_spec is None else "output_examples"
        spec = BulkInferrerSpec(
            examples=examples,
            model=model,
            model_blessing=model_blessing,
            data_spec=bulk_inferrer_pb2.DataSpec() if data_spec is None else data_spec,
            model_spec=bulk_inferrer_pb2.ModelSpec() if model_spec is None else model_spec,
            output_example_spec=output_example_spec,
            **{output: Channel(type=BulkInferrerSpec.OUTPUTS[output].type)},
        )
        super().__init__(spec=spec)
