"""UntypedFeatures: features of records by name, whose types are found out from the records.

The Evaluator reads so: labels, slices and the inputs of models, of which no schema need speak.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from trainwright._errors import TrainwrightError
from trainwright.data.example_messages import example_class, sequence_example_class
from trainwright.data.example_reading.data_views import load_data_view
from trainwright.proto import example_gen_pb2

if TYPE_CHECKING:
    import tensorflow as tf

    from trainwright.data.example_reading.example_files import ExampleFiles

# In this many examples of a batch names and types of features are looked for one by one.
_LOOKED_AT = 100


class FeatureTypeChangedError(TrainwrightError, ValueError):
    """A feature has another type than it had in earlier examples."""


class UntypedFeatures(Protocol):
    """Reads features of batches of records, which are given as bytes, as a tensor, or both."""

    def names(self, records: Sequence[bytes]) -> list[str]:
        """The features that records have; of many records, those of the first."""

    def find_types(
        self, records: Sequence[bytes], serialized: tf.Tensor, names: Collection[str]
    ) -> dict[str, Any]:
        """The types, as `parse` takes them, of the features that any of the records has."""

    def parse(self, serialized: tf.Tensor, types: Mapping[str, Any]) -> dict[str, Any]:
        """The features as tensors, ragged or as a DataView gives them.

        Raises:
            FeatureTypeChangedError: if a record has a feature of another type.
        """


def find_features(examples: ExampleFiles) -> UntypedFeatures:
    """What reads the features of these files.

    Raises:
        ValueError: if a DataView makes several rows of a record.
    """
    if examples.data_view is not None:
        return _DataViewFeatures(examples.data_view)
    if examples.record_format == example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        return _SequenceExampleFeatures()
    return _ExampleFeatures()


class _ExampleFeatures:
    """Features of tf.Examples; their types are TensorFlow's."""

    def names(self, records: Sequence[bytes]) -> list[str]:
        examples = map(example_class().FromString, records[:_LOOKED_AT])
        return sorted({name for example in examples for name in example.features.feature})

    def find_types(
        self, records: Sequence[bytes], serialized: tf.Tensor, names: Collection[str]
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for record in records[:_LOOKED_AT]:
            unknown = set(names) - found.keys()
            if not unknown:
                return found
            features = example_class().FromString(record).features.feature
            for name in unknown.intersection(features):
                dtype = _type_of(features[name])
                if dtype is not None:
                    found[name] = dtype
        for name in sorted(set(names) - found.keys()):
            dtype = self._find_type(serialized, name)
            if dtype is not None:
                found[name] = dtype
        return found

    def _find_type(self, serialized: tf.Tensor, name: str) -> Any:
        """The type of a rare feature, by trying; None if no example of the batch has it."""
        import tensorflow as tf

        for dtype in (tf.int64, tf.float32, tf.string):
            try:
                column = self.parse(serialized, {name: dtype})[name]
            except FeatureTypeChangedError:
                continue
            return dtype if len(column.flat_values) else None
        raise FeatureTypeChangedError(
            f"Feature {name!r} has different types in different examples: expected one of int64, "
            "float and bytes in all of them. Convert it where the examples are made."
        )

    def parse(self, serialized: tf.Tensor, types: Mapping[str, Any]) -> dict[str, Any]:
        import tensorflow as tf

        try:
            parsed: dict[str, Any] = tf.io.parse_example(serialized, _ragged(types))
        except tf.errors.InvalidArgumentError as error:
            raise _changed(types, error) from error
        return parsed


class _SequenceType(NamedTuple):
    """Where a feature of a tf.SequenceExample is, and its type."""

    dtype: Any
    is_sequence: bool


class _SequenceExampleFeatures:
    """Features of tf.SequenceExamples; of two that share a name, that of the context counts."""

    def names(self, records: Sequence[bytes]) -> list[str]:
        examples = [sequence_example_class().FromString(one) for one in records[:_LOOKED_AT]]
        context = {name for one in examples for name in one.context.feature}
        sequences = {name for one in examples for name in one.feature_lists.feature_list}
        return sorted(context | sequences)

    def find_types(
        self, records: Sequence[bytes], serialized: tf.Tensor, names: Collection[str]
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for record in records:
            unknown = set(names) - found.keys()
            if not unknown:
                break
            example = sequence_example_class().FromString(record)
            for name in unknown:
                kind = _sequence_type_of(example, name)
                if kind is not None:
                    found[name] = kind
        return found

    def parse(self, serialized: tf.Tensor, types: Mapping[str, Any]) -> dict[str, Any]:
        import tensorflow as tf

        context = {name: one.dtype for name, one in types.items() if not one.is_sequence}
        sequences = {name: one.dtype for name, one in types.items() if one.is_sequence}
        try:
            parsed_context, parsed_sequences, _ = tf.io.parse_sequence_example(
                serialized, _ragged(context), _ragged(sequences)
            )
        except tf.errors.InvalidArgumentError as error:
            raise _changed(context | sequences, error) from error
        return {**parsed_context, **parsed_sequences}


class _DataViewFeatures:
    """Tensors that a DataView gives, which knows their types."""

    def __init__(self, directory: str) -> None:
        self._view = load_data_view(directory)
        self._view.require_a_row_for_each_record()

    def names(self, records: Sequence[bytes]) -> list[str]:
        return sorted(self._view.type_specs)

    def find_types(
        self, records: Sequence[bytes], serialized: tf.Tensor, names: Collection[str]
    ) -> dict[str, Any]:
        return {name: spec for name, spec in self._view.type_specs.items() if name in names}

    def parse(self, serialized: tf.Tensor, types: Mapping[str, Any]) -> dict[str, Any]:
        decoded = self._view.decode(serialized)
        return {name: decoded[name] for name in types}


def _type_of(feature: Any) -> Any:
    """The TensorFlow type of a feature's message; None if it has no values."""
    import tensorflow as tf

    types = {"int64_list": tf.int64, "float_list": tf.float32, "bytes_list": tf.string}
    kind = feature.WhichOneof("kind")
    return types[kind] if kind and getattr(feature, kind).value else None


def _sequence_type_of(example: Any, name: str) -> _SequenceType | None:
    if name in example.context.feature:
        dtype = _type_of(example.context.feature[name])
        return None if dtype is None else _SequenceType(dtype, is_sequence=False)
    if name in example.feature_lists.feature_list:
        steps = example.feature_lists.feature_list[name].feature
        dtype = next((found for found in map(_type_of, steps) if found is not None), None)
        return None if dtype is None else _SequenceType(dtype, is_sequence=True)
    return None


def _ragged(types: Mapping[str, Any]) -> dict[str, Any]:
    import tensorflow as tf

    return {
        name: tf.io.RaggedFeature(dtype, row_splits_dtype=tf.int64) for name, dtype in types.items()
    }


def _changed(types: Mapping[str, Any], error: Any) -> FeatureTypeChangedError:
    wanted = ", ".join(f"{name} as {dtype.name}" for name, dtype in types.items())
    return FeatureTypeChangedError(f"Cannot read {wanted}: {error.message}")
