"""Options of `fn_args.data_accessor`, by which a module file asks for its examples."""

from __future__ import annotations

from typing import NamedTuple

# tf.data.AUTOTUNE, spelled out so that declaring options does not import TensorFlow.
AUTOTUNE = -1


class TensorFlowDatasetOptions(NamedTuple):
    """Options of a `tf.data.Dataset` of parsed batches.

    Field for field `tfx_bsl.public.tfxio.TensorFlowDatasetOptions`; either of the two may be
    passed wherever one is taken.

    Args:
        batch_size: how many records make a batch.
        drop_final_batch: leave out the last batch if it is smaller than the others.
        num_epochs: how often to read the data; None repeats them for ever, and then every batch
            is full.
        shuffle: shuffle the files and, within a buffer, the records.
        shuffle_buffer_size: how many records the buffer holds.
        shuffle_seed: makes the shuffled order the same in every run.
        prefetch_buffer_size: how many batches to keep ready.
        reader_num_threads: how many files to read at once.
        parser_num_threads: how many batches to parse at once.
        sloppy_ordering: let records come in whatever order is fastest.
        label_key: the tensor to split off, so that elements are `(features, label)`.
    """

    batch_size: int
    drop_final_batch: bool = False
    num_epochs: int | None = None
    shuffle: bool = True
    shuffle_buffer_size: int = 10000
    shuffle_seed: int | None = None
    prefetch_buffer_size: int = AUTOTUNE
    reader_num_threads: int = AUTOTUNE
    parser_num_threads: int = AUTOTUNE
    sloppy_ordering: bool = False
    label_key: str | None = None


class RecordBatchesOptions(NamedTuple):
    """Options of an iterator of Arrow record batches.

    Field for field `tfx_bsl.public.tfxio.RecordBatchesOptions`; the fields mean what they mean in
    `TensorFlowDatasetOptions`.
    """

    batch_size: int
    drop_final_batch: bool = False
    num_epochs: int | None = None
    shuffle: bool = True
    shuffle_buffer_size: int = 10000
    shuffle_seed: int | None = None
