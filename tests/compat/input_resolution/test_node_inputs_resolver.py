"""The inputs of nodes in compiled pipelines, found in the store."""

from __future__ import annotations

import pytest
from google.protobuf import text_format

from tfx.orchestration.portable.input_resolution import (
    exceptions,
    node_inputs_resolver,
    partition_utils,
)
from tfx.proto.orchestration import pipeline_pb2

CHANNEL = """
    channels {
      context_queries { type { name: "node" } name { field_value { string_value: "p.gen" } } }
      artifact_query { type { name: "Examples" } }
      output_key: "examples"
    }
"""


class Handle:
    def __init__(self, store):
        self.store = store


@pytest.fixture
def resolve(lineage):
    def resolve(text):
        node_inputs = text_format.Parse(text, pipeline_pb2.NodeInputs())
        found = node_inputs_resolver.resolve(Handle(lineage.store), node_inputs)
        return [{key: [one.id for one in one_key] for key, one_key in one.items()} for one in found]

    return resolve


@pytest.fixture
def examples(lineage):
    made = [lineage.examples(span) for span in (1, 2, 3)]
    lineage.execution({}, {"examples": made}, [lineage.context("node", "p.gen")])
    return [one.id for one in made]


def graph(op, data_type, **arguments):
    kwargs = "".join(
        f'kwargs {{ key: "{name}" value {{ value {{ field_value {{ int_value: {value} }} }} }} }}'
        for name, value in arguments.items()
    )
    return f"""
    input_graphs {{ key: "g" value {{
      nodes {{ key: "in" value {{
        input_node {{ input_key: "all" }} output_data_type: ARTIFACT_LIST }} }}
      nodes {{ key: "op" value {{ output_data_type: {data_type}
        op_node {{ op_type: "{op}" args {{ node_id: "in" }} {kwargs} }} }} }}
      result_node: "op"
    }} }}
    """


def test_a_channel_holds_what_its_node_has_made(resolve, examples):
    assert resolve(f'inputs {{ key: "x" value {{ {CHANNEL} }} }}') == [{"x": examples}]


def test_a_context_that_nobody_knows_has_nothing(resolve, lineage):
    assert resolve(f'inputs {{ key: "x" value {{ {CHANNEL} }} }}') == [{"x": []}]


def test_too_few_artifacts_are_an_error(resolve, examples):
    with pytest.raises(exceptions.InsufficientInputError, match="has min_count = 4 but only got 3"):
        resolve(f'inputs {{ key: "x" value {{ {CHANNEL} min_count: 4 }} }}')


def test_a_graph_chooses_among_hidden_inputs(resolve, examples):
    text = f"""
    inputs {{ key: "all" value {{ {CHANNEL} hidden: true }} }}
    inputs {{ key: "x" value {{ input_graph_ref {{ graph_id: "g" }} }} }}
    """
    assert resolve(text + graph("tfx.LatestSpan", "ARTIFACT_LIST", n=2)) == [{"x": examples[1:]}]


def test_a_loop_gives_inputs_for_several_executions(resolve, examples):
    text = f"""
    inputs {{ key: "all" value {{ {CHANNEL} hidden: true }} }}
    inputs {{ key: "x" value {{ input_graph_ref {{ graph_id: "g" key: "window" }} }} }}
    """
    text += graph("tfx.SlidingWindow", "ARTIFACT_MULTIMAP_LIST", window_size=2)
    assert resolve(text) == [{"x": examples[:2]}, {"x": examples[1:]}]


def test_given_artifacts_and_unions(resolve, examples):
    one, two, _ = examples
    text = f"""
    inputs {{ key: "a" value {{ static_inputs {{ artifact_ids: [{two}, {one}] }} }} }}
    inputs {{ key: "b" value {{ static_inputs {{ artifact_ids: [{two}] }} }} }}
    inputs {{ key: "x" value {{ mixed_inputs {{ method: UNION input_keys: ["b", "a"] }} }} }}
    """
    assert resolve(text) == [{"a": [two, one], "b": [two], "x": [two, one]}]
    with pytest.raises(exceptions.InvalidArgument, match="non-existing artifact IDs"):
        resolve('inputs { key: "a" value { static_inputs { artifact_ids: [999] } } }')


def test_an_unknown_operator_or_graph_is_named(resolve, examples):
    text = f"""
    inputs {{ key: "all" value {{ {CHANNEL} hidden: true }} }}
    inputs {{ key: "x" value {{ input_graph_ref {{ graph_id: "g" }} }} }}
    """
    with pytest.raises(exceptions.FailedPreconditionError, match="graph_id g does not exist"):
        resolve(text)
    with pytest.raises(exceptions.InternalError, match="unknown op_type nowhere.Op"):
        resolve(text + graph("nowhere.Op", "ARTIFACT_LIST"))


def test_a_cycle_is_refused(resolve):
    with pytest.raises(exceptions.FailedPreconditionError, match="has a cycle"):
        resolve("""
        inputs { key: "a" value { mixed_inputs { method: UNION input_keys: ["b"] } } }
        inputs { key: "b" value { mixed_inputs { method: UNION input_keys: ["a"] } } }
        """)


def test_turns_of_the_same_loop_are_joined():
    partition = partition_utils.Partition
    left = [(partition(x=1), "a"), (partition(x=2), "b")]
    right = [(partition(x=1, y=1), "c"), (partition(x=1, y=2), "d")]
    joined = partition_utils.join(left, right, merge_fn=lambda one, other: one + other)
    assert joined == [(partition(x=1, y=1), "ac"), (partition(x=1, y=2), "ad")]
    with pytest.raises(ValueError, match="Cannot merge"):
        partition(x=1) | partition(x=2)
