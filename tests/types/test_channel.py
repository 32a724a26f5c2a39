"""Channels: typed, and refused where the type does not fit."""

import pytest

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import EmptyExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types.artifact import Artifact
from trainwright.types.channel import Channel, OutputChannel, as_channel, union
from trainwright.types.component_spec import ChannelParameter, ComponentSpec
from trainwright.types.standard_artifacts import Examples, Model, Schema


class MakeSpec(ComponentSpec):
    PARAMETERS = {}
    INPUTS = {}
    OUTPUTS = {
        "examples": ChannelParameter(type=Examples),
        "schema": ChannelParameter(type=Schema),
    }


class Make(BaseComponent):
    SPEC_CLASS = MakeSpec
    EXECUTOR_SPEC = ExecutorClassSpec(EmptyExecutor)

    def __init__(self):
        super().__init__(spec=MakeSpec())


@pytest.mark.parametrize("wrong", [str, "Examples", None, Examples()])
def test_a_channel_s_type_must_be_an_artifact_class(wrong):
    with pytest.raises(ValueError, match="must be a subclass of tfx.Artifact"):
        Channel(type=wrong)


def test_a_channel_holds_artifacts_of_its_type():
    artifacts = [Examples(), Examples()]
    channel = Channel(type=Examples, artifacts=artifacts)
    assert channel.get() == artifacts
    channel.get().clear()
    assert channel.get() == artifacts


def test_a_channel_refuses_artifacts_of_another_type():
    with pytest.raises(ValueError, match=r"artifact type Examples: got Model\(uri=''\)"):
        Channel(type=Examples, artifacts=[Examples(), Model()])


def test_a_channel_refuses_what_is_no_artifact():
    with pytest.raises(ValueError, match="artifact type Examples: got '/data'"):
        Channel(type=Examples, artifacts=["/data"])


def test_an_output_channel_knows_its_producer_by_its_present_id():
    node = Make()
    channel = node.outputs["examples"]
    assert isinstance(channel, OutputChannel)
    assert channel.type is Examples
    assert channel.output_key == "examples"
    node.with_id("maker")
    assert channel.producer_id == "maker"
    assert repr(channel) == "maker.outputs['examples'] (type Examples)"
    assert list(channel.producers()) == [channel]


def test_a_plain_channel_comes_from_no_node():
    assert list(Channel(type=Model).producers()) == []
    assert repr(Channel(type=Model)) == "Channel(type=Model)"


def test_a_union_has_the_producers_of_all_its_channels_in_order():
    first, second = Make().with_id("first"), Make().with_id("second")
    joined = union([second.outputs["examples"], first.outputs["examples"]])
    assert joined.type is Examples
    assert [output.producer_id for output in joined.producers()] == ["second", "first"]


def test_a_union_of_different_types_is_refused():
    node = Make()
    with pytest.raises(
        TypeError, match=r"have the same type. Expected .*Schema'> \(got .*Examples'>"
    ):
        union([node.outputs["schema"], node.outputs["examples"]])


def test_an_empty_union_is_refused():
    with pytest.raises(ValueError, match="At least one input channel"):
        union([])


def test_an_optional_channel_is_the_same_channel_that_may_be_empty():
    channel = Make().outputs["examples"]
    optional = channel.as_optional()
    assert optional.is_optional
    assert not channel.is_optional
    assert optional.type is Examples
    assert [output.path for output in optional.producers()] == [channel.path]


def test_as_channel_takes_a_channel_or_artifacts():
    channel = Channel(type=Model)
    assert as_channel(channel) is channel
    artifacts = [Model(), Model()]
    made = as_channel(artifacts)
    assert made.type is Model
    assert made.get() == artifacts


@pytest.mark.parametrize("source", [[], ["/data"], [Model(), Examples()]])
def test_as_channel_refuses_what_has_no_common_artifact_type(source):
    with pytest.raises(ValueError):
        as_channel(source)


def test_a_channel_of_the_base_artifact_is_possible():
    assert Channel(type=Artifact).type_name == "Artifact"
