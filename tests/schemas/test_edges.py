"""Odd statistics: empty, huge, not a number, of weights, and statistics made at random."""

import math

import pytest
from google.protobuf import text_format
from hypothesis import given, settings
from hypothesis import strategies as st
from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright.schemas.anomaly_report import (
    anomaly_table,
    list_anomalies,
    summarize_anomalies,
)
from trainwright.schemas.differences import diff_schemas
from trainwright.schemas.inference import infer_schema, update_schema
from trainwright.schemas.validation import validate_statistics

Feature = statistics_pb2.FeatureNameStatistics


def statistics_of(*features, num_examples=10):
    statistics = statistics_pb2.DatasetFeatureStatisticsList()
    statistics.datasets.add(num_examples=num_examples, features=features)
    return statistics


def common(present=10, missing=0, fewest=1, most=1):
    return statistics_pb2.CommonStatistics(
        num_non_missing=present,
        num_missing=missing,
        min_num_values=fewest,
        max_num_values=most,
        tot_num_values=present * fewest,
    )


def number(name="f", kind=Feature.INT, low=0.0, high=9.0, **valency):
    feature = Feature(type=kind, path={"step": [name]})
    feature.num_stats.common_stats.CopyFrom(common(**valency))
    feature.num_stats.min, feature.num_stats.max = low, high
    return feature


def string(name="f", counts=(("a", 5),), invalid=0, **valency):
    feature = Feature(type=Feature.STRING, path={"step": [name]})
    feature.string_stats.common_stats.CopyFrom(common(**valency))
    feature.string_stats.invalid_utf8_count = invalid
    feature.string_stats.unique = len(counts)
    for label, count in counts:
        feature.string_stats.rank_histogram.buckets.add(label=label, sample_count=count)
    return feature


def schema_of(text):
    return text_format.Parse(text, schema_pb2.Schema())


def types_of(anomalies):
    return {anomaly.feature: anomaly.types for anomaly in list_anomalies(anomalies)}


def test_int64_limits_are_told_although_statistics_hold_floats():
    limits = statistics_of(number(low=-(2.0**63), high=2.0**63))
    schema = schema_of('feature { name: "f" type: INT int_domain { min: 0 max: 5 } }')
    (found,) = list_anomalies(validate_statistics(limits, schema))
    assert found.types == ("INT_TYPE_SMALL_INT", "INT_TYPE_BIG_INT")
    assert f"{-(2**63)}" in found.description
    assert f"{2**63 - 1}" in found.description


def test_nan_in_numeric_statistics_never_raises():
    nan = number(kind=Feature.FLOAT, low=math.nan, high=math.nan)
    nan.num_stats.histograms.add(num_nan=10)
    schema = infer_schema(statistics_of(nan))
    assert types_of(validate_statistics(statistics_of(nan), schema)) == {}
    schema.feature[0].float_domain.disallow_nan = True
    schema.feature[0].float_domain.min = 0
    found = types_of(validate_statistics(statistics_of(nan), schema))
    assert found == {"f": ("FLOAT_TYPE_HAS_NAN",)}


def test_a_surge_of_nan_is_drift():
    calm, surge = (number(kind=Feature.FLOAT, low=0, high=2) for _ in range(2))
    for feature, nan, high in ((calm, 0, 2), (surge, 90, 1)):
        histogram = feature.num_stats.histograms.add(num_nan=nan)
        histogram.buckets.add(low_value=0, high_value=high, sample_count=10)
    schema = schema_of(
        'feature { name: "f" type: FLOAT '
        "drift_comparator { jensen_shannon_divergence { threshold: 0.6 } } }"
    )
    anomalies = validate_statistics(
        statistics_of(surge), schema, previous_statistics=statistics_of(calm)
    )
    assert types_of(anomalies) == {"f": ("COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH",)}


def test_categorical_integers_get_a_domain_that_fits_them():
    feature = string(counts=(("3", 5), ("7", 5)))
    feature.type = Feature.INT
    schema = infer_schema(statistics_of(feature))
    assert schema.feature[0].int_domain.is_categorical
    assert types_of(validate_statistics(statistics_of(feature), schema)) == {}


def test_one_bound_alone_is_checked_and_the_other_is_open():
    schema = schema_of(
        'feature { name: "f" type: BYTES unique_constraints { min: 2 } } '
        "dataset_constraints { max_examples_count: 5 }"
    )
    found = types_of(validate_statistics(statistics_of(string()), schema))
    assert found == {
        "(dataset)": ("DATASET_HIGH_NUM_EXAMPLES",),
        "f": ("FEATURE_TYPE_LOW_UNIQUE",),
    }
    many = statistics_of(string(counts=tuple((f"v{i}", 1) for i in range(9))), num_examples=3)
    assert types_of(validate_statistics(many, schema)) == {}


def test_environments_must_be_known():
    schema = schema_of('feature { name: "f" type: INT } default_environment: "SERVING"')
    with pytest.raises(ValueError, match="did you mean 'SERVING'"):
        validate_statistics(statistics_of(number()), schema, environment="SERVIN")


@pytest.mark.parametrize(
    ("statistics", "complaint"),
    [
        (statistics_pb2.DatasetFeatureStatisticsList(), "holds 0 datasets"),
        (statistics_of(number(), Feature(name="g", num_stats={})), "have a name and some have a"),
    ],
)
def test_statistics_that_cannot_be_used_say_so(statistics, complaint):
    with pytest.raises(ValueError, match=complaint):
        infer_schema(statistics)
    with pytest.raises(TypeError, match="should be a DatasetFeatureStatisticsList proto"):
        infer_schema(statistics_pb2.DatasetFeatureStatistics())


def test_slices_are_left_aside():
    statistics = statistics_of(number())
    statistics.datasets[0].name = "All Examples"
    statistics.datasets.add(name="country_NO", num_examples=1, features=[string()])
    assert infer_schema(statistics).feature[0].type == schema_pb2.INT


@pytest.mark.not_quick  # takes seconds
def test_ten_thousand_columns_take_seconds():
    many = statistics_of(*(string(f"f{i}") for i in range(10_000)))
    schema = infer_schema(many)
    assert len(schema.feature) == len(schema.string_domain) == 10_000
    assert types_of(validate_statistics(many, update_schema(schema, many))) == {}


def test_anomalies_in_words():
    schema = schema_of('feature { name: "g" type: INT presence { min_count: 1 } }')
    anomalies = validate_statistics(statistics_of(number()), schema)
    assert summarize_anomalies(anomalies) == "2: f (New column), g (Column dropped)"
    table, _, advice = anomaly_table(list_anomalies(anomalies)).partition("\n\n")
    assert table.splitlines() == [
        "FEATURE  ANOMALY         DESCRIPTION",
        "f        New column      New column (column in data but not in schema)",
        "g        Column dropped  Column is completely missing",
    ]
    assert "What this means:\n- The data has a feature that the schema does not know" in advice
    assert "- The schema requires the feature and the data does not have it at all." in advice
    assert summarize_anomalies(anomalies_pb2.Anomalies()) == "none"
    assert summarize_anomalies(anomalies_pb2.Anomalies(data_missing=True)) == "no examples"


def test_spaces_that_could_not_be_seen_are_in_quotes():
    schema = schema_of('feature { name: "f " type: BYTES domain: "d" } string_domain { name: "d" }')
    counts = (("Paris ", 4), ("New York", 3), ("a  b", 2), ("", 1))
    anomalies = validate_statistics(statistics_of(string("f ", counts=counts)), schema)
    stored = anomalies.anomaly_info["f "].description  # TFDV's sentence
    assert "schema:  (~10%), New York (~30%), Paris  (~40%), a  b (~20%). " in stored
    table = anomaly_table(list_anomalies(anomalies))
    assert "schema: '' (~10%), New York (~30%), 'Paris ' (~40%), 'a  b' (~20%)." in table
    assert table.splitlines()[1].startswith("'f '  ")
    assert summarize_anomalies(anomalies) == "1: 'f ' (Unexpected string values)"


def test_a_dropped_shape_is_said_in_plain_words():
    schema = schema_of('feature { name: "f" type: INT shape { dim { size: 2 } } }')
    anomalies = validate_statistics(statistics_of(number()), schema)
    assert anomalies.anomaly_info["f"].short_description == "Feature shape dropped"  # TFDV's words
    assert summarize_anomalies(anomalies) == (
        "1: f (values missing, or not the same number in each example, against the schema's shape)"
    )
    assert "replace shape { … } of this feature" in anomaly_table(list_anomalies(anomalies))


VALUES = st.one_of(
    st.sampled_from(["true", "false", "0", "1", "", "-7", "1.5", "nan", "__BYTES_VALUE__"]),
    st.text(st.characters(blacklist_categories=("Cs",)), max_size=5),
)
NUMBERS = st.floats(width=32) | st.sampled_from([0.0, 1.0, -(2.0**63), 2.0**63])


@st.composite
def valencies(draw):
    fewest = draw(st.integers(0, 3))
    present = draw(st.integers(0, 10))
    return {
        "present": present,
        "missing": 10 - present,
        "fewest": fewest,
        "most": fewest + draw(st.integers(0, 2)),
    }


@st.composite
def features(draw, name):
    valency = draw(valencies())
    kind = draw(st.sampled_from([Feature.INT, Feature.FLOAT, Feature.STRING]))
    if kind == Feature.STRING:
        counts = draw(st.dictionaries(VALUES, st.integers(1, 9), max_size=6))
        invalid = draw(st.sampled_from([0, 0, 3]))
        return string(name, tuple(counts.items()), invalid, **valency)
    low, high = draw(NUMBERS), draw(NUMBERS)
    if kind == Feature.INT:
        low, high = (float(int(x)) if math.isfinite(x) else 0.0 for x in (low, high))
    feature = number(name, kind, min(low, high), max(low, high), **valency)
    if draw(st.booleans()):
        feature.num_stats.histograms.add(num_nan=draw(st.integers(0, 2)))
    return feature


@st.composite
def datasets(draw):
    names = draw(st.lists(st.sampled_from(["a", "b", "c.d", "é", "'"]), unique=True))
    return statistics_of(*(draw(features(name)) for name in names))


@settings(max_examples=200, deadline=None)
@given(datasets(), st.booleans(), st.sampled_from([1, 100]))
def test_data_fits_the_schema_that_was_inferred_from_it(statistics, shapes, largest_domain):
    schema = infer_schema(statistics, shapes, largest_domain)
    assert types_of(validate_statistics(statistics, schema)) == {}
    assert diff_schemas(schema, schema) == []


@settings(max_examples=200, deadline=None)
@given(datasets(), datasets())
def test_data_fits_a_schema_that_was_updated_with_it(first, second):
    updated = update_schema(infer_schema(first), second)
    assert types_of(validate_statistics(second, updated)) == {}
    assert update_schema(updated, second) == updated
