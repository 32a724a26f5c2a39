"""Importer as it is declared."""

from __future__ import annotations

import pytest

from trainwright.dsl.importer import Importer
from trainwright.types.standard_artifacts import Examples, Schema


def test_the_output_is_called_result_unless_told_otherwise():
    assert list(Importer("a", Schema).outputs) == ["result"]
    importer = Importer("a", Schema, output_key="schema")
    assert importer.outputs["schema"].type is Schema
    assert importer.exec_properties == {"artifact_uri": "a", "reimport": 0}


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
