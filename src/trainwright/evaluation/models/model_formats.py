"""Models that are a file: how LiteRT's, ONNX's and TF.js' are told apart, found and loaded."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainwright._extras import install_advice
from trainwright._imports import is_installed
from trainwright.evaluation.models.evaluated_model import (
    LITERT_MODEL,
    ONNX_MODEL,
    SAVED_MODEL,
    TFJS_MODEL,
    ModelSource,
)
from trainwright.evaluation.models.tfjs_runtime import find_tfjs_runtime
from trainwright.types import model_paths

if TYPE_CHECKING:
    from trainwright.proto.tfma import config_pb2


@dataclass(frozen=True)
class ModelFormat:
    """A format of models that are a file.

    Args:
        name: What people call it.
        model_type: What a model spec calls it.
        file_name: Of the file in the model's directory.
        suffix: Of a file that may be there instead.
        factory: Of the `ModelSource`.
        package: What runs it, and an extra brings; empty for TensorFlow.js, which is for Node.
    """

    name: str
    model_type: str
    file_name: str
    suffix: str
    factory: str
    package: str = ""

    def find_file(self, path: str) -> str | None:
        """The model's file in its directory, or the path if it is that file; None if neither."""
        if os.path.isfile(path):
            is_it = os.path.basename(path) == self.file_name or path.endswith(self.suffix)
            return path if is_it else None
        file = os.path.join(path, self.file_name)
        if os.path.isfile(file):
            return file
        others = [name for name in _names_in(path) if name.endswith(self.suffix)]
        return os.path.join(path, others[0]) if len(others) == 1 else None

    def require_file(self, path: str) -> str:
        """The model's file.

        Raises:
            FileNotFoundError: which says what is there.
        """
        # A file of any other name, if it is named itself.
        file = path if os.path.isfile(path) else self.find_file(path)
        if file is None:
            found = _names_in(path)
            advice = f"Write the model to {os.path.join(path, self.file_name)}."
            if _SAVED_MODEL_FILE in found:
                advice = (
                    f"That is a SavedModel: leave model_type={self.model_type!r} out of its model "
                    "spec. A candidate and a baseline of different formats may have a spec each, "
                    "or one that has no model_type."
                )
            raise FileNotFoundError(
                f"There is no {self.name} model at {path}: expected the file {self.file_name} or "
                f"one *{self.suffix}, found {', '.join(found) or 'nothing'}. {advice}"
            )
        return file

    def check_installed(self, what: str) -> None:
        """Raises ValueError if what runs such models is missing, and says how to get it.

        Args:
            what: Is of this format, the subject of the error.
        """
        if not self.package:
            find_tfjs_runtime()
        elif not is_installed(self.package):
            raise ValueError(
                f"{what} is evaluated with {self.package}, which is not installed. Install it "
                f"with: {install_advice(self.package)}"
            )


_SAVED_MODEL_FILE = "saved_model.pb"

FORMATS = (
    ModelFormat(
        name="LiteRT",
        model_type=model_paths.TF_LITE,
        file_name=model_paths.LITERT_FILE,
        suffix=".tflite",
        factory=LITERT_MODEL,
        package="ai_edge_litert",
    ),
    ModelFormat(
        name="ONNX",
        model_type=model_paths.ONNX,
        file_name=model_paths.ONNX_FILE,
        suffix=".onnx",
        factory=ONNX_MODEL,
        package="onnxruntime",
    ),
    ModelFormat(
        name="TF.js",
        model_type=model_paths.TF_JS,
        file_name=model_paths.TFJS_FILE,
        suffix=model_paths.TFJS_FILE,
        factory=TFJS_MODEL,
    ),
)
LITERT, ONNX, TFJS = FORMATS


def format_of_type(model_type: str) -> ModelFormat | None:
    """The format that a model spec names; None for SavedModels."""
    return next((each for each in FORMATS if each.model_type == model_type), None)


def format_of_files(path: str) -> ModelFormat | None:
    """The format of the model in a directory, told by its file; None where a SavedModel is."""
    if os.path.exists(os.path.join(path, _SAVED_MODEL_FILE)):
        return None
    return next((each for each in FORMATS if each.find_file(path)), None)


def format_of_factory(factory: str) -> ModelFormat | None:
    """The format of what a `ModelSource` loads; None for other models."""
    return next((each for each in FORMATS if each.factory == factory), None)


def served_model_source(path: str, spec: config_pb2.ModelSpec) -> ModelSource:
    """A model as it is served, in the format that its spec names or its files tell.

    A spec that names none gets the type of the format that was found.

    Raises:
        ValueError: What runs the model is not installed.
    """
    found = format_of_type(spec.model_type)
    if found is None and not spec.model_type:
        found = format_of_files(path)
    if found is None:
        return ModelSource(path, SAVED_MODEL)
    found.check_installed(f"The {found.name} model at {path}")
    spec.model_type = found.model_type
    return ModelSource(path, found.factory)


def _names_in(path: str) -> list[str]:
    return sorted(os.listdir(path)) if os.path.isdir(path) else []
