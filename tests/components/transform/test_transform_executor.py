"""Transform, executed by hand: what it writes where, for what it is given."""

from __future__ import annotations

import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from google.protobuf import text_format
from raw_example_files import PRELUDE, write_examples
from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright.components.user_training.fn_args import make_data_accessor
from trainwright.data.dataset_options import TensorFlowDatasetOptions
from trainwright.data.example_messages import sequence_example_class
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.proto import example_gen_pb2
from trainwright.types.payload_format import get_payload_format, set_payload_format
from trainwright.types.standard_artifacts import Examples

SCALE = """\
def preprocessing_fn(inputs):
    word = tft.compute_and_apply_vocabulary(inputs["word"], vocab_filename="word")
    return {"x": tft.scale_to_0_1(inputs["x"]), "word": word}
"""


def read_statistics(directory):
    content = (directory / "FeatureStats.pb").read_bytes()
    return statistics_pb2.DatasetFeatureStatisticsList.FromString(content).datasets[0]


def read_schema(directory):
    return text_format.Parse((directory / "schema.pbtxt").read_text(), schema_pb2.Schema())


def test_all_outputs(transform, examples):
    transformed = transform(SCALE)
    assert {path.name for path in transformed["transform_graph"].iterdir()} == {
        "metadata",
        "transformed_metadata",
        "transform_fn",
    }
    [artifact] = transformed.artifacts["transformed_examples"]
    assert artifact.splits == ["train", "eval"]
    assert get_payload_format(artifact) == example_gen_pb2.FORMAT_TF_EXAMPLE
    files = transformed["transformed_examples"]
    assert sorted(str(path.relative_to(files)) for path in files.rglob("*.gz")) == [
        "Split-eval/transformed_examples-00000-of-00001.gz",
        "Split-train/transformed_examples-00000-of-00002.gz",
        "Split-train/transformed_examples-00001-of-00002.gz",
    ]
    # The training examples have x from 0 to 9.5, and evaluation goes on from there.
    assert [float(row["x"][0]) for row in transformed.rows("train")] == pytest.approx(
        [number / 19 for number in range(20)]
    )
    assert float(transformed.rows("eval")[-1]["x"][0]) == pytest.approx(29 / 19)
    assert list(transformed["updated_analyzer_cache"].iterdir())
    assert transformed.progress[-1] == {"examples": 30}
    assert {"analyzing": 20} in transformed.progress
    assert {"transforming": 30} in transformed.progress


def test_statistics_schemas_and_anomalies(transform):
    transformed = transform(SCALE)
    raw = read_statistics(transformed["pre_transform_stats"])
    assert raw.num_examples == 20  # of what is analyzed
    assert len(raw.features) == 4
    assert len(read_schema(transformed["pre_transform_schema"]).feature) == 4
    after = read_statistics(transformed["post_transform_stats"])
    assert after.num_examples == 30  # of what is transformed
    assert {feature.path.step[0] for feature in after.features} == {"x", "word"}
    assert {one.name for one in read_schema(transformed["post_transform_schema"]).feature} == {
        "x",
        "word",
    }
    content = (transformed["post_transform_anomalies"] / "SchemaDiff.pb").read_bytes()
    assert not anomalies_pb2.Anomalies.FromString(content).anomaly_info


def test_statistics_without_transformed_examples(transform):
    transformed = transform(SCALE, materialize=False)
    assert "transformed_examples" not in transformed.artifacts
    assert read_statistics(transformed["post_transform_stats"]).num_examples == 30


def test_the_graph_alone(transform):
    transformed = transform(
        SCALE, materialize=False, disable_statistics=True, disable_analyzer_cache=True
    )
    assert list(transformed.artifacts) == ["transform_graph"]
    assert transformed.graph.vocabulary_size_by_name("word") == 3
    assert transformed.progress[-1] == {"examples": 0}


def test_splits_are_chosen(transform):
    config = {"analyze": ["eval"], "transform": ["train"]}
    transformed = transform(SCALE, splits_config=config)
    assert transformed.artifacts["transformed_examples"][0].splits == ["train"]
    assert read_statistics(transformed["pre_transform_stats"]).num_examples == 10
    # 10 is the smallest x of the evaluation examples, and 0 that of the training examples.
    assert float(transformed.rows("train")[0]["x"][0]) == pytest.approx(-10 / 4.5)


def test_nothing_to_transform(transform):
    transformed = transform(SCALE, splits_config={"analyze": ["train"]})
    assert transformed.artifacts["transformed_examples"][0].splits == []
    assert read_statistics(transformed["post_transform_stats"]).num_examples == 0


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"analyze": ["trian"]}, "'trian' in analyze, .*; did you mean 'train'. Known are 'eval'"),
        ({"analyze": ["train"], "transform": ["test"]}, "names 'test' in transform"),
        ({"transform": ["train"]}, "analyze cannot be empty when splits_config is set"),
    ],
)
def test_splits_that_are_not_there(transform, config, message):
    with pytest.raises(ValueError, match=message):
        transform(SCALE, splits_config=config)


def test_no_split_to_train(transform, tmp_path):
    given = [write_examples(tmp_path / "other", everything=[[1, 2]])]
    with pytest.raises(ValueError, match=r"'train' is analyzed, and the examples have \['every"):
        transform(SCALE, given=given)


def test_artifacts_with_different_splits(transform, examples, tmp_path):
    given = [examples, write_examples(tmp_path / "other", train=[[1]])]
    with pytest.raises(ValueError, match="Not all input artifacts have the same split names"):
        transform(SCALE, given=given)


def test_a_split_without_files_and_one_without_examples(transform, tmp_path, caplog):
    given = [write_examples(tmp_path / "some", train=[[1, 2, 3]], eval=[], test=[[]])]
    transformed = transform(SCALE, given=given)
    assert len(transformed.rows("train")) == 3
    assert transformed.rows("eval") == transformed.rows("test") == []
    assert "Split eval has no examples" in caplog.text
    assert "Split test has no examples" in caplog.text


def test_no_examples_at_all(transform, tmp_path, caplog):
    given = [write_examples(tmp_path / "none", train=[[]], eval=[])]
    transformed = transform(SCALE, given=given)
    assert transformed.rows("train") == []
    assert "There are no examples in train" in caplog.text
    assert read_statistics(transformed["post_transform_stats"]).num_examples == 0


def spans(tmp_path):
    """Three spans of examples, newest first, as a resolver gives them."""
    made = []
    for span in (3, 2, 1):
        rows = list(range(span * 100, span * 100 + 10))
        artifact = write_examples(tmp_path / f"span{span}", train=[rows[:7]], eval=[rows[7:]])
        artifact.span = span
        made.append(artifact)
    return made


def graph_files(transformed):
    """What a transform graph holds, but for the fingerprint of the saving."""
    directory = transformed["transform_graph"]
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and path.suffix in (".pbtxt", "") and "saved_model" not in path.name
    }


def test_several_artifacts(transform, tmp_path):
    given = spans(tmp_path)
    transformed = transform(SCALE, given=given)
    [artifact] = transformed.artifacts["transformed_examples"]
    assert artifact.span == 3
    assert sorted(os.listdir(transformed["transformed_examples"] / "Split-train")) == [
        f"transformed_examples-0000{number}-of-00003.gz" for number in range(3)
    ]
    # From the first span to the last, whatever the order of the channel.
    x = [float(row["x"][0]) for row in transformed.rows("train")]
    assert x == sorted(x)
    assert (x[0], x[-1]) == (0.0, 1.0)
    again = transform(SCALE, given=given[::-1])
    assert graph_files(again) == graph_files(transformed)


def test_the_analyzer_cache_knows_earlier_spans(transform, tmp_path, caplog):
    caplog.set_level("INFO")
    *_, second, first = given = spans(tmp_path)
    before = transform(SCALE, given=[second, first])
    caplog.clear()
    cached = transform(SCALE, given=given, caches=before.artifacts["updated_analyzer_cache"])
    analyzed = [r.getMessage() for r in caplog.records if "examples analyzed" in r.getMessage()]
    assert analyzed == [f"train in {tmp_path}/span3/Split-train: 7 examples analyzed"]
    assert f"span1/Split-train: {2} of {2} analyzers have been through it before" in caplog.text
    fresh = transform(SCALE, given=given)
    assert graph_files(cached) == graph_files(fresh)
    assert cached.rows("eval") == fresh.rows("eval")
    # What was known is handed on.
    entries = {path.name for path in cached["updated_analyzer_cache"].rglob("*")}
    assert entries > {path.name for path in before["updated_analyzer_cache"].rglob("*")}


def test_a_changed_function_does_not_take_what_the_cache_has(transform, caplog):
    before = transform(SCALE)
    caplog.set_level("INFO")
    after = transform(
        SCALE.replace('inputs["x"]', 'inputs["x"] + 1.0').replace("0_1", "z_score"),
        caches=before.artifacts["updated_analyzer_cache"],
    )
    assert "1 of 2 analyzers have been through it before" in caplog.text
    x = [float(row["x"][0]) for row in after.rows("train")]
    assert np.mean(x) == pytest.approx(0, abs=1e-6)


def test_custom_config_is_for_functions_that_take_it(transform):
    source = """\
    def preprocessing_fn(inputs, custom_config):
        return {"x": inputs["x"] * custom_config["factor"]}

    def stats_options_updater_fn(stats_type, stats_options, custom_config):
        stats_options.num_top_values = int(custom_config["factor"])
        return stats_options
    """
    transformed = transform(source, custom_config={"factor": 2.0})
    assert float(transformed.rows("train")[3]["x"][0]) == 3.0
    word = next(
        feature
        for feature in read_statistics(transformed["pre_transform_stats"]).features
        if feature.path.step[0] == "word"
    )
    assert len(word.string_stats.top_values) == 2
    plain = transform(SCALE, custom_config={"factor": 2.0})
    assert len(plain.rows("train")) == 20


def test_options_of_statistics_are_updated(transform):
    source = SCALE + (
        """
from tfx.components.transform import stats_options_util
def stats_options_updater_fn(stats_type, stats_options):
    if stats_type == stats_options_util.StatsType.PRE_TRANSFORM:
        stats_options.feature_allowlist = ["x"]
    else:
        for feature in stats_options.schema.feature:
            if feature.name == "x":
                feature.float_domain.max = 1.0
    return stats_options
"""
    )
    transformed = transform(source)
    assert len(read_statistics(transformed["pre_transform_stats"]).features) == 1
    content = (transformed["post_transform_anomalies"] / "SchemaDiff.pb").read_bytes()
    assert list(anomalies_pb2.Anomalies.FromString(content).anomaly_info) == ["x"]
    note = transformed.artifacts["transform_graph"][0].get_string_custom_property("summary")
    assert note.startswith("anomalies after transforming: 1: x (")
    with pytest.raises(ValueError, match="returned None for StatsType.PRE_TRANSFORM"):
        transform(SCALE + "def stats_options_updater_fn(stats_type, stats_options): pass\n")
    misspelt = "    stats_options.num_top_vlaues = 3\n"
    with pytest.raises(AttributeError, match="'num_top_vlaues'; did you mean 'num_top_values'"):
        transform(SCALE + f"def stats_options_updater_fn(stats_type, stats_options):\n{misspelt}")


def test_functions_of_tensorflow_1(transform):
    transformed = transform(
        """\
        def preprocessing_fn(inputs):
            with tf.compat.v1.variable_scope("scaling"):
                return {
                    "x": tft.scale_to_0_1(inputs["x"]),
                    "word": tft.compute_and_apply_vocabulary(inputs["word"]),
                }
        """,
        force_tf_compat_v1=True,
    )
    x = [float(row["x"][0]) for row in transformed.rows("train")]
    assert x == pytest.approx([number / 19 for number in range(20)])


def test_a_function_by_its_path_and_by_itself(transform, tmp_path, monkeypatch):
    (tmp_path / "features_by_path.py").write_text(PRELUDE + SCALE)
    monkeypatch.syspath_prepend(str(tmp_path))
    by_path = transform(preprocessing_fn="features_by_path.preprocessing_fn")

    import features_by_path

    by_itself = transform(preprocessing_fn=features_by_path.preprocessing_fn)
    assert by_path.rows("eval") == by_itself.rows("eval")
    assert len(by_path.rows("eval")) == 10


def test_sequence_examples(transform, tmp_path):
    directory = tmp_path / "sequences" / "Split-train"
    directory.mkdir(parents=True)
    with open_gzip_writer(directory / "data-00000-of-00001.gz") as write:
        records = []
        for number in range(6):
            example = sequence_example_class()()
            example.context.feature["x"].float_list.value.append(number)
            for step in range(number):
                added = example.feature_lists.feature_list["steps"].feature.add()
                added.float_list.value.append(step)
            records.append(example.SerializeToString())
        write(records)
    artifact = Examples()
    artifact.uri = str(tmp_path / "sequences")
    artifact.splits = ["train"]
    set_payload_format(artifact, example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE)
    transformed = transform(
        """\
        def preprocessing_fn(inputs):
            steps = inputs["##SEQUENCE##.steps"]
            total = tf.reduce_sum(steps, axis=[1, 2])
            return {"x": tft.scale_to_0_1(inputs["x"]), "total": tft.scale_to_0_1(total)}
        """,
        given=[artifact],
        schema="""
            feature { name: "x" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 1 } } }
            feature { name: "##SEQUENCE##" type: STRUCT struct_domain {
                feature { name: "steps" type: FLOAT value_count { min: 1 max: 1 } } } }
        """,
    )
    assert [float(row["total"]) for row in transformed.rows("train")][-1] == 1.0
    assert read_statistics(transformed["pre_transform_stats"]).num_examples == 6


def test_other_payload_formats_are_refused(transform, examples):
    other = Examples()
    other.copy_from(examples)
    set_payload_format(other, example_gen_pb2.FORMAT_PROTO)
    with pytest.raises(ValueError, match="are in FORMAT_PROTO, and no DataView is bound"):
        transform(SCALE, given=[other])


def test_parquet_stays_parquet_and_gives_the_same_numbers(transform, tmp_path):
    rows = list(range(30))
    plain = transform(SCALE)
    for split, numbers in (("train", rows[:20]), ("eval", rows[20:]), ("new", [])):
        (tmp_path / "parquet" / f"Split-{split}").mkdir(parents=True)
        table = pa.table(
            {
                "x": pa.array([number / 2 for number in numbers], pa.float32()),
                "count": pa.array(numbers, pa.int64()),
                "word": pa.array(["abc"[number % 3] for number in numbers], pa.string()),
                "maybe": pa.array([number if number % 4 else None for number in numbers], "f4"),
            }
        )
        if numbers:
            pq.write_table(table, tmp_path / "parquet" / f"Split-{split}" / "data.parquet")
    raw = Examples()
    raw.uri = str(tmp_path / "parquet")
    raw.splits = ["train", "eval", "new"]
    set_payload_format(raw, example_gen_pb2.FORMAT_PARQUET)
    transformed = transform(SCALE, given=[raw])
    [artifact] = transformed.artifacts["transformed_examples"]
    assert get_payload_format(artifact) == example_gen_pb2.FORMAT_PARQUET
    directory = transformed["transformed_examples"]
    name = "transformed_examples-00000-of-00001.parquet"
    for split in ("train", "eval"):
        written = pq.read_table(directory / f"Split-{split}" / name)
        expected = plain.rows(split)
        assert written["x"].to_pylist() == [row["x"].tolist() for row in expected]
        assert written["word"].to_pylist() == [row["word"].tolist() for row in expected]
        # What a Trainer's run_fn reads is the same.
        [batch] = make_data_accessor([artifact]).tf_dataset_factory(
            [f"{directory}/Split-{split}/*"],
            TensorFlowDatasetOptions(batch_size=30, num_epochs=1, shuffle=False),
            transformed.graph.transformed_metadata.schema,
        )
        assert batch["x"].numpy().tolist() == [row["x"].tolist() for row in expected]
    assert pq.read_table(directory / "Split-new" / name).num_rows == 0
    assert read_statistics(transformed["pre_transform_stats"]).num_examples == 20
    assert read_statistics(transformed["post_transform_stats"]).num_examples == 30
