"""LiteRT models are asked and evaluated as the SavedModels that they were made of."""

from __future__ import annotations

import json
import shutil
import sys

import numpy as np
import pytest
from converted_models import COLUMNS, column, make_module, save, write

import tensorflow_model_analysis as tfma
from trainwright.engine.engine import InvalidInputError
from trainwright.evaluation.models.litert_model import LiteRtModel
from trainwright.evaluation.models.saved_model import ServedModel
from trainwright.proto.tfma.config_pb2 import ModelSpec

ROWS = [
    {"x": 0.9, "label": 1, "town": "Ulm", "year": 2007},
    {"x": 0.2, "label": 0, "town": "Ulm", "year": 2007},
    {"x": 0.6, "label": 0, "town": "Bonn", "year": 2008},
    {"x": 0.8, "label": 1, "town": "Bonn", "year": 2007},
]


def convert(saved_model, *signatures, **options):
    """The content of a LiteRT file."""
    import tensorflow as tf

    converter = tf.lite.TFLiteConverter.from_saved_model(
        saved_model, signature_keys=list(signatures) or None
    )
    for name, value in options.items():
        setattr(converter, name, value)
    return converter.convert()


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The SavedModel that the others are compared with."""
    directory = tmp_path_factory.mktemp("litert") / "saved"
    return save(make_module(), directory, serving_default="classify", total="add_up", score="score")


@pytest.fixture(scope="module")
def expected(saved):
    return ServedModel(saved, ModelSpec()).predict(None, COLUMNS)


@pytest.fixture(scope="module")
def converted(saved, tmp_path_factory):
    """A LiteRT model with two signatures."""
    content = convert(saved, "serving_default", "total")
    return write(tmp_path_factory.mktemp("litert") / "converted", "tflite", content)


@pytest.fixture(scope="module")
def scorer(saved, tmp_path_factory):
    """A Model artifact's directory; the prediction is the feature `x`."""
    directory = tmp_path_factory.mktemp("litert") / "model"
    write(directory / "Format-Serving", "tflite", convert(saved, "score"))
    return directory


def ask(path, columns=COLUMNS, **spec):
    return LiteRtModel(path, ModelSpec(**spec)).predict(None, columns)


class TestPredicting:
    def test_it_says_what_the_saved_model_says(self, converted, expected):
        model = LiteRtModel(converted, ModelSpec())
        assert model.features_needed(COLUMNS) == {"p", "year"}
        # Batches of other sizes, one after the other.
        few = {name: column(*[[0.5, 0.5]] if name == "p" else [[1]]) for name in ("p", "year")}
        assert model.predict(None, few)["logits"].shape == (1, 3)
        found = model.predict(None, COLUMNS)
        assert found.keys() == expected.keys()
        for name, values in expected.items():
            np.testing.assert_allclose(found[name], values, rtol=1e-5, atol=1e-6)

    def test_a_signature_is_chosen_by_name(self, converted):
        total = ask(converted, signature_name="total")["total"]
        np.testing.assert_allclose(total, [1.0, 0.6, 1.6, 1.0, 1.0], rtol=1e-6)
        with pytest.raises(ValueError, match="no signature 'totl'; did you mean 'total'"):
            ask(converted, signature_name="totl")

    def test_a_signature_may_preprocess(self, converted):
        model = LiteRtModel(converted, ModelSpec(preprocessing_function_names=["total"]))
        made = model.preprocess(None, COLUMNS)
        np.testing.assert_allclose(made["total"].values, [1.0, 0.6, 1.6, 1.0, 1.0], rtol=1e-6)

    def test_an_output_may_be_named_by_its_tensor_as_in_tfma(self, converted, expected):
        named = ask(converted, prediction_key="StatefulPartitionedCall:1")
        assert set(named) == {"logits", "StatefulPartitionedCall:1"}
        np.testing.assert_allclose(
            named["StatefulPartitionedCall:1"], expected["probabilities"], rtol=1e-5
        )

    def test_a_fixed_batch_is_asked_in_pieces(self, expected, tmp_path):
        path = save(make_module(batch=2), tmp_path / "saved", serving_default="classify")
        found = ask(write(tmp_path / "fixed", "tflite", convert(path)))
        np.testing.assert_allclose(found["logits"], expected["logits"], rtol=1e-5, atol=1e-6)

    def test_integers_stand_for_numbers(self, expected, tmp_path):
        import tensorflow as tf

        def representative():
            for p in np.linspace(0, 1, 20, dtype=np.float32):
                for row in ([p, 1 - p], [p, p]):
                    yield {"p": np.array([row]), "year": np.array([[3 * p]])}

        content = convert(
            save(make_module(batch=1), tmp_path / "saved", serving_default="classify"),
            optimizations=[tf.lite.Optimize.DEFAULT],
            representative_dataset=representative,
            target_spec=tf.lite.TargetSpec([tf.lite.OpsSet.TFLITE_BUILTINS_INT8]),
            inference_input_type=tf.uint8,
            inference_output_type=tf.int8,
        )
        found = ask(write(tmp_path / "quantized", "tflite", content))
        assert found["logits"].dtype == np.float32
        np.testing.assert_allclose(found["logits"], expected["logits"], atol=0.06)
        np.testing.assert_allclose(found["probabilities"], expected["probabilities"], atol=0.01)
        beyond = {"p": column([1.0, 1.0]), "year": column([1000])}
        # The largest year that there is, and not what is left of 1000 in eight bits.
        assert 3 < ask(str(tmp_path / "quantized"), beyond)["logits"].max() < 6

    def test_a_model_without_signatures_is_one_function(self, saved, expected, tmp_path):
        content = without_signatures(convert(saved, "serving_default"))
        found = ask(write(tmp_path, "model.tflite", content), signature_name="serving_default")
        for number, name in enumerate(["logits", "probabilities"]):
            values = found[f"StatefulPartitionedCall:{number}"]
            np.testing.assert_allclose(values, expected[name], rtol=1e-5, atol=1e-6)

    def test_strings_can_be_a_feature(self, tmp_path):
        path = save(make_module(), tmp_path / "saved", serving_default="name_town")
        found = ask(write(tmp_path / "text", "tflite", convert(path)))
        assert found["towns"].tolist() == COLUMNS["town"].values.tolist()


def without_signatures(content):
    """The model as converters of older times wrote it: names of tensors alone."""
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema

    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(content, 0))
    model.signatureDefs = []
    builder = flatbuffers.Builder(len(content))
    builder.Finish(model.Pack(builder), file_identifier=b"TFL3")
    return bytes(builder.Output())


class TestRefusing:
    def test_serialized_examples_are_no_input(self, tmp_path):
        import tensorflow as tf

        path = save(make_module(), tmp_path / "saved", serving_default="parse")
        ops = [tf.lite.OpsSet.TFLITE_BUILTINS, tf.lite.OpsSet.SELECT_TF_OPS]
        content = convert(path, target_spec=tf.lite.TargetSpec(ops))
        with pytest.raises(ValueError, match="Convert a signature that takes a tensor for each"):
            ask(write(tmp_path / "flex", "tflite", content))
        # As if they were a feature: what is in the way is said as well.
        with pytest.raises(ValueError, match="operations that only TensorFlow has"):
            ask(str(tmp_path / "flex"), {"examples": column([b"1"], [b"2"])})

    @pytest.mark.parametrize("keep", [0, 3, 500])
    def test_a_file_that_is_no_model(self, converted, tmp_path, keep):
        with open(f"{converted}/tflite", "rb") as file:
            path = write(tmp_path, "tflite", file.read()[:keep])
        with pytest.raises(ValueError, match=rf"tflite \({keep} bytes\) is not a LiteRT model"):
            ask(path)

    def test_no_file(self, saved, tmp_path):
        with pytest.raises(FileNotFoundError, match="expected the file tflite .* found nothing"):
            ask(str(tmp_path))
        with pytest.raises(FileNotFoundError, match="That is a SavedModel: leave model_type='tf_l"):
            ask(saved)

    def test_a_feature_that_is_missing(self, converted):
        with pytest.raises(ValueError, match="LiteRT model at .* takes 'year', which the examples"):
            ask(converted, {"p": COLUMNS["p"], "yeer": COLUMNS["year"]})


LABELED = {"label_key": "label", "model_type": "tf_lite"}


def config(*specs, bound=0.75):
    threshold = {
        "value_threshold": {"lower_bound": {"value": bound}},
        "change_threshold": {"absolute": -0.01, "direction": "HIGHER_IS_BETTER"},
    }
    metric = {"class_name": "BinaryAccuracy", "threshold": threshold}
    return {
        "model_specs": list(specs),
        "slicing_specs": [{}, {"feature_keys": ["town"]}],
        "metrics_specs": [{"metrics": [metric]}],
    }


class TestEvaluating:
    @pytest.mark.parametrize("bound", [0.4, 0.75])
    def test_it_is_blessed_or_not(self, run, examples, model_at, scorer, bound):
        done = run(examples(ROWS), model_at(scorer), eval_config=config(LABELED, bound=bound))
        assert done.metrics() == {"binary_accuracy": 0.75}
        assert done.metrics(slice_key=[("town", "Bonn")]) == {"binary_accuracy": 0.5}
        assert done.blessed == int(bound == 0.4)

    @pytest.mark.parametrize(
        "specs",
        [
            [{"label_key": "label"}],
            [
                {**LABELED, "name": "small"},
                {"label_key": "label", "name": "large", "is_baseline": True},
            ],
        ],
    )
    def test_it_is_compared_with_its_source(self, run, examples, model, model_at, scorer, specs):
        source = model(shift=-0.15)
        evaluated = config(*specs, bound=0.1)
        done = run(examples(ROWS), model_at(scorer), source, eval_config=evaluated)
        name = specs[0].get("name", "candidate")
        assert done.metrics(name, [("town", "Bonn")]) == {"binary_accuracy": 0.5}
        assert done.metrics(name, [("town", "Bonn")], is_diff=True) == {"binary_accuracy": -0.5}
        assert "is -0.25" in done.blessing.get_string_custom_property("summary")
        assert done.blessed == 0
        better = run(
            examples(ROWS),
            source,
            model_at(scorer),
            eval_config=config({"label_key": "label"}, bound=0.1),
        )
        assert better.blessed == 1

    def test_metrics_that_its_source_was_compiled_with_come_along(
        self, run, examples, model_at, scorer, tmp_path
    ):
        shutil.copytree(scorer, tmp_path / "model")
        compiled = {"library": "tf_keras", "output_names": ["scores"]}
        compiled["compile_config"] = {"loss": "mse", "metrics": ["mae"]}
        written = json.dumps(compiled).encode()
        extra = tmp_path / "model" / "Format-Serving" / "assets.extra"
        write(extra, "keras_compile_config.json", written)
        done = run(examples(ROWS), model_at(tmp_path / "model"), eval_config=config(LABELED))
        assert done.metrics() == pytest.approx(
            {"binary_accuracy": 0.75, "mae": 0.275, "loss": 0.1125}
        )

    def test_a_threshold_on_what_it_does_not_bring(self, run, examples, model_at, scorer):
        asked = config(LABELED)
        asked["metrics_specs"] = [{"thresholds": {"auc": {"value_threshold": {}}}}]
        with pytest.raises(ValueError, match="No model brings any: list them in metrics_specs"):
            run(examples(ROWS), model_at(scorer), eval_config=asked)

    def test_a_module_may_leave_the_loading_to_tfma(
        self, run, examples, model_at, scorer, tmp_path
    ):
        (tmp_path / "loading.py").write_text(
            "import tensorflow_model_analysis as tfma\n"
            "def custom_eval_shared_model(eval_saved_model_path, model_name, eval_config):\n"
            "    return tfma.default_eval_shared_model(\n"
            "        eval_saved_model_path, model_name=model_name, eval_config=eval_config)\n"
        )
        done = run(
            examples(ROWS),
            model_at(scorer),
            eval_config=config(LABELED),
            module_file=str(tmp_path / "loading.py"),
        )
        assert done.metrics() == {"binary_accuracy": 0.75}

    def test_a_broken_file_fails_the_node_with_its_name(self, run, examples, model_at, tmp_path):
        write(tmp_path / "model" / "Format-Serving", "tflite", b"half a model")
        with pytest.raises(InvalidInputError, match=r"tflite \(12 bytes\) is not a LiteRT model"):
            run(examples(ROWS), model_at(tmp_path / "model"), eval_config=config(LABELED))

    def test_the_wrong_type_is_said_before_anything_is_asked(
        self, run, examples, model, model_at, scorer
    ):
        keras = {"label_key": "label", "model_type": "tf_keras"}
        with pytest.raises(FileNotFoundError, match="That is LiteRT: say model_type='tf_lite'"):
            run(examples(ROWS), model_at(scorer), eval_config=config(keras))
        with pytest.raises(FileNotFoundError, match="no LiteRT model at .*found .*saved_model.pb"):
            run(examples(ROWS), model(), eval_config=config(LABELED))

    def test_what_is_missing_is_said_before_anything_runs(
        self, run, examples, model_at, scorer, monkeypatch
    ):
        for name in ("ai_edge_litert", "ai_edge_litert.interpreter"):
            monkeypatch.setitem(sys.modules, name, None)
        advice = r"not installed. Install it with: pip install 'trainwright\[export\]'"
        for spec in (LABELED, {"label_key": "label"}):
            with pytest.raises(ValueError, match=advice):
                run(examples(ROWS), model_at(scorer), eval_config=config(spec))
        with pytest.raises(ModuleNotFoundError, match=advice):
            ask(f"{scorer}/Format-Serving")

    def test_without_a_pipeline(self, examples, scorer, tmp_path):
        data = examples(ROWS)
        evaluated = tfma.EvalConfig(
            model_specs=[tfma.ModelSpec(label_key="label", model_type=tfma.TF_LITE)],
            metrics_specs=tfma.metrics.specs_from_metrics([tfma.metrics.AUC()]),
        )
        shared = tfma.default_eval_shared_model(f"{scorer}/Format-Serving", eval_config=evaluated)
        assert shared.model_type == "tf_lite"
        assert shared.model_loader.load().contents[4:8] == b"TFL3"
        result = tfma.run_model_analysis(shared, evaluated, f"{data.uri}/Split-eval/*")
        assert result.get_metrics_for_slice()["auc"] == {"doubleValue": 1.0}
