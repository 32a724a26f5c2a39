"""Arguments of TFX's earlier versions: taken, with one warning that says what to write."""

import warnings

import pytest

from trainwright.compat.utils.dsl_utils import external_input
from trainwright.components import CsvExampleGen, ImportExampleGen
from trainwright.components.evaluator.component import Evaluator
from trainwright.components.example_validator.component import ExampleValidator
from trainwright.components.pusher.component import Pusher
from trainwright.components.schema_gen.component import SchemaGen
from trainwright.components.statistics_gen.component import StatisticsGen
from trainwright.components.trainer.component import Trainer
from trainwright.components.transform.component import Transform
from trainwright.types import standard_artifacts as artifacts
from trainwright.types.channel import Channel


def channel(artifact_class):
    return Channel(type=artifact_class)


@pytest.mark.parametrize(
    ("component", "arguments", "old", "new", "artifact_class"),
    [
        (StatisticsGen, {}, "input_data", "examples", artifacts.Examples),
        (SchemaGen, {}, "stats", "statistics", artifacts.ExampleStatistics),
        (
            ExampleValidator,
            {"schema": channel(artifacts.Schema)},
            "stats",
            "statistics",
            artifacts.ExampleStatistics,
        ),
        (
            Transform,
            {"schema": channel(artifacts.Schema), "module_file": "features.py"},
            "input_data",
            "examples",
            artifacts.Examples,
        ),
        (
            Trainer,
            {"examples": channel(artifacts.Examples), "module_file": "trainer.py"},
            "transform_output",
            "transform_graph",
            artifacts.TransformGraph,
        ),
        (
            Evaluator,
            {"examples": channel(artifacts.Examples)},
            "model_exports",
            "model",
            artifacts.Model,
        ),
        (
            Pusher,
            {"push_destination": {"filesystem": {"base_directory": "serving"}}},
            "model_export",
            "model",
            artifacts.Model,
        ),
    ],
)
def test_an_older_name_stands_for_the_new_one(component, arguments, old, new, artifact_class):
    given = channel(artifact_class)
    with pytest.warns(DeprecationWarning, match=f"write {new}= for {old}=") as warned:
        made = component(**arguments, **{old: given})
    assert made.inputs[new] is given
    assert len(warned) == 1
    assert warned[0].filename == __file__
    with pytest.raises(ValueError, match=f"Pass {new} alone: {old} is an older name of it"):
        component(**arguments, **{old: given, new: given})


def test_an_instance_name_becomes_a_part_of_the_id():
    with pytest.warns(DeprecationWarning, match=r"\.with_id\('SchemaGen.raw'\) for instance_name="):
        schema_gen = SchemaGen(channel(artifacts.ExampleStatistics), instance_name="raw")
    assert schema_gen.id == "SchemaGen.raw"


def test_a_component_can_be_told_not_to_be_cached():
    with pytest.warns(DeprecationWarning, match=r"\.with_cache\(False\)"):
        schema_gen = SchemaGen(channel(artifacts.ExampleStatistics), enable_cache=False)
    assert schema_gen.options.enable_cache is False


def test_all_older_arguments_are_named_in_one_warning():
    with pytest.warns(DeprecationWarning, match="instance_name=") as warned:
        SchemaGen(stats=channel(artifacts.ExampleStatistics), instance_name="raw")
    assert len(warned) == 1
    assert "write statistics= for stats=" in str(warned[0].message)


def test_none_is_what_was_given_by_default():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = SchemaGen(channel(artifacts.ExampleStatistics), instance_name=None, output=None)
    assert made.id == "SchemaGen"


def test_what_a_given_output_channel_says_is_kept():
    output = Channel(type=artifacts.Schema, additional_custom_properties={"origin": "warehouse"})
    with pytest.warns(DeprecationWarning, match="leave output= out"):
        made = SchemaGen(channel(artifacts.ExampleStatistics), output=output)
    assert made.outputs["schema"].additional_custom_properties == {"origin": "warehouse"}


def test_an_output_channel_of_another_type_is_refused():
    with pytest.raises(TypeError, match="Argument output should be a Channel of type"):
        SchemaGen(channel(artifacts.ExampleStatistics), output=channel(artifacts.Model))


def test_other_unknown_arguments_stay_unknown():
    with pytest.raises(TypeError, match="instance_nam"):
        SchemaGen(channel(artifacts.ExampleStatistics), instance_nam="raw")


def test_a_misspelt_argument_is_refused_with_a_guess():
    message = (
        r"StatisticsGen.__init__\(\) got an unexpected keyword argument 'exampels'; "
        "did you mean 'examples'?"
    )
    with pytest.raises(TypeError, match=message):
        StatisticsGen(exampels=channel(artifacts.Examples))


def test_example_gens_take_a_channel_with_the_directory():
    with pytest.warns(DeprecationWarning, match="external_input"):
        data = external_input("data")
    with pytest.warns(DeprecationWarning, match="write input_base= for input="):
        example_gen = CsvExampleGen(input=data, instance_name="trips")
    assert example_gen.exec_properties["input_base"] == "data"
    assert example_gen.id == "CsvExampleGen.trips"
    assert ImportExampleGen(data).exec_properties["input_base"] == "data"
    with pytest.raises(ValueError, match="expected the path of a directory, or a channel that"):
        CsvExampleGen(Channel(type=artifacts.ExternalArtifact))
    with pytest.raises(TypeError, match="unexpected keyword argument 'input_bas'; did you mean"):
        CsvExampleGen(input_bas="data")


def test_nodes_have_their_names_of_before_1_0():
    from tfx.components import ImporterNode, ResolverNode
    from tfx.dsl.experimental.latest_artifacts_resolver import LatestArtifactsResolver

    with pytest.warns(DeprecationWarning, match="use Resolver"):
        resolver = ResolverNode(
            instance_name="latest",
            resolver_class=LatestArtifactsResolver,
            model=channel(artifacts.Model),
        )
    assert resolver.id == "ResolverNode.latest"
    assert resolver.outputs["model"].type is artifacts.Model
    with pytest.warns(DeprecationWarning, match="use Importer"):
        importer = ImporterNode("schema", source_uri="schema", artifact_type=artifacts.Schema)
    assert importer.id == "ImporterNode.schema"
    assert importer.outputs["result"].type is artifacts.Schema


def test_outputs_are_attributes():
    example_gen = CsvExampleGen(input_base="data")
    assert example_gen.outputs.examples is example_gen.outputs["examples"]
    with pytest.raises(AttributeError, match="no attribute 'example'; did you mean 'examples'"):
        example_gen.outputs.example
