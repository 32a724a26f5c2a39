"""Channels as TFX declares them: outputs, triggers, JSON, queries, and across pipelines."""

from types import SimpleNamespace

import pytest

from trainwright._deprecation import TfxDeprecationWarning
from trainwright.compat.types.node_common import _PropertyDictWrapper
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.types import channel_utils, json_utils
from trainwright.types.channel import Channel, NoTrigger, OutputChannel, TriggerByProperty, union
from trainwright.types.pipeline_channels import (
    ExternalPipelineChannel,
    PipelineInputChannel,
    PipelineOutputChannel,
)
from trainwright.types.placeholders.placeholder_operators import make_list
from trainwright.types.standard_artifacts import Examples, Integer, Model, String

NODE = SimpleNamespace(id="Maker", outputs={})


def output(artifact_type=Examples, key="examples"):
    return OutputChannel(artifact_type=artifact_type, producer_component=NODE, output_key=key)


def test_an_output_has_tfx_s_names_for_its_node():
    channel = output()
    assert channel.producer_component is NODE
    assert channel.producer_component_id == "Maker"
    assert channel.get_data_dependent_node_ids() == {"Maker"}


def test_a_channel_becomes_an_output_that_shares_its_properties():
    channel = Channel(type=Examples, additional_properties={"span": 1})
    made = channel.as_output_channel(NODE, "examples")
    channel.additional_properties["span"] = 2
    assert made.path == "Maker.outputs['examples']"
    assert made.additional_properties == {"span": 2}
    assert made.as_output_channel(NODE, "examples") is made
    with pytest.raises(ValueError, match="output_key mismatch: examples != other"):
        made.as_output_channel(NODE, "other")


def test_a_marked_channel_is_a_copy():
    channel = output()
    optional = channel.as_optional()
    optional.set_as_async_channel()
    assert (channel.is_optional, optional.is_optional) == (None, True)
    assert (channel.is_async, optional.is_async) == (False, True)
    assert channel.no_trigger().input_trigger is NoTrigger()
    assert channel.trigger_by_property("span").input_trigger == TriggerByProperty(("span",))
    assert channel.input_trigger is None


def test_a_channel_comes_back_from_json():
    channel = Channel(
        type=Examples,
        additional_custom_properties={"n": metadata_store_pb2.Value(int_value=4)},
        producer_component_id="Gen",
        output_key="examples",
    )
    again = json_utils.loads(json_utils.dumps(channel))
    assert again.type is Examples
    assert (again.producer_component_id, again.output_key) == ("Gen", "examples")
    assert again.additional_custom_properties == channel.additional_custom_properties


@pytest.mark.parametrize("argument", ["additional_properties", "additional_custom_properties"])
@pytest.mark.parametrize("wrong", [{1: "a"}, {"a": object()}, ["a"]])
def test_properties_of_a_channel_are_checked(argument, wrong):
    with pytest.raises(ValueError, match=f"Invalid {argument}"):
        Channel(type=Examples, **{argument: wrong})


@pytest.mark.parametrize("argument", ["producer_component_id", "output_key"])
def test_names_in_a_channel_are_strings(argument):
    with pytest.raises(ValueError, match=f"Invalid {argument} 5. Must be a str type"):
        Channel(type=Examples, **{argument: 5})


def test_the_type_of_a_channel_can_be_set_and_that_of_a_union_cannot():
    channel = Channel(type=Examples)
    channel.type = Model
    assert channel.type_name == "Model"
    with pytest.raises(TypeError, match="should be a subclass of tfx.Artifact"):
        channel.type = str
    with pytest.raises(TypeError, match="Cannot change artifact type"):
        union([channel]).type = Examples


def test_artifacts_or_a_matching_channel_but_not_both():
    with pytest.warns(TfxDeprecationWarning, match="leave it out"):
        channel = Channel(type=Examples, matching_channel_name="examples")
    assert channel.matching_channel_name == "examples"
    with pytest.raises(ValueError, match="Only one of"):
        channel.set_artifacts([Examples()])


def test_a_union_of_unions_is_flat():
    first, second, third = (Channel(type=Examples) for _ in range(3))
    joined = union([first, union([second, third])])
    assert joined.channels == [first, second, third]
    assert channel_utils.get_individual_channels(joined) == [first, second, third]


def test_a_query_names_a_node_before_an_output():
    query = channel_utils.artifact_query(Model, producer_component_id="Trainer", output_key="model")
    assert (query.type, query.producer_component_id, query.output_key) == (
        Model,
        "Trainer",
        "model",
    )
    with pytest.raises(ValueError, match="producer_component_id must be set"):
        channel_utils.artifact_query(Model, output_key="model")


def test_a_query_of_another_pipeline_needs_its_name():
    names = {"producer_component_id": "Trainer", "output_key": "model"}
    query = channel_utils.external_pipeline_artifact_query(
        Model, owner="me", pipeline_name="other", **names
    )
    assert isinstance(query, ExternalPipelineChannel)
    assert query.get_data_dependent_node_ids() == set()
    assert "pipeline_name=other" in repr(query)
    with pytest.raises(ValueError, match="owner or pipeline_name is missing"):
        channel_utils.external_pipeline_artifact_query(Model, owner="me", pipeline_name="", **names)


def test_channels_into_and_out_of_an_inner_pipeline():
    inner = SimpleNamespace(id="inner", outputs={})
    into = PipelineInputChannel(output(), output_key="examples")
    with pytest.raises(ValueError, match="Pipeline is not available"):
        into.get_data_dependent_node_ids()
    into.pipeline = inner
    assert into.get_data_dependent_node_ids() == {"inner"}
    assert [one.path for one in into.producers()] == ["Maker.outputs['examples']"]

    out = PipelineOutputChannel(output(), inner, output_key="result")
    assert out.get_data_dependent_node_ids() == {"inner"}
    assert out == PipelineOutputChannel(out.wrapped, inner, output_key="result")
    assert out != PipelineOutputChannel(out.wrapped, inner, output_key="other")


def test_the_keys_of_channels_in_a_placeholder():
    number, text = output(Integer, "number"), output(String, "text")
    placeholder = make_list([number.future()[0].value, text.future()[0].value])
    assert set(channel_utils.get_dependent_channels(placeholder)) == {number, text}

    encoded = channel_utils.encode_placeholder_with_channels(
        number.future()[0].value, lambda channel: f"_{channel.producer_id}.{channel.output_key}"
    )
    index = encoded.operator.artifact_value_op.expression.operator.index_op
    assert index.expression.placeholder.key == "_Maker.number"


def test_a_placeholder_that_is_just_the_value_of_a_channel():
    number = output(Integer, "number")
    unwrap = channel_utils.unwrap_simple_channel_placeholder
    assert unwrap(number.future()[0].value) is number
    for other in (number.future()[1].value, number.future()[0].uri, make_list([])):
        with pytest.raises(ValueError, match="Expected placeholder of shape"):
            unwrap(other)


def test_inputs_have_attributes_and_older_keys():
    channel = Channel(type=Examples)
    wrapped = _PropertyDictWrapper({"examples": channel}, {"input_data": "examples"})
    assert wrapped.examples is channel
    assert wrapped["input_data"] is channel
    assert list(wrapped) == ["examples"]
    assert dict(wrapped.items()) == wrapped.get_all()
    with pytest.raises(AttributeError, match="no 'model'. The keys are: examples"):
        _ = wrapped.model
