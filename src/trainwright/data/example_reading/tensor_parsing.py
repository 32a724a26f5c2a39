"""TensorParser: from a batch of serialized records to tensors by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.data.example_reading.data_views import DataViewDecoder, load_data_view
from trainwright.data.feature_spec import (
    ParserSpec,
    example_parser_spec,
    sequence_example_parser_specs,
)
from trainwright.proto import example_gen_pb2

if TYPE_CHECKING:
    import tensorflow as tf

    from trainwright.data.example_reading.example_files import ExampleFiles


@dataclass(frozen=True)
class TensorParser:
    """Parses whole batches, eagerly or within a TensorFlow function.

    Args:
        parse: From a tensor of serialized records to tensors, dense, sparse or ragged, by name.
        tensor_names: The names of these tensors.
    """

    parse: Callable[[Any], dict[str, Any]]
    tensor_names: Sequence[str]

    def type_specs(self) -> dict[str, tf.TypeSpec]:
        """What kind of tensor each of them is."""
        import tensorflow as tf

        parse = tf.function(self.parse, autograph=False)
        parsed = parse.get_concrete_function(tf.TensorSpec([None], tf.string))
        return {
            name: tf.type_spec_from_value(tensor)
            for name, tensor in parsed.structured_outputs.items()
        }


def make_parser(
    examples: ExampleFiles,
    only: Collection[str] | None = None,
    *,
    may_change_rows: bool = False,
) -> TensorParser:
    """What parses records of these files: by the schema, or as their DataView does.

    Args:
        examples: The files; not read.
        only: The tensors to parse; all if None.
        may_change_rows: Whether a DataView may make several rows of a record, or none.

    Raises:
        ValueError: if the schema is missing or has nothing to parse, or if a DataView makes
            another number of rows.
    """
    if examples.data_view is not None:
        view = load_data_view(examples.data_view)
        if not may_change_rows:
            view.require_a_row_for_each_record()
        return _data_view_parser(view, only)
    schema = examples.schema
    if schema is None:
        raise ValueError(
            "A schema is needed to parse examples, and none was passed. Pass for example "
            "tfx.utils.io_utils.parse_pbtxt_file(fn_args.schema_path, schema_pb2.Schema()), or "
            "after Transform tf_transform_output.transformed_metadata.schema."
        )
    if examples.record_format == example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        return _sequence_example_parser(schema, only)
    return _example_parser(schema, only)


def _example_parser(schema: schema_pb2.Schema, only: Collection[str] | None) -> TensorParser:
    import tensorflow as tf

    whole = example_parser_spec(schema)
    _check_features(schema, whole)
    spec = whole.select(only)

    def parse(serialized: tf.Tensor) -> dict[str, Any]:
        return spec.rename(tf.io.parse_example(serialized, spec.features))

    return TensorParser(parse, list(spec.tensor_names.values()))


def _sequence_example_parser(
    schema: schema_pb2.Schema, only: Collection[str] | None
) -> TensorParser:
    import tensorflow as tf

    specs = sequence_example_parser_specs(schema)
    _check_features(schema, *specs)
    context, sequences = (spec.select(only) for spec in specs)

    def parse(serialized: tf.Tensor) -> dict[str, Any]:
        parsed_context, parsed_sequences, _ = tf.io.parse_sequence_example(
            serialized, context.features, sequences.features
        )
        return context.rename(parsed_context) | sequences.rename(parsed_sequences)

    return TensorParser(parse, [*context.tensor_names.values(), *sequences.tensor_names.values()])


def _data_view_parser(view: DataViewDecoder, only: Collection[str] | None) -> TensorParser:
    names = [name for name in view.type_specs if only is None or name in only]

    def parse(serialized: tf.Tensor) -> dict[str, Any]:
        decoded = view.decode(serialized)
        return {name: decoded[name] for name in names}

    return TensorParser(parse, names)


def _check_features(schema: schema_pb2.Schema, *specs: ParserSpec) -> None:
    if any(spec.tensor_names for spec in specs):
        return
    found = "no features" if not schema.feature else "only features that are not read"
    raise ValueError(
        f"The schema has {found}, so that there is nothing to parse. Expected at least one feature "
        "that is not deprecated. Let SchemaGen infer the schema from statistics, or write the "
        "features into the schema file."
    )
