"""Operators that follow the lineage of artifacts in the store."""

from __future__ import annotations

import pytest

from tfx.dsl.input_resolution import resolver_op
from tfx.dsl.input_resolution.ops import ops
from tfx.dsl.input_resolution.ops.latest_policy_model_op import Policy
from tfx.orchestration.portable.input_resolution import exceptions


@pytest.fixture
def run(lineage):
    def run(op_type, *args, **properties):
        operator = op_type.create(**properties)
        operator.set_context(resolver_op.Context(store=lineage.store))
        return operator.apply(*args)

    return run


def ids(by_key):
    return {key: [artifact.id for artifact in found] for key, found in by_key.items()}


@pytest.fixture
def trained(lineage):
    """Three spans, a model on the first two and one on all, the first one blessed."""
    examples = [lineage.examples(span) for span in (1, 2, 3)]
    old, new = lineage.artifact("Model"), lineage.artifact("Model")
    lineage.execution({}, {"examples": examples})
    lineage.execution({"examples": examples[:2]}, {"model": [old]})
    lineage.execution({"examples": examples}, {"model": [new]})
    blessing = lineage.artifact("ModelBlessing", blessed=1)
    refusal = lineage.artifact("ModelBlessing", blessed=0)
    lineage.execution({"model": [old]}, {"blessing": [blessing]})
    # The old model is only what the new one is compared with.
    lineage.execution({"model": [new], "baseline_model": [old]}, {"blessing": [refusal]})
    return examples, old, new, blessing


def test_the_newest_model_that_was_found_good(run, trained):
    _, old, new, blessing = trained
    models = {"model": [old, new]}
    assert ids(run(ops.LatestPolicyModel, models, policy=Policy.LATEST_EXPORTED)) == {
        "model": [new.id]
    }
    found = run(ops.LatestPolicyModel, models, policy=Policy.LATEST_EVALUATOR_BLESSED)
    assert ids(found) == {"model": [old.id], "model_blessing": [blessing.id]}
    with pytest.raises(exceptions.SkipSignal, match="meets the Policy LATEST_PUSHED"):
        run(ops.LatestPolicyModel, models, policy=Policy.LATEST_PUSHED)
    empty = run(ops.LatestPolicyModel, models, policy=Policy.LATEST_PUSHED, raise_skip_signal=False)
    assert empty == {"model": [], "model_push": []}


def test_a_baseline_is_not_blessed_by_the_comparison(run, lineage, trained):
    _, old, new, _ = trained
    newer = lineage.artifact("ModelBlessing", blessed=1)
    lineage.execution({"model": [new], "baseline_model": [old]}, {"blessing": [newer]})
    found = run(ops.LatestPolicyModel, {"model": [old]}, policy=Policy.LATEST_EVALUATOR_BLESSED)
    assert found["model_blessing"][0].id != newer.id


def test_the_examples_of_a_model(run, trained):
    examples, old, _, _ = trained
    found = run(ops.TrainingRange, [old])
    assert [one.id for one in found] == [one.id for one in examples[:2]]
    with pytest.raises(exceptions.InvalidArgument, match="a single Model"):
        run(ops.TrainingRange, examples[:1])


def test_a_model_is_evaluated_on_spans_that_it_has_not_seen(run, trained):
    examples, old, new, _ = trained
    found = run(ops.SpanDrivenEvaluatorInputs, {"model": [old, new], "examples": examples})
    assert ids(found) == {"model": [old.id], "examples": [examples[2].id]}
    with pytest.raises(exceptions.SkipSignal):
        run(ops.SpanDrivenEvaluatorInputs, {"model": [new], "examples": examples})


def test_what_was_made_from_an_artifact(run, trained):
    examples, old, new, blessing = trained
    found = run(
        ops.GraphTraversal,
        [examples[0]],
        traverse_upstream=False,
        artifact_type_names=["Model", "Schema"],
    )
    assert ids(found) == {
        "root_artifact": [examples[0].id],
        "Model": [old.id, new.id],
        "Schema": [],
    }
    up = run(
        ops.GraphTraversal, [blessing], traverse_upstream=True, artifact_type_names=["Examples"]
    )
    assert ids(up)["Examples"] == [one.id for one in examples[:2]]


def test_only_what_a_node_made_counts_if_it_is_named(run, lineage):
    pipeline = lineage.context("pipeline", "p")
    one, two = lineage.artifact("Model"), lineage.artifact("Model")
    root = lineage.examples(1)
    lineage.execution({}, {"examples": [root]}, [pipeline])
    for model, node in ((one, "a"), (two, "b")):
        contexts = [pipeline, lineage.context("node", f"p.{node}")]
        lineage.execution({"examples": [root]}, {"model": [model]}, contexts)
    found = run(
        ops.GraphTraversal,
        [root],
        traverse_upstream=False,
        artifact_type_names=["Model"],
        node_ids=["b"],
    )
    assert ids(found)["Model"] == [two.id]


def test_what_was_made_beside_an_artifact(run, lineage):
    model, log, gone = (
        lineage.artifact("Model"),
        lineage.artifact("ModelRun"),
        lineage.artifact("ModelRun", state="DELETED"),
    )
    lineage.execution({}, {"model": [model], "model_run": [log, gone]})
    assert ids(run(ops.Siblings, [model])) == {"root_artifact": [model.id], "model_run": [log.id]}
    assert ids(run(ops.Siblings, [model], output_keys=["other"]))["other"] == []


def test_groups_of_what_belongs_together(run, lineage):
    a1, a2 = lineage.artifact("A"), lineage.artifact("A")
    b1, b2, b3 = (lineage.artifact("B") for _ in range(3))
    lineage.execution({"a": [a1]}, {"b": [b1]})
    lineage.execution({"a": [a2]}, {"b": [b2]})
    everything = {"a": [a1, a2], "b": [b1, b2, b3]}
    groups = [ids(group) for group in run(ops.GroupByDisjointLineage, everything)]
    assert groups == [
        {"a": [a1.id], "b": [b1.id]},
        {"a": [a2.id], "b": [b2.id]},
        {"a": [], "b": [b3.id]},
    ]
    whole = run(ops.GroupByDisjointLineage, everything, require_all=True)
    assert [ids(group) for group in whole] == groups[:2]
    pivots = run(ops.GroupByPivot, everything, pivot_key="b")
    assert [ids(group) for group in pivots] == groups
    with pytest.raises(exceptions.FailedPreconditionError, match='Pivot "c" does not exist'):
        run(ops.GroupByPivot, everything, pivot_key="c")


def test_the_outputs_of_another_pipelines_last_complete_run(run, lineage):
    with pytest.raises(exceptions.SkipSignal, match="does not have a PipelineEnd node"):
        run(ops.LatestPipelineRunOutputs, pipeline_name="other")
    end = lineage.context("node", "other.other_end")
    old, new = lineage.artifact("Model"), lineage.artifact("Model")
    lineage.execution({}, {"model": [old]}, [end])
    lineage.execution({}, {"model": [new], "rest": [old]}, [end])
    lineage.execution({}, {"model": [old]}, [end], state="FAILED")
    found = run(ops.LatestPipelineRunOutputs, pipeline_name="other", output_keys=["model"])
    assert ids(found) == {"model": [new.id]}
