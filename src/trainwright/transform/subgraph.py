"""Subgraph: the part of a traced function that computes some tensors, as a file.

It takes a few milliseconds to write and to load, where a SavedModel takes a good part of a second.
But it cannot hold what a function has captured, such as tables.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

_GRAPH_FILE = "graph.pb"
_NAMES_FILE = "names.json"
_CONSTANTS_SCOPE = "constants_of_earlier_phases"
# What these call lives in the process that traced them.
_PYTHON_OPERATIONS = frozenset({"PyFunc", "PyFuncStateless", "EagerPyFunc"})


def write_subgraph(
    directory: str,
    graph: Any,
    inputs: Mapping[str, Any],
    outputs: Mapping[str, tf.Tensor],
    constants: Mapping[str, tf.Tensor],
) -> bool:
    """Writes what computes the outputs; returns False if they need more than a graph can hold.

    Args:
        directory: Where to; it is made.
        graph: The traced function, a `FuncGraph`.
        inputs: The tensors it is fed, by the name of the feature.
        outputs: What to compute, by name.
        constants: Values that stand in for tensors of the graph, by the names of these.
    """
    wanted = [tensor.op.name for tensor in outputs.values()]
    part = _extract(graph.as_graph_def(), wanted)
    names = {node.name for node in part.node}
    captured = {internal.op.name for _, internal in graph.captures}
    if captured & names or any(node.op in _PYTHON_OPERATIONS for node in part.node):
        return False
    with tf.Graph().as_default() as bound:
        with tf.name_scope(_CONSTANTS_SCOPE):
            replaced = {
                name: tf.constant(value.numpy(), value.dtype)
                for name, value in constants.items()
                if name.partition(":")[0] in names
            }
        tf.graph_util.import_graph_def(part, input_map=replaced, name="")
        definition = _extract(bound.as_graph_def(), wanted)
    os.makedirs(directory)
    with open(os.path.join(directory, _GRAPH_FILE), "wb") as graph_file:
        graph_file.write(definition.SerializeToString())
    described = {
        "inputs": {
            feature: [tensor.name for tensor in tf.nest.flatten(tensors, expand_composites=True)]
            for feature, tensors in inputs.items()
        },
        "outputs": {name: tensor.name for name, tensor in outputs.items()},
    }
    with open(os.path.join(directory, _NAMES_FILE), "w", encoding="utf-8") as names_file:
        json.dump(described, names_file)
    return True


def _extract(definition: Any, wanted: Iterable[str]) -> Any:
    """The nodes that the wanted ones depend on."""
    nodes = {node.name: node for node in definition.node}
    needed: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            # Inputs are "name", "name:1" or, if only the order matters, "^name".
            waiting += [source.lstrip("^").partition(":")[0] for source in nodes[name].input]
    extracted = tf.compat.v1.GraphDef(versions=definition.versions, library=definition.library)
    extracted.node.extend(node for node in definition.node if node.name in needed)
    return extracted


def is_subgraph(directory: str) -> bool:
    """Whether a subgraph was written there."""
    return os.path.exists(os.path.join(directory, _GRAPH_FILE))


class Subgraph:
    """A subgraph that was written to a directory."""

    def __init__(self, directory: str) -> None:
        self._definition = tf.compat.v1.GraphDef()
        with open(os.path.join(directory, _GRAPH_FILE), "rb") as graph_file:
            self._definition.ParseFromString(graph_file.read())
        with open(os.path.join(directory, _NAMES_FILE), encoding="utf-8") as names_file:
            described = json.load(names_file)
        self.outputs: dict[str, str] = described["outputs"]
        present = {node.name for node in self._definition.node}
        self._inputs: dict[str, list[str]] = {
            feature: tensors
            for feature, tensors in described["inputs"].items()
            if any(tensor.partition(":")[0] in present for tensor in tensors)
        }

    def needed_inputs(self, outputs: Mapping[str, Any]) -> list[str]:
        """The inputs that the outputs depend on: those of all, of which none is superfluous."""
        return list(self._inputs)

    def apply(self, inputs: Mapping[str, Any]) -> dict[str, tf.Tensor]:
        """The outputs for these inputs, within a TensorFlow function."""
        fed: dict[str, Any] = {}
        for feature, names in self._inputs.items():
            components = tf.nest.flatten(inputs[feature], expand_composites=True)
            fed.update(zip(names, components, strict=True))
        present = {node.name for node in self._definition.node}
        computed = tf.graph_util.import_graph_def(
            self._definition,
            input_map={name: fed[name] for name in fed if name.partition(":")[0] in present},
            return_elements=list(self.outputs.values()),
            name="phase",
        )
        return dict(zip(self.outputs, computed, strict=True))
