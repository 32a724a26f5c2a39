"""Metrics that a Keras model was compiled with, evaluated without being listed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import small_models
from test_evaluator_executor import ROWS

# Of `ROWS`, by hand: the predictions are off by 0.1, 0.2, 0.6 and 0.2.
SQUARED, ABSOLUTE = 0.1125, 0.275
COMPILED = {
    "loss": SQUARED,
    "accuracy": 0.75,
    "mae": ABSOLUTE,
    "precision": 2 / 3,
    "mse": SQUARED,
}


def config(*metrics, label="label", thresholds=None, **others):
    spec = {"metrics": list(metrics), "thresholds": thresholds or {}}
    return {
        "model_specs": [{"label_key": label} if label else {}],
        "metrics_specs": [spec] if metrics or thresholds else [],
        **others,
    }


@pytest.fixture(scope="module", params=["keras_2", "keras_3"])
def saved(request, tmp_path_factory):
    """The model of each Keras, saved once."""
    directory = tmp_path_factory.mktemp(request.param) / "Trainer" / "model" / "1"
    getattr(small_models, f"save_compiled_{request.param}")(directory / "Format-Serving")
    return directory


@pytest.fixture
def compiled(saved, model_at):
    return model_at(saved)


class TestMeasuring:
    def test_all_of_them_with_no_metric_in_the_config(self, run, examples, compiled):
        done = run(examples(ROWS), compiled, eval_config=config())
        assert done.metrics() == pytest.approx(COMPILED)

    def test_slice_by_slice_and_file_by_file(self, run, examples, compiled):
        slices = [{}, {"feature_keys": ["town"]}]
        asked = config(slicing_specs=slices)
        done = run(examples(ROWS[:1], ROWS[1:]), compiled, eval_config=asked)
        assert done.metrics() == pytest.approx(COMPILED)
        assert done.metrics(slice_key=[("town", "Ulm")]) == pytest.approx(
            {"loss": 0.025, "accuracy": 1.0, "mae": 0.15, "precision": 1.0, "mse": 0.025}
        )

    def test_beside_listed_metrics_unless_the_options_say_no(self, run, examples, compiled):
        listed = [{"class_name": "ExampleCount"}, {"class_name": "MeanLabel"}]
        done = run(examples(ROWS), compiled, eval_config=config(*listed))
        assert done.metrics() == pytest.approx({**COMPILED, "example_count": 4, "mean_label": 0.5})
        without = config(*listed, options={"include_default_metrics": False})
        done = run(examples(ROWS), compiled, eval_config=without)
        assert done.metrics() == {"example_count": 4, "mean_label": 0.5}

    def test_weights_are_those_of_weighted_metrics_and_of_the_loss(self, run, examples, compiled):
        weights = (1.0, 1.0, 6.0, 0.0)
        rows = [{**row, "weight": weight} for row, weight in zip(ROWS, weights, strict=True)]
        spec = {"label_key": "label", "example_weight_key": "weight"}
        done = run(examples(rows), compiled, eval_config={"model_specs": [spec]})
        lost = 0.01 + 0.04 + 6 * 0.36
        # In training a loss is divided by the number of examples, whatever they weigh.
        assert done.metrics() == pytest.approx(
            {**COMPILED, "loss": lost / 4, "mse": lost / sum(weights)}
        )


class TestThresholds:
    def test_the_config_of_tfx_s_tutorial(self, run, examples, compiled):
        """Thresholds on metrics of the model are keyed by name, and a first run has no baseline."""
        threshold = {
            "value_threshold": {"lower_bound": {"value": 0.5}},
            "change_threshold": {"absolute": {"value": -1e-10}, "direction": "HIGHER_IS_BETTER"},
        }
        count = {"class_name": "ExampleCount"}
        asked = config(count, thresholds={"accuracy": threshold})
        first = run(examples(ROWS), compiled, eval_config=asked)
        assert first.blessing_files == ["BLESSED"]
        second = run(examples(ROWS), compiled, compiled, eval_config=asked)
        assert second.blessing_files == ["BLESSED"]
        assert second.metrics("candidate", is_diff=True)["accuracy"] == 0.0

    def test_one_that_is_not_met(self, run, examples, compiled, caplog):
        asked = config(thresholds={"loss": {"value_threshold": {"upper_bound": 0.1}}})
        done = run(examples(ROWS), compiled, eval_config=asked)
        assert done.blessed == 0
        assert "loss of all examples is 0.1125, expected at most 0.1" in caplog.text

    def test_one_on_a_metric_that_nobody_has(self, run, examples, compiled):
        asked = config(thresholds={"acuracy": {"value_threshold": {"lower_bound": 0.1}}})
        with pytest.raises(ValueError, match="'acuracy', which is not one of the metrics; did you"):
            run(examples(ROWS), compiled, eval_config=asked)


def test_keras_2_saved_by_tensorflow_brings_them_as_far_as_its_files_tell(run, examples, model):
    saved = model("compiled_by_tensorflow")
    by_name = {"accuracy": {"value_threshold": {"lower_bound": 0.5}}}
    done = run(examples(ROWS), saved, eval_config=config(thresholds=by_name))
    assert done.metrics() == pytest.approx(COMPILED)
    assert done.blessing_files == ["BLESSED"]

    # As it is saved outside of a Trainer.
    Path(saved.uri, "Format-Serving", "assets.extra", "keras_compile_config.json").unlink()
    with pytest.raises(ValueError, match="files do not tell which ones it was compiled") as refused:
        run(examples(ROWS), saved, eval_config=config(thresholds=by_name))
    assert "a Trainer's run_fn saves it with tf.saved_model.save(model, dir)" in str(refused.value)
    asked = config({"class_name": "ExampleCount"}, thresholds=by_name)
    message = "'accuracy', which is not one of the metrics.*run_fn saves"
    with pytest.raises(ValueError, match=message):
        run(examples(ROWS), saved, eval_config=asked)


class TestWithoutThem:
    def test_a_config_without_metrics_counts_examples_of_a_model_without_any(
        self, run, examples, model, caplog
    ):
        done = run(examples(ROWS), model(), eval_config=config())
        assert done.metrics() == {"example_count": 4}
        assert "The eval config lists no metrics: examples are counted" in caplog.text
        assert "The model's files do not tell which ones it was compiled with." in caplog.text

    def test_options_that_leave_them_out_are_named(self, run, examples, compiled):
        asked = config(
            thresholds=TestBeforeAnythingRuns.BY_NAME, options={"include_default_metrics": False}
        )
        with pytest.raises(ValueError, match=r"include_default_metrics=False\) leaves out those"):
            run(examples(ROWS), compiled, eval_config=asked)

    def test_without_a_config_there_is_no_label_which_is_said(
        self, run, examples, compiled, caplog
    ):
        done = run(examples(ROWS), compiled)
        assert done.metrics() == {"example_count": 4}
        told = "Not computed, for want of a label: accuracy, mae, precision, mse, loss"
        assert told in caplog.text
        assert told in done.blessing.get_string_custom_property("summary")

        # What a candidate and its baseline both lack is said once.
        caplog.clear()
        run(examples(ROWS), compiled, compiled, eval_config=config(label=None))
        [told] = [one for one in caplog.messages if one.startswith("The eval config lists no")]
        assert "Those of the model have no label." in told
        assert told.count("for want of a label") == 1
        by_name = {"loss": {"value_threshold": {"upper_bound": 0.1}}}
        asked = config({"class_name": "ExampleCount"}, label=None, thresholds=by_name)
        with pytest.raises(ValueError, match="'loss', which is not one of the metrics.* label_key"):
            run(examples(ROWS), compiled, eval_config=asked)

    def test_what_keras_cannot_read_is_left_out_and_named(self, run, examples, model, caplog):
        def own_loss(labels, predictions):
            return (labels - predictions) ** 2

        for kind in ("compiled_keras_2", "compiled_keras_3"):
            caplog.clear()
            done = run(examples(ROWS), model(kind, loss=own_loss), eval_config=config())
            expected = {name: COMPILED[name] for name in COMPILED if name != "loss"}
            assert done.metrics() == pytest.approx(expected)
            assert "Not computed: loss, which the model was compiled with, because" in caplog.text

    def test_labels_that_do_not_fit_say_how_to_do_without(self, run, examples, compiled):
        rows = [{**row, "pair": [0.0, 1.0]} for row in ROWS]
        with pytest.raises(ValueError, match="include_default_metrics=False") as refused:
            run(examples(rows), compiled, eval_config=config(label="pair"))
        assert "There are 2 labels for each example, and 1 predictions" in str(refused.value)

    def test_labels_that_do_not_fit_leave_the_rest_to_be_computed(self, run, examples, compiled):
        rows = [{**row, "pair": [0.0, 1.0]} for row in ROWS]
        files = examples(rows[:2], rows[2:])
        count = {"class_name": "ExampleCount"}
        done = run(files, compiled, eval_config=config(count, label="pair"))
        assert done.metrics() == {"example_count": 4}
        told = "Not computed: accuracy, mae, precision, mse, loss. There are 2 labels"
        assert told in done.blessing.get_string_custom_property("summary")

        by_name = {"loss": {"value_threshold": {"upper_bound": 0.1}}}
        asked = config(count, label="pair", thresholds=by_name)
        with pytest.raises(ValueError, match="There are 2 labels for each example"):
            run(files, compiled, eval_config=asked)

    def test_a_damaged_file_of_keras_is_named(
        self, run, examples, saved, model_at, tmp_path, caplog
    ):
        damaged = tmp_path / "damaged"
        shutil.copytree(saved, damaged)
        for name in ("keras_metadata.pb", "assets.extra/keras_compile_config.json"):
            path = damaged / "Format-Serving" / name
            if path.exists():
                path.write_bytes(b"\xff\xff")
        count = {"class_name": "ExampleCount"}
        done = run(examples(ROWS), model_at(damaged), eval_config=config(count))
        assert done.metrics() == {"example_count": 4}
        assert "was compiled with are not computed" in caplog.text


class TestBeforeAnythingRuns:
    """Thresholds by name may be on what a model brings, if there is one that may."""

    BY_NAME = {"accuracy": {"value_threshold": {"lower_bound": 0.5}}}

    def test_they_wait_for_the_model(self, run, examples):
        asked = config({"class_name": "ExampleCount"}, thresholds=self.BY_NAME)
        spec = {"label_key": "label", "prediction_key": "x"}
        with pytest.raises(ValueError, match="'accuracy', which is not one of the metrics"):
            run(examples(ROWS), eval_config={**asked, "model_specs": [spec]})

    def test_they_do_not_if_models_bring_nothing(self, run, examples, compiled):
        asked = config(
            {"class_name": "ExampleCount"},
            thresholds=self.BY_NAME,
            options={"include_default_metrics": False},
        )
        with pytest.raises(ValueError, match="'accuracy', which is not one of the metrics"):
            run(examples(ROWS), compiled, eval_config=asked)
