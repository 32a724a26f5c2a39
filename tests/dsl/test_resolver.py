"""Resolver and its strategies as they are declared."""

from __future__ import annotations

import warnings

import pytest

from trainwright import Channel
from trainwright.dsl.resolver import Resolver
from trainwright.dsl.resolver_strategy import ResolverStrategy
from trainwright.dsl.strategies import (
    LatestArtifactStrategy,
    LatestBlessedModelStrategy,
    SpanRangeStrategy,
)
from trainwright.dsl.strategies.deprecated_names import (
    LatestArtifactsResolver,
    LatestBlessedModelResolver,
    SpansResolver,
)
from trainwright.proto import RangeConfig, RollingRange
from trainwright.types.standard_artifacts import Examples, Model, ModelBlessing, Schema


def artifact(artifact_type, number: int, **custom_properties):
    made = artifact_type()
    made.id = number
    made.custom_properties.update(custom_properties)
    return made


def blessing(number: int, model: int, blessed: int = 1):
    return artifact(ModelBlessing, number, blessed=blessed, current_model_id=model)


def chosen(strategy, **input_dict):
    answer = strategy.resolve_artifacts(None, input_dict)
    return answer and {key: [one.id for one in found] for key, found in answer.items()}


def test_outputs_have_the_keys_and_types_of_the_channels():
    resolver = Resolver(
        strategy_class=LatestArtifactStrategy,
        latest_model=Channel(type=Model),
        schema=Channel(type=Schema),
    ).with_id("latest")
    assert {key: output.type for key, output in resolver.outputs.items()} == {
        "latest_model": Model,
        "schema": Schema,
    }
    with pytest.raises(KeyError, match="latest has no output 'latest_modle'; did you mean"):
        resolver.outputs["latest_modle"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"config": {}, "model": Channel(type=Model)},
            ValueError,
            "Cannot use config parameter without strategy_class",
        ),
        ({"strategy_class": Model}, TypeError, "strategy_class should be ResolverStrategy"),
        ({"strategy_class": ResolverStrategy}, TypeError, "define resolve_artifacts"),
        (
            {"strategy_class": LatestArtifactStrategy, "model": "latest"},
            ValueError,
            r"'model' to be of type .*got 'latest' instead",
        ),
        (
            {"strategy_class": LatestArtifactStrategy, "config": [1], "m": Channel(type=Model)},
            TypeError,
            r"config must be a dict of arguments for LatestArtifactStrategy, got \[1\]",
        ),
        (
            {"strategy_class": LatestBlessedModelStrategy, "model": Channel(type=Schema)},
            RuntimeError,
            "Only expecting Model or ModelBlessing, got Schema",
        ),
        (
            {"strategy_class": LatestBlessedModelStrategy, "model": Channel(type=Model)},
            ValueError,
            "needs a channel of Model and one of ModelBlessing, got",
        ),
    ],
)
def test_mistakes_are_said_when_it_is_declared(arguments, error, message):
    with pytest.raises(error, match=message):
        Resolver(**arguments)


@pytest.mark.parametrize(
    ("deprecated", "newer", "config"),
    [
        (LatestArtifactsResolver, "LatestArtifactStrategy", None),
        (LatestBlessedModelResolver, "LatestBlessedModelStrategy", None),
        (SpansResolver, "SpanRangeStrategy", {"range_config": '{"rolling_range": {}}'}),
    ],
)
def test_older_names_work_and_warn(deprecated, newer, config):
    channels = {"model": Channel(type=Model), "blessing": Channel(type=ModelBlessing)}
    with pytest.warns(DeprecationWarning, match=f"use {newer}") as warned:
        Resolver(deprecated, config, **channels)
    assert warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Resolver(LatestBlessedModelStrategy, **channels)


def test_the_config_is_remembered_as_json():
    config = {"range_config": RangeConfig(rolling_range=RollingRange(num_spans=2))}
    resolver = Resolver(SpanRangeStrategy, config, examples=Channel(type=Examples))
    assert resolver.stored_properties["config"] == (
        '{"range_config": {"rolling_range": {"num_spans": 2}}}'
    )
    assert resolver.exec_properties == {"resolver_class": SpanRangeStrategy, "source_uri": config}


def test_without_a_strategy_everything_is_chosen():
    resolver = Resolver(examples=Channel(type=Examples))
    assert resolver.exec_properties == {}
    everything = {"examples": [artifact(Examples, 2), artifact(Examples, 1)]}
    assert resolver.make_strategy().resolve_artifacts(None, everything) == everything


def test_latest_artifacts_are_all_or_nothing():
    models = [artifact(Model, number) for number in (1, 3, 2)]
    two = LatestArtifactStrategy(desired_num_of_artifacts=2)
    assert chosen(LatestArtifactStrategy(), m=models) == {"m": [3]}
    assert chosen(two, m=models) == {"m": [3, 2]}
    assert chosen(two, m=models, s=[artifact(Schema, 9)]) is None
    with pytest.raises(ValueError, match="desired_num_of_artifacts is 0: expected 1 or more"):
        LatestArtifactStrategy(0)


def test_the_newest_blessed_model_and_its_newest_blessing():
    models = [artifact(Model, number) for number in (1, 2, 3)]
    blessings = [blessing(10, 1), blessing(11, 2), blessing(12, 2), blessing(13, 3, blessed=0)]
    strategy = LatestBlessedModelStrategy()
    assert chosen(strategy, model=models, b=blessings) == {"model": [2], "b": [12]}
    assert chosen(strategy, model=models, b=[]) == {"model": [], "b": []}
    assert chosen(strategy, model=[], b=blessings) == {"model": [], "b": []}
    assert chosen(strategy, model=models, b=[blessing(14, 99)]) == {"model": [], "b": []}


def test_spans_may_be_text_or_declared():
    text, number = artifact(Examples, 1, span="5"), artifact(Examples, 2, span=6)
    declared = artifact(Examples, 3)
    declared.span = 7
    strategy = SpanRangeStrategy(RangeConfig(rolling_range=RollingRange(num_spans=2)))
    assert chosen(strategy, examples=[text, number, declared]) == {"examples": [3, 2]}
    assert chosen(strategy, examples=[]) is None


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({}, ValueError, "neither static_range nor rolling_range"),
        ({"rolling_range": {"num_spans": 0}}, ValueError, "num_spans should be positive number"),
        ({"roling_range": {}}, ValueError, "roling_range"),
        (3, TypeError, "must be a RangeConfig, a dict or JSON, got 3"),
    ],
)
def test_a_range_config_is_checked(config, error, message):
    with pytest.raises(error, match=message):
        SpanRangeStrategy(config)


def test_spans_are_told_apart_before_a_store_has_given_ids():
    artifacts = []
    for span in (1, 2, 3):
        artifacts.append(Examples())
        artifacts[-1].set_int_custom_property("span", span)
    strategy = SpanRangeStrategy({"rolling_range": {"num_spans": 2}})
    chosen = strategy.resolve_artifacts(None, {"examples": artifacts})
    assert chosen == {"examples": [artifacts[2], artifacts[1]]}


def test_the_instance_name_of_older_programs_becomes_a_part_of_the_id():
    with pytest.warns(DeprecationWarning, match=r"name a node with \.with_id") as warned:
        resolver = Resolver(
            instance_name="latest",
            strategy_class=LatestArtifactStrategy,
            model=Channel(type=Model),
        )
    assert resolver.id == "Resolver.latest"
    assert list(resolver.outputs) == ["model"]
    assert warned[0].filename == __file__
