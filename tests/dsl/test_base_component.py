"""BaseComponent: a component class that is declared wrongly says so when it is used."""

import pytest

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import BaseExecutor, EmptyExecutor, ExecutorContext
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types.channel import Channel
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.standard_artifacts import Examples, String


class HelloSpec(ComponentSpec):
    PARAMETERS = {"name": ExecutionParameter(type=str)}
    INPUTS = {"examples": ChannelParameter(type=Examples, optional=True)}
    OUTPUTS = {
        "greeting": ChannelParameter(type=String),
        "notes": ChannelParameter(type=String, optional=True),
    }


class OtherSpec(ComponentSpec):
    pass


class Hello(BaseComponent):
    SPEC_CLASS = HelloSpec
    EXECUTOR_SPEC = ExecutorClassSpec(EmptyExecutor)

    def __init__(self, spec, custom_executor_spec=None):
        super().__init__(spec=spec, custom_executor_spec=custom_executor_spec)


def test_a_component_has_what_its_spec_was_given():
    examples = Channel(type=Examples)
    hello = Hello(HelloSpec(name="Ada", examples=examples))
    assert hello.exec_properties == {"name": "Ada"}
    assert dict(hello.inputs) == {"examples": examples}
    assert hello.outputs["greeting"].type is String
    assert hello.outputs["greeting"].producer is hello


def test_an_optional_output_is_there_only_if_it_was_asked_for():
    assert "notes" not in Hello(HelloSpec(name="Ada")).outputs
    asked = Hello(HelloSpec(name="Ada", notes=Channel(type=String)))
    assert asked.outputs["notes"].producer is asked


def test_properties_of_a_given_output_channel_are_kept():
    given = Channel(
        type=String,
        additional_properties={},
        additional_custom_properties={"language": "en"},
    )
    hello = Hello(HelloSpec(name="Ada", greeting=given))
    assert hello.outputs["greeting"].additional_custom_properties == {"language": "en"}


def test_the_outputs_are_a_plain_dict():
    outputs = Hello(HelloSpec(name="Ada")).outputs
    assert isinstance(outputs, dict)
    with pytest.raises(AttributeError):
        _ = outputs.greeting


def test_a_class_without_a_spec_class_is_refused():
    class NoSpec(BaseComponent):
        EXECUTOR_SPEC = ExecutorClassSpec(EmptyExecutor)

    with pytest.raises(TypeError, match="NoSpec must set SPEC_CLASS"):
        NoSpec(spec=HelloSpec(name="Ada"))


def test_a_class_without_an_executor_is_refused():
    class NoExecutor(BaseComponent):
        SPEC_CLASS = HelloSpec

    with pytest.raises(TypeError, match=r"NoExecutor needs EXECUTOR_SPEC.*got None"):
        NoExecutor(spec=HelloSpec(name="Ada"))


def test_an_executor_class_is_no_executor_spec():
    class Unwrapped(BaseComponent):
        SPEC_CLASS = HelloSpec
        EXECUTOR_SPEC = EmptyExecutor

    with pytest.raises(TypeError, match=r"for example ExecutorClassSpec\(MyExecutor\)"):
        Unwrapped(spec=HelloSpec(name="Ada"))


def test_a_spec_of_another_class_is_refused():
    with pytest.raises(TypeError, match="Hello expects a spec of type HelloSpec, got OtherSpec"):
        Hello(OtherSpec())


def test_a_custom_executor_counts_for_one_node():
    custom = ExecutorClassSpec(EmptyExecutor)
    assert Hello(HelloSpec(name="Ada"), custom).executor_spec is custom
    assert Hello(HelloSpec(name="Ada")).executor_spec is Hello.EXECUTOR_SPEC


@pytest.mark.parametrize("wrong", [object, 5, "trainwright.components", EmptyExecutor()])
def test_an_executor_needs_a_do_method(wrong):
    with pytest.raises(TypeError):
        ExecutorClassSpec(wrong)


def test_an_executor_without_do_cannot_be_made():
    class Lazy(BaseExecutor):
        pass

    with pytest.raises(TypeError, match="Do"):
        Lazy()


def test_the_context_of_an_executor_gives_a_directory_for_its_files(tmp_path):
    context = ExecutorContext(tmp_dir=str(tmp_path / "temporary"), unique_id="7")
    executor = EmptyExecutor(context)
    assert executor._get_tmp_dir() == str(tmp_path / "temporary")
    assert (tmp_path / "temporary").is_dir()


def test_an_executor_called_by_hand_has_no_temporary_directory():
    with pytest.raises(RuntimeError, match="no temporary directory"):
        EmptyExecutor()._get_tmp_dir()


def test_an_output_that_is_not_there_is_answered_with_those_that_are():
    from trainwright.components import CsvExampleGen

    with pytest.raises(KeyError, match="CsvExampleGen has no output 'exmples'; did you mean 'exa"):
        CsvExampleGen(input_base="data").outputs["exmples"]


def test_only_nodes_can_be_waited_for():
    from trainwright.components import CsvExampleGen

    with pytest.raises(TypeError, match="can wait for a node, not for 'Trainer'"):
        CsvExampleGen(input_base="data").add_upstream_node("Trainer")
