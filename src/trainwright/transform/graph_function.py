"""GraphFunction: a traced preprocessing function, or a phase of it, on serialized examples."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import tensorflow as tf
from tensorflow_transform import graph_tools, tf2_utils
from tensorflow_transform.saved import saved_transform_io_v2

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.data.graph_optimizer import disable_arithmetic_optimizer
from trainwright.engine.passes import ReportUnits
from trainwright.transform.subgraph import Subgraph, is_subgraph

_last_loaded: dict[tuple[str, str], GraphFunction] = {}


def load_function(directory: str, examples: ExampleFiles) -> GraphFunction:
    """A saved function with all its outputs; the last one stays loaded for the next who asks."""
    key = _key(directory, examples)
    if key not in _last_loaded:
        _last_loaded.clear()
        _last_loaded[key] = GraphFunction(open_function(directory), examples)
    return _last_loaded[key]


def keep_function(directory: str, examples: ExampleFiles, function: TracedFunction) -> None:
    """Lets `load_function` find a function of this process that was saved to a directory."""
    _last_loaded.clear()
    _last_loaded[_key(directory, examples)] = GraphFunction(function, examples)


def open_function(directory: str) -> Subgraph | SavedFunction:
    """What was saved to a directory."""
    return Subgraph(directory) if is_subgraph(directory) else SavedFunction(directory)


def _key(directory: str, examples: ExampleFiles) -> tuple[str, str]:
    return directory, json.dumps(examples.to_json())


class GraphFunction:
    """Parses examples and computes what a preprocessing function, or a phase of it, makes of them.

    Parsing and computing are one TensorFlow function, which reads only the features it needs.

    Args:
        function: From the tensors of parsed examples to others.
        examples: How the examples are parsed.
        outputs: Which outputs to compute; all if None.
    """

    def __init__(
        self,
        function: Subgraph | SavedFunction | TracedFunction,
        examples: ExampleFiles,
        outputs: Collection[str] | None = None,
    ) -> None:
        disable_arithmetic_optimizer()
        self._function = function
        available = self._function.outputs
        names = list(available) if outputs is None else list(outputs)
        needed = self._function.needed_inputs({name: available[name] for name in names})
        self._examples = examples
        parser = examples.parser(needed or None)
        if needed is not None and not needed:
            # One input at least says how many rows there are.
            parser = examples.parser(parser.tensor_names[:1])

        def apply(serialized: tf.Tensor) -> dict[str, Any]:
            computed = self._function.apply(parser.parse(serialized))
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
        for records in self._examples.at(path).parsed_batches():
            yield len(records), self(tf.constant(records))
            report(len(records))


class SavedFunction:
    """A function in a SavedModel of tf.Transform."""

    def __init__(self, directory: str) -> None:
        # Held on to, for its tables live as long as it does.
        self._loader = saved_transform_io_v2.SavedModelLoader(directory)
        self.outputs: Mapping[str, Any] = self._loader.structured_outputs

    def needed_inputs(self, outputs: Mapping[str, Any]) -> list[str] | None:
        """The inputs that the outputs depend on; None if all inputs have to be there."""
        # Graphs of TensorFlow 1 want all.
        return None if self._loader.load_v2_in_compat else _needed_inputs(outputs)

    def apply(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        """The outputs for these inputs, within a TensorFlow function."""
        computed: Mapping[str, Any] = self._loader.apply_transform_model(inputs)
        return computed


class TracedFunction:
    """A function that was traced in this process.

    Args:
        function: The concrete function.
        module: What owns its tables, which live as long as it does.
    """

    def __init__(self, function: Any, module: tf.Module) -> None:
        self._function = function
        self._module = module
        self.outputs: Mapping[str, Any] = tf.nest.pack_sequence_as(
            function.structured_outputs, function.outputs, expand_composites=True
        )

    def needed_inputs(self, outputs: Mapping[str, Any]) -> None:
        """All inputs have to be there."""

    def apply(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        """The outputs for these inputs, within a TensorFlow function."""
        flat = tf.nest.flatten(dict(inputs), expand_composites=True)
        computed: Mapping[str, Any] = self._function(*flat)
        return computed


def _needed_inputs(outputs: Mapping[str, Any]) -> list[str] | None:
    tensors = tf.nest.flatten(dict(outputs), expand_composites=True)
    if not tensors:
        return None
    graph = tensors[0].graph
    inputs = tf2_utils.get_structured_inputs_from_func_graph(graph)
    return list(graph_tools.get_dependent_inputs(graph, inputs, dict(outputs)))
