"""The Evaluator and TFMA find the same, of the same models and the same example files."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import battery_data
import battery_models
import pytest
from battery_cases import CASES
from tfma_comparison import assert_same_evaluation
from tfma_reference import run_with_tfma

from trainwright.components.evaluator.executor import Executor
from trainwright.dsl.base_executor import ExecutorContext
from trainwright.evaluation.config.config_reading import eval_config_to_json, read_eval_config
from trainwright.types import standard_artifacts

pytestmark = pytest.mark.reference

# Runs every case as TFX's Evaluator would; says for each why it failed, or None.
EVALUATE_WITH_TFMA = """
import json, sys, traceback
import apache_beam as beam
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from google.protobuf import json_format, text_format
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.public import tfxio
from tfx_bsl.tfxio import tensor_adapter
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
    schema = text_format.Parse(case["schema"], schema_pb2.Schema()) if case["schema"] else None
    source = tfxio.TFExampleRecord(
        case["examples"], schema=schema, raw_record_column_name=tfma.ARROW_INPUT_COLUMN
    )
    adapter = schema and tensor_adapter.TensorAdapterConfig(
        source.ArrowSchema(), source.TensorRepresentations()
    )
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        _ = pipeline | source.BeamSource() | tfma.ExtractEvaluateAndWriteResults(
            eval_shared_model=models[0] if len(models) == 1 else models or None,
            eval_config=config,
            output_path=case["output"],
            tensor_adapter_config=adapter,
            schema=schema,
        )

failures = {}
for name, case in json.load(open(sys.argv[1])).items():
    try:
        evaluate(case)
    except Exception:
        failures[name] = traceback.format_exc()[-3000:]
print(json.dumps(failures))
"""

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
                "model": self._served(case.twin or case.model),
                "baseline": self._served(case.baseline),
                "examples": str(self.directory / "examples" / "Split-eval" / "*.gz"),
                "schema": case.schema,
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
        if case.schema:
            inputs["schema"] = [_artifact("Schema", directory / "schema")]
            (directory / "schema").mkdir(parents=True)
            (directory / "schema" / "schema.pbtxt").write_text(case.schema)
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
    assert_same_evaluation(battery.ours(name), battery.theirs(name))
