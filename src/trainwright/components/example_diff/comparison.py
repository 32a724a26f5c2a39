"""compare_examples: from two artifacts to what differs in each pair of their splits."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.components.example_diff.partition_pass import compared_format, spill_paths
from trainwright.components.example_diff.skew_counts import SkewCounts
from trainwright.components.example_diff.spill import choose_partitions
from trainwright.components.split_pairs import SplitPair, pair_name
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.data.feature_skew_files import FeatureSkewFiles
from trainwright.engine.engine import Engine, InvalidInputError
from trainwright.engine.passes import PassSpec, Shard
from trainwright.proto import example_diff_pb2
from trainwright.types.artifact import Artifact

_PARTITION = "trainwright.components.example_diff.partition_pass:PartitionPass"
_COMPARISON = "trainwright.components.example_diff.comparison_pass:ComparisonPass"

_Report = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class _Partitioned:
    """A split on disk, by partition.

    Args:
        segments: Of each partition: where they are, as path, start and length.
        examples: How many there are.
        without_id: How many of them have no identifier.
        features: Names of features in the first of them.
    """

    segments: Sequence[Sequence[tuple[str, int, int]]]
    examples: int
    without_id: int
    features: frozenset[str]


def compare_examples(
    test: Artifact,
    base: Artifact,
    pairs: Sequence[SplitPair],
    config: example_diff_pb2.PairedExampleSkew,
    directory: str,
    engine: Engine,
    report: _Report,
) -> Iterator[tuple[SplitPair, FeatureSkewFiles]]:
    """Yields what differs in each pair of splits, in two passes with bounded memory.

    First the examples are written to disk by the hash of their identifier, each split once; then
    those with the same hash are compared, a part of them at a time.

    Args:
        test: The examples to look at.
        base: What they are compared with.
        pairs: Of a split of the first and one of the second.
        config: How they are paired and compared.
        directory: For files that are not needed afterwards: about as large as the examples.
        engine: What runs the passes.
        report: Told how many examples were read, and how many pairs compared.
    """
    sides = {
        "test": (test, sorted({one for one, _ in pairs})),
        "base": (base, sorted({other for _, other in pairs})),
    }
    files = {
        (side, name): ExampleFiles.of_splits([artifact], [name])
        for side, (artifact, names) in sides.items()
        for name in names
    }
    partitions = choose_partitions([path for one in files.values() for path in one.paths])
    counted = [one.feature_name for one in config.confusion_config]
    first_pass = PassSpec(
        _PARTITION,
        {
            "identifiers": list(config.identifier_features),
            "digits": config.float_round_ndigits,
            "partitions": partitions,
            "confusion": counted,
        },
    )
    partitioned: dict[tuple[str, str], _Partitioned] = {}
    read = 0
    for key, examples in files.items():
        place = os.path.join(directory, "-".join(key))
        done = read
        partitioned[key] = _partition(
            engine,
            first_pass,
            examples,
            place,
            partitions,
            lambda more, done=done: report({"reading": done + more}),  # type: ignore[misc]
        )
        read += partitioned[key].examples
    _check_identifiers(config, partitioned)
    formats = [compared_format(ExampleFiles.of_artifacts([artifact])) for artifact in (base, test)]
    second_pass = PassSpec(
        _COMPARISON,
        {
            "ignored": [*config.ignore_features, *config.identifier_features],
            "sample_size": config.skew_sample_size,
            "digits": config.float_round_ndigits,
            "allow_duplicates": config.allow_duplicate_identifiers,
            "confusion": counted,
            "record_formats": formats,
        },
    )
    for pair in pairs:
        sets = partitioned["base", pair[1]], partitioned["test", pair[0]]
        shards = _comparison_shards(pair, *sets)
        found: SkewCounts = engine.accumulate(
            second_pass, shards, lambda done: report({"comparing": done})
        )
        found.match.base_missing_id_count = sets[0].without_id
        found.match.test_missing_id_count = sets[1].without_id
        yield pair, found.to_files(counts_values=bool(counted))


def _partition(
    engine: Engine,
    spec: PassSpec,
    examples: ExampleFiles,
    directory: str,
    partitions: int,
    report: Callable[[int], None],
) -> _Partitioned:
    shards = []
    for fields, output in zip(
        examples.shards(), spill_paths(directory, len(examples.paths)), strict=True
    ):
        fields["config"].update(output=output, examples=examples.to_json())
        shards.append(Shard.from_json(fields))
    written = engine.map(spec, shards, report) if shards else []
    segments: list[list[tuple[str, int, int]]] = [[] for _ in range(partitions)]
    for shard, result in zip(shards, written, strict=True):
        for number, start, length in result["segments"]:
            segments[number].append((shard.config["output"], start, length))
    return _Partitioned(
        segments,
        sum(result["rows"] for result in written),
        sum(result["missing"] for result in written),
        frozenset(name for result in written for name in result["features"]),
    )


def _check_identifiers(
    config: example_diff_pb2.PairedExampleSkew,
    partitioned: Mapping[tuple[str, str], _Partitioned],
) -> None:
    """Refuses an identifier that none of the examples has: nothing could be paired."""
    sets = partitioned.values()
    if any(one.examples > one.without_id for one in sets) or not any(one.examples for one in sets):
        return
    known = sorted(frozenset().union(*(one.features for one in sets)))
    for name in config.identifier_features:
        if name not in known:
            raise InvalidInputError(
                f"No example can be paired: none has the identifier feature {name!r}"
                f"{did_you_mean(name, known)}"
            )


def _comparison_shards(pair: SplitPair, base: _Partitioned, test: _Partitioned) -> list[Shard]:
    """A shard for each partition that has anything."""
    both = enumerate(zip(base.segments, test.segments, strict=True))
    return [
        Shard(
            name=f"Part {number} of {pair_name(pair)}",
            config={"base": ours, "test": theirs},
            size=sum(length for _, _, length in (*ours, *theirs)),
        )
        for number, (ours, theirs) in both
        if ours or theirs
    ]


def describe(found: FeatureSkewFiles) -> str:
    """A line on a pair of splits: how many pairs there are, and which features differ most."""
    pairs = found.match.matching_pairs_count
    if not pairs:
        return (
            f"no pairs: none of {found.match.base_with_id_count:,} and "
            f"{found.match.test_with_id_count:,} examples have the same identifier"
        )
    differing = sorted((one for one in found.features if one.diff_count), key=_by_difference)
    left_out = ""
    if found.match.duplicate_id_count:
        noun = "identifier" if found.match.duplicate_id_count == 1 else "identifiers"
        left_out = f"; {found.match.duplicate_id_count:,} {noun} of several examples"
    shown = ", ".join(f"{one.feature_name} in {one.diff_count:,}" for one in differing[:3])
    more = ", ..." if len(differing) > 3 else ""
    counts = f"{len(differing)} of {len(found.features)} features differ in {pairs:,} pairs"
    return f"{counts}{f' ({shown}{more})' if shown else ''}{left_out}"


def _by_difference(feature: Any) -> tuple[int, str]:
    return -feature.diff_count, feature.feature_name
