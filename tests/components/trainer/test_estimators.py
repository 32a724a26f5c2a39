"""Estimators: `trainer_fn` trained through real pipelines, and what goes wrong in it."""

from __future__ import annotations

import json
import os
import re
import sys

import numpy as np
import pytest
from trainings import trains

from trainwright.components.trainer import estimator_training
from trainwright.evaluation.models.eval_saved_model import read_metric_names

ESTIMATORS = """
import tensorflow as tf
import tensorflow_model_analysis as tfma

# Not used here: the names must be there all the same.
from tensorflow import estimator as tf_estimator

FEATURES = {name: tf.io.FixedLenFeature([1], tf.float32) for name in ("x", "y")}
X = tf.feature_column.numeric_column("x")


def input_fn(files, **options):
    def make():
        records = tf.data.TFRecordDataset(tf.io.gfile.glob(files), "GZIP").batch(8)
        parsed = records.map(lambda one: tf.io.parse_example(one, FEATURES))
        dataset = parsed.map(lambda one: ({"x": one["x"]}, one["y"] > 4 if CLASSES else one["y"]))
        return dataset.repeat() if options.get("repeat") else dataset
    return make


CLASSES = False


def serving_fn():
    return tf.estimator.export.build_parsing_serving_input_receiver_fn({"x": FEATURES["x"]})()


def receiver_fn():
    serialized = tf.compat.v1.placeholder(tf.string, [None], name="input_example_tensor")
    features = tf.io.parse_example(serialized, FEATURES)
    return tfma.export.EvalInputReceiver(
        features=features,
        labels=features["y"] > 4 if CLASSES else features["y"],
        receiver_tensors={"examples": serialized},
    )


def config(fn_args, **options):
    return tf.estimator.RunConfig(
        model_dir=fn_args.serving_model_dir, save_checkpoints_steps=10, tf_random_seed=7, **options
    )


def spec(fn_args, estimator, **changes):
    exporters = changes.pop("exporters", [tf.estimator.FinalExporter("final", serving_fn)])
    hooks, throttle_secs = changes.pop("hooks", []), changes.pop("throttle_secs", 600)
    evaluation = input_fn(fn_args.eval_files)
    return {
        "estimator": estimator,
        "train_spec": tf.estimator.TrainSpec(
            input_fn(fn_args.train_files, repeat=True), max_steps=fn_args.train_steps, hooks=hooks
        ),
        "eval_spec": tf.estimator.EvalSpec(
            evaluation,
            steps=None,
            exporters=exporters,
            start_delay_secs=0,
            throttle_secs=throttle_secs,
        ),
        "eval_input_receiver_fn": receiver_fn,
        **changes,
    }
"""


def trains_estimator(source, **options):
    return trains(source, prelude=ESTIMATORS, **options)


def only(directory):
    (child,) = directory.iterdir()
    return child


@trains_estimator(
    """
    def trainer_fn(trainer_fn_args, schema):
        assert schema.feature[0].name == "x"
        assert "model_run" in trainer_fn_args.serving_model_dir
        estimator = tf.estimator.LinearRegressor([X], config=config(trainer_fn_args))
        return spec(trainer_fn_args, estimator)
    """
)
def test_files_go_where_tfx_has_them(trained):
    import tensorflow as tf

    assert {"saved_model.pb", "variables"} <= set(os.listdir(trained.model))
    evaluated = trained.model.parent / "Format-TFMA"
    assert {"saved_model.pb", "variables"} <= set(os.listdir(evaluated))
    run = only(trained.root / "model_run")
    work = run / "Format-Serving"
    assert tf.train.latest_checkpoint(str(work)).endswith("model.ckpt-20")
    assert only(work / "export" / "final").name.isdigit()
    assert only(run / "Format-TFMA").name.isdigit()
    assert list(work.glob("events.out.tfevents.*"))
    served = tf.saved_model.load(str(trained.model)).signatures["predict"]
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.append(1.0)
    prediction = served(examples=tf.constant([example.SerializeToString()]))["predictions"]
    assert prediction.shape == (1, 1)
    assert set(read_metric_names(str(evaluated))) >= {"average_loss", "label/mean"}


@trains_estimator(
    """
    def trainer_fn(trainer_fn_args, schema):
        estimator = tf.estimator.LinearRegressor([X], config=config(trainer_fn_args))
        return spec(trainer_fn_args, estimator)
    """
)
def test_progress_is_told_as_of_keras(trained):
    assert "no max_steps" not in trained.log
    told = {name for progress in trained.progress for name in progress}
    assert {"step", "steps", "loss", "eval_loss", "eval_average_loss"} <= told
    assert max(progress.get("step", 0) for progress in trained.progress) == 20
    assert {progress["steps"] for progress in trained.progress if "steps" in progress} == {20}


@trains_estimator(
    """
    CLASSES = True

    def trainer_fn(trainer_fn_args, schema):
        buckets = tf.feature_column.bucketized_column(X, [2.0, 4.0])
        estimator = tf.estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=[buckets],
            dnn_feature_columns=[X, tf.feature_column.indicator_column(buckets)],
            dnn_hidden_units=[4],
            config=config(trainer_fn_args),
        )
        exporters = [
            tf.estimator.BestExporter("best", serving_fn),
            tf.estimator.LatestExporter("latest", serving_fn),
        ]
        stop = tf.estimator.experimental.make_early_stopping_hook(
            estimator, lambda: True, run_every_secs=None, run_every_steps=15
        )
        return spec(
            trainer_fn_args, estimator, exporters=exporters, hooks=[stop], throttle_secs=0
        )
    """,
    arguments={"train_args": {"num_steps": 40}},
)
def test_wide_and_deep_with_several_exporters_and_early_stopping(trained):
    work = only(trained.root / "model_run") / "Format-Serving"
    # Of several exporters the first one that exported gives the model, and of its exports the last.
    newest = max((work / "export" / "best").iterdir())
    assert (trained.model / "saved_model.pb").read_bytes() == (
        newest / "saved_model.pb"
    ).read_bytes()
    assert "The model is what the exporter 'best' exported" in trained.log
    assert not (work / "model.ckpt-40.index").exists()  # it was stopped


@trains_estimator(
    """
    def model_fn(features, labels, mode, params):
        slope = tf.compat.v1.get_variable("slope", [], initializer=tf.zeros_initializer())
        guess = features["x"] * slope
        if mode == tf.estimator.ModeKeys.PREDICT:
            output = tf.estimator.export.PredictOutput({"y": guess})
            return tf.estimator.EstimatorSpec(
                mode, predictions={"y": guess}, export_outputs={"serving_default": output}
            )
        loss = tf.reduce_mean(tf.square(guess - labels))
        error = tf.compat.v1.metrics.mean_absolute_error(labels, guess)
        if mode == tf.estimator.ModeKeys.EVAL:
            return tf.estimator.EstimatorSpec(
                mode, loss=loss, predictions={"y": guess}, eval_metric_ops={"mae": error}
            )
        optimizer = tf.compat.v1.train.GradientDescentOptimizer(params["rate"])
        step = tf.compat.v1.train.get_global_step()
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=optimizer.minimize(loss, step))


    def trainer_fn(trainer_fn_args, schema):
        run_config = config(trainer_fn_args, train_distribute=tf.distribute.MirroredStrategy())
        estimator = tf.estimator.Estimator(model_fn, config=run_config, params={"rate": 0.02})
        return spec(trainer_fn_args, estimator)
    """
)
def test_a_custom_model_fn_under_a_strategy(trained):
    import tensorflow as tf

    serve = tf.saved_model.load(str(trained.model)).signatures["serving_default"]
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.append(3.0)
    (prediction,) = serve(examples=tf.constant([example.SerializeToString()])).values()
    assert abs(float(prediction[0, 0]) - 6.0) < 0.2  # y = 2x was learned
    assert "MirroredStrategy" in trained.log


@trains_estimator(
    """
    def trainer_fn(trainer_fn_args, schema):
        estimator = tf.estimator.LinearRegressor([X], config=config(trainer_fn_args))
        train_spec = tf.estimator.TrainSpec(input_fn(trainer_fn_args.train_files))
        return spec(trainer_fn_args, estimator, train_spec=train_spec)
    """
)
def test_without_max_steps_training_ends_with_the_data_which_is_said(trained):
    assert (trained.model / "saved_model.pb").exists()
    assert "train_spec has no max_steps: training ends when its input_fn has no" in trained.log


@trains_estimator(
    """
    def trainer_fn(trainer_fn_args, schema):
        inputs = tf.keras.Input((1,), name="x")
        model = tf.keras.Model({"x": inputs}, tf.keras.layers.Dense(1)(inputs))
        model.compile("sgd", "mse", metrics=["mae"])
        estimator = tf.keras.estimator.model_to_estimator(model, config=config(trainer_fn_args))
        return spec(trainer_fn_args, estimator)
    """
)
def test_a_compiled_keras_model_becomes_an_estimator(trained):
    assert (trained.model / "saved_model.pb").exists()
    assert "mae" in read_metric_names(str(trained.model.parent / "Format-TFMA"))


@trains_estimator(
    """
    from tfx.components.trainer.rewriting import converters, rewriter

    class Sizes(rewriter.BaseRewriter):
        name = "sizes"

        def _pre_rewrite_validate(self, original):
            assert tf.saved_model.contains_saved_model(original.path)

        def _rewrite(self, original, rewritten):
            with open(rewritten.path + "/size.txt", "w") as file:
                file.write(str(len(tf.io.gfile.glob(original.path + "/*"))))

        def _post_rewrite_validate(self, rewritten):
            pass

    def trainer_fn(trainer_fn_args, schema):
        estimator = tf.estimator.LinearRegressor([X], config=config(trainer_fn_args))
        exporter = tf.estimator.FinalExporter("final", serving_fn)
        exporters = [converters.RewritingExporter(exporter, Sizes())]
        return spec(trainer_fn_args, estimator, exporters=exporters)
    """
)
def test_an_exporter_that_rewrites_the_model(trained):
    assert os.listdir(trained.model) == ["size.txt"]


@trains_estimator(
    """
    def trainer_fn(trainer_fn_args, schema):
        raise AssertionError("not called")

    def run_fn(fn_args):
        tf.saved_model.save(tf.Module(), fn_args.serving_model_dir)
    """
)
def test_of_both_functions_run_fn_trains_and_that_is_said(trained):
    assert (trained.model / "saved_model.pb").exists()
    assert "has run_fn and trainer_fn: run_fn trains." in trained.log


LINEAR = "tf.estimator.LinearRegressor([X], config=config(trainer_fn_args))"


def returns(result: str, *before: str) -> str:
    """A module whose `trainer_fn` executes some lines and returns a value."""
    lines = "\n    ".join([*before, f"return {result}"])
    return f"def trainer_fn(trainer_fn_args, schema):\n    {lines}\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            returns(
                "result", f"result = spec(trainer_fn_args, {LINEAR})", "del result['eval_spec']"
            ),
            "without 'eval_spec'",
        ),
        (
            returns(f"spec(trainer_fn_args, {LINEAR}, exporters=[])"),
            "eval_spec has no exporters, so that no model would be exported",
        ),
        (returns("[1]"), "trainer_fn returned list; expected a dict with estimator, train_spec"),
        (
            returns("spec(trainer_fn_args, 5)"),
            "returned int as 'estimator'; expected a tf.estimator.Estimator",
        ),
        (
            returns(f"spec(trainer_fn_args, {LINEAR}, eval_input_receiver_fn=1)"),
            "It is called while the model is exported: return the function itself",
        ),
        (
            returns(
                f"spec(trainer_fn_args, {LINEAR}, eval_input_receiver_fn=unlabeled)",
                "unlabeled = tfma.export.build_parsing_eval_input_receiver_fn(FEATURES, None)",
            ),
            "a receiver without labels, which the model needs",
        ),
        (
            returns(f"spec(trainer_fn_args, {LINEAR}, eval_input_receiver_fn=serving_fn)"),
            "returned ServingInputReceiver; expected tfma.export.EvalInputReceiver",
        ),
        (
            returns(
                "tf.keras.estimator.model_to_estimator(model)",
                "import keras",
                "model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])",
                "model.compile('sgd', 'mse')",
            ),
            "a model of Keras 3 .*An Estimator can only be made of a compiled model of Keras 2",
        ),
        (
            returns(
                f"spec(trainer_fn_args, {LINEAR}, exporters=[Picky()])",
                "class Picky(tf.estimator.Exporter):",
                "    name = 'picky'",
                "    def export(self, *unused, **ignored): pass",
            ),
            "No model was exported: picky of eval_spec's exporters left nothing",
        ),
        (
            returns("spec(trainer_fn_args, tf.estimator.LinearRegressor([X], model_dir='mine'))"),
            "The Estimator's model_dir is mine; expected .*model_dir=trainer_fn_args.serving",
        ),
        (
            returns(
                f"spec(trainer_fn_args, {LINEAR}, exporters=[exporter])",
                "exporter = tf.estimator.FinalExporter('../x', serving_fn)",
            ),
            "an exporter named '../x'",
        ),
        (
            returns(
                f"spec(trainer_fn_args, {LINEAR}, exporters=[exporter], hooks=[Untouched()])",
                "class Untouched(tf.estimator.SessionRunHook):",
                "    def begin(self): raise AssertionError('training has begun')",
                "exporter = tf.estimator.LatestExporter('a', lambda: serving_fn)",
            ),
            "receiver_fn of the exporter 'a' returned function; expected a tf.estimator.export.Se",
        ),
        (
            returns("tf.estimator.BoostedTreesClassifier([X], 1)"),
            "TensorFlow no longer has the operations of boosted trees",
        ),
        (returns("tf.estimator.tpu.TPUEstimator()"), "Estimators on TPUs ended with TensorFlow"),
    ],
)
@trains_estimator("")
def test_what_cannot_be_trained_is_said(trained, source, message):
    assert trained.failure is not None
    assert re.search(message, trained.failure.describe(), re.DOTALL), trained.failure.describe()


@pytest.mark.parametrize(
    ("cluster", "task", "expected"),
    [
        ({}, {}, True),
        ({"chief": ["a:1"], "worker": ["b:1"]}, {"type": "chief", "index": 0}, True),
        ({"chief": ["a:1"], "worker": ["b:1"]}, {"type": "worker", "index": 0}, False),
        ({"master": ["a:1"], "worker": ["b:1"]}, {"type": "master", "index": 0}, True),
        ({"worker": ["a:1", "b:1"]}, {"type": "worker", "index": 0}, True),
        ({"worker": ["a:1", "b:1"]}, {"type": "worker", "index": 1}, False),
        ({"chief": ["a:1"], "ps": ["b:1"]}, {"type": "evaluator", "index": 0}, False),
    ],
)
def test_only_the_chief_exports(monkeypatch, cluster, task, expected):
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": task}))
    assert estimator_training.is_chief() is expected


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '"x"', '{"cluster": {"chief": ["a:1"]}}', '{"cluster": {"a": []}, "task": {}}'],
)
def test_a_tf_config_that_says_no_task_is_refused(monkeypatch, text):
    monkeypatch.setenv("TF_CONFIG", text)
    with pytest.raises(ValueError, match=re.escape(f"TF_CONFIG is {text!r}; expected JSON")):
        estimator_training.is_chief()


@pytest.fixture(scope="module", autouse=True)
def was_imported_before():
    """Whether tests of another file have imported it, for models of their own."""
    return "tensorflow_estimator" in sys.modules


def test_tests_of_this_process_do_not_see_estimators(was_imported_before):
    assert was_imported_before or "tensorflow_estimator" not in sys.modules


@trains_estimator(
    """
    from tfx.components.trainer.rewriting import converters, rewriter_factory

    def features_fn():
        x = tf.compat.v1.placeholder(tf.float32, [None, 1], name="x")
        return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})

    def trainer_fn(trainer_fn_args, schema):
        estimator = tf.estimator.LinearRegressor([X], config=config(trainer_fn_args))
        lite = rewriter_factory.create_rewriter(rewriter_factory.TFLITE_REWRITER, name="lite")
        # This one exports while the graph of the training is the default.
        latest = tf.estimator.LatestExporter("latest", features_fn, exports_to_keep=1)
        exporters = [converters.RewritingExporter(latest, lite)]
        return spec(trainer_fn_args, estimator, exporters=exporters, throttle_secs=0)
    """
)
def test_an_exporter_rewrites_each_export_for_litert(trained):
    from ai_edge_litert.interpreter import Interpreter

    assert os.listdir(trained.model) == ["tflite"]
    exports = only(trained.root / "model_run") / "Format-Serving" / "export" / "latest"
    assert only(exports).name.isdigit()
    predict = Interpreter(str(trained.model / "tflite")).get_signature_runner("predict")
    assert predict(x=np.float32([[0], [1]]))["predictions"].shape == (2, 1)


@trains_estimator(
    """
    from tfx.components.trainer.rewriting import converters, rewriter_factory

    def trainer_fn(trainer_fn_args, schema):
        estimator = tf.estimator.LinearRegressor([X], config=config(trainer_fn_args))
        lite = rewriter_factory.create_rewriter(rewriter_factory.TFLITE_REWRITER, name="lite")
        final = tf.estimator.FinalExporter("final", serving_fn)
        return spec(
            trainer_fn_args, estimator, exporters=[converters.RewritingExporter(final, lite)]
        )
    """
)
def test_an_export_that_cannot_be_rewritten_leaves_no_model(trained):
    assert "LiteRT does not have ParseExample" in trained.failure.describe()
    exports = only(trained.root / "model_run") / "Format-Serving" / "export" / "final"
    assert not list(exports.iterdir())
