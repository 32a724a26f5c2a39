"""DataViewDecoder: the TensorFlow function, saved as a DataView, that decodes a user's records."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from trainwright._imports import require

if TYPE_CHECKING:
    import tensorflow as tf


class DataViewDecoder:
    """A decoder that was saved by a TfGraphDataViewProvider.

    Args:
        directory: The DataView.
    """

    def __init__(self, directory: str) -> None:
        import tensorflow as tf

        decoders = require("tfx_bsl.coders.tf_graph_record_decoder", extra="transform")
        self.directory = directory
        # Held on to, for the tables of the function live as long as it does.
        self._module = tf.saved_model.load(directory)
        self._decoder = decoders.LoadedDecoder(self._module)

    @property
    def type_specs(self) -> Mapping[str, tf.TypeSpec]:
        """The tensors that it gives, by name."""
        specs: Mapping[str, tf.TypeSpec] = self._decoder.output_type_specs()
        return specs

    def decode(self, records: tf.Tensor) -> dict[str, Any]:
        """The tensors of a batch of records, by name."""
        return dict(self._decoder.decode_record(records))

    def require_a_row_for_each_record(self) -> None:
        """Raises ValueError if it makes rows of its own number."""
        index = self._decoder.record_index_tensor_name
        if index is not None:
            raise ValueError(
                f"The DataView at {self.directory} makes several rows of a record, or none (its "
                f"tensor {index!r} says which): expected one row for each record. Statistics and "
                "the data accessor of a Trainer can read such rows; for other components, write "
                "the rows as records of their own."
            )


def load_data_view(directory: str) -> DataViewDecoder:
    """Loads a DataView; within one process only once."""
    import tensorflow as tf

    # A graph that is being built, as in an Estimator's input function, needs a copy of its own.
    return _load_once(directory) if tf.executing_eagerly() else DataViewDecoder(directory)


@functools.lru_cache(maxsize=4)
def _load_once(directory: str) -> DataViewDecoder:
    return DataViewDecoder(directory)
