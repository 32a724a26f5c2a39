"""The page of a schema: what a reader learns of each feature."""

import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.html_views.artifact_files import read_schema
from trainwright.html_views.schema_page import schema_page


@pytest.fixture
def shown(read_page):
    """The cells of the first feature's row, of a schema in text form."""

    def cells(text, rest=""):
        schema = text_format.Parse(f'feature {{ name: "x" {text} }} {rest}', schema_pb2.Schema())
        return read_page(schema_page(schema)).row("x")[1:]

    return cells


def test_the_golden_schema(read_page, golden):
    page = read_page(schema_page(read_schema(str(golden / "mixed"))))
    assert "10 features, 9 of them required." in page.text
    assert page.row("age") == ["age", "int", "required", "any number of values", "–"]
    assert page.row("city")[4] == "New York, Paris, São Paulo, Zürich, a b, c, … 7 values"
    assert page.row("code") == ["code", "bytes", "required", "1 value", "A1, B2, C3, D4"]
    assert page.row("empty")[2] == "optional"
    assert page.row("flag")[4] == "true or false"
    for value in ('quote"d', "東京"):
        assert value in page.words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["any", "optional", "any number of values", "–"]),
        ("type: INT int_domain { min: 0 }", "0 or more"),
        ("type: FLOAT float_domain { min: 0 max: 1 disallow_nan: true }", "0 to 1, no NaN"),
        ("type: INT int_domain { is_categorical: true }", "any number, categories"),
        ('bool_domain { true_value: "yes" false_value: "no" }', "yes or no"),
        ("natural_language_domain { }", "natural language"),
        ('string_domain { value: "a" value: "<b>" }', "a, <b>"),
        ('domain: "nowhere"', "nowhere, which the schema does not have"),
    ],
)  # fmt: skip
def test_types_and_domains_in_words(shown, text, expected):
    assert (shown(text) if isinstance(expected, list) else shown(text)[-1]) == expected


@pytest.mark.parametrize(
    ("text", "presence", "values"),
    [
        ("presence { min_fraction: 1 min_count: 1 }", "required", None),
        ("presence { min_fraction: 0.5 }", "in 50.0% or more", None),
        ("presence { min_count: 3 }", "in 3 examples or more", None),
        ("group_presence { required: true }", "required where its structure is", None),
        ("shape { }", None, "1 value (a scalar)"),
        ("shape { dim { size: 28 } dim { size: 28 } }", None, "shape 28 × 28"),
        ("value_count { min: 1 max: 3 }", None, "1 to 3 values"),
        ("value_count { min: 2 max: 2 }", None, "2 values"),
        ("value_count { min: 1 }", None, "1 or more values"),
        ("value_counts { value_count { min: 1 } value_count { min: 2 max: 2 } }", None,
         "1 or more of 2 values"),
    ],
)  # fmt: skip
def test_presence_and_valency_in_words(shown, text, presence, values):
    cells = shown(text)
    assert presence in (None, cells[1])
    assert values in (None, cells[2])


def test_environments_and_checks_have_columns_if_there_are_any(shown):
    environments = 'default_environment: "TRAINING" default_environment: "SERVING"'
    assert shown('not_in_environment: "SERVING"', environments)[-1] == "all but SERVING"
    assert shown('in_environment: "TRAINING"', environments)[-1] == "TRAINING"
    assert shown("", environments)[-1] == "all"
    drift = "drift_comparator { infinity_norm { threshold: 0.01 } }"
    assert shown(drift)[-1] == "drift (infinity norm) up to 0.01"


def test_structures_domains_and_combined_features(read_page):
    text = """
        feature { name: "trip" type: STRUCT struct_domain {
          feature { name: "miles" type: FLOAT deprecated: true domain: "short" } } }
        feature { name: "tag" domain: "tags" }
        float_domain { name: "short" max: 10 }
        string_domain { name: "tags" }
        string_domain { name: "lost" value: "<i>" }
        sparse_feature { name: "sparse" index_feature { name: "i" } value_feature { name: "v" } }
        weighted_feature { name: "heavy" feature { step: "tag" } weight_feature { step: "w" } }
    """
    page = read_page(schema_page(text_format.Parse(text, schema_pb2.Schema())))
    assert page.row("trip.miles")[0] == "trip.milesdeprecated"
    assert page.row("trip.miles")[4] == "short: 10 or less"
    assert page.row("tag")[4] == "no values"
    assert "lost 1 value not used by any feature" in page.text
    assert page.row("sparse") == ["sparse", "sparse", "index i, values v"]
    assert page.row("heavy") == ["heavy", "weighted", "feature tag, weights w"]


def test_a_long_domain_is_folded_but_whole(read_page):
    schema = schema_pb2.Schema()
    schema.feature.add(name="x", domain="d")
    schema.string_domain.add(name="d", value=[f"value {number}" for number in range(5000)])
    page = read_page(schema_page(schema))
    assert page.row("x")[-1] == "value 0, value 1, value 2, value 3, value 4, … 5000 values"
    assert "value 4999" in page.words


def test_hostile_and_empty_schemas(read_page):
    assert "The schema has no features." in read_page(schema_page(schema_pb2.Schema())).text
    hostile = "<script>\"'&</script>\x00\u202e"
    schema = schema_pb2.Schema(default_environment=[hostile])
    schema.feature.add(name=hostile, domain=hostile, in_environment=[hostile])
    schema.feature.add(name="n" * 500).string_domain.value.extend([hostile, "y" * 9000])
    schema.string_domain.add(name=hostile, value=[hostile] * 10)
    page = read_page(schema_page(schema, title=hostile, subtitle=hostile))
    assert "n" * 500 in page.hints


def test_ten_thousand_features(read_page):
    schema = schema_pb2.Schema()
    for number in range(10_000):
        schema.feature.add(name=f"feature_{number}", type=2)
    text = schema_page(schema)
    assert len(text) < 3_000_000
    assert len(read_page(text).rows) == 10_001
