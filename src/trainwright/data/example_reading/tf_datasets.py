"""The `tf.data` behind `fn_args.data_accessor`: from example files to batches.

Records stay serialized until they are batched: they are read, shuffled and repeated as strings,
and a whole batch is parsed at once, which is about ten times as fast as parsing them one by one.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from trainwright._suggest import did_you_mean
from trainwright.data.dataset_options import (
    AUTOTUNE,
    RecordBatchesOptions,
    TensorFlowDatasetOptions,
)
from trainwright.data.example_reading.arrow_decoding import make_decoder
from trainwright.data.example_reading.serialized_batches import read_blocks
from trainwright.data.example_reading.tensor_parsing import make_parser
from trainwright.proto import example_gen_pb2

if TYPE_CHECKING:
    import pyarrow as pa
    import tensorflow as tf

    from trainwright.data.example_reading.example_files import ExampleFiles

_LOGGER = logging.getLogger(__name__)

# Fixed, where tf.data would choose by the number of cores: the order of the records must not
# depend on the machine.
_FILES_AT_ONCE = 16
# Records leave a file in blocks. One at a time they cost more in hand-over than in reading.
_RECORDS_PER_BLOCK = 64


def make_tf_dataset(examples: ExampleFiles, options: TensorFlowDatasetOptions) -> tf.data.Dataset:
    """Reads example files as a dataset of batches, parsed as the schema or the DataView says.

    An element is a dict of tensors by name, or `(dict, label)` if `options.label_key` is set.
    Without `shuffle`, or with a `shuffle_seed`, the order of the records is the same in every run
    and on every machine, unless `sloppy_ordering` gives that up.

    tf.data's tuner is switched off, also for what is added to the dataset, so that an epoch ends
    at once. Code that needs more than 16 threads for steps of its own asks for their number, or
    switches the tuner on again with `dataset.with_options`.

    Args:
        examples: The files and their schema; TFRecords named `*.gz` are decompressed.
        options: ours or tfx_bsl's `TensorFlowDatasetOptions`.

    Raises:
        ValueError: if the schema is missing or unusable, or the label is not one of its tensors.

    A record that does not fit the schema ends the iteration with TensorFlow's
    `InvalidArgumentError`, which names the feature.
    """
    import tensorflow as tf

    parser = make_parser(examples, may_change_rows=True)
    label_key = options.label_key
    if label_key is not None and label_key not in parser.tensor_names:
        raise ValueError(
            f"label_key {label_key!r} is not a tensor of the "
            f"{'schema' if examples.data_view is None else 'DataView'}"
            + did_you_mean(label_key, parser.tensor_names)
        )

    def to_element(serialized: tf.Tensor) -> Any:
        tensors = parser.parse(serialized)
        for tensor in tensors.values():
            # Of sparse tensors alone TensorFlow's parser forgets a batch size that is known. What a
            # DataView gives may have another number of rows.
            if isinstance(tensor, tf.SparseTensor) and examples.data_view is None:
                tensor.set_shape(serialized.shape + tensor.shape[1:])
        if label_key is None:
            return tensors
        label = tensors.pop(label_key)
        return tensors, label

    batches = _serialized_batches(
        examples,
        options,
        reader_num_threads=options.reader_num_threads,
        sloppy_ordering=options.sloppy_ordering,
    )
    return batches.map(to_element, num_parallel_calls=options.parser_num_threads).prefetch(
        options.prefetch_buffer_size
    )


def make_record_batches(
    examples: ExampleFiles, options: RecordBatchesOptions
) -> Iterator[pa.RecordBatch]:
    """Reads example files as Arrow record batches.

    Args:
        examples: The files; TFRecords named `*.gz` are decompressed.
        options: ours or tfx_bsl's `RecordBatchesOptions`.

    Raises:
        ModuleNotFoundError: if tfx_bsl is not installed. It is raised by this call, not by the
            first batch.
    """
    decoder = make_decoder(examples)
    dataset = _serialized_batches(examples, options).prefetch(AUTOTUNE)
    return (decoder.DecodeBatch(records) for records in dataset.as_numpy_iterator())


def _serialized_batches(
    examples: ExampleFiles,
    options: TensorFlowDatasetOptions | RecordBatchesOptions,
    *,
    reader_num_threads: int = AUTOTUNE,
    sloppy_ordering: bool = False,
) -> tf.data.Dataset:
    """Reads example files as a dataset of batches of serialized records."""
    import tensorflow as tf

    is_parquet = examples.payload_format == example_gen_pb2.FORMAT_PARQUET
    read_records = _read_parquet if is_parquet else _read_tfrecords
    dataset = tf.data.Dataset.from_tensor_slices(list(examples.paths))
    if options.shuffle:
        dataset = dataset.shuffle(len(examples.paths), seed=options.shuffle_seed)

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
        return read_blocks(path.decode(), example_gen_pb2.FORMAT_PARQUET)

    signature = tf.TensorSpec([None], tf.string)
    blocks = tf.data.Dataset.from_generator(read, output_signature=signature, args=(file,))
    return blocks.unbatch()


def match_files(file_patterns: str | Sequence[str]) -> list[str]:
    """The files of glob patterns, by TensorFlow's file systems.

    Raises:
        ValueError: if no file matches; a pattern without files beside others is only logged.
    """
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
