"""The signatures of a SavedModel as its file has them: inputs, outputs, and the operations behind.

Nothing is loaded, so that a model can be looked at which the process could not load, and a
conversion that failed can say which signature would have had none of the operations in the way.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from trainwright._suggest import did_you_mean

DEFAULT_SIGNATURE = "serving_default"

_BINARY, _TEXT = "saved_model.pb", "saved_model.pbtxt"

# What people call them, for the operations that are met most.
_PURPOSES = {
    "ParseExample": "parses serialized tf.Examples",
    "ParseExampleV2": "parses serialized tf.Examples",
    "ParseSingleExample": "parses a serialized tf.Example",
    "ParseSequenceExampleV2": "parses serialized tf.SequenceExamples",
    "DecodePng": "decodes images",
    "DecodeJpeg": "decodes images",
    "DecodeImage": "decodes images",
    "DecodeRaw": "decodes bytes",
    "AsString": "writes numbers as strings",
    "XlaCallModule": "a program that JAX compiled",
    "HashTableV2": "a lookup table",
    "LookupTableFindV2": "looks up in a table",
    "InitializeTableFromTextFileV2": "a lookup table that is filled from a vocabulary file",
}


@dataclass(frozen=True, kw_only=True)
class TensorDescription:
    """The type and shape of an input or output, as `float32 [None, 2]`."""

    dtype: str
    shape: tuple[int | None, ...] | None

    def __str__(self) -> str:
        return self.dtype if self.shape is None else f"{self.dtype} {list(self.shape)}"


@dataclass(frozen=True, kw_only=True)
class Signature:
    """A signature of a SavedModel.

    Attributes:
        key: Its name in the SavedModel.
        inputs: What it takes, by name.
        outputs: What it gives, by name.
        operations: The types of all operations that compute the outputs, and of those that fill
            the tables among them.
    """

    key: str
    inputs: Mapping[str, TensorDescription]
    outputs: Mapping[str, TensorDescription]
    operations: frozenset[str]

    def __str__(self) -> str:
        inputs = ", ".join(f"{name}: {tensor}" for name, tensor in self.inputs.items())
        return f"{self.key!r} ({inputs})"

    @property
    def takes_features(self) -> bool:
        """Whether it takes tensors of numbers: serialized examples and images are strings."""
        return all(tensor.dtype != "string" for tensor in self.inputs.values())


def find_saved_model_file(path: str) -> str:
    """The file with the graphs of a SavedModel.

    Raises:
        ValueError: if there is none, or it is empty.
    """
    if not os.path.isdir(path):
        raise ValueError(f"{path} is not a directory; expected that of a SavedModel.")
    for name in (_BINARY, _TEXT):
        file = os.path.join(path, name)
        if os.path.exists(file):
            if os.path.getsize(file) == 0:
                raise ValueError(f"{file} is empty: the SavedModel was not written to its end.")
            return file
    raise ValueError(f"{path} is not a SavedModel: it has no {_BINARY}. It holds {_listed(path)}.")


def _listed(path: str) -> str:
    names = sorted(os.listdir(path))
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "") if names else "nothing"


def check_saved_model(path: str) -> None:
    """Raises ValueError unless the directory holds a SavedModel whose binary file parses."""
    if find_saved_model_file(path).endswith(_BINARY):
        _parse(path)


def _parse(path: str) -> Any:
    from google.protobuf import text_format
    from tensorflow.core.protobuf import saved_model_pb2

    file = find_saved_model_file(path)
    with open(file, "rb") as opened:
        content = opened.read()
    saved_model = saved_model_pb2.SavedModel()
    try:
        if file.endswith(_BINARY):
            saved_model.ParseFromString(content)
        else:
            text_format.Parse(content, saved_model)
    except Exception as error:  # protobuf's decode errors have no common public base
        raise ValueError(f"{file} is corrupt: it does not parse as a SavedModel.") from error
    if not saved_model.meta_graphs:
        raise ValueError(f"{file} is corrupt: it holds no graph.")
    return saved_model


def read_signatures(path: str) -> dict[str, Signature]:
    """The signatures of a SavedModel by key.

    Raises:
        ValueError: if it cannot be read.
    """
    graphs = _parse(path).meta_graphs
    meta_graph = next((one for one in graphs if "serve" in one.meta_info_def.tags), graphs[0])
    operations = _Operations(meta_graph)
    return {
        key: Signature(
            key=key,
            inputs={name: _describe(info) for name, info in sorted(signature.inputs.items())},
            outputs={name: _describe(info) for name, info in sorted(signature.outputs.items())},
            operations=operations.behind(info.name for info in signature.outputs.values()),
        )
        for key, signature in sorted(meta_graph.signature_def.items())
        if not key.startswith("__")  # how TensorFlow notes what it must run when it loads
    }


def _describe(info: Any) -> TensorDescription:
    from tensorflow import dtypes

    shape = info.tensor_shape
    return TensorDescription(
        dtype=dtypes.as_dtype(info.dtype).name,
        shape=None
        if shape.unknown_rank
        else tuple(None if dim.size < 0 else dim.size for dim in shape.dim),
    )


class _Operations:
    """Walks a graph and the functions that it calls."""

    def __init__(self, meta_graph: Any) -> None:
        self._nodes = {node.name: node for node in meta_graph.graph_def.node}
        self._functions = {
            function.signature.name: function for function in meta_graph.graph_def.library.function
        }
        self._fillers = self._table_fillers(meta_graph)

    def behind(self, tensors: Iterable[str]) -> frozenset[str]:
        """The operations that compute these tensors of the graph."""
        seen: set[str] = set()
        found: set[str] = set()
        waiting = [_node_of(tensor) for tensor in tensors]
        while waiting:
            name = waiting.pop()
            node = self._nodes.get(name)
            if node is None or name in seen:
                continue
            seen.add(name)
            found |= self._of_nodes([node], set())
            waiting.extend(map(_node_of, node.input))
        if any(operation.startswith("LookupTable") for operation in found):
            found |= self._fillers
        return frozenset(found)

    def _of_nodes(self, nodes: Iterable[Any], entered: set[str]) -> set[str]:
        """The operations of nodes, and of the functions that they call."""
        found = set()
        for node in nodes:
            called = [
                name
                for value in node.attr.values()
                for name in (value.func.name, *(one.name for one in value.list.func))
                if name in self._functions
            ]
            if not called:
                found.add(node.op)
            for name in called:
                if name not in entered:
                    entered.add(name)
                    found |= self._of_nodes(self._functions[name].node_def, entered)
        return found

    def _table_fillers(self, meta_graph: Any) -> set[str]:
        """The operations that fill tables: nothing in a signature leads to them."""
        nodes = [*meta_graph.graph_def.node]
        for function in self._functions.values():
            nodes.extend(function.node_def)
        return {node.op for node in nodes if node.op.startswith("InitializeTable")}


def _node_of(tensor: str) -> str:
    return tensor.lstrip("^").partition(":")[0]


def choose_signature(signatures: Mapping[str, Signature], key: str | None, path: str) -> Signature:
    """The signature of this key; without one `serving_default`, or the only one.

    Raises:
        ValueError: if there is no such signature.
    """
    if key is None and len(signatures) == 1:
        return next(iter(signatures.values()))
    wanted = key or DEFAULT_SIGNATURE
    if wanted not in signatures:
        have = "; ".join(map(str, signatures.values())) or "none"
        raise ValueError(
            f"{path} has no signature {wanted!r}{did_you_mean(wanted, signatures)} It has {have}."
        )
    return signatures[wanted]


def refuse_operations(
    path: str,
    *,
    keys: Collection[str],
    operations: Collection[str],
    runtime: str,
    note: str = "",
) -> str:
    """Says which operations a runtime does not have, and which signature would do.

    Args:
        path: The SavedModel.
        keys: The signatures that were to be converted.
        operations: What is in the way.
        runtime: What it was converted for, as it is written.
        note: A further sentence on the operations.
    """
    signatures = read_signatures(path)
    wanted = [signatures[key] for key in keys if key in signatures] or [*signatures.values()]
    blocked = [one for one in wanted if one.operations & set(operations)] or wanted
    named = ", ".join(
        f"{name} ({_PURPOSES[name]})" if name in _PURPOSES else name for name in sorted(operations)
    )
    others = [
        one
        for one in signatures.values()
        if one.takes_features and not one.operations & set(operations) and one not in blocked
    ]
    if others:
        listed = "; ".join(map(str, others))
        advice = (
            f"Of its other signatures these take one tensor per feature and have none of them: "
            f"{listed}. Convert one of those: signature_key={others[0].key!r}."
        )
    elif any(name.startswith("Xla") for name in operations):
        advice = (
            "Let JAX write TensorFlow's operations: model.export(path, jax2tf_kwargs="
            "{'native_serialization': False, 'enable_xla': False})."
        )
    elif all(one.takes_features for one in blocked):
        advice = (
            "Save a signature without them: one that takes what is computed before the model, or "
            "leaves out the outputs that are made with them (a canned classifier's class names)."
        )
    else:
        advice = (
            "None of its signatures takes one tensor per feature and is without them. Save one "
            "that begins after the parsing: tf.saved_model.save(model, path, "
            "signatures={'serving_default': serve_examples, 'features': serve_features}), where "
            "serve_features is a tf.function of the model's own inputs with input_signature="
            "[tf.TensorSpec([None, 2], tf.float32, name='x')]; then convert it with "
            "signature_key='features'."
        )
    plural = "s" if len(blocked) > 1 else ""
    return (
        f"The signature{plural} {'; '.join(map(str, blocked))} of {path} cannot be converted: "
        f"{runtime} does not have {named}. {note}{' ' if note else ''}{advice}"
    )
