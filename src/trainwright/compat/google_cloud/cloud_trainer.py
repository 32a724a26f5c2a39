"""Trainer for AI Platform and Vertex AI: it checks and writes the job that TFX would send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from trainwright._paths import is_remote
from trainwright.compat.google_cloud.job_submission import TRAIN_HERE, start_cloud_training
from trainwright.compat.google_cloud.training_job import ESTIMATOR_EXECUTOR, GENERIC_EXECUTOR
from trainwright.compat.google_cloud.training_settings import check_settings, read_settings
from trainwright.components.trainer import component as trainer
from trainwright.components.user_module import check_module_file
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types import json_utils
from trainwright.types.channel import BaseChannel
from trainwright.types.runtime_parameter import RuntimeParameter


class GenericExecutor(BaseExecutor):
    """Writes the job in which `run_fn` would train on AI Platform or Vertex AI.

    The files are in the directory of the ModelRun. The node fails all the same, because it has no
    model: the error says where they are and how to submit them.
    """

    CANNOT_FINISH = (
        "It writes the job for Vertex AI (job.json) and submits nothing, so its node ends with an "
        f"error that has the command to submit it. {TRAIN_HERE}"
    )

    # What the workers run, and the function that it calls.
    EXECUTOR_CLASS_PATH: ClassVar[str] = GENERIC_EXECUTOR
    FUNCTION: ClassVar[str] = "run_fn"

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        settings = read_settings(_custom_config(exec_properties))
        start_cloud_training(
            input_dict,
            output_dict,
            {
                name: value
                for name, value in exec_properties.items()
                if value is not None and not name.startswith("_")
            },
            self.EXECUTOR_CLASS_PATH,
            {**settings.job_args, "project": settings.project},
            settings.job_id,
            dict(settings.labels),
            settings.use_vertex,
            settings.region,
        )

    @classmethod
    def check_exec_properties(cls, node_id: str, exec_properties: Mapping[str, Any]) -> None:
        if cls.Do is not GenericExecutor.Do:
            return  # a user's own work may take other settings
        try:
            check_settings(read_settings(_custom_config(exec_properties)))
        except ValueError as error:
            raise ValueError(f"{node_id}: {error}") from error
        _check_functions(node_id, exec_properties, cls.FUNCTION)


class TrainerExecutor(GenericExecutor):
    """Writes the job in which an Estimator would train: TFX up to 1.15 calls `trainer_fn`."""

    EXECUTOR_CLASS_PATH = ESTIMATOR_EXECUTOR
    FUNCTION = "trainer_fn"


class CloudTrainerDriver(BaseDriver):
    """Leaves the checks to the executor, which other Trainers may be given as well."""

    def source_files(self, exec_properties: dict[str, Any]) -> Sequence[str]:
        module_file = exec_properties.get("module_file")
        return (module_file,) if module_file and not is_remote(module_file) else ()


class Trainer(trainer.Trainer):
    """Trains on AI Platform or Vertex AI, in TFX; here it writes the job for it.

    Args are those of `tfx.v1.components.Trainer`; `custom_config` has the job's settings.
    """

    EXECUTOR_SPEC = ExecutorClassSpec(GenericExecutor)
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = CloudTrainerDriver

    def __init__(
        self,
        examples: BaseChannel | None = None,
        transformed_examples: BaseChannel | None = None,
        transform_graph: BaseChannel | None = None,
        schema: BaseChannel | None = None,
        base_model: BaseChannel | None = None,
        hyperparameters: BaseChannel | None = None,
        module_file: str | RuntimeParameter | None = None,
        run_fn: str | RuntimeParameter | None = None,
        train_args: trainer.TrainArgsLike | None = None,
        eval_args: trainer.EvalArgsLike | None = None,
        custom_config: Mapping[str, Any] | None = None,
        *,
        trainer_fn: str | RuntimeParameter | None = None,
    ) -> None:
        super().__init__(
            examples=examples,
            transformed_examples=transformed_examples,
            transform_graph=transform_graph,
            schema=schema,
            base_model=base_model,
            hyperparameters=hyperparameters,
            module_file=module_file,
            run_fn=run_fn,
            train_args=train_args,
            eval_args=eval_args,
            custom_config=custom_config,
            trainer_fn=trainer_fn,
        )


def _custom_config(exec_properties: Mapping[str, Any]) -> Any:
    value = exec_properties.get("custom_config")
    return json_utils.loads(value) if isinstance(value, str) else value


def _check_functions(node_id: str, exec_properties: Mapping[str, Any], function: str) -> None:
    """Refuses user code that the workers could not find."""
    other = "trainer_fn" if function == "run_fn" else "run_fn"
    if exec_properties.get(other):
        executor = "Executor" if other == "trainer_fn" else "GenericExecutor"
        raise ValueError(
            f"{node_id} was given {other}, but its executor calls {function}. Give it {function}, "
            "or a Trainer custom_executor_spec=ExecutorClassSpec(executor."
            f"{executor}) of tfx.extensions.google_cloud_ai_platform.trainer."
        )
    if callable(exec_properties.get(function)):
        raise ValueError(
            f"{function} of {node_id} is a function of this program, which a worker elsewhere does "
            "not have. Give the dotted path of a function in the image, or a module_file."
        )
    module_file = exec_properties.get("module_file")
    if module_file and not is_remote(module_file):
        # What it imports must be in the workers' image, and need not be here.
        check_module_file(module_file, node_id, function, takes=(), imports_are_here=False)
