"""Examples made by a Beam pipeline: TFX's way of writing an executor."""

from __future__ import annotations

import bisect
import hashlib
import itertools
import os
import pickle
from collections.abc import Mapping
from typing import Any

from google.protobuf.message import Message

from trainwright._imports import require
from trainwright.components.example_gen import split_config
from trainwright.proto import example_gen_pb2, proto_json
from trainwright.types.splits import split_directory
from trainwright.types.standard_component_specs import OUTPUT_FILE_FORMAT_KEY

# Where the features are by which a message can be partitioned.
_FEATURES_FIELD = {"tensorflow.Example": "features", "tensorflow.SequenceExample": "context"}


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


def write_examples(
    splits: Mapping[str, Any], output_dir: str, exec_properties: Mapping[str, Any]
) -> None:
    """Adds to a pipeline the writing of each split to a directory of its own.

    The properties say the payload format; a transform that makes Parquet rows has put their Arrow
    schema among them, as `pyarrow_schema`.
    """
    from trainwright.components.example_gen.beam_writing import WriteSplit

    for name, examples in splits.items():
        directory = os.path.join(output_dir, split_directory(name))
        file_format = exec_properties.get(OUTPUT_FILE_FORMAT_KEY, 0)
        _ = examples | f"WriteSplit[{name}]" >> WriteSplit(directory, file_format, exec_properties)


def serialize(record: Any) -> bytes:
    """The bytes of a record; equal messages have equal bytes, as TFX hashes them."""
    if isinstance(record, bytes):
        return record
    if isinstance(record, dict):
        return pickle.dumps(record, 4)  # the default of every Python that TFX ran on
    serialized: bytes = record.SerializeToString(deterministic=True)
    return serialized


def _position_of_split(record: Any, partitions: int, ends: list[int], feature: str) -> int:
    key = _partition_key(record, feature) if feature else serialize(record)
    return bisect.bisect(ends, int(hashlib.sha256(key).hexdigest(), 16) % ends[-1])


def _partition_key(record: Any, name: str) -> bytes:
    """TFX's key, and its words where there is none."""
    field = isinstance(record, Message) and _FEATURES_FIELD.get(record.DESCRIPTOR.full_name)
    if not field:
        raise RuntimeError(
            "Split by `partition_feature_name` is only supported for FORMAT_TF_EXAMPLE and "
            "FORMAT_TF_SEQUENCE_EXAMPLE payload format. The transform gave "
            f"{type(record).__name__}."
        )
    features = getattr(record, field)
    if name not in features.feature:
        raise RuntimeError(
            f"Feature name `{name}` does not exist. There is no such feature in the example "
            f"{record}"
        )
    feature = features.feature[name]
    kind = feature.WhichOneof("kind")
    if kind is None:
        raise RuntimeError(
            "Partition feature does not contain any value. Every example needs one in "
            f"{name!r}; this one has none: {record}"
        )
    if kind == "float_list":
        raise RuntimeError(
            "Only `bytes_list` and `int64_list` features are supported for partition. There are "
            f"floats in {name!r} of the example {record}"
        )
    key: bytes = feature.SerializeToString(deterministic=True)
    return key
