"""GraphFunction: a traced preprocessing function, or a phase of it, on serialized examples."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import tensorflow as tf
from tensorflow_transform import graph_tools, tf2_utils
from tensorflow_transform.saved import saved_transform_io_v2

from trainwright.engine.passes import ReportUnits
from trainwright.transform.raw_examples import RawExamples

# Functions that were traced in this process, by the directory they would be saved in: a pass that
# runs here needs no SavedModel, which takes longer to write and to load than little data to read.
_traced: dict[str, Any] = {}


@contextlib.contextmanager
def lend(directory: str, function: Any) -> Iterator[None]:
    """Lets passes of this process use a concrete function as if it were saved in a directory."""
    _traced[directory] = function
    try:
        yield
    finally:
        del _traced[directory]


class GraphFunction:
    """Parses examples and computes what a preprocessing function, or a phase of it, makes of them.

    Parsing and computing are one TensorFlow function, which reads only the features it needs.

    Args:
        directory: The SavedModel, or what a function of this process is lent as.
        examples: How the examples are parsed.
        outputs: Which outputs to compute; all if None.
    """

    def __init__(
        self, directory: str, examples: RawExamples, outputs: Collection[str] | None = None
    ) -> None:
        lent = _traced.get(directory)
        self._function = _Saved(directory) if lent is None else _Traced(lent)
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


class _Saved:
    """A function in a SavedModel of tf.Transform."""

    def __init__(self, directory: str) -> None:
        # Held on to, for its tables live as long as it does.
        self._loader = saved_transform_io_v2.SavedModelLoader(directory)
        self.outputs: Mapping[str, Any] = self._loader.structured_outputs

    def needed_inputs(self, outputs: Mapping[str, Any]) -> list[str] | None:
        # Graphs of TensorFlow 1 want all their inputs.
        return None if self._loader.load_v2_in_compat else _needed_inputs(outputs)

    def apply(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        computed: Mapping[str, Any] = self._loader.apply_transform_model(inputs)
        return computed


@dataclass(frozen=True)
class _Traced:
    """A concrete function of this process."""

    function: Any

    @property
    def outputs(self) -> Mapping[str, Any]:
        structure = self.function.structured_outputs
        outputs: Mapping[str, Any] = tf.nest.pack_sequence_as(
            structure, self.function.outputs, expand_composites=True
        )
        return outputs

    def needed_inputs(self, outputs: Mapping[str, Any]) -> list[str]:
        return _needed_inputs(outputs)

    def apply(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        expected = tf2_utils.get_structured_inputs_from_func_graph(self.function.graph)
        missing = set(expected) - set(inputs)
        rows = _count_rows(next(iter(inputs.values())))
        supplied = tf2_utils.supply_missing_inputs(expected, rows, missing) if missing else {}
        flat = tf.nest.flatten({**inputs, **supplied}, expand_composites=True)
        computed: Mapping[str, Any] = self.function(*flat)
        return computed


def _needed_inputs(outputs: Mapping[str, Any]) -> list[str]:
    """The inputs that the outputs depend on."""
    tensors = tf.nest.flatten(dict(outputs), expand_composites=True)
    if not tensors:
        return []
    graph = tensors[0].graph
    inputs = tf2_utils.get_structured_inputs_from_func_graph(graph)
    return list(graph_tools.get_dependent_inputs(graph, inputs, dict(outputs)))


def _count_rows(tensor: Any) -> tf.Tensor:
    if isinstance(tensor, tf.RaggedTensor):
        return tensor.bounding_shape(axis=0)
    return tf.shape(tensor)[0]
