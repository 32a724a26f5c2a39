"""Bounds that no data can meet are found wherever a schema has them."""

import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.schemas.contradictions import find_contradictions


def contradictions(text):
    return find_contradictions(text_format.Parse(text, schema_pb2.Schema()))


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        (
            "float_domain { min: 1.5 max: -1.5 }",
            "float_domain.min is 1.5, above float_domain.max, which is -1.5.",
        ),
        ("float_domain { max: nan }", "float_domain.max is NaN: expected a number."),
        (
            "value_count { min: 3 max: 1 }",
            "value_count.min is 3, above value_count.max, which is 1.",
        ),
        ("value_count { min: -1 }", "value_count.min is -1: expected 0 or more."),
        (
            "value_counts { value_count { min: 1 } value_count { min: 2 max: 1 } }",
            "value_counts.value_count.min is 2, above value_counts.value_count.max, which is 1.",
        ),
        (
            "presence { min_fraction: 7 }",
            "presence.min_fraction is 7: expected a fraction between 0 and 1.",
        ),
        (
            "presence { min_fraction: nan }",
            "presence.min_fraction is nan: expected a fraction between 0 and 1.",
        ),
        ("presence { min_count: -2 }", "presence.min_count is -2: expected 0 or more."),
        (
            "distribution_constraints { min_domain_mass: 1.5 }",
            "distribution_constraints.min_domain_mass is 1.5: expected a fraction between 0 and 1.",
        ),
        (
            "unique_constraints { min: 5 max: 4 }",
            "unique_constraints.min is 5, above unique_constraints.max, which is 4.",
        ),
        (
            "drift_comparator { infinity_norm { threshold: -0.1 } }",
            "drift_comparator.infinity_norm.threshold is -0.1: expected 0 or more.",
        ),
        (
            "skew_comparator { jensen_shannon_divergence { threshold: nan } }",
            "skew_comparator.jensen_shannon_divergence.threshold is nan: expected 0 or more.",
        ),
        (
            "image_domain { minimum_supported_image_fraction: 2 }",
            "image_domain.minimum_supported_image_fraction is 2: "
            "expected a fraction between 0 and 1.",
        ),
        (
            "natural_language_domain { coverage { min_coverage: -1 } }",
            "natural_language_domain.coverage.min_coverage is -1: "
            "expected a fraction between 0 and 1.",
        ),
    ],
)
def test_a_feature_that_no_data_can_have(feature, expected):
    assert contradictions(f'feature {{ name: "x" {feature} }}') == [f"feature 'x': {expected}"]


def test_a_field_of_a_structure_is_named_by_its_path():
    text = """feature { name: "trip" type: STRUCT struct_domain {
        feature { name: "miles" float_domain { min: 2 max: 1 } } } }"""
    assert contradictions(text) == [
        "feature 'trip.miles': float_domain.min is 2, above float_domain.max, which is 1."
    ]


def test_bounds_of_the_whole_dataset():
    text = """feature { name: "x" }
        float_domain { name: "degrees" min: 5 max: -5 }
        dataset_constraints {
          min_examples_count: 12345678 max_examples_count: 2
          num_examples_drift_comparator { min_fraction_threshold: 2 max_fraction_threshold: 1 } }"""
    place = "dataset_constraints.num_examples_drift_comparator."
    assert sorted(contradictions(text)) == [
        "dataset_constraints.min_examples_count is 12345678, above "
        "dataset_constraints.max_examples_count, which is 2.",
        f"{place}min_fraction_threshold is 2, above {place}max_fraction_threshold, which is 1.",
        "float_domain 'degrees'.min is 5, above float_domain 'degrees'.max, which is -5.",
    ]


def test_bounds_that_meet_and_bounds_without_a_partner_are_good():
    text = """feature { name: "x" type: INT int_domain { min: 3 max: 3 }
          presence { min_fraction: 1 min_count: 0 } value_count { min: 2 } }
        feature { name: "y" type: FLOAT float_domain { min: -inf max: inf }
          drift_comparator { infinity_norm { threshold: 1000 } } }
        feature { name: "z" int_domain { max: -5 } }
        dataset_constraints { max_examples_count: 5 }
        tensor_representation_group { key: "" value {} }"""
    assert contradictions(text) == []
