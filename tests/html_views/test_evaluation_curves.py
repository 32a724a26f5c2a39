"""The curves and matrices of an evaluation: right, thin, and no more than can be looked at."""

import math
import re

import pytest
from evaluation_messages import binary_plot, class_plot, metrics, plots, run

from trainwright.html_views.evaluation.class_matrix import MOST_CLASSES
from trainwright.html_views.evaluation.curve_chart import thin
from trainwright.html_views.evaluation.curves import (
    MOST_BUCKETS,
    merge_buckets,
    precision_recall_curve,
    roc_curve,
)
from trainwright.html_views.evaluation.plots import MOST_CHARTS
from trainwright.html_views.evaluation_page import evaluation_page
from trainwright.proto.tfma import metrics_for_slice_pb2


def test_roc_and_precision_recall_are_what_the_matrices_say():
    matrices = binary_plot(3, positives=8, negatives=4).confusion_matrix_at_thresholds.matrices
    # At the threshold 0.5 there are 7 of 8 positives and 0.5 of 4 negatives.
    assert [tuple(point) for point in roc_curve(matrices).points] == [
        (1, 1), (0.125, 0.875), (0, 0)
    ]  # fmt: skip
    # At the last one nothing is predicted positive: there is no precision.
    assert [tuple(point) for point in precision_recall_curve(matrices).points] == [
        (1, 8 / 12), (0.875, 7 / 7.5)
    ]  # fmt: skip


@pytest.mark.parametrize("counts", [{"positives": 0.0}, {"negatives": 0.0}])
def test_examples_of_one_class_have_no_roc_curve(read_page, counts):
    data = binary_plot(**counts)
    assert roc_curve(data.confusion_matrix_at_thresholds.matrices) is None
    page = read_page(evaluation_page([metrics(1)], plots=[plots({"": data})]))
    assert "ROC curve" not in page.text
    assert "Calibration" in page.text


def test_ten_thousand_points_are_thinned_to_what_is_visible(read_page):
    page = read_page(evaluation_page([metrics(1)], plots=[plots({"": binary_plot(10_000)})]))
    lines = [a["d"] for tag, a in page.elements if tag == "path" and a.get("class") == "curve"]
    assert len(lines) == 3
    assert all(10 < line.count("L") < 100 for line in lines[:2])
    assert lines[2].count("L") == 1  # what is calibrated is a straight line
    circles = [a for tag, a in page.elements if tag == "circle"]
    assert len(circles) <= 9 + 9 + MOST_BUCKETS


def test_a_thin_line_is_nowhere_far_from_the_points():
    places = [(step / 10, 50 * math.sin(step / 80)) for step in range(2000)]
    thinned = thin(places)
    assert len(thinned) < 120
    assert (thinned[0], thinned[-1]) == (places[0], places[-1])
    for place in places:
        assert min(_distance(place, a, b) for a, b in zip(thinned, thinned[1:], strict=False)) < 0.8


def _distance(place, start, end):
    across, up = end[0] - start[0], end[1] - start[1]
    along = ((place[0] - start[0]) * across + (place[1] - start[1]) * up) / (across**2 + up**2)
    along = min(max(along, 0), 1)
    return math.dist(place, (start[0] + along * across, start[1] + along * up))


def test_buckets_are_put_together_and_none_is_lost():
    buckets = merge_buckets(binary_plot(1001).calibration_histogram_buckets)
    assert len(buckets) == MOST_BUCKETS
    assert sum(bucket.examples for bucket in buckets) == 2 * 1001
    assert buckets[3].label == pytest.approx(buckets[3].prediction)


def test_calibration_of_numbers_that_are_no_probabilities(read_page):
    data = metrics_for_slice_pb2.PlotData()
    for prediction in (-20.0, 5.0, 400.0):
        bucket = data.calibration_histogram_buckets.buckets.add()
        bucket.num_weighted_examples.value = 1.5
        bucket.total_weighted_label.value = 1.5 * prediction
        bucket.total_weighted_refined_prediction.value = 1.5 * prediction
    page = read_page(evaluation_page([metrics(1)], plots=[plots({"": data})]))
    assert "prediction 400, label 400, weight 1.5" in page.text
    assert re.search(r"-20.*400", page.text)


def test_the_charts_of_both_models_and_of_each_slice(read_page):
    both = {"candidate": binary_plot(), "baseline": binary_plot(positives=50.0)}
    slices = [metrics(20, {}, baseline={}), metrics(5, {}, baseline={}, sex=1)]
    shown = [plots(both, sex=1), plots(both)]
    page = read_page(evaluation_page(slices, plots=shown, run=run(baseline=True)))
    assert [words for tag, words in summaries(page)] == [
        "all examples · 20 examples", "sex=1 · 5 examples"
    ]  # fmt: skip
    lines = [a for tag, a in page.elements if a.get("class") == "curve"]
    assert len(lines) == 2 * 3 * 2
    # The candidate has the first colour.
    keys = [a["class"] for tag, a in page.elements if a.get("class", "").endswith(" key")]
    assert keys[:2] == ["s1 key", "s0 key"]


def summaries(page):
    found = re.findall(r"<summary>(.*?)</summary>", page.source)
    return [("summary", re.sub("<.*?>", "", text)) for text in found if "examples" in text]


def test_more_charts_than_can_be_looked_at_are_counted_and_not_drawn(read_page):
    shown = [plots({"": binary_plot(20)}, city=number) for number in range(500)]
    page = read_page(evaluation_page([metrics(1)], plots=shown))
    drawn = [a for tag, a in page.elements if a.get("class") == "curves"]
    assert MOST_CHARTS <= len(drawn) < MOST_CHARTS + 3
    assert f"The charts of {500 - len(drawn) // 3} more slices are not drawn" in page.text


def test_a_matrix_of_two_models_has_a_table_for_each(read_page):
    both = {
        "candidate": class_plot({(0, 0): 9, (0, 1): 1, (1, -1): 4}),
        "baseline": class_plot({(0, 0): 5, (0, 1): 5}),
    }
    slices = [metrics(14, {}, baseline={})]
    page = read_page(evaluation_page(slices, plots=[plots(both)], run=run(baseline=True)))
    assert "Confusion matrix candidate" in page.text
    assert "Confusion matrix baseline" in page.text
    assert page.row("actual") == ["actual ↓ predicted →", "0", "1", "none", "right"]
    assert page.row("0", "9") == ["0", "9", "1", "0", "90.0%"]
    assert page.row("1", "0") == ["1", "0", "0", "4", "0%"]
    assert "90.0% of the class" in page.hints


def test_many_classes_are_put_together(read_page):
    counts = {(actual, actual): 100 - actual for actual in range(90)}
    counts[0, 80] = 7
    page = read_page(evaluation_page([metrics(1)], plots=[plots({"": class_plot(counts)})]))
    heads = page.row("actual")
    assert len(heads) == MOST_CLASSES + 2
    assert heads[-2] == "others"
    assert page.row("0", "100")[-2:] == ["7", "93.5%"]
