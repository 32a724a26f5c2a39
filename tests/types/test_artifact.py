"""Artifacts: declared properties are checked attributes, everything else is a custom property."""

import copy
import pickle

import pytest
from google.protobuf import struct_pb2

from trainwright.types import standard_artifacts, system_types
from trainwright.types.artifact import Artifact, ArtifactState, Property, PropertyType


class Embeddings(Artifact):
    TYPE_NAME = "Embeddings"
    PROPERTIES = {
        "dimensions": Property(type=PropertyType.INT),
        "scale": Property(type=PropertyType.FLOAT),
        "language": Property(type=PropertyType.STRING),
        "normalized": Property(type=PropertyType.BOOLEAN),
        "details": Property(type=PropertyType.JSON_VALUE),
        "config": Property(type=PropertyType.PROTO),
    }


def test_declared_properties_are_attributes_with_defaults_of_their_kind():
    embeddings = Embeddings()
    assert embeddings.dimensions == 0
    assert embeddings.scale == 0.0
    assert embeddings.language == ""
    assert embeddings.normalized is False
    assert embeddings.details is None
    assert embeddings.config is None
    assert embeddings.properties == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dimensions", 64),
        ("scale", 0.5),
        ("scale", 2),
        ("language", "en"),
        ("normalized", True),
        ("details", {"layers": [1, 2], "note": None}),
        ("details", "text"),
        ("config", struct_pb2.Value(string_value="a")),
    ],
)
def test_a_declared_property_is_kept_as_it_was_set(name, value):
    embeddings = Embeddings()
    setattr(embeddings, name, value)
    assert getattr(embeddings, name) == value
    assert embeddings.properties == {name: value}


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("dimensions", "64", "integer value"),
        ("dimensions", 6.5, "integer value"),
        ("dimensions", None, "integer value"),
        ("scale", "0.5", "float value"),
        ("scale", True, "float value"),
        ("language", 5, "string value"),
        ("normalized", 1, "boolean value"),
        ("details", {1, 2}, "JSON value (dict, list, string, float, int or None)"),
        ("config", {"a": 1}, "protobuf message value or None"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(name, value, kind):
    embeddings = Embeddings()
    with pytest.raises(ValueError) as raised:
        setattr(embeddings, name, value)
    assert str(raised.value) == (f"Expected {kind} for property {name!r}; got {value!r} instead.")
    assert embeddings.properties == {}


def test_an_unknown_attribute_cannot_be_read():
    with pytest.raises(AttributeError, match="Artifact has no property 'dim'"):
        _ = Embeddings().dim


def test_an_unknown_attribute_cannot_be_set_and_the_message_says_what_can():
    with pytest.raises(AttributeError) as raised:
        Embeddings().dim = 3
    message = str(raised.value)
    assert "'dim'" in message
    assert "'dimensions'" in message
    assert "set_string_custom_property" in message


def test_a_subclass_without_a_type_name_is_refused():
    class Nameless(Artifact):
        pass

    with pytest.raises(ValueError, match="Nameless'> must override the TYPE_NAME attribute"):
        Nameless()


def test_a_property_must_be_declared_with_a_property_type():
    with pytest.raises(ValueError, match="must be a PropertyType, got <class 'int'>"):
        Property(type=int)


@pytest.mark.parametrize(
    ("kind", "value", "unset"),
    [
        ("string", "adelie", ""),
        ("int", -3, 0),
        ("float", 0.25, 0.0),
        ("bool", True, False),
        ("json_value", {"a": [1, None]}, None),
    ],
)
def test_custom_properties_have_a_setter_and_a_getter_for_each_kind(kind, value, unset):
    model = standard_artifacts.Model()
    read = getattr(model, f"get_{kind}_custom_property")
    assert read("key") == unset
    assert not model.has_custom_property("key")

    getattr(model, f"set_{kind}_custom_property")("key", value)
    assert read("key") == value
    assert type(read("key")) is type(value)
    assert model.has_custom_property("key")
    assert model.get_custom_property("key") == value


@pytest.mark.parametrize(("kind", "value"), [("string", 5), ("bool", "1"), ("proto", {"a": 1})])
def test_a_custom_property_of_the_wrong_type_is_refused(kind, value):
    model = standard_artifacts.Model()
    with pytest.raises(TypeError, match=f"'key' of Model expects .*, got {value!r}"):
        getattr(model, f"set_{kind}_custom_property")("key", value)
    assert not model.has_custom_property("key")


def test_a_json_custom_property_must_be_json():
    model = standard_artifacts.Model()
    with pytest.raises(TypeError):
        model.set_json_value_custom_property("key", {1, 2})
    assert not model.has_custom_property("key")


def test_is_external_is_the_custom_property_that_tfx_stores():
    model = standard_artifacts.Model()
    assert not model.is_external
    model.is_external = True
    assert model.is_external
    assert model.custom_properties == {"is_external": 1}


def test_copy_from_takes_uri_and_properties_and_shares_nothing():
    source = standard_artifacts.Examples()
    source.id, source.uri, source.span = 7, "/data/7", 3
    source.state = ArtifactState.PUBLISHED
    source.set_json_value_custom_property("notes", ["first"])

    taken = standard_artifacts.Examples()
    taken.id = 8
    taken.set_string_custom_property("old", "goes")
    taken.copy_from(source)
    assert (taken.id, taken.state) == (8, "")
    assert (taken.uri, taken.span) == ("/data/7", 3)
    assert dict(taken.custom_properties) == {"notes": ["first"]}

    taken.span = 4
    taken.get_json_value_custom_property("notes").append("second")
    assert source.span == 3
    assert source.get_json_value_custom_property("notes") == ["first"]


def test_copy_from_another_type_is_refused():
    with pytest.raises(AssertionError, match="different type: Model vs Examples"):
        standard_artifacts.Model().copy_from(standard_artifacts.Examples())


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda artifact: pickle.loads(pickle.dumps(artifact))]
)
def test_artifacts_can_be_copied_and_sent(duplicate):
    source = standard_artifacts.Examples()
    source.uri = "/data"
    source.splits = ["train"]
    other = duplicate(source)
    other.splits = ["eval"]
    assert other.uri == "/data"
    assert source.splits == ["train"]


DECLARED = {
    "Examples": {"span": "INT", "version": "INT", "split_names": "STRING"},
    "ExampleStatistics": {"span": "INT", "split_names": "STRING"},
    "ExampleAnomalies": {"span": "INT", "split_names": "STRING"},
    "ExampleValidationMetrics": {"span": "INT", "split_names": "STRING"},
}
BASE_TYPES = {
    "Examples": system_types.Dataset,
    "ExampleStatistics": system_types.Statistics,
    "Model": system_types.Model,
    "PushedModel": system_types.Model,
}
TYPE_NAMES = [
    "Boolean",
    "Bytes",
    "Config",
    "DataView",
    "ExampleAnomalies",
    "ExampleStatistics",
    "ExampleValidationMetrics",
    "Examples",
    "ExamplesDiff",
    "ExternalArtifact",
    "Float",
    "HyperParameters",
    "InferenceResult",
    "InfraBlessing",
    "Integer",
    "JsonValue",
    "Model",
    "ModelBlessing",
    "ModelEvaluation",
    "ModelRun",
    "PushedModel",
    "Schema",
    "String",
    "TransformCache",
    "TransformGraph",
    "TunerResults",
]


def test_the_standard_types_are_tfx_s_26():
    listed = [artifact_type.TYPE_NAME for artifact_type in standard_artifacts.STANDARD_ARTIFACTS]
    assert sorted(listed) == TYPE_NAMES
    assert len(TYPE_NAMES) == 26


@pytest.mark.parametrize("name", TYPE_NAMES)
def test_a_standard_type_has_the_properties_and_base_type_that_tfx_stores(name):
    artifact_type = getattr(standard_artifacts, name)
    assert artifact_type().type_name == name
    kinds = {key: kind.type.value for key, kind in artifact_type.declared_properties().items()}
    assert kinds == DECLARED.get(name, {})
    assert artifact_type.TYPE_ANNOTATION is BASE_TYPES.get(name)
