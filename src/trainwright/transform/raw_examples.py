"""RawExamples: example files as batches of the tensors that a preprocessing function gets."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import tensorflow as tf
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.data.dataset_factory import make_parser
from trainwright.data.payload_reader import choose_reader

# The sketches of quantiles depend on what is added at once: these figures must not depend on the
# machine, nor on how many processes there are.
_MOST_ROWS = 4096
_VALUES_PER_BATCH = 1 << 20
_BYTES_PER_BATCH = 32 << 20


class RawExamples:
    """How examples are read and parsed: what a schema says of files of one format.

    Args:
        schema: What is in the examples.
        payload_format: Of `PayloadFormat`: tf.Example, tf.SequenceExample or Parquet.
        only: The tensors to parse; all if None.
    """

    def __init__(
        self,
        schema: schema_pb2.Schema,
        payload_format: int,
        only: Collection[str] | None = None,
    ) -> None:
        self.schema = schema
        self.payload_format = payload_format
        self._read_records, record_format = choose_reader(payload_format)
        self.parse, self.tensor_names = make_parser(schema, record_format, only)

    def select(self, names: Collection[str]) -> RawExamples:
        """The same examples with these tensors alone, which is faster."""
        return RawExamples(self.schema, self.payload_format, names)

    def to_json(self) -> dict[str, Any]:
        encoded = base64.b64encode(self.schema.SerializeToString(deterministic=True))
        return {"schema": encoded.decode(), "payload_format": self.payload_format}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> RawExamples:
        schema = schema_pb2.Schema.FromString(base64.b64decode(fields["schema"]))
        return cls(schema, fields["payload_format"])

    def type_specs(self) -> dict[str, tf.TypeSpec]:
        """What kind of tensor each input of a preprocessing function is."""
        parse = tf.function(self.parse, autograph=False)
        parsed = parse.get_concrete_function(tf.TensorSpec([None], tf.string))
        return {
            name: tf.type_spec_from_value(tensor)
            for name, tensor in parsed.structured_outputs.items()
        }

    def read(self, path: str) -> Iterator[list[bytes]]:
        """Yields the records of a file in batches, still serialized.

        Raises:
            TFRecordError: where the file is damaged.
            ParquetError: if it is not a Parquet file but should be one.
        """
        # By the whole schema, for the same batches whatever part of it is parsed.
        most = max(1, min(_MOST_ROWS, _VALUES_PER_BATCH // max(1, len(self.schema.feature))))
        batch: list[bytes] = []
        for records in self._read_records(path):  # a megabyte or so
            batch += records
            while len(batch) >= most:
                yield batch[:most]
                del batch[:most]
            if sum(map(len, batch)) >= _BYTES_PER_BATCH:
                yield batch
                batch = []
        if batch:
            yield batch
