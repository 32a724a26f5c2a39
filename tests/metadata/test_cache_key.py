"""Cache keys: what changes them, and how the change is told."""

from __future__ import annotations

import dataclasses

import pytest

from trainwright.metadata.cache_key import CacheKeyParts, describe_changes

PARTS = CacheKeyParts(
    pipeline_name="penguin",
    node_id="Trainer",
    node_type="tfx.components.trainer.component.Trainer",
    executor={"class": "Executor", "version": 1},
    inputs={"examples": [3], "schema": []},
    output_types={"model": "Model"},
    exec_properties={"train_args": '{"num_steps": 100}', "eval_args": None, "_files": ["a"]},
    source_files={"/m.py": "digest"},
    environment={"PASSWORD": "swordfish"},
)


def changed(**parts) -> CacheKeyParts:
    return dataclasses.replace(PARTS, **parts)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"inputs": {"examples": [4]}}, ["input examples changed (artifact 4 instead of 3)"]),
        ({"inputs": {}}, ["input examples is empty now"]),
        ({"inputs": {"examples": [3], "schema": [5]}}, ["input schema is new"]),
        (
            {"exec_properties": {"train_args": '{"num_steps": 200}'}},
            ["property train_args changed (num_steps from 100 to 200)"],
        ),
        (
            {"exec_properties": {"train_args": '{"num_steps": 100, "splits": ["a"]}'}},
            ['property train_args changed (splits from null to ["a"])'],
        ),
        ({"exec_properties": {}}, ["property train_args is no longer set"]),
        ({"source_files": {"/m.py": "other"}}, ["file /m.py changed"]),
        ({"source_files": {"/m.py": None}}, ["file /m.py is gone"]),
        (
            {"source_files": {"/n.py": "digest"}},
            ["file /n.py is new", "file /m.py is not read any more"],
        ),
        ({"environment": {"PASSWORD": "x"}}, ["environment variable PASSWORD changed"]),
        ({"executor": {"class": "Executor", "version": 2}}, ["the code of its executor changed"]),
        (
            {"output_types": {"model": "MyModel"}},
            ["output model changed its type from Model to MyModel"],
        ),
        ({"node_type": "mine.Trainer"}, ["its component type changed"]),
    ],
)
def test_a_change_changes_the_key_and_is_told(parts, words):
    assert changed(**parts).key() != PARTS.key()
    assert describe_changes(PARTS.to_json(), changed(**parts).to_json()) == words


def test_a_change_deep_inside_is_named_by_its_path():
    bound = '{"specs": [{"name": "a"}, {"name": "b", "bound": {"value": %s}}]}'
    before, after = (
        changed(exec_properties={"config": bound % value}).to_json() for value in (0.6, 0.7)
    )
    assert describe_changes(before, after) == [
        "property config changed (specs[1].bound.value from 0.6 to 0.7)"
    ]


@pytest.mark.parametrize("parts", [{"pipeline_name": "other"}, {"node_id": "Other"}])
def test_other_pipelines_and_nodes_have_other_keys(parts):
    assert changed(**parts).key() != PARTS.key()


def test_what_does_not_count():
    properties = {**PARTS.exec_properties, "_files": ["b"], "unset": None}
    assert changed(exec_properties=properties).key() == PARTS.key()
    assert changed(inputs={"examples": [3]}).key() == PARTS.key()


def test_the_parts_hold_no_values_of_environment_variables():
    assert "swordfish" not in str(PARTS.to_json())


def test_long_values_are_shown_by_their_beginning():
    properties = {"module": "x" * 1000}
    (told,) = describe_changes({}, {"exec_properties": properties})
    assert told == f"property module is set to {'x' * 60}... now"
