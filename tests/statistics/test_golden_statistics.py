"""Our statistics beside those that TFDV 1.16.1 computed of the same files.

Exact: all counts, extremes, lengths, frequent values and numbers of different values (none of these
sets has more than 100 000 different values). Up to rounding: means, deviations, averages, medians
and the counts of histogram buckets. So small sets do not use what the sketches are allowed to be
wrong by; `test_much_data.py` looks at that.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf import text_format
from proto_comparison import by_path, differences
from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.local_engine import LocalEngine
from trainwright.proto import example_gen_pb2
from trainwright.schemas.differences import diff_schemas
from trainwright.schemas.inference import infer_schema, update_schema
from trainwright.statistics.generate import generate_statistics
from trainwright.statistics.stats_options import StatsOptions

GOLDEN = Path(__file__).parent / "golden"
# What TFX's CsvExampleGen wrote.
EXAMPLES = Path(__file__).parent.parent / "data" / "golden"

SCHEMA = text_format.Parse(
    """
    feature { name: "category" type: INT int_domain { is_categorical: true } }
    feature { name: "flag" type: INT bool_domain {} }
    feature { name: "binary" type: BYTES image_domain {} }
    feature { name: "ragged_int" type: FLOAT }
    """,
    schema_pb2.Schema(),
)
LIFT_SCHEMA = text_format.Parse(
    """
    feature { name: "category" type: INT int_domain { is_categorical: true } }
    feature { name: "flag" type: INT bool_domain {} }
    feature { name: "float" type: FLOAT }
    feature { name: "binary" type: BYTES }
    feature { name: "text" type: BYTES }
    feature { name: "ragged_text" type: BYTES }
    feature { name: "no_values" type: BYTES }
    """,
    schema_pb2.Schema(),
)
SEQUENCE_SCHEMA = text_format.Parse(
    """
    feature { name: "user" type: BYTES }
    feature {
      name: "##SEQUENCE##"
      type: STRUCT
      struct_domain {
        feature { name: "words" type: BYTES }
        feature { name: "clicks" type: INT int_domain { is_categorical: true } }
      }
    }
    """,
    schema_pb2.Schema(),
)
# The options of the cases in make_golden.py, in our words.
CASES = {
    "values_plain": {},
    "values_schema": {"schema": SCHEMA},
    "values_weighted": {"weight_feature": "weight", "weighted_frequency_threshold": 5.0},
    "values_buckets": {
        "num_top_values": 2,
        "num_rank_histogram_buckets": 3,
        "num_values_histogram_buckets": 4,
        "num_histogram_buckets": 7,
        "num_quantiles_histogram_buckets": 5,
        "frequency_threshold": 60,
        "feature_allowlist": ["text", "ragged_int", "float"],
    },
    "values_sketch": {"use_sketch_based_topk_uniques": True},
    "values_slices": {
        "slicing_config": {
            "slicing_specs": [
                {"feature_keys": ["category"]},
                {"feature_keys": ["flag"], "feature_values": {"category": "2"}},
            ]
        },
        "feature_allowlist": ["category", "flag", "text", "float"],
    },
    "sequence": {},
    "sequence_weighted": {"weight_feature": "age"},
    "sequence_lift": {"schema": SEQUENCE_SCHEMA, "label_feature": "user"},
}
CASES |= {
    "values_lift": {"schema": LIFT_SCHEMA, "label_feature": "category"},
    "values_lift_of_text": {"schema": LIFT_SCHEMA, "label_feature": "ragged_text"},
    "values_lift_weighted": {
        "schema": LIFT_SCHEMA,
        "label_feature": "flag",
        "weight_feature": "weight",
    },
    "values_lift_slices": {
        "schema": LIFT_SCHEMA,
        "label_feature": "text",
        "slicing_config": CASES["values_slices"]["slicing_config"],
    },
}


def read(path):
    return statistics_pb2.DatasetFeatureStatisticsList.FromString(path.read_bytes())


def assert_same(ours, theirs):
    names = [[list(f.path.step) for f in d.features] for d in by_path(theirs).datasets]
    assert [[list(f.path.step) for f in d.features] for d in ours.datasets] == names
    assert differences(by_path(ours), by_path(theirs)) == []


def tfx_examples(name, split):
    return EXAMPLES / name / f"Split-{split}" / "data_tfrecord-00000-of-00001.gz"


@pytest.mark.parametrize("split", ["train", "eval"])
@pytest.mark.parametrize("name", ["penguins", "mixed"])
def test_what_tfx_wrote(name, split):
    ours = generate_statistics([tfx_examples(name, split)])
    theirs = read(GOLDEN / f"{name}_{split}.pb")
    assert ours.datasets[0].name == theirs.datasets[0].name == ""
    assert differences(ours, theirs) == []


def generate(case):
    """Our statistics of the examples that a case is about."""
    kind = case.partition("_")[0]
    payload_format = {
        "values": example_gen_pb2.FORMAT_TF_EXAMPLE,
        "sequence": example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE,
    }[kind]
    options = StatsOptions(**CASES[case])
    return generate_statistics(
        ExampleFiles(paths=[str(GOLDEN / f"{kind}.gz")], payload_format=payload_format), options
    )


@pytest.mark.parametrize("case", CASES)
def test_examples(case):
    assert_same(generate(case), read(GOLDEN / f"{case}.pb"))


def read_schema(path):
    return text_format.Parse(path.read_text("utf-8"), schema_pb2.Schema())


@pytest.mark.parametrize("name", ["penguins", "mixed"])
def test_schemas_of_what_tfx_wrote(name):
    train, eval_ = (generate_statistics([tfx_examples(name, split)]) for split in ("train", "eval"))
    theirs = read_schema(GOLDEN.parents[1] / "schemas" / "golden" / name / "schema.pbtxt")
    assert update_schema(infer_schema(train), eval_) == theirs


@pytest.mark.parametrize("case", [case for case in CASES if "schema" not in CASES[case]])
def test_schemas_of_our_statistics_are_tfdvs(case):
    theirs = read_schema(GOLDEN / f"{case}.pbtxt")
    for named in (theirs.feature, theirs.string_domain):
        # TFDV's statistics, and so its schemas, have an order by chance.
        named.sort(key=lambda message: message.name)
    assert infer_schema(generate(case)) == theirs


def test_only_categorical_integers_get_another_schema():
    """TFDV gives them a string domain, which their own type contradicts."""
    theirs = read_schema(GOLDEN / "values_schema.pbtxt")
    found = diff_schemas(theirs, infer_schema(generate("values_schema")))
    assert {difference.name.split()[1] for difference in found} == {"category", "flag"}


@pytest.mark.parametrize("case", CASES)
def test_options_of_tfdv_are_ours(case):
    written_by_tfdv = (GOLDEN / f"{case}.json").read_text()
    assert StatsOptions.from_json(written_by_tfdv) == StatsOptions(**CASES[case])


def test_the_same_from_several_processes():
    files = [GOLDEN / "values.gz"] * 3
    options = StatsOptions(weight_feature="weight")
    inline = generate_statistics(files, options, engine=LocalEngine(1))
    for processes in (2, 3):
        engine = LocalEngine(processes, inline_bytes=-1)
        assert generate_statistics(files, options, engine=engine) == inline


@pytest.mark.parametrize("rows", [1, 7, 400])
def test_the_same_in_batches_of_any_size(rows):
    ours = generate_statistics(
        [GOLDEN / "values.gz"],
        StatsOptions(desired_batch_size=rows, feature_denylist=["odd_float"]),
    )
    theirs = read(GOLDEN / "values_plain.pb")
    [dataset] = theirs.datasets
    kept = [feature for feature in dataset.features if feature.path.step[0] != "odd_float"]
    del dataset.features[:]
    dataset.features.extend(kept)
    assert_same(ours, theirs)
