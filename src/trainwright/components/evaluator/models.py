"""Files of a Model artifact that are evaluated, and their loaders."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from trainwright.components.user_module import load_user_module
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.dsl.remote_files import REMOTE_FILES
from trainwright.evaluation.models.eval_saved_model import LABEL, read_label_names
from trainwright.evaluation.models.evaluated_model import EVAL_SAVED_MODEL, ModelSource
from trainwright.evaluation.models.model_formats import (
    FORMATS,
    format_of_files,
    format_of_type,
    served_model_source,
)
from trainwright.evaluation.models.saved_model import EVAL_SIGNATURE
from trainwright.proto.tfma import config_pb2
from trainwright.types import model_paths
from trainwright.types.artifact import Artifact

CUSTOM_MODEL_FN = "custom_eval_shared_model"
CUSTOM_EXTRACTORS_FN = "custom_extractors"

_CUSTOM_MODEL = "trainwright.components.evaluator.custom_model:load_custom_model"

# Kinds of model that are evaluated by what an Estimator exports for evaluation.
_ESTIMATOR_TYPES = (model_paths.TF_ESTIMATOR, model_paths.TFMA_EVAL)
_SAVED_MODEL_TYPES = ("", model_paths.TF_GENERIC, model_paths.TF_KERAS, *_ESTIMATOR_TYPES)
_TYPES = (*_SAVED_MODEL_TYPES, *(each.model_type for each in FORMATS))


def find_model(
    artifact: Artifact,
    spec: config_pb2.ModelSpec,
    exec_properties: Mapping[str, Any],
    schema_path: str | None = None,
    examples: ExampleFiles | None = None,
) -> ModelSource:
    """The served model; where there is an EvalSavedModel, that; or what the user's function loads.

    Raises:
        ValueError: if it is of a kind that cannot be evaluated, or what runs it is not installed.
        FileNotFoundError: if there is no model.
    """
    user_module = {
        key: exec_properties[key]
        for key in ("module_file", "module_path", REMOTE_FILES)
        if exec_properties.get(key)
    }
    if user_module.keys() - {REMOTE_FILES} and has_custom_model(user_module):
        path = model_paths.serving_model_path(artifact.uri)
        arguments = {
            "user_module": user_module,
            "schema_path": schema_path,
            "examples": (examples or ExampleFiles()).to_json(),
        }
        return ModelSource(path, _CUSTOM_MODEL, arguments)
    asks_for_it = asks_for_eval_model(spec)
    serving, evaluation = _paths(artifact)
    if evaluation and (asks_for_it or not (spec.model_type or spec.signature_name)):
        return eval_model_source(evaluation, spec)
    return served_model_source(serving, spec)


def check_model_types(config: config_pb2.EvalConfig) -> None:
    """Refuses kinds of model that cannot be evaluated, or not here.

    Raises:
        ValueError: which says what to do.
    """
    for spec in config.model_specs:
        asks_for_eval_model(spec)
        named = format_of_type(spec.model_type)
        if named:
            named.check_installed(f"A model of model_type={spec.model_type!r}")


def asks_for_eval_model(spec: config_pb2.ModelSpec) -> bool:
    """Whether a model spec is of what an Estimator exports for evaluation.

    Raises:
        ValueError: if it is of a kind that cannot be evaluated.
    """
    if spec.model_type not in _TYPES:
        raise ValueError(
            f"The model spec says model_type={spec.model_type!r}: expected one of "
            f"{', '.join(filter(None, _TYPES))}. A model of another kind is loaded by "
            f"{CUSTOM_MODEL_FN} in the Evaluator's module file."
        )
    if spec.model_type not in _SAVED_MODEL_TYPES:
        return False
    return spec.model_type in _ESTIMATOR_TYPES or spec.signature_name == EVAL_SIGNATURE


def eval_model_source(path: str, spec: config_pb2.ModelSpec) -> ModelSource:
    """An EvalSavedModel, whose labels come from the model unless the spec names some."""
    if not spec.label_key and not spec.label_keys:
        labels = read_label_names(path)
        if len(labels) == 1:
            spec.label_key = labels[0] or LABEL
        # Each head of several has a label of its name.
        spec.label_keys.update({name: name for name in labels if len(labels) > 1})
    return ModelSource(path, EVAL_SAVED_MODEL)


def has_custom_model(user_module: Mapping[str, Any]) -> bool:
    """Whether the user's module says how models are loaded or asked."""
    module = load_user_module(user_module)
    return any(hasattr(module, name) for name in (CUSTOM_MODEL_FN, CUSTOM_EXTRACTORS_FN))


def _paths(artifact: Artifact) -> tuple[str, str | None]:
    """The served model, and the one for evaluation if there is one."""
    is_saved_model = os.path.exists(os.path.join(artifact.uri, "saved_model.pb"))
    if is_saved_model or format_of_files(artifact.uri):
        return artifact.uri, None  # imported as it is
    serving = model_paths.serving_model_path(artifact.uri)
    evaluation = model_paths.eval_model_path(artifact.uri)
    return serving, evaluation if evaluation != serving else None
