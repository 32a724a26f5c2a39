"""The `tf.data` behind `fn_args.data_accessor`: from example files to batches of tensors.

Records stay serialized until they are batched: they are read, shuffled and repeated as strings,
and a whole batch is parsed at once, which is about ten times as fast as parsing them one by one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright._suggest import did_you_mean
from trainwright.data.dataset_options import (
    AUTOTUNE,
    RecordBatchesOptions,
    TensorFlowDatasetOptions,
)
from trainwright.data.feature_spec import (
    ParserSpec,
    example_parser_spec,
    sequence_example_parser_specs,
)
from trainwright.data.payload_reader import choose_reader
from trainwright.proto import example_gen_pb2

if TYPE_CHECKING:
    import tensorflow as tf

_LOGGER = logging.getLogger(__name__)

# Fixed, where tf.data would choose by the number of cores: the order of the records must not
# depend on the machine.
_FILES_AT_ONCE = 16
# Records leave a file in blocks. One at a time they cost more in hand-over than in reading.
_RECORDS_PER_BLOCK = 64

# From a batch of serialized records to the tensors in them, by name.
_Parser = Callable[[Any], dict[str, Any]]


def make_tf_dataset(
    file_patterns: str | Sequence[str],
    options: TensorFlowDatasetOptions,
    schema: schema_pb2.Schema | None = None,
    *,
    payload_format: int = example_gen_pb2.FORMAT_TF_EXAMPLE,
) -> tf.data.Dataset:
    """Reads example files as a dataset of batches, parsed as the schema says.

    An element is a dict of tensors by name, or `(dict, label)` if `options.label_key` is set.
    Without `shuffle`, or with a `shuffle_seed`, the order of the records is the same in every run
    and on every machine, unless `sloppy_ordering` gives that up.

    tf.data's tuner is switched off, also for what is added to the dataset, so that an epoch ends
    at once. Code that needs more than 16 threads for steps of its own asks for their number, or
    switches the tuner on again with `dataset.with_options`.

    Args:
        file_patterns: glob patterns of the files; TFRecords named `*.gz` are decompressed.
        options: ours or tfx_bsl's `TensorFlowDatasetOptions`.
        schema: what is in the records.
        payload_format: what the files hold: tf.Examples, tf.SequenceExamples or Parquet.

    Raises:
        ValueError: if no file matches, the schema is missing or unusable, the label is not one of
            its tensors, or the payload format is another.

    A record that does not fit the schema ends the iteration with TensorFlow's
    `InvalidArgumentError`, which names the feature.
    """
    import tensorflow as tf

    parse, tensor_names = make_parser(schema, payload_format)
    label_key = options.label_key
    if label_key is not None and label_key not in tensor_names:
        raise ValueError(
            f"label_key {label_key!r} is not a tensor of the schema"
            + did_you_mean(label_key, tensor_names)
        )

    def to_element(serialized: tf.Tensor) -> Any:
        tensors = parse(serialized)
        for tensor in tensors.values():
            # Of sparse tensors alone TensorFlow's parser forgets a batch size that is known.
            if isinstance(tensor, tf.SparseTensor):
                tensor.set_shape(serialized.shape + tensor.shape[1:])
        if label_key is None:
            return tensors
        label = tensors.pop(label_key)
        return tensors, label

    batches = serialized_batches(
        file_patterns,
        options,
        payload_format=payload_format,
        reader_num_threads=options.reader_num_threads,
        sloppy_ordering=options.sloppy_ordering,
    )
    return batches.map(to_element, num_parallel_calls=options.parser_num_threads).prefetch(
        options.prefetch_buffer_size
    )


def serialized_batches(
    file_patterns: str | Sequence[str],
    options: TensorFlowDatasetOptions | RecordBatchesOptions,
    *,
    payload_format: int,
    reader_num_threads: int = AUTOTUNE,
    sloppy_ordering: bool = False,
) -> tf.data.Dataset:
    """Reads example files as a dataset of batches of serialized records."""
    import tensorflow as tf

    is_parquet = payload_format == example_gen_pb2.FORMAT_PARQUET
    read_records = _read_parquet if is_parquet else _read_tfrecords
    files = _matching_files(file_patterns)
    dataset = tf.data.Dataset.from_tensor_slices(files)
    if options.shuffle:
        dataset = dataset.shuffle(len(files), seed=options.shuffle_seed)

    dataset = dataset.interleave(
        lambda file: read_records(file).batch(_RECORDS_PER_BLOCK),
        cycle_length=_FILES_AT_ONCE,
        num_parallel_calls=min(reader_num_threads, _FILES_AT_ONCE),
    ).unbatch()
    if options.shuffle:
        dataset = dataset.shuffle(options.shuffle_buffer_size, seed=options.shuffle_seed)
    if options.num_epochs != 1:
        dataset = dataset.repeat(options.num_epochs)
    dataset = dataset.batch(
        options.batch_size,
        drop_remainder=options.drop_final_batch or options.num_epochs is None,
    )
    tf_options = tf.data.Options()
    tf_options.deterministic = not sloppy_ordering
    # The tuner's thread sleeps longer and longer, and the end of an iteration often
    # waits for it to wake: with Keras 3 epochs took twice as long. Without the tuner, AUTOTUNE is
    # a thread for each core, up to 16.
    tf_options.autotune.enabled = False
    return dataset.with_options(tf_options)


def _read_tfrecords(file: tf.Tensor) -> tf.data.Dataset:
    import tensorflow as tf

    is_gzip = tf.strings.regex_full_match(file, r".*\.gz")
    return tf.data.TFRecordDataset(file, tf.where(is_gzip, "GZIP", ""))


def _read_parquet(file: tf.Tensor) -> tf.data.Dataset:
    """The rows as serialized tf.Examples, which Python makes, many at once."""
    import tensorflow as tf

    def read(path: bytes) -> Iterator[list[bytes]]:
        read_records, _ = choose_reader(example_gen_pb2.FORMAT_PARQUET)
        return read_records(path.decode())

    signature = tf.TensorSpec([None], tf.string)
    blocks = tf.data.Dataset.from_generator(read, output_signature=signature, args=(file,))
    return blocks.unbatch()


def check_payload_format(payload_format: int) -> None:
    """Raises ValueError unless files of this format hold tf.Examples, or what becomes them."""
    readable = (
        example_gen_pb2.FORMAT_TF_EXAMPLE,
        example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE,
        example_gen_pb2.FORMAT_PARQUET,
    )
    if payload_format in readable:
        return
    known = example_gen_pb2.PayloadFormat.values()
    name = (
        example_gen_pb2.PayloadFormat.Name(payload_format)
        if payload_format in known
        else f"an unknown format ({payload_format})"
    )
    raise ValueError(
        f"The examples are in {name}, which a data accessor cannot read. It reads "
        f"{', '.join(map(example_gen_pb2.PayloadFormat.Name, readable))}; choose one of them "
        "with the ExampleGen's payload_format or output_data_format, or read the records yourself "
        "and parse them: tf.data.TFRecordDataset(files, 'GZIP') with the files that match "
        "fn_args.train_files."
    )


def _matching_files(file_patterns: str | Sequence[str]) -> list[str]:
    import tensorflow as tf

    patterns = [file_patterns] if isinstance(file_patterns, str) else list(file_patterns)
    matches = {pattern: tf.io.gfile.glob(pattern) for pattern in patterns}
    unmatched = [pattern for pattern, files in matches.items() if not files]
    if len(unmatched) == len(matches):
        raise ValueError(
            f"No file matches {', '.join(map(repr, patterns)) or 'an empty list of patterns'}. "
            "Expected glob patterns of example files, such as those in fn_args.train_files."
        )
    for pattern in unmatched:
        _LOGGER.warning("No file matches %r; reading what the other patterns match.", pattern)
    return sorted(file for pattern in patterns for file in matches[pattern])


def make_parser(
    schema: schema_pb2.Schema | None,
    payload_format: int,
    only: Collection[str] | None = None,
) -> tuple[_Parser, Sequence[str]]:
    """The function that parses a batch of records, and the names of the tensors it gives.

    With `only`, other tensors are not parsed.
    """
    import tensorflow as tf

    check_payload_format(payload_format)
    if schema is None:
        raise ValueError(
            "A schema is needed to parse examples, and none was passed. Pass for example "
            "tfx.utils.io_utils.parse_pbtxt_file(fn_args.schema_path, schema_pb2.Schema()), or "
            "after Transform tf_transform_output.transformed_metadata.schema."
        )
    if payload_format != example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        whole = example_parser_spec(schema)
        _check_features(schema, whole)
        spec = whole.select(only)

        def parse_examples(serialized: tf.Tensor) -> dict[str, Any]:
            return spec.rename(tf.io.parse_example(serialized, spec.features))

        return parse_examples, list(spec.tensor_names.values())

    specs = sequence_example_parser_specs(schema)
    _check_features(schema, *specs)
    context, sequences = (spec.select(only) for spec in specs)

    def parse_sequence_examples(serialized: tf.Tensor) -> dict[str, Any]:
        parsed_context, parsed_sequences, _ = tf.io.parse_sequence_example(
            serialized, context.features, sequences.features
        )
        return context.rename(parsed_context) | sequences.rename(parsed_sequences)

    return parse_sequence_examples, [
        *context.tensor_names.values(),
        *sequences.tensor_names.values(),
    ]


def _check_features(schema: schema_pb2.Schema, *specs: ParserSpec) -> None:
    if any(spec.tensor_names for spec in specs):
        return
    found = "no features" if not schema.feature else "only features that are not read"
    raise ValueError(
        f"The schema has {found}, so that there is nothing to parse. Expected at least one feature "
        "that is not deprecated. Let SchemaGen infer the schema from statistics, or write the "
        "features into the schema file."
    )
