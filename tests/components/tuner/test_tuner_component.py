"""The Tuner as users declare it: its outputs, and what is refused before anything runs."""

from __future__ import annotations

import json

import pytest

from trainwright import Importer, LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen, Trainer, Tuner, TunerFnResult
from trainwright.components.tuner.driver import TunerDriver
from trainwright.components.tuner.executor import Executor, get_tune_args
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types import standard_artifacts as artifacts
from trainwright.types.channel import Channel

EXAMPLES = Channel(type=artifacts.Examples)
TUNER_FN = "def tuner_fn(fn_args):\n    pass\n"


def check(tmp_path, source, **properties):
    path = tmp_path / "search.py"
    path.write_text(source)
    tuner = Tuner(EXAMPLES, module_file=str(path), **properties)
    TunerDriver().check(tuner, tuner.exec_properties)


def test_outputs_are_those_of_tfx():
    outputs = Tuner(EXAMPLES, module_file="search.py").outputs
    assert {key: one.type_name for key, one in outputs.items()} == {
        "best_hyperparameters": "HyperParameters",
        "tuner_results": "TunerResults",
    }


@pytest.mark.parametrize("given", [{}, {"module_file": "a.py", "tuner_fn": "a.b"}])
def test_a_tuner_has_one_function(given):
    with pytest.raises(ValueError, match="Exactly one of 'module_file' or 'tuner_fn' must be"):
        Tuner(EXAMPLES, **given)


def test_module_files_annotate_with_tuner_fn_result():
    result = TunerFnResult(tuner="tuner", fit_kwargs={"steps_per_epoch": 1})
    assert result.fit_kwargs == {"steps_per_epoch": 1}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\n", "has no function 'tuner_fn'"),
        ("def tuner_fn(\n", "has a syntax error"),
        (
            "def tuner_fn(hp, fn_args):\n    pass\n",
            r"called with one argument, tuner_fn\(fn_args\)",
        ),
        (f"import no_such_package\n{TUNER_FN}", "no_such_package, which is not installed"),
    ],
)
def test_a_module_that_cannot_search_is_refused(tmp_path, source, message):
    with pytest.raises(ValueError, match=message):
        check(tmp_path, source)


@pytest.mark.parametrize(
    ("statement", "extra"),
    [("import keras_tuner", "tuner"), ("from optuna import create_study", "optuna")],
)
@pytest.mark.parametrize("source", ["{}\n" + TUNER_FN, "def tuner_fn(fn_args):\n    {}\n"])
def test_a_missing_library_is_named_with_its_extra(tmp_path, monkeypatch, source, statement, extra):
    monkeypatch.setattr("trainwright.components.tuner.driver.find_module", lambda *_: None)
    monkeypatch.setattr("trainwright.components.module_imports.find_module", lambda *_: None)
    with pytest.raises(ValueError, match=rf"pip install 'trainwright\[{extra}\]'"):
        check(tmp_path, source.format(statement))


def test_what_may_be_missing_is_not_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("trainwright.components.tuner.driver.find_module", lambda *_: None)
    source = (
        "def tuner_fn(fn_args):\n    try:\n        import optuna\n    except ImportError: pass\n"
    )
    check(tmp_path, source)


def test_a_negative_number_of_trials_is_refused(tmp_path):
    with pytest.raises(ValueError, match="num_parallel_trials of Tuner is -2: expected 0 or more"):
        check(tmp_path, TUNER_FN, tune_args={"num_parallel_trials": -2})


def test_an_executor_of_the_users_own_may_call_other_functions(tmp_path):
    class Own(Executor):
        def Do(self, input_dict, output_dict, exec_properties):
            return None

    class OwnTuner(Tuner):
        EXECUTOR_SPEC = ExecutorClassSpec(Own)

    tuner = OwnTuner(EXAMPLES, module_file="there is none.py")
    TunerDriver().check(tuner, tuner.exec_properties)


def test_tune_args_are_read_from_properties():
    assert get_tune_args({}) is None
    assert get_tune_args({"tune_args": '{"num_parallel_trials": 3}'}).num_parallel_trials == 3


def test_declaring_a_tuner_imports_no_library_that_searches(run_script):
    run_script(
        "import sys\n"
        "from trainwright.components import Tuner\n"
        "from trainwright.types import standard_artifacts\n"
        "from trainwright.types.channel import Channel\n"
        "tuner = Tuner(Channel(type=standard_artifacts.Examples), module_file='search.py')\n"
        "tuner.DRIVER_CLASS\n"
        "assert not {'keras_tuner', 'optuna', 'tensorflow', 'numpy'} & set(sys.modules)\n"
    )


TRAINER = """
import json, os

def run_fn(fn_args):
    os.makedirs(fn_args.serving_model_dir)
    with open(os.path.join(fn_args.serving_model_dir, "values.json"), "w") as file:
        json.dump(fn_args.hyperparameters["values"], file)
"""


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_trainer_takes_imported_hyperparameters_from_a_file_or_its_folder(tmp_path, is_folder):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("x\n1\n2\n3\n")
    (tmp_path / "trainer.py").write_text(TRAINER)
    folder = tmp_path / "found"
    folder.mkdir()
    source = folder / "best_hyperparameters.txt"
    source.write_text(json.dumps({"space": [], "values": {"units": 8}}))
    source_uri = str(folder if is_folder else source)
    example_gen = CsvExampleGen(str(tmp_path / "data"))
    found = Importer(source_uri=source_uri, artifact_type=artifacts.HyperParameters)
    trainer = Trainer(
        examples=example_gen.outputs["examples"],
        module_file=str(tmp_path / "trainer.py"),
        hyperparameters=found.outputs["result"],
    )
    components = [example_gen, found, trainer]
    result = LocalDagRunner().run(Pipeline("p", str(tmp_path / "root"), components=components))
    [model] = result.outputs["Trainer"]["model"]
    with open(f"{model.uri}/Format-Serving/values.json") as file:
        assert json.load(file) == {"units": 8}
