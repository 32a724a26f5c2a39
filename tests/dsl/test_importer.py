"""Importer as it is declared."""

from __future__ import annotations

import pytest

from trainwright import LocalDagRunner, Pipeline
from trainwright.dsl.importer import Importer
from trainwright.dsl.manual_node import ManualNode
from trainwright.types import json_utils
from trainwright.types.standard_artifacts import Examples, Schema


def test_the_output_is_called_result_unless_told_otherwise():
    assert list(Importer("a", Schema).outputs) == ["result"]
    importer = Importer("a", Schema, output_key="schema")
    assert importer.outputs["schema"].type is Schema
    assert importer.exec_properties == {
        "artifact_uri": "a",
        "reimport": 0,
        "output_key": "schema",
    }


def test_bytes_become_text():
    importer = Importer("a", Schema, custom_properties={"name": b"x", "size": 2})
    assert importer.custom_properties == {"name": "x", "size": 2}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"source_uri": ""}, TypeError, "source_uri must be the path of what to import, got ''"),
        ({"artifact_type": "Schema"}, ValueError, "must be a subclass of tfx.Artifact"),
        ({"properties": {"spam": 1}}, ValueError, "no property 'spam'; did you mean 'span'"),
        ({"properties": {"span": "x"}}, ValueError, "Expected integer value for property 'span'"),
        ({"custom_properties": {"a": [1]}}, ValueError, r"'a' must be a string .*got \[1\]"),
    ],
)
def test_mistakes_are_said_when_it_is_declared(arguments, error, message):
    with pytest.raises(error, match=message):
        Importer(**{"source_uri": "a", "artifact_type": Examples, **arguments})


def test_the_output_has_the_properties_before_anything_is_looked_up():
    node = Importer(
        "data",
        Examples,
        properties={"split_names": '["train"]'},
        custom_properties={"owner": "ada", "year": 2026},
        output_key="examples",
    )
    assert node.exec_properties == {"artifact_uri": "data", "reimport": 0, "output_key": "examples"}
    [artifact] = node.outputs["examples"].get()
    assert artifact.is_external
    assert artifact.split_names == '["train"]'
    assert artifact.get_string_custom_property("owner") == "ada"
    assert artifact.get_int_custom_property("year") == 2026


def test_an_importer_goes_through_json():
    node = Importer("data", Examples, custom_properties={"year": 2026}).with_id("imported")
    back = json_utils.loads(json_utils.dumps(node))
    assert back.id == "imported"
    assert back.source_uri == "data"
    assert back.outputs["result"].type is Examples
    assert back.outputs["result"].producer is back
    assert back.outputs["result"].get()[0].get_int_custom_property("year") == 2026


def test_a_manual_node_can_be_declared_but_not_run(tmp_path):
    node = ManualNode("look at the model").with_id("look")
    assert node.exec_properties == {"description": "look at the model"}
    assert not node.inputs
    assert not node.outputs
    with pytest.raises(ValueError, match="look waits for a person to do something"):
        LocalDagRunner().run(Pipeline("manual", str(tmp_path), components=[node]))


def test_the_instance_name_of_older_programs_becomes_a_part_of_the_id():
    with pytest.warns(DeprecationWarning, match=r"name a node with \.with_id") as warned:
        importer = Importer("a", Schema, instance_name="schema")
    assert importer.id == "Importer.schema"
    assert warned[0].filename == __file__
