"""Training an Estimator: what `trainer_fn` returned is trained, exported and copied to the model.

The user's function gets the directory of the run in place of the model's: checkpoints, logs and
exports are written there, and when the training is over the chief copies the exported model to
`Format-Serving` and the one for evaluation to `Format-TFMA`.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trainwright._estimator_repairs import is_installed, missing_extra
from trainwright._suggest import did_you_mean
from trainwright.components.trainer.estimator_resumption import (
    UNFINISHED,
    advice_to_begin_anew,
    continue_from,
)
from trainwright.components.trainer.eval_export import EXAMPLES_INPUT, export_eval_savedmodel
from trainwright.components.user_training.fn_args import FnArgs
from trainwright.dsl.io.io_utils import parse_pbtxt_file
from trainwright.types import model_paths

# What trainer_fn returns, by name.
_NEEDED = ("estimator", "train_spec", "eval_spec", "eval_input_receiver_fn")

_EVAL_INPUT_RECEIVER = (
    "tfma.export.EvalInputReceiver(features=features, labels=features['label'], "
    "receiver_tensors={'examples': serialized})"
)

# How an error of TensorFlow shows that it is about reading a checkpoint.
_ABOUT_RESTORING = ("Restoring from checkpoint failed", "RestoreV2")

_logger = logging.getLogger(__name__)


def train_estimator(
    trainer_fn: Callable[..., Any], fn_args: FnArgs, earlier_runs: Sequence[str] = ()
) -> None:
    """Trains what `trainer_fn(fn_args, schema)` returns, and writes both models.

    Args:
        trainer_fn: The user's function.
        fn_args: Of the execution.
        earlier_runs: The directories of failed attempts at the same training, the latest first:
            the training goes on from the last checkpoint among them.

    Raises:
        ValueError: if what the function returned cannot be trained or exported.
        RuntimeError: if no model was exported.
    """
    if not is_installed():
        raise ImportError(missing_extra("trainer_fn"))
    import tensorflow as tf

    schema = _read_schema(fn_args.schema_file)
    serving_dir, eval_dir = fn_args.serving_model_dir, fn_args.eval_model_dir
    assert serving_dir is not None
    assert eval_dir is not None
    assert fn_args.model_run_dir is not None
    fn_args.serving_model_dir = model_paths.serving_model_dir(fn_args.model_run_dir)
    fn_args.eval_model_dir = model_paths.eval_model_dir(fn_args.model_run_dir)
    is_chief()  # TF_CONFIG is looked at before a module reads it, and after it may have set it
    continued = continue_from(earlier_runs, fn_args.model_run_dir)
    spec = _check_spec(trainer_fn(fn_args, schema))
    estimator, eval_spec = spec["estimator"], spec["eval_spec"]
    _check_model_dir(estimator, fn_args.model_run_dir)
    _check_receiver(spec["eval_input_receiver_fn"], estimator)
    _check_serving_receivers(eval_spec.exporters)
    if spec["train_spec"].max_steps is None:
        _logger.warning(
            "train_spec has no max_steps: training ends when its input_fn has no more data, which "
            "may be never. Trainer(train_args=TrainArgs(num_steps=...)) is trainer_fn_args."
            "train_steps, to give to TrainSpec(max_steps=...)."
        )
    try:
        evaluated = tf.estimator.train_and_evaluate(estimator, spec["train_spec"], eval_spec)
        # None is what a process of a cluster gets.
        if evaluated is not None and _is_unexported(estimator, eval_spec, evaluated[0]):
            _export_last_checkpoint(estimator, eval_spec)
    except Exception as error:
        if not continued:
            raise
        advice = advice_to_begin_anew(earlier_runs, fn_args.model_run_dir)
        if any(sign in str(error) for sign in _ABOUT_RESTORING):
            raise RuntimeError(f"The checkpoint does not fit the model. {advice}") from error
        _logger.error("%s", advice)
        raise
    if not is_chief():
        _logger.info("This is not the chief: the model is exported by the process that is.")
        return
    exported = _find_export(estimator.model_dir, eval_spec.exporters)
    _export_for_evaluation(spec, fn_args.eval_model_dir, eval_dir)
    shutil.copytree(exported, serving_dir)
    _logger.info("Model copied from %s to %s", exported, serving_dir)


def is_chief() -> bool:
    """Whether this process exports the model: it is alone, or its cluster's chief.

    In a cluster of workers only, the first of them is the chief, as for tf.distribute.

    Raises:
        ValueError: if TF_CONFIG does not say so.
    """
    cluster, task = _read_cluster()
    if not cluster:
        return True
    kind, index = task["type"], int(task.get("index", 0))
    if kind == "worker":
        return index == 0 and not {"chief", "master"} & cluster.keys()
    return kind in ("chief", "master") and index == 0


def _read_cluster() -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The cluster of this process and its task in it, both empty if it is alone."""
    text = os.environ.get("TF_CONFIG") or "{}"
    try:
        config = json.loads(text)
        cluster, task = config.get("cluster") or {}, config.get("task") or {}
        if not cluster or (dict(cluster) and task["type"] and int(task.get("index", 0)) >= 0):
            return cluster, task
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    raise ValueError(
        f"The environment variable TF_CONFIG is {text!r}; expected JSON such as "
        '{"cluster": {"chief": ["host:port"], "worker": ["host:port"]}, "task": {"type": "chief", '
        '"index": 0}}. Unset it to train in this process alone.'
    )


def _read_schema(path: str | None) -> Any:
    from tensorflow_metadata.proto.v0 import schema_pb2

    if path is None:
        raise ValueError(
            "trainer_fn(trainer_fn_args, schema) needs a schema and the Trainer has none. Give it "
            "schema=schema_gen.outputs['schema'], or that of ImportSchemaGen."
        )
    return parse_pbtxt_file(path, schema_pb2.Schema())


def _check_spec(returned: Any) -> Mapping[str, Any]:
    """Refuses what cannot be trained and exported, before hours of training."""
    import tensorflow as tf

    if not isinstance(returned, Mapping):
        raise ValueError(
            f"trainer_fn returned {type(returned).__name__}; expected a dict with "
            f"{', '.join(_NEEDED)}."
        )
    for name in _NEEDED:
        if returned.get(name) is None:
            raise ValueError(
                f"trainer_fn returned a dict without {name!r}{did_you_mean(name, returned)} It "
                f"needs {', '.join(_NEEDED)}."
            )
    expected = {
        "estimator": tf.compat.v1.estimator.Estimator,
        "train_spec": tf.estimator.TrainSpec,
        "eval_spec": tf.estimator.EvalSpec,
    }
    for name, kind in expected.items():
        if not isinstance(returned[name], kind):
            raise ValueError(
                f"trainer_fn returned {type(returned[name]).__name__} as {name!r}; expected a "
                f"tf.estimator.{kind.__name__}."
            )
    if not callable(returned["eval_input_receiver_fn"]):
        raise ValueError(
            "trainer_fn returned no function as 'eval_input_receiver_fn', but "
            f"{type(returned['eval_input_receiver_fn']).__name__}. It is called while the model is "
            "exported: return the function itself, or a lambda."
        )
    if not returned["eval_spec"].exporters:
        raise ValueError(
            "eval_spec has no exporters, so that no model would be exported. Give it one: "
            "tf.estimator.EvalSpec(..., exporters=[tf.estimator.FinalExporter('taxi', "
            "serving_input_receiver_fn)])."
        )
    for exporter in returned["eval_spec"].exporters:
        if os.path.isabs(exporter.name) or os.pardir in exporter.name.split(os.sep):
            raise ValueError(
                f"eval_spec has an exporter named {exporter.name!r}. It exports to a directory of "
                "that name in the model_dir: expected a name such as 'taxi'."
            )
    return returned


def _check_model_dir(estimator: Any, model_run_dir: str) -> None:
    """Another directory may have the checkpoints and exports of another training."""
    model_dir, run = os.path.realpath(estimator.model_dir), os.path.realpath(model_run_dir)
    if os.path.commonpath([model_dir, run]) != run and not _read_cluster()[0]:
        raise ValueError(
            f"The Estimator's model_dir is {estimator.model_dir}; expected that of this training, "
            "whose checkpoints are kept with it: tf.estimator.RunConfig("
            "model_dir=trainer_fn_args.serving_model_dir)."
        )


def _is_unexported(estimator: Any, eval_spec: Any, result: Any) -> bool:
    """Whether the last checkpoint is still to be exported.

    Estimators export only after training, and an earlier attempt may have died after its last step:
    then there is no result. A FinalExporter exports only when max_steps are reached, but training
    may end earlier: with the data, or by a hook.
    """
    return result is None or not _find_exports(estimator.model_dir, eval_spec.exporters)


def _export_last_checkpoint(estimator: Any, eval_spec: Any) -> None:
    checkpoint = estimator.latest_checkpoint()
    _logger.info("Nothing is left to train after %s: it is evaluated and exported.", checkpoint)
    result = estimator.evaluate(
        eval_spec.input_fn, eval_spec.steps, eval_spec.hooks, checkpoint, eval_spec.name
    )
    for exporter in eval_spec.exporters:
        path = os.path.join(estimator.model_dir, "export", exporter.name)
        exporter.export(estimator, path, checkpoint, result, is_the_final_export=True)


def _find_export(model_dir: str, exporters: Sequence[Any]) -> str:
    """What the first of the exporters exported last.

    Raises:
        RuntimeError: if none has exported anything.
    """
    names = [exporter.name for exporter in exporters]
    found = _find_exports(model_dir, exporters)
    if not found:
        raise RuntimeError(
            f"No model was exported: {', '.join(names)} of eval_spec's exporters left nothing in "
            f"{os.path.join(model_dir, 'export')}. A FinalExporter exports when training has "
            "ended, and a BestExporter when the metrics have become better: look at both, and at "
            "the evaluations in the node's log."
        )
    chosen = next(iter(found))
    if len(names) > 1:
        _logger.info(
            "The model is what the exporter %r exported, the first of %s that exported one.",
            chosen,
            ", ".join(names),
        )
    return found[chosen]


def _find_exports(model_dir: str, exporters: Sequence[Any]) -> dict[str, str]:
    """The last export of each exporter that has exported anything, in their order."""
    found = {}
    for name in (exporter.name for exporter in exporters):
        directory = os.path.join(model_dir, "export", name)
        versions = os.listdir(directory) if os.path.isdir(directory) else []
        whole = [version for version in versions if not UNFINISHED.match(version)]
        if whole:
            found[name] = os.path.join(directory, max(whole, key=lambda v: (len(v), v)))
    return found


def _check_receiver(eval_input_receiver_fn: Callable[[], Any], estimator: Any) -> None:
    """Calls the function in a graph of its own: what it returns is exported after the training."""
    import tensorflow as tf
    from tensorflow.python.util import function_utils

    with tf.Graph().as_default():
        receiver = eval_input_receiver_fn()
    tensors = getattr(receiver, "receiver_tensors", None)
    if not isinstance(tensors, Mapping) or EXAMPLES_INPUT not in tensors:
        raise ValueError(
            f"eval_input_receiver_fn returned {type(receiver).__name__}; expected "
            f"{_EVAL_INPUT_RECEIVER}, from which the Evaluator knows features and labels."
        )
    needs_labels = "labels" in function_utils.fn_args(estimator._model_fn)
    if needs_labels and getattr(receiver, "labels", None) is None:
        raise ValueError(
            "eval_input_receiver_fn returned a receiver without labels, which the model needs to "
            f"be evaluated. Give it the parsed label: {_EVAL_INPUT_RECEIVER}."
        )


def _check_serving_receivers(exporters: Sequence[Any]) -> None:
    """Calls what TensorFlow's exporters call after the training; others are let alone."""
    import tensorflow as tf

    for exporter in exporters:
        exporter = getattr(exporter, "_base_exporter", exporter)
        saved_model_exporter = getattr(exporter, "_saved_model_exporter", None)
        function = getattr(saved_model_exporter, "_serving_input_receiver_fn", None)
        if function is None:
            continue
        with tf.Graph().as_default():
            receiver = function()
        if not hasattr(receiver, "receiver_tensors"):
            raise ValueError(
                f"serving_input_receiver_fn of the exporter {exporter.name!r} returned "
                f"{type(receiver).__name__}; expected a tf.estimator.export.ServingInputReceiver. "
                "What build_parsing_serving_input_receiver_fn returns is the function itself."
            )


def _export_for_evaluation(spec: Mapping[str, Any], base: str, eval_dir: str) -> None:
    """Writes the EvalSavedModel where TFX has it, and copies it to the model."""
    exported = export_eval_savedmodel(
        estimator=spec["estimator"],
        export_dir_base=base,
        eval_input_receiver_fn=spec["eval_input_receiver_fn"],
    )
    shutil.copytree(exported, eval_dir)
