"""The page of an evaluation: the verdict, metrics by slice, curves, and what was evaluated."""

import math
from pathlib import Path

import pytest
from evaluation_messages import (
    HIGHER,
    LOWER,
    at_least,
    between,
    changed,
    class_plot,
    failure,
    metric_key,
    metrics,
    run,
    slice_key,
    validation,
)

from trainwright.html_views.artifact_page import to_html
from trainwright.html_views.evaluation_page import evaluation_page
from trainwright.proto.tfma import config_pb2, metrics_for_slice_pb2

GOLDEN = Path(__file__).parent / "golden"
HOSTILE = "</td><script>alert('x')</script>\"&\x00\u202e\nsecond line"


@pytest.fixture
def two_models(read_page):
    """A candidate and a baseline, evaluated by TFMA."""
    return read_page(to_html("ModelEvaluation", str(GOLDEN / "two_models")))


@pytest.fixture
def three_classes(read_page):
    """Three classes with confidence intervals, evaluated by TFMA."""
    return read_page(to_html("ModelEvaluation", str(GOLDEN / "three_classes")))


def charts(page):
    return [
        attributes
        for tag, attributes in page.elements
        if tag == "svg" and attributes["class"] == "curves"
    ]


def test_what_failed_is_on_top_with_by_how_much(two_models):
    assert "✖ Not blessed" in two_models.text
    assert "1 kind of slices to check had no examples." in two_models.text
    cells = two_models.row("all examples", "auc")
    assert cells[2] == "from 0.5 to 0.8"
    assert float(cells[5]) == pytest.approx(float(cells[3]) - 0.8)
    assert f"{cells[3]}, allowed is from 0.5 to 0.8" in two_models.text  # its picture
    # The change is in parts of the baseline's value: up to 0.7 of that is allowed.
    cells = two_models.row("all examples", "binary_crossentropy")
    assert cells[2] == "at least 30% below the baseline's"
    value, baseline, missed = map(float, cells[3:6])
    assert missed == pytest.approx(value - 0.7 * baseline, abs=2e-4)
    assert two_models.text.index("Not blessed") < two_models.text.index("Metrics by slice")


def test_slices_without_examples_are_named(two_models):
    assert "Slices without examples 1" in two_models.text
    assert "These have thresholds and no examples, which fails the check: year" in two_models.text


def test_thresholds_that_were_met_are_folded_if_they_are_many(two_models):
    folds = [attributes for tag, attributes in two_models.elements if tag == "details"]
    passed = next(attributes for attributes in folds if attributes.get("class") == "passed")
    assert "open" not in passed
    assert "at least the baseline's" in two_models.text


def test_a_cell_has_candidate_baseline_and_change(two_models):
    heads = two_models.row("slice", "examples")
    cells = two_models.row("island=Dream", "480")
    shown = cells[heads.index("binary_accuracy")].removeprefix("✖ ")
    candidate, baseline, arrow, change = shown[:6], *shown[6:].split()
    assert float(candidate) - float(baseline) == pytest.approx(float(change), abs=2e-4)
    assert (arrow, change[0]) in [("▲", "+"), ("▼", "-")]
    # The same for both models in every slice, which its heading says once.
    assert len(cells[heads.index("mean_label = baseline")].split()) == 1


def same_and_changed(*, shift):
    """Two metrics of two slices beside a baseline; the second differs by the shift in one."""
    before = {"auc": 0.8, "recall": 0.5}
    return [
        metrics(100, {"auc": 0.8, "recall": 0.5 + shift}, baseline=before),
        metrics(40, before, baseline=before, town="Ulm"),
    ]


def test_a_baseline_with_the_same_values_is_said_once(read_page):
    page = read_page(evaluation_page(same_and_changed(shift=0.0), run=run(baseline=True)))
    assert "The baseline has the same values: no metric of any slice has changed." in page.text
    assert page.row("town=Ulm", "40")[2:] == ["0.8000", "0.5000"]
    assert "= 0" not in page.text
    assert "change from the baseline" not in page.text


def test_a_metric_that_is_the_baseline_s_in_every_slice_says_so_in_its_heading(read_page):
    page = read_page(evaluation_page(same_and_changed(shift=0.1), run=run(baseline=True)))
    assert page.row("slice", "examples")[2:] == ["auc = baseline", "recall"]
    assert page.row("all examples", "100")[2] == "0.8000"
    assert page.row("all examples", "100")[3].endswith("▲ +0.1000")
    assert page.row("town=Ulm", "40")[3].endswith("= 0")
    assert "has the same values" not in page.text


def test_a_compiled_metric_stands_beside_a_listed_one_of_its_name(read_page):
    message = metrics(100, {"auc": 0.75})
    listed = metric_key("auc")
    listed.example_weighted.value = False
    message.metric_keys_and_values.add(key=listed).value.double_value.value = 0.8
    page = read_page(evaluation_page([message]))
    assert page.row("slice", "examples")[2:] == ["auc (compiled)", "auc"]


def test_examples_that_were_not_counted_are_no_column(read_page):
    messages = [metrics(100, {"auc": 0.75}), metrics(40, {"auc": 0.5}, town="Ulm")]
    for message in messages:
        del message.metric_keys_and_values[0]  # example_count, which comes first
    page = read_page(evaluation_page(messages))
    start = page.tidy_rows.index(page.row("slice", "auc"))
    assert [len(row) for row in page.tidy_rows[start : start + 3]] == [2, 2, 2]
    assert page.row("all examples", "0.7500")
    assert page.row("town=Ulm", "0.5000")
    heads = [attributes for tag, attributes in page.elements if tag == "th"]
    places = [dict(attributes)["data-c"] for attributes in heads if "data-c" in dict(attributes)]
    assert places == ["0", "1"]


def test_all_examples_come_first_then_slices_of_one_feature(two_models):
    start = two_models.tidy_rows.index(two_models.row("slice", "examples"))
    names = [row[0] for row in two_models.tidy_rows[start + 1 : start + 13]]
    assert names[:6] == [
        "all examples", "island=Biscoe", "island=Dream", "island=Torgersen", "sex=0", "sex=1"
    ]  # fmt: skip
    assert names[6] == "island=Biscoe, sex=0"


def test_failed_cells_are_marked_in_the_table(two_models):
    cells = two_models.row("all examples", "1500")
    assert cells[two_models.row("slice", "examples").index("auc")].startswith("✖ ")


def test_candidate_and_baseline_share_a_chart(two_models):
    assert len(charts(two_models)) == 36  # three of each slice
    for words in ("ROC curve", "Precision and recall", "Calibration", "candidate", "baseline"):
        assert words in two_models.text
    assert "candidate: threshold 0.5: false positive rate" in two_models.text
    blocks = [a for tag, a in two_models.elements if a.get("class") == "plots"]
    assert [("open" in attributes) for attributes in blocks] == [True] + [False] * 11


def test_classes_and_averages_have_headings(three_classes):
    groups = three_classes.row("slice", "examples")[2:]
    assert groups == [
        "whole prediction", "macro average", "class 0", "class 1", "class 2", "top 2"
    ]  # fmt: skip
    assert "✓ Blessed 4 thresholds met, in 4 slices." in three_classes.text


def test_confidence_intervals_are_half_widths_and_hints(three_classes):
    cells = three_classes.row("all examples", "1500")
    assert " ± 0.0" in cells[2]
    value, half = cells[2].split(" ± ")
    ends = f"from {float(value) - float(half):.2f}"
    assert any(hint.startswith(ends[:-1]) for hint in three_classes.hints)


def test_a_matrix_of_classes_is_a_table(three_classes):
    assert three_classes.row("actual ↓ predicted →") == [
        "actual ↓ predicted →", "0", "1", "2", "right"
    ]  # fmt: skip
    cells = three_classes.row("0")
    total = sum(int(cell) for cell in cells[1:4])
    assert cells[4] == f"{int(cells[1]) / total:.1%}"


def test_sources_and_the_config_are_at_the_end(two_models):
    assert two_models.row("model candidate") == ["model candidate", "models/two_models/candidate"]
    assert two_models.row("baseline") == ["baseline", "models/two_models/baseline"]
    assert two_models.row("examples", "examples.tf") == ["examples", "examples.tfrecord tfrecords"]
    assert '"class_name": "BinaryAccuracy"' in two_models.text


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, "○ Neither blessed nor refused"),
        (validation(missing_thresholds=True), "○ Neither blessed nor refused"),
        (validation(ok=True), "✓ Blessed"),
        (validation(failure("auc", at_least(0.9), 0.8)), "✖ Not blessed"),
        (validation(ok=True, rubber_stamp=True), "(rubber stamp)"),
    ],
)
def test_the_verdict(read_page, found, words):
    config = run(("AUC", at_least(0.7)))
    page = read_page(evaluation_page([metrics(10, {"auc": 0.8})], validation=found, run=config))
    assert words in page.text


def test_it_cannot_be_told_if_the_interval_holds_the_bound(read_page):
    slices = [metrics(10, {"auc": 0.78}, interval={"auc": (0.7, 0.86)})]
    found = validation(failure("auc", at_least(0.8), 0.78))
    page = read_page(evaluation_page(slices, validation=found, run=run(("AUC", at_least(0.8)))))
    assert "? Not blessed 1 of 1 threshold undecided, in 1 of 1 slice." in page.text
    assert "It may be chance" in page.text
    assert page.row("all examples", "auc")[-1] == "? within the interval"
    # One that is surely missed decides.
    slices[0].metric_keys_and_values.add(key=metric_key("recall")).value.double_value.value = 0.1
    found.metric_validations_per_slice.append(failure("recall", at_least(0.5), 0.1))
    assert "✖ Not blessed" in read_page(evaluation_page(slices, validation=found)).text


def test_the_interval_of_a_change_is_held_against_a_bound_on_changes(read_page):
    values = {"values": {"auc": 0.8}, "baseline": {"auc": 0.81}}
    slices = [metrics(10, **values, interval={"auc_diff": (-0.03, 0.01)})]
    threshold = changed(HIGHER, absolute=0.0)
    found = validation(failure("auc", threshold, -0.01, model="candidate"))
    page = read_page(evaluation_page(slices, validation=found, run=run(baseline=True)))
    assert "? Not blessed" in page.text
    assert page.row("all examples", "auc")[2:6] == [
        "at least the baseline's", "0.8000", "0.8100", "0.0100"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("threshold", "words", "missed"),
    [
        (at_least(0.9), "at least 0.9", "0.1000"),
        (between(0.2, 0.7), "from 0.2 to 0.7", "0.1000"),
        (changed(HIGHER, absolute=0.35), "at least 0.35 above the baseline's", "0.0500"),
        (changed(HIGHER, relative=0.8), "at least 80% above the baseline's", "0.1000"),
        (changed(LOWER, absolute=-0.1), "at least 0.1 below the baseline's", "0.4000"),
        (changed(LOWER, absolute=0.1), "at most 0.1 above the baseline's", "0.2000"),
        (changed(LOWER, relative=0), "at most the baseline's", "0.3000"),
    ],
)
def test_bounds_in_words_and_how_far_they_were_missed(read_page, threshold, words, missed):
    slices = [metrics(10, {"auc": 0.8}, baseline={"auc": 0.5})]
    found = validation(failure("auc", threshold, 0.3, model="candidate"))
    page = read_page(evaluation_page(slices, validation=found, run=run(baseline=True)))
    cells = page.row("all examples", "auc")
    assert (cells[2], cells[5]) == (words, missed)


def test_a_metric_that_is_not_there_says_so(read_page):
    found = validation(failure("auc", at_least(0.5), message="Metric not found."))
    page = read_page(evaluation_page([metrics(10)], validation=found))
    assert page.row("all examples", "auc") == [
        "all examples", "auc", "at least 0.5", "–", "–", "Metric not found."
    ]  # fmt: skip


def test_a_config_that_is_not_understood_costs_no_page(read_page):
    config = run(("AUC", at_least(0.5)))
    config.eval_config.metrics_specs[0].metrics[0].config = "{no JSON"
    page = read_page(
        evaluation_page([metrics(10, {"auc": 0.9})], validation=validation(ok=True), run=config)
    )
    assert "✓ Blessed No threshold was missed." in page.text


def test_nan_and_infinity(read_page):
    values = {"a": math.nan, "b": math.inf, "c": -math.inf, "d": 0.0, "e": 1e-9}
    slices = [
        metrics(10, values, baseline=dict.fromkeys("abc", 0.5)),
        metrics(0, values, baseline={}, x=1),
    ]
    found = validation(failure("a", at_least(0.5), math.nan, model="candidate"))
    page = read_page(evaluation_page(slices, validation=found, run=run(baseline=True)))
    # A change from or to what is not a number is none.
    assert page.row("all examples", "10")[2:] == [
        "✖ NaN0.5000 NaN", "∞0.5000 ▲ +∞", "-∞0.5000 ▼ -∞", "0", "1e-9"
    ]  # fmt: skip
    assert page.row("all examples", "a", "at least")[3:6] == ["NaN", "0.5000", "–"]


def test_values_that_are_no_numbers(read_page):
    message = metrics(10)
    value = metrics_for_slice_pb2.MetricValue
    array = metrics_for_slice_pb2.ArrayValue(float64_values=[1, 2, 3, 4, 5.5])
    matrix = class_plot({(0, 0): 3, (0, 1): 1}).multi_class_confusion_matrix_at_thresholds
    for name, stored in {
        "array": value(array_value=array),
        "bytes": value(bytes_value=b"\xff<"),
        "matrix": value(multi_class_confusion_matrix_at_thresholds=matrix),
        "debug": value(debug_message="empty"),
        "nothing": value(),
    }.items():
        message.metric_keys_and_values.add(key=metric_key(name), value=stored)
    page = read_page(evaluation_page([message]))
    assert page.row("all examples", "10")[2:] == [
        "1, 2, 3, 4, … (5)", "\ufffd<", "matrix, see below", "empty", "–"
    ]  # fmt: skip
    # A matrix that was asked for as a metric is drawn with the plots.
    assert page.row("0", "3", "1") == ["0", "3", "1", "75.0%"]


def test_outputs_models_and_weights_are_told_apart(read_page):
    message = metrics(10)
    for model in ("a", "b"):
        for weighted in (False, True):
            key = metric_key("auc", model, output_name="head")
            key.example_weighted.value = weighted
            item = message.metric_keys_and_values.add(key=key)
            item.value.double_value.value = 0.5
    page = read_page(evaluation_page([message]))
    assert page.row("slice", "examples") == ["slice", "examples", "a · head", "b · head"]
    assert page.row("auc") == ["auc", "auc (weighted)", "auc", "auc (weighted)"]


def test_differences_between_slices_have_a_table_of_their_own(read_page):
    cross = metrics(5, {"auc": -0.1})
    cross.cross_slice_key.baseline_slice_key.CopyFrom(slice_key())
    cross.cross_slice_key.comparison_slice_key.CopyFrom(slice_key(sex=1))
    page = read_page(evaluation_page([metrics(10, {"auc": 0.8}), cross]))
    assert "Differences between slices" in page.text
    assert page.row("all examples against sex=1")[2] == "-0.1000"


def test_missing_pairs_of_slices(read_page):
    pair = config_pb2.CrossSlicingSpec(slicing_specs=[config_pb2.SlicingSpec(feature_keys=["sex"])])
    page = read_page(
        evaluation_page([metrics(1)], validation=validation(missing_cross_slices=[pair]))
    )
    assert "all examples against sex" in page.text


def test_no_metrics(read_page):
    page = read_page(evaluation_page([]))
    assert "There are no metrics here." in page.text
    assert "The evaluation has kept no eval_config.json." in page.text


def test_hostile_names_are_only_text(read_page):
    message = metrics(10, {HOSTILE: 0.5}, baseline={HOSTILE: 0.4}, **{HOSTILE: HOSTILE})
    config = run((HOSTILE, at_least(1)), baseline=True)
    config.data_location = config.model_locations["candidate"] = HOSTILE
    found = validation(
        failure(HOSTILE, at_least(1), model="candidate", message=HOSTILE, **{HOSTILE: HOSTILE}),
        missing_slices=[config_pb2.SlicingSpec(feature_keys=[HOSTILE])],
    )
    page = read_page(evaluation_page([message], validation=found, run=config, title=HOSTILE))
    assert "<script>alert('x')</script>" in page.text


def test_bytes_that_are_no_text_name_a_slice(read_page):
    message = metrics(10)
    message.slice_key.single_slice_keys.add(column="city", bytes_value=b"Z\xfcrich")
    assert "city=Z\ufffdrich" in read_page(evaluation_page([message])).text


@pytest.mark.not_quick  # takes seconds
def test_many_slices_and_metrics_have_a_sensible_size(read_page):
    names = [f"metric_{number}" for number in range(50)]
    slices = [
        metrics(
            10,
            dict.fromkeys(names, (place + 1) / 201),
            baseline=dict.fromkeys(names, 0.512345),
            interval=dict.fromkeys(names, (0, 1)),
            **({"city": f"number {place}"} if place else {}),
        )
        for place in range(200)
    ]
    failures = [failure(names[0], at_least(2), 0.1, city=f"number {n}") for n in range(1, 200)]
    text = evaluation_page(slices, validation=validation(*failures), run=run(baseline=True))
    assert len(text) < 4_000_000
    assert len(read_page(text).row("city=number 7", "10")) == 52


def test_files_are_read_by_the_name_of_one_of_them(read_page):
    path = GOLDEN / "three_classes" / "metrics-00000-of-00001.tfrecord"
    assert "✓ Blessed" in read_page(to_html("ModelEvaluation", str(path))).text


@pytest.mark.parametrize(
    ("file_name", "content", "message"),
    [
        (None, b"", "has no metrics-\\*, the file of an artifact of type ModelEvaluation"),
        ("metrics-00000-of-00001.tfrecord", b"\xff not a record", "metrics-00000-of-00001"),
        (
            "eval_config.json",
            b"{",
            "not the config of an evaluation: .*let the component run",
        ),
    ],
)
def test_errors_say_what_to_do(tmp_path, file_name, content, message):
    if file_name:
        (tmp_path / "metrics-00000-of-00001.tfrecord").write_bytes(b"")
        (tmp_path / file_name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        to_html("ModelEvaluation", str(tmp_path))
