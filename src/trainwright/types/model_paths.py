"""Paths of the models inside a Model artifact."""

from __future__ import annotations

import os
import warnings

SERVING_MODEL_DIR = "Format-Serving"
EVAL_MODEL_DIR = "Format-TFMA"
STAMPED_MODEL_DIR = "stamped_model"

# Inside a SavedModel of Keras 3: what the model was compiled with. SavedModels have this directory
# for files of other libraries.
COMPILE_CONFIG = os.path.join("assets.extra", "keras_compile_config.json")

# Kinds of model, as Evaluator's model_type names them.
TFMA_EVAL = "tfma_eval"
TF_ESTIMATOR = "tf_estimator"
TF_KERAS = "tf_keras"
TF_GENERIC = "tf_generic"
TF_LITE = "tf_lite"
TF_JS = "tf_js"
ONNX = "onnx"

# The files of converted models: TFX's name, ours, and that of TensorFlow.js.
LITERT_FILE = "tflite"
ONNX_FILE = "model.onnx"
TFJS_FILE = "model.json"

_OLD_SERVING_MODEL_DIR = "serving_model_dir"
_OLD_EVAL_MODEL_DIR = "eval_model_dir"


def serving_model_dir(output_uri: str, is_old_artifact: bool = False) -> str:
    """Where a trainer writes the model that is served."""
    return os.path.join(
        output_uri, _OLD_SERVING_MODEL_DIR if is_old_artifact else SERVING_MODEL_DIR
    )


def eval_model_dir(output_uri: str, is_old_artifact: bool = False) -> str:
    """Where a trainer writes a model made for evaluation."""
    return os.path.join(output_uri, _OLD_EVAL_MODEL_DIR if is_old_artifact else EVAL_MODEL_DIR)


def get_model_dir_by_type(output_uri: str, model_type: str, is_old_artifact: bool = False) -> str:
    """Where a trainer writes a model of this kind, one of the names above."""
    model_dir = eval_model_dir if model_type == TFMA_EVAL else serving_model_dir
    return model_dir(output_uri, is_old_artifact)


def serving_model_path(output_uri: str, is_old_artifact: bool = False) -> str:
    """The served model itself, which Estimators put into `export/<exporter>/<timestamp>`."""
    model_dir = serving_model_dir(output_uri, is_old_artifact)
    export_dir = os.path.join(model_dir, "export")
    if not os.path.isdir(export_dir):
        return model_dir
    warnings.warn(
        "Models under export/ are deprecated; save directly to fn_args.serving_model_dir.",
        DeprecationWarning,
        stacklevel=2,
    )
    return _only_child(_only_child(export_dir))


def eval_model_path(output_uri: str, is_old_artifact: bool = False) -> str:
    """The model to evaluate: the eval model if there is one, the served one otherwise."""
    model_dir = eval_model_dir(output_uri, is_old_artifact)
    if os.path.exists(os.path.join(model_dir, "saved_model.pb")):
        return model_dir
    if os.path.isdir(model_dir):
        return _only_child(model_dir)
    return serving_model_path(output_uri, is_old_artifact)


def stamped_model_path(output_uri: str) -> str:
    """The model with warm-up requests that InfraValidator adds."""
    return os.path.join(output_uri, STAMPED_MODEL_DIR)


def warmup_file_path(saved_model_path: str) -> str:
    return os.path.join(saved_model_path, "assets.extra", "tf_serving_warmup_requests")


def _only_child(directory: str) -> str:
    children = os.listdir(directory)
    if len(children) != 1:
        raise RuntimeError(
            f"Expected exactly one entry in {directory}, found {sorted(children) or 'none'}."
        )
    return os.path.join(directory, children[0])
