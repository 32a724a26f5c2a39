"""Names of TFX that are not here, each with what to use instead."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.
# ruff: noqa: E501

from __future__ import annotations

MISSING_NAMES = {
    "tfx.components.infra_validator.model_server_clients": (
        "It asks a model server by gRPC: "
        "trainwright.components.infra_validator.model_server_client asks by REST."
    ),
    "tfx.components.infra_validator.model_server_runners": (
        "It starts containers: servers are processes here "
        "(trainwright.components.infra_validator.model_server)."
    ),
    "tfx.components.infra_validator.serving_bins": (
        "It describes containers: servers are processes here, and "
        "TRAINWRIGHT_MODEL_SERVER names the program."
    ),
    "tfx.components.model_validator.driver": (
        "ModelValidator has become Evaluator: a Resolver with LatestBlessedModelStrategy "
        "finds the model to compare with."
    ),
    "tfx.components.model_validator.executor": (
        "ModelValidator has become Evaluator: use its executor, with thresholds in the eval_config."
    ),
    "tfx.components.transform.run_executor": "Use the command `trainwright run`, or call `Do` of the executor.",
    "tfx.dependencies": "It lists what the wheel of TFX requires; pyproject.toml does here.",
    "tfx.dsl.control_flow.for_each_internal.LoopVar": "It is a type variable of TFX's own annotations.",
    "tfx.dsl.hooks": "Hooks start programs of systems that are not public; use @component.",
    "tfx.dsl.placeholder.placeholder_base.types": "It is `typing.Any`, under a name that TFX's modules use among themselves.",
    "tfx.experimental": "There is nothing in its place.",
    "tfx.extensions.google_cloud_ai_platform.prediction_clients": "It talks to a Google Cloud service, which nothing here uses.",
    "tfx.orchestration.airflow.airflow_component": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.beam.beam_dag_runner.PipelineNodeAsDoFn": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.beam.legacy.beam_dag_runner.BeamDagRunner.run": "It is BeamDagRunner itself, whose argument is called pipeline.",
    "tfx.orchestration.experimental.centralized_kubernetes_orchestrator": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.async_pipeline_task_gen": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.component_generated_alert_pb2": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.deployment_config_utils": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.env": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.event_observer": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.garbage_collection": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.garbage_collection_extensions": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.mlmd_state": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.orchestration_options": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.pipeline_ops": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.pipeline_state": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.post_execution_utils": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.sample_mlmd_creator": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.service_jobs": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.sync_pipeline_task_gen": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.extract_properties": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.generate_cancel_task_from_running_execution": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.generate_resolved_info": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.generate_task_from_execution": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.generate_tasks_from_one_input": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.get_executions": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.get_latest_executions_set": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.get_next_active_execution_to_run": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.get_num_of_failures_from_failed_execution": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.get_unprocessed_inputs": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.interpret_status_from_failed_execution": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.register_executions": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.register_executions_from_existing_executions": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.resolve_exec_properties": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_gen_utils.update_external_artifact_type": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_manager": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_queue": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_scheduler": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.task_schedulers": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.core.testing": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.experimental.interactive.export_templates": "The scripts that export_to_pipeline writes are made without template files.",
    "tfx.orchestration.experimental.interactive.notebook_formatters.STATIC_HTML_CONTENTS": "The HTML here needs neither a style sheet nor a script around it.",
    "tfx.orchestration.experimental.kubernetes": "It is an orchestrator of its own; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.kubeflow.base_component": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.kubeflow.container_entrypoint": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.kubeflow.v2.compiler_utils": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.kubeflow.v2.components": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.kubeflow.v2.container": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.kubeflow.v2.file_based_example_gen": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.kubeflow.v2.parameter_utils": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.kubeflow.v2.pipeline_builder": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.kubeflow.v2.step_builder": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.kubeflow.v2.vertex_client_utils": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.orchestration.local.legacy.local_dag_runner.LocalDagRunner.run": "It is LocalDagRunner itself, whose argument is called pipeline.",
    "tfx.orchestration.portable.base_driver": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.base_driver_operator": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.base_executor_operator": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.beam_executor_operator": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.docker_executor_operator": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.execution_watcher": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.importer_node_handler": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.kubernetes_executor_operator": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.launcher": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.partial_run_utils": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.python_driver_operator": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.python_executor_operator": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.resolver_node_handler": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.system_node_handler": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.portable.tfx_runner": "It is the inside of TFX's own orchestrators; LocalDagRunner runs pipelines here.",
    "tfx.orchestration.publisher": (
        "It writes single executions; here the runner does. trainwright.open_store(PATH) "
        "reads them."
    ),
    "tfx.orchestration.python_execution_binary": (
        "It is the inside of a runner for another system; LocalDagRunner runs pipelines here."
    ),
    "tfx.proto.orchestration.execution_watcher_pb2_grpc": "It is the inside of TFX's own orchestrators, which watch executors over gRPC.",
    "tfx.scripts.run_component": "Use the command `trainwright`.",
    "tfx.tools": "The command `tfx` is here; the modules behind it are not.",
}
