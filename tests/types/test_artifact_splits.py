"""Splits of an artifact: their names, their directories, and their payload formats."""

import pytest

from trainwright.proto import example_gen_pb2
from trainwright.types.artifact import ArtifactState
from trainwright.types.payload_format import (
    get_common_payload_format,
    get_payload_format,
    set_payload_format,
)
from trainwright.types.splits import (
    decode_split_names,
    encode_split_names,
    get_split_uri,
    get_split_uris,
)
from trainwright.types.standard_artifacts import Examples


def examples(uri, *names):
    artifact = Examples()
    artifact.uri = uri
    artifact.splits = names
    return artifact


def test_split_names_are_stored_as_a_json_list():
    assert encode_split_names(["train", "eval"]) == '["train", "eval"]'
    assert decode_split_names('["train", "eval"]') == ["train", "eval"]
    assert examples("/data", "train", "eval").split_names == '["train", "eval"]'


def test_an_artifact_without_split_names_has_no_splits():
    assert Examples().splits == []
    assert decode_split_names("") == []


@pytest.mark.parametrize("name", ["train", "eval-2024", "a_b", "0", "T", ""])
def test_good_split_names_pass(name):
    assert decode_split_names(encode_split_names([name])) == [name]


@pytest.mark.parametrize("name", ["-train", "_train", "tr ain", "a/b", "..", "größe", "train\n"])
def test_bad_split_names_are_refused_in_tfx_s_words(name):
    with pytest.raises(ValueError) as raised:
        encode_split_names(["eval", name])
    assert str(raised.value) == (
        "Split names are expected to be alphanumeric (allowing dashes and underscores, provided "
        f"they are not the first character); got {name!r} instead."
    )


def test_a_split_name_that_is_too_long_for_a_directory_is_refused():
    with pytest.raises(ValueError, match="The split name 'xxx.* has 300 bytes"):
        encode_split_names(["x" * 300])


def test_split_names_that_an_executor_wrote_itself_do_not_leave_the_artifact():
    artifact = Examples()
    artifact.uri, artifact.split_names = "/data", '["a/../../../etc"]'
    with pytest.raises(ValueError, match="has a slash in it"):
        get_split_uri([artifact], "a/../../../etc")


def test_assigning_bad_names_leaves_the_artifact_alone():
    artifact = examples("/data", "train")
    with pytest.raises(ValueError, match="Split names are expected"):
        artifact.splits = ["a/b"]
    assert artifact.splits == ["train"]


def test_the_directory_of_a_split_is_named_as_in_tfx():
    artifact = examples("/data/7", "train", "eval")
    assert artifact.path(split="eval") == "/data/7/Split-eval"
    assert get_split_uri([artifact], "train") == "/data/7/Split-train"


def test_every_artifact_gives_a_directory_in_the_same_order():
    artifacts = [examples("/b", "train"), examples("/a", "eval", "train")]
    assert get_split_uris(artifacts, "train") == ["/b/Split-train", "/a/Split-train"]


def test_a_split_that_one_artifact_lacks_is_missing():
    artifacts = [examples("/a", "train", "eval"), examples("/b", "train")]
    with pytest.raises(ValueError) as raised:
        get_split_uris(artifacts, "eval")
    message = str(raised.value)
    assert message.startswith("Split does not exist over all example artifacts: eval")
    assert "[['train', 'eval'], ['train']]" in message


def test_no_artifacts_have_no_split():
    with pytest.raises(ValueError, match="Split does not exist over all example artifacts: train"):
        get_split_uris([], "train")


def test_one_directory_is_asked_for_and_two_are_there():
    artifacts = [examples("/a", "train"), examples("/b", "train")]
    with pytest.raises(
        ValueError, match=r"one artifact with split 'train', .*\['/a/Split-train', '/b"
    ):
        get_split_uri(artifacts, "train")


def test_the_path_of_an_unknown_split_names_the_known_ones():
    with pytest.raises(ValueError, match=r"'test' not found in .*\['train'\]"):
        examples("/a", "train").path(split="test")


def test_the_payload_format_is_stored_by_name_and_tf_example_by_default():
    artifact = Examples()
    assert get_payload_format(artifact) == example_gen_pb2.FORMAT_TF_EXAMPLE == 6
    set_payload_format(artifact, example_gen_pb2.FORMAT_PARQUET)
    assert artifact.custom_properties == {"payload_format": "FORMAT_PARQUET"}
    assert get_payload_format(artifact) == 15


def test_artifacts_of_one_payload_format_share_it():
    artifacts = [Examples(), Examples()]
    set_payload_format(artifacts[0], example_gen_pb2.FORMAT_TF_EXAMPLE)
    assert get_common_payload_format(artifacts) == example_gen_pb2.FORMAT_TF_EXAMPLE


def test_mixed_payload_formats_are_refused_and_named():
    artifacts = [Examples(), Examples()]
    set_payload_format(artifacts[0], example_gen_pb2.FORMAT_PROTO)
    with pytest.raises(ValueError) as raised:
        get_common_payload_format(artifacts)
    assert str(raised.value) == (
        "Unable to read example artifacts of different payload formats: "
        "FORMAT_PROTO, FORMAT_TF_EXAMPLE"
    )


@pytest.mark.parametrize(
    ("version", "directory"),
    [(None, "train"), ("0.1", "train"), ("0.28.0", "train"), ("0.29.0.dev", "Split-train")]
    + [("0.29.0", "Split-train"), ("1.15.1", "Split-train")],
)
def test_artifacts_of_early_versions_have_the_layout_of_their_time(version, directory):
    artifact = examples("/data", "train")
    artifact.state = ArtifactState.PUBLISHED
    if version:
        artifact.set_string_custom_property("tfx_version", version)
    assert get_split_uri([artifact], "train") == f"/data/{directory}"


def test_an_artifact_without_a_version_may_have_the_present_layout(tmp_path):
    (tmp_path / "Split-train").mkdir()
    artifact = examples(str(tmp_path), "train")
    artifact.state = ArtifactState.PUBLISHED
    assert get_split_uri([artifact], "train") == str(tmp_path / "Split-train")


@pytest.mark.parametrize("wrong", ['["train"]', [1], [None]])
def test_splits_are_a_list_of_names(wrong):
    with pytest.raises(TypeError, match="splits should be Sequence"):
        Examples().splits = wrong
