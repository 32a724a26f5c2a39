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
        rounded: Those that identify them and are floating-point numbers.
    """

    segments: Sequence[Sequence[tuple[str, int, int]]]
    examples: int
    without_id: int
    features: frozenset[str]
    rounded: frozenset[str]


def compare_examples(
    test: Artifact,
    base: Artifact,
    pairs: Sequence[SplitPair],
    config: example_diff_pb2.PairedExampleSkew,
    directory: str,
    engine: Engine,
    report: _Report,
) -> Iterator[tuple[SplitPair, FeatureSkewFiles, str]]:
    """Yields what differs in each pair of splits, and that in a line; memory is bounded.

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
    tests = {one: ExampleFiles.of_splits([test], [one]) for one, _ in pairs}
    bases = {other: ExampleFiles.of_splits([base], [other]) for _, other in pairs}
    sides = [("test", tests), ("base", bases)]
    every = {(side, name): one for side, files in sides for name, one in files.items()}
    partitioned = _partition_all(every, config, directory, engine, report)
    _check_identifiers(config, partitioned)
    formats = [compared_format(ExampleFiles.of_artifacts([one])) for one in (base, test)]
    spec = _comparison_spec(config, formats)
    for pair in pairs:
        both = partitioned["base", pair[1]], partitioned["test", pair[0]]
        shards = _comparison_shards(pair, *both)
        counts: SkewCounts = engine.accumulate(
            spec, shards, lambda done: report({"comparing": done})
        )
        counts.match.base_missing_id_count = both[0].without_id
        counts.match.test_missing_id_count = both[1].without_id
        found = counts.to_files(counts_values=bool(config.confusion_config))
        line = describe(found, counts.compared)
        rounded = sorted(both[0].rounded | both[1].rounded)
        if found.match.duplicate_id_count and rounded:
            line += (
                f", {', '.join(rounded)} being rounded to {config.float_round_ndigits} digits "
                "(float_round_ndigits)"
            )
        yield pair, found, line


def _comparison_spec(
    config: example_diff_pb2.PairedExampleSkew, record_formats: Sequence[int]
) -> PassSpec:
    return PassSpec(
        _COMPARISON,
        {
            "ignored": [*config.ignore_features, *config.identifier_features],
            "sample_size": config.skew_sample_size,
            "digits": config.float_round_ndigits,
            "allow_duplicates": config.allow_duplicate_identifiers,
            "confusion": [one.feature_name for one in config.confusion_config],
            "record_formats": list(record_formats),
        },
    )


def _partition_all(
    files: Mapping[tuple[str, str], ExampleFiles],
    config: example_diff_pb2.PairedExampleSkew,
    directory: str,
    engine: Engine,
    report: _Report,
) -> dict[tuple[str, str], _Partitioned]:
    """Writes every split to disk by partition, once, whatever number of pairs it is in."""
    partitions = choose_partitions([path for one in files.values() for path in one.paths])
    spec = PassSpec(
        _PARTITION,
        {
            "identifiers": list(config.identifier_features),
            "digits": config.float_round_ndigits,
            "partitions": partitions,
            "confusion": [one.feature_name for one in config.confusion_config],
        },
    )
    partitioned: dict[tuple[str, str], _Partitioned] = {}
    for key, examples in files.items():
        done = sum(one.examples for one in partitioned.values())
        partitioned[key] = _partition(
            engine,
            spec,
            examples,
            os.path.join(directory, "-".join(key)),
            partitions,
            lambda more, done=done: report({"reading": done + more}),  # type: ignore[misc]
        )
    return partitioned


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
        frozenset(name for result in written for name in result["rounded"]),
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


def describe(found: FeatureSkewFiles, compared: int) -> str:
    """A line on a pair of splits: how many pairs there are, and which features differ most.

    Args:
        found: What came of it.
        compared: How many pairs were compared.
    """
    several = found.match.duplicate_id_count
    noun = "identifier" if several == 1 else "identifiers"
    if not found.match.matching_pairs_count:
        return (
            f"no pairs: none of {found.match.base_with_id_count:,} and "
            f"{found.match.test_with_id_count:,} examples have the same identifier"
        )
    if not compared:
        return f"no pair was compared: {several:,} {noun} of several examples"
    differing = sorted((one for one in found.features if one.diff_count), key=_by_difference)
    shown = ", ".join(f"{one.feature_name} in {one.diff_count:,}" for one in differing[:3])
    more = ", ..." if len(differing) > 3 else ""
    counts = f"{len(differing)} of {len(found.features)} features differ in {compared:,} pairs"
    noted = f"; {several:,} {noun} of several examples" if several else ""
    return f"{counts}{f' ({shown}{more})' if shown else ''}{noted}"


def _by_difference(feature: Any) -> tuple[int, str]:
    return -feature.diff_count, feature.feature_name
