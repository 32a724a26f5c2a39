"""ComparisonPass: the second of two, which compares the pairs of a partition."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from trainwright.components.example_diff.record_features import (
    Features,
    is_empty,
    is_same,
    read_features,
)
from trainwright.components.example_diff.skew_counts import (
    BASE,
    BASE_ONLY,
    MATCH,
    MISMATCH,
    TEST,
    TEST_ONLY,
    SkewCounts,
)
from trainwright.components.example_diff.spill import read_segments
from trainwright.engine.passes import AccumulatingPass, ReportUnits, Shard
from trainwright.proto.tfdv import feature_skew_results_pb2 as messages

# TFDV's word for a value that is not there.
MISSING_VALUE = b"__MISSING_VALUE__"

_REPORTED_AT_ONCE = 1000


@dataclass
class _Group:
    """The examples of one identifier.

    Args:
        base: Those of the baseline; only the first of them if duplicates are left out.
        test: The others.
        counts: How many there are of each.
    """

    base: list[bytes] = field(default_factory=list)
    test: list[bytes] = field(default_factory=list)
    counts: list[int] = field(default_factory=lambda: [0, 0])


class ComparisonPass(AccumulatingPass[SkewCounts, SkewCounts]):
    """Compares what has the same identifier. A shard is a partition of both sets of examples.

    Args:
        ignored: Features that are not compared.
        sample_size: How many pairs that differ are kept.
        digits: To how many digits floating-point numbers are rounded.
        allow_duplicates: Whether each example of an identifier is compared with each other, where
            there are several; without it they are left out.
        confusion: Features whose values are counted.
        record_formats: Of the baseline and of the others.
    """

    def __init__(
        self,
        ignored: Sequence[str],
        sample_size: int,
        digits: int,
        allow_duplicates: bool,
        confusion: Sequence[str],
        record_formats: Sequence[int],
    ) -> None:
        self._ignored = frozenset(ignored)
        self._sample_size = sample_size
        self._digits = digits
        self._allow_duplicates = allow_duplicates
        self._confusion = confusion
        self._base_format, self._test_format = record_formats

    def create(self) -> SkewCounts:
        return SkewCounts()

    def add(self, accumulator: SkewCounts, shard: Shard, report: ReportUnits) -> SkewCounts:
        groups: dict[bytes, _Group] = {}
        self._gather(groups, shard.config["base"], is_test=False)
        self._gather(groups, shard.config["test"], is_test=True)
        pairs = 0
        for key, group in groups.items():
            self._count_group(accumulator.match, group)
            is_duplicate = max(group.counts) > 1
            if is_duplicate and not self._allow_duplicates:
                continue
            pairs += self._compare_group(accumulator, key, group)
            if pairs >= _REPORTED_AT_ONCE:
                report(pairs)
                pairs = 0
        report(pairs)
        return accumulator

    def _gather(
        self,
        groups: dict[bytes, _Group],
        segments: Iterable[tuple[str, int, int]],
        *,
        is_test: bool,
    ) -> None:
        for key, record in read_segments(segments):
            group = groups.setdefault(key, _Group())
            group.counts[is_test] += 1
            # What is left out anyway need not be in memory.
            if self._allow_duplicates or group.counts[is_test] == 1:
                (group.test if is_test else group.base).append(record)

    def _count_group(self, match: messages.MatchStats, group: _Group) -> None:
        base, test = group.counts
        match.base_with_id_count += base
        match.test_with_id_count += test
        match.identifiers_count += 1
        match.ids_missing_in_base_count += base == 0
        match.ids_missing_in_test_count += test == 0
        match.matching_pairs_count += base * test
        match.duplicate_id_count += max(group.counts) > 1

    def _compare_group(self, counts: SkewCounts, key: bytes, group: _Group) -> int:
        """Compares each example of the one set with each of the other; returns how many pairs."""
        if not group.base or not group.test:
            return 0
        tests = [read_features(record, self._test_format) for record in group.test]
        for i, base_record in enumerate(group.base):
            base = read_features(base_record, self._base_format)
            for j, (test_record, test) in enumerate(zip(group.test, tests, strict=True)):
                found = self._compare(counts, base, test)
                if found is not None and self._sample_size:
                    found.base, found.test = base_record, test_record
                    self._sample(counts, key + b"%d/%d" % (i, j), found)
        return len(group.base) * len(tests)

    def _compare(
        self, counts: SkewCounts, base: Features, test: Features
    ) -> messages.SkewPair | None:
        """Compares a pair; returns in what it differs, or None."""
        pair = messages.SkewPair()
        differs = False
        for name in sorted({*base, *test} - self._ignored):
            feature = counts.of(name)
            ours, theirs = base.get(name), test.get(name)
            has_base, has_test = not is_empty(ours), not is_empty(theirs)
            feature[BASE] += has_base
            feature[TEST] += has_test
            if has_base and has_test:
                outcome = MATCH if is_same(ours, theirs, self._digits) else MISMATCH
            elif has_base or has_test:
                outcome = BASE_ONLY if has_base else TEST_ONLY
            elif (ours is None) == (theirs is None):
                outcome = MATCH  # there in both, without values
            else:
                differs = True  # there without values in the one: TFDV counts it nowhere
                continue
            feature[outcome] += 1
            differs = differs or outcome != MATCH
            _NAMES[outcome](pair).append(name)
        for name in self._confusion:
            key = (name, _single_value(base.get(name)), _single_value(test.get(name)))
            counts.confusion[key] += 1
        return pair if differs else None

    def _sample(self, counts: SkewCounts, place: bytes, pair: messages.SkewPair) -> None:
        """Keeps a pair if its place, by a hash, is among the first: any pair is as likely."""
        order = hashlib.blake2b(place, digest_size=16).digest()
        counts.sample.append((order, pair.SerializeToString()))
        if len(counts.sample) >= 2 * self._sample_size:
            counts.sample = heapq.nsmallest(self._sample_size, counts.sample)

    def merge(self, accumulator: SkewCounts, other: SkewCounts) -> SkewCounts:
        accumulator.merge(other, self._sample_size)
        return accumulator

    def extract(self, accumulator: SkewCounts) -> SkewCounts:
        return accumulator

    def serialize(self, accumulator: SkewCounts) -> bytes:
        return accumulator.serialize()

    def deserialize(self, data: bytes) -> SkewCounts:
        return SkewCounts.deserialize(data)


# The names of features in a pair, by what became of them.
_NAMES = {
    MATCH: lambda pair: pair.matched_features,
    MISMATCH: lambda pair: pair.mismatched_features,
    BASE_ONLY: lambda pair: pair.base_only_features,
    TEST_ONLY: lambda pair: pair.test_only_features,
}


def _single_value(feature: object | None) -> bytes:
    values = getattr(getattr(feature, "bytes_list", None), "value", ())
    return bytes(values[0]) if values else MISSING_VALUE
