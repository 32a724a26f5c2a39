"""OnnxModel: an ONNX model as ONNX Runtime runs it, asked batch by batch."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright._imports import require
from trainwright.engine.local_engine import available_processors
from trainwright.evaluation.models.model_formats import ONNX
from trainwright.evaluation.models.tensor_function import (
    Arrays,
    OneFunctionModel,
    TensorFunction,
    TensorInput,
)

if TYPE_CHECKING:
    from trainwright.proto.tfma import config_pb2

# NumPy's names of ONNX's types.
_INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
_TYPES = {
    "float": "float32",
    "double": "float64",
    "string": "object",
    **{name: name for name in ("bool", "float16", *_INTEGERS)},
}

_ERRORS_ONLY = 3


class OnnxModel(OneFunctionModel):
    """An ONNX model, which takes a tensor for each feature.

    A model with a fixed batch is asked in pieces of that size. An ONNX model is one function: a
    signature that the model spec names is for models of other formats.

    Args:
        path: The directory with the file `model.onnx`, or the file.
        spec: Of the model.

    Raises:
        FileNotFoundError: There is no such file.
        ModuleNotFoundError: onnxruntime is not installed.
        ValueError: The file is not an ONNX model, or the spec asks for what ONNX does not have.

    Example:
        ```py
        model = OnnxModel("Rewriter/model/7/Format-Serving", ModelSpec(label_key="digit"))
        probabilities = model.predict(serialized, columns)["probabilities"]
        ```
    """

    def __init__(self, path: str, spec: config_pb2.ModelSpec) -> None:
        super().__init__("ONNX", path, spec)
        self._session = load_session(path)
        inputs = [_to_input(each, self._asked) for each in self._session.get_inputs()]
        self._function = TensorFunction(self._asked, inputs, self._call)

    def _call(self, given: Arrays) -> Arrays:
        names = [each.name for each in self._session.get_outputs()]
        try:
            found = self._session.run(names, {name: _to_text(each) for name, each in given.items()})
        except Exception as error:  # ONNX Runtime's errors have no base of their own
            raise ValueError(f"The ONNX model at {self.path} cannot be run. {error}") from error
        return {
            _output_name(name): _to_bytes(np.asarray(value))
            for name, value in zip(names, found, strict=True)
        }


def load_session(path: str) -> Any:
    """ONNX Runtime's session with the model at a path, on all processors."""
    file = ONNX.require_file(path)
    onnxruntime = require("onnxruntime", "export")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = available_processors()
    # Several processes evaluate at once: a thread that waits leaves its processor to others.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = _ERRORS_ONLY
    try:
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's errors have no base of their own
        raise ValueError(
            f"{file} ({os.path.getsize(file)} bytes) is not an ONNX model that can be loaded: "
            f"{error} Convert the model again."
        ) from error


def _to_input(each: Any, asked: str) -> TensorInput:
    kind = each.type.removeprefix("tensor(").removesuffix(")")
    if kind not in _TYPES:
        raise ValueError(
            f"{asked} takes {each.name!r} as {each.type}: expected a tensor of numbers, booleans "
            "or strings. Convert the model with such inputs."
        )
    # A size that is left open has a name, or none.
    shape = tuple(size if isinstance(size, int) else None for size in each.shape)
    return TensorInput(each.name, _TYPES[kind], shape)


def _output_name(name: str) -> str:
    """Without the number that tf2onnx may have taken from the graph."""
    return name.removesuffix(":0")


def _to_text(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Bytes of examples as ONNX Runtime takes strings."""
    if values.dtype != object:
        return values
    decoded = [value.decode(errors="replace") for value in values.ravel()]
    return np.array(decoded, object).reshape(values.shape)


def _to_bytes(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Strings of ONNX Runtime as TensorFlow has them."""
    if values.dtype != object:
        return values
    return np.array([value.encode() for value in values.ravel()], object).reshape(values.shape)
