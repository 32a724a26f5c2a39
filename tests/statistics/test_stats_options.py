"""StatsOptions: checked, refused with a reason, and the same after JSON."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.statistics.stats_options import StatsOptions

SCHEMA = schema_pb2.Schema(feature=[schema_pb2.Feature(name="a", type=schema_pb2.INT)])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"schema": SCHEMA, "weight_feature": "w", "sample_rate": 0.5, "epsilon": 0.001},
        {"feature_allowlist": ("a", "b"), "feature_denylist": ["c"], "num_top_values": 3},
        {"slicing_config": {"slicing_specs": [{"feature_values": {"a": 3}}]}},
    ],
)
def test_survive_json(options):
    before = StatsOptions(**options)
    after = StatsOptions.from_json(before.to_json())
    assert after == before
    assert after.to_json() == before.to_json()


def test_defaults_leave_nothing_in_the_json():
    assert json.loads(StatsOptions().to_json()) == {"TYPE_NAME": "StatsOptions"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"generators": [1]}, "a component of your own"),
        ({"slice_functions": [len]}, "use slicing_config"),
        ({"enable_semantic_domain_stats": True}, "semantic domains are not looked for"),
        ({"add_default_generators": False}, "all that there are"),
        ({"sample_rate": 0}, "sample_rate is 0: expected above 0 and up to 1"),
        ({"sample_rate": 1.5}, "sample_rate is 1.5"),
        ({"epsilon": 0}, "epsilon is 0"),
        ({"num_values_histogram_buckets": 1}, "expected 2 or more"),
        ({"num_histogram_buckets": 0}, "expected 1 or more"),
        ({"slicing_config": {"specs": []}}, "expected {'slicing_specs'"),
        ({"slicing_config": {"slicing_specs": [{"slice_keys_sql": "x"}]}}, "no SQL engine"),
    ],
)
def test_refused_with_a_reason(options, words):
    with pytest.raises(ValueError) as raised:
        StatsOptions(**options)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_top_values": "3"}, "num_top_values is '3': expected a number"),
        ({"sample_rate": "0.5"}, "sample_rate is '0.5': expected a number"),
        ({"schema": "schema.pbtxt"}, "schema is of type str, should be a Schema proto"),
        ({"label_feature": 5}, "label_feature is 5: expected a feature's name"),
    ],
)
def test_wrong_types_are_named(options, words):
    with pytest.raises(TypeError, match=words):
        StatsOptions(**options)


def test_a_string_is_no_list_of_features():
    with pytest.raises(TypeError, match="expected a list of names"):
        StatsOptions(feature_allowlist="age")


# What tfdv.StatsOptions(weight_feature="w", num_top_values=7, schema=...).to_json() gives, 1.16.1.
TFDV_JSON = {
    "_generators": None,
    "_feature_allowlist": None,
    "label_feature": None,
    "weight_feature": "w",
    "_slice_functions": None,
    "_sample_rate": None,
    "num_top_values": 7,
    "frequency_threshold": 1,
    "weighted_frequency_threshold": 1.0,
    "num_rank_histogram_buckets": 1000,
    "_num_values_histogram_buckets": 10,
    "_num_histogram_buckets": 10,
    "_num_quantiles_histogram_buckets": 10,
    "epsilon": 0.01,
    "infer_type_from_schema": False,
    "_desired_batch_size": None,
    "enable_semantic_domain_stats": False,
    "_semantic_domain_stats_sample_rate": None,
    "_per_feature_weight_override": None,
    "_vocab_paths": None,
    "_add_default_generators": True,
    "_use_sketch_based_topk_uniques": False,
    "_slice_sqls": None,
    "_experimental_num_feature_partitions": 1,
    "_experimental_result_partitions": 1,
    "_slicing_config": None,
    "_experimental_filter_read_paths": False,
    "_per_feature_stats_config": None,
    "TYPE_NAME": "StatsOptions",
    "schema_json": '{"feature": [{"name": "a", "type": "INT"}]}',
}


class TfdvOptions:
    """As much of tfdv.StatsOptions as is asked for."""

    def __init__(self, **changes):
        self.described = {**TFDV_JSON, **changes}
        self._generators = self.described["_generators"]

    def to_json(self):
        return json.dumps(self.described)


def test_options_of_tfdv_are_taken():
    options = StatsOptions.from_any(TfdvOptions())
    assert options == StatsOptions(weight_feature="w", num_top_values=7, schema=SCHEMA)


def test_options_of_tfdv_are_refused_in_the_same_words():
    with pytest.raises(ValueError, match="component of your own"):
        StatsOptions.from_any(TfdvOptions(_generators=["mine"]))
    with pytest.raises(ValueError, match="is not known here"):
        StatsOptions.from_any(TfdvOptions(_new_in_another_version=3))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"TYPE_NAME": "Other"}'])
def test_other_json_is_refused(text):
    with pytest.raises(ValueError, match="are not JSON|Expected the JSON of StatsOptions"):
        StatsOptions.from_json(text)


def test_something_else_is_refused():
    with pytest.raises(TypeError, match="expected a StatsOptions"):
        StatsOptions.from_any({"num_top_values": 3})


def test_options_are_light():
    """A pipeline that declares them imports neither NumPy nor Arrow for it."""
    code = (
        "import sys; from trainwright.statistics import StatsOptions; StatsOptions()\n"
        "print([m for m in ('numpy', 'pyarrow', 'tensorflow', 'tfx_bsl') if m in sys.modules])"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert output.strip() == "[]"
