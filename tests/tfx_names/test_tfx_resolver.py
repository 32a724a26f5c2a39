"""Resolver and Importer as TFX pipelines write them, new and old."""

from __future__ import annotations

import pytest


def test_in_the_words_of_v1():
    from tfx import v1 as tfx

    resolver = tfx.dsl.Resolver(
        strategy_class=tfx.dsl.experimental.LatestBlessedModelStrategy,
        model=tfx.dsl.Channel(type=tfx.types.standard_artifacts.Model),
        model_blessing=tfx.dsl.Channel(type=tfx.types.standard_artifacts.ModelBlessing),
    ).with_id("latest_blessed_model_resolver")
    importer = tfx.dsl.Importer(
        source_uri="schema", artifact_type=tfx.types.standard_artifacts.Schema, reimport=False
    ).with_id("schema_importer")
    assert resolver.id == "latest_blessed_model_resolver"
    assert resolver.type_name == "tfx.dsl.components.common.resolver.Resolver"
    assert list(resolver.outputs) == ["model", "model_blessing"]
    assert importer.outputs["result"].type is tfx.types.standard_artifacts.Schema
    assert importer.type_name == "tfx.dsl.components.common.importer.Importer"


def test_in_the_words_of_older_templates():
    from tfx.dsl.components.common import resolver
    from tfx.dsl.experimental import latest_blessed_model_resolver
    from tfx.types import Channel
    from tfx.types.standard_artifacts import Model, ModelBlessing

    with pytest.warns(DeprecationWarning, match="use LatestBlessedModelStrategy"):
        node = resolver.Resolver(
            strategy_class=latest_blessed_model_resolver.LatestBlessedModelResolver,
            model=Channel(type=Model),
            model_blessing=Channel(type=ModelBlessing),
        )
    assert node.outputs["model"].type is Model


def test_a_user_s_strategy_in_the_words_of_v1():
    from tfx import v1 as tfx

    class Nothing(tfx.dsl.experimental.ResolverStrategy):
        def resolve_artifacts(self, store, input_dict):
            return None

    model = tfx.dsl.Channel(type=tfx.types.standard_artifacts.Model)
    assert (
        tfx.dsl.Resolver(strategy_class=Nothing, model=model).outputs["model"].type_name == "Model"
    )
