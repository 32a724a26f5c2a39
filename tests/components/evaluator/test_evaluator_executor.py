"""The Evaluator's executor: what it measures, writes and blesses."""

from __future__ import annotations

import json
import logging
import math
import textwrap

import pytest

# Three of four are told right at 0.5.
ROWS = [
    {"x": 0.9, "label": 1, "town": "Ulm", "year": 2007},
    {"x": 0.2, "label": 0, "town": "Ulm", "year": 2007},
    {"x": 0.6, "label": 0, "town": "Bonn", "year": 2008},
    {"x": 0.8, "label": 1, "town": "Bonn", "year": 2007},
]

MEASURED = {"class_name": "BinaryAccuracy"}


def config(*metrics, spec=None, slices=None, **others):
    """An eval config for the label of `ROWS`."""
    return {
        "model_specs": [spec or {"label_key": "label"}],
        "metrics_specs": [{"metrics": list(metrics or [MEASURED])}],
        **({"slicing_specs": slices} if slices else {}),
        **others,
    }


def at_least(bound, class_name="BinaryAccuracy"):
    threshold = {"value_threshold": {"lower_bound": {"value": bound}}}
    return {"class_name": class_name, "threshold": threshold}


NO_WORSE = {
    "class_name": "BinaryAccuracy",
    "threshold": {
        "value_threshold": {"lower_bound": 0.1},
        "change_threshold": {"absolute": -1e-10, "direction": "HIGHER_IS_BETTER"},
    },
}


class TestBlessing:
    def test_a_model_that_meets_all_thresholds_is_blessed(self, run, examples, model):
        good = model()
        done = run(examples(ROWS), good, eval_config=config(at_least(0.75)))
        assert done.metrics() == {"binary_accuracy": 0.75}
        assert done.blessing_files == ["BLESSED"]
        assert done.blessed == 1
        assert done.blessing.get_string_custom_property("current_model") == good.uri
        assert done.blessing.get_int_custom_property("current_model_id") == good.id
        assert done.validation.validation_ok
        assert done.progress[-1]["model"] == "blessed: 1 threshold met"

    def test_one_that_does_not_is_refused_and_told_by_how_much(self, run, examples, model, caplog):
        with caplog.at_level(logging.INFO):
            done = run(examples(ROWS), model(), eval_config=config(at_least(0.8)))
        assert done.blessing_files == ["NOT_BLESSED"]
        assert done.blessed == 0
        assert not done.validation.validation_ok
        told = "binary_accuracy of all examples is 0.75, expected at least 0.8: 0.05 too low."
        assert told in caplog.text
        assert done.blessing.get_string_custom_property("summary") == f"not blessed: {told}"

    def test_without_a_threshold_nothing_is_decided_and_that_is_said_loudly(
        self, run, examples, model, caplog
    ):
        done = run(examples(ROWS), model(), eval_config=config())
        assert done.blessing_files == []
        assert done.blessed is None
        (warning,) = [one for one in caplog.records if one.levelno == logging.WARNING]
        assert warning.getMessage().startswith("THE MODEL IS NEITHER BLESSED NOR REFUSED")
        assert "the eval config has no threshold" in warning.getMessage()

    def test_thresholds_on_change_alone_cannot_bless_a_first_model(
        self, run, examples, model, caplog
    ):
        metric = {"class_name": "AUC", "threshold": {"change_threshold": {"absolute": 0.0,
                  "direction": "HIGHER_IS_BETTER"}}}  # fmt: skip
        done = run(examples(ROWS), model(), eval_config=config(metric))
        assert done.blessed is None
        assert "there is no baseline yet" in caplog.text

    def test_a_model_worse_than_the_baseline_is_refused(self, run, examples, model):
        worse, good = model(shift=-0.5), model()
        done = run(examples(ROWS), worse, baseline=good, eval_config=config(NO_WORSE))
        assert done.metrics("candidate") == {"binary_accuracy": 0.5}
        assert done.metrics("baseline") == {"binary_accuracy": 0.75}
        assert done.metrics("candidate", is_diff=True) == {"binary_accuracy": -0.25}
        assert done.blessed == 0
        assert done.blessing.get_int_custom_property("baseline_model_id") == good.id

    def test_a_model_as_good_as_the_baseline_is_blessed(self, run, examples, model):
        done = run(examples(ROWS), model(), baseline=model(), eval_config=config(NO_WORSE))
        assert done.blessed == 1

    def test_a_slice_can_have_its_own_threshold(self, run, examples, model):
        metric = {
            "class_name": "BinaryAccuracy",
            "per_slice_thresholds": [
                {
                    "slicing_specs": [{"feature_values": {"town": "Bonn"}}],
                    "threshold": {"value_threshold": {"lower_bound": 0.6}},
                }
            ],
        }
        slices = [{}, {"feature_keys": ["town"]}]
        done = run(examples(ROWS), model(), eval_config=config(metric, slices=slices))
        assert done.metrics(slice_key=[("town", "Bonn")]) == {"binary_accuracy": 0.5}
        (failed,) = done.validation.metric_validations_per_slice
        assert failed.slice_key.single_slice_keys[0].bytes_value == b"Bonn"
        assert done.blessed == 0

    def test_an_interval_that_holds_the_bound_does_not_bless(self, run, examples, model, caplog):
        intervals = {"options": {"compute_confidence_intervals": {"value": True}}}
        done = run(examples(ROWS * 5), model(), eval_config=config(at_least(0.7), **intervals))
        assert done.blessed == 0
        assert "leaves open" in done.blessing.get_string_custom_property("summary")
        sure = run(examples(ROWS * 5), model(), eval_config=config(at_least(0.1), **intervals))
        assert sure.blessed == 1


class TestMeasuring:
    def test_slices_by_value_and_crossed(self, run, examples, model):
        slices = [{}, {"feature_keys": ["town"]}, {"feature_keys": ["town", "year"]}]
        done = run(examples(ROWS), model(), eval_config=config(slices=slices))
        assert done.slices == [
            (),
            (("town", "Bonn"),),
            (("town", "Ulm"),),
            (("town", "Bonn"), ("year", 2007)),
            (("town", "Bonn"), ("year", 2008)),
            (("town", "Ulm"), ("year", 2007)),
        ]
        assert done.metrics(slice_key=[("town", "Bonn"), ("year", 2008)]) == {
            "binary_accuracy": 0.0
        }

    def test_several_files_and_one_give_the_same(self, run, examples, model):
        metrics = [{"class_name": name} for name in ("AUC", "Calibration", "ExampleCount")]
        slices = [{}, {"feature_keys": ["town"]}]
        asked = config(*metrics, slices=slices)
        whole = run(examples(ROWS), model(), eval_config=asked)
        parts = run(examples(ROWS[:1], ROWS[1:3], ROWS[3:]), model(), eval_config=asked)
        assert parts.slices == whole.slices
        for key in whole.slices:
            assert parts.metrics(slice_key=key) == pytest.approx(whole.metrics(slice_key=key))

    def test_weights_count(self, run, examples, model):
        weights = (1.0, 1.0, 6.0, 0.0)
        rows = [{**row, "weight": weight} for row, weight in zip(ROWS, weights, strict=True)]
        spec = {"label_key": "label", "example_weight_key": "weight"}
        asked = config(MEASURED, {"class_name": "WeightedExampleCount"}, spec=spec)
        done = run(examples(rows), model(), eval_config=asked)
        assert done.metrics() == {"binary_accuracy": 0.25, "weighted_example_count": 8.0}

    def test_a_function_of_the_model_makes_the_label(self, run, examples, model):
        rows = [{"x": row["x"], "kind": "good" if row["label"] else "bad"} for row in ROWS]
        spec = {"label_key": "is_good", "preprocessing_function_names": ["number_labels"]}
        done = run(examples(rows), model(label_function=True), eval_config=config(spec=spec))
        assert done.metrics() == {"binary_accuracy": 0.75}

    def test_what_the_model_makes_can_be_sliced_by(self, run, examples, model):
        rows = [{"x": row["x"], "kind": "good" if row["label"] else "bad"} for row in ROWS]
        spec = {"label_key": "is_good", "preprocessing_function_names": ["number_labels"]}
        done = run(
            examples(rows),
            model(label_function=True),
            eval_config=config(spec=spec, slices=[{"feature_keys": ["is_good"]}]),
        )
        assert done.slices == [(("is_good", 0),), (("is_good", 1),)]

    def test_a_label_in_text_is_found_among_the_model_s_classes(self, run, examples, model):
        rows = [
            {"p": [0.7, 0.2, 0.1], "species": "Adelie"},
            {"p": [0.1, 0.3, 0.6], "species": "Chinstrap"},
            {"p": [0.1, 0.3, 0.6], "species": "Gentoo"},
            {"p": [0.1, 0.3, 0.6], "species": "Emperor"},
        ]
        metric = {"class_name": "SparseCategoricalAccuracy"}
        done = run(
            examples(rows[:3]),
            model("class_scorer"),
            eval_config=config(metric, spec={"label_key": "species"}),
        )
        assert done.metrics() == {"sparse_categorical_accuracy": pytest.approx(2 / 3)}

    def test_a_model_is_fed_features_by_name(self, run, examples, model):
        done = run(examples(ROWS), model("feature_model"), eval_config=config())
        assert done.metrics() == {"binary_accuracy": 0.75}

    def test_each_output_of_a_model_has_its_label(self, run, examples, model):
        rows = [{"x": 0.9, "y": 3.0, "liked": 1, "time": 5.0}, {"x": 0.2, "y": 4.0, "liked": 0,
                "time": 4.0}]  # fmt: skip
        asked = {
            "model_specs": [{"label_keys": {"likes": "liked", "minutes": "time"}}],
            "metrics_specs": [
                {"output_names": ["likes"], "metrics": [MEASURED]},
                {"output_names": ["minutes"], "metrics": [{"class_name": "MeanSquaredError"}]},
            ],
        }
        done = run(examples(rows), model("two_headed"), eval_config=asked)
        assert done.metrics(output="likes") == {"binary_accuracy": 1.0}
        assert done.metrics(output="minutes") == {"mean_squared_error": 2.0}

    def test_predictions_may_lie_in_the_examples(self, run, examples):
        spec = {"label_key": "label", "prediction_key": "x"}
        done = run(examples(ROWS), eval_config=config(spec=spec))
        assert done.metrics() == {"binary_accuracy": 0.75}

    def test_an_eval_saved_model_is_used_where_there_is_one(self, run, examples, model):
        both = model(shift=-9.0)
        import small_models

        small_models.save_eval_model(f"{both.uri}/Format-TFMA")
        done = run(
            examples(ROWS),
            both,
            eval_config=config(spec={"name": ""}, slices=[{}, {"feature_keys": ["place"]}]),
        )
        assert done.metrics() == {"binary_accuracy": 0.75}
        assert (("place", "Ulm"),) in done.slices

    def test_other_splits_can_be_evaluated(self, run, examples, model):
        done = run(
            examples(ROWS, split="test"), model(), eval_config=config(), example_splits=["test"]
        )
        assert done.metrics() == {"binary_accuracy": 0.75}

    def test_small_slices_are_left_out(self, run, examples, model, caplog):
        asked = config(
            slices=[{}, {"feature_keys": ["year"]}], options={"min_slice_size": {"value": 2}}
        )
        done = run(examples(ROWS), model(), eval_config=asked)
        assert done.slices == [(), (("year", 2007),)]
        assert "1 slice left out" in caplog.text

    def test_the_deprecated_slicing_spec_counts_examples(self, run, examples, model):
        done = run(
            examples(ROWS),
            model(),
            feature_slicing_spec={"specs": [{"column_for_slicing": ["town"]}]},
        )
        assert done.metrics(slice_key=[("town", "Ulm")]) == {"example_count": 2.0}

    def test_fairness_thresholds_add_indicators(self, run, examples, model):
        done = run(
            examples(ROWS), model(), eval_config=config(), fairness_indicator_thresholds=[0.5]
        )
        found = done.metrics()
        assert found["fairness_indicators_metrics/false_positive_rate@0.5"] == 0.5

    def test_replicates_are_the_same_again(self, run, examples, model):
        asked = config(options={"compute_confidence_intervals": {"value": True}})
        shared, scored = examples(ROWS), model()
        first = run(shared, scored, eval_config=asked)
        second = run(shared, scored, eval_config=asked)
        name = "metrics-00000-of-00001.tfrecord"
        assert (first.evaluation / name).read_bytes() == (second.evaluation / name).read_bytes()


class TestOwnModels:
    def test_scikit_learn_by_custom_eval_shared_model(self, run, examples, model, tmp_path):
        module = tmp_path / "own_model.py"
        module.write_text(
            textwrap.dedent(
                """
                import json, os
                import numpy as np
                from sklearn.linear_model import LogisticRegression

                class Scorer:
                    def __init__(self, path):
                        with open(os.path.join(path, "model.json")) as file:
                            given = json.load(file)
                        self.regression = LogisticRegression()
                        self.regression.classes_ = np.array([0, 1])
                        self.regression.coef_ = np.array([[given["coefficient"]]])
                        self.regression.intercept_ = np.array([given["intercept"]])

                    def predict(self, features):
                        column = np.asarray(features["x"]).reshape(-1, 1)
                        return self.regression.predict_proba(column)[:, 1]

                def custom_eval_shared_model(eval_saved_model_path, model_name, eval_config, **_):
                    return Scorer(eval_saved_model_path)
                """
            )
        )
        own = model()
        directory = tmp_path / "own" / "Format-Serving"
        directory.mkdir(parents=True)
        (directory / "model.json").write_text('{"coefficient": 10.0, "intercept": -5.0}')
        own.uri = str(tmp_path / "own")
        done = run(examples(ROWS), own, eval_config=config(), module_file=str(module))
        assert done.metrics() == {"binary_accuracy": 0.75}

    def test_extractors_add_predictions_and_features(self, run, examples, model, tmp_path):
        module = tmp_path / "own_extractors.py"
        module.write_text(
            textwrap.dedent(
                """
                def custom_extractors(eval_shared_model, eval_config, tensor_adapter_config):
                    def predict(extracts):
                        features = extracts["features"]
                        extracts["predictions"] = features["x"]
                        features["is_early"] = (features["year"] < 2008).astype("int64")
                        return extracts
                    return [predict]
                """
            )
        )
        done = run(
            examples(ROWS),
            model(shift=-9.0),
            eval_config=config(slices=[{}, {"feature_keys": ["is_early"]}]),
            module_file=str(module),
        )
        assert done.metrics() == {"binary_accuracy": 0.75}
        assert (("is_early", 1),) in done.slices

    def test_where_an_example_has_no_value_functions_get_nan(self, run, examples, model, tmp_path):
        module = tmp_path / "gaps.py"
        module.write_text(
            textwrap.dedent(
                """
                import numpy as np

                def custom_extractors(eval_shared_model, eval_config, tensor_adapter_config):
                    def predict(extracts):
                        features = extracts["features"]
                        assert features["town"].tolist() == [b"Ulm", b"", b"Bonn", b"Bonn"]
                        assert np.isnan(features["age"]).tolist() == [True, False, False, False]
                        return {**extracts, "predictions": features["x"]}
                    return [predict]
                """
            )
        )
        rows = [{**row, "age": age} for row, age in zip(ROWS, (None, 2.0, 3.0, 4.0), strict=True)]
        rows[1] = {**rows[1], "town": None}
        done = run(examples(rows), model(), eval_config=config(), module_file=str(module))
        assert done.metrics() == {"binary_accuracy": 0.75}


class TestMessages:
    def test_an_unknown_metric_is_refused_before_anything_runs(self, run, examples, model):
        with pytest.raises(ValueError, match="no metric 'BinaryAcuracy'. Near it are BinaryAcc"):
            run(examples(ROWS), model(), eval_config=config({"class_name": "BinaryAcuracy"}))

    def test_a_label_that_is_not_there(self, run, examples, model):
        with pytest.raises(ValueError) as refused:
            run(examples(ROWS), model(), eval_config=config(spec={"label_key": "lable"}))
        assert "names the label 'lable', which the examples do not have" in str(refused.value)
        assert "did you mean 'label'?" in str(refused.value)

    def test_examples_without_a_label(self, run, examples, model):
        rows = [*ROWS, {"x": 0.5, "town": "Ulm", "year": 2007}]
        with pytest.raises(ValueError, match="1 of 5 examples have no label 'label'"):
            run(examples(rows), model(), eval_config=config())

    def test_a_label_in_text_that_nobody_can_number(self, run, examples, model):
        message = "'town' is a string, for example 'Ulm', and the model"
        with pytest.raises(ValueError, match=message):
            run(examples(ROWS), model(), eval_config=config(spec={"label_key": "town"}))

    def test_slices_without_examples(self, run, examples, model, caplog):
        slices = [{}, {"feature_keys": ["twon"]}, {"feature_values": {"town": "Kiel"}}]
        done = run(examples(ROWS), model(), eval_config=config(at_least(0.1), slices=slices))
        assert "NO EXAMPLES in the slices by twon: no example has a feature 'twon'" in caplog.text
        assert "NO EXAMPLES in the slices by town=Kiel: no example has these values" in caplog.text
        # The summary of the run says it too.
        summary = done.blessing.get_string_custom_property("summary").splitlines()
        assert summary[0] == "blessed: 1 threshold met"
        assert len(summary) == 3

    def test_a_threshold_for_a_slice_without_examples_is_not_met(self, run, examples, model):
        metric = {
            "class_name": "BinaryAccuracy",
            "per_slice_thresholds": [
                {
                    "slicing_specs": [{"feature_values": {"town": "Kiel"}}],
                    "threshold": {"value_threshold": {"lower_bound": 0.1}},
                }
            ],
        }
        slices = [{}, {"feature_values": {"town": "Kiel"}}]
        done = run(examples(ROWS), model(), eval_config=config(metric, slices=slices))
        assert done.blessed == 0
        assert "there is no slice with examples" in done.blessing.get_string_custom_property(
            "summary"
        )

    def test_a_baseline_with_another_signature(self, run, examples, model):
        with pytest.raises(ValueError, match="The baseline has another signature") as refused:
            run(
                examples(ROWS),
                model(),
                baseline=model(output="logits"),
                eval_config=config(NO_WORSE),
            )
        assert "-> (scores: float)" in str(refused.value)
        assert "-> (logits: float)" in str(refused.value)

    def test_a_model_that_returns_nan_is_refused_and_named(self, run, examples, model, caplog):
        done = run(examples(ROWS), model(nan_below=0.3), eval_config=config(at_least(0.1)))
        assert "The model returned NaN for 1 of 4 examples, the first at record 1 of" in caplog.text
        assert done.blessed == 0 or not math.isnan(done.metrics()["binary_accuracy"])

    def test_a_threshold_on_a_metric_that_is_not_computed(self, run, examples, model):
        asked = config()
        asked["metrics_specs"][0]["thresholds"] = {
            "binary_acuracy": {"value_threshold": {"lower_bound": 0.5}}
        }
        with pytest.raises(ValueError, match="for 'binary_acuracy', which is not one") as refused:
            run(examples(ROWS), model(), eval_config=asked)
        assert "did you mean 'binary_accuracy'?" in str(refused.value)

    def test_a_split_that_is_not_there(self, run, examples, model):
        with pytest.raises(ValueError, match="no split 'evla' to evaluate on; did you mean 'eval'"):
            run(examples(ROWS), model(), eval_config=config(), example_splits=["evla"])

    def test_no_model_at_the_artifact(self, run, examples, model, tmp_path):
        empty = model()
        empty.uri = str(tmp_path / "nothing")
        with pytest.raises(FileNotFoundError, match=r"no SavedModel at .*nothing/Format-Serving"):
            run(examples(ROWS), empty, eval_config=config())

    def test_a_signature_that_is_not_there(self, run, examples, model):
        spec = {"label_key": "label", "signature_name": "serve_default"}
        with pytest.raises(ValueError, match="no function 'serve_default'; did you mean 'serv"):
            run(examples(ROWS), model(), eval_config=config(spec=spec))

    def test_a_kind_of_model_that_cannot_be_evaluated(self, run, examples, model):
        spec = {"label_key": "label", "model_type": "core_ml"}
        with pytest.raises(ValueError, match="says model_type='core_ml': expected one of"):
            run(examples(ROWS), model(), eval_config=config(spec=spec))

    def test_a_threshold_on_a_metric_that_nobody_has(self, run, examples, model):
        limit = {"auc": {"value_threshold": {"lower_bound": 0.5}}}
        with pytest.raises(ValueError, match="auc"):
            run(
                examples(ROWS),
                model(),
                eval_config={
                    "model_specs": [{"label_key": "label"}],
                    "metrics_specs": [{"thresholds": limit}],
                },
            )


def test_the_config_is_kept_as_json(run, examples, model):
    done = run(examples(ROWS), model(), eval_config=json.dumps(config(at_least(0.5))))
    kept = json.loads((done.evaluation / "eval_config.json").read_text())
    assert kept["evalConfig"]["metricsSpecs"][0]["metrics"][0]["className"] == "BinaryAccuracy"


def test_the_pass_runs_on_the_engine_that_was_chosen(
    run, examples, model, install_package, tmp_path
):
    code = """
        from trainwright.engine.local_engine import LocalEngine

        class Noting(LocalEngine):
            def __init__(self, address):
                super().__init__(1)
                self._notes = address

            def run(self, spec, shards, report_progress=None):
                with open(self._notes, "a") as file:
                    file.write(spec.factory)
                return super().run(spec, shards, report_progress)
    """
    offered = {"trainwright.engines": {"noting": "noting:Noting"}}
    install_package("noting", offered, noting=code)
    done = run(examples(ROWS), model(), eval_config=config(), engine=f"noting://{tmp_path}/notes")
    assert done.metrics() == {"binary_accuracy": 0.75}
    assert (tmp_path / "notes").read_text().endswith(":EvaluationPass")
