"""Pusher: puts a blessed model where a server finds it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, ClassVar

from trainwright.components.older_arguments import takes_older_arguments
from trainwright.components.pusher.driver import PusherDriver
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec, ExecutorSpec
from trainwright.proto import proto_json, pusher_pb2
from trainwright.types import json_utils
from trainwright.types.channel import BaseChannel
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.runtime_parameter import RuntimeParameter, has_runtime_parameters
from trainwright.types.standard_component_specs import PusherSpec

PushDestinationLike = (
    pusher_pb2.PushDestination | Mapping[str, Any] | str | PurePath | RuntimeParameter | Placeholder
)


class Pusher(BaseComponent):
    """Copies a model into a new version directory, `<base_directory>/<unix seconds>`.

    If a higher number is there already, the version gets the next one, so that it is the newest.
    A server that watches the directory sees the version only when it is whole. If a blessing is
    wired and does not bless, nothing is pushed and the node is complete all the same.

    Args:
        model: The model to push.
        model_blessing: Evaluator's word on it.
        infra_blessing: InfraValidator's word on it.
        push_destination: The directory of the versions, `"/srv/models/penguin"`, or its address in
            an object store, `"s3://bucket/models/penguin"`; or
            `PushDestination`, a dict or JSON:
            `{"filesystem": {"base_directory": "/srv/models/penguin"}}`.
        custom_config: A dict for a custom executor.
        custom_executor_spec: Another executor for this node.

    Example:
        ```python
        pusher = Pusher(model=trainer.outputs.model, push_destination="serving")
        ```
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.components.pusher.component.Pusher"

    SPEC_CLASS = PusherSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.pusher.executor:Executor")
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = PusherDriver

    @takes_older_arguments(
        renamed={"model_export": "model"},
        outputs={
            "output": "pushed_model",
            "model_push": "pushed_model",
            "pushed_model": "pushed_model",
        },
    )
    def __init__(
        self,
        model: BaseChannel | None = None,
        model_blessing: BaseChannel | None = None,
        infra_blessing: BaseChannel | None = None,
        push_destination: PushDestinationLike | None = None,
        custom_config: Mapping[str, Any] | None = None,
        custom_executor_spec: ExecutorSpec | None = None,
    ) -> None:
        if model is None and infra_blessing is None:
            raise ValueError(
                "Either one of model or infra_blessing channel should be given. If both are "
                "supplied, the model is taken from model."
            )
        push_destination = _from_path(push_destination)
        if custom_executor_spec is not None:
            warnings.warn(
                "custom_executor_spec is deprecated; subclass Pusher and set EXECUTOR_SPEC.",
                DeprecationWarning,
                stacklevel=2,
            )
        elif type(self).EXECUTOR_SPEC is Pusher.EXECUTOR_SPEC:
            _check_destination(push_destination)
        spec = PusherSpec(
            model=model,
            model_blessing=model_blessing,
            infra_blessing=infra_blessing,
            push_destination=push_destination,
            custom_config=json_utils.dumps(custom_config),
        )
        super().__init__(spec=spec, custom_executor_spec=custom_executor_spec)


def _from_path(push_destination: PushDestinationLike | None) -> PushDestinationLike | None:
    """A destination that is a plain path as TFX's message; others as they are."""
    if not isinstance(push_destination, (str, PurePath)):
        return push_destination
    path = str(push_destination)
    if not path.strip() or path.lstrip().startswith("{"):
        return path
    filesystem = pusher_pb2.PushDestination.Filesystem(base_directory=path)
    return pusher_pb2.PushDestination(filesystem=filesystem)


def _check_destination(push_destination: PushDestinationLike | None) -> None:
    if isinstance(push_destination, Placeholder) or has_runtime_parameters(push_destination):
        return
    message: Any = push_destination
    if isinstance(push_destination, Mapping):
        message = proto_json.dict_to_proto(push_destination, pusher_pb2.PushDestination())
    elif isinstance(push_destination, str):
        try:
            message = proto_json.json_to_proto(push_destination, pusher_pb2.PushDestination())
        except ValueError:
            message = None
    if not isinstance(message, pusher_pb2.PushDestination) or not message.filesystem.base_directory:
        raise ValueError(
            "Pusher needs a push_destination, for example the directory '/srv/models/penguin', or "
            "{'filesystem': {'base_directory': '/srv/models/penguin'}}; "
            f"got {push_destination!r}."
        )
