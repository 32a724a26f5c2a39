"""Input and output configs of an ExampleGen: which files, and into which splits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from google.protobuf.message import Message

from trainwright.proto import example_gen_pb2, proto_json
from trainwright.types.splits import check_split_name

InputLike = example_gen_pb2.Input | Mapping[str, Any] | str
OutputLike = example_gen_pb2.Output | Mapping[str, Any] | str
MessageT = TypeVar("MessageT", bound=Message)


def make_input_config(given: InputLike | None) -> example_gen_pb2.Input:
    """The input config; by default all files of the directory are one split."""
    if given is None:
        split = example_gen_pb2.Input.Split(name="single_split", pattern="*")
        return example_gen_pb2.Input(splits=[split])
    config = parse_config(given, example_gen_pb2.Input())
    if not config.splits:
        raise ValueError(
            "The input_config has no splits; expected for example "
            "{'splits': [{'name': 'train', 'pattern': 'train/*'}]}."
        )
    _check_names("input_config", [split.name for split in config.splits])
    for split in config.splits:
        if not split.pattern:
            raise ValueError(f"Input split {split.name!r} has no pattern.")
    return config


def make_output_config(
    input_config: example_gen_pb2.Input, given: OutputLike | None
) -> example_gen_pb2.Output:
    """The output config; by default train and eval, 2:1, or the splits of the input."""
    config = parse_config(given or {}, example_gen_pb2.Output())
    splits = config.split_config.splits
    if len(input_config.splits) > 1:
        if splits:
            raise RuntimeError(
                "If the input has several splits they are the output's too: give several splits "
                "in input_config or splits in output_config, not both."
            )
        return config
    if not splits:
        partition_feature = config.split_config.partition_feature_name
        config.split_config.splits.add(name="train", hash_buckets=2)
        config.split_config.splits.add(name="eval", hash_buckets=1)
        if partition_feature:
            config.split_config.partition_feature_name = partition_feature
        return config
    _check_names("output_config", [split.name for split in splits])
    for split in splits:
        if split.hash_buckets < 1:
            raise ValueError(
                f"Output split {split.name!r} has {split.hash_buckets} hash_buckets: expected 1 "
                "or more. Leave the split out if it should get no rows."
            )
    return config


def output_split_names(
    input_config: example_gen_pb2.Input, output_config: example_gen_pb2.Output
) -> list[str]:
    """The names of the splits that are written."""
    source = output_config.split_config.splits or input_config.splits
    return [split.name for split in source]


def parse_config(given: Any, message: MessageT) -> MessageT:
    """A config given as a message, a mapping or JSON; the caller's stays as it is."""
    if isinstance(given, Mapping):
        return proto_json.dict_to_proto(given, message)
    if isinstance(given, str):
        return proto_json.json_to_proto(given, message)
    if not isinstance(given, type(message)):
        raise TypeError(f"Expected {type(message).__name__}, a dict or JSON, got {given!r}.")
    message.CopyFrom(given)
    return message


def _check_names(config_name: str, names: list[str]) -> None:
    for name in names:
        if not name:
            raise ValueError(f"A split in {config_name} has no name.")
        check_split_name(name)
    if len(set(names)) != len(names):
        raise ValueError(f"The splits in {config_name} must have different names, got {names}.")
