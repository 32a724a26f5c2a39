"""The files that a BulkInferrer reads, and those that it writes of each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from trainwright._suggest import did_you_mean
from trainwright.data.example_reading.example_files import ExampleFiles, list_files
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.engine.passes import Shard
from trainwright.proto import bulk_inferrer_pb2
from trainwright.types import splits
from trainwright.types.artifact import Artifact

# Where a shard's config has the paths of what is written.
LOGS, EXAMPLES = "logs", "examples"


@dataclass(frozen=True)
class SplitFiles:
    """The files of a split, in the order in which they are read."""

    name: str
    paths: Sequence[str]


def find_splits(
    examples: Sequence[Artifact], data_spec: bulk_inferrer_pb2.DataSpec
) -> list[SplitFiles]:
    """The splits to infer on: those of the spec, or all; each of all artifacts that have it.

    Raises:
        ValueError: if a split is not there, or there are none at all.
    """
    available: dict[str, list[Artifact]] = {}
    for artifact in examples:
        for name in splits.decode_split_names(artifact.split_names):
            available.setdefault(name, []).append(artifact)
    if not available:
        raise ValueError(
            f"The examples have no splits: {[artifact.uri for artifact in examples]}. Were they "
            "made by a node that had nothing to write?"
        )
    for name in data_spec.example_splits:
        if name not in available:
            raise ValueError(
                f"example_splits of the data_spec names {name!r}, which is not a split of the "
                f"examples{did_you_mean(name, list(available))}"
            )
    wanted = list(dict.fromkeys(data_spec.example_splits)) or list(available)
    return [
        SplitFiles(
            name,
            [
                path
                for artifact in available[name]
                for path in list_files(splits.get_split_uri([artifact], name))
            ],
        )
        for name in wanted
    ]


@dataclass(frozen=True, kw_only=True)
class OutputFiles:
    """What is written of each file: a file of prediction logs, one of output examples, or both.

    Args:
        logs: The directory of all prediction logs, and the name of its files.
        examples: The directory of the splits of output examples, and the name of their files.
    """

    logs: tuple[str, str] | None = None
    examples: tuple[str, str] | None = None

    def make_shards(self, examples: ExampleFiles, split_files: Sequence[SplitFiles]) -> list[Shard]:
        """A shard for each file, which knows what becomes of it.

        Where there is nothing to read, a file without records is written: readers expect one.
        """
        paths = [path for one in split_files for path in one.paths]
        written: list[dict[str, str]] = [{} for _ in paths]
        empty: list[str] = []
        if self.logs:
            logs = numbered(*self.logs, len(paths))
            empty += [] if paths else logs
            for outputs, log in zip(written, logs, strict=False):
                outputs[LOGS] = log
        if self.examples:
            directory, name = self.examples
            first = 0
            for one in split_files:
                split = os.path.join(directory, splits.split_directory(one.name))
                files = numbered(split, name, len(one.paths))
                empty += [] if one.paths else files
                for outputs, file in zip(written[first:], files, strict=False):
                    outputs[EXAMPLES] = file
                first += len(one.paths)
        _make_directories([*empty, *(path for outputs in written for path in outputs.values())])
        for path in empty:
            with open_gzip_writer(path):
                pass
        names = [one.name for one in split_files for _ in one.paths]
        shards = examples.at(*paths).shards()
        for shard, name, outputs in zip(shards, names, written, strict=True):
            shard["config"].update(outputs, split=name)
            shard["writes"] = list(outputs)
        return [Shard.from_json(shard) for shard in shards]


def _make_directories(paths: Sequence[str]) -> None:
    for directory in sorted({os.path.dirname(path) for path in paths}):
        os.makedirs(directory, exist_ok=True)


def numbered(directory: str, name: str, count: int) -> list[str]:
    """Paths as TFX numbers them, one at least.

    >>> numbered("a", "examples", 2)
    ['a/examples-00000-of-00002.gz', 'a/examples-00001-of-00002.gz']
    """
    total = max(count, 1)
    return [
        os.path.join(directory, f"{name}-{number:05}-of-{total:05}.gz") for number in range(total)
    ]
