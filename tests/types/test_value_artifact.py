"""Value artifacts: what is written is what is read, in another process too."""

import math
import os
from unittest import mock

import pytest

from trainwright.types import json_utils, system_types
from trainwright.types.standard_artifacts import Boolean, Bytes, Float, Integer, JsonValue, String


def at(artifact_type, path, **custom_properties):
    artifact = artifact_type()
    artifact.uri = str(path / "1" / "value")
    artifact.custom_properties.update(custom_properties)
    return artifact


def written_and_read(artifact_type, path, value):
    """Writes with one artifact and reads with another, as two nodes do."""
    written = at(artifact_type, path)
    written.write(value)
    return at(artifact_type, path, **written.custom_properties).read()


@pytest.mark.parametrize(
    ("artifact_type", "value"),
    [
        (Bytes, b""),
        (Bytes, b"\x00\xff\n"),
        (String, ""),
        (String, "Grüße,\nwelt \U0001f427"),
        (Boolean, True),
        (Boolean, False),
        (Integer, 0),
        (Integer, -(2**70)),
        (Float, 0.1),
        (Float, 1e-300),
        (Float, -0.0),
        (Float, math.inf),
        (Float, -math.inf),
        (JsonValue, {"b": [1, 2.5, None, "x"], "a": {}}),
        (JsonValue, []),
        (JsonValue, "text"),
        (JsonValue, False),
    ],
)
def test_a_value_comes_back_equal_and_of_the_same_type(tmp_path, artifact_type, value):
    read = written_and_read(artifact_type, tmp_path, value)
    assert read == value
    assert type(read) is type(value)


def test_not_a_number_comes_back_as_such(tmp_path):
    assert math.isnan(written_and_read(Float, tmp_path, math.nan))


def test_a_float_artifact_takes_an_int_and_gives_a_float(tmp_path):
    read = written_and_read(Float, tmp_path, 3)
    assert (read, type(read)) == (3.0, float)


@pytest.mark.parametrize("artifact_type", [Bytes, String, Boolean, Integer, Float, JsonValue])
def test_none_is_a_null_and_not_an_empty_value(tmp_path, artifact_type):
    written = at(artifact_type, tmp_path)
    written.write(None)
    assert written.get_int_custom_property("__is_null__") == 1
    assert (tmp_path / "1" / "value").read_bytes() == b""
    assert at(artifact_type, tmp_path, **written.custom_properties).read() is None


def test_a_value_after_a_null_is_no_null(tmp_path):
    artifact = at(String, tmp_path)
    artifact.write(None)
    artifact.write("")
    assert artifact.get_int_custom_property("__is_null__") == 0
    assert artifact.read() == ""


@pytest.mark.parametrize(
    ("artifact_type", "value", "expected"),
    [
        (Bytes, "text", "bytes"),
        (String, b"bytes", "Text"),
        (Boolean, 1, "bool"),
        (Integer, 1.0, "int"),
        (Integer, True, "int"),
        (Integer, "1", "int"),
        (Float, "1.0", "float"),
        (Float, False, "float"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_and_nothing_is_written(
    tmp_path, artifact_type, value, expected
):
    artifact = at(artifact_type, tmp_path)
    with pytest.raises(TypeError) as raised:
        artifact.write(value)
    assert str(raised.value) == (
        f"Expecting {expected} but got value {value} of type {type(value)}, for an artifact of "
        f"type {artifact_type.TYPE_NAME}."
    )
    assert not (tmp_path / "1").exists()


def test_json_values_must_be_json(tmp_path):
    with pytest.raises(TypeError, match="set is not JSON serializable"):
        at(JsonValue, tmp_path).write({1})


def test_assigning_the_value_writes_it(tmp_path):
    artifact = at(Integer, tmp_path)
    artifact.value = 42
    assert artifact.value == 42
    assert (tmp_path / "1" / "value").read_text() == "42"


def test_a_value_that_was_not_read_says_so(tmp_path):
    at(Integer, tmp_path).write(1)
    with pytest.raises(ValueError, match=r"has not yet been read from storage. Call read\(\)"):
        _ = at(Integer, tmp_path).value


def test_a_named_pipe_in_place_of_a_value_is_not_waited_for(tmp_path):
    artifact = at(Integer, tmp_path)
    os.mkdir(tmp_path / "1")
    os.mkfifo(artifact.uri)
    with pytest.raises(ValueError, match="A value cannot be read: .*value' is a named pipe"):
        artifact.read()


def test_a_value_that_is_not_there_is_a_runtime_error_as_in_tfx(tmp_path):
    with pytest.raises(RuntimeError, match="Given path does not exist or is not a valid file"):
        at(Integer, tmp_path).read()


class Rate(json_utils.Jsonable):
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Rate) and other.value == self.value


@pytest.mark.parametrize("value", [Rate(0.5), [Rate(1)], Integer])
def test_json_values_may_be_objects_that_say_how_they_are_written(tmp_path, value):
    assert written_and_read(JsonValue, tmp_path, value) == value


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: Float().encode(math.inf), "may be unsupported by non-python components"),
        (lambda: Float().decode(b"3.14159265358979323846"), "has lost precision"),
    ],
)
def test_floats_that_others_may_read_differently_are_warned_about(action, message):
    with mock.patch("absl.logging.warning") as warning:
        action()
        Float().decode(Float().encode(0.1))
    warning.assert_called_once()
    assert message in warning.call_args.args[0]


def test_an_annotated_type_has_the_annotation_in_its_name():
    annotated = String.annotate_as(system_types.Model)
    assert (annotated.__name__, annotated.TYPE_NAME) == ("String_Model", "String_Model")
    assert annotated.TYPE_ANNOTATION is system_types.Model
    assert String.annotate_as() is String
    with pytest.raises(ValueError, match="is not a subclass of SystemArtifact"):
        String.annotate_as(Integer)


def test_a_value_is_kept_where_write_is_replaced():
    artifact = Integer()
    artifact.write = lambda value: None
    artifact.value = 3
    assert artifact.value == 3
