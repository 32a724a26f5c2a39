"""Schemas and anomalies are equal, as protos, to those of TensorFlow Data Validation."""

import sys
from pathlib import Path

import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright.schemas.inference import infer_schema, update_schema
from trainwright.schemas.validation import validate_statistics

GOLDEN = Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))

import schema_cases as cases  # noqa: E402


def statistics_of(text):
    if text is None:
        return None
    statistics = statistics_pb2.DatasetFeatureStatisticsList()
    text_format.Parse(cases.with_examples(text), statistics.datasets.add())
    return statistics


def expected(name, message):
    return text_format.Parse((GOLDEN / "expected" / f"{name}.pbtxt").read_text("utf-8"), message)


@pytest.mark.parametrize("name", cases.INFERENCE)
def test_inferred_schemas_are_tfdvs(name):
    statistics = statistics_of(cases.INFERENCE[name].statistics)
    assert infer_schema(statistics) == expected(f"infer-{name}", schema_pb2.Schema())
    flat = expected(f"infer-{name}-without-shapes", schema_pb2.Schema())
    assert infer_schema(statistics, infer_feature_shape=False) == flat


@pytest.mark.parametrize("name", [name for name, case in cases.INFERENCE.items() if case.update])
def test_updated_schemas_are_tfdvs(name):
    case = cases.INFERENCE[name]
    schema = infer_schema(statistics_of(case.statistics))
    updated = update_schema(schema, statistics_of(case.update))
    assert updated == expected(f"update-{name}", schema_pb2.Schema())
    assert schema == infer_schema(statistics_of(case.statistics)), "the argument was changed"


@pytest.mark.parametrize("name", cases.VALIDATION)
def test_anomalies_are_tfdvs(name):
    case = cases.VALIDATION[name]
    schema = text_format.Parse(case.schema, schema_pb2.Schema())
    found = validate_statistics(
        statistics_of(case.statistics),
        schema,
        environment=case.environment,
        previous_statistics=statistics_of(case.previous),
        serving_statistics=statistics_of(case.serving),
    )
    assert found.baseline == schema
    found.ClearField("baseline")
    assert found == expected(f"validate-{name}", anomalies_pb2.Anomalies())


@pytest.mark.parametrize("data", ["mixed", "penguins", "ragged", "odd"])
def test_whole_data_sets_are_as_in_tfx(data):
    directory = GOLDEN / data
    schema = text_format.Parse((directory / "schema.pbtxt").read_text("utf-8"), schema_pb2.Schema())
    statistics = {
        split: statistics_pb2.DatasetFeatureStatisticsList.FromString(
            (directory / f"Split-{split}" / "FeatureStats.pb").read_bytes()
        )
        for split in ("train", "eval")
    }
    inferred = infer_schema(statistics["train"])
    assert update_schema(inferred, statistics["eval"]) == schema
    for split in statistics:
        diff = (directory / f"Split-{split}" / "SchemaDiff.pb").read_bytes()
        anomalies = anomalies_pb2.Anomalies.FromString(diff)
        assert validate_statistics(statistics[split], schema) == anomalies
        against_first = directory / f"Split-{split}" / "TrainSchemaDiff.pb"
        if against_first.exists():
            anomalies = anomalies_pb2.Anomalies.FromString(against_first.read_bytes())
            assert validate_statistics(statistics[split], inferred) == anomalies
