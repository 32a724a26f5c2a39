"""The signatures of a SavedModel: which tensors each takes and returns, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

PREDICT_METHOD = "tensorflow/serving/predict"
CLASSIFY_METHOD = "tensorflow/serving/classify"
REGRESS_METHOD = "tensorflow/serving/regress"
DEFAULT_SIGNATURE = "serving_default"

Shape = tuple[int | None, ...]


@dataclass(frozen=True, kw_only=True)
class TensorSpec:
    """An input or output of a signature.

    Args:
        name: In the signature.
        tensor: In the graph, such as `"serving_default_x:0"`.
        dtype: Of NumPy; `object` for strings.
        kind: Its name in messages: `"float32"`, `"string"`.
        shape: None for a size that is left open; None altogether if the rank is.
    """

    name: str
    tensor: str
    dtype: npt.DTypeLike
    kind: str
    shape: Shape | None

    @property
    def is_string(self) -> bool:
        return self.kind == "string"

    @property
    def has_rows(self) -> bool:
        """Whether its first dimension is left open, as that of a batch is."""
        return bool(self.shape) and self.shape is not None and self.shape[0] is None

    @property
    def has_fixed_rows(self) -> bool:
        """Whether all rows have the same shape, whatever the batch."""
        return self.has_rows and self.shape is not None and None not in self.shape[1:]

    def admits(self, shape: tuple[int, ...]) -> bool:
        """Whether an array of this shape can be fed."""
        if self.shape is None:
            return True
        return len(shape) == len(self.shape) and all(
            expected is None or expected == size
            for expected, size in zip(self.shape, shape, strict=True)
        )


@dataclass(frozen=True, kw_only=True)
class Signature:
    """A function of a SavedModel.

    Args:
        name: Of the signature.
        method: The kind of request that it answers: `PREDICT_METHOD` and the others.
        inputs: By name.
        outputs: By name.
    """

    name: str
    method: str
    inputs: Mapping[str, TensorSpec]
    outputs: Mapping[str, TensorSpec]

    @property
    def is_batchable(self) -> bool:
        """Whether rows of several requests can be computed at once and told apart again.

        Outputs whose rows have no fixed shape may be padded to the longest row of the batch: what
        a request gets would depend on what it is computed with.
        """
        return all(spec.has_rows for spec in self.inputs.values()) and all(
            spec.has_fixed_rows for spec in self.outputs.values()
        )

    @property
    def serialized_input(self) -> TensorSpec | None:
        """The input that takes serialized tf.Examples, if that is the only one."""
        if len(self.inputs) != 1:
            return None
        (spec,) = self.inputs.values()
        return spec if spec.is_string and spec.shape in (None, (None,)) else None


def describe_shape(shape: Shape | None) -> str:
    """A shape as it is written in messages.

    >>> describe_shape((None, 3))
    '(?, 3)'
    """
    if shape is None:
        return "of any rank"
    sizes = ["?" if size is None else str(size) for size in shape]
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"


def signatures_of(meta_graph: Any) -> dict[str, Signature]:
    """The signatures of a MetaGraphDef that arrays can be fed to and fetched from.

    Those for initialization are left out, and those with tensors that are not dense.
    """
    return {
        name: Signature(
            name=name,
            method=definition.method_name,
            inputs=_specs(definition.inputs),
            outputs=_specs(definition.outputs),
        )
        for name, definition in sorted(meta_graph.signature_def.items())
        if not name.startswith("__") and _is_dense(definition)
    }


def _is_dense(definition: Any) -> bool:
    """Whether all of its tensors are arrays: sparse and ragged ones have several each."""
    infos = (*definition.inputs.values(), *definition.outputs.values())
    return all(info.WhichOneof("encoding") == "name" for info in infos)


def _specs(infos: Mapping[str, Any]) -> dict[str, TensorSpec]:
    import tensorflow as tf

    specs = {}
    for name, info in sorted(infos.items()):
        dtype = tf.dtypes.as_dtype(info.dtype)
        shape = info.tensor_shape
        specs[name] = TensorSpec(
            name=name,
            tensor=info.name,
            dtype=np.dtype(object) if dtype == tf.string else np.dtype(dtype.as_numpy_dtype),
            kind=dtype.name,
            shape=None
            if shape.unknown_rank
            else tuple(None if dim.size < 0 else dim.size for dim in shape.dim),
        )
    return specs


def metadata_of(meta_graph: Any) -> dict[str, Any]:
    """The signatures as the JSON of TensorFlow Serving's metadata."""
    return {
        name: {
            "inputs": {key: _tensor_info(info) for key, info in definition.inputs.items()},
            "outputs": {key: _tensor_info(info) for key, info in definition.outputs.items()},
            "method_name": definition.method_name,
        }
        for name, definition in sorted(meta_graph.signature_def.items())
    }


def _tensor_info(info: Any) -> dict[str, Any]:
    from tensorflow.core.framework import types_pb2

    shape = info.tensor_shape
    return {
        "dtype": types_pb2.DataType.Name(info.dtype),
        "tensor_shape": {
            "dim": [{"size": str(dim.size), "name": dim.name} for dim in shape.dim],
            "unknown_rank": shape.unknown_rank,
        },
        "name": info.name,
    }
