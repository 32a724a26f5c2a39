"""TensorFunction: a function of named arrays, as LiteRT, ONNX and TF.js run it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright.evaluation.batches.features import FeatureColumn
from trainwright.evaluation.models.feeding import feature_of, find_column, to_rows

if TYPE_CHECKING:
    import tensorflow as tf

    from trainwright.proto.tfma import config_pb2

Arrays = Mapping[str, npt.NDArray[Any]]

_ADVICE = "Evaluate examples that have the same number of values, such as those of Transform."


@dataclass(frozen=True)
class TensorInput:
    """What one input takes.

    Args:
        name: Of the input.
        dtype: Of the array; `object` for strings.
        shape: The size of the batch first; None for a size that is left open.
    """

    name: str
    dtype: npt.DTypeLike
    shape: tuple[int | None, ...]

    @property
    def takes_text(self) -> bool:
        return np.dtype(self.dtype) == object


@dataclass(frozen=True)
class TensorFunction:
    """A function that takes an array for each feature, and returns arrays by name.

    Args:
        asked: Which function of which model, the subject of errors.
        inputs: What it takes.
        call: Takes and returns arrays by name.
    """

    asked: str
    inputs: Sequence[TensorInput]
    call: Callable[[Arrays], Arrays]

    def features_needed(self, names: Iterable[str]) -> set[str]:
        """Which features of the examples it is fed."""
        known = list(names)
        return {feature_of(each.name, known) or each.name for each in self.inputs}

    def ask(self, columns: Mapping[str, FeatureColumn]) -> dict[str, npt.NDArray[Any]]:
        """The outputs by name, a row for each example.

        Raises:
            ValueError: The features do not fit the inputs.
        """
        self._refuse_serialized(columns)
        fed = {each.name: self._feed(each, columns) for each in self.inputs}
        at_once = self._rows_at_once
        if at_once is None:
            return dict(self.call(fed))
        rows = len(next(iter(fed.values())))
        pieces = [self._call_piece(fed, start, at_once) for start in range(0, rows, at_once)]
        return {
            name: _join([piece[name] for piece in pieces], at_once)[:rows] for name in pieces[0]
        }

    @cached_property
    def _rows_at_once(self) -> int | None:
        """How many examples it takes in a call; None for any number."""
        sizes = {each.shape[0] if each.shape else 1 for each in self.inputs} - {None}
        if len(sizes) > 1:
            shapes = ", ".join(f"{each.name}: {each.shape}" for each in self.inputs)
            raise ValueError(
                f"{self.asked} takes {shapes}: the first sizes differ, so that none of them can be "
                "the number of examples. Convert the model with inputs whose first dimension is "
                "the batch."
            )
        return sizes.pop() if sizes else None

    def _refuse_serialized(self, columns: Mapping[str, FeatureColumn]) -> None:
        if len(self.inputs) != 1:
            return
        (only,) = self.inputs
        if only.takes_text and feature_of(only.name, columns) is None:
            raise ValueError(
                f"{self.asked} takes strings as {only.name!r}, which is not a feature of the "
                "examples: serialized tf.Examples, it seems, and these are parsed by TensorFlow "
                "alone. Convert a signature that takes a tensor for each feature, named after it, "
                "and evaluate examples that have these features, such as those of Transform."
            )

    def _feed(self, each: TensorInput, columns: Mapping[str, FeatureColumn]) -> npt.NDArray[Any]:
        column = find_column(each.name, columns, self.asked)
        rows = to_rows(each.name, column, each.shape, self.asked, _ADVICE)
        if each.takes_text != (rows.dtype == object):
            kinds = ("strings", "numbers") if each.takes_text else ("numbers", "strings")
            raise ValueError(
                f"{self.asked} takes {kinds[0]} as {each.name!r}, but the examples have "
                f"{kinds[1]} there. Evaluate the examples that the model was made for."
            )
        _refuse_overflow(rows, each, self.asked)
        return rows.astype(each.dtype, copy=False)

    def _call_piece(self, fed: Arrays, start: int, size: int) -> Arrays:
        """The outputs for some of the examples; the last piece is filled up to the size."""
        piece = {name: _fill(rows[start : start + size], size) for name, rows in fed.items()}
        for each in self.inputs:
            if not each.shape:
                piece[each.name] = piece[each.name].reshape(())
        return self.call(piece)


class OneFunctionModel:
    """Base of models whose format has no signatures: one function, which only predicts.

    Args:
        kind: The name of the format.
        path: Where the model is.
        spec: Of the model; refused if it names functions to preprocess with.
    """

    # What the model is asked; a subclass makes it.
    _function: TensorFunction

    def __init__(self, kind: str, path: str, spec: config_pb2.ModelSpec) -> None:
        self.path = path
        self._asked = f"The {kind} model at {path}"
        if spec.preprocessing_function_names:
            raise ValueError(
                f"The model spec names preprocessing functions, "
                f"{', '.join(spec.preprocessing_function_names)}, but the {kind} model at {path} "
                "is one function. Leave them out, and evaluate examples that have the label, such "
                "as those of Transform; a baseline of another format may have a spec of its own."
            )

    def features_needed(self, names: Iterable[str]) -> set[str]:
        """Which features of the examples it is fed."""
        return self._function.features_needed(names)

    def preprocess(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, FeatureColumn]:
        """Nothing: the model only predicts."""
        return {}

    def predict(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, npt.NDArray[Any]]:
        """The outputs by name, for a batch."""
        return self._function.ask(columns)


def _refuse_overflow(rows: npt.NDArray[Any], each: TensorInput, asked: str) -> None:
    """Integers of examples have 64 bits; those of a runtime may have fewer."""
    dtype = np.dtype(each.dtype)
    if rows.dtype.kind not in "iu" or dtype.kind not in "iu" or not rows.size:
        return
    limits = np.iinfo(dtype)
    for value in (rows.min(), rows.max()):
        if not limits.min <= int(value) <= limits.max:
            raise ValueError(
                f"{asked} takes {each.name!r} as {dtype}, but the examples have {value} there, "
                f"which is beyond {limits.min} to {limits.max}. Convert a model that takes smaller "
                "numbers, such as an index into a vocabulary."
            )


def _fill(rows: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """This many rows, the last of them repeated."""
    missing = size - len(rows)
    return np.concatenate([rows, np.repeat(rows[-1:], missing, axis=0)]) if missing else rows


def _join(pieces: Sequence[npt.NDArray[Any]], size: int) -> npt.NDArray[Any]:
    """The rows of all pieces; an output that has none is the same for all examples."""
    if size == 1:  # which a model may return without a dimension for the batch
        pieces = [each if each.shape[:1] == (1,) else each[np.newaxis] for each in pieces]
    return np.concatenate(pieces) if pieces[0].shape[:1] == (size,) else pieces[0]
