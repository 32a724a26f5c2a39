"""Analyzers that are Beam transforms: the one kind of node that needs Beam.

Only the node itself runs on Beam, on its in-memory runner in this process; what it reads is
computed as for any other.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainwright._imports import require

_logger = logging.getLogger(__name__)

# What transforms have given, by the place it is gathered at. Beam copies the functions it runs, so
# they cannot hold on to a list; they find it here, in the same process.
_gathered: dict[str, list[Any]] = {}


@dataclass(frozen=True)
class TensorBatches:
    """The values of some tensors, batch by batch, computed when they are asked for.

    Args:
        keys: The tensors.
        function_directory: The SavedModel that computes them.
        examples: `ExampleFiles` as JSON.
        paths: The files of examples.
    """

    keys: tuple[str, ...]
    function_directory: str
    examples: Mapping[str, Any]
    paths: Sequence[str]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        from trainwright.data.example_reading.example_files import ExampleFiles
        from trainwright.transform.graph_function import GraphFunction, open_function

        examples = ExampleFiles.from_json(self.examples)
        function = GraphFunction(open_function(self.function_directory), examples, self.keys)
        for path in self.paths:
            for _, outputs in function.batches(path, lambda rows: None):
                yield tuple(outputs[key].numpy() for key in self.keys)


@dataclass(frozen=True)
class Collection:
    """What a Beam transform gave: a value for a tensor, or values for another transform."""

    values: list[Any]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def only(self, label: str) -> Any:
        """The one value of a collection that becomes a tensor."""
        if len(self.values) != 1:
            raise ValueError(
                f"The Beam transform of {label} gave {len(self.values)} values for a tensor. "
                "Expected exactly one, an array."
            )
        return self.values[0]


def run_ptransform(operation: Any, values: Iterable[Any], directory: str) -> tuple[Collection, ...]:
    """Applies the Beam transform of a node to the values; a collection for each of its outputs."""
    beam = require("apache_beam", extra="beam")
    runner = require("apache_beam.runners.portability.fn_api_runner", extra="beam")
    _logger.info("%s is a Beam transform: it runs on Beam, in memory.", operation.label)
    transform = operation.ptransform
    if hasattr(transform, "base_temp_dir"):
        transform.base_temp_dir = tempfile.mkdtemp(dir=directory)
    places: list[str] = []
    with beam.Pipeline(runner=runner.FnApiRunner()) as pipeline:
        source = pipeline | "Once" >> beam.Create([None]) | "Read" >> beam.FlatMap(_read, values)
        applied = source | "Analyze" >> transform
        # Several outputs are a tuple, or what `with_outputs` makes, which is not one.
        outputs = (applied,) if isinstance(applied, beam.PCollection) else tuple(applied)
        if len(outputs) != operation.num_outputs:
            raise ValueError(
                f"The Beam transform of {operation.label} gave {len(outputs)} collections. "
                f"Expected {operation.num_outputs}, one for each of output_dtypes."
            )
        for number, output in enumerate(outputs):
            place = f"{operation.label}/{number}"
            _gathered[place] = []
            places.append(place)
            _ = output | f"Gather{number}" >> beam.Map(_gather, place)
    return tuple(Collection(_gathered.pop(place)) for place in places)


def _read(_: None, values: Iterable[Any]) -> Iterable[Any]:
    return values


def _gather(value: Any, place: str) -> None:
    _gathered[place].append(value)
