"""The Pusher for BigQuery ML, with its key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from trainwright.compat.google_cloud.cloud_work import needs_google_cloud
from trainwright.components.pusher import component as pusher
from trainwright.components.unsupported import UnsupportedDriver, UnsupportedExecutor
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types.channel import BaseChannel

# The key of custom_config.
SERVING_ARGS_KEY = "bigquery_serving_args"


class PusherExecutor(UnsupportedExecutor):
    """Makes a model one of BigQuery ML."""

    CANNOT_RUN = needs_google_cloud(
        "Pushing a model to BigQuery ML",
        "Use tfx.v1.components.Pusher with a push_destination, and CREATE MODEL in BigQuery from "
        "what it has pushed.",
    )


class Pusher(pusher.Pusher):
    """Makes a model one of BigQuery ML, in TFX.

    Args:
        model: The model to deploy.
        model_blessing: Evaluator's word on it.
        infra_blessing: InfraValidator's word on it.
        custom_config: Project, dataset and name of the model, under SERVING_ARGS_KEY.
    """

    EXECUTOR_SPEC = ExecutorClassSpec(PusherExecutor)
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = UnsupportedDriver

    def __init__(
        self,
        model: BaseChannel | None = None,
        model_blessing: BaseChannel | None = None,
        infra_blessing: BaseChannel | None = None,
        custom_config: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            model=model,
            model_blessing=model_blessing,
            infra_blessing=infra_blessing,
            custom_config=custom_config,
        )
