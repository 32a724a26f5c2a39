"""GraphFunction: a traced preprocessing function, or a phase of it, on serialized examples."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import tensorflow as tf
from tensorflow_transform import graph_tools, tf2_utils
from tensorflow_transform.saved import saved_transform_io_v2

from trainwright.engine.passes import ReportUnits
from trainwright.transform.raw_examples import RawExamples
from trainwright.transform.subgraph import Subgraph, is_subgraph

_last_loaded: dict[tuple[str, str], GraphFunction] = {}


def load_function(directory: str, examples: RawExamples) -> GraphFunction:
    """A saved function with all its outputs; the last one stays loaded for the next who asks."""
    key = (directory, json.dumps(examples.to_json()))
    if key not in _last_loaded:
        _last_loaded.clear()
        _last_loaded[key] = GraphFunction(directory, examples)
    return _last_loaded[key]


class GraphFunction:
    """Parses examples and computes what a preprocessing function, or a phase of it, makes of them.

    Parsing and computing are one TensorFlow function, which reads only the features it needs.

    Args:
        directory: The subgraph or the SavedModel.
        examples: How the examples are parsed.
        outputs: Which outputs to compute; all if None.
    """

    def __init__(
        self, directory: str, examples: RawExamples, outputs: Collection[str] | None = None
    ) -> None:
        self._function = Subgraph(directory) if is_subgraph(directory) else _SavedModel(directory)
        available = self._function.outputs
        names = list(available) if outputs is None else list(outputs)
        needed = self._function.needed_inputs({name: available[name] for name in names})
        # One input at least says how many rows there are.
        everything = examples.tensor_names
        self._examples = examples.select(everything if needed is None else needed or everything[:1])

        def apply(serialized: tf.Tensor) -> dict[str, Any]:
            computed = self._function.apply(self._examples.parse(serialized))
            return {name: computed[name] for name in names}

        self._apply = tf.function(
            apply, input_signature=[tf.TensorSpec([None], tf.string)], autograph=False
        )

    def __call__(self, serialized: tf.Tensor) -> dict[str, Any]:
        """The outputs for a batch of records, by name: tensors, sparse or ragged ones too."""
        computed: dict[str, Any] = self._apply(serialized)
        return computed

    def batches(self, path: str, report: ReportUnits) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields how many examples of a file were read, and the outputs for them."""
        for records in self._examples.read(path):
            yield len(records), self(tf.constant(records))
            report(len(records))


class _SavedModel:
    """A function in a SavedModel of tf.Transform."""

    def __init__(self, directory: str) -> None:
        # Held on to, for its tables live as long as it does.
        self._loader = saved_transform_io_v2.SavedModelLoader(directory)
        self.outputs: Mapping[str, Any] = self._loader.structured_outputs

    def needed_inputs(self, outputs: Mapping[str, Any]) -> list[str] | None:
        """The inputs that the outputs depend on; None if all inputs have to be there."""
        tensors = tf.nest.flatten(dict(outputs), expand_composites=True)
        if self._loader.load_v2_in_compat or not tensors:
            return None  # graphs of TensorFlow 1 want all
        graph = tensors[0].graph
        inputs = tf2_utils.get_structured_inputs_from_func_graph(graph)
        return list(graph_tools.get_dependent_inputs(graph, inputs, dict(outputs)))

    def apply(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        """The outputs for these inputs, within a TensorFlow function."""
        computed: Mapping[str, Any] = self._loader.apply_transform_model(inputs)
        return computed
