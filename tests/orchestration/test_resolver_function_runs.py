"""Resolver functions in real runs: what they choose, and nodes that they skip."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfx.dsl.input_resolution import canned_resolver_functions as functions
from tfx.dsl.input_resolution.ops import ops
from tfx.dsl.input_resolution.resolver_function import resolver_function
from trainwright import (
    Channel,
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    component,
)
from trainwright.dsl.resolver import Resolver
from trainwright.dsl.resolver_strategy import ResolverStrategy
from trainwright.types.standard_artifacts import Examples, Model


@component
def make_span(examples: OutputArtifact[Examples], span: Parameter[int]):
    examples.set_int_custom_property("span", span)
    Path(examples.uri, "rows").write_text(str(span))


@component
def train(examples: InputArtifact[list[Examples]], model: OutputArtifact[Model]):
    seen = " ".join(Path(one.uri, "rows").read_text() for one in examples)
    Path(model.uri, "weights").write_text(seen)


@component
def report(model: InputArtifact[Model]) -> OutputDict(seen=str):
    return {"seen": Path(model.uri, "weights").read_text()}


@pytest.fixture
def run(tmp_path):
    def run(*nodes):
        pipeline = Pipeline("p", str(tmp_path / "root"), components=list(nodes))
        return LocalDagRunner().run(pipeline)

    return run


def weights(result):
    (model,) = result.outputs["train"]["model"]
    return Path(model.uri, "weights").read_text()


def all_examples():
    return Channel(type=Examples, producer_component_id="make_span")


def test_a_function_chooses_among_the_spans_of_all_runs(run):
    for span in (1, 2, 3):
        maker = make_span(span=span)
        last_two = functions.rolling_range(all_examples(), num_spans=2, min_spans=1)
        trainer = train(examples=last_two)
        trainer.add_upstream_node(maker)
        result = run(maker, trainer)
    assert weights(result) == "2 3"


def test_a_function_of_ones_own_chooses_among_what_this_run_makes(run):
    @resolver_function
    def first(examples):
        return ops.Slice(ops.Shuffle(examples), stop=1)

    maker = make_span(span=7)
    assert weights(run(maker, train(examples=first(maker.outputs["examples"])))) == "7"


def test_a_node_is_skipped_until_there_are_enough_spans(run):
    maker = make_span(span=1)
    trainer = train(examples=functions.rolling_range(maker.outputs["examples"], num_spans=2))
    reporter = report(model=trainer.outputs["model"])
    result = run(maker, trainer, reporter)
    assert "There are 1 spans, and 2 are needed" in result.skipped["train"]
    assert "train was skipped" in result.skipped["report"]


def test_a_skip_is_forecast_whether_or_not_the_node_uses_the_cache(tmp_path):
    maker = make_span(span=1).with_cache()
    spans = functions.rolling_range(maker.outputs["examples"], num_spans=2)
    trainers = [train(examples=spans), train(examples=spans).with_id("cached").with_cache()]
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[maker, *trainers])
    LocalDagRunner().run(pipeline)
    forecasts = {one.node_id: one for one in LocalDagRunner().explain(pipeline)}
    assert not forecasts["make_span"].will_run
    for node_id in ("train", "cached"):
        assert forecasts[node_id].is_skipped
        assert "There are 1 spans, and 2 are needed" in forecasts[node_id].reason


def test_what_lacks_is_said(run):
    maker = make_span(span=1)
    trainer = train(examples=functions.pick(maker.outputs["examples"], 5))
    with pytest.raises(Exception, match="less than min_count = 1"):
        run(maker, trainer)


def test_an_operator_may_follow_the_lineage_in_the_store(run):
    maker = make_span(span=4)
    trainer = train(examples=maker.outputs["examples"])

    @resolver_function(output_type=Examples)
    def trained_on(model):
        return ops.TrainingRange(model)

    again = train(examples=trained_on(trainer.outputs["model"])).with_id("again")
    result = run(maker, trainer, again)
    (model,) = result.outputs["again"]["model"]
    assert Path(model.uri, "weights").read_text() == "4"


def test_a_resolver_without_a_strategy_gives_what_a_function_chose(run):
    for span in (1, 2, 3):
        maker = make_span(span=span)
        resolver = Resolver(examples=functions.latest_created(all_examples(), n=2))
        resolver.add_upstream_node(maker)
        result = run(maker, resolver, train(examples=resolver.outputs["examples"]))
    assert weights(result) == "2 3"


class ByLineage(ResolverStrategy):
    """Asks the store as TFX's programs do."""

    def resolve_artifacts(self, store, input_dict):
        contexts = {context.name for context in store.get_contexts_by_type("node")}
        assert "p.make_span" in contexts
        found = store.get_artifacts_by_id([one.id for one in input_dict["examples"]])
        newest = max(found, key=lambda one: one.create_time_since_epoch)
        return {"examples": [one for one in input_dict["examples"] if one.id == newest.id]}


def test_a_strategy_may_ask_through_ml_metadatas_interface(run):
    for span in (1, 2):
        maker = make_span(span=span)
        resolver = Resolver(ByLineage, examples=maker.outputs["examples"])
        result = run(maker, resolver, train(examples=resolver.outputs["examples"]))
    assert weights(result) == "2"
