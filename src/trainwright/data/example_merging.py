"""FeatureAddition: more features for serialized examples, without parsing what they hold."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence

from trainwright._errors import TrainwrightError
from trainwright.data.example_codec import encode_varint
from trainwright.data.example_messages import example_class, sequence_example_class


class FeatureExistsError(TrainwrightError, ValueError):
    """An example has a feature of a name that was to be added."""


class FeatureAddition:
    """Adds features to serialized tf.Examples, or to the context of tf.SequenceExamples.

    Args:
        names: Of the features that are added.
        is_sequence: Whether the records are tf.SequenceExamples.

    Example: `FeatureAddition(["score"]).add(record, tf.train.Example(...).SerializeToString())`
    """

    def __init__(self, names: Sequence[str], *, is_sequence: bool = False) -> None:
        self._names = frozenset(names)
        # Names are in a record as they are: what is not found there is not a feature of it.
        self._encoded_names = [name.encode() for name in names]
        self._is_sequence = is_sequence

    def add_all(self, records: Iterable[bytes], features: Iterable[bytes]) -> Iterator[bytes]:
        """Yields what `add` makes of each record.

        Raises what `add` raises, when it comes to that record.
        """
        plans: dict[tuple[int, int], tuple[bytes, int, bytes, int]] = {}
        for record, more in zip(records, features, strict=True):
            lengths = len(record), len(more)
            plan = plans.get(lengths)
            if plan is None:
                start, start_of_more = _usual_start(lengths[0]), _usual_start(lengths[1])
                size, more_size = lengths[0] - start, lengths[1] - start_of_more
                plan = (_header(size), start, _header(size + more_size), start_of_more)
                plans[lengths] = plan
            usual, start, header, start_of_more = plan
            is_usual = not self._is_sequence and record.startswith(usual)
            for name in self._encoded_names:
                if name in record:
                    self._refuse_existing(record)
            if is_usual:
                yield header + record[start:] + more[start_of_more:]
            else:
                yield self.add(record, more)

    def add(self, record: bytes, features: bytes) -> bytes:
        """The record with the features of another, a serialized tf.Example.

        Raises:
            FeatureExistsError: if the record has one of them.
            google.protobuf.message.DecodeError: if the record is not an example.
        """
        if any(name in record for name in self._encoded_names):
            self._refuse_existing(record)
        if self._is_sequence:
            sequence = sequence_example_class().FromString(record)
            sequence.context.MergeFrom(example_class().FromString(features).features)
            merged: bytes = sequence.SerializeToString(deterministic=True)
            return merged
        own, added = _features_of(record), _features_of(features)
        return _header(len(own) + len(added)) + own + added

    def _refuse_existing(self, record: bytes) -> None:
        if self._is_sequence:
            sequence = sequence_example_class().FromString(record)
            existing = {*sequence.context.feature, *sequence.feature_lists.feature_list}
        else:
            existing = set(example_class().FromString(record).features.feature)
        for name in sorted(existing.intersection(self._names)):
            raise FeatureExistsError(
                f"there is a feature {name!r} already: expected a new name for what is added"
            )


@functools.lru_cache(maxsize=1 << 14)
def _header(length: int) -> bytes:
    """What stands before features of this many bytes: the tag of field 1, and the length."""
    return b"\x0a" + encode_varint(length)


def _usual_start(length: int) -> int:
    """Where features begin in an example of this length that has them in one piece.

    >>> _usual_start(129), _usual_start(131)
    (2, 3)
    """
    fitting = (n for n in range(2, 12) if n <= length and len(_header(length - n)) == n)
    return next(fitting, 0)


def _features_of(record: bytes) -> bytes:
    """The serialized features of a tf.Example.

    >>> _features_of(b"\\x0a\\x02ab"), _features_of(b"")
    (b'ab', b'')
    """
    if record[:1] == b"\x0a":
        length, shift, start = 0, 0, 1
        while start < len(record):
            byte = record[start]
            length |= (byte & 0x7F) << shift
            shift += 7
            start += 1
            if byte < 0x80:
                break
        if start + length == len(record):
            return record[start:]
    # Unusual, and not wrong: features in several pieces, or fields that tf.Examples do not have.
    features: bytes = example_class().FromString(record).features.SerializeToString()
    return features
