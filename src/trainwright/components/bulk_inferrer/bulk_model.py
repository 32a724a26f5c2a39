"""BulkModel: a SavedModel that is asked about many records at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from trainwright._imports import is_installed, require
from trainwright.components.bulk_inferrer.signatures import CLASSES, CLASSIFY, PREDICT, SCORES
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.evaluation.batches.features import FeatureColumn, FeatureReader
from trainwright.evaluation.models.saved_model import ModelFunction

# A row for each record: an array, or a list of arrays where rows differ in their shape.
Rows: TypeAlias = "npt.NDArray[Any] | list[npt.NDArray[Any]]"

# Libraries whose operations models may have been saved with; importing them registers these.
_OPERATIONS = ("tensorflow_text", "tensorflow_decision_forests", "struct2tensor")


@dataclass(frozen=True)
class AskedSignature:
    """A signature that the model is asked by.

    Args:
        name: Its name.
        method: What it does: predict, classify or regress.
        takes_serialized: Whether it parses records itself; others are fed features by name.
    """

    name: str
    method: str
    takes_serialized: bool

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Answer:
    """What a signature was fed for a batch, and what it said."""

    signature: AskedSignature
    inputs: Mapping[str, Rows]
    outputs: Mapping[str, Rows]


class BulkModel:
    """A SavedModel, loaded when it is first asked.

    Args:
        path: Its directory.
        tags: Of the graph to load.
        signatures: What it is asked by.
        examples: How the records are read that it is asked about.
    """

    def __init__(
        self,
        path: str,
        tags: Sequence[str],
        signatures: Sequence[AskedSignature],
        examples: ExampleFiles,
    ) -> None:
        import tensorflow as tf

        for library in _OPERATIONS:
            if is_installed(library):
                require(library)
        self._path = path
        # Held on to: the variables of its functions live as long as it does.
        self._model: Any = tf.saved_model.load(path, tags=list(tags))
        self._signatures = list(signatures)
        self._functions = [
            ModelFunction.from_signature(one.name, self._model.signatures[one.name], path)
            for one in signatures
        ]
        self._examples = examples
        self._reader: FeatureReader | None = None

    def ask(self, records: Sequence[bytes]) -> list[Answer]:
        """The answers about a batch, one by each signature.

        Raises:
            ValueError: if the features do not fit the inputs, or the outputs do not fit the batch.
            tf.errors.OpError: if the model cannot take a record.
        """
        import tensorflow as tf

        serialized = tf.constant(records, tf.string)
        columns: Mapping[str, FeatureColumn] = {}
        if not all(one.takes_serialized for one in self._signatures):
            columns = self._read_columns(records, serialized)
        answers = []
        for signature, function in zip(self._signatures, self._functions, strict=True):
            if signature.takes_serialized:
                (name,) = function.inputs
                fed: Mapping[str, Any] = {name: serialized}
            else:
                fed = function.arguments(columns)
            outputs = {
                name: _to_rows(name, value, len(records), signature.name)
                for name, value in function.call(**fed).items()
            }
            if signature.method == CLASSIFY:
                _check_classes(outputs)
            is_logged = signature.method == PREDICT
            inputs = {name: _to_rows(name, value, len(records), "") for name, value in fed.items()}
            answers.append(Answer(signature, inputs if is_logged else {}, outputs))
        return answers

    def _read_columns(
        self, records: Sequence[bytes], serialized: Any
    ) -> Mapping[str, FeatureColumn]:
        if self._reader is None:
            features = self._examples.features()
            names = features.names(records)
            needed = {
                name for function in self._functions for name in function.features_needed(names)
            }
            self._reader = FeatureReader(needed, features)
        return self._reader.read(records, serialized)


def _to_rows(name: str, value: Any, size: int, signature: str) -> Rows:
    """A row for each record, of a dense, sparse or ragged tensor."""
    import tensorflow as tf

    if isinstance(value, tf.SparseTensor):
        value = tf.sparse.to_dense(value)
    if isinstance(value, tf.RaggedTensor):
        rows: Rows = _ragged_rows(value)
        shape: tuple[int, ...] = (len(rows),)
    else:
        rows = np.asarray(value)
        shape = rows.shape
    if not shape or shape[0] != size:
        raise ValueError(
            f"The output {name!r} of the signature {signature!r} has the shape {list(shape)} for "
            f"{size} records: expected a row for each. Give every output of the model a first "
            "dimension for the batch."
        )
    return rows


def _ragged_rows(value: Any) -> list[npt.NDArray[Any]]:
    if value.ragged_rank == 1:
        return np.split(value.flat_values.numpy(), value.row_splits.numpy()[1:-1])
    # Deeper lists of one record are made as long as its longest.
    return [np.asarray(row.to_tensor()) for row in value]


def _check_classes(outputs: Mapping[str, Rows]) -> None:
    """Classes and scores are a list for each record, as long as each other."""
    shapes = {name: np.shape(rows) for name, rows in outputs.items()}
    if any(len(shape) != 2 for shape in shapes.values()) or len(set(shapes.values())) > 1:
        shown = ", ".join(f"{name}: {list(shape)}" for name, shape in shapes.items())
        raise ValueError(
            f"A signature that classifies returned {shown}: expected {CLASSES} and {SCORES} as "
            "[records, classes], of one shape."
        )


def bisect_failure(
    records: Sequence[bytes], fails: Callable[[Sequence[bytes]], bool]
) -> tuple[int, int]:
    """The smallest range of records that fails, found by halving; the first of several.

    >>> bisect_failure([b"a", b"bad", b"c", b"d"], lambda some: b"bad" in some)
    (1, 2)
    """
    start, end = 0, len(records)
    while end - start > 1:
        middle = (start + end) // 2
        if fails(records[start:middle]):
            end = middle
        elif fails(records[middle:end]):
            start = middle
        else:
            break  # only together
    return start, end
