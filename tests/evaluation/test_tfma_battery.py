"""The Evaluator and TFMA find the same, of the same models and the same example files."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import battery_data
import battery_models
import numpy as np
import pytest
from battery_cases import CASES, Case
from google.protobuf import json_format
from tfma_reference import run_with_tfma

from trainwright.components.evaluator.executor import Executor
from trainwright.dsl.base_executor import ExecutorContext
from trainwright.evaluation.config_reading import eval_config_to_json, read_eval_config
from trainwright.evaluation.tfma_reading import load_metrics, load_plots, load_validation_result
from trainwright.types import standard_artifacts

pytestmark = pytest.mark.reference

# Runs every case as TFX's Evaluator would; says for each why it failed, or None.
EVALUATE_WITH_TFMA = """
import json, sys, traceback
import apache_beam as beam
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from google.protobuf import json_format
from tfx_bsl.public import tfxio
from tensorflow_model_analysis.proto import config_pb2
from tensorflow_model_analysis.utils import config_util
import tensorflow_model_analysis as tfma

def evaluate(case):
    config = json_format.Parse(case["config"], config_pb2.EvalConfig())
    has_baseline = bool(case["baseline"])
    config = config_util.update_eval_config_with_defaults(config, has_baseline=has_baseline)
    config_util.verify_eval_config(config)
    paths = {spec.name: case["baseline" if spec.is_baseline else "model"]
             for spec in config.model_specs}
    models = [
        tfma.default_eval_shared_model(path, model_name=name, eval_config=config)
        for name, path in paths.items() if path
    ]
    source = tfxio.TFExampleRecord(
        case["examples"], raw_record_column_name=tfma.ARROW_INPUT_COLUMN
    )
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        _ = pipeline | source.BeamSource() | tfma.ExtractEvaluateAndWriteResults(
            eval_shared_model=models[0] if len(models) == 1 else models or None,
            eval_config=config,
            output_path=case["output"],
        )

failures = {}
for name, case in json.load(open(sys.argv[1])).items():
    try:
        evaluate(case)
    except Exception:
        failures[name] = traceback.format_exc()[-3000:]
print(json.dumps(failures))
"""

# Keras and some of TFMA's sums are in float32.
TOLERANCE = 2e-6
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def battery(tmp_path_factory):
    return Battery(tmp_path_factory.mktemp("battery"))


class Battery:
    """Models and examples on disk, and what TFMA found, all cases at once."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._failures: dict[bool, dict[str, str]] = {}
        battery_data.write_examples(directory / "examples" / "Split-eval")

    def model(self, kind: str | None) -> Path | None:
        """The directory of a Model artifact."""
        if kind is None:
            return None
        directory = self.directory / "models" / kind
        if not directory.exists():
            getattr(battery_models, f"save_{kind}")(directory / "Format-Serving")
        return directory

    def theirs(self, name: str) -> Path:
        """Where TFMA's results of a case are."""
        legacy_keras = CASES[name].legacy_keras
        if legacy_keras not in self._failures:
            self._failures[legacy_keras] = self._run_tfma(legacy_keras)
        failure = self._failures[legacy_keras].get(name)
        assert failure is None, f"TFMA failed: {failure}"
        return self.directory / "tfma" / name

    def _run_tfma(self, legacy_keras: bool) -> dict[str, str]:
        cases = {
            name: {
                "config": eval_config_to_json(read_eval_config(case.config)),
                "model": self._served(case.model),
                "baseline": self._served(case.baseline),
                "examples": str(self.directory / "examples" / "Split-eval" / "*.gz"),
                "output": str(self.directory / "tfma" / name),
            }
            for name, case in CASES.items()
            if case.legacy_keras == legacy_keras
        }
        path = self.directory / f"cases-{int(legacy_keras)}.json"
        path.write_text(json.dumps(cases))
        failures = run_with_tfma(
            EVALUATE_WITH_TFMA, path, timeout=1200, TF_USE_LEGACY_KERAS=str(int(legacy_keras))
        )
        return dict(failures)

    def _served(self, kind: str | None) -> str | None:
        directory = self.model(kind)
        return None if directory is None else str(directory / "Format-Serving")

    def ours(self, name: str) -> Path:
        """Where the Evaluator's results of a case are."""
        case = CASES[name]
        inputs = {"examples": [_artifact("Examples", self.directory / "examples")]}
        inputs["examples"][0].split_names = '["eval"]'
        for key, kind in (("model", case.model), ("baseline_model", case.baseline)):
            if kind is not None:
                inputs[key] = [_artifact("Model", self.model(kind))]
        directory = self.directory / "ours" / name
        outputs = {
            "evaluation": [_artifact("ModelEvaluation", directory / "evaluation")],
            "blessing": [_artifact("ModelBlessing", directory / "blessing")],
        }
        context = ExecutorContext(tmp_dir=str(directory / "tmp"))
        Executor(context).Do(inputs, outputs, {"eval_config": json.dumps(case.config)})
        return directory / "evaluation"


def _artifact(kind: str, uri: Path | None) -> Any:
    artifact = getattr(standard_artifacts, kind)()
    artifact.uri = str(uri)
    artifact.id = next(_numbers)
    return artifact


@pytest.mark.parametrize("name", CASES)
def test_every_metric_of_every_slice_is_that_of_tfma(battery, name) -> None:
    theirs, ours = battery.theirs(name), battery.ours(name)
    _assert_same(_metrics_in(ours), _metrics_in(theirs))
    _assert_same(_plots_in(ours), _plots_in(theirs))
    assert _verdict_in(ours) == _verdict_in(theirs)


def _assert_same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert sorted(ours) == sorted(theirs)
    different = {}
    for key, expected in theirs.items():
        if not _are_close(ours[key], expected):
            different[key] = (ours[key], expected)
    assert not different


def _are_close(value: Any, expected: Any) -> bool:
    if not isinstance(expected, list) or not isinstance(value, list):
        return bool(value == expected)
    first, second = np.array(value, np.float64), np.array(expected, np.float64)
    return first.shape == second.shape and bool(
        np.allclose(first, second, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
    )


def _metrics_in(directory: Path) -> dict[str, Any]:
    """Values by slice and key."""
    return {
        json.dumps([_slice_of(record), *_key_of(one.key)]): _numbers_of(one.value)
        for record in load_metrics(directory)
        for one in record.metric_keys_and_values
    }


def _plots_in(directory: Path) -> dict[str, Any]:
    return {
        json.dumps([_slice_of(record), field.name, *_key_of(one.key)]): _numbers_of(part)
        for record in load_plots(directory)
        for one in record.plot_keys_and_values
        for field, part in one.value.ListFields()
    }


def _slice_of(record: Any) -> list[Any]:
    return [json_format.MessageToDict(one) for one in record.slice_key.single_slice_keys]


def _key_of(key: Any) -> list[Any]:
    """All that names a metric, but for the kind of average, which TFMA leaves out of many."""
    return [
        *(key.name, key.model_name, key.output_name, json_format.MessageToDict(key.sub_key)),
        *(key.example_weighted.value, getattr(key, "is_diff", False)),
    ]


def _numbers_of(message: Any) -> Any:
    """Every number of a message in order, of a long one every 37th."""
    numbers: list[float] = []
    _collect(json_format.MessageToDict(message, always_print_fields_with_no_presence=True), numbers)
    return numbers if len(numbers) < 400 else [len(numbers), *numbers[::37]]


def _collect(value: Any, numbers: list[float]) -> None:
    if isinstance(value, dict):
        for name in sorted(value):
            _collect(value[name], numbers)
    elif isinstance(value, list):
        for item in value:
            _collect(item, numbers)
    else:
        numbers.append(_number(value))


def _number(value: Any) -> float:
    """A number as JSON has it, which writes some as text; bytes are how arrays are stored."""
    try:
        return float(value)
    except ValueError:
        return float(hash(value) % 1_000_003)


def _verdict_in(directory: Path) -> Any:
    """Whether all is well, and which thresholds of which slices are not met."""
    result = load_validation_result(directory)
    failures = {
        json.dumps([_slice_of(one), *_key_of(failure.metric_key)])
        for one in result.metric_validations_per_slice
        for failure in one.failures
    }
    return (result.validation_ok, failures)
