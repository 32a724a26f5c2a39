"""Components that are declared as in TFX, and refused before the run with what to do instead."""

import pytest

from trainwright import LocalDagRunner, Pipeline, PipelineRunError
from trainwright.components.bulk_inferrer.component import BulkInferrer
from trainwright.components.example_diff.component import ExampleDiff
from trainwright.components.infra_validator.component import InfraValidator
from trainwright.components.unsupported import UnsupportedDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types import standard_artifacts as artifacts
from trainwright.types.channel import Channel

EXAMPLES = Channel(type=artifacts.Examples)
MODEL = Channel(type=artifacts.Model)


def all_declared():
    yield BulkInferrer(EXAMPLES, MODEL, data_spec={"example_splits": ["unlabelled"]})
    yield InfraValidator(MODEL, serving_spec={"tensorflow_serving": {"tags": ["latest"]}})
    yield ExampleDiff(EXAMPLES, EXAMPLES, config={"paired_example_skew": {"skew_sample_size": 9}})


@pytest.mark.parametrize("component", list(all_declared()), ids=lambda one: one.id)
def test_it_is_refused_before_the_run(component):
    with pytest.raises(ValueError, match=f"{component.id}: this version declares an? "):
        UnsupportedDriver().check(component, {})
    with pytest.raises(RuntimeError, match="does not run it"):
        component.executor_spec.executor_class().Do({}, {}, {})


def test_a_run_says_so_and_starts_nothing(tmp_path):
    from trainwright.components.example_gen.csv_example_gen.component import CsvExampleGen

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("x\n1\n")
    example_gen = CsvExampleGen(str(tmp_path / "data"))
    examples = example_gen.outputs["examples"]
    diff = ExampleDiff(examples, examples, config={"paired_example_skew": {"skew_sample_size": 9}})
    pipeline = Pipeline("diff", str(tmp_path / "root"), components=[example_gen, diff])
    with pytest.raises((ValueError, PipelineRunError), match="ExampleDiff: this version "):
        LocalDagRunner().run(pipeline)
    assert not (tmp_path / "root" / "CsvExampleGen").exists()


def test_outputs_are_those_of_tfx():
    inferrer, validator, diff = all_declared()
    assert list(inferrer.outputs) == ["inference_result"]
    as_examples = BulkInferrer(EXAMPLES, MODEL, output_example_spec={})
    assert list(as_examples.outputs) == ["output_examples"]
    assert validator.outputs["blessing"].type_name == "InfraBlessing"
    assert diff.outputs["example_diff_result"].type_name == "ExamplesDiff"


def test_an_executor_of_the_users_own_runs():
    executor_class = ExampleDiff(EXAMPLES, EXAMPLES, config={}).executor_spec.executor_class

    class Own(executor_class):
        def Do(self, input_dict, output_dict, exec_properties):
            return None

    class OwnDiff(ExampleDiff):
        EXECUTOR_SPEC = ExecutorClassSpec(Own)

    UnsupportedDriver().check(OwnDiff(EXAMPLES, EXAMPLES, config={}), {})
