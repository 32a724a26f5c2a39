"""LiteRtModel: a LiteRT (TFLite) model as it runs on a device, asked batch by batch."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright._imports import require
from trainwright._suggest import did_you_mean
from trainwright.engine.local_engine import available_processors
from trainwright.evaluation.batches.features import FeatureColumn
from trainwright.evaluation.models.model_formats import LITERT
from trainwright.evaluation.models.saved_model import DEFAULT_PREPROCESSING, DEFAULT_SIGNATURES
from trainwright.evaluation.models.tensor_function import Arrays, TensorFunction, TensorInput

if TYPE_CHECKING:
    import tensorflow as tf

    from trainwright.proto.tfma import config_pb2

# In LiteRT's error about operations that only TensorFlow has.
_SELECT_OPS = "Select TensorFlow op"


class LiteRtModel:
    """A LiteRT model, whose signature takes a tensor for each feature.

    Quantized inputs and outputs are numbers here as they were before the quantization. A model
    with a fixed batch is asked in pieces of that size.

    Args:
        path: The directory with the file `tflite`, or the file.
        spec: Names the signature where there are several, and those that preprocess.

    Raises:
        FileNotFoundError: There is no such file.
        ModuleNotFoundError: ai-edge-litert is not installed.
        ValueError: The file is not a LiteRT model, or has no such signature.

    Example:
        ```py
        model = LiteRtModel("Rewriter/model/7/Format-Serving", ModelSpec(label_key="digit"))
        probabilities = model.predict(serialized, columns)["probabilities"]
        ```
    """

    def __init__(self, path: str, spec: config_pb2.ModelSpec) -> None:
        self.path = path
        self._interpreter = load_interpreter(path)
        names = list(self._interpreter.get_signature_list())
        self._keys = {spec.prediction_key, *spec.prediction_keys.values()}
        self._main = self._find(_choose_signature(spec, names, path), names)
        named: Sequence[str] = spec.preprocessing_function_names
        default = [name for name in DEFAULT_PREPROCESSING if name in names]
        self._preprocessing = [self._find(name, names) for name in named or default]

    def _find(self, name: str | None, names: Sequence[str]) -> TensorFunction:
        """The signature of a name; without one, the model itself."""
        if name is None:
            return _as_function(
                f"The LiteRT model at {self.path}", _WholeModel(self._interpreter), self._keys
            )
        if name not in names:
            raise ValueError(
                f"The LiteRT model at {self.path} has no signature {name!r}"
                f"{did_you_mean(name, names)} Convert the model with that signature, or name "
                "another one in the model spec."
            )
        return _as_function(
            f"The signature {name!r} of the LiteRT model at {self.path}",
            self._interpreter.get_signature_runner(name),
            self._keys,
        )

    def features_needed(self, names: Iterable[str]) -> set[str]:
        """Which features of the examples its signatures are fed."""
        known = list(names)
        functions = (self._main, *self._preprocessing)
        return {name for function in functions for name in function.features_needed(known)}

    def preprocess(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, FeatureColumn]:
        """What the preprocessing signatures make of a batch, by name."""
        return {
            name: FeatureColumn.from_tensor(value)
            for function in self._preprocessing
            for name, value in function.ask(columns).items()
        }

    def predict(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, npt.NDArray[Any]]:
        """The outputs of the signature by name, for a batch."""
        return self._main.ask(columns)


def load_interpreter(path: str) -> Any:
    """LiteRT's interpreter with the model at a path, on all processors."""
    file = LITERT.require_file(path)
    litert = require("ai_edge_litert.interpreter", "export")
    try:
        return litert.Interpreter(model_path=file, num_threads=available_processors())
    except (RuntimeError, ValueError) as error:
        raise ValueError(
            f"{file} ({os.path.getsize(file)} bytes) is not a LiteRT model that can be loaded: "
            f"{error} Convert the model again."
        ) from error


def _choose_signature(spec: config_pb2.ModelSpec, names: Sequence[str], path: str) -> str | None:
    if not names:
        return None  # models of older converters are one function without a name
    if spec.signature_name:
        return str(spec.signature_name)
    if len(names) == 1:
        return names[0]
    for name in DEFAULT_SIGNATURES:
        if name in names:
            return name
    raise ValueError(
        f"The LiteRT model at {path} has the signatures {', '.join(sorted(names))}, and none of "
        "them is serving_default. Name one as signature_name of the model spec."
    )


@dataclass(frozen=True)
class _WholeModel:
    """A model without signatures, in the form of a signature's runner."""

    interpreter: Any

    def get_input_details(self) -> dict[str, Any]:
        return {each["name"]: each for each in self.interpreter.get_input_details()}

    def get_output_details(self) -> dict[str, Any]:
        return {each["name"]: each for each in self.interpreter.get_output_details()}

    def __call__(self, **given: npt.NDArray[Any]) -> Arrays:
        interpreter = self.interpreter
        places = {name: each["index"] for name, each in self.get_input_details().items()}
        for name, value in given.items():
            interpreter.resize_tensor_input(places[name], value.shape)
        interpreter.allocate_tensors()
        for name, value in given.items():
            interpreter.set_tensor(places[name], value)
        interpreter.invoke()
        return {
            name: interpreter.get_tensor(each["index"])
            for name, each in self.get_output_details().items()
        }


def _as_function(asked: str, runner: Any, prediction_keys: Collection[str]) -> TensorFunction:
    inputs, outputs = runner.get_input_details(), runner.get_output_details()
    # TFMA knows outputs by their tensors, `StatefulPartitionedCall:0`, and so may a model spec.
    tensors = {name: each["name"] for name, each in outputs.items()}
    names = {
        name: tensor if tensor in prediction_keys else name for name, tensor in tensors.items()
    }

    def call(given: Arrays) -> Arrays:
        fed = {name: _quantize(value, inputs[name]) for name, value in given.items()}
        try:
            found = runner(**fed)
        except (RuntimeError, ValueError) as error:
            raise ValueError(f"{asked} cannot be run. {_explain(error)}") from error
        return {names[name]: _dequantize(value, outputs[name]) for name, value in found.items()}

    return TensorFunction(asked, [_to_input(name, each) for name, each in inputs.items()], call)


def _to_input(name: str, details: Mapping[str, Any]) -> TensorInput:
    dtype = details["dtype"]
    if dtype is np.bytes_:
        dtype = object
    elif _is_quantized(details):
        dtype = np.float32
    sizes = (int(size) for size in details["shape_signature"])
    return TensorInput(name, dtype, tuple(None if size < 0 else size for size in sizes))


def _is_quantized(details: Mapping[str, Any]) -> bool:
    """Whether integers stand for other numbers, by a scale and the integer of zero."""
    scale, _ = details["quantization"]
    return bool(scale) and np.issubdtype(details["dtype"], np.integer)


def _quantize(values: npt.NDArray[Any], details: Mapping[str, Any]) -> npt.NDArray[Any]:
    if not _is_quantized(details):
        return values
    scale, zero = details["quantization"]
    limits = np.iinfo(details["dtype"])
    steps = np.round(values / np.float32(scale)) + zero
    quantized: npt.NDArray[Any] = np.clip(steps, limits.min, limits.max).astype(details["dtype"])
    return quantized


def _dequantize(values: npt.NDArray[Any], details: Mapping[str, Any]) -> npt.NDArray[Any]:
    if not _is_quantized(details):
        return values
    scale, zero = details["quantization"]
    numbers: npt.NDArray[Any] = (values.astype(np.float32) - zero) * np.float32(scale)
    return numbers


def _explain(error: Exception) -> str:
    if _SELECT_OPS not in str(error):
        return f"LiteRT says: {error}"
    return (
        "It has operations that only TensorFlow has (Select TF ops), which LiteRT's own runtime "
        "cannot run. Convert the model with tf.lite.OpsSet.TFLITE_BUILTINS alone, from a signature "
        "without these operations; the converter names those that are in the way."
    )
