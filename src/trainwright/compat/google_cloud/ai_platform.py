"""Tuner, Pusher and BulkInferrer for AI Platform and Vertex AI, which are refused before a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from trainwright.compat.google_cloud.cloud_work import CloudPusher, needs_google_cloud
from trainwright.compat.google_cloud.unsupported import UnsupportedDriver, UnsupportedExecutor
from trainwright.components.tuner import component as tuner
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import bulk_inferrer_pb2
from trainwright.types import json_utils
from trainwright.types.channel import BaseChannel, Channel
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_artifacts import Examples, InferenceResult, Model, ModelBlessing


class PusherExecutor(UnsupportedExecutor):
    """Deploys a model to AI Platform or Vertex AI."""

    CANNOT_RUN = needs_google_cloud(
        "Pushing a model to AI Platform or Vertex AI",
        "Use tfx.v1.components.Pusher with a push_destination: a directory that a server watches.",
    )


class TunerExecutor(UnsupportedExecutor):
    """Searches for hyperparameters in jobs on AI Platform or Vertex AI."""

    CANNOT_RUN = needs_google_cloud(
        "Tuning in jobs of AI Platform or Vertex AI",
        "Use tfx.v1.components.Tuner, which searches on this machine, in several processes if "
        "tune_args.num_parallel_trials says so.",
    )


class BulkInferrerExecutor(UnsupportedExecutor):
    """Asks a model that is served by AI Platform or Vertex AI."""

    CANNOT_RUN = needs_google_cloud(
        "Inference with a model on AI Platform or Vertex AI",
        "Use tfx.v1.components.BulkInferrer, which asks the model on this machine.",
    )


class Pusher(CloudPusher):
    """Deploys a model to AI Platform or Vertex AI, in TFX.

    Args:
        model: The model to deploy.
        model_blessing: Evaluator's word on it.
        infra_blessing: InfraValidator's word on it.
        custom_config: The settings of the deployment, under SERVING_ARGS_KEY.
    """

    EXECUTOR_SPEC = ExecutorClassSpec(PusherExecutor)


class Tuner(tuner.Tuner):
    """Searches for hyperparameters on AI Platform or Vertex AI, in TFX.

    Args are those of `tfx.v1.components.Tuner`; `custom_config` has the jobs' settings.
    """

    EXECUTOR_SPEC = ExecutorClassSpec(TunerExecutor)
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = UnsupportedDriver


class CloudAIBulkInferrerComponentSpec(ComponentSpec):
    """What CloudAIBulkInferrerComponent takes and makes."""

    PARAMETERS = {
        "data_spec": ExecutionParameter(type=bulk_inferrer_pb2.DataSpec, optional=True),
        "output_example_spec": ExecutionParameter(
            type=bulk_inferrer_pb2.OutputExampleSpec, optional=True
        ),
        "custom_config": ExecutionParameter(type=str),
    }
    INPUTS = {
        "examples": ChannelParameter(type=Examples),
        "model": ChannelParameter(type=Model),
        "model_blessing": ChannelParameter(type=ModelBlessing, optional=True),
    }
    OUTPUTS = {
        "inference_result": ChannelParameter(type=InferenceResult, optional=True),
        "output_examples": ChannelParameter(type=Examples, optional=True),
    }


class CloudAIBulkInferrerComponent(BaseComponent):
    """Predicts with a model that AI Platform or Vertex AI serves for the time being, in TFX.

    Args:
        examples: What is predicted for.
        model: The model.
        model_blessing: Evaluator's word on it.
        data_spec: Which splits are predicted for.
        output_example_spec: If given, the output is `output_examples`, else `inference_result`.
        custom_config: The settings of the deployment, under SERVING_ARGS_KEY.
    """

    SPEC_CLASS = CloudAIBulkInferrerComponentSpec
    EXECUTOR_SPEC = ExecutorClassSpec(BulkInferrerExecutor)
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = UnsupportedDriver

    def __init__(
        self,
        examples: BaseChannel,
        model: BaseChannel | None = None,
        model_blessing: BaseChannel | None = None,
        data_spec: bulk_inferrer_pb2.DataSpec | RuntimeParameter | None = None,
        output_example_spec: bulk_inferrer_pb2.OutputExampleSpec | RuntimeParameter | None = None,
        custom_config: Mapping[str, Any] | None = None,
    ) -> None:
        output: dict[str, Channel] = (
            {"output_examples": Channel(type=Examples)}
            if output_example_spec is not None
            else {"inference_result": Channel(type=InferenceResult)}
        )
        spec = CloudAIBulkInferrerComponentSpec(
            examples=examples,
            model=model,
            model_blessing=model_blessing,
            data_spec=bulk_inferrer_pb2.DataSpec() if data_spec is None else data_spec,
            output_example_spec=output_example_spec,
            custom_config=json_utils.dumps(custom_config),
            **output,
        )
        super().__init__(spec=spec)
