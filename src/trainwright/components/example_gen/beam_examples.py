"""Examples made by a Beam pipeline: TFX's way of writing an executor."""

from __future__ import annotations

import bisect
import hashlib
import itertools
import os
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.message import Message

from trainwright._imports import require
from trainwright.components.example_gen import split_config
from trainwright.proto import example_gen_pb2, proto_json
from trainwright.types.splits import split_directory

_SHARD_NAME = "data_tfrecord"
# Named outright: what Beam takes by default tries to download a runner first.
_RUNNER_IN_THIS_PROCESS = "--runner=DirectRunner"


def make_pipeline(arguments: Sequence[str]) -> Any:
    """A Beam pipeline with these flags, in this process unless they name a runner."""
    beam = require("apache_beam", extra="beam")
    options = require("apache_beam.options.pipeline_options", extra="beam")
    names_runner = any(flag.split("=")[0] == "--runner" for flag in arguments)
    flags = [*arguments] if names_runner else [_RUNNER_IN_THIS_PROCESS, *arguments]
    return beam.Pipeline(options=options.PipelineOptions(flags))


def generate_examples(
    pipeline: Any, exec_properties: dict[str, Any], input_to_record: Any
) -> dict[str, Any]:
    """The examples of each output split, made by a transform and divided by hash as TFX does."""
    beam = require("apache_beam", extra="beam")
    input_config = proto_json.json_to_proto(
        exec_properties["input_config"], example_gen_pb2.Input()
    )
    output_config = split_config.make_output_config(input_config, exec_properties["output_config"])
    splits = output_config.split_config.splits
    if not splits:
        return {
            split.name: pipeline
            | f"InputToRecord[{split.name}]" >> input_to_record(exec_properties, split.pattern)
            for split in input_config.splits
        }
    ends = list(itertools.accumulate(split.hash_buckets for split in splits))
    feature = output_config.split_config.partition_feature_name
    divided = (
        pipeline
        | "InputToRecord" >> input_to_record(exec_properties, input_config.splits[0].pattern)
        | "SplitData" >> beam.Partition(_position_of_split, len(ends), ends, feature)
    )
    return {split.name: examples for split, examples in zip(splits, divided, strict=True)}


def write_examples(splits: Mapping[str, Any], output_dir: str) -> None:
    """Adds to a pipeline the writing of gzip TFRecords, a directory for each split."""
    beam = require("apache_beam", extra="beam")
    for name, examples in splits.items():
        prefix = os.path.join(output_dir, split_directory(name), _SHARD_NAME)
        _ = (
            examples
            | f"Serialize[{name}]" >> beam.Map(_serialize)
            | f"Write[{name}]" >> beam.io.WriteToTFRecord(prefix, file_name_suffix=".gz")
        )


def _position_of_split(record: Any, partitions: int, ends: list[int], feature: str) -> int:
    key = _partition_key(record, feature) if feature else _serialize(record)
    return bisect.bisect(ends, int(hashlib.sha256(key).hexdigest(), 16) % ends[-1])


def _partition_key(record: Any, name: str) -> bytes:
    if not isinstance(record, Message):
        raise ValueError(
            f"The partition feature {name!r} needs tf.train.Examples or SequenceExamples: the "
            f"transform gave {type(record).__name__}."
        )
    features = record.features if hasattr(record, "features") else record.context  # type: ignore[attr-defined]
    if name not in features.feature:
        raise ValueError(f"There is no feature {name!r} to partition by in the example {record}")
    feature = features.feature[name]
    kind = feature.WhichOneof("kind")
    if kind not in ("bytes_list", "int64_list"):
        problem = "has no value" if kind is None else "has floats"
        raise ValueError(
            f"The partition feature {name!r} {problem} in an example: only bytes and int64 "
            f"features can partition examples. The example: {record}"
        )
    key: bytes = feature.SerializeToString(deterministic=True)
    return key


def _serialize(record: Any) -> bytes:
    if isinstance(record, bytes):
        return record
    serialized: bytes = record.SerializeToString(deterministic=True)
    return serialized
