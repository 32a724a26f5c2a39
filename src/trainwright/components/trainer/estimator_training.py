"""Training an Estimator: what `trainer_fn` returned is trained, exported and copied to the model.

The user's function gets the directory of the run in place of the model's: checkpoints, logs and
exports are written there, and when the training is over the chief copies the exported model to
`Format-Serving` and the one for evaluation to `Format-TFMA`.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.components.estimator_repairs import is_installed, missing_extra
from trainwright.components.trainer.eval_export import EXAMPLES_INPUT, export_eval_savedmodel
from trainwright.components.trainer.fn_args import FnArgs
from trainwright.types import model_paths

# What trainer_fn returns, by name.
_NEEDED = ("estimator", "train_spec", "eval_spec", "eval_input_receiver_fn")

_EVAL_INPUT_RECEIVER = (
    "tfma.export.EvalInputReceiver(features=features, labels=features['label'], "
    "receiver_tensors={'examples': serialized})"
)

# A directory that an exporter is still writing, or whose writer was killed.
_UNFINISHED = re.compile(r"temp-")

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
    continued = _continue_from(earlier_runs, fn_args.model_run_dir)
    spec = _check_spec(trainer_fn(fn_args, schema))
    estimator, eval_spec = spec["estimator"], spec["eval_spec"]
    _check_receiver(spec["eval_input_receiver_fn"], estimator)
    try:
        evaluated = tf.estimator.train_and_evaluate(estimator, spec["train_spec"], eval_spec)
        if continued and evaluated is not None and evaluated[0] is None:
            _export_last_checkpoint(estimator, eval_spec)
    except Exception:
        if continued:
            _logger.error(
                "The training had gone on from the checkpoint of an earlier attempt in %s. Remove "
                "that directory to begin anew.",
                continued,
            )
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
    """
    config = json.loads(os.environ.get("TF_CONFIG") or "{}")
    cluster = config.get("cluster") or {}
    if not cluster:
        return True
    task = config.get("task", {})
    kind, index = task.get("type"), int(task.get("index", 0))
    if kind == "worker":
        return index == 0 and not {"chief", "master"} & cluster.keys()
    return kind in ("chief", "master") and index == 0


def _read_schema(path: str | None) -> Any:
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    if path is None:
        raise ValueError(
            "trainer_fn(trainer_fn_args, schema) needs a schema and the Trainer has none. Give it "
            "schema=schema_gen.outputs['schema'], or that of ImportSchemaGen."
        )
    with open(path, encoding="utf-8") as file:
        return text_format.Parse(file.read(), schema_pb2.Schema())


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
    return returned


def _continue_from(earlier_runs: Sequence[str], model_run_dir: str) -> str | None:
    """Takes over the files of the latest attempt that has written a checkpoint."""
    for earlier in earlier_runs:
        latest = _latest_checkpoint(earlier)
        if latest is not None:
            _logger.info("Training goes on from %s of an earlier attempt.", latest)
            _take_over(earlier, model_run_dir)
            return earlier
    return None


def _latest_checkpoint(directory: str) -> str | None:
    import tensorflow as tf

    for below, directories, files in os.walk(directory):
        directories[:] = [name for name in directories if not _UNFINISHED.match(name)]
        latest = tf.train.latest_checkpoint(below) if "checkpoint" in files else None
        if latest is not None:
            return str(latest)
    return None


def _take_over(earlier: str, model_run_dir: str) -> None:
    """Copies the files of a run, so that a kill leaves all that names a checkpoint or nothing."""
    unfinished = tempfile.mkdtemp(prefix="temp-", dir=model_run_dir)
    shutil.copytree(
        earlier,
        unfinished,
        copy_function=_link_or_copy,
        ignore=lambda _, names: filter(_UNFINISHED.match, names),
        dirs_exist_ok=True,
    )
    # The file that names the checkpoints comes last.
    for name in sorted(os.listdir(unfinished), key=lambda name: name == "checkpoint"):
        os.rename(os.path.join(unfinished, name), os.path.join(model_run_dir, name))
    os.rmdir(unfinished)


def _link_or_copy(source: str, target: str) -> None:
    """Checkpoints, which may be large and are never written to again, are linked."""
    if ".ckpt-" in os.path.basename(source):
        with contextlib.suppress(OSError):  # no links here, or another file system
            os.link(source, target)
            return
    shutil.copy2(source, target)


def _export_last_checkpoint(estimator: Any, eval_spec: Any) -> None:
    """What an attempt had left to do that died after its last step: Estimators export only after
    training."""
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
    found = {}
    for name in names:
        directory = os.path.join(model_dir, "export", name)
        versions = os.listdir(directory) if os.path.isdir(directory) else []
        whole = [version for version in versions if not _UNFINISHED.match(version)]
        if whole:
            found[name] = os.path.join(directory, max(whole, key=lambda v: (len(v), v)))
    if not found:
        raise RuntimeError(
            f"No model was exported: {', '.join(names)} of eval_spec's exporters left nothing in "
            f"{os.path.join(model_dir, 'export')}. A FinalExporter exports when train_spec's "
            "max_steps are reached, and a BestExporter when the metrics have become better: look "
            "at both, and at the evaluations in the node's log."
        )
    chosen = next(name for name in names if name in found)
    if len(names) > 1:
        _logger.info(
            "The model is what the exporter %r exported, the first of %s that exported one.",
            chosen,
            ", ".join(names),
        )
    return found[chosen]


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


def _export_for_evaluation(spec: Mapping[str, Any], base: str, eval_dir: str) -> None:
    """Writes the EvalSavedModel where TFX has it, and copies it to the model."""
    exported = export_eval_savedmodel(
        estimator=spec["estimator"],
        export_dir_base=base,
        eval_input_receiver_fn=spec["eval_input_receiver_fn"],
    )
    shutil.copytree(exported, eval_dir)
