"""InfraValidator: can a model be served. It is declared; this version does not run it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.components.older_arguments import takes_older_arguments
from trainwright.components.unsupported import UnsupportedDriver
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import infra_validator_pb2
from trainwright.types.channel import BaseChannel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import InfraValidatorSpec

_SpecLike = Mapping[str, Any] | str | RuntimeParameter


class InfraValidator(BaseComponent):
    """Loads a model into the server that will serve it, and asks it a few things.

    The output `blessing` says whether it answered. This version declares the component and refuses
    to run it.

    Args:
        model: The model.
        serving_spec: `ServingSpec`, a dict or JSON: the server's image, and where it runs.
        examples: Examples to ask about.
        request_spec: `RequestSpec`, likewise: how requests are made of the examples.
        validation_spec: `ValidationSpec`, likewise: how long to wait and how often to try.

    Example:
        ```python
        infra_validator = InfraValidator(
            model=trainer.outputs["model"],
            serving_spec={"tensorflow_serving": {"tags": ["latest"]}, "local_docker": {}},
        )
        ```
    """

    SPEC_CLASS = InfraValidatorSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.infra_validator.executor:Executor")
    DRIVER_CLASS = UnsupportedDriver

    @takes_older_arguments(outputs={"blessing": "blessing"})
    def __init__(
        self,
        model: BaseChannel,
        serving_spec: infra_validator_pb2.ServingSpec | _SpecLike,
        examples: BaseChannel | None = None,
        request_spec: infra_validator_pb2.RequestSpec | _SpecLike | None = None,
        validation_spec: infra_validator_pb2.ValidationSpec | _SpecLike | None = None,
    ) -> None:
        spec = InfraValidatorSpec(
            model=model,
            serving_spec=serving_spec,
            examples=examples,
            request_spec=request_spec,
            validation_spec=validation_spec,
        )
        super().__init__(spec=spec)
