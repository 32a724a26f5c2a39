"""Resolvers in real runs: what they choose, what follows from it, what is remembered."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from store_audit import audit

from trainwright import (
    Channel,
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    PipelineRunError,
    RunOptions,
    component,
    open_store,
)
from trainwright.cli.main import cli, main
from trainwright.dsl.resolver import Resolver
from trainwright.dsl.resolver_strategy import ResolverStrategy
from trainwright.dsl.strategies import (
    LatestArtifactStrategy,
    LatestBlessedModelStrategy,
    SpanRangeStrategy,
)
from trainwright.metadata.records import EventType, ExecutionState
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.types.channel import union
from trainwright.types.standard_artifacts import Examples, Model, ModelBlessing, Schema


@component
def train(model: OutputArtifact[Model], weight: Parameter[int]):
    Path(model.uri, "weights").write_text(str(weight))


@component
def judge(
    model: InputArtifact[Model], blessing: OutputArtifact[ModelBlessing], blessed: Parameter[int]
):
    blessing.set_int_custom_property("blessed", blessed)
    blessing.set_int_custom_property("current_model_id", model.id)


@component
def compare(baseline: InputArtifact[Model] = None) -> OutputDict(seen=str):
    return {"seen": Path(baseline.uri, "weights").read_text() if baseline else "nothing"}


@component
def require(baseline: InputArtifact[Model]) -> OutputDict(seen=str):
    return {"seen": Path(baseline.uri, "weights").read_text()}


@component
def make_span(examples: OutputArtifact[Examples], span: Parameter[int]):
    examples.set_int_custom_property("span", span)
    Path(examples.uri, "rows").write_text(str(span))


@component
def read_spans(examples: InputArtifact[list[Examples]]) -> OutputDict(seen=str):
    return {"seen": " ".join(Path(one.uri, "rows").read_text() for one in examples)}


def latest(**channels):
    channels = channels or {"model": Channel(type=Model)}
    return Resolver(strategy_class=LatestArtifactStrategy, **channels).with_id("latest")


def run(root: Path, *nodes, options: RunOptions | None = None, cache: bool = True):
    pipeline = Pipeline("p", str(root), components=nodes, enable_cache=cache)
    result = LocalDagRunner(observer=lambda event: None).run(pipeline, options)
    assert audit(root) == []
    return result


def explain(root: Path, *nodes, cache: bool = True):
    pipeline = Pipeline("p", str(root), components=nodes, enable_cache=cache)
    return {one.node_id: one for one in LocalDagRunner().explain(pipeline)}


def states(result) -> dict[str, str]:
    return {node: state.value for node, state in result.states.items()}


def ids(result, node: str, key: str) -> list[int]:
    return [record.id for record in result.outputs[node][key]]


def seen(result, node: str = "compare") -> str:
    return Path(result.outputs[node]["seen"][0].uri).read_text()


def compared(weight: int = 1):
    """A pipeline that trains, and compares with the model of the run before."""
    resolver = latest()
    return train(weight=weight), resolver, compare(baseline=resolver.outputs["model"])


def test_the_second_run_finds_the_model_of_the_first(tmp_path):
    first = run(tmp_path, *compared())
    assert ids(first, "latest", "model") == []
    assert seen(first) == "nothing"
    second = run(tmp_path, *compared(2))
    assert ids(second, "latest", "model") == ids(first, "train", "model")
    assert seen(second) == "1"
    third = run(tmp_path, *compared(2))
    assert seen(third) == "2"


def test_an_unchanged_choice_is_cached_and_so_is_what_follows(tmp_path):
    assert states(run(tmp_path, *compared()))["compare"] == "complete"
    second = states(run(tmp_path, *compared()))
    assert second == {"train": "cached", "latest": "complete", "compare": "complete"}
    assert set(states(run(tmp_path, *compared())).values()) == {"cached"}
    assert states(run(tmp_path, *compared(), cache=False))["latest"] == "complete"


def test_what_would_be_chosen_is_explained(tmp_path):
    forecast = explain(tmp_path, *compared())["latest"]
    assert forecast.will_run
    assert forecast.reason == ("model: nothing (pipeline 'p' has published no Model)")
    model = ids(run(tmp_path, *compared()), "train", "model")[0]
    forecasts = explain(tmp_path, *compared())
    assert forecasts["latest"].reason == f"model: Model {model}"
    assert forecasts["compare"].will_run
    assert forecasts["compare"].reason == "input baseline is new"
    run(tmp_path, *compared())
    again = explain(tmp_path, *compared())
    assert not again["latest"].will_run
    assert not again["compare"].will_run
    newer = ids(run(tmp_path, *compared(2)), "train", "model")[0]
    forecasts = explain(tmp_path, *compared(2))
    assert forecasts["compare"].reason == (
        f"input baseline changed (artifact {newer} instead of {model})"
    )


def test_without_the_cache_the_choice_is_explained_all_the_same(tmp_path):
    run(tmp_path, *compared(), cache=False)
    trainer, resolver, comparison = compared()
    forecasts = explain(tmp_path, trainer, resolver, comparison.with_cache(), cache=False)
    assert forecasts["latest"].will_run
    assert forecasts["compare"].reason == "input baseline is new"


def test_a_choice_that_waits_for_a_node_is_not_known_before(tmp_path):
    trainer = train(weight=1)
    resolver = latest(model=trainer.outputs["model"])
    nodes = [trainer, resolver, require(baseline=resolver.outputs["model"])]
    assert explain(tmp_path, *nodes)["latest"].reason == "it waits for train"
    result = run(tmp_path, *nodes)
    assert ids(result, "latest", "model") == ids(result, "train", "model")


def test_an_output_of_a_node_stands_for_all_that_it_has_made(tmp_path):
    for weight in (1, 2):
        run(tmp_path, train(weight=weight))
    run(tmp_path, train(weight=9).with_id("other"))
    trainer = train(weight=3)
    resolver = Resolver(
        strategy_class=LatestArtifactStrategy,
        config={"desired_num_of_artifacts": 3},
        model=trainer.outputs["model"],
    )
    result = run(tmp_path, trainer, resolver)
    uris = [record.uri for record in result.outputs["Resolver"]["model"]]
    assert [Path(uri, "weights").read_text() for uri in uris] == ["3", "2", "1"]


@pytest.mark.parametrize(
    "channel",
    [
        Channel(type=Model, producer_component_id="other"),
        Channel(type=Model, producer_component_id="other", output_key="model"),
    ],
)
def test_a_channel_can_name_its_producer(tmp_path, channel):
    wanted = run(tmp_path, train(weight=1).with_id("other"))
    run(tmp_path, train(weight=2))
    found = run(tmp_path, latest(model=channel))
    assert ids(found, "latest", "model") == ids(wanted, "other", "model")


def test_a_key_that_nothing_was_published_under_finds_nothing(tmp_path):
    run(tmp_path, train(weight=1))
    channel = Channel(type=Model, producer_component_id="train", output_key="best")
    resolver = latest(model=channel)
    with pytest.raises(PipelineRunError) as raised:
        run(tmp_path, resolver, require(baseline=resolver.outputs["model"]))
    assert (
        "Input 'baseline' of 'require' is empty: latest found nothing: pipeline 'p' has published "
        "no Model of node 'train' as 'best'." in str(raised.value)
    )


def test_other_pipelines_are_not_searched(tmp_path):
    other = Pipeline("q", str(tmp_path), components=[train(weight=1)])
    LocalDagRunner(observer=lambda event: None).run(other)
    assert ids(run(tmp_path, latest()), "latest", "model") == []


def test_several_channels_are_joined(tmp_path):
    for name in ("a", "b", "c"):
        run(tmp_path, train(weight=1).with_id(name))
    channels = [Channel(type=Model, producer_component_id=name) for name in ("a", "c")]
    resolver = Resolver(
        strategy_class=LatestArtifactStrategy,
        config={"desired_num_of_artifacts": 2},
        model=union(channels),
    )
    assert len(ids(run(tmp_path, resolver), "Resolver", "model")) == 2


def test_a_resolver_can_choose_from_the_choice_of_another(tmp_path):
    run(tmp_path, train(weight=1))
    first = run(tmp_path, train(weight=2))
    two = Resolver(
        strategy_class=LatestArtifactStrategy,
        config={"desired_num_of_artifacts": 2},
        model=Channel(type=Model),
    ).with_id("two")
    result = run(tmp_path, two, latest(model=two.outputs["model"]))
    assert ids(result, "latest", "model") == ids(first, "train", "model")


def test_deleted_and_damaged_artifacts_are_not_there(tmp_path):
    older = run(tmp_path, train(weight=1))
    newer = run(tmp_path, train(weight=2))
    uri = Path(newer.outputs["train"]["model"][0].uri)
    (uri / "weights").write_text("broken")
    pipeline = Pipeline("p", str(tmp_path), components=[latest()])
    found = LocalDagRunner(observer=lambda event: None).run(pipeline)
    assert ids(found, "latest", "model") == ids(older, "train", "model")
    shutil.rmtree(Path(older.outputs["train"]["model"][0].uri))
    resolver = latest()
    nodes = [resolver, require(baseline=resolver.outputs["model"])]
    with pytest.raises(PipelineRunError, match="Model 2 is not whole: .*weights has 6 bytes"):
        LocalDagRunner(observer=lambda event: None).run(
            Pipeline("p", str(tmp_path), components=nodes)
        )


def test_garbage_collection_keeps_what_a_kept_run_has_chosen(tmp_path):
    run(tmp_path, train(weight=1))
    run(tmp_path, latest())
    with open_store(tmp_path / "metadata.db") as store:
        assert collect(store, plan_collection(store, "p", keep=1)) == []


def test_the_newest_blessed_model_is_chosen(tmp_path):
    def nodes(weight: int, blessed: int):
        resolver = Resolver(
            strategy_class=LatestBlessedModelStrategy,
            model=Channel(type=Model),
            model_blessing=Channel(type=ModelBlessing),
        ).with_id("blessed")
        trainer = train(weight=weight)
        judgement = judge(model=trainer.outputs["model"], blessed=blessed)
        return trainer, judgement, resolver, compare(baseline=resolver.outputs["model"])

    assert seen(run(tmp_path, *nodes(1, 1))) == "nothing"
    assert seen(run(tmp_path, *nodes(2, 0))) == "1"
    third = run(tmp_path, *nodes(3, 1))
    assert seen(third) == "1", "the second model was not blessed"
    fourth = run(tmp_path, *nodes(4, 0))
    assert seen(fourth) == "3"
    assert ids(fourth, "blessed", "model_blessing") == ids(third, "judge", "blessing")


def test_models_without_a_blessing_are_an_empty_choice(tmp_path):
    trainer = train(weight=1)
    run(tmp_path, trainer, judge(model=trainer.outputs["model"], blessed=0))
    resolver = Resolver(
        strategy_class=LatestBlessedModelStrategy,
        model=Channel(type=Model),
        blessing=Channel(type=ModelBlessing),
    )
    with pytest.raises(
        PipelineRunError, match="Resolver found nothing: LatestBlessedModelStrategy chose none of"
    ):
        run(tmp_path, resolver, require(baseline=resolver.outputs["model"]))


def test_spans_in_a_range(tmp_path):
    for span in (3, 1, 4):
        run(tmp_path, make_span(span=span))
    ranges = {
        "last": ({"rolling_range": {"num_spans": 2}}, "4 3"),
        "since": ({"rolling_range": {"num_spans": 9, "start_span_number": 3}}, "4 3"),
        "between": ({"static_range": {"start_span_number": 1, "end_span_number": 3}}, "3 1"),
        "json": ('{"static_range": {"start_span_number": 1, "end_span_number": 1}}', "1"),
    }
    nodes = []
    for name, (config, _) in ranges.items():
        resolver = Resolver(
            strategy_class=SpanRangeStrategy,
            config={"range_config": config},
            examples=Channel(type=Examples, producer_component_id="make_span"),
        ).with_id(f"resolve_{name}")
        nodes += [resolver, read_spans(examples=resolver.outputs["examples"]).with_id(name)]
    result = run(tmp_path, *nodes)
    assert {name: seen(result, name) for name in ranges} == {
        name: expected for name, (_, expected) in ranges.items()
    }


def test_examples_without_a_span_are_said(tmp_path):
    @component
    def no_span(examples: OutputArtifact[Examples]):
        Path(examples.uri, "rows").touch()

    run(tmp_path, no_span())
    resolver = Resolver(
        strategy_class=SpanRangeStrategy,
        config={"range_config": {"rolling_range": {"num_spans": 1}}},
        examples=Channel(type=Examples),
    )
    with pytest.raises(PipelineRunError, match="Span does not exist for .*producer_component_id"):
        run(tmp_path, resolver)


class SmallestStrategy(ResolverStrategy):
    """A user's own: the artifact with the fewest bytes, and what the store says of it."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix

    def resolve_artifacts(self, store, input_dict):
        assert store.get_artifacts(type_name="Model")
        with pytest.raises(AttributeError, match="no 'set_artifact_state'; it can be asked get_"):
            store.set_artifact_state([], None)
        return {
            key: sorted(found, key=lambda one: Path(one.uri, self._suffix).stat().st_size)[:1]
            for key, found in input_dict.items()
        }


def test_a_strategy_of_ones_own(tmp_path):
    for weight in (100, 7, 55):
        run(tmp_path, train(weight=weight))
    resolver = Resolver(SmallestStrategy, {"suffix": "weights"}, model=Channel(type=Model))
    result = run(tmp_path, resolver, require(baseline=resolver.outputs["model"]))
    assert seen(result, "require") == "7"


class JudgedStrategy(ResolverStrategy):
    """Asks the store as TFX's programs do: the newest model that something has looked at."""

    def resolve_artifacts(self, store, input_dict):
        import ml_metadata as mlmd
        from ml_metadata.proto import metadata_store_pb2

        live = mlmd.ListOptions(filter_query="type = 'Model' AND state = LIVE")
        assert len(store.get_artifacts(live)) == len(input_dict["model"])
        assert len(store.get_artifacts_by_type("Model")) == len(input_dict["model"])
        events = store.get_events_by_artifact_ids([one.id for one in input_dict["model"]])
        read = {one.artifact_id for one in events if one.type == metadata_store_pb2.Event.INPUT}
        return {"model": [one for one in input_dict["model"] if one.id in read][:1]}


def test_a_strategy_that_asks_as_ml_metadata_is_asked(tmp_path):
    model = train(weight=7)
    run(tmp_path, model, judge(model=model.outputs["model"], blessed=1))
    run(tmp_path, train(weight=8))
    resolver = Resolver(JudgedStrategy, model=Channel(type=Model))
    result = run(tmp_path, resolver, require(baseline=resolver.outputs["model"]))
    assert seen(result, "require") == "7"


def strategy_that(answer):
    class Own(ResolverStrategy):
        def resolve_artifacts(self, store, input_dict):
            return answer(store, input_dict)

    return Own


def unknown_model(store, input_dict):
    model = Model()
    model.id = 77
    return {"model": [model]}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            lambda store, found: {"modle": []},
            "Own.resolve_artifacts returned 'modle', but",
        ),
        (lambda store, found: [], r"must return a dict of lists of artifacts, or None; got \[\]"),
        (lambda store, found: {"model": [5]}, "Own chose 5 for 'model' of Resolver; expected a Mo"),
        (lambda store, found: {"model": [Schema()]}, "expected a Model that the store knows"),
        (unknown_model, "for 'model' of Resolver what cannot be used: the store knows no .*77"),
        (lambda store, found: found["nothing"], "Own of Resolver failed with KeyError: 'nothing'"),
    ],
)
def test_mistakes_of_a_strategy_are_said(tmp_path, answer, message):
    resolver = Resolver(strategy_that(answer), model=Channel(type=Model))
    with pytest.raises(PipelineRunError) as raised:
        run(tmp_path, resolver)
    (failure,) = raised.value.result.failures  # its message alone: a traceback quotes this file
    assert re.search(message, failure.message)


def test_a_key_that_a_strategy_leaves_out_is_empty(tmp_path):
    run(tmp_path, train(weight=1))
    resolver = Resolver(strategy_that(lambda store, found: {}), model=Channel(type=Model))
    assert ids(run(tmp_path, resolver), "Resolver", "model") == []


def test_a_config_that_does_not_fit_is_said_before_anything_starts(tmp_path):
    resolver = Resolver(LatestArtifactStrategy, {"number": 1}, model=Channel(type=Model))
    with pytest.raises(ValueError, match="Resolver: LatestArtifactStrategy cannot be made with"):
        run(tmp_path, train(weight=1), resolver)
    assert not (tmp_path / "train").exists()


def test_an_input_from_nowhere_is_led_to_a_resolver(tmp_path):
    with pytest.raises(ValueError, match="A Resolver finds what earlier runs have made"):
        run(tmp_path, require(baseline=Channel(type=Model)))


def test_a_partial_run_takes_the_last_choice(tmp_path):
    first = run(tmp_path, *compared())
    assert seen(run(tmp_path, *compared(), options=RunOptions(from_nodes=["compare"]))) == "nothing"
    run(tmp_path, *compared())
    result = run(tmp_path, *compared(5), options=RunOptions(from_nodes=["compare"]))
    assert ids(result, "latest", "model") == ids(first, "train", "model")


def test_no_process_is_started_and_no_place_is_taken(tmp_path):
    result = LocalDagRunner(max_parallel=1, observer=lambda event: None).run(
        Pipeline("p", str(tmp_path), components=[latest()])
    )
    assert result.is_success
    # The run itself has a log of its events.
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [".system"]
    assert [path.name for path in (tmp_path / ".system").iterdir()] == ["runs"]


def test_it_is_remembered_like_other_nodes(tmp_path):
    run(tmp_path, *compared())
    result = run(tmp_path, *compared())
    with open_store(tmp_path / "metadata.db") as store:
        executions = store.get_executions(states=[ExecutionState.COMPLETE])
        (chosen, _) = [one for one in executions if one.type.name.endswith("resolver.Resolver")]
        assert chosen.type.name == "tfx.dsl.components.common.resolver.Resolver"
        assert chosen.custom_properties["config"] == "{}"
        strategy = chosen.custom_properties["strategy_class"]
        assert strategy.endswith(".LatestArtifactStrategy")
        events = store.get_events(execution_ids=[chosen.id])
    assert [(event.type, event.key) for event in events] == [
        (EventType.INPUT, "model"),
        (EventType.OUTPUT, "model"),
    ]
    assert result.outputs["latest"]["model"][0].id == events[0].artifact_id


def test_the_commands_show_it(tmp_path, monkeypatch, capsys):
    run(tmp_path, *compared())
    model = ids(run(tmp_path, *compared()), "latest", "model")[0]
    store = ["--store", str(tmp_path / "metadata.db")]

    def said(*arguments: str) -> str:
        result = CliRunner().invoke(cli, [*arguments, *store], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    assert "latest" in said("show", "latest")
    monkeypatch.setattr(sys, "argv", ["trainwright", "logs", "latest", *store])
    with pytest.raises(SystemExit) as refused:
        main()
    assert refused.value.code == 2
    no_log = "latest is of type Resolver: it has no process, and so no log."
    assert no_log in capsys.readouterr().err
    assert f"model: Model {model}" in " ".join(said("explain", "latest").split())
    down = said("lineage", str(model), "--down")
    assert "read by latest (execution 5, complete" in down
    assert "read by compare (execution" in down
    assert "made by train" in said("lineage", str(model))
