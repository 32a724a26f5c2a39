"""Each component by each payload format: the same rows give the same results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

tf = pytest.importorskip("tensorflow")
pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")
pytest.importorskip("ai_edge_litert", reason="pip install 'trainwright[export]'")

from tfx_bsl.coders import tf_graph_record_decoder  # noqa: E402

from trainwright import RecordBatchesOptions, TensorFlowDatasetOptions  # noqa: E402
from trainwright.components.evaluator import executor as evaluator  # noqa: E402
from trainwright.components.rewriter import executor as rewriter  # noqa: E402
from trainwright.components.rewriter.component import RewriteReport  # noqa: E402
from trainwright.components.rewriter.targets import encode_targets, read_targets  # noqa: E402
from trainwright.components.statistics_gen import executor as statistics_gen  # noqa: E402
from trainwright.components.transform import executor as transform  # noqa: E402
from trainwright.components.user_training.fn_args import make_data_accessor  # noqa: E402
from trainwright.data.example_reading.example_files import ExampleFiles  # noqa: E402
from trainwright.data.tfrecord import open_gzip_writer, read_records  # noqa: E402
from trainwright.dsl.base_executor import ExecutorContext  # noqa: E402
from trainwright.evaluation.tfma_format.reading import load_metrics  # noqa: E402
from trainwright.proto import example_gen_pb2  # noqa: E402
from trainwright.schemas.statistics_file import read_statistics  # noqa: E402
from trainwright.types import standard_artifacts  # noqa: E402
from trainwright.types.payload_format import (  # noqa: E402
    DATA_VIEW_URI_PROPERTY_KEY,
    set_payload_format,
)

FORMATS = (
    "FORMAT_TF_EXAMPLE",
    "FORMAT_TF_SEQUENCE_EXAMPLE",
    "FORMAT_PARQUET",
    "FORMAT_PROTO",
)
ROWS = [
    {"x": number / 8, "label": number % 2, "kind": b"even" if number % 4 < 2 else b"odd"}
    for number in range(40)
]
SCHEMA = text_format.Parse(
    """
    feature { name: "x" type: FLOAT presence { min_fraction: 1 } shape {} }
    feature { name: "label" type: INT presence { min_fraction: 1 } shape {} }
    feature { name: "kind" type: BYTES presence { min_fraction: 1 } shape {} }
    """,
    schema_pb2.Schema(),
)


class LineDecoder(tf_graph_record_decoder.TFGraphRecordDecoder):
    """Records are lines: `0.5,1,even`."""

    def decode_record(self, records):
        x, label, kind = tf.io.decode_csv(records, [[0.0], tf.constant([0], tf.int64), [""]])
        return {"x": x, "label": label, "kind": kind}


class TwiceDecoder(LineDecoder):
    """Makes two rows of each record."""

    record_index_tensor_name = "number"

    def decode_record(self, records):
        numbers = tf.repeat(tf.range(tf.size(records), dtype=tf.int64), 2)
        decoded = super().decode_record(tf.gather(records, numbers))
        return {
            **decoded,
            "number": tf.RaggedTensor.from_row_lengths(numbers, tf.ones_like(numbers)),
        }


def put(features, row):
    features["x"].float_list.value.append(row["x"])
    features["label"].int64_list.value.append(row["label"])
    features["kind"].bytes_list.value.append(row["kind"])


def to_record(row, payload_format):
    if payload_format == "FORMAT_TF_EXAMPLE":
        example = tf.train.Example()
        put(example.features.feature, row)
        return example.SerializeToString()
    if payload_format == "FORMAT_TF_SEQUENCE_EXAMPLE":
        example = tf.train.SequenceExample()
        put(example.context.feature, row)
        for step in range(row["label"]):
            steps = example.feature_lists.feature_list["steps"].feature.add()
            steps.float_list.value.extend([row["x"], step])
        return example.SerializeToString()
    return f"{row['x']},{row['label']},{row['kind'].decode()}".encode()


def artifact(kind, uri):
    made = getattr(standard_artifacts, kind)()
    made.uri = str(uri)
    Path(uri).mkdir(parents=True, exist_ok=True)
    return made


@pytest.fixture(scope="module")
def views(tmp_path_factory):
    directory = tmp_path_factory.mktemp("views")
    for decoder in (LineDecoder(), TwiceDecoder()):
        tf_graph_record_decoder.save_decoder(decoder, str(directory / type(decoder).__name__))
    return directory


@pytest.fixture(scope="module")
def examples(tmp_path_factory, views):
    """An Examples artifact of each format, with the same rows in two files of two splits."""
    by_format = {}
    for payload_format in FORMATS:
        made = artifact("Examples", tmp_path_factory.mktemp("examples"))
        made.splits = ["train", "eval"]
        set_payload_format(made, example_gen_pb2.PayloadFormat.Value(payload_format))
        for split in made.splits:
            directory = Path(made.uri) / f"Split-{split}"
            directory.mkdir()
            for number, rows in enumerate((ROWS[:25], ROWS[25:])):
                if payload_format == "FORMAT_PARQUET":
                    path = directory / f"data-{number}.parquet"
                    types = [("x", pa.float32()), ("label", pa.int64()), ("kind", pa.binary())]
                    pq.write_table(pa.Table.from_pylist(rows, pa.schema(types)), path)
                else:
                    with open_gzip_writer(directory / f"data-{number}.gz") as write:
                        write([to_record(row, payload_format) for row in rows])
        if payload_format == "FORMAT_PROTO":
            view = str(views / "LineDecoder")
            made.set_string_custom_property(DATA_VIEW_URI_PROPERTY_KEY, view)
        by_format[payload_format] = made
    return by_format


@pytest.fixture(scope="module")
def undecodable(examples):
    """Examples of FORMAT_PROTO without a DataView."""
    made = standard_artifacts.Examples()
    made.copy_from(examples["FORMAT_PROTO"])
    made.set_string_custom_property(DATA_VIEW_URI_PROPERTY_KEY, "")
    return made


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model that is fed the feature `x` and says how it is."""
    made = artifact("Model", tmp_path_factory.mktemp("model"))
    module = tf.Module()
    module.slope = tf.Variable(0.25)

    @tf.function(input_signature=[tf.TensorSpec([None, 1], tf.float32, name="x")])
    def serve(x):
        return {"scores": x * module.slope}

    module.serve = serve
    tf.saved_model.save(module, f"{made.uri}/Format-Serving", {"serving_default": serve})
    return made


def context(tmp_path):
    return ExecutorContext(tmp_dir=str(tmp_path / "tmp"), report_progress=lambda counts: None)


def run_statistics_gen(given, model, tmp_path) -> Any:
    outputs = {"statistics": [artifact("ExampleStatistics", tmp_path / "statistics")]}
    statistics_gen.Executor(context(tmp_path)).Do({"examples": [given]}, outputs, {})
    [dataset] = read_statistics(str(tmp_path / "statistics" / "Split-train")).datasets
    features = {feature.path.step[0]: feature for feature in dataset.features}
    numbers = features["x"].num_stats
    return (
        dataset.num_examples,
        (numbers.mean, numbers.min, numbers.max, numbers.common_stats.num_non_missing),
        features["label"].num_stats.num_zeros,
        sorted(one.value for one in features["kind"].string_stats.top_values),
    )


def run_transform(given, model, tmp_path) -> Any:
    (tmp_path / "features.py").write_text(
        "import tensorflow as tf, tensorflow_transform as tft\n\n"
        "def preprocessing_fn(inputs):\n"
        "    kind = tft.compute_and_apply_vocabulary(inputs['kind'])\n"
        "    return {'x': tft.scale_to_0_1(inputs['x']), 'kind': kind, 'label': inputs['label']}\n"
    )
    schema = artifact("Schema", tmp_path / "schema")
    (tmp_path / "schema" / "schema.pbtxt").write_text(text_format.MessageToString(SCHEMA))
    outputs = {
        "transform_graph": [artifact("TransformGraph", tmp_path / "graph")],
        "transformed_examples": [artifact("Examples", tmp_path / "transformed")],
    }
    transform.Executor(context(tmp_path)).Do(
        {"examples": [given], "schema": [schema]},
        outputs,
        {"module_file": str(tmp_path / "features.py")},
    )
    batches = ExampleFiles.of_splits(outputs["transformed_examples"], ["eval"]).arrow_batches()
    rows = [row for one in batches for row in one.batch.to_pylist()]
    return [(row["x"], row["kind"], row["label"]) for row in rows]


def run_trainer(given, model, tmp_path) -> Any:
    accessor = make_data_accessor([given])
    files = [f"{given.uri}/Split-train/*"]
    options = TensorFlowDatasetOptions(15, num_epochs=1, shuffle=False, label_key="label")
    batches = list(accessor.tf_dataset_factory(files, options, SCHEMA))
    options = RecordBatchesOptions(40, num_epochs=1, shuffle=False)
    [columns] = accessor.record_batch_factory(files, options, SCHEMA)
    assert sorted(columns.column(columns.schema.get_field_index("x")).to_pylist()) == [
        [row["x"]] for row in ROWS
    ]
    return [
        (features["x"].numpy().tolist(), features["kind"].numpy().tolist(), label.numpy().tolist())
        for features, label in batches
    ]


def run_evaluator(given, model, tmp_path) -> Any:
    config = {
        "model_specs": [{"label_key": "label"}],
        "slicing_specs": [{}, {"feature_keys": ["kind"]}],
        "metrics_specs": [
            {"metrics": [{"class_name": "ExampleCount"}, {"class_name": "MeanLabel"}]},
            {"metrics": [{"class_name": "MeanPrediction"}]},
        ],
    }
    outputs = {
        "evaluation": [artifact("ModelEvaluation", tmp_path / "evaluation")],
        "blessing": [artifact("ModelBlessing", tmp_path / "blessing")],
    }
    evaluator.Executor(context(tmp_path)).Do(
        {"examples": [given], "model": [model]}, outputs, {"eval_config": json.dumps(config)}
    )
    return {
        tuple(str(one.bytes_value) for one in found.slice_key.single_slice_keys): {
            one.key.name: one.value.double_value.value for one in found.metric_keys_and_values
        }
        for found in load_metrics(str(tmp_path / "evaluation"))
    }


def run_rewriter(given, model, tmp_path) -> Any:
    targets = read_targets(["litert", {"to": "litert", "quantize": "full_integer"}])
    outputs = {target.key: [artifact("Model", tmp_path / target.key)] for target in targets}
    report = RewriteReport()
    report.uri = str(tmp_path / "report")
    rewriter.Executor(context(tmp_path)).Do(
        {"examples": [given], "model": [model]},
        {**outputs, "report": [report]},
        {"targets": encode_targets(targets), "num_examples": 30},
    )
    written = json.loads((tmp_path / "report" / "parity.json").read_text())["targets"]
    return {
        key: (found["examples"], found["outputs"][0]["largest_value"], found["problems"])
        for key, found in written.items()
    }


COMPONENTS = {
    "StatisticsGen": run_statistics_gen,
    "Transform": run_transform,
    "Trainer": run_trainer,
    "Evaluator": run_evaluator,
    "Rewriter": run_rewriter,
}


@pytest.fixture(scope="module")
def expected(examples, model, tmp_path_factory):
    """What each component makes of tf.Examples."""
    made: dict[str, Any] = {}

    def get(name):
        if name not in made:
            given = examples["FORMAT_TF_EXAMPLE"]
            made[name] = COMPONENTS[name](given, model, tmp_path_factory.mktemp(name))
        return made[name]

    return get


@pytest.mark.parametrize("payload_format", FORMATS[1:])
@pytest.mark.parametrize("name", COMPONENTS)
def test_every_component_reads_every_format(
    name, payload_format, examples, expected, model, tmp_path
):
    assert COMPONENTS[name](examples[payload_format], model, tmp_path) == expected(name)


def test_what_is_expected_is_what_the_rows_say(expected):
    count, (mean, *_), zeros, _ = expected("StatisticsGen")
    assert (count, zeros) == (40, 20)
    assert mean == pytest.approx(np.mean([row["x"] for row in ROWS]))
    assert [label for _, _, [label] in expected("Transform")] == [row["label"] for row in ROWS]
    assert [x for [x], _, _ in expected("Transform")] == pytest.approx(np.arange(40) / 39)
    assert sum(len(labels) for _, _, labels in expected("Trainer")) == 40
    assert expected("Evaluator")[()]["example_count"] == 40
    assert expected("Evaluator")[(str(b"odd"),)]["mean_label"] == 0.5
    assert expected("Rewriter")["litert"][0] == 30


@pytest.mark.parametrize("name", COMPONENTS)
def test_records_that_nothing_decodes_are_refused_in_one_way(name, undecodable, model, tmp_path):
    with pytest.raises(ValueError, match=r"are in FORMAT_PROTO.*DataViewBinder"):
        COMPONENTS[name](undecodable, model, tmp_path)


def test_rows_of_another_number_are_counted_or_refused(examples, views, model, tmp_path):
    given = standard_artifacts.Examples()
    given.copy_from(examples["FORMAT_PROTO"])
    given.set_string_custom_property(DATA_VIEW_URI_PROPERTY_KEY, str(views / "TwiceDecoder"))
    count, _, zeros, _ = run_statistics_gen(given, model, tmp_path)
    assert (count, zeros) == (80, 40)
    options = TensorFlowDatasetOptions(40, shuffle=False, drop_final_batch=True, num_epochs=1)
    [batch] = make_data_accessor([given]).tf_dataset_factory([f"{given.uri}/Split-eval/*"], options)
    assert batch["label"].numpy().tolist()[:4] == [0, 0, 1, 1]
    for name in ("Transform", "Evaluator", "Rewriter"):
        (tmp_path / name).mkdir()
        with pytest.raises(Exception, match="makes several rows of a record.*'number'"):
            COMPONENTS[name](given, model, tmp_path / name)


def test_the_evaluator_slices_by_what_is_in_sequences(examples, model, tmp_path):
    [path, _] = ExampleFiles.of_splits([examples["FORMAT_TF_SEQUENCE_EXAMPLE"]], ["eval"]).paths
    records = list(read_records(path))
    features = ExampleFiles(payload_format=example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE).features()
    assert features.names(records) == ["kind", "label", "steps", "x"]
    types = features.find_types(records, None, {"steps", "x", "absent"})
    assert sorted(types) == ["steps", "x"]
    steps = features.parse(tf.constant(records[:4]), types)["steps"]
    assert steps.to_list() == [[], [[0.125, 0.0]], [], [[0.375, 0.0]]]
