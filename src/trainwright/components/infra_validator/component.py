"""InfraValidator: can a model be served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from trainwright.components.infra_validator.driver import InfraValidatorDriver
from trainwright.components.older_arguments import takes_older_arguments
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import infra_validator_pb2
from trainwright.types.channel import BaseChannel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import InfraValidatorSpec

_SpecLike = Mapping[str, Any] | str | RuntimeParameter

_THIS_MACHINE = {"tensorflow_serving": {"tags": ["latest"]}}


class InfraValidator(BaseComponent):
    """Loads a model into a server, as it will be served, and asks it about real examples.

    The server is a process on this machine, which listens on loopback and ends with the node:
    `tensorflow_model_server` where it is installed, else that of `trainwright serve`. The output
    `blessing` says whether it has loaded the model and the model has answered; a Pusher that it is
    wired to pushes only then. The image of a `serving_spec` is not run.

    Args:
        model: The model, a SavedModel.
        serving_spec: `ServingSpec`, a dict or JSON, as TFX has it: `model_name` counts, and
            `kubernetes` is refused. This machine's server if None.
        examples: Examples to ask about; without them the model is loaded only.
        request_spec: `RequestSpec`, likewise: which signatures are asked, about how many examples
            of which split. With `make_warmup` the blessing has a copy of the model that carries
            the requests, and a Pusher without a `model` pushes that.
        validation_spec: `ValidationSpec`, likewise: how long to wait for the model
            (`max_loading_time_seconds`, 300) and how often to try (`num_tries`, 5).

    Example:
        ```python
        infra_validator = InfraValidator(
            model=trainer.outputs["model"],
            examples=example_gen.outputs["examples"],
            request_spec={"tensorflow_serving": {}, "num_examples": 3, "make_warmup": True},
        )
        pusher = Pusher(
            infra_blessing=infra_validator.outputs["blessing"],
            push_destination="serving_model/penguin",
        )
        ```
    """

    SPEC_CLASS = InfraValidatorSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.infra_validator.executor:Executor")
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = InfraValidatorDriver

    @takes_older_arguments(outputs={"blessing": "blessing"})
    def __init__(
        self,
        model: BaseChannel,
        serving_spec: infra_validator_pb2.ServingSpec | _SpecLike | None = None,
        examples: BaseChannel | None = None,
        request_spec: infra_validator_pb2.RequestSpec | _SpecLike | None = None,
        validation_spec: infra_validator_pb2.ValidationSpec | _SpecLike | None = None,
    ) -> None:
        spec = InfraValidatorSpec(
            model=model,
            serving_spec=_THIS_MACHINE if serving_spec is None else serving_spec,
            examples=examples,
            request_spec=request_spec,
            validation_spec=validation_spec,
        )
        super().__init__(spec=spec)
