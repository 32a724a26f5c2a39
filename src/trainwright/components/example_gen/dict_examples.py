"""Examples from dicts: what TFX's `dict_to_example` does, and what executors may yield."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message

from trainwright.proto import example_gen_pb2

if TYPE_CHECKING:
    import tensorflow as tf

    from trainwright.data.example_writing.overflows import Overflows

# The least number that rounds to infinity in 32 bits.
_FLOAT32_END = 2.0**128 - 2.0**103

_MESSAGE_NAMES: dict[int, str] = {
    example_gen_pb2.FORMAT_TF_EXAMPLE: "tensorflow.Example",
    example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE: "tensorflow.SequenceExample",
}


def dict_to_example(instance: Mapping[str, Any]) -> tf.train.Example:
    """A `tf.train.Example` with the values of a dict; None and an empty list mean no value.

    Raises:
        RuntimeError: if a value is not a number, a string, bytes or a list of these.

    Example:
        ```python
        dict_to_example({"age": 3, "name": "Ada", "scores": [0.5, 1.0], "unknown": None})
        ```
    """
    import tensorflow as tf

    example = tf.train.Example()
    _fill(example, instance)
    return example


def pyval_to_feature(pyval: Sequence[Any]) -> tf.train.Feature:
    """A `tf.train.Feature` with the values of a list, all of one kind: int, float, str or bytes.

    Raises:
        RuntimeError: if they are something else.
    """
    import tensorflow as tf

    return _fill_feature(tf.train.Feature(), pyval)


def serialize_example(
    example: Any, payload_format: int, place: str, overflows: Overflows | None = None
) -> bytes:
    """The bytes of what an executor yields as an example.

    Args:
        example: A dict, a message, or bytes.
        payload_format: What the bytes must be, of `PayloadFormat`.
        place: Where the example comes from, for errors.
        overflows: Takes the numbers of a dict that are too large for float32.

    Raises:
        TypeError: if it is something else, or another message than the payload format says.
        ValueError: if a dict has a value that no feature can hold.
    """
    if isinstance(example, bytes):
        return example
    expected = _MESSAGE_NAMES.get(payload_format)
    if isinstance(example, Message):
        name = example.DESCRIPTOR.full_name
        if expected is not None and name != expected:
            raise TypeError(
                f"{place} is a {name}, but the output_data_format is "
                f"{example_gen_pb2.PayloadFormat.Name(payload_format)}: expected {expected}."
            )
        return example.SerializeToString(deterministic=True)
    if isinstance(example, Mapping) and payload_format == example_gen_pb2.FORMAT_TF_EXAMPLE:
        serialized = _serialize_dict(example, place)
        if overflows is not None:
            _count_overflows(example, place, overflows)
        return serialized
    kinds = "a dict, a tf.train.Example" if expected == "tensorflow.Example" else "a message"
    raise TypeError(
        f"{place} is {example!r} of type {type(example).__name__}: expected {kinds} or bytes."
    )


def _serialize_dict(instance: Mapping[str, Any], place: str) -> bytes:
    from trainwright.data.example_messages import example_class

    example = example_class()()
    try:
        _fill(example, instance)
    except (RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{place} cannot become a tf.Example: {error}") from error
    serialized: bytes = example.SerializeToString(deterministic=True)
    return serialized


def _count_overflows(instance: Mapping[str, Any], place: str, overflows: Overflows) -> None:
    for name, value in instance.items():
        values = _values(value)
        if values and isinstance(values[0], float):
            far = [one for one in values if _FLOAT32_END <= abs(one) < math.inf]
            if far:
                overflows.add(name, len(far), f"{far[0]} in {place}")


def _fill(example: Any, instance: Mapping[str, Any]) -> None:
    for name, value in instance.items():
        feature = example.features.feature[name]
        try:
            _fill_feature(feature, _values(value))
        except RuntimeError as error:
            raise RuntimeError(f"The feature {name!r} cannot hold {value!r}: {error}") from None


def _fill_feature(feature: Any, values: Sequence[Any]) -> Any:
    if not values:
        return feature  # without a kind
    first = values[0]
    if isinstance(first, int):
        feature.int64_list.value.extend(map(operator.index, values))
    elif isinstance(first, float):
        feature.float_list.value.extend(values)
    elif isinstance(first, (str, bytes)):
        feature.bytes_list.value.extend(
            item.encode() if isinstance(item, str) else item for item in values
        )
    else:
        raise RuntimeError(
            f"Value type {type(first)} is not supported. Expected int, float, str or bytes, or a "
            "list of one of them."
        )
    return feature


def _values(value: Any) -> Sequence[Any]:
    """What a value of a dict stands for: one value, several, or none."""
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        value = value.tolist()
    if value is None:
        return ()
    return value if isinstance(value, (list, tuple)) else [value]
