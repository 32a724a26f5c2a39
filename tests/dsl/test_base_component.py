"""BaseComponent: a component class that is declared wrongly says so when it is used."""

import pytest

from trainwright.dsl.base_beam_component import BaseBeamComponent
from trainwright.dsl.base_beam_executor import BaseBeamExecutor
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import BaseExecutor, EmptyExecutor, ExecutorContext
from trainwright.dsl.executor_spec import BeamExecutorSpec, ExecutorClassSpec
from trainwright.types import system_types
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
    PARAMETERS = {}
    INPUTS = {}
    OUTPUTS = {}


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


def test_the_outputs_are_a_dict():
    outputs = Hello(HelloSpec(name="Ada")).outputs
    assert isinstance(outputs, dict)
    assert list(outputs) == ["greeting"]


def test_a_class_without_a_spec_class_is_refused():
    class NoSpec(BaseComponent):
        EXECUTOR_SPEC = ExecutorClassSpec(EmptyExecutor)

    with pytest.raises(TypeError, match="Can't instantiate abstract class NoSpec"):
        NoSpec(spec=HelloSpec(name="Ada"))
    with pytest.raises(TypeError, match="expects SPEC_CLASS property to be a subclass of types"):
        NoSpec._validate_component_class()


def test_a_class_without_an_executor_is_refused():
    class NoExecutor(BaseComponent):
        SPEC_CLASS = HelloSpec

    with pytest.raises(TypeError, match="Can't instantiate abstract class NoExecutor"):
        NoExecutor(spec=HelloSpec(name="Ada"))


def test_an_executor_class_is_no_executor_spec():
    class Unwrapped(BaseComponent):
        SPEC_CLASS = HelloSpec
        EXECUTOR_SPEC = EmptyExecutor

    with pytest.raises(TypeError, match="EXECUTOR_SPEC property to be an instance of ExecutorSpec"):
        Unwrapped(spec=HelloSpec(name="Ada"))
    with pytest.raises(TypeError, match=r"with ExecutorClassSpec\(MyExecutor\)"):
        Unwrapped(spec=HelloSpec(name="Ada"))


def test_a_spec_of_another_class_is_refused():
    with pytest.raises(ValueError, match='Hello.* expects the "spec" argument to be .*HelloSpec'):
        Hello(OtherSpec())
    with pytest.raises(ValueError, match='"spec" argument to be an instance of types.ComponentSp'):
        Hello("spec")


def test_a_custom_executor_counts_for_one_node():
    class Louder(EmptyExecutor):
        pass

    custom = ExecutorClassSpec(Louder)
    assert Hello(HelloSpec(name="Ada"), custom).executor_spec == custom
    assert Hello(HelloSpec(name="Ada")).executor_spec == Hello.EXECUTOR_SPEC != custom
    with pytest.raises(TypeError, match="should be an instance of ExecutorSpec"):
        Hello(HelloSpec(name="Ada"), Louder)


def test_what_is_added_to_a_nodes_executor_spec_counts_for_that_node_alone():
    first, second = Hello(HelloSpec(name="Ada")), Hello(HelloSpec(name="Bob"))
    first.executor_spec.add_extra_flags(["--fast"])
    assert first.executor_spec.extra_flags == ["--fast"]
    assert second.executor_spec.extra_flags == Hello.EXECUTOR_SPEC.extra_flags == []
    assert first.executor_spec != second.executor_spec
    assert first.executor_spec.is_same_executor(second.executor_spec)


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
    assert executor._get_tmp_dir() == str(tmp_path / "temporary" / "7" / "x")[:-1]
    assert (tmp_path / "temporary" / "7").is_dir()


def test_an_executor_called_by_hand_has_no_temporary_directory():
    with pytest.raises(RuntimeError, match="No context for the executor"):
        EmptyExecutor()._get_tmp_dir()


def test_an_output_that_is_not_there_is_answered_with_those_that_are():
    from trainwright.components import CsvExampleGen

    with pytest.raises(KeyError, match="CsvExampleGen has no output 'exmples'; did you mean 'exa"):
        CsvExampleGen(input_base="data").outputs["exmples"]


def test_only_nodes_can_be_waited_for():
    from trainwright.components import CsvExampleGen

    with pytest.raises(TypeError, match="can wait for a node, not for 'Trainer'"):
        CsvExampleGen(input_base="data").add_upstream_node("Trainer")


def test_a_node_is_named_by_its_id_or_its_class():
    hello = Hello(HelloSpec(name="Ada"))
    hello.id = "first"
    assert hello.id == hello.component_id == "first"
    assert hello.with_id("second").id == "second"
    with pytest.raises(ValueError, match="begins with a dot"):
        hello.id = "../third"
    assert hello.type == Hello.get_class_type() == f"{__name__}.Hello"


def test_the_old_instance_name_becomes_part_of_the_id():
    with pytest.warns(DeprecationWarning, match=r"name a node with \.with_id"):
        hello = type("Old", (BaseComponent,), dict(vars(Hello), __init__=BaseComponent.__init__))(
            HelloSpec(name="Ada"), instance_name="mine"
        )
    assert hello.id == "Old.mine"


def test_nodes_know_those_before_and_after_them():
    first, second, third = (Hello(HelloSpec(name=name)).with_id(name) for name in "abc")
    first.add_downstream_nodes([second, third])
    third.add_upstream_node(second)
    assert first.downstream_nodes == {second, third}
    assert third.upstream_nodes == {first, second}
    third.remove_upstream_node(first)
    assert first.downstream_nodes == {second}
    assert list(third.upstream_nodes) == [second]


def test_a_node_remembers_what_it_was_made_with():
    spec = HelloSpec(name="Ada")
    hello = Hello(spec)
    assert hello._CONSTRUCT_CLS is Hello
    assert ((spec,), {}) == (hello._CONSTRUCT_ARGS, hello._CONSTRUCT_KWARGS)


def test_type_annotation_is_that_of_the_spec():
    annotated = type("AnnotatedSpec", (HelloSpec,), {"TYPE_ANNOTATION": system_types.Train})
    wrong = type("WrongSpec", (HelloSpec,), {"TYPE_ANNOTATION": HelloSpec})

    def declare(spec_class):
        return type("Declared", (Hello,), {"SPEC_CLASS": spec_class})(spec_class(name="Ada"))

    assert declare(annotated).type_annotation is system_types.Train
    assert declare(HelloSpec).type_annotation is None
    with pytest.raises(TypeError, match="is not a subclass of SystemExecution"):
        _ = declare(wrong).type_annotation


def test_a_driver_class_must_be_a_driver():
    class Wrong(Hello):
        DRIVER_CLASS = object()

    with pytest.raises(TypeError, match="expects DRIVER_CLASS property to be a subclass of base"):
        Wrong._validate_component_class()


def test_flags_of_a_beam_component_are_in_its_executor_spec():
    class Counter(BaseBeamExecutor):
        def Do(self, input_dict, output_dict, exec_properties):
            pass

    class Count(BaseBeamComponent):
        SPEC_CLASS = HelloSpec
        EXECUTOR_SPEC = BeamExecutorSpec(Counter)

    count = Count(HelloSpec(name="Ada")).with_beam_pipeline_args(["--direct_num_workers=2"])
    assert count.executor_spec.beam_pipeline_args == ["--direct_num_workers=2"]
    assert count.beam_pipeline_args == ["--direct_num_workers=2"]
    assert Count.EXECUTOR_SPEC.beam_pipeline_args == []
    with pytest.raises(TypeError, match="to be an instance of BeamExecutorSpec"):
        type("Wrong", (Count,), {"EXECUTOR_SPEC": Hello.EXECUTOR_SPEC})(HelloSpec(name="Ada"))


@pytest.mark.not_quick
def test_an_executor_on_beam_makes_pipelines_with_its_flags():
    options = pytest.importorskip("apache_beam.options.pipeline_options")

    class Counter(BaseBeamExecutor):
        def Do(self, input_dict, output_dict, exec_properties):
            pass

    made = Counter(Counter.Context(beam_pipeline_args=["--direct_num_workers=2"]))
    flags = made._make_beam_pipeline().options.view_as(options.DirectOptions)
    assert flags.direct_num_workers == 2
    given = Counter(Counter.Context(make_beam_pipeline_fn=lambda: "a pipeline"))
    assert given._make_beam_pipeline() == "a pipeline"
    with pytest.raises(ValueError, match="Please use BeamExecutorSpec"):
        Counter(ExecutorContext())
