"""Metrics of Keras, of Keras 2 and of a user's own."""

from __future__ import annotations

import keras
import numpy as np
import pytest
import tf_keras
from metric_sums import batch_of, config_of, evaluate, values_of

from trainwright.evaluation.metrics.errors import UnknownMetricError
from trainwright.evaluation.metrics.keras.keras_objects import SerializedKerasObject
from trainwright.evaluation.metrics.registry import make_metrics

RANDOM = np.random.default_rng(7)
LABELS = RANDOM.integers(0, 3, 50)
PREDICTIONS = RANDOM.dirichlet(np.ones(3), 50).astype(np.float32)
WEIGHTS = RANDOM.random(50)
BATCH = batch_of(LABELS, PREDICTIONS, WEIGHTS)
BINARY = batch_of(LABELS % 2, PREDICTIONS[:, 0], WEIGHTS)


def config(class_name: str, module: str = "", text: str = "", weighted: bool = True, **options):
    metric = {"class_name": class_name, "module": module, "config": text}
    weights = [{"example_weight_key": "weight"}] if weighted else None
    return config_of({"metrics": [metric], **options}, models=weights)


def value(class_name: str, module: str = "", text: str = "", batch=BATCH, weighted: bool = True):
    (found,) = evaluate(config(class_name, module, text, weighted), batch).values()
    return found


@pytest.mark.parametrize(
    "module",
    ["", "keras.metrics", "tf_keras.metrics", "tensorflow.keras.metrics", "tf.keras.metrics"],
)
def test_a_mean_metric_is_what_keras_says_of_all_at_once(module: str) -> None:
    expected = keras.metrics.SparseCategoricalCrossentropy()
    expected.update_state(LABELS, PREDICTIONS, sample_weight=WEIGHTS)
    found = value("SparseCategoricalCrossentropy", module)
    assert found == pytest.approx(float(expected.result()), rel=1e-5)


def test_a_module_of_another_keras_is_looked_up_by_name() -> None:
    expected = value("SparseCategoricalAccuracy")
    assert value("SparseCategoricalAccuracy", "keras.src.metrics.accuracy_metrics") == expected
    assert value("SparseCategoricalAccuracy", "keras.metrics.metrics") == expected


@pytest.mark.parametrize("module", ["tf_keras.src.losses", "keras.losses", "tf.keras.losses"])
def test_a_loss_is_its_weighted_mean(module: str) -> None:
    found = values_of(
        config("SparseCategoricalCrossentropy", module, '{"from_logits": false}'), BATCH
    )
    losses = -np.log(PREDICTIONS[np.arange(50), LABELS])
    assert found == {
        "sparse_categorical_crossentropy": pytest.approx(
            np.average(losses, weights=WEIGHTS), rel=1e-5
        )
    }


def test_a_loss_that_is_a_sum_is_refused() -> None:
    with pytest.raises(ValueError, match="reduction 'sum'"):
        make_metrics(config("Huber", "keras.losses", '{"reduction": "sum"}'))


@pytest.mark.parametrize("library", ["keras", "tf_keras"])
def test_metrics_with_other_variables_add_them(library: str) -> None:
    module = {"keras": keras, "tf_keras": tf_keras}[library]
    expected = module.metrics.MeanIoU(num_classes=3)
    expected.update_state(LABELS, PREDICTIONS.argmax(axis=1))
    text = '{"num_classes": 3, "sparse_y_pred": false}'
    spec = config("MeanIoU", f"{library}.metrics", text, weighted=False)
    parts = [BATCH.take(np.arange(20)), BATCH.take(np.arange(20, 50))]
    (found,) = evaluate(spec, *parts).values()
    assert found == pytest.approx(float(expected.result()), rel=1e-6)


def test_weights_are_not_cut_off_where_keras_counts_in_integers() -> None:
    expected = tf_keras.metrics.MeanIoU(num_classes=3)
    expected.update_state(LABELS, PREDICTIONS.argmax(axis=1), sample_weight=WEIGHTS)
    found = value("MeanIoU", text='{"num_classes": 3, "sparse_y_pred": false}')
    assert found == pytest.approx(float(expected.result()), rel=1e-5)


@pytest.mark.parametrize("library", ["keras", "tf_keras"])
def test_metrics_whose_variables_are_made_late_are_of_one_prediction(library: str) -> None:
    module = {"keras": keras, "tf_keras": tf_keras}[library]
    expected = module.metrics.R2Score()
    labels = BINARY.labels.astype(np.float32)[:, None]
    expected.update_state(labels, BINARY.predictions[:, None], sample_weight=WEIGHTS[:, None])
    found = value("R2Score", f"{library}.metrics", batch=BINARY)
    assert found == pytest.approx(float(expected.result()), rel=1e-4)
    with pytest.raises(ValueError, match="'r2_score' is of one prediction.*class_ids"):
        value("R2Score", batch=batch_of(np.eye(3), np.eye(3)))


def test_a_users_metric_may_have_several_numbers() -> None:
    found = values_of(config("CountAbove", "users_metrics", '{"threshold": 0.4}'), BINARY)
    above = WEIGHTS[BINARY.predictions > 0.4].sum()
    assert found == {
        "count_above/above": pytest.approx(above, rel=1e-5),
        "count_above/share": pytest.approx(above / WEIGHTS.sum(), rel=1e-5),
    }


def test_a_users_metric_is_not_taken_for_ours_of_the_same_name() -> None:
    above = WEIGHTS[BINARY.predictions > 0.4].sum()
    found = value("Precision", "users_metrics", '{"threshold": 0.4}', batch=BINARY)
    assert found == pytest.approx(above, rel=1e-5)


def test_our_metric_is_taken_for_that_of_keras() -> None:
    ours = value("Precision", "keras.metrics", batch=BINARY)
    assert ours == value("Precision", "tensorflow_model_analysis.metrics", batch=BINARY)


def test_several_values_of_an_example_count_as_their_mean() -> None:
    batch = batch_of(np.eye(3)[LABELS], PREDICTIONS, WEIGHTS)
    distances = ((np.eye(3)[LABELS] - PREDICTIONS) ** 2).mean(axis=1)
    found = value("SquaredDistance", "users_metrics", batch=batch)
    assert found == pytest.approx(np.average(distances, weights=WEIGHTS), rel=1e-5)


@pytest.mark.parametrize(
    ("class_name", "module", "text", "message"),
    [
        ("HighestPrediction", "users_metrics", "", "variables that do not begin at 0"),
        ("Merged", "users_metrics", "", "merge_state of its own"),
        ("MeanIoU", "", '{"num_clases": 3}', "no argument 'num_clases'; did you mean"),
        ("MeanIoU", "", "", "MeanIoU cannot be made with the config"),
    ],
)
def test_metrics_that_cannot_be_made_are_refused(
    class_name: str, module: str, text: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make_metrics(config(class_name, module, text))


@pytest.mark.parametrize(
    ("class_name", "module", "message"),
    [
        ("CountAbov", "users_metrics", "no metric 'CountAbov'; did you mean 'CountAbove'"),
        ("NoMetric", "users_metrics", "neither a Keras metric nor a Keras loss"),
        ("Mine", "no_such_module", "module 'no_such_module' of a metric cannot be imported"),
        ("Accurcy", "tf_keras.metrics", "did you mean 'Accuracy'"),
    ],
)
def test_classes_that_are_not_there_are_named(class_name: str, module: str, message: str) -> None:
    with pytest.raises(UnknownMetricError, match=message):
        make_metrics(config(class_name, module))


def test_a_function_that_does_not_speak_of_each_example_is_refused() -> None:
    with pytest.raises(ValueError, match="a value for each of 50 examples, and gives the shape"):
        value("Failing", "users_metrics")


def test_labels_of_another_form_are_refused_with_the_metric_for_them() -> None:
    with pytest.raises(ValueError, match="Choose SparseCategoricalAccuracy"):
        value("CategoricalAccuracy")
    with pytest.raises(ValueError, match="Choose CategoricalAccuracy"):
        value("SparseCategoricalAccuracy", batch=batch_of(np.eye(3), np.eye(3)))


def test_an_error_of_keras_names_the_metric_and_the_shapes() -> None:
    with pytest.raises(ValueError, match=r"'broken' fails.*\(50, 1\) and \(50, 3\): no such"):
        value("Broken", "users_metrics")


def own_function(labels, predictions):
    return labels - predictions


@pytest.mark.parametrize("library", [keras, tf_keras])
@pytest.mark.parametrize(
    "wrap", [lambda _: own_function, lambda keras: keras.metrics.MeanMetricWrapper(own_function)]
)
def test_a_function_that_keras_does_not_know_cannot_be_read(library, wrap) -> None:
    model = library.Sequential([library.Input((1,)), library.layers.Dense(1)])
    model.compile("sgd", own_function, metrics=[wrap(library)])
    config = model.get_compile_config()
    for kind, written in (("losses", config["loss"]), ("metrics", config["metrics"][0])):
        described = SerializedKerasObject.read(f"{library.__name__}.{kind}", written)
        with pytest.raises(ValueError, match="Keras cannot read it"):
            described.make()
