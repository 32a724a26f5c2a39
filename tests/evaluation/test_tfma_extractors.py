"""A module file with TFMA's models and extractors: the Evaluator and TFMA find the same with it."""

from __future__ import annotations

import json
from pathlib import Path

import battery_data
import pytest
from tfma_comparison import assert_same_evaluation
from tfma_reference import run_with_tfma

pytestmark = pytest.mark.reference

# Both evaluate in TFMA's Python: the Evaluator runs the same extractors.
EVALUATE_WITH_BOTH = """
import json, sys
import apache_beam as beam
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from google.protobuf import json_format, text_format
from tensorflow_metadata.proto.v0 import schema_pb2
from tensorflow_model_analysis.proto import config_pb2
from tensorflow_model_analysis.utils import config_util
from tfx_bsl.public import tfxio
from tfx_bsl.tfxio import tensor_adapter
import tensorflow_model_analysis as tfma
from trainwright.components.evaluator.executor import Executor
from trainwright.components.user_module import load_module_file
from trainwright.dsl.base_executor import ExecutorContext
from trainwright.types import standard_artifacts

def artifact(kind, uri, **properties):
    made = getattr(standard_artifacts, kind)()
    made.uri, made.id = uri, 1
    for name, value in properties.items():
        setattr(made, name, value)
    return [made]

def run_ours(case):
    inputs = {"examples": artifact("Examples", case["examples"], split_names='["eval"]')}
    inputs["model"] = artifact("Model", case["model"])
    if case["baseline"]:
        inputs["baseline_model"] = artifact("Model", case["baseline"])
    if case["schema"]:
        inputs["schema"] = artifact("Schema", case["schema"])
    outputs = {
        "evaluation": artifact("ModelEvaluation", case["ours"]),
        "blessing": artifact("ModelBlessing", case["ours"] + "-blessing"),
    }
    properties = {"eval_config": case["config"], "module_file": case["module_file"]}
    Executor(ExecutorContext(tmp_dir=case["ours"] + "-tmp")).Do(inputs, outputs, properties)

def run_theirs(case):
    module = load_module_file(case["module_file"])
    config = json_format.Parse(case["config"], config_pb2.EvalConfig())
    config = config_util.update_eval_config_with_defaults(
        config, has_baseline=bool(case["baseline"])
    )
    models = [
        module.custom_eval_shared_model(
            case["baseline" if spec.is_baseline else "model"] + "/Format-Serving",
            model_name=spec.name, eval_config=config, add_metrics_callbacks=None,
        )
        for spec in config.model_specs
    ]
    models = models[0] if len(models) == 1 else models
    schema = None
    if case["schema"]:
        text = open(case["schema"] + "/schema.pbtxt").read()
        schema = text_format.Parse(text, schema_pb2.Schema())
    source = tfxio.TFExampleRecord(
        case["examples"] + "/Split-eval/*", schema=schema,
        raw_record_column_name=tfma.ARROW_INPUT_COLUMN,
    )
    adapter = schema and tensor_adapter.TensorAdapterConfig(
        source.ArrowSchema(), source.TensorRepresentations()
    )
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        _ = pipeline | source.BeamSource() | tfma.ExtractEvaluateAndWriteResults(
            eval_shared_model=models, eval_config=config, output_path=case["theirs"],
            extractors=module.custom_extractors(models, config, adapter),
            tensor_adapter_config=adapter,
        )

case = json.load(open(sys.argv[1]))
run_ours(case)
run_theirs(case)
print("{}")
"""

CONFIG = {
    "model_specs": [{"label_key": "label", "example_weight_key": "weight"}],
    "slicing_specs": [{}, {"feature_keys": ["town"]}, {"feature_keys": ["tags"]}],
    "metrics_specs": [
        {
            "metrics": [
                {"class_name": "ExampleCount"},
                {"class_name": "WeightedExampleCount"},
                {"class_name": "BinaryAccuracy"},
                {"class_name": "AUC", "threshold": {"value_threshold": {"lower_bound": 0.7}}},
                {"class_name": "CalibrationPlot"},
            ]
        }
    ],
}

SCHEMA = "\n".join(
    f'feature {{ name: "{name}" type: {kind} {shape} }}'
    for name, kind, shape in (
        ("x", "FLOAT", "presence { min_fraction: 1 } shape { dim { size: 1 } }"),
        ("weight", "FLOAT", "presence { min_fraction: 1 } shape { dim { size: 1 } }"),
        ("label", "INT", "presence { min_fraction: 1 } shape { dim { size: 1 } }"),
        ("town", "BYTES", ""),
        ("tags", "BYTES", ""),
    )
)


@pytest.fixture
def evaluate(tmp_path):
    """Evaluates with both and compares; returns where the Evaluator's results are."""

    def run(config=CONFIG, baseline=None, schema="", **environment) -> Path:
        battery_data.write_examples(tmp_path / "examples" / "Split-eval")
        case = {
            "config": json.dumps(config),
            "examples": str(tmp_path / "examples"),
            "model": save_model(tmp_path / "candidate", 1.0),
            "baseline": save_model(tmp_path / "baseline", baseline) if baseline else None,
            "schema": str(tmp_path / "schema") if schema else None,
            "module_file": str(Path(__file__).parent / "extractor_module.py"),
            "ours": str(tmp_path / "ours"),
            "theirs": str(tmp_path / "theirs"),
        }
        if schema:
            (tmp_path / "schema").mkdir()
            (tmp_path / "schema" / "schema.pbtxt").write_text(schema)
        (tmp_path / "case.json").write_text(json.dumps(case))
        run_with_tfma(EVALUATE_WITH_BOTH, tmp_path / "case.json", **environment)
        assert_same_evaluation(tmp_path / "ours", tmp_path / "theirs")
        return tmp_path / "ours"

    return run


def save_model(directory: Path, factor: float) -> str:
    (directory / "Format-Serving").mkdir(parents=True)
    (directory / "Format-Serving" / "model.json").write_text(json.dumps({"factor": factor}))
    return str(directory)


def test_default_extractors_with_a_predict_extractor(evaluate) -> None:
    evaluate()


def test_a_baseline_is_asked_as_well(evaluate) -> None:
    evaluate(baseline=0.7)


def test_a_schema_says_how_features_are_parsed(evaluate) -> None:
    evaluate(schema=SCHEMA)


def test_extractors_that_were_put_together_by_hand(evaluate) -> None:
    slices = [{}, {"feature_keys": ["is_big"]}]
    evaluate(config={**CONFIG, "slicing_specs": slices}, TRAINWRIGHT_TEST_EXTRACTORS="own")
