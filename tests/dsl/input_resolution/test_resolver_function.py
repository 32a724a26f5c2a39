"""Resolver functions make graphs of operators, checked while the pipeline is declared."""

import pytest

import trainwright.dsl.input_resolution.resolver_op
from trainwright.dsl.input_resolution.loops import Loopable
from trainwright.dsl.input_resolution.resolved_channel import ResolvedChannel
from trainwright.dsl.input_resolution.resolver_function import resolver_function
from trainwright.dsl.input_resolution.resolver_op import (
    ARTIFACT_LIST,
    ARTIFACT_MULTIMAP_LIST,
    Context,
    Property,
    ResolverOp,
)
from trainwright.types.channel import Channel
from trainwright.types.standard_artifacts import Examples, Model


class Head(ResolverOp, arg_data_types=(ARTIFACT_LIST,), return_data_type=ARTIFACT_LIST):
    n = Property(type=int, default=1)

    def apply(self, artifacts):
        return artifacts[: self.n]


class Windows(ResolverOp, return_data_type=ARTIFACT_MULTIMAP_LIST):
    size = Property(type=int)

    def apply(self, by_key):
        return [by_key]


@pytest.fixture
def examples():
    return Channel(type=Examples)


def test_a_call_is_a_node_and_create_makes_the_operator():
    operator = Head.create(n=2)
    operator.set_context(Context(store="the store"))
    assert operator.apply([1, 2, 3]) == [1, 2]
    assert operator.context.store == "the store"
    assert Head.create().n == 1


def test_properties_are_checked(examples):
    with pytest.raises(ValueError, match="Required property size is missing"):
        Windows.create()
    with pytest.raises(KeyError, match="Unknown property sise"):
        Windows.create(size=1, sise=2)
    with pytest.raises(TypeError, match="size should be <class 'int'> but got '1'"):
        Windows.create(size="1")
    with pytest.raises(TypeError, match="Default value 'x' is not"):
        Property(type=int, default="x")


def test_a_function_gives_a_channel_of_its_arguments_type(examples):
    @resolver_function
    def first(artifacts, n=1):
        return Head(artifacts, n=n)

    chosen = first(examples, n=3)
    assert isinstance(chosen, ResolvedChannel)
    assert chosen.type is Examples
    assert repr(chosen) == "ResolvedChannel(artifact_type=Examples, Head(Input(), n=3))"
    assert chosen.invocation.function is first
    assert first.__name__ == "first"


def test_a_function_may_give_a_channel_for_each_key(examples):
    @resolver_function(output_type={"a": Examples, "b": Model})
    def split(artifacts):
        return {"a": Head(artifacts), "b": Head(artifacts, n=2)}

    chosen = split(examples)
    assert {key: channel.type for key, channel in chosen.items()} == {"a": Examples, "b": Model}
    assert chosen["b"].output_key == "b"


def test_a_list_of_dicts_is_for_loops(examples):
    @resolver_function(unwrap_dict_key="x")
    def windows(by_key):
        return Windows(by_key, size=1)

    loop = windows({"x": examples})
    assert isinstance(loop, Loopable)
    with pytest.raises(RuntimeError, match="Please use ForEach"):
        loop["x"]
    assert loop.get_loop_var("the loop").for_each_context == "the loop"


def test_operators_take_nodes_of_their_types_only(examples):
    @resolver_function(output_type=Examples)
    def wrong(artifacts):
        return Head(Windows({"x": artifacts}, size=1))

    with pytest.raises(TypeError, match="Head takes ARTIFACT_LIST type but got ARTIFACT_MULTIMAP_"):
        wrong(examples)
    with pytest.raises(ValueError, match="Cannot directly call ResolverOp with real values"):
        Head([1, 2])


def test_what_a_function_gives_must_be_known(examples):
    @resolver_function
    def both(left, right):
        return Head(left)

    with pytest.raises(RuntimeError, match="Unable to infer output type"):
        both(examples, examples)
    with both.given_output_type(Examples):
        assert both(examples, examples).type is Examples
    with (
        pytest.raises(ValueError, match="Invalid output_type"),
        both.given_output_type("Examples"),
    ):
        pass


def test_a_function_that_returns_something_else_is_refused(examples):
    with pytest.raises(RuntimeError, match="Invalid resolver function trace result 3"):
        resolver_function(lambda artifacts: 3)(examples)


def test_the_kinds_of_data_are_those_of_compiled_pipelines():
    from tfx.dsl.input_resolution import resolver_op

    kinds = {name: number for name, number in resolver_op.DataType.items() if number}
    assert kinds == {
        name: getattr(trainwright.dsl.input_resolution.resolver_op, name) for name in kinds
    }


@pytest.mark.parametrize(("given", "shown"), [((), "nothing"), (("models/1",), "'models/1'")])
def test_a_call_without_a_channel_is_told_how_to_call(given, shown):
    @resolver_function
    def newest(models):
        return models

    message = rf"Unable to infer output type.*given {shown}: call it for example as newest\(Channel"
    with pytest.raises(RuntimeError, match=message):
        newest(*given)
