"""tfma.run_model_analysis and analyze_raw_data: the same numbers as an Evaluator's."""

from __future__ import annotations

import os

import pytest

import tensorflow_model_analysis as tfma

pytestmark = pytest.mark.not_quick  # what is imported by halves stays so

ROWS = [
    {"x": 0.9, "label": 1, "hour": 8},
    {"x": 0.4, "label": 1, "hour": 8},
    {"x": 0.6, "label": 0, "hour": 9},
    {"x": 0.1, "label": 0, "hour": 9},
]


def make_config(*metrics, **options):
    return tfma.EvalConfig(
        model_specs=[tfma.ModelSpec(label_key="label")],
        slicing_specs=[tfma.SlicingSpec(), tfma.SlicingSpec(feature_keys=["hour"])],
        metrics_specs=tfma.metrics.specs_from_metrics(
            [*metrics, tfma.metrics.AUC(), tfma.metrics.ConfusionMatrixPlot()]
        ),
        **options,
    )


def files_of(examples):
    return os.path.join(examples.uri, "Split-eval", "*")


def path_of(model):
    return os.path.join(model.uri, "Format-Serving")


@pytest.fixture
def analyzed(examples, model, tmp_path):
    shared = tfma.default_eval_shared_model(path_of(model()))
    return tfma.run_model_analysis(
        shared, make_config(), files_of(examples(ROWS)), output_path=str(tmp_path / "out")
    )


def test_it_finds_what_an_evaluator_finds(run, examples, model, tmp_path):
    data, scorer = examples(ROWS[:2], ROWS[2:]), model()
    config = make_config(tfma.metrics.Precision(name="precise"))
    evaluated = run(data, scorer, eval_config=config)
    result = tfma.run_model_analysis(
        tfma.default_eval_shared_model(path_of(scorer)), config, files_of(data)
    )
    theirs = tfma.load_eval_result(str(evaluated.evaluation))
    assert result.slicing_metrics == theirs.slicing_metrics
    assert result.plots == theirs.plots
    assert result.get_metrics_for_slice((("hour", 8),))["example_count"] == {"doubleValue": 2.0}
    assert {"auc", "precise"} <= set(result.get_metric_names())


def test_a_candidate_and_a_baseline_are_compared(examples, model, tmp_path):
    config = make_config()
    del config.model_specs[:]
    config.model_specs.add(name="candidate", label_key="label")
    config.model_specs.add(name="baseline", label_key="label", is_baseline=True)
    config.metrics_specs[-1].thresholds[
        "auc"
    ].change_threshold.direction = tfma.MetricDirection.HIGHER_IS_BETTER
    shared = [
        tfma.default_eval_shared_model(path, model_name=name, eval_config=config)
        for name, path in (("candidate", path_of(model())), ("baseline", path_of(model(shift=0.1))))
    ]
    assert [one.is_baseline for one in shared] == [False, True]
    with pytest.raises(ValueError, match="no model spec for the model_name 'base'"):
        tfma.default_eval_shared_model("model", model_name="base", eval_config=config)
    results = tfma.run_model_analysis(
        shared, config, files_of(examples(ROWS)), output_path=str(tmp_path / "out")
    )
    candidate, baseline = results.get_results()
    assert candidate.get_metrics_for_slice()["auc_diff"] == {"doubleValue": 0.0}
    assert "auc_diff" not in baseline.get_metrics_for_slice()
    assert tfma.load_validation_result(str(tmp_path / "out")).validation_details
    only = tfma.run_model_analysis(shared[:1], config, files_of(examples(ROWS)))
    assert isinstance(only, tfma.EvalResult)


def test_a_config_without_metrics_counts_examples(examples, model, caplog):
    config = tfma.EvalConfig(model_specs=[tfma.ModelSpec(label_key="label")])
    result = tfma.run_model_analysis(
        tfma.default_eval_shared_model(path_of(model())), config, files_of(examples(ROWS))
    )
    assert result.get_metrics_for_slice() == {"example_count": {"doubleValue": 4.0}}
    assert "The eval config lists no metrics" in caplog.text
    sliced = tfma.run_model_analysis(
        tfma.default_eval_shared_model(path_of(model()), example_weight_key="x"),
        data_location=files_of(examples(ROWS)),
        slice_spec=[tfma.slicer.SingleSliceSpec(columns=["hour"])],
    )
    assert sliced.get_slice_names() == [(("hour", 8),), (("hour", 9),)]
    assert sliced.config.model_specs[0].example_weight_key == "x"


def test_predictions_in_a_data_frame_are_evaluated():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, index=[0, 0, 1, 1]).rename(columns={"x": "prediction"})
    result = tfma.analyze_raw_data(frame, make_config())
    assert result.get_metrics_for_slice()["auc"]["doubleValue"] == pytest.approx(0.75)
    assert result.get_metrics_for_slice((("hour", 9),))["example_count"]["doubleValue"] == 2
    with pytest.raises(KeyError, match="The prediction_key column was not found"):
        tfma.analyze_raw_data(frame.drop(columns="prediction"), make_config())


def test_what_cannot_be_done_is_said_first(examples, model, tmp_path):
    shared = tfma.default_eval_shared_model(str(tmp_path / "nowhere"))
    data = files_of(examples(ROWS))
    with pytest.raises(FileNotFoundError, match="There is no model at"):
        tfma.run_model_analysis(shared, make_config(), data)
    with pytest.raises(FileNotFoundError, match="There are no files at"):
        tfma.run_model_analysis(shared, make_config(), str(tmp_path / "*.gz"))
    with pytest.raises(ValueError, match="writers are for Beam"):
        tfma.run_model_analysis(shared, make_config(), data, writers=["a"])
    with pytest.raises(ValueError, match="unknown file_format: 'text'"):
        tfma.run_model_analysis(shared, make_config(), data, file_format="text")
    own = tfma.default_eval_shared_model(
        str(tmp_path), custom_model_loader=tfma.ModelLoader(construct_fn=lambda: None)
    )
    with pytest.raises(ValueError, match="a loader of its own"):
        tfma.run_model_analysis(own, make_config(), data)


def test_several_models_are_shown_over_time(examples, model, capsys):
    results = tfma.multiple_model_analysis(
        [path_of(model()), path_of(model(shift=-0.5))],
        files_of(examples(ROWS)),
        eval_config=make_config(tfma.metrics.MeanPrediction()),
    )
    tfma.view.render_time_series(results)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[0] == "model"
    assert "mean_prediction" in lines[0]
    assert len(lines) == 3
    assert lines[1] != lines[2]
    paths = tfma.load_eval_results([], tfma.DATA_CENTRIC_MODE)
    assert paths.get_mode() == tfma.DATA_CENTRIC_MODE
    assert tfma.make_eval_results(results.get_results(), tfma.MODEL_CENTRIC_MODE).get_mode()


def test_metrics_are_shown_as_a_table_outside_of_a_notebook(analyzed, capsys):
    tfma.view.render_slicing_metrics(analyzed, slicing_column="hour")
    shown = capsys.readouterr().out
    assert "hour:8  example_count" in shown
    assert "Overall" not in shown
    with pytest.raises(ValueError, match="no slices by hours; did you mean 'hour'"):
        tfma.view.render_slicing_metrics(analyzed, slicing_column="hours")


def test_pages_are_shown_in_a_notebook(analyzed, monkeypatch):
    from trainwright.compat.tfma import views

    pages = []
    monkeypatch.setattr(views, "is_in_notebook", lambda: True)
    monkeypatch.setattr(views, "show_page", pages.append)
    tfma.view.render_slicing_metrics(
        analyzed, slicing_spec=tfma.SlicingSpec(feature_values={"hour": "9"})
    )
    tfma.view.render_plot(analyzed)
    assert "hour" in pages[0]
    # Thresholds are not part of a result: the page does not say that there were none.
    assert "blessed" not in pages[0].lower()
    assert "has kept no eval_config.json" not in pages[0]
    assert "auc" in pages[0]
    assert "<svg" in pages[1]
    with pytest.raises(ValueError, match="There are no such plots"):
        tfma.view.render_plot(analyzed, class_id=3)


def test_fairness_indicators_are_shown(examples, model, capsys):
    from tensorflow_model_analysis.addons.fairness.view import widget_view

    config = make_config(tfma.metrics.FairnessIndicators(thresholds=[0.5]))
    result = tfma.run_model_analysis(
        tfma.default_eval_shared_model(path_of(model())), config, files_of(examples(ROWS))
    )
    widget_view.render_fairness_indicator(result, slicing_column="hour")
    shown = capsys.readouterr().out
    assert "fairness_indicators_metrics/false_positive_rate@0.5" in shown
    assert " auc " not in shown
    with pytest.raises(ValueError, match="Exactly one of"):
        widget_view.render_fairness_indicator()


def test_metrics_are_data_frames(analyzed, tmp_path):
    pytest.importorskip("pandas")
    frames = tfma.experimental.dataframe.metrics_as_dataframes(
        tfma.load_metrics(str(tmp_path / "out"))
    )
    numbers = frames.double_value
    assert set(numbers["slices"].columns) == {"Overall", "hour"}
    is_auc = numbers["metric_keys", "name"] == "auc"
    assert list(numbers.loc[is_auc, ("metric_values", "double_value")]) == [0.75, 0.0, 0.0]
    pivoted = tfma.experimental.dataframe.auto_pivot(numbers)
    assert list(pivoted.index) == ["Overall:", "hour:8.0", "hour:9.0"]
    assert list(pivoted["example_count", False]) == [4.0, 2.0, 2.0]
    plots = tfma.dataframe.load_plots_as_dataframes(str(tmp_path / "out"))
    matrices = plots.confusion_matrix_at_thresholds
    assert len(matrices) > 100
    assert "true_positives" in matrices["plot_data"].columns


def test_default_specs_are_evaluated(examples, model):
    config = make_config()
    del config.metrics_specs[:]
    config.metrics_specs.extend(tfma.metrics.default_binary_classification_specs())
    result = tfma.run_model_analysis(
        tfma.default_eval_shared_model(path_of(model())), config, files_of(examples(ROWS))
    )
    found = result.get_metrics_for_slice()
    assert {"binary_accuracy", "auc_precison_recall", "loss", "example_count"} <= set(found)


def test_keras_metrics_become_configs():
    import tensorflow as tf

    [spec] = tfma.metrics.specs_from_metrics(
        [tf.keras.metrics.AUC(name="a", curve="PR"), tf.keras.losses.Huber(delta=2.0, name="h")],
        include_example_count=False,
        include_weighted_example_count=False,
    )
    auc, huber = spec.metrics
    assert (auc.class_name, auc.config) == ("AUC", '{"curve": "PR", "name": "a"}')
    assert (huber.class_name, huber.module) == ("Huber", "tf_keras.losses")
    with pytest.raises(ValueError, match="The metric AUC has no argument 'thresholdz'"):
        tfma.metrics.AUC(thresholdz=3)


def test_slices_in_words():
    spec = tfma.slicer.SingleSliceSpec(columns=["hour"], features=[("company", "Blue")])
    assert spec.is_slice_applicable((("company", "Blue"), ("hour", 5)))
    assert not spec.is_overall()
    assert tfma.slicer.SingleSliceSpec().is_overall()
    assert spec == tfma.slicer.SingleSliceSpec(spec=spec.to_proto())
    assert tfma.slicer.stringify_slice_key((("hour", 5),)) == "hour:5"
    with pytest.raises(ValueError, match="columns is a string"):
        tfma.slicer.SingleSliceSpec(columns="hour")
