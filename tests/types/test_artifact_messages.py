"""Artifacts and ML Metadata: an artifact is its message, and can be read back from it."""

import json
import subprocess
import sys

import pytest
from google.protobuf import struct_pb2

from trainwright.metadata.artifact_records import from_record, stored_content
from trainwright.metadata.records import ArtifactRecord, ArtifactState, TypeRecord
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.types import artifact as artifact_lib
from trainwright.types import artifact_utils, json_utils, standard_artifacts, system_types
from trainwright.types.artifact import Artifact, Property, PropertyType
from trainwright.types.artifact_types import get_artifact_type_class


class Scores(Artifact):
    TYPE_NAME = "Scores"
    TYPE_ANNOTATION = system_types.Metrics
    PROPERTIES = {
        "count": Property(type=PropertyType.INT),
        "mean": Property(type=PropertyType.FLOAT),
        "by_class": Property(type=PropertyType.JSON_VALUE),
        "config": Property(type=PropertyType.PROTO),
    }


def test_the_message_has_what_was_set_under_its_kind():
    scores = Scores()
    scores.uri, scores.count, scores.mean = "/scores", 3, 0.5
    scores.set_string_custom_property("model", "a")
    scores.set_json_value_custom_property("note", "text")
    message = scores.mlmd_artifact
    assert message.uri == "/scores"
    assert message.properties["count"].int_value == 3
    assert message.properties["mean"].double_value == 0.5
    assert message.custom_properties["model"].string_value == "a"
    assert message.custom_properties["note"].struct_value["__value__"] == "text"


def test_a_change_of_the_message_is_a_change_of_the_artifact():
    scores = Scores()
    scores.mlmd_artifact.uri = "/elsewhere"
    scores.mlmd_artifact.properties["count"].int_value = 7
    scores.mlmd_artifact.state = metadata_store_pb2.Artifact.LIVE
    assert (scores.uri, scores.count, scores.state) == ("/elsewhere", 7, "published")


def test_a_value_that_was_handed_out_can_be_changed():
    scores = Scores()
    scores.by_class = {"a": [1]}
    scores.config = struct_pb2.Value(string_value="first")
    scores.by_class["a"].append(2)
    scores.config.string_value = "second"

    other = Scores()
    other.set_mlmd_artifact(scores.mlmd_artifact)
    assert other.by_class == {"a": [1.0, 2.0]}
    assert other.config == struct_pb2.Value(string_value="second")


def test_none_takes_a_value_away():
    scores = Scores()
    scores.by_class = [1]
    scores.by_class = None
    assert scores.by_class is None
    assert "by_class" not in scores.mlmd_artifact.properties


@pytest.mark.parametrize(
    ("state", "stored"),
    [
        ("published", "LIVE"),
        ("pending", "PENDING"),
        ("MARKED_FOR_DELETION", "MARKED_FOR_DELETION"),
        ("deleted", "DELETED"),
        ("abandoned", "ABANDONED"),
        ("reference", "REFERENCE"),
        ("my own", "UNKNOWN"),
    ],
)
def test_states_are_those_of_ml_metadata_and_others_are_kept_beside(state, stored):
    scores = Scores()
    assert scores.state == ""
    scores.state = state
    assert metadata_store_pb2.Artifact.State.Name(scores.mlmd_artifact.state) == stored
    assert scores.state == state


def test_name_pipeline_and_producer_are_custom_properties_as_in_tfx():
    scores = Scores()
    scores.name, scores.pipeline_name, scores.producer_component = "n", "p", "c"
    assert (scores.name, scores.pipeline_name, scores.producer_component) == ("n", "p", "c")
    assert dict(scores.custom_properties) == {
        "name": "n",
        "pipeline_name": "p",
        "producer_component": "c",
    }
    assert scores.mlmd_artifact.name == "n"


def test_the_type_of_a_class_is_described_by_a_message():
    described = Scores().artifact_type
    assert described.name == "Scores"
    assert described.properties["mean"] == metadata_store_pb2.DOUBLE
    assert described.base_type == metadata_store_pb2.ArtifactType.METRICS


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"TYPE_NAME": None}, "must override the TYPE_NAME attribute"),
        ({"PROPERTIES": ["count"]}, "PROPERTIES is not a dictionary"),
        ({"PROPERTIES": {"count": int}}, "values of type artifact.Property"),
        ({"TYPE_ANNOTATION": Artifact}, "is not a subclass of SystemArtifact"),
    ],
)
def test_a_wrong_class_is_refused_when_an_artifact_of_it_is_made(attributes, message):
    wrong = type("Wrong", (Artifact,), {"TYPE_NAME": "Wrong", **attributes})
    with pytest.raises(ValueError, match=message):
        wrong()


def test_a_plain_artifact_needs_a_type():
    with pytest.raises(ValueError, match="must be passed to specify a type"):
        Artifact()
    with pytest.raises(ValueError, match="must not be passed for Artifact subclass"):
        Scores(mlmd_artifact_type=metadata_store_pb2.ArtifactType())
    described = metadata_store_pb2.ArtifactType(name="Odd")
    described.properties["size"] = metadata_store_pb2.INT
    odd = Artifact(mlmd_artifact_type=described)
    odd.size = 4
    assert (odd.type_name, odd.size) == ("Odd", 4)


def test_the_repr_is_the_two_messages():
    scores = standard_artifacts.Schema()
    scores.uri = "/schema"
    assert repr(scores) == ('Artifact(artifact: uri: "/schema"\n, artifact_type: name: "Schema"\n)')


def test_an_artifact_comes_back_from_json():
    scores = Scores()
    scores.uri, scores.count, scores.by_class = "/scores", 3, {"a": 1}
    again = json_utils.loads(json_utils.dumps(scores))
    assert type(again) is Scores
    assert again.mlmd_artifact == scores.mlmd_artifact


def test_an_artifact_of_a_class_that_is_gone_is_a_plain_one():
    written = {**Scores().to_json_dict(), "__artifact_class_name__": "Gone"}
    written["artifact"]["properties"] = {"count": {"int_value": "5"}}
    again = Artifact.from_json_dict(json.loads(json.dumps(written)))
    assert type(again) is Artifact
    assert (again.type_name, again.count) == ("Scores", 5)


def test_a_dict_of_artifacts_as_json():
    model = standard_artifacts.Model()
    model.uri = "/model"
    parsed = artifact_utils.parse_artifact_dict(
        artifact_utils.jsonify_artifact_dict({"model": [model]})
    )
    assert [one.uri for one in parsed["model"]] == ["/model"]
    assert type(parsed["model"][0]) is standard_artifacts.Model


def test_messages_become_artifacts_of_the_imported_class():
    described = Scores().artifact_type
    described.id = 12  # a store numbers its types
    message = metadata_store_pb2.Artifact(id=4, uri="/scores")
    scores = artifact_utils.deserialize_artifact(described, message)
    assert type(scores) is Scores
    assert (scores.id, scores.uri, scores.artifact_type.id) == (4, "/scores", 12)
    assert type(artifact_utils.deserialize_artifact(described)) is Scores


def test_a_class_is_made_for_a_type_that_nobody_imported():
    described = metadata_store_pb2.ArtifactType(name="NeverHeardOf")
    described.properties["size"] = metadata_store_pb2.INT
    made = get_artifact_type_class(described)
    assert (made.TYPE_NAME, made.__name__) == ("NeverHeardOf", "NeverHeardOf")
    assert made().size == 0
    assert get_artifact_type_class(described) is made


def test_an_annotated_value_artifact_is_found_by_its_type():
    annotated = standard_artifacts.Float.annotate_as(system_types.Metrics)
    assert annotated.TYPE_NAME == "Float_Metrics"
    found = get_artifact_type_class(annotated._get_artifact_type())
    assert issubclass(found, standard_artifacts.Float)
    assert found().artifact_type.base_type == metadata_store_pb2.ArtifactType.METRICS


def test_a_class_from_parts_or_from_a_message():
    by_parts = artifact_lib._ArtifactType(
        name="Parts", properties={"size": Property(type=PropertyType.INT)}
    )
    by_message = artifact_lib._ArtifactType(mlmd_artifact_type=by_parts._get_artifact_type())
    assert by_message().artifact_type == by_parts().artifact_type


def test_replicas_lie_below_their_source():
    source = standard_artifacts.Examples()
    source.uri, source.splits = "/data", ["train"]
    replicas = artifact_utils.replicate_artifacts(source, 2)
    assert [(one.uri, one.splits) for one in replicas] == [
        ("/data/0", ["train"]),
        ("/data/1", ["train"]),
    ]


def test_artifacts_must_be_where_they_say(tmp_path):
    model = standard_artifacts.Model()
    with pytest.raises(RuntimeError, match=r"Artifact Model\(uri=''\) does not have uri"):
        artifact_utils.verify_artifacts(model)
    model.uri = str(tmp_path / "model")
    with pytest.raises(RuntimeError, match="model is missing"):
        artifact_utils.verify_artifacts({"model": [model]})
    (tmp_path / "model").mkdir()
    artifact_utils.verify_artifacts([model])
    with pytest.raises(TypeError, match="got 'model'"):
        artifact_utils.verify_artifacts("model")


def test_properties_of_every_kind_go_through_the_store():
    scores = Scores()
    scores.id, scores.uri, scores.name = 3, "/scores", "mine"
    scores.count, scores.by_class = 2, {"a": [1, None]}
    scores.config = struct_pb2.Value(string_value="x")
    scores.set_proto_custom_property("again", struct_pb2.Value(number_value=1))
    scores.set_bool_custom_property("good", True)

    stored = json.loads(json.dumps(stored_content(scores)))
    assert stored["name"] == "mine"
    assert "name" not in stored["custom_properties"]
    record = ArtifactRecord(
        type=TypeRecord(name="Scores", base_type="Metrics", properties={}),
        state=ArtifactState.LIVE,
        **stored,
    )
    again = from_record(record, Scores)
    assert again.mlmd_artifact.properties == scores.mlmd_artifact.properties
    assert again.mlmd_artifact.custom_properties == scores.mlmd_artifact.custom_properties
    assert (again.name, again.state) == ("mine", "published")


def test_declaring_does_not_import_the_messages():
    code = (
        "import sys; from trainwright.types import channel, standard_artifacts as a; "
        "channel.Channel(type=a.Model); "
        "print('trainwright.proto.mlmd.metadata_store_pb2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
