"""Phases: in which order the analyzers of a preprocessing function can run.

An analyzer can run when everything it reads can be computed. What it gives is a constant from then
on, on which the input of other analyzers may depend: `x - tft.min(x)` must be known before the
largest of these differences can be looked for. The analyzers that can run at the same time are a
phase, and read the data together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import tensorflow as tf
from tensorflow_transform import analyzer_nodes, graph_tools, nodes, tf_utils

from trainwright.transform.accumulations import Accumulation, make_accumulation


@dataclass(frozen=True, kw_only=True)
class Phase:
    """Analyzers that read the data together.

    Args:
        number: Which phase it is, from 0 on.
        sinks: The tensors that become constants, and the nodes that give their values.
        accumulations: What is gathered from the data.
        outputs: The tensors that the analyzers read, by the name they are fetched under.
        paths: For each of these, a hash of how it is computed from the inputs.
        table_initializers: The tables that can be looked up in by now (TensorFlow 1).
        has_beam_transforms: Whether analyzers that are Beam transforms read the data, too.
    """

    number: int
    sinks: list[Any]
    accumulations: list[Accumulation]
    outputs: dict[str, tf.Tensor]
    paths: dict[str, bytes | None]
    table_initializers: list[Any]
    has_beam_transforms: bool


def find_phases(graph: tf.Graph, inputs: Mapping[str, Any]) -> Iterator[Phase]:
    """Yields the phases of a traced preprocessing function, the first first.

    Args:
        graph: The traced function. Its collection of replacements is emptied.
        inputs: The tensors that the function is fed.

    Raises:
        ValueError: if analyzers wait for each other.
    """
    sinks = graph.get_collection(analyzer_nodes.TENSOR_REPLACEMENTS)
    graph.clear_collection(analyzer_nodes.TENSOR_REPLACEMENTS)
    is_known = {_reference(sink): False for sink in sinks}
    waiting = list(sinks)
    number = 0
    while waiting:
        analyzer = graph_tools.InitializableGraphAnalyzer(
            graph,
            inputs,
            list(is_known.items()),
            graph_tools.describe_path_as_analyzer_cache_hash,
        )
        readiness = nodes.Traverser(_ReadinessVisitor(analyzer))
        ready = [sink for sink in waiting if readiness.visit_value_node(sink.future)]
        if not ready:
            names = ", ".join(sink.tensor.name for sink in waiting)
            raise ValueError(f"These analyzers wait for each other and cannot run: {names}.")
        yield _make_phase(number, ready, analyzer)
        for sink in ready:
            is_known[_reference(sink)] = True
        waiting = [sink for sink in waiting if not is_known[_reference(sink)]]
        number += 1


def _reference(sink: Any) -> Any:
    """What stands for a sink's tensor as a key; tensors themselves cannot be compared."""
    return tf_utils.hashable_tensor_or_op(sink.tensor)


def _make_phase(number: int, sinks: list[Any], analyzer: Any) -> Phase:
    sources = _SourcesVisitor()
    traverser = nodes.Traverser(sources)
    for sink in sinks:
        traverser.visit_value_node(sink.future)
    return Phase(
        number=number,
        sinks=sinks,
        accumulations=sources.accumulations,
        outputs=sources.outputs,
        paths={name: analyzer.get_unique_path(tensor) for name, tensor in sources.outputs.items()},
        table_initializers=list(analyzer.ready_table_initializers),
        has_beam_transforms=sources.has_beam_transforms,
    )


def tensor_key(tensor: tf.Tensor) -> str:
    """The name that a tensor is fetched under.

    >>> with tf.Graph().as_default(): tensor_key(tf.constant(1, name="one"))
    'one'
    """
    return str(tensor.name).removesuffix(":0")


class _ReadinessVisitor(nodes.Visitor):  # type: ignore[misc]
    """Whether the value of a node can be computed, given what is known."""

    def __init__(self, analyzer: Any) -> None:
        self._analyzer = analyzer

    def visit(self, operation_def: Any, input_values: tuple[bool, ...]) -> tuple[bool, ...]:
        if isinstance(operation_def, analyzer_nodes.TensorSource):
            is_ready = all(map(self._analyzer.ready_to_run, operation_def.tensors))
        else:
            is_ready = all(input_values)
        return tuple(repeat(is_ready, operation_def.num_outputs))

    def validate_value(self, value: bool) -> None:
        assert isinstance(value, bool)


class _SourcesVisitor(nodes.Visitor):  # type: ignore[misc]
    """Collects which tensors are read, and what is gathered from them.

    The value of a node is the keys of its tensors if it is a source, and None if it is not.
    """

    def __init__(self) -> None:
        self.outputs: dict[str, tf.Tensor] = {}
        self.accumulations: list[Accumulation] = []
        self.has_beam_transforms = False

    def visit(self, operation_def: Any, input_values: tuple[Any, ...]) -> tuple[Any, ...]:
        if isinstance(operation_def, analyzer_nodes.TensorSource):
            tensors = {tensor_key(tensor): tensor for tensor in operation_def.tensors}
            self.outputs.update(tensors)
            return (tuple(map(tensor_key, operation_def.tensors)),)
        keys = [value for value in input_values if value is not None]
        if keys:
            accumulation = make_accumulation(operation_def, keys[0])
            if accumulation is None:
                self.has_beam_transforms = True
            else:
                self.accumulations.append(accumulation)
        return tuple(repeat(None, operation_def.num_outputs))

    def validate_value(self, value: Any) -> None:
        """Every value is as good as another."""
