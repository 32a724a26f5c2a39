"""SkewCounts: what comparing pairs of examples adds up to."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from trainwright.data.feature_skew_files import FeatureSkewFiles
from trainwright.engine.packing import pack, unpack
from trainwright.proto.tfdv import feature_skew_results_pb2 as messages

# A pair that differs, behind its place in the order by which the sample is drawn.
SampledPair = tuple[bytes, bytes]

# The counts of a feature, in the order of the message's fields.
BASE, TEST, MATCH, BASE_ONLY, TEST_ONLY, MISMATCH = range(6)


@dataclass
class SkewCounts:
    """Counts of features, of pairs and of values that met, and the sample so far.

    Args:
        features: By name, the counts above.
        match: How well examples could be paired.
        confusion: How often values met, by feature, base and test.
        sample: Those pairs that differ whose place in a random order comes first.
    """

    features: dict[str, list[int]] = field(default_factory=dict)
    match: messages.MatchStats = field(default_factory=messages.MatchStats)
    confusion: Counter[tuple[str, bytes, bytes]] = field(default_factory=Counter)
    sample: list[SampledPair] = field(default_factory=list)

    def of(self, name: str) -> list[int]:
        """The counts of a feature, to be changed in place."""
        counts = self.features.get(name)
        if counts is None:
            counts = self.features[name] = [0] * 6
        return counts

    def merge(self, other: SkewCounts, sample_size: int) -> None:
        """Adds what another part of the pairs came to."""
        for name, counts in other.features.items():
            own = self.of(name)
            for place, count in enumerate(counts):
                own[place] += count
        for name in messages.MatchStats.DESCRIPTOR.fields_by_name:
            setattr(self.match, name, getattr(self.match, name) + getattr(other.match, name))
        self.confusion.update(other.confusion)
        self.sample = heapq.nsmallest(sample_size, [*self.sample, *other.sample])

    def to_files(self, *, counts_values: bool) -> FeatureSkewFiles:
        """As TFDV's messages, in the order of their names."""
        return FeatureSkewFiles(
            features=list(self._feature_messages()),
            match=self.match,
            sample=[messages.SkewPair.FromString(pair) for _, pair in sorted(self.sample)],
            confusion=list(self._confusion_messages()) if counts_values else None,
        )

    def _feature_messages(self) -> Iterator[messages.FeatureSkew]:
        for name, counts in sorted(self.features.items()):
            yield messages.FeatureSkew(
                feature_name=name,
                base_count=counts[BASE],
                test_count=counts[TEST],
                match_count=counts[MATCH],
                base_only=counts[BASE_ONLY],
                test_only=counts[TEST_ONLY],
                mismatch_count=counts[MISMATCH],
                diff_count=counts[BASE_ONLY] + counts[TEST_ONLY] + counts[MISMATCH],
            )

    def _confusion_messages(self) -> Iterator[messages.ConfusionCount]:
        for (name, base, test), count in sorted(self.confusion.items()):
            yield messages.ConfusionCount(
                feature_name=name,
                base=messages.ConfusionCount.Value(bytes_value=base),
                test=messages.ConfusionCount.Value(bytes_value=test),
                count=count,
            )

    def serialize(self) -> bytes:
        """All of it as bytes."""
        confusion = list(self.confusion.items())
        header = {
            "features": self.features,
            "confusion": [[name, count] for (name, _, _), count in confusion],
        }
        values = [value for (_, *both), _ in confusion for value in both]
        sample = [part for pair in self.sample for part in pair]
        return pack(header, [self.match.SerializeToString(), *values, *sample])

    @classmethod
    def deserialize(cls, data: bytes) -> SkewCounts:
        """The inverse of `serialize`."""
        header, (match, *blobs) = unpack(data)
        counted = header["confusion"]
        values, sample = blobs[: 2 * len(counted)], blobs[2 * len(counted) :]
        return cls(
            features=header["features"],
            match=messages.MatchStats.FromString(match),
            confusion=Counter(
                {
                    (name, values[2 * place], values[2 * place + 1]): count
                    for place, (name, count) in enumerate(counted)
                }
            ),
            sample=list(zip(sample[::2], sample[1::2], strict=True)),
        )
