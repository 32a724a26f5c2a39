"""Rows that are serialized messages already: they pass on as they are, in their frames.

A record is decoded only where its split depends on what is in it. TFX hashes a tf.Example in
protobuf's deterministic serialization, so that the order of its features does not matter: then, and
to partition by a feature, each record is parsed; what is written is the record as it came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from trainwright._suggest import did_you_mean
from trainwright.data.example_messages import (
    example_class,
    feature_lists_class,
    sequence_example_class,
)
from trainwright.data.example_writing.bad_records import BadRecord, RecordError
from trainwright.data.example_writing.row_formats import EncodedRows, RowFormat
from trainwright.data.example_writing.splits import HashSplits
from trainwright.data.tfrecord import damaged_data
from trainwright.data.tfrecord_frames import Frames, FrameScanner
from trainwright.proto import example_gen_pb2

_FEATURE_LISTS_FIELD = 2
_SHOWN_FEATURES = 20

# The records of a file that lie together: the file, the offset of the first, and the frames.
Piece = tuple[str, int, Frames]


@dataclass(frozen=True)
class SerializedRows(RowFormat):
    """Framed records, from one or more files.

    Args:
      payload_format: what each record is, of `PayloadFormat`.
      is_made_here: whether code made the records just now: then equal messages are equal bytes,
        which can be hashed, and the place of a record is its number, not its byte.
    """

    payload_format: int
    is_made_here: bool = False

    KIND = "serialized"

    def to_json(self) -> dict[str, Any]:
        return {"payload_format": self.payload_format, "is_made_here": self.is_made_here}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> SerializedRows:
        return cls(**fields)

    def pack(self, rows: Sequence[Piece]) -> bytes:
        packed = []
        for path, offset, frames in rows:
            name = path.encode("utf-8", "surrogateescape")
            for number in (len(name), offset, len(frames.data)):
                packed.append(number.to_bytes(8, "little"))
            packed += [name, frames.data]
        return b"".join(packed)

    def unpack(self, packed: bytes) -> list[Piece]:
        scanner = FrameScanner()
        pieces = []
        start = 0
        while start < len(packed):
            name_bytes, offset, data_bytes = np.frombuffer(packed, "<u8", 3, start).tolist()
            name_start = start + 24
            data_start = name_start + name_bytes
            start = data_start + data_bytes
            path = packed[name_start:data_start].decode("utf-8", "surrogateescape")
            frames, _ = scanner.scan(packed[data_start:start])
            pieces.append((path, offset, frames))
        return pieces

    def encode(self, rows: Sequence[Piece], splits: HashSplits) -> Iterator[EncodedRows]:
        for path, offset, frames in rows:
            records, bad = _undamaged(path, offset, frames, self.is_made_here)
            if records.data and not self.is_made_here:
                check_payload(records.data[0], self.payload_format, records.place(0))
            if len(splits.buckets) == 1:
                assigned: Any = np.zeros(len(records.data), np.int64)
            else:
                keys, undecodable = self._keys(records, splits.partition_feature)
                bad += [
                    records.bad(n, _not_a_message(records.place(n), self.payload_format))
                    for n in undecodable
                ]
                records = records.without(undecodable)
                assigned = splits.assign_keys(keys)
            yield EncodedRows(records=records.framed, assigned=assigned, are_framed=True, bad=bad)

    def _keys(
        self, records: _Records, partition_feature: str | None
    ) -> tuple[Sequence[bytes], list[int]]:
        """What each record is hashed by, and the positions of those that cannot be parsed."""
        is_opaque = self.payload_format == example_gen_pb2.FORMAT_PROTO
        if is_opaque or (self.is_made_here and partition_feature is None):
            return records.data, []
        parse = _message_class(self.payload_format).FromString
        if partition_feature is None:
            try:
                # Without a function call or a try for each record: this is most of the work.
                return [parse(r).SerializeToString(deterministic=True) for r in records.data], []
            except DecodeError:
                pass
        keys: list[bytes] = []
        undecodable = []
        for position, record in enumerate(records.data):
            try:
                message = parse(record)
            except DecodeError:
                undecodable.append(position)
                continue
            if partition_feature is None:
                keys.append(message.SerializeToString(deterministic=True))
            else:
                keys.append(_partition_key(message, partition_feature, records.place(position)))
        return keys, undecodable


@dataclass(frozen=True)
class _Records:
    """Records of one file, without and with their frames, and where they are in it."""

    path: str
    data: list[bytes]
    framed: list[bytes]
    positions: list[int]
    are_numbered: bool  # else positions are bytes

    def place(self, index: int) -> str:
        where = "record" if self.are_numbered else "the record at byte"
        return f"{self.path}: {where} {self.positions[index]}"

    def bad(self, index: int, problem: str) -> BadRecord:
        return BadRecord(path=self.path, position=self.positions[index], problem=problem)

    def without(self, indices: Sequence[int]) -> _Records:
        if not indices:
            return self
        is_kept = np.ones(len(self.data), np.bool_)
        is_kept[list(indices)] = False
        kept = is_kept.tolist()
        return _Records(
            self.path,
            list(compress(self.data, kept)),
            list(compress(self.framed, kept)),
            list(compress(self.positions, kept)),
            self.are_numbered,
        )


def _undamaged(
    path: str, first: int, frames: Frames, are_numbered: bool
) -> tuple[_Records, list[BadRecord]]:
    """The records whose data have not changed, and the others."""
    steps = range(len(frames)) if are_numbered else frames.starts
    positions = [first + step for step in steps]
    records = _Records(path, frames.records(), frames.split(), positions, are_numbered)
    damaged = frames.damaged(records.data)
    bad = [records.bad(n, str(damaged_data(path, positions[n]))) for n in damaged]
    return records.without(damaged), bad


def check_payload(record: bytes, payload_format: int, place: str) -> None:
    """Raises RecordError unless a record is a message of the payload format, as far as one sees."""
    if payload_format == example_gen_pb2.FORMAT_PROTO:
        return
    try:
        message = _message_class(payload_format).FromString(record)
    except DecodeError:
        raise RecordError(_not_a_message(place, payload_format)) from None
    unknown: Any = UnknownFieldSet(message)
    if payload_format == example_gen_pb2.FORMAT_TF_EXAMPLE and any(
        field.field_number == _FEATURE_LISTS_FIELD and _are_feature_lists(field.data)
        for field in unknown
    ):
        raise RecordError(
            f"{place} is a tf.SequenceExample, not a tf.Example: it has feature lists. Set "
            "payload_format to FORMAT_TF_SEQUENCE_EXAMPLE."
        )
    if len(unknown):
        raise RecordError(_not_a_message(place, payload_format))


def _are_feature_lists(data: Any) -> bool:
    if not isinstance(data, bytes):
        return False
    try:
        return not len(UnknownFieldSet(feature_lists_class().FromString(data)))
    except DecodeError:
        return False


def _partition_key(message: Any, name: str, place: str) -> bytes:
    features = message.features if hasattr(message, "features") else message.context
    if name not in features.feature:
        known = sorted(features.feature)
        there = did_you_mean(name, known[:_SHOWN_FEATURES])
        raise RecordError(f"{place} has no feature {name!r} to partition by{there}")
    feature = features.feature[name]
    kind = feature.WhichOneof("kind")
    if kind is None:
        raise RecordError(
            f"{place} has no value in the partition feature {name!r}: expected one in every record."
        )
    if kind == "float_list":
        raise RecordError(
            f"{place} has floats in the partition feature {name!r}: only bytes and int64 features "
            "can partition records. Partition by such a feature, or by none."
        )
    key: bytes = feature.SerializeToString(deterministic=True)
    return key


def _message_class(payload_format: int) -> Any:
    if payload_format == example_gen_pb2.FORMAT_TF_EXAMPLE:
        return example_class()
    return sequence_example_class()


def _not_a_message(place: str, payload_format: int) -> str:
    is_example = payload_format == example_gen_pb2.FORMAT_TF_EXAMPLE
    kind = "tf.Example" if is_example else "tf.SequenceExample"
    return (
        f"{place} is not a {kind}, though its checksum is right. If the records are other "
        "messages, set payload_format to FORMAT_PROTO."
    )
