"""TfjsModel: a TF.js model as TensorFlow.js in Node runs it, asked batch by batch."""

from __future__ import annotations

import base64
import contextlib
import json
import math
import os
import struct
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright.evaluation.models.model_formats import TFJS
from trainwright.evaluation.models.tensor_function import (
    Arrays,
    OneFunctionModel,
    TensorFunction,
    TensorInput,
)
from trainwright.evaluation.models.tfjs_runtime import TfjsRuntime, find_tfjs_runtime

if TYPE_CHECKING:
    from trainwright.proto.tfma import config_pb2

_RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tfjs_runner.js")

# What TensorFlow.js computes with, by TensorFlow's names: it has four types.
_TYPES = {
    "DT_FLOAT": "float32",
    "DT_HALF": "float32",
    "DT_DOUBLE": "float32",
    "DT_INT32": "int32",
    "DT_INT64": "int32",
    "DT_INT16": "int32",
    "DT_INT8": "int32",
    "DT_UINT8": "int32",
    "DT_BOOL": "bool",
    "DT_STRING": "object",
}
# The bytes of a number in a file of weights, by the type that is written there.
_WEIGHT_BYTES = {
    "float32": 4,
    "int32": 4,
    "bool": 1,
    "complex64": 8,
    "float16": 2,
    "uint16": 2,
    "uint8": 1,
}
_HEADER = struct.Struct("<I")


class TfjsModel(OneFunctionModel):
    """A TF.js model, which takes a tensor for each feature; one process of Node runs it.

    TensorFlow.js has integers of 32 bits and floats of 32 bits; others are converted. A TF.js model
    is one function: a signature that the model spec names is for models of other formats.

    Args:
        path: The directory with `model.json`, or that file.
        spec: Of the model.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: There is no TensorFlow.js for Node, or it does not load the model, or the spec
            asks for what TF.js models do not have.

    Example:
        ```py
        model = TfjsModel("Rewriter/tfjs/7/Format-Serving", ModelSpec(label_key="digit"))
        probabilities = model.predict(serialized, columns)["probabilities"]
        ```
    """

    def __init__(self, path: str, spec: config_pb2.ModelSpec) -> None:
        super().__init__("TF.js", path, spec)
        file = TFJS.require_file(path)
        signature = read_tfjs_signature(file)
        inputs = [_to_input(name, one, self._asked) for name, one in signature["inputs"].items()]
        self._tensors = {name: one["name"] for name, one in signature["inputs"].items()}
        self._outputs = {name: one["name"] for name, one in signature["outputs"].items()}
        self._function = TensorFunction(self._asked, inputs, self._call)
        self._process = _NodeProcess(find_tfjs_runtime(), file, self._asked)

    def _call(self, given: Arrays) -> Arrays:
        fed = {self._tensors[name]: values for name, values in given.items()}
        found = self._process.ask(fed, list(self._outputs.values()))
        return dict(zip(self._outputs, found, strict=True))


def read_tfjs_signature(file: str) -> dict[str, dict[str, Any]]:
    """The inputs and outputs that `model.json` tells, once its weights are there as it says.

    Raises:
        ValueError: The file is damaged or not a graph model, or names weights that are not files of
            its directory or have other sizes.
    """
    try:
        with open(file, encoding="utf-8") as opened:
            model = json.load(opened)
        if model.get("format", "graph-model") != "graph-model":
            raise ValueError(f"it is a {model['format']}; expected a graph-model")
        _check_weights(os.path.dirname(file), model["weightsManifest"])
        signature = model.get("signature") or model["userDefinedMetadata"]["signature"]
        # Tables are inputs that the model fills itself.
        inputs = {
            name: {"name": str(one["name"]), "dtype": one["dtype"], "shape": _shape(one)}
            for name, one in signature["inputs"].items()
            if one.get("resourceId") is None and one["dtype"] != "DT_RESOURCE"
        }
        outputs = {name: {"name": str(one["name"])} for name, one in signature["outputs"].items()}
    except (
        OSError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(
            f"{file!r} is not a TF.js model that can be run: {reason}. Convert the model again."
        ) from error
    return {"inputs": inputs, "outputs": outputs}


def _shape(tensor: Mapping[str, Any]) -> tuple[int | None, ...]:
    sizes = [int(one.get("size", 0)) for one in tensor.get("tensorShape", {}).get("dim", ())]
    return tuple(None if size < 0 else size for size in sizes)


def _check_weights(directory: str, manifest: Sequence[Mapping[str, Any]]) -> None:
    """Refuses weights that lie elsewhere, and sizes that are not those of the files."""
    inside = os.path.realpath(directory)
    for group in manifest:
        stored = 0
        for name in group["paths"]:
            path = os.path.realpath(os.path.join(directory, name))
            if os.path.dirname(path) != inside:
                raise ValueError(f"its weights {name!r} are not a file of its own directory")
            if not os.path.isfile(path):
                raise ValueError(f"its weights {name!r} are not there")
            stored += os.path.getsize(path)
        described = sum(map(_weight_bytes, group["weights"]))
        if described > stored:
            raise ValueError(
                f"it describes weights of {described} bytes, and their files have {stored}"
            )


def _weight_bytes(weight: Mapping[str, Any]) -> int:
    """The bytes of a weight in its file; 0 for strings, which tell their lengths themselves."""
    written = weight.get("quantization", weight)["dtype"]
    sizes = [int(size) for size in weight["shape"]]
    if min(sizes, default=0) < 0:
        raise ValueError(f"a weight has the shape {sizes}")
    return _WEIGHT_BYTES.get(written, 0) * math.prod(sizes)


def _to_input(name: str, tensor: Mapping[str, Any], asked: str) -> TensorInput:
    if tensor["dtype"] not in _TYPES:
        raise ValueError(
            f"{asked} takes {name!r} as {tensor['dtype']}: expected a tensor of numbers, booleans "
            "or strings. Convert the model with such inputs."
        )
    return TensorInput(name, _TYPES[tensor["dtype"]], tensor["shape"])


class _NodeProcess:
    """Node with a loaded model. It ends with this object, and with this process."""

    def __init__(self, runtime: TfjsRuntime, file: str, asked: str) -> None:
        self._asked = asked
        self._lock = threading.Lock()
        # A file, because nobody reads it until something goes wrong.
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed by _end
        self._process = subprocess.Popen(
            [runtime.node, _RUNNER, runtime.modules, os.path.abspath(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        weakref.finalize(self, _end, self._process, self._log)
        self._receive()

    def ask(self, given: Arrays, outputs: list[str]) -> list[npt.NDArray[Any]]:
        """The outputs by the names of their tensors, in that order."""
        described, parts = [], []
        for name, values in given.items():
            one: dict[str, Any] = {"name": name, "shape": values.shape, "dtype": str(values.dtype)}
            if values.dtype == object:
                one["dtype"] = "string"
                one["strings"] = [base64.b64encode(each).decode() for each in values.flat]
            else:
                parts.append(np.ascontiguousarray(values).tobytes())
            described.append(one)
        content = b"".join(parts)
        text = json.dumps({"inputs": described, "outputs": outputs, "bytes": len(content)}).encode()
        with self._lock:
            self._send(_HEADER.pack(len(text)) + text + content)
            return [self._read_array(one) for one in self._receive()["outputs"]]

    def _send(self, message: bytes) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(message)
            self._process.stdin.flush()
        except OSError as error:
            raise ValueError(self._died()) from error

    def _receive(self) -> dict[str, Any]:
        (length,) = _HEADER.unpack(self._read(_HEADER.size))
        message: dict[str, Any] = json.loads(self._read(length))
        if "error" in message:
            raise ValueError(f"{self._asked} cannot be run by TensorFlow.js: {message['error']}")
        return message

    def _read_array(self, described: Mapping[str, Any]) -> npt.NDArray[Any]:
        shape: list[int] = described["shape"]
        if described["dtype"] == "string":
            strings = [base64.b64decode(each) for each in described["strings"]]
            values: npt.NDArray[Any] = np.array(strings, object)
        else:
            dtype: np.dtype[Any] = np.dtype(described["dtype"])
            values = np.frombuffer(self._read(dtype.itemsize * math.prod(shape)), dtype)
        return values.reshape(shape)

    def _read(self, size: int) -> bytes:
        assert self._process.stdout
        content = self._process.stdout.read(size)
        if len(content) < size:
            raise ValueError(self._died())
        return content

    def _died(self) -> str:
        status = self._process.wait()
        self._log.seek(0)
        log = self._log.read()[-2000:].decode(errors="replace").strip()
        return f"{self._asked} cannot be run: Node ended with {status}.\n{log}"


def _end(process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    """Ends Node, which waits for a batch or computes one that nobody waits for."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, log):
        # What could not be written to it is tried once more when it is closed.
        with contextlib.suppress(OSError):
            if stream:
                stream.close()
