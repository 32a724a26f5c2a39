"""The model that a training starts from: where it lies, and whether it can be loaded."""

from __future__ import annotations

import os

from trainwright.types import model_paths
from trainwright.types.artifact import Artifact

SAVED_MODEL_FILE = "saved_model.pb"

# What is beside `saved_model.pb`: where one of these is, it belongs there too.
_PARTS_OF_A_SAVED_MODEL = ("variables", "fingerprint.pb", "keras_metadata.pb")

_ADVICE = "Choose another model, or leave base_model out to train from scratch."


def find_base_model(model: Artifact) -> str:
    """The path that `run_fn` loads the model from.

    That is the served model of a Trainer's output. What was imported may also be the SavedModel
    itself, or one file (`.keras`). Loading any other kind of model is left to the user.

    Raises:
        FileNotFoundError: if there is no model, or a part of it is missing.
    """
    if os.path.isfile(model.uri):
        return model.uri
    if os.path.exists(os.path.join(model.uri, SAVED_MODEL_FILE)):
        path = model.uri
    else:
        path = model_paths.serving_model_path(model.uri)
    _check(model, path)
    return path


def _check(model: Artifact, path: str) -> None:
    shown = model._brief()
    names = os.listdir(path) if os.path.isdir(path) else []
    if not names:
        raise FileNotFoundError(
            f"The base model {shown} has no files at {path}. A SavedModel is expected there, or "
            f"in {model.uri} itself. Was it deleted? {_ADVICE}"
        )
    if SAVED_MODEL_FILE not in names and any(part in names for part in _PARTS_OF_A_SAVED_MODEL):
        raise FileNotFoundError(
            f"The base model {shown} cannot be loaded: {path} holds {', '.join(sorted(names))}, "
            f"but {SAVED_MODEL_FILE} is missing. {_ADVICE}"
        )
    if SAVED_MODEL_FILE in names and not _has_variables(path, names):
        raise FileNotFoundError(
            f"The base model {shown} cannot be loaded: variables.index and variables.data-* are "
            f"not both in {os.path.join(path, 'variables')}. {_ADVICE}"
        )


def _has_variables(path: str, names: list[str]) -> bool:
    """Whether the variables are whole; only models of TensorFlow 1 may have none."""
    found = os.listdir(os.path.join(path, "variables")) if "variables" in names else []
    has_index = "variables.index" in found
    has_data = any(name.startswith("variables.data-") for name in found)
    return (has_index and has_data) or not (has_index or has_data or "fingerprint.pb" in names)
