"""Components that are declared as in TFX, and refused before the run with what to do instead."""

import pytest

from trainwright import LocalDagRunner, Pipeline, PipelineRunError
from trainwright.components.bulk_inferrer.component import BulkInferrer
from trainwright.components.example_diff.component import ExampleDiff
from trainwright.components.tuner.component import Tuner, TunerFnResult
from trainwright.components.tuner.executor import (
    Executor,
    get_tune_args,
    search,
    write_best_hyperparameters,
)
from trainwright.components.unsupported import UnsupportedDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types import standard_artifacts as artifacts
from trainwright.types.channel import Channel

EXAMPLES = Channel(type=artifacts.Examples)
MODEL = Channel(type=artifacts.Model)


def all_declared():
    yield Tuner(EXAMPLES, module_file="tuner.py", train_args={"num_steps": 3})
    yield BulkInferrer(EXAMPLES, MODEL, data_spec={"example_splits": ["unlabelled"]})
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
    tuner = Tuner(example_gen.outputs["examples"], module_file="tuner.py")
    pipeline = Pipeline("tuned", str(tmp_path / "root"), components=[example_gen, tuner])
    with pytest.raises((ValueError, PipelineRunError), match="Tuner: this version .* keras_tuner"):
        LocalDagRunner().run(pipeline)
    assert not (tmp_path / "root" / "CsvExampleGen").exists()


def test_outputs_are_those_of_tfx():
    tuner, inferrer, diff = all_declared()
    assert {key: one.type_name for key, one in tuner.outputs.items()} == {
        "best_hyperparameters": "HyperParameters",
        "tuner_results": "TunerResults",
    }
    assert list(inferrer.outputs) == ["inference_result"]
    as_examples = BulkInferrer(EXAMPLES, MODEL, output_example_spec={})
    assert list(as_examples.outputs) == ["output_examples"]
    assert diff.outputs["example_diff_result"].type_name == "ExamplesDiff"


@pytest.mark.parametrize("given", [{}, {"module_file": "a.py", "tuner_fn": "a.b"}])
def test_a_tuner_has_one_function(given):
    with pytest.raises(ValueError, match="Exactly one of 'module_file' or 'tuner_fn' must be"):
        Tuner(EXAMPLES, **given)


def test_an_executor_of_the_users_own_runs():
    class Own(Executor):
        def Do(self, input_dict, output_dict, exec_properties):
            return None

    class OwnTuner(Tuner):
        EXECUTOR_SPEC = ExecutorClassSpec(Own)

    UnsupportedDriver().check(OwnTuner(EXAMPLES, module_file="tuner.py"), {})


def test_module_files_annotate_with_tuner_fn_result():
    result = TunerFnResult(tuner="tuner", fit_kwargs={"steps_per_epoch": 1})
    assert result.fit_kwargs == {"steps_per_epoch": 1}


def test_what_a_tuner_found_is_written_as_a_trainer_reads_it(tmp_path):
    from trainwright.components.trainer.fn_args import read_hyperparameters

    outputs = {}
    for key, kind in (
        ("best_hyperparameters", artifacts.HyperParameters),
        ("tuner_results", artifacts.TunerResults),
    ):
        outputs[key] = [kind()]
        outputs[key][0].uri = str(tmp_path / key)
    write_best_hyperparameters(_FoundTuner(), outputs)
    assert read_hyperparameters(str(tmp_path / "best_hyperparameters")) == {"units": 8}
    assert (tmp_path / "tuner_results" / "tuner_results.json").read_text() == (
        '[{"trial_id": "0", "score": 0.5, "units": 8}]'
    )
    assert get_tune_args({}) is None
    assert get_tune_args({"tune_args": '{"num_parallel_trials": 3}'}).num_parallel_trials == 3
    with pytest.raises(RuntimeError, match="run_fn"):
        search({}, {}, "")


class _FoundTuner:
    """What keras_tuner's tuners are after a search, as far as it is read."""

    trial_id, score, status, max_trials = "0", 0.5, "COMPLETED", 1
    values = {"units": 8}

    @property
    def hyperparameters(self):
        return self

    @property
    def oracle(self):
        return self

    def get_config(self):
        return self.values

    def get_best_hyperparameters(self):
        return [self]

    def get_best_trials(self, count):
        return [self] * count
