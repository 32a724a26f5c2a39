"""Merging: the nodes of tf.Transform's graph that come after accumulating, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow_transform import analyzer_nodes, analyzers, nodes, tf_utils

from trainwright.transform.accumulations import CombinePerKeyAccumulation
from trainwright.transform.beam_nodes import TensorBatches, run_ptransform
from trainwright.transform.frequent_tokens import repeatable
from trainwright.transform.per_key_buckets import join_boundaries
from trainwright.transform.phases import tensor_key
from trainwright.transform.vocabulary_entries import VocabularyEntries
from trainwright.transform.vocabulary_nodes import (
    count_vocabulary,
    merge_vocabulary,
    prune_vocabulary,
    write_vocabulary,
)

# Given a node and the values of its inputs, the values of its outputs.
_Compute = Callable[[Any, tuple[Any, ...]], tuple[Any, ...]]


class MergingVisitor(nodes.Visitor):  # type: ignore[misc]
    """Computes the value of each node that a traverser of tf.Transform's comes by.

    What an accumulating node gives is not computed here but taken from `accumulated`, where a pass
    over the data has put it: by the node's label, one accumulator for each dataset.

    Args:
        graph: The traced preprocessing function.
        directory: Where vocabularies go.
    """

    def __init__(self, graph: tf.Graph, directory: str) -> None:
        self.accumulated: dict[str, list[Any]] = {}
        # What gives the values of tensors to Beam's transforms, if the phase that is going on has
        # any.
        self.read: Callable[[tuple[str, ...]], TensorBatches] | None = None
        self._graph = graph
        self._directory = directory
        self._computations: Mapping[type, _Compute] = {
            analyzer_nodes.TensorSource: self._read_tensors,
            analyzer_nodes.CacheableCombineAccumulate: self._take_accumulated,
            analyzer_nodes.CacheableCombinePerKeyAccumulate: self._take_accumulated,
            analyzer_nodes.VocabularyAccumulate: self._take_accumulated,
            analyzer_nodes.CacheableCombineMerge: _merge,
            analyzer_nodes.CacheableCombinePerKeyMerge: _merge_per_key,
            analyzer_nodes.CacheableCombinePerKeyFormatKeys: _format_keys,
            analyzer_nodes.CacheableCombinePerKeyFormatLarge: self._format_large,
            analyzer_nodes.ScaleAndFlattenPerKeyBucketBouandaries: _join_boundaries,
            analyzer_nodes.ExtractCombineMergeOutputs: _extract_outputs,
            analyzer_nodes.FlattenLists: self._flatten_lists,
            analyzer_nodes.VocabularyMerge: self._merge_vocabulary,
            analyzer_nodes.VocabularyCount: lambda operation, inputs: (count_vocabulary(*inputs),),
            analyzer_nodes.VocabularyPrune: self._prune_vocabulary,
            analyzer_nodes.VocabularyOrderAndWrite: self._write_vocabulary,
            analyzer_nodes.ExtractVocabularyReservedTokens: self._reserved_tokens,
            analyzer_nodes.PTransform: self._run_ptransform,
        }

    def visit(self, operation_def: Any, input_values: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._computations[type(operation_def)](operation_def, input_values)

    def validate_value(self, value: Any) -> None:
        """Every value is as good as another."""

    def _read_tensors(self, operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        if self.read is None:
            return (None,)
        return (self.read(tuple(map(tensor_key, operation.tensors))),)

    def _take_accumulated(self, operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self.accumulated[operation.label],)

    def _format_large(self, operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        (outputs_by_key,) = inputs
        entries = [
            (",".join(map(tf.compat.as_str_any, outputs)), key)
            for key, outputs in outputs_by_key.items()
        ]
        return (VocabularyEntries([entries], self._directory),)

    def _flatten_lists(self, operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        entries = [tuple(entry) for entry in chain.from_iterable(inputs)]
        return (VocabularyEntries([entries], self._directory),)

    def _merge_vocabulary(self, operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        (accumulators,) = inputs
        return (merge_vocabulary(operation, accumulators, self._directory),)

    def _prune_vocabulary(self, operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        (entries,) = inputs
        return (prune_vocabulary(operation, entries, self._directory),)

    def _write_vocabulary(self, operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        entries, *reserved = inputs
        tokens = reserved[0] if reserved else None
        return (write_vocabulary(operation, entries, tokens, self._directory),)

    def _reserved_tokens(self, operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        return (tf_utils.fetch_vocabulary_reserved_tokens(self._graph, operation.name),)

    def _run_ptransform(self, operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        (values,) = inputs
        return run_ptransform(operation, values, self._directory)


def _merge(operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    (accumulators,) = inputs
    return (_extract(repeatable(operation.combiner), accumulators),)


def _merge_per_key(operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    (accumulators,) = inputs
    combiner = operation.combiner
    merged = CombinePerKeyAccumulation(operation.label, (), combiner).merge(accumulators)
    return ({key: _extract(combiner, [merged[key]]) for key in sorted(merged)},)


def _extract(combiner: Any, accumulators: Sequence[Any]) -> Any:
    """The output of a combiner; merging makes accumulators of what was read from bytes.

    Accumulators are made compact, as those that come from a cache have been, so that a cache makes
    no difference.
    """
    compact = [combiner.compact(accumulator) for accumulator in accumulators]
    merged = combiner.merge_accumulators([combiner.create_accumulator(), *compact])
    return combiner.extract_output(merged)


def _format_keys(operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The keys as one array, and each output of the combiner as one array with a row per key.

    Without any data there is one key that nothing equals, as in an empty vocabulary: tf.Transform's
    own functions cannot look up in no keys.
    """
    (outputs_by_key,) = inputs
    combiner = operation.combiner
    if not outputs_by_key:
        _, nothing = analyzers.get_empy_vocabulary_dummy_value("string")
        outputs_by_key = {nothing: _extract(combiner, [])}
    types = [info.dtype.as_numpy_dtype for info in combiner.output_tensor_infos()]
    columns = list(zip(*outputs_by_key.values(), strict=True))
    return (
        np.array(list(outputs_by_key), dtype=object),
        *(np.array(column, dtype=dtype) for column, dtype in zip(columns, types, strict=True)),
    )


def _join_boundaries(operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    return join_boundaries(*inputs)


def _extract_outputs(operation: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    (outputs,) = inputs
    if len(outputs) != operation.num_outputs:
        raise ValueError(
            f"The analyzer {operation.label} has {operation.num_outputs} outputs, and its combiner "
            f"gave {len(outputs)}."
        )
    return tuple(outputs)
