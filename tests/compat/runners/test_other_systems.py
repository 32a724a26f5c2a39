"""Runners of other systems: a program can declare them, and `run` says what to use."""

from __future__ import annotations

import pytest

from tfx.orchestration.airflow.airflow_dag_runner import AirflowDagRunner, AirflowPipelineConfig
from tfx.orchestration.config.kubernetes_component_config import KubernetesComponentConfig
from tfx.orchestration.kubeflow import kubeflow_dag_runner, utils
from tfx.v1.dsl.components import Parameter
from tfx.v1.orchestration import experimental

CONFIG = experimental.KubeflowV2DagRunnerConfig(default_image={"Trainer": "gpu"})


@pytest.mark.parametrize(
    ("runner", "system"),
    [
        (experimental.KubeflowDagRunner(), "Kubeflow Pipelines 1"),
        (experimental.KubeflowV2DagRunner(CONFIG, output_filename="a.json"), "Vertex AI"),
        (AirflowDagRunner(AirflowPipelineConfig({"schedule_interval": None})), "Airflow"),
    ],
)
def test_run_says_what_to_use(runner, system):
    with pytest.raises(RuntimeError, match=f"{system}.*LocalDagRunner.*trainwright run FILE"):
        runner.run(object())


def test_the_config_of_vertex_keeps_what_it_is_given():
    assert CONFIG.default_image["Trainer"] == "gpu"
    assert CONFIG.default_image["default_image_path"].startswith("gcr.io/tfx-oss-public/tfx:")
    assert CONFIG.default_commands[:2] == ("python", "-m")


def test_a_wrong_config_is_refused():
    with pytest.raises(TypeError, match="config must be type of KubeflowV2DagRunnerConfig"):
        experimental.KubeflowV2DagRunner(AirflowPipelineConfig())
    with pytest.raises(TypeError, match="config must be type of KubeflowDagRunnerConfig"):
        experimental.KubeflowDagRunner(config=AirflowPipelineConfig())
    with pytest.warns(PendingDeprecationWarning, match="pass AirflowPipelineConfig"):
        runner = AirflowDagRunner({"max_active_runs": 1})
    assert runner.config.airflow_dag_config == {"max_active_runs": 1}


def test_the_metadata_service_is_named_by_kubeflows_variables():
    config = kubeflow_dag_runner.KubeflowDagRunnerConfig(tfx_image="mine").kubeflow_metadata_config
    host = config.grpc_config.grpc_service_host
    assert host.environment_variable == "METADATA_GRPC_SERVICE_HOST"


def test_an_exit_handler_is_a_component_whose_status_kubeflow_fills_in():
    @experimental.exit_handler
    def notify(final_status: Parameter[str]):
        print(final_status)

    node = notify(final_status=experimental.FinalStatusStr())
    experimental.KubeflowDagRunner().set_exit_handler(node)
    utils.replace_exec_properties(node)
    assert node.exec_properties["final_status"] == "{{workflow.status}}"


def test_a_pod_of_the_kubernetes_client_becomes_a_dict():
    class Spec:
        attribute_map = {"service_account": "serviceAccount", "volumes": "volumes"}
        service_account = "me"
        volumes = None

    class Pod:
        attribute_map = {"spec": "spec"}
        spec = Spec()

    assert KubernetesComponentConfig(Pod()).pod == {"spec": {"serviceAccount": "me"}}
    with pytest.raises(ValueError, match="pod must have a value"):
        KubernetesComponentConfig({})
