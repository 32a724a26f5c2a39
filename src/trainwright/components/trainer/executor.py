"""GenericExecutor: calls the user's `run_fn` and checks what it saved."""

from __future__ import annotations

import logging
from typing import Any

from trainwright.components.trainer import training_environment
from trainwright.components.trainer.driver import NO_ESTIMATORS
from trainwright.components.trainer.explanations import explain
from trainwright.components.trainer.fn_args import FnArgs, make_fn_args
from trainwright.components.trainer.saved_model_check import check_serving_model
from trainwright.components.user_module import get_user_function
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor

# The name that the oldest module files import.
TrainerFnArgs = FnArgs

# The environment variable that tells a process its place in a cluster.
TF_CONFIG_ENV = "TF_CONFIG"

_logger = logging.getLogger(__name__)


class GenericExecutor(BaseExecutor):
    """Trains by calling `run_fn(fn_args)`, whatever library it uses."""

    PRELOAD = ("tensorflow", "trainwright.components.trainer.executor")
    VERSION = 2

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        fn_args = self._GetFnArgs(input_dict, output_dict, exec_properties)
        assert fn_args.serving_model_dir is not None
        training_environment.prepare(self.context.report_progress)
        try:
            run_fn = get_user_function(exec_properties, "run_fn")
            _logger.info("Training with %s, files %s", run_fn.__qualname__, fn_args.train_files)
            run_fn(fn_args)
        except Exception as error:
            explanation = explain(error, fn_args)
            if explanation is None:
                raise
            raise RuntimeError(explanation) from error
        check_serving_model(fn_args.serving_model_dir)
        _logger.info(
            "Model written to %s, files of the run to %s",
            fn_args.serving_model_dir,
            fn_args.model_run_dir,
        )

    def _GetFnArgs(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> FnArgs:
        return make_fn_args(input_dict, output_dict, exec_properties)


class Executor(GenericExecutor):
    """TFX's executor for Estimators, under its name: it says what to do instead.

    Estimators ended with TensorFlow 2.15. A pipeline that names this executor is refused before it
    starts; a module file that has `run_fn`, too, runs without naming an executor.
    """

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        if not any(
            exec_properties.get(key) for key in ("module_file", "module_path", "trainer_fn")
        ):
            raise ValueError(
                "Neither module file or user function have been supplied in `exec_properties`."
            )
        raise RuntimeError(NO_ESTIMATORS)
