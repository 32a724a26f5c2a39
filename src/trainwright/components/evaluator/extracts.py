"""Extracts: what extractors know of a batch of examples, in dicts of arrays, as TFMA has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from trainwright.evaluation.batches.features import FeatureColumn

Extracts = dict[str, Any]

# The keys that are read, which are TFMA's.
INPUT, FEATURES, LABELS, PREDICTIONS = "input", "features", "labels", "predictions"
TRANSFORMED_FEATURES, EXAMPLE_WEIGHTS = "transformed_features", "example_weights"

# The number of each example in its batch: of shape (n, 1), and (1,) of an example by itself.
ROW = "trainwright_row"


def merge_extracts(parts: Sequence[Extracts], size: int) -> Extracts:
    """One batch again, in the order of its rows.

    Args:
        parts: Batches, or examples by themselves, all with `ROW`.
        size: How many examples there must be.

    Raises:
        ValueError: if examples are missing or cannot be told from each other.
    """
    if not all(ROW in part for part in parts):
        raise ValueError(
            "An extractor returned extracts without the keys that it was given, so that it cannot "
            "be told which examples they are of. Let it change a copy of its argument: "
            "copy.copy(extracts)."
        )
    rows = np.concatenate([np.ravel(part[ROW]) for part in parts] or [np.empty(0, np.int64)])
    order = np.argsort(rows, kind="stable")
    in_order = np.arange(size)
    if not np.array_equal(rows[order], in_order):
        raise ValueError(
            f"The extractors returned {len(rows)} examples of {size}: expected each of them once. "
            "Filter examples before they are evaluated."
        )
    if len(parts) == 1 and np.ndim(parts[0][ROW]) == 2 and np.array_equal(rows, in_order):
        return dict(parts[0])
    return dict(_merge([_with_batches(part) for part in parts], order))


def _with_batches(part: Extracts) -> Extracts:
    """An example by itself as a batch of one."""
    is_batch = np.ndim(part[ROW]) == 2
    return {key: _rows_of(value, is_batch) for key, value in part.items()}


def _rows_of(value: Any, is_batch: bool) -> Any:
    """A list with an item for each example; of a mapping, one for each of its values."""
    if isinstance(value, Mapping):
        return {name: _rows_of(inside, is_batch) for name, inside in value.items()}
    if value is None:
        return None
    if not is_batch:
        return [value.values if _is_value_of_tfma(value, "values") else value]
    if isinstance(value, (np.ndarray, list)):
        return list(value)
    column = to_column(value)
    return np.split(column.values, column.row_splits[1:-1])


def _merge(parts: Sequence[Any], order: npt.NDArray[np.int64]) -> Any:
    first = next((part for part in parts if part is not None), None)
    if isinstance(first, Mapping):
        return {name: _merge([part[name] for part in parts], order) for name in first}
    if first is None or any(part is None for part in parts):
        return None
    rows = [row for part in parts for row in part]
    ordered = [rows[number] for number in order]
    if len({np.shape(row) for row in ordered}) > 1:
        return ordered
    return np.stack([_to_array(row) for row in ordered])


def of_model(value: Any, model_name: str) -> Any:
    """The part of a model, where there are several; rows of dicts become a dict of arrays."""
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        value = {name: np.asarray([row[name] for row in value]) for name in value[0]}
    if isinstance(value, Mapping) and model_name in value:
        return value[model_name]
    return value


def to_column(value: Any) -> FeatureColumn:
    """The values of a feature: an array, a list with an array or None for each example, or sparse.

    >>> to_column([np.array([1, 2]), None, np.array([3])]).row_splits.tolist()
    [0, 2, 2, 3]
    """
    if _is_value_of_tfma(value, "nested_row_splits"):
        splits, *inner_splits = value.nested_row_splits
        for inner in inner_splits:
            splits = inner[splits]
        return FeatureColumn(_as_bytes(value.values), np.asarray(splits, np.int64))
    if _is_value_of_tfma(value, "dense_shape"):
        counts = np.bincount(value.indices[:, 0], minlength=value.dense_shape[0])
        return FeatureColumn(_as_bytes(value.values), _splits(counts))
    if isinstance(value, list) or _has_rows(value):
        rows = [np.empty(0) if row is None else np.ravel(_to_array(row)) for row in value]
        filled = [row for row in rows if row.size] or rows[:1]
        return FeatureColumn(
            _as_bytes(np.concatenate(filled)), _splits(np.array([row.size for row in rows]))
        )
    if isinstance(value, np.ndarray):
        value = _as_bytes(value)
    return FeatureColumn.from_tensor(value)


def _is_value_of_tfma(value: Any, field: str) -> bool:
    """Whether it is a named tuple of TFMA's: ragged, sparse, or of any length."""
    return isinstance(value, tuple) and hasattr(value, field)


def _has_rows(value: Any) -> bool:
    """Whether it is an array of arrays, which TFMA makes where examples lack a feature."""
    if not isinstance(value, np.ndarray) or value.dtype != object or value.ndim != 1:
        return False
    return any(row is None or isinstance(row, (np.ndarray, list)) for row in value)


def _to_array(value: Any) -> npt.NDArray[Any]:
    """An array, of strings one of objects: numpy's own strings lose zeros at their end."""
    array = np.asarray(value)
    if array.dtype.kind not in "SU":
        return array
    return array.astype(object) if isinstance(value, np.ndarray) else np.asarray(value, object)


def _as_bytes(values: Any) -> npt.NDArray[Any]:
    """Strings of any kind as bytes."""
    array = _to_array(values)
    if array.dtype == object and any(isinstance(text, str) for text in array.flat):
        encoded = np.empty(array.size, object)
        encoded[:] = [text.encode() if isinstance(text, str) else text for text in array.flat]
        return encoded.reshape(array.shape)
    return array


def _splits(counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
