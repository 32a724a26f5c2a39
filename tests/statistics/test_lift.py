"""Lift statistics at the edges; those that TFDV computes are in test_golden_statistics.py."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.statistics import lift
from trainwright.statistics.statistics_pass import StatisticsPass
from trainwright.statistics.stats_options import StatsOptions

SCHEMA = text_format.Parse(
    """
    feature { name: "y" type: INT int_domain { is_categorical: true } }
    feature { name: "x" type: BYTES }
    feature { name: "raw" type: INT }
    feature { name: "kind" type: FLOAT float_domain { is_categorical: true } }
    """,
    schema_pb2.Schema(),
)


def make_pass(**options):
    options = StatsOptions(**{"schema": SCHEMA, "label_feature": "y", **options})
    return StatisticsPass(options.to_json(), ExampleFiles().to_json())


def add(statistics_pass, accumulator, columns):
    batch = pa.RecordBatch.from_pydict(columns)
    statistics_pass.add_batch(accumulator, batch, batch.num_rows, source="data", first=0)
    return accumulator


def lifts(statistics_pass, accumulator):
    """Lift by feature, label and value."""
    [dataset] = statistics_pass.extract(accumulator).datasets
    return {
        (cross.path_x.step[0], series.y_int, value.x_string): round(value.lift, 3)
        for cross in dataset.cross_features
        for series in cross.categorical_cross_stats.lift.lift_series
        if not series.HasField("weighted_y_count")
        for value in series.lift_values
    }


BATCH = {"y": [[0], [1], [1], None], "x": [[b"a", b"a"], [b"a", b"b"], [b"b"], [b"b"]]}
# P(y=0) is 1 / 4, and of the two examples with a, one has it.
LIFTS = {
    ("x", 0, "a"): 2.0,
    ("x", 0, "b"): 0.0,
    ("x", 1, "b"): 1.333,
    ("x", 1, "a"): 1.0,
}


def test_values_count_once_in_an_example():
    one = make_pass()
    assert lifts(one, add(one, one.create(), BATCH)) == LIFTS


def test_parts_that_were_written_and_merged_are_the_whole():
    one = make_pass()
    parts = [
        add(one, one.create(), {name: rows[part] for name, rows in BATCH.items()})
        for part in (slice(0, 1), slice(1, 4))
    ]
    first, second = (one.deserialize(one.serialize(part)) for part in parts)
    assert lifts(one, one.merge(first, second)) == LIFTS


def test_examples_without_weight_have_no_weighted_lift():
    weighted = make_pass(weight_feature="w")
    batch = {**BATCH, "w": [[0.0], [1.0], [1.0], [1.0]]}
    [dataset] = weighted.extract(add(weighted, weighted.create(), batch)).datasets
    series = dataset.cross_features[0].categorical_cross_stats.lift.lift_series
    assert [one.y_int for one in series if one.HasField("weighted_y_count")] == [1]


def test_features_that_are_left_out_have_no_lift_and_the_label_is_still_read():
    one = make_pass(feature_allowlist=["x"])
    assert lifts(one, add(one, one.create(), BATCH)) == LIFTS
    one = make_pass(feature_denylist=["x"])
    assert lifts(one, add(one, one.create(), BATCH)) == {}


def test_a_feature_of_very_many_values_is_left_out_with_a_warning(monkeypatch, caplog):
    monkeypatch.setattr(lift, "MOST_PAIRS", 3)
    one = make_pass()
    assert lifts(one, add(one, one.create(), BATCH)) == {}
    assert "'x' has too many different values for lift statistics" in caplog.text


def test_a_label_that_no_example_has_is_said(caplog):
    one = make_pass()
    assert lifts(one, add(one, one.create(), {"x": BATCH["x"]})) == {}
    assert "No example has the label_feature 'y'" in caplog.text


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("z", "which the schema does not have.* Known are 'kind', 'raw', 'x', 'y'"),
        ("raw", "which is INT and not categorical in the schema"),
        ("kind", "which is FLOAT and not categorical in the schema"),
    ],
)
def test_labels_that_cannot_be_used(label, words):
    with pytest.raises(ValueError, match=words):
        make_pass(label_feature=label)


def test_a_label_without_a_schema_adds_nothing_and_says_so(caplog):
    one = make_pass(schema=None)
    assert lifts(one, add(one, one.create(), BATCH)) == {}
    assert "Give StatsOptions a schema" in caplog.text


def test_options_with_a_label_are_stored():
    assert json.loads(StatsOptions(label_feature="y").to_json())["label_feature"] == "y"
    with pytest.raises(TypeError, match="expected a feature's name"):
        StatsOptions(label_feature=["y"])
