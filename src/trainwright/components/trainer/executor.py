"""GenericExecutor: calls the user's `run_fn`, or trains the Estimator of its `trainer_fn`."""

from __future__ import annotations

import logging
import os
import re
from typing import Any

from trainwright.components.trainer.estimator_training import train_estimator
from trainwright.components.trainer.fn_args import make_fn_args
from trainwright.components.user_module import (
    find_module_file,
    get_user_function,
    load_module_file,
)
from trainwright.components.user_training import environment
from trainwright.components.user_training.explanations import explain
from trainwright.components.user_training.fn_args import FnArgs
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor

# The name that the oldest module files import.
TrainerFnArgs = FnArgs

# The environment variable that tells a process its place in a cluster.
TF_CONFIG_ENV = "TF_CONFIG"

RUN_FN, TRAINER_FN = "run_fn", "trainer_fn"

_logger = logging.getLogger(__name__)

_VARIABLES_SHARD = re.compile(r"variables\.data-\d{5}-of-(\d{5})$")


class GenericExecutor(BaseExecutor):
    """Trains by calling `run_fn(fn_args)`, whatever library it uses.

    A module file that has no `run_fn` but `trainer_fn(trainer_fn_args, schema)` trains the
    Estimator which that returns; so does `trainer_fn` itself, if it is given.
    """

    PRELOAD = (
        "tensorflow",
        "trainwright.components.keras_preload",
        "trainwright.components.trainer.executor",
    )
    VERSION = 2

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        fn_args = self._GetFnArgs(input_dict, output_dict, exec_properties)
        serving_model_dir = fn_args.serving_model_dir
        assert serving_model_dir is not None
        environment.prepare(self.context.report_progress)
        try:
            name = self._choose_function(exec_properties)
            function = get_user_function(exec_properties, name)
            _logger.info("Training with %s, files %s", function.__qualname__, fn_args.train_files)
            if name == RUN_FN:
                function(fn_args)
            else:
                earlier_runs = self.context.earlier_outputs.get("model_run", ())
                train_estimator(function, fn_args, earlier_runs)
        except Exception as error:
            explanation = explain(error, fn_args)
            if explanation is None:
                raise
            raise RuntimeError(explanation) from error
        if name == RUN_FN:
            _check_serving_model(serving_model_dir)
        _logger.info(
            "Model written to %s, files of the run to %s", serving_model_dir, fn_args.model_run_dir
        )

    def _choose_function(self, exec_properties: dict[str, Any]) -> str:
        """The name of the function that trains: what is given, or what the module file has."""
        if exec_properties.get(TRAINER_FN):
            return TRAINER_FN
        module_file = find_module_file(exec_properties)
        if not module_file or exec_properties.get(RUN_FN):
            return RUN_FN
        module = load_module_file(module_file)
        has_trainer_fn = callable(getattr(module, TRAINER_FN, None))
        if not callable(getattr(module, RUN_FN, None)):
            return TRAINER_FN if has_trainer_fn else RUN_FN
        if has_trainer_fn:
            _logger.info(
                "%s has run_fn and trainer_fn: run_fn trains. To train the Estimator, give the "
                "Trainer the Estimator executor (tfx.components.trainer.executor.Executor).",
                module_file,
            )
        return RUN_FN

    def _GetFnArgs(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> FnArgs:
        return make_fn_args(input_dict, output_dict, exec_properties)


class Executor(GenericExecutor):
    """Trains the Estimator that `trainer_fn(trainer_fn_args, schema)` returns.

    The function returns a dict with `estimator`, `train_spec`, `eval_spec` and
    `eval_input_receiver_fn`. It needs a schema, and the extra `estimator`.
    """

    def _choose_function(self, exec_properties: dict[str, Any]) -> str:
        return TRAINER_FN


def _check_serving_model(serving_model_dir: str) -> None:
    """Raises RuntimeError unless `run_fn` saved a model, so that serving does not find out first.

    The directory must exist and hold something. If it holds a `saved_model.pb`, that must parse
    and its variables must be there. Anything else (a pickle, a LiteRT file) is the user's own.
    """
    if not os.path.isdir(serving_model_dir) or not os.listdir(serving_model_dir):
        raise RuntimeError(
            "run_fn failed to generate model. Nothing was saved to fn_args.serving_model_dir, "
            f"which is {serving_model_dir}. End run_fn with, for example, "
            "tf.saved_model.save(model, fn_args.serving_model_dir)."
        )
    path = os.path.join(serving_model_dir, "saved_model.pb")
    if os.path.exists(path):
        _check_saved_model(path)


def _check_saved_model(path: str) -> None:
    from tensorflow.core.protobuf import saved_model_pb2

    saved_model = saved_model_pb2.SavedModel()
    try:
        with open(path, "rb") as file:
            saved_model.ParseFromString(file.read())
    except Exception as error:  # protobuf's decode errors have no common public base
        raise RuntimeError(
            f"run_fn saved a broken model: {path} does not parse ({error})."
        ) from error
    if not saved_model.meta_graphs:
        raise RuntimeError(f"run_fn saved a broken model: {path} holds no graph.")
    if any(_has_variables(graph) for graph in saved_model.meta_graphs):
        _check_variables(os.path.join(os.path.dirname(path), "variables"))


def _has_variables(graph: object) -> bool:
    objects = graph.object_graph_def.nodes  # type: ignore[attr-defined]
    if any(node.WhichOneof("kind") == "variable" for node in objects):
        return True
    operations = graph.graph_def.node  # type: ignore[attr-defined]
    return any(node.op in ("VarHandleOp", "VariableV2") for node in operations)


def _check_variables(directory: str) -> None:
    names = os.listdir(directory) if os.path.isdir(directory) else []
    shards = [match for match in map(_VARIABLES_SHARD.match, names) if match]
    expected = int(shards[0].group(1)) if shards else 1
    if "variables.index" not in names or len(shards) != expected:
        raise RuntimeError(
            f"run_fn saved a model without its variables: {directory} holds {sorted(names)}, "
            "expected variables.index and all of variables.data-*. Was the directory changed "
            "after saving, or is the disk full?"
        )
