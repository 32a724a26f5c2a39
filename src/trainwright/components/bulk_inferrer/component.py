"""BulkInferrer: predictions for many examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.components.bulk_inferrer.driver import BulkInferrerDriver
from trainwright.components.older_arguments import takes_older_arguments
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import bulk_inferrer_pb2
from trainwright.types.channel import BaseChannel, Channel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import BulkInferrerSpec

_SpecLike = Mapping[str, Any] | str | RuntimeParameter


class BulkInferrer(BaseComponent):
    """Asks a model about many examples and writes what it answers.

    Without an `output_example_spec` the output is `inference_result`: a `PredictionLog` for each
    example, as TensorFlow Serving logs them. With one it is `output_examples`: the examples with
    what the model says of them as more features. A model that was not blessed is not asked.

    Args:
        examples: The examples, of any payload format.
        model: The model, a SavedModel.
        model_blessing: What the Evaluator thinks of it.
        data_spec: `DataSpec`, a dict or JSON: which splits; by default all.
        model_spec: `ModelSpec`, likewise: by which signatures to ask, and the tags of the graph; by
            default the signature `serving_default` of the graph that is served.
        output_example_spec: `OutputExampleSpec`, likewise: what of the answers becomes a feature.

    Example:
        ```python
        bulk_inferrer = BulkInferrer(
            examples=unlabelled_gen.outputs["examples"],
            model=trainer.outputs["model"],
            model_blessing=evaluator.outputs["blessing"],
            output_example_spec={"output_columns_spec": [{"predict_output": {
                "output_columns": [{"output_key": "outputs", "output_column": "species_scores"}],
            }}]},
        )
        ```
    """

    SPEC_CLASS = BulkInferrerSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.bulk_inferrer.executor:Executor")
    DRIVER_CLASS = BulkInferrerDriver

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
