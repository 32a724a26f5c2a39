"""Executors' and tests' helpers for artifacts, channels and messages, under TFX's names."""

from __future__ import annotations

import pytest

from tfx import v1
from tfx.types import artifact_utils, channel, channel_utils, standard_artifacts
from tfx.utils import proto_utils


def examples(uri: str, *splits: str) -> standard_artifacts.Examples:
    artifact = standard_artifacts.Examples()
    artifact.uri = uri
    artifact.split_names = artifact_utils.encode_split_names(splits)
    return artifact


def test_the_single_artifact_of_a_list():
    one = examples("/one", "train")
    assert artifact_utils.get_single_instance([one]) is one
    assert artifact_utils.get_single_uri([one]) == "/one"
    for artifacts in ([], [one, one]):
        with pytest.raises(ValueError, match=f"length of one but got {len(artifacts)}"):
            artifact_utils.get_single_instance(artifacts)


def test_the_places_of_a_split():
    one, two = examples("/one", "train", "eval"), examples("/two", "train")
    assert artifact_utils.get_split_uri([one], "eval") == "/one/Split-eval"
    assert artifact_utils.get_split_uris([one, two], "train") == [
        "/one/Split-train",
        "/two/Split-train",
    ]
    assert artifact_utils.decode_split_names(one.split_names) == ["train", "eval"]
    with pytest.raises(ValueError, match="Split does not exist over all example artifacts: eval"):
        artifact_utils.get_split_uris([one, two], "eval")


def test_a_channel_for_tests_lets_a_component_be_declared():
    examples = v1.testing.Channel(standard_artifacts.Examples, artifact_ids=[3])
    trainer = v1.components.Trainer(examples=examples, module_file="module.py")
    assert trainer.inputs["examples"] is examples
    assert trainer.upstream_nodes == set()
    assert examples.artifact_ids == [3]
    assert examples == v1.testing.Channel(standard_artifacts.Examples)
    assert examples != v1.testing.Channel(standard_artifacts.Schema)
    assert len({examples, v1.testing.Channel(standard_artifacts.Examples)}) == 1


def test_a_channel_for_tests_has_a_type():
    with pytest.raises(TypeError, match="examples should be a Channel of type"):
        v1.components.Trainer(
            examples=v1.testing.Channel(standard_artifacts.Schema), module_file="module.py"
        )


def test_what_is_inside_of_channels():
    one = examples("/one", "train")
    plain = channel_utils.as_channel([one])
    other = channel.Channel(type=standard_artifacts.Examples)
    optional = other.as_optional()
    joined = channel_utils.union([plain, optional])
    assert channel_utils.unwrap_channel_dict({"examples": plain}) == {"examples": [one]}
    assert channel_utils.get_individual_channels(plain) == [plain]
    assert channel_utils.get_individual_channels(joined) == [plain, optional]
    with pytest.raises(TypeError):
        channel_utils.get_individual_channels(v1.testing.Channel(standard_artifacts.Examples))


def test_messages_become_dicts_and_back():
    message = v1.proto.PushDestination(
        filesystem=v1.proto.PushDestination.Filesystem(base_directory="/srv")
    )
    as_dict = {"filesystem": {"base_directory": "/srv"}}
    assert proto_utils.proto_to_dict(message) == as_dict
    assert proto_utils.dict_to_proto(as_dict, v1.proto.PushDestination()) == message
    text = proto_utils.proto_to_json(message)
    assert proto_utils.json_to_proto(text, v1.proto.PushDestination()) == message
