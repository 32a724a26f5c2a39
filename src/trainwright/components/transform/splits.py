"""Splits of a Transform: which are analyzed, which are transformed, and their files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainwright._suggest import did_you_mean
from trainwright.data.example_reading.example_files import list_files
from trainwright.proto import proto_json, transform_pb2
from trainwright.types import splits
from trainwright.types.artifact import Artifact


@dataclass(frozen=True)
class SplitFiles:
    """The files of one split in one artifact.

    Args:
        split: The name of the split.
        name: What messages call it; no other split of any artifact has the same.
        paths: The files, in order.
        output_directory: Where what is made of them goes, if not to the split's directory in the
            only artifact that there is.
    """

    split: str
    name: str
    paths: Sequence[str]
    output_directory: str | None = None


def read_splits_config(encoded: str | None) -> transform_pb2.SplitsConfig | None:
    """The `splits_config` of an execution; None where the default counts.

    Raises:
        ValueError: if it analyzes nothing.
    """
    if not encoded:
        return None
    config = proto_json.json_to_proto(encoded, transform_pb2.SplitsConfig())
    if not config.analyze:
        raise ValueError(
            "analyze cannot be empty when splits_config is set. Name the splits that means and "
            "vocabularies are computed from, for example "
            '{"analyze": ["train"], "transform": ["train", "eval"]}.'
        )
    return config


def choose_splits(
    examples: Sequence[Artifact], config: transform_pb2.SplitsConfig | None
) -> tuple[list[str], list[str]]:
    """The names of the splits to analyze, and of those to transform.

    Raises:
        ValueError: if a split is not in all of the artifacts.
    """
    names = splits.decode_split_names(examples[0].split_names)
    for artifact in examples:
        if set(splits.decode_split_names(artifact.split_names)) != set(names):
            raise ValueError(
                "Not all input artifacts have the same split names: "
                f"{[splits.decode_split_names(one.split_names) for one in examples]}."
            )
    if config is None:
        if splits.DEFAULT_TRAIN_SPLIT not in names:
            raise ValueError(
                f"By default the split {splits.DEFAULT_TRAIN_SPLIT!r} is analyzed, and the "
                f"examples have {names}. Say which instead: "
                'splits_config={"analyze": [...], "transform": [...]}.'
            )
        return [splits.DEFAULT_TRAIN_SPLIT], names
    for field in ("analyze", "transform"):
        for name in getattr(config, field):
            if name not in names:
                raise ValueError(
                    f"splits_config names {name!r} in {field}, which the examples do not have"
                    f"{did_you_mean(name, names)}"
                )
    return list(config.analyze), list(config.transform)


def find_files(
    examples: Sequence[Artifact],
    split_names: Sequence[str],
    outputs: Mapping[str, str] | None = None,
) -> list[SplitFiles]:
    """The files of each split of each artifact, split by split.

    Args:
        examples: The artifacts.
        split_names: The splits to look for.
        outputs: Where what is made of each artifact goes, by the artifact's URI; without it, all
            goes to one place.
    """
    found = []
    for split in split_names:
        for artifact, uri in zip(examples, splits.get_split_uris(examples, split), strict=True):
            name = split if len(examples) == 1 else f"{split} in {uri}"
            paths = list_files(uri)
            output = None
            if outputs:
                output = os.path.join(outputs[artifact.uri], splits.split_directory(split))
            found.append(SplitFiles(split, name, paths, output))
    return found


def in_order(examples: Sequence[Artifact]) -> list[Artifact]:
    """The artifacts from the first span to the last, however the channel has sorted them."""
    return sorted(examples, key=lambda one: (one.span, one.version, one.id, one.uri))
