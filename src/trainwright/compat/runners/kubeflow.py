"""KubeflowDagRunner, KubeflowV2DagRunner and their configs: they are declared, and say at `run()`
that nothing here runs on Kubeflow or Vertex AI."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, NoReturn

from trainwright._version import __version__
from trainwright.compat.runners.component_launchers import (
    BaseComponentLauncher,
    InProcessComponentLauncher,
    KubernetesComponentLauncher,
)
from trainwright.compat.runners.other_systems import not_run_here
from trainwright.compat.runners.pipeline_config import PipelineConfig
from trainwright.compat.runners.tfx_runner import TfxRunner
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.function_component import component
from trainwright.proto.kubeflow import kubeflow_pb2

_logger = logging.getLogger(__name__)

OpFunc = Callable[[Any], Any]

DEFAULT_KUBEFLOW_TFX_IMAGE = f"tensorflow/tfx:{__version__}"
KUBEFLOW_TFX_CMD = (
    "python",
    "-m",
    "tfx.orchestration.kubeflow.v2.container.kubeflow_v2_run_executor",
)
# The key of a dict of images for the nodes that it does not name.
DEFAULT_IMAGE_PATH_KEY = "default_image_path"
TFX_DAG_NAME = "tfx-dag"
LABEL_KFP_SDK_ENV = "pipelines.kubeflow.org/pipeline-sdk-type"

_V2_IMAGE = f"gcr.io/tfx-oss-public/tfx:{__version__}"
_GCP_SECRET = "user-gcp-sa"  # noqa: S105, the name of a secret


class FinalStatusStr(str):
    """The value for a parameter that an exit handler receives the pipeline's final status in."""

    __slots__ = ()


def exit_handler(func: Callable[..., Any]) -> Any:
    """Makes a component from a function that Vertex AI calls when a pipeline has ended.

    It is declared like any `@component`; `set_exit_handler` of a Kubeflow runner takes it.

    Example:
        ```python
        @exit_handler
        def notify(final_status: Parameter[str]):
            print(final_status)

        runner.set_exit_handler(notify(final_status=FinalStatusStr()))
        ```
    """
    return component(func)


def get_default_kubeflow_metadata_config() -> kubeflow_pb2.KubeflowMetadataConfig:
    """The metadata service of a cluster, by the environment variables that Kubeflow sets."""
    config = kubeflow_pb2.KubeflowMetadataConfig()
    grpc = config.grpc_config
    grpc.grpc_service_host.environment_variable = "METADATA_GRPC_SERVICE_HOST"
    grpc.grpc_service_port.environment_variable = "METADATA_GRPC_SERVICE_PORT"
    return config


def get_default_pod_labels() -> dict[str, str]:
    """The labels of a pipeline's pods."""
    return {"add-pod-env": "true", LABEL_KFP_SDK_ENV: "tfx"}


def get_default_output_filename(pipeline_name: str) -> str:
    return f"{pipeline_name}.tar.gz"


def get_default_pipeline_operator_funcs(use_gcp_sa: bool = False) -> list[OpFunc]:
    """What is applied to each container of a pipeline: the cluster's metadata settings, and the
    service account's secret if `use_gcp_sa`. The functions need kfp and kubernetes when called."""
    return [_use_gcp_secret, _mount_metadata_settings] if use_gcp_sa else [_mount_metadata_settings]


def _use_gcp_secret(container_op: Any) -> Any:
    from kfp import gcp

    return gcp.use_gcp_secret(_GCP_SECRET)(container_op)


def _mount_metadata_settings(container_op: Any) -> None:
    from kubernetes import client

    source = client.V1ConfigMapEnvSource(name="metadata-grpc-configmap", optional=True)
    container_op.container.add_env_from(client.V1EnvFromSource(config_map_ref=source))


class KubeflowDagRunnerConfig(PipelineConfig):
    """How a pipeline runs on Kubeflow Pipelines 1.

    Args:
        pipeline_operator_funcs: Functions that are applied to each container.
        tfx_image: The image of the nodes.
        kubeflow_metadata_config: How they reach their metadata.
        supported_launcher_classes: As for PipelineConfig.
        metadata_ui_path: Where a node writes what the cluster's pages show of it.
        **kwargs: Other arguments of PipelineConfig.
    """

    def __init__(
        self,
        pipeline_operator_funcs: list[OpFunc] | None = None,
        tfx_image: str | None = None,
        kubeflow_metadata_config: kubeflow_pb2.KubeflowMetadataConfig | None = None,
        supported_launcher_classes: list[type[BaseComponentLauncher]] | None = None,
        metadata_ui_path: str = "/mlpipeline-ui-metadata.json",
        **kwargs: Any,
    ) -> None:
        launchers = supported_launcher_classes or [
            InProcessComponentLauncher,
            KubernetesComponentLauncher,
        ]
        super().__init__(supported_launcher_classes=launchers, **kwargs)
        self.pipeline_operator_funcs = (
            pipeline_operator_funcs or get_default_pipeline_operator_funcs()
        )
        self.tfx_image = tfx_image or DEFAULT_KUBEFLOW_TFX_IMAGE
        self.kubeflow_metadata_config = (
            kubeflow_metadata_config or get_default_kubeflow_metadata_config()
        )
        self.metadata_ui_path = metadata_ui_path


class KubeflowV2DagRunnerConfig(PipelineConfig):
    """How a pipeline runs on Kubeflow Pipelines 2 or Vertex AI.

    Args:
        display_name: The pipeline's name on the pages of the service.
        default_image: The image of the nodes, or a dict of images by node id.
        default_commands: What is run in it.
        use_pipeline_spec_2_1: Whether the newer form of a pipeline's file is written.
        **kwargs: Other arguments of PipelineConfig.
    """

    def __init__(
        self,
        display_name: str | None = None,
        default_image: str | MutableMapping[str, str] | None = None,
        default_commands: list[str] | None = None,
        use_pipeline_spec_2_1: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.display_name = display_name
        self.default_image = default_image or _V2_IMAGE
        if isinstance(self.default_image, MutableMapping):
            self.default_image.setdefault(DEFAULT_IMAGE_PATH_KEY, _V2_IMAGE)
        self.default_commands = KUBEFLOW_TFX_CMD if default_commands is None else default_commands
        self.use_pipeline_spec_2_1 = use_pipeline_spec_2_1


class _KubeflowRunner(TfxRunner):
    """What both runners share: where they would write, and their exit handler."""

    def __init__(
        self, config: PipelineConfig, output_dir: str | None, output_filename: str | None
    ) -> None:
        super().__init__(config)
        self._output_dir = output_dir or os.getcwd()
        self._output_filename = output_filename
        self._exit_handler: BaseNode | None = None

    def set_exit_handler(self, exit_handler: BaseNode) -> None:
        """Chooses the component that runs when the pipeline has ended, however it did."""
        if not exit_handler:
            _logger.error("Setting empty exit handler is not allowed.")
            return
        self._exit_handler = exit_handler


class KubeflowDagRunner(_KubeflowRunner):
    """Writes a pipeline for Kubeflow Pipelines 1, in TFX; here `run` says what to use instead.

    Args:
        output_dir: Where the file goes.
        output_filename: Its name; that of the pipeline if None.
        config: How the pipeline runs on the cluster.
        pod_labels_to_attach: Labels of the pods.
    """

    RUNS_ON = "Kubeflow Pipelines 1"

    def __init__(
        self,
        output_dir: str | None = None,
        output_filename: str | None = None,
        config: KubeflowDagRunnerConfig | None = None,
        pod_labels_to_attach: dict[str, str] | None = None,
    ) -> None:
        if config and not isinstance(config, KubeflowDagRunnerConfig):
            raise TypeError(
                f"config must be type of KubeflowDagRunnerConfig. Got {type(config).__name__}."
            )
        super().__init__(config or KubeflowDagRunnerConfig(), output_dir, output_filename)
        self._pod_labels_to_attach = (
            get_default_pod_labels() if pod_labels_to_attach is None else pod_labels_to_attach
        )

    def set_exit_handler(self, exit_handler: BaseNode) -> None:
        if exit_handler and exit_handler.upstream_nodes:
            raise AssertionError("Exit handler should not depend on any other node.")
        super().set_exit_handler(exit_handler)

    def run(self, pipeline: Any) -> NoReturn:
        raise not_run_here(type(self).__name__, "a file", self.RUNS_ON)


class KubeflowV2DagRunner(_KubeflowRunner):
    """Writes a pipeline for Vertex AI or Kubeflow Pipelines 2, in TFX; here `run` says what to
    use instead.

    Args:
        config: How the pipeline runs there.
        output_dir: Where the file goes.
        output_filename: Its name.
    """

    RUNS_ON = "Vertex AI or Kubeflow Pipelines 2"

    def __init__(
        self,
        config: KubeflowV2DagRunnerConfig,
        output_dir: str | None = None,
        output_filename: str | None = None,
    ) -> None:
        if not isinstance(config, KubeflowV2DagRunnerConfig):
            raise TypeError(
                f"config must be type of KubeflowV2DagRunnerConfig. Got {type(config).__name__}."
            )
        super().__init__(config, output_dir, output_filename or "pipeline.json")

    def run(
        self,
        pipeline: Any,
        parameter_values: Mapping[str, Any] | None = None,
        write_out: bool | None = True,
    ) -> NoReturn:
        raise not_run_here(type(self).__name__, "a file", self.RUNS_ON)


def replace_exec_properties(component: BaseNode) -> None:
    """Puts Kubeflow's own words in place of each FinalStatusStr among a node's properties."""
    for key, value in list(component.exec_properties.items()):
        if isinstance(value, FinalStatusStr):
            component.exec_properties[key] = "{{workflow.status}}"


def fix_brackets(placeholder: str) -> str:
    """A placeholder with the closing braces that a pattern has cut off.

    >>> fix_brackets('{"name": {"a": 1')
    '{"name": {"a": 1}}'
    """
    missing = placeholder.count("{") - placeholder.count("}")
    if missing < 0:
        raise RuntimeError(f"Unexpected redundant left brackets found in {placeholder}")
    return placeholder + "}" * missing
