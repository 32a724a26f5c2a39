"""Cond, as a pipeline says it."""

from __future__ import annotations

import pytest

from trainwright import Channel, Cond, InputArtifact, OutputDict, Parameter, Pipeline, component
from trainwright.dsl.importer import Importer
from trainwright.types.component_spec import ExecutionParameter
from trainwright.types.standard_artifacts import Integer, Model, Schema


@component
def measure() -> OutputDict(score=float, good=bool, name=str, raw=bytes, table=dict):
    return {"score": 0.5, "good": True, "name": "a", "raw": b"", "table": {}}


@component
def act(steps: Parameter[int] = 1):
    pass


@component
def read(score: float):
    pass


@component
def load(model: InputArtifact[Model]):
    pass


def score_of(node):
    return node.outputs["score"].future()[0].value


def test_the_nodes_of_a_block_have_its_condition():
    node = measure()
    before = act()
    with Cond(score_of(node) > 0.9) as nothing:
        inside, imported = act(), Importer("schema.pbtxt", Schema)
    after = act()
    assert nothing is None
    assert [str(one) for one in inside.conditions] == ["measure.outputs['score'][0].value > 0.9"]
    assert imported.conditions == inside.conditions
    assert before.conditions == after.conditions == ()
    assert before.upstream_nodes == after.upstream_nodes == set()
    assert inside.upstream_nodes == {node}


def test_nested_blocks_add_up_and_a_block_can_be_used_again():
    node = measure()
    outer, inner = Cond(score_of(node) > 0.1), Cond(score_of(node) < 0.9)
    with outer:
        first = act()
        with inner:
            second = act()
    with inner:
        third = act()
    texts = [[str(one)[-5:] for one in node.conditions] for node in (first, second, third)]
    assert texts == [["> 0.1"], ["> 0.1", "< 0.9"], ["< 0.9"]]


def test_a_condition_within_itself_is_refused():
    condition = score_of(measure()) > 0.1
    block = Cond(condition)
    with block, pytest.raises(RuntimeError, match=r"Cond\(measure.* is already in use"), block:
        pass
    with (
        pytest.raises(ValueError, match="Nested conditionals with duplicate predicates"),
        Cond(condition),
        Cond(condition),
    ):
        act()
    assert act().conditions == ()


def test_a_block_that_raises_is_over():
    with pytest.raises(KeyError), Cond(score_of(measure()) > 0.9):
        raise KeyError
    assert act().conditions == ()


def test_a_boolean_is_a_condition_of_its_own():
    with Cond(measure().outputs["good"].future()[0].value):
        node = act()
    assert str(node.conditions[0]) == "measure.outputs['good'][0].value == True"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda node: True, "got True. A value that is known now needs a plain `if`"),
        (lambda node: score_of(node), r"compare measure.*, for example .*\.value == 1"),
        (lambda node: node.outputs["score"], "Cond takes a comparison of placeholders"),
    ],
)
def test_what_is_no_condition(given, message):
    with pytest.raises(TypeError, match=message):
        Cond(given(measure()))


def test_the_hidden_input_has_tfx_s_key_unless_it_is_an_input():
    node = measure().with_id("Evaluator")
    with Cond(score_of(node) > 0.9):
        inside, reader = act(), read(score=node.outputs["score"])
    assert list(inside.hidden_inputs) == ["_Evaluator.score"]
    assert reader.hidden_inputs == {}
    assert reader.upstream_nodes == {node}
    asked = act(steps=node.outputs["table"].future()[0].value["steps"])
    assert list(asked.hidden_inputs) == ["_Evaluator.table"]
    assert asked.upstream_nodes == {node}


def test_the_node_that_is_asked_is_in_the_pipeline_without_being_listed():
    node = measure()
    with Cond(score_of(node) > 0.9):
        inside = act()
    assert Pipeline("p", "root", components=[inside]).components == [node, inside]
    assert Pipeline("p", "root", components=[inside, node]).components == [node, inside]


def test_a_placeholder_must_be_able_to_fit_its_parameter():
    outputs = measure().outputs
    for key, message in [
        ("name", "type <class 'int'> for parameter 'steps' but got .*, which is of type str"),
        ("raw", "cannot be bytes"),
    ]:
        with pytest.raises(TypeError, match=message):
            act(steps=outputs[key].future()[0].value)
    with pytest.raises(TypeError, match=r"is an artifact. Say what of it: .value, .uri"):
        act(steps=outputs["table"].future()[0])
    with pytest.raises(TypeError, match="takes a value, not a channel.*, or pass channel.future"):
        act(steps=outputs["score"])


def test_a_placeholder_is_all_of_a_parameter():
    value = measure().outputs["score"].future()[0].value
    with pytest.raises(TypeError, match="'config' has the placeholder measure.*parameter of its"):
        ExecutionParameter(type=dict).convert("config", {"deep": [{"score": value}]})


def test_an_input_takes_a_channel_and_no_placeholder():
    with pytest.raises(TypeError, match=r"Leave out .future\(\)"):
        load(model=Channel(type=Model).future()[0])
    with pytest.raises(TypeError, match=r"Leave out .future\(\)"):
        read(score=Channel(type=Integer).future()[0].value)
