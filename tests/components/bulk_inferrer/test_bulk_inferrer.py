"""BulkInferrer: what a model says of many examples, as TFX's files have it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROWS, artifact_of, make_example, write_examples

from trainwright.compat.components.prediction_to_example_utils import convert
from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import read_records
from trainwright.engine.engine import InvalidInputError
from trainwright.engine.local_engine import LocalEngine
from trainwright.engine.passes import PassSpec, Shard
from trainwright.proto import bulk_inferrer_pb2, proto_json

tf = pytest.importorskip("tensorflow")
pytest.importorskip("tensorflow_serving", reason="pip install 'trainwright[serve]'")

RECORDS = [make_example(**row) for row in ROWS]


def predict_columns(**columns):
    """An `OutputExampleSpec` for a signature that predicts."""
    listed = [{"output_key": key, "output_column": name} for name, key in columns.items()]
    return {"output_columns_spec": [{"predict_output": {"output_columns": listed}}]}


# What a SavedModel predicts


def test_logs_hold_the_example_and_every_output_as_tensorflow_writes_tensors(infer, model):
    asked = model("penguin")
    logs = infer(asked).logs
    loaded = tf.saved_model.load(f"{asked.uri}/Format-Serving")
    expected = loaded.signatures["serving_default"](examples=tf.constant(RECORDS))
    assert len(logs) == len(RECORDS)
    for number, log in enumerate(logs):
        request, response = log.predict_log.request, log.predict_log.response
        assert request.model_spec.signature_name == "serving_default"
        assert response.model_spec.signature_name == "serving_default"
        assert request.inputs["examples"] == tf.make_tensor_proto([RECORDS[number]])
        assert set(response.outputs) == set(expected)
        for name, values in expected.items():
            wanted = tf.make_tensor_proto(values[number : number + 1].numpy())
            assert response.outputs[name].dtype == wanted.dtype, name
            assert response.outputs[name].tensor_shape == wanted.tensor_shape, name
            assert response.outputs[name] == wanted or name == "counts", name
            made = tf.make_ndarray(response.outputs[name])
            assert (made == values[number : number + 1].numpy()).all(), name


def test_there_is_a_file_for_each_file_and_the_summary_counts(infer, model):
    found = infer(model("penguin"))
    assert found.files() == [f"prediction_logs-0000{number}-of-00003.gz" for number in range(3)]
    assert found.summary == "30 predictions in 3 files (train 18, eval 12)"
    assert found.progress[-2:] == [{"examples": 30}, {"result": found.summary}]


def test_splits_can_be_chosen(infer, model):
    found = infer(model("penguin"), data_spec={"example_splits": ["eval"]})
    assert len(found.logs) == 12
    with pytest.raises(
        ValueError, match=r"'evil'.*not a split of the examples; did you mean 'eval"
    ):
        infer(model("penguin"), data_spec={"example_splits": ["evil"]})


def test_several_artifacts_are_all_read(tmp_path, model, examples):
    from trainwright.components.bulk_inferrer.shards import find_splits

    other = write_examples(tmp_path / "other", {"eval/z.gz": RECORDS[:1], "new/a.gz": RECORDS[:2]})
    found = find_splits([examples, other], bulk_inferrer_pb2.DataSpec())
    assert [(one.name, len(one.paths)) for one in found] == [("train", 2), ("eval", 2), ("new", 1)]


def test_the_same_bytes_come_from_any_number_of_processes(tmp_path, model, examples):
    paths = sorted(Path(examples.uri).rglob("*.gz"))
    spec = PassSpec(
        "trainwright.components.bulk_inferrer.inference_pass:InferencePass",
        {
            "model": f"{model('penguin').uri}/Format-Serving",
            "tags": ["serve"],
            "signatures": [
                {
                    "name": "serving_default",
                    "method": "tensorflow/serving/predict",
                    "takes_serialized": True,
                }
            ],
            "examples": {"payload_format": 6, "data_view": None, "schema": None},
            "batch_rows": 7,
        },
    )

    def run(processes):
        shards = []
        for number, path in enumerate(paths):
            logs = tmp_path / f"{processes}-{number}.gz"
            shards.append(Shard(name=str(path), config={"path": str(path), "logs": str(logs)}))
        with LocalEngine(processes, inline_bytes=-1) as engine:
            assert [one["rows"] for one in engine.map(spec, shards)] == [12, 10, 8]
        return [Path(shard.config["logs"]).read_bytes() for shard in shards]

    assert run(2) == run(1)


def test_ragged_outputs_keep_their_lengths(tmp_path, infer, model):
    records = [make_example(x=float(number)) for number in (2, 0, 3)]
    given = write_examples(tmp_path / "given", {"all/a.gz": records})
    logs = infer(model("ragged"), given=given).logs
    outputs = [tf.make_ndarray(log.predict_log.response.outputs["upto"]) for log in logs]
    assert [one.tolist() for one in outputs] == [[[0, 1]], [[]], [[0, 1, 2]]]
    found = infer(model("ragged"), given=given, output_example_spec=predict_columns(n="upto"))
    values = [list(one.features.feature["n"].int64_list.value) for one in found.examples()]
    assert values == [[0, 1], [], [0, 1, 2]]


def test_a_model_may_be_fed_features_by_name(infer, model):
    logs = infer(model("by_features")).logs
    request, response = logs[3].predict_log.request, logs[3].predict_log.response
    assert sorted(request.inputs) == ["kind", "x"]
    assert tf.make_ndarray(request.inputs["kind"]).tolist() == [[b"even"]]
    assert tf.make_ndarray(response.outputs["twice"]).tolist() == [[ROWS[3]["x"] * 2]]


# What becomes of it


def test_output_examples_have_the_columns_beside_their_own_features(infer, model):
    wanted = {"scores": "outputs", "best": "best", "name": "species", "large": "is_large"}
    spec = predict_columns(**wanted, exact="exact", small="small", half="half", counts="counts")
    found = infer(model("penguin"), output_example_spec=spec)
    assert found.files("output_examples") == [
        "Split-eval/examples-00000-of-00001.gz",
        "Split-train/examples-00000-of-00002.gz",
        "Split-train/examples-00001-of-00002.gz",
    ]
    assert found.outputs["output_examples"].split_names == '["eval", "train"]'
    assert found.summary.startswith("30 examples with scores, best, name, large")
    first = found.examples("Split-train")[0].features.feature
    assert first["x"].float_list.value == [-3.0]
    assert first["kind"].bytes_list.value == [b"odd"]
    assert first["name"].bytes_list.value == [b"Chinstrap"]
    assert first["best"].int64_list.value == [1]
    assert first["large"].int64_list.value == [0]
    assert len(first["counts"].int64_list.value) == 2
    assert first["exact"].float_list.value == [-3.0]
    assert sum(first["scores"].float_list.value) == pytest.approx(1)
    assert sum(first["half"].float_list.value) == pytest.approx(1, abs=1e-2)
    # TensorFlow's own parser reads them, too.
    parsed = tf.io.parse_example(
        found.records("output_examples"), {"scores": tf.io.FixedLenFeature([3], tf.float32)}
    )
    assert parsed["scores"].shape == (30, 3)


@pytest.mark.parametrize(
    ("kind", "model_spec", "columns_spec"),
    [
        ("penguin", {}, predict_columns(s="outputs", b="best", n="species")),
        (
            "estimator",
            {},
            {"output_columns_spec": [{"classify_output": {"label_column": "l"}}]},
        ),
        (
            "estimator",
            {"model_signature_name": ["regression"]},
            {"output_columns_spec": [{"regress_output": {"value_column": "v"}}]},
        ),
        (
            "estimator",
            {"model_signature_name": ["regression", "serving_default"]},
            {
                "output_columns_spec": [
                    {"signature_name": "regression", "regress_output": {"value_column": "v"}},
                    {
                        "signature_name": "serving_default",
                        "classify_output": {"label_column": "l", "score_column": "s"},
                    },
                ]
            },
        ),
    ],
    ids=["predict", "classify", "regress", "several"],
)
def test_both_outputs_say_the_same(infer, model, kind, model_spec, columns_spec):
    """TFX's conversion of a log is the example that is written."""
    specs = {"model_spec": model_spec, "output_example_spec": columns_spec}
    found = infer(model(kind), both=True, **specs)
    spec = proto_json.dict_to_proto(columns_spec, bulk_inferrer_pb2.OutputExampleSpec())
    converted = sorted(
        convert(log, spec).SerializeToString(deterministic=True) for log in found.logs
    )
    written = [one.SerializeToString(deterministic=True) for one in found.examples()]
    assert converted == sorted(written)


def test_estimators_classify_and_regress(infer, model):
    asked = model("estimator")
    log = infer(asked).logs[0].classify_log
    assert (
        log.request.input.example_list.examples[0].SerializeToString(deterministic=True)
        == (RECORDS[0])
    )
    (classified,) = log.response.result.classifications
    assert [one.label for one in classified.classes] == ["no", "yes"]
    assert sum(one.score for one in classified.classes) == pytest.approx(1)
    log = infer(asked, model_spec={"model_signature_name": ["regression"]}).logs[0]
    assert log.regress_log.response.result.regressions[0].value == -6.0
    names = ["only_scores", "regression"]
    log = infer(asked, model_spec={"model_signature_name": names}).logs[0].multi_inference_log
    assert [one.model_spec.signature_name for one in log.response.results] == names
    assert len(log.response.results[0].classification_result.classifications[0].classes) == 2


def test_a_model_that_is_not_blessed_is_not_asked(tmp_path, infer, model):
    blessing = artifact_of("ModelBlessing", tmp_path / "blessing", blessed=0)
    found = infer(artifact_of("Model", "/nowhere"), blessing=blessing)
    assert found.files() == []
    assert found.summary == "no predictions: model_blessing does not bless the model"
    blessed = artifact_of("ModelBlessing", tmp_path / "blessing", blessed=1)
    assert infer(model("penguin"), blessing=blessed).logs


def test_splits_without_files_or_records_have_empty_files(tmp_path, infer, model):
    given = write_examples(tmp_path / "given", {"full/a.gz": []})
    (tmp_path / "given" / "Split-bare").mkdir()
    given.split_names = '["full", "bare"]'
    spec = predict_columns(b="best")
    found = infer(model("penguin"), given=given, both=True, output_example_spec=spec)
    assert found.files() == ["prediction_logs-00000-of-00001.gz"]
    assert found.files("output_examples") == [
        "Split-bare/examples-00000-of-00001.gz",
        "Split-full/examples-00000-of-00001.gz",
    ]
    assert found.records() == found.records("output_examples") == []


# What is refused


def test_the_record_that_the_model_cannot_take_is_named(tmp_path, infer, model):
    records = [*RECORDS[:5], make_example(kind="no x"), *RECORDS[6:]]
    given = write_examples(tmp_path / "given", {"all/a.gz": RECORDS, "all/b.gz": records})
    with pytest.raises(InvalidInputError, match=r"Record 5 of .*b\.gz, counted from 0.*Feature: x"):
        infer(model("penguin"), given=given)
    leftovers = [path.name for path in (tmp_path / "inference_result").iterdir()]
    assert "prediction_logs-00001-of-00002.gz" not in leftovers  # only whole files have a name


def test_a_model_that_is_not_a_saved_model_is_refused(tmp_path, infer, model):
    plain = tmp_path / "plain" / "Format-Serving"
    plain.mkdir(parents=True)
    (plain / "model.pkl").write_bytes(b"pickle")
    with pytest.raises(FileNotFoundError, match=r"no SavedModel at .*found model\.pkl\. A BulkInf"):
        infer(artifact_of("Model", plain.parent))
    (plain / "tflite").write_bytes(b"TFL3")
    with pytest.raises(FileNotFoundError, match="That is LiteRT. A BulkInferrer asks"):
        infer(artifact_of("Model", plain.parent))
    (plain / "saved_model.pb").write_bytes(b"\xff\xff\xff")
    with pytest.raises(ValueError, match=r"saved_model\.pb is damaged"):
        infer(artifact_of("Model", plain.parent))


@pytest.mark.parametrize(
    ("kind", "specs", "message"),
    [
        ("penguin", {"model_spec": {"model_signature_name": ["serve"]}}, "no signature 'serve'"),
        ("penguin", {"model_spec": {"tag": ["gpu"]}}, "no graph with the tags gpu.*graphs: serve"),
        (
            "estimator",
            {"model_spec": {"model_signature_name": ["regression", "predict"]}},
            "'predict' predicts: expected signatures that classify or regress",
        ),
        (
            "penguin",
            {"output_example_spec": predict_columns(a="output")},
            "made of the output 'output', which .* does not have; did you mean 'outputs'",
        ),
        (
            "penguin",
            {"output_example_spec": predict_columns(a="matrix")},
            "'matrix', which has 3 x 3 values for each example: expected a list",
        ),
        (
            "penguin",
            {
                "output_example_spec": {
                    "output_columns_spec": [{"regress_output": {"value_column": "v"}}]
                }
            },
            "for one that regresses, but it predicts. Write a predict_output for it",
        ),
        (
            "estimator",
            {
                "model_spec": {"model_signature_name": ["only_scores"]},
                "output_example_spec": {
                    "output_columns_spec": [{"classify_output": {"label_column": "l"}}]
                },
            },
            "made of the output 'classes', which the signature 'only_scores'.* does not have",
        ),
    ],
)
def test_what_the_model_does_not_have_is_said_before_it_is_asked(
    infer, model, kind, specs, message
):
    with pytest.raises(ValueError, match=message):
        infer(model(kind), **specs)


def test_a_column_that_is_there_already_is_refused(infer, model):
    with pytest.raises(InvalidInputError, match=r"Record 0 of .*feature 'kind' already.*another"):
        infer(model("penguin"), output_example_spec=predict_columns(kind="best"))


def test_a_model_that_cannot_be_loaded_is_not_a_records_fault(tmp_path, infer, model):
    import shutil

    broken = tmp_path / "broken"
    shutil.copytree(model("penguin").uri, broken)
    for path in (broken / "Format-Serving" / "variables").iterdir():
        path.write_bytes(b"damaged")
    with pytest.raises(Exception, match="(?s)^(?!.*Record 0)") as raised:
        infer(artifact_of("Model", broken))
    assert not isinstance(raised.value, InvalidInputError)
    with pytest.raises(ValueError, match="need an output_example_spec"):
        infer(model("penguin"), both=True)


def test_an_output_without_a_row_for_each_record_is_refused(infer, model):
    asked = model("as_it_is", batch_dimension=False)
    with pytest.raises(InvalidInputError, match="'length' of the signature 'serving_default' has"):
        infer(asked)


# Records of other formats


def to_sequence(row):
    sequence = tf.train.SequenceExample()
    sequence.context.feature["x"].float_list.value.append(row["x"])
    sequence.feature_lists.feature_list["steps"].feature.add().int64_list.value.append(4)
    return sequence.SerializeToString(deterministic=True)


def test_sequence_examples_get_columns_in_their_context(tmp_path, infer, model):
    records = [to_sequence(row) for row in ROWS[:3]]
    given = write_examples(tmp_path / "given", {"all/a.gz": records})
    given.set_string_custom_property("payload_format", "FORMAT_TF_SEQUENCE_EXAMPLE")
    spec = predict_columns(bytes="length")
    found = infer(model("as_it_is"), given=given, both=True, output_example_spec=spec)
    assert found.logs[1].predict_log.request.inputs["records"].string_val == [records[1]]
    written = tf.train.SequenceExample.FromString(found.records("output_examples")[0])
    assert written.context.feature["bytes"].int64_list.value == [len(records[0])]
    assert written.feature_lists.feature_list["steps"].feature[0].int64_list.value == [4]
    output = found.outputs["output_examples"]
    assert output.get_string_custom_property("payload_format") == "FORMAT_TF_SEQUENCE_EXAMPLE"
    with pytest.raises(ValueError, match="FORMAT_TF_SEQUENCE_EXAMPLE: expected tf.Examples"):
        infer(model("estimator"), given=given)


def test_rows_of_parquet_files_are_asked_about_as_examples(tmp_path, infer, model):
    import pyarrow as pa
    import pyarrow.parquet as pq

    directory = tmp_path / "given" / "Split-all"
    directory.mkdir(parents=True)
    table = pa.table({"x": pa.array([0.5, 2.0], pa.float32()), "kind": ["a", "b"]})
    pq.write_table(table, directory / "a.parquet")
    given = artifact_of("Examples", directory.parent, ["all"])
    given.set_string_custom_property("payload_format", "FORMAT_PARQUET")
    spec = predict_columns(best="best")
    found = infer(model("penguin"), given=given, output_example_spec=spec)
    assert [one.features.feature["x"].float_list.value[0] for one in found.examples()] == [0.5, 2]
    output = found.outputs["output_examples"]
    assert output.get_string_custom_property("payload_format") == "FORMAT_TF_EXAMPLE"


def test_in_a_pipeline_the_summary_says_what_was_predicted(tmp_path, model, capfd):
    from trainwright import Importer, LocalDagRunner, Pipeline
    from trainwright.components import BulkInferrer, CsvExampleGen
    from trainwright.types import standard_artifacts

    data = tmp_path / "data"
    data.mkdir()
    (data / "a.csv").write_text("x,kind\n" + "".join(f"{n}.5,odd\n" for n in range(40)))
    example_gen = CsvExampleGen(str(data))
    imported = Importer(model("penguin").uri, standard_artifacts.Model).with_id("Model")
    inferrer = BulkInferrer(
        example_gen.outputs["examples"],
        imported.outputs["result"],
        output_example_spec=predict_columns(best="best"),
    )
    pipeline = Pipeline(
        "bulk", str(tmp_path / "root"), components=[example_gen, imported, inferrer]
    )
    result = LocalDagRunner().run(pipeline)
    (output,) = result.outputs["BulkInferrer"]["output_examples"]
    assert "BulkInferrer: 40 examples with best in 2 files" in capfd.readouterr().err
    found = [
        example_class().FromString(one)
        for path in sorted(Path(output.uri).rglob("*.gz"))
        for one in read_records(path)
    ]
    assert len(found) == 40
    assert all("best" in one.features.feature for one in found)


def test_bisection_finds_the_first_of_several():
    from trainwright.components.bulk_inferrer.bulk_model import bisect_failure

    records = [b"%d" % number for number in range(37)]
    assert bisect_failure(records, lambda some: b"20" in some or b"9" in some) == (9, 10)
    assert bisect_failure(records, lambda some: b"3" in some and b"30" in some) == (0, 37)
