"""The Pusher for BigQuery ML, with its key."""

from __future__ import annotations

from trainwright.compat.google_cloud.cloud_work import CloudPusher, needs_google_cloud
from trainwright.compat.google_cloud.unsupported import UnsupportedExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec

# The key of custom_config.
SERVING_ARGS_KEY = "bigquery_serving_args"


class PusherExecutor(UnsupportedExecutor):
    """Makes a model one of BigQuery ML."""

    CANNOT_RUN = needs_google_cloud(
        "Pushing a model to BigQuery ML",
        "Use tfx.v1.components.Pusher with a push_destination, and CREATE MODEL in BigQuery from "
        "what it has pushed.",
    )


class Pusher(CloudPusher):
    """Makes a model one of BigQuery ML, in TFX.

    Args:
        model: The model to deploy.
        model_blessing: Evaluator's word on it.
        infra_blessing: InfraValidator's word on it.
        custom_config: Project, dataset and name of the model, under SERVING_ARGS_KEY.
    """

    EXECUTOR_SPEC = ExecutorClassSpec(PusherExecutor)
