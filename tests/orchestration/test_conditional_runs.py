"""Conditions in real runs: who runs, who is skipped, and what is remembered of it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from store_audit import audit

from trainwright import (
    Channel,
    Cond,
    Importer,
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    PipelineRunError,
    Resolver,
    RunOptions,
    component,
    logical_and,
    open_store,
)
from trainwright.dsl.strategies import LatestArtifactStrategy
from trainwright.history.run_history import find_run
from trainwright.metadata.records import EventType
from trainwright.orchestration.reports.reports import LineReport
from trainwright.types.channel import union
from trainwright.types.standard_artifacts import Model, ModelBlessing, Schema

HOLDS_NOT = "judge.outputs['blessing'][0].custom_property('blessed') == 1 does not hold"


@component
def train(model: OutputArtifact[Model]):
    Path(model.uri, "weights").write_text("1")


@component
def judge(blessing: OutputArtifact[ModelBlessing], blessed: Parameter[int], note: Parameter[str]):
    if blessed >= 0:
        blessing.set_int_custom_property("blessed", blessed)
    blessing.set_string_custom_property("note", note)


@component
def push(model: InputArtifact[Model], pushed: OutputArtifact[Model]):
    Path(pushed.uri, "weights").write_text("pushed")


@component
def announce(pushed: InputArtifact[Model]) -> OutputDict(done=int):
    return {"done": 1}


@component
def report(pushed: InputArtifact[Model] = None) -> OutputDict(seen=str):
    return {"seen": "a model" if pushed else "nothing"}


@component
def wait() -> OutputDict(done=int):
    return {"done": 1}


@component
def fail():
    raise ValueError("no")


def is_blessed(judged):
    return judged.outputs["blessing"].future()[0].custom_property("blessed") == 1


def guarded(blessed: int, note: str = ""):
    """A pipeline that pushes what was blessed, and tells of it."""
    trainer, judged = train(), judge(blessed=blessed, note=note)
    with Cond(is_blessed(judged)):
        pusher = push(model=trainer.outputs["model"])
    return trainer, judged, pusher, announce(pushed=pusher.outputs["pushed"])


def run(root: Path, *nodes, options: RunOptions | None = None, cache: bool = True, observer=None):
    pipeline = Pipeline("p", str(root), components=nodes, enable_cache=cache)
    runner = LocalDagRunner(observer=observer or (lambda event: None))
    try:
        return runner.run(pipeline, options)
    finally:
        assert audit(root) == []


def explain(root: Path, *nodes, options=None):
    pipeline = Pipeline("p", str(root), components=nodes, enable_cache=True)
    return {one.node_id: one for one in LocalDagRunner().explain(pipeline, options)}


def states(result) -> dict[str, str]:
    return {node: state.value for node, state in result.states.items()}


def seen(result) -> str:
    return Path(result.outputs["report"]["seen"][0].uri).read_text()


def executions(root: Path) -> list[str]:
    with open_store(str(root / "metadata.db")) as store:
        return sorted(one.custom_properties["__node_id__"] for one in store.get_executions())


def input_keys(root: Path, execution_id: int) -> list[str]:
    with open_store(str(root / "metadata.db")) as store:
        events = store.get_events(execution_ids=[execution_id])
    return sorted(event.key for event in events if event.type is EventType.INPUT)


def execution_of(result, root: Path, node: str) -> int:
    with open_store(str(root / "metadata.db")) as store:
        (found,) = [one for one in find_run(store, result.run_id).nodes if one.node_id == node]
    return found.execution_id


def test_a_condition_that_holds(tmp_path):
    result = run(tmp_path, *guarded(1))
    assert set(states(result).values()) == {"complete"}
    assert result.skipped == {}
    keys = input_keys(tmp_path, execution_of(result, tmp_path, "push"))
    assert keys == ["_judge.blessing", "model"]
    again = run(tmp_path, *guarded(1))
    assert set(states(again).values()) == {"cached"}
    keys = input_keys(tmp_path, execution_of(again, tmp_path, "push"))
    assert keys == ["_judge.blessing", "model"]


@pytest.mark.parametrize(("blessed", "found"), [(0, "it is 0"), (-1, "it is not set")])
def test_a_condition_that_does_not_hold(tmp_path, blessed, found):
    events = []
    result = run(tmp_path, *guarded(blessed), observer=events.append)
    assert states(result) == {
        "train": "complete",
        "judge": "complete",
        "push": "skipped",
        "announce": "skipped",
    }
    assert result.is_success
    assert result.state == "complete"
    assert result.skipped == {
        "push": f"{HOLDS_NOT} ({found})",
        "announce": "its input pushed is push.outputs['pushed'], and push was skipped",
    }
    assert events[-1].data["skipped"] == result.skipped
    assert "push" not in result.outputs
    assert executions(tmp_path) == ["judge", "train"], "a skipped node has no execution, as in TFX"
    with open_store(str(tmp_path / "metadata.db")) as store:
        history = find_run(store, result.run_id)
    assert history.state == "complete"
    assert [(one.node_id, one.state, one.skip_reason) for one in history.nodes[2:]] == [
        (node, "skipped", reason) for node, reason in result.skipped.items()
    ]


def test_the_report_says_why(tmp_path):
    stream = io.StringIO()
    run(tmp_path, *guarded(0), observer=LineReport(stream))
    lines = [line[9:] for line in stream.getvalue().splitlines()]
    assert f"push: skipped: {HOLDS_NOT} (it is 0)" in lines
    assert re.fullmatch(r"p: complete in \d+\.\d s \(2 complete, 2 skipped\)", lines[-1])


def test_a_new_answer_is_a_new_decision(tmp_path):
    run(tmp_path, *guarded(1))
    assert states(run(tmp_path, *guarded(0)))["push"] == "skipped"
    third = run(tmp_path, *guarded(1, note="judged anew"))
    assert states(third)["judge"] == "complete"
    assert states(third)["push"] == "cached", "what it pushes has not changed"


def test_an_optional_input_of_a_skipped_node_is_empty(tmp_path):
    trainer, judged, pusher, _ = guarded(0)
    optional = report(pushed=pusher.outputs["pushed"])
    result = run(tmp_path, trainer, judged, pusher, optional)
    assert states(result)["report"] == "complete"
    assert seen(result) == "nothing"


def test_as_optional_and_union_and_mere_waiting(tmp_path):
    trainer, judged, pusher, _ = guarded(0)
    told = announce(pushed=union([pusher.outputs["pushed"], trainer.outputs["model"]]))
    waiting = wait()
    waiting.add_upstream_node(pusher)
    optional = report(pushed=pusher.outputs["pushed"].as_optional())
    result = run(tmp_path, trainer, judged, pusher, told, waiting, optional)
    assert {node: states(result)[node] for node in ("push", "announce", "wait", "report")} == {
        "push": "skipped",
        "announce": "complete",
        "wait": "complete",
        "report": "complete",
    }


def test_nested_conditions_must_all_hold(tmp_path):
    yes, no = judge(blessed=1, note="").with_id("yes"), judge(blessed=0, note="").with_id("no")
    with Cond(is_blessed(yes)):
        first = wait().with_id("first")
        with Cond(is_blessed(no)):
            second = wait().with_id("second")
    with Cond(logical_and(is_blessed(yes), is_blessed(no))):
        third = wait().with_id("third")
    result = run(tmp_path, yes, no, first, second, third)
    assert {node: states(result)[node] for node in ("first", "second", "third")} == {
        "first": "complete",
        "second": "skipped",
        "third": "skipped",
    }
    assert result.skipped["third"].endswith(
        "does not hold (no.outputs['blessing'][0].custom_property('blessed') is 0)"
    )


def test_a_condition_on_what_was_skipped(tmp_path):
    first = judge(blessed=0, note="")
    with Cond(is_blessed(first)):
        second = judge(blessed=1, note="").with_id("second")
    with Cond(is_blessed(second)):
        third = wait()
    result = run(tmp_path, first, second, third)
    assert states(result)["wait"] == "skipped"
    assert result.skipped["wait"] == (
        "it depends on second.outputs['blessing'][0].custom_property('blessed') == 1, and second "
        "was skipped"
    )


@pytest.mark.parametrize(("blessed", "state"), [(0, "skipped"), (1, "complete")])
def test_lookups_have_conditions_too(tmp_path, blessed, state):
    (tmp_path / "schema.pbtxt").write_text("")
    judged = judge(blessed=blessed, note="")
    with Cond(is_blessed(judged)):
        importer = Importer(str(tmp_path / "schema.pbtxt"), Schema)
        resolver = Resolver(LatestArtifactStrategy, model=Channel(type=Model))
    result = run(tmp_path / "root", judged, importer, resolver)
    assert states(result) == {"judge": "complete", "Importer": state, "Resolver": state}
    if blessed:
        for node in ("Importer", "Resolver"):
            execution = execution_of(result, tmp_path / "root", node)
            assert input_keys(tmp_path / "root", execution) == ["_judge.blessing"]


def test_a_resolver_after_a_skipped_node_looks_into_the_past(tmp_path):
    def nodes(blessed):
        *others, pusher, _ = guarded(blessed)
        resolver = Resolver(LatestArtifactStrategy, pushed=pusher.outputs["pushed"])
        return *others, pusher, resolver, report(pushed=resolver.outputs["pushed"])

    run(tmp_path, *nodes(1))
    result = run(tmp_path, *nodes(0))
    assert states(result)["push"] == "skipped"
    assert seen(result) == "a model"


def test_a_condition_that_cannot_be_decided_fails_its_node(tmp_path):
    judged = judge(blessed=1, note="good")
    blessing = judged.outputs["blessing"].future()
    with Cond(blessing[0].custom_property("note") == 1):
        wrong = wait().with_id("wrong")
    with Cond(blessing[0].custom_property("score") > 0.9):
        unset = wait().with_id("unset")
    with Cond(blessing[1].uri != ""):
        missing = wait().with_id("missing")
    after = wait().with_id("after")
    after.add_upstream_node(wrong)
    with pytest.raises(PipelineRunError) as raised:
        run(tmp_path, judged, wrong, unset, missing, after)
    result = raised.value.result
    assert states(result)["after"] == "skipped"
    assert result.skipped == {}
    messages = {one.node_id: one.message for one in result.failures}
    prefix = "judge.outputs['blessing'][0]"
    assert messages == {
        "wrong": f"wrong: the condition {prefix}.custom_property('note') == 1 cannot be decided: "
        f"{prefix}.custom_property('note') is 'good' (str): 'good' and 1 cannot be compared. "
        "Compare it with a value of its own type.",
        "unset": f"unset: the condition {prefix}.custom_property('score') > 0.9 cannot be decided: "
        f"{prefix}.custom_property('score') is not set: what is not set is neither less nor "
        "greater. Look for its name among those that the node sets, or ask with == or !=.",
        "missing": "missing: the condition judge.outputs['blessing'][1].uri != '' cannot be "
        "decided: judge.outputs['blessing'][1] is not there: judge.outputs['blessing'] holds only "
        "1 artifact.",
    }
    assert "Not run because of that: after." in str(raised.value)


def test_a_failure_beside_a_skip_is_told_apart(tmp_path):
    failing = fail()
    with pytest.raises(PipelineRunError) as raised:
        run(tmp_path, *guarded(0), failing)
    result = raised.value.result
    assert result.state == "failed"
    assert set(result.skipped) == {"push", "announce"}
    assert "Not run because of that" not in result.describe_failures()


def test_a_node_whose_question_failed_is_not_asked(tmp_path):
    failing = fail()
    judged = judge(blessed=1, note="")
    judged.add_upstream_node(failing)
    with Cond(is_blessed(judged)):
        waiting = wait()
    with pytest.raises(PipelineRunError) as raised:
        run(tmp_path, failing, judged, waiting)
    assert states(raised.value.result)["wait"] == "skipped"
    assert raised.value.result.skipped == {}


def test_a_channel_from_nowhere_is_refused_before_the_run(tmp_path):
    with Cond(Channel(type=ModelBlessing).future()[0].custom_property("blessed") == 1):
        node = wait()
    with pytest.raises(ValueError, match=r"wait depends on .*, but Channel\(.* comes from no node"):
        run(tmp_path, node)


def test_a_part_of_the_pipeline(tmp_path):
    run(tmp_path, *guarded(1))
    options = RunOptions(from_nodes=["push"])
    part = run(tmp_path, *guarded(1), options=options)
    assert part.states.keys() == {"judge", "train", "push", "announce"}
    lent = run(tmp_path, *guarded(0))
    assert states(lent)["push"] == "skipped"
    part = run(tmp_path, *guarded(0), options=options)
    assert part.skipped.keys() == {"push", "announce"}, "the newest answer was lent"
    with pytest.raises(ValueError, match=r"push is not part of this run.* it was skipped there: "):
        run(
            tmp_path,
            *guarded(0),
            options=RunOptions(from_nodes=["announce"], base_pipeline_run_id="latest"),
        )


def test_what_would_be_skipped_is_foreseen(tmp_path):
    condition = HOLDS_NOT.removesuffix(" does not hold")
    first = explain(tmp_path, *guarded(0))
    assert first["push"].will_run
    assert first["push"].condition == condition
    assert first["announce"].condition == condition
    assert first["judge"].condition is None
    run(tmp_path, *guarded(0))
    known = explain(tmp_path, *guarded(0))
    assert known["push"].is_skipped
    assert known["push"].reason == f"{HOLDS_NOT} (it is 0)"
    assert known["announce"].is_skipped
    assert not known["announce"].will_run
    run(tmp_path, *guarded(1))
    open_again = explain(tmp_path, *guarded(1, note="judged anew"))
    assert open_again["push"].reused_execution_id is not None
    assert open_again["push"].condition == condition
    assert open_again["announce"].reused_execution_id is not None
    assert open_again["announce"].condition == condition


def test_retries_ask_again(tmp_path):
    judged = judge(blessed=1, note="good")
    with Cond(judged.outputs["blessing"].future()[0].custom_property("note") == 1):
        wrong = wait().with_retries(1, wait_seconds=0)
    events = []
    with pytest.raises(PipelineRunError):
        run(tmp_path, judged, wrong, observer=events.append)
    assert [event.kind.value for event in events if event.node == "wait"] == [
        "node_retrying",
        "node_failed",
    ]
