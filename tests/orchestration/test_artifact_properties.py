"""Properties of every kind that an executor sets on its output reach the next one."""

import json
from pathlib import Path

from google.protobuf import struct_pb2

from trainwright import (
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Pipeline,
    component,
    open_store,
)
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.types.artifact import Artifact, Property, PropertyType


class Table(Artifact):
    TYPE_NAME = "Table"
    PROPERTIES = {
        "rows": Property(type=PropertyType.INT),
        "mean": Property(type=PropertyType.FLOAT),
        "columns": Property(type=PropertyType.JSON_VALUE),
        "config": Property(type=PropertyType.PROTO),
    }


@component
def write(table: OutputArtifact[Table]):
    table.name = "my table"
    table.rows, table.mean, table.columns = 3, 2.0, ["a", {"b": None}]
    table.config = struct_pb2.Value(string_value="x")
    table.set_proto_custom_property("limits", struct_pb2.Value(number_value=1))
    table.set_json_value_custom_property("notes", {"by": ["eve"]})
    # A change of the message is one of the artifact, as in TFX.
    table.mlmd_artifact.custom_properties["by_message"].int_value = 5


@component
def read(table: InputArtifact[Table]) -> OutputDict(seen=dict):
    return {
        "seen": {
            "name": table.name,
            "state": table.state,
            "rows": table.rows,
            "mean": table.mean,
            "columns": table.columns,
            "config": table.config.string_value,
            "limits": table.get_proto_custom_property("limits").number_value,
            "notes": table.get_json_value_custom_property("notes"),
            "by_message": table.mlmd_artifact.custom_properties["by_message"].int_value,
            "given": table.get_string_custom_property("given"),
        }
    }


def test_the_next_executor_finds_properties_of_every_kind(tmp_path):
    writer = write()
    given = metadata_store_pb2.Value(string_value="by the pipeline")
    writer.outputs["table"].additional_custom_properties["given"] = given
    reader = read(table=writer.outputs["table"])
    pipeline = Pipeline("p", str(tmp_path), components=[writer, reader])
    result = LocalDagRunner(observer=lambda event: None).run(pipeline)
    (seen,) = result.outputs["read"]["seen"]
    assert json.loads(Path(seen.uri).read_text()) == {
        "name": "my table",
        "state": "published",
        "rows": 3,
        "mean": 2.0,
        "columns": ["a", {"b": None}],
        "config": "x",
        "limits": 1.0,
        "notes": {"by": ["eve"]},
        "by_message": 5,
        "given": "by the pipeline",
    }
    with open_store(tmp_path / "metadata.db") as store:
        (record,) = store.get_artifacts(type_name="Table")
    assert record.name == "my table"
    assert "name" not in record.custom_properties
