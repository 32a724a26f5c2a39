"""GraphFunction: a SavedModel of tf.Transform, applied to serialized examples."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import tensorflow as tf
from tensorflow_transform import graph_tools, tf2_utils
from tensorflow_transform.saved import saved_transform_io_v2

from trainwright.engine.passes import ReportUnits
from trainwright.transform.raw_examples import RawExamples


class GraphFunction:
    """Parses examples and computes what a preprocessing function, or a phase of it, makes of them.

    Parsing and computing are one TensorFlow function, which reads only the features it needs.

    Args:
        directory: The SavedModel.
        examples: How the examples are parsed.
        outputs: Which outputs to compute; all if None.
    """

    def __init__(
        self, directory: str, examples: RawExamples, outputs: Collection[str] | None = None
    ) -> None:
        self._examples = examples
        # Held on to, for its tables live as long as it does.
        self._loader = saved_transform_io_v2.SavedModelLoader(directory)
        available = self._loader.structured_outputs
        names = list(available) if outputs is None else list(outputs)
        needed = examples.select(self._needed_inputs({name: available[name] for name in names}))

        def apply(serialized: tf.Tensor) -> dict[str, Any]:
            computed = self._loader.apply_transform_model(needed.parse(serialized))
            return {name: computed[name] for name in names}

        self._apply = tf.function(
            apply, input_signature=[tf.TensorSpec([None], tf.string)], autograph=False
        )

    def _needed_inputs(self, outputs: dict[str, Any]) -> Collection[str]:
        """The inputs that the outputs depend on; one at least, which says how many rows there are.

        tf.Transform's graphs of TensorFlow 1 want all their inputs.
        """
        everything = self._examples.tensor_names
        if self._loader.load_v2_in_compat or not outputs:
            return everything
        tensors = tf.nest.flatten(outputs, expand_composites=True)
        graph = tensors[0].graph
        inputs = tf2_utils.get_structured_inputs_from_func_graph(graph)
        needed = graph_tools.get_dependent_inputs(graph, inputs, outputs)
        return list(needed) or everything[:1]

    def __call__(self, serialized: tf.Tensor) -> dict[str, Any]:
        """The outputs for a batch of records, by name: tensors, sparse or ragged ones too."""
        computed: dict[str, Any] = self._apply(serialized)
        return computed

    def batches(self, path: str, report: ReportUnits) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields how many examples of a file were read, and the outputs for them."""
        for serialized in self._examples.read(path):
            rows = int(serialized.shape[0])
            yield rows, self(serialized)
            report(rows)
