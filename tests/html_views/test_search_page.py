"""The page of a search for hyperparameters, read as a browser reads it."""

from __future__ import annotations

import json
import math

import pytest

from trainwright.html_views.artifact_files import find_types
from trainwright.html_views.artifact_page import to_html
from trainwright.html_views.search.axis import axis_of
from trainwright.html_views.search.search_files import read_search

HOSTILE = "<script>alert('x')</script>"


def trial(number, score, status="finished", message="", **values):
    return {
        "trial_id": f"{number:02d}",
        "status": status,
        "score": score,
        "values": values,
        "message": message,
    }


TRIALS = [
    trial(0, 0.5, units=8, rate=0.001, kind="relu"),
    trial(1, None, "failed", f"ValueError: {HOSTILE}", units=16, rate=0.1, kind=HOSTILE),
    trial(2, 0.9, units=16, rate=0.1, kind=HOSTILE, **{HOSTILE: True}),
    trial(3, 0.7, "pruned", units=4, rate=0.01, kind="tanh"),
    trial(4, 0.8, units=10**400, rate=math.inf, kind=None),
]


@pytest.fixture
def write(tmp_path):
    """Writes the files of a search; returns the directory."""

    def write(trials, objective="val_accuracy", direction="max", rows=()):
        search = {"objective": objective, "direction": direction, "trials": trials}
        (tmp_path / "tuner_search.json").write_text(json.dumps(search))
        (tmp_path / "tuner_results.json").write_text(json.dumps(list(rows)))
        return str(tmp_path)

    return write


def test_the_page_shows_the_best_and_all_trials(read_page, write):
    page = read_page(to_html("TunerResults", write(TRIALS)))
    assert "The best so far: trial 02" in page.text
    assert "5 trials: 3 finished, 1 failed, 1 pruned." in page.text
    headings = ["Score by trial", "Score by hyperparameter", "Parallel coordinates", "Trials"]
    assert all(heading in page.text for heading in headings)
    ids = [row[0] for row in page.rows if len(row) > 3]
    assert ids[1:] == ["02", "04", "00", "01", "03"]
    # A dot for each trial with a score in the first picture, a cross for the one without.
    crosses = [one for tag, one in page.elements if one.get("class") == "cross"]
    assert len(crosses) == 1


def test_names_and_values_stay_text(read_page, write):
    source = to_html("TunerResults", write(TRIALS, objective=HOSTILE))
    assert HOSTILE not in source
    assert HOSTILE in read_page(source).text


def test_the_smaller_may_be_the_better(write):
    search = read_search(write(TRIALS, direction="min"))
    assert [one.trial_id for one in search.ranked] == ["00", "04", "02"]


def test_results_of_tfx_have_a_page(read_page, tmp_path):
    rows = [
        {"trial_id": "b", "score": 0.9, "units": 8},
        {"trial_id": "a", "score": 0.2, "units": 4},
    ]
    (tmp_path / "tuner_results.json").write_text(json.dumps(rows))
    assert find_types(str(tmp_path)) == ["TunerResults"]
    page = read_page(to_html("TunerResults", str(tmp_path)))
    assert "The best so far: trial b" in page.text
    assert "the larger, the better" in page.text


@pytest.mark.parametrize(
    "trials", [[], [trial(0, None, "failed")], [trial(0, 1.0)], [trial(0, 1.0), trial(1, 1.0, x=1)]]
)
def test_searches_with_little_to_show_have_a_page(read_page, write, trials):
    page = read_page(to_html("TunerResults", write(trials)))
    assert f"{len(trials)} trial" in page.text


@pytest.mark.not_quick  # takes seconds
def test_a_large_search_has_a_page_that_can_be_opened(read_page, write):
    trials = [
        trial(number, number / 7, **{f"p{index}": (number * index) % 13 for index in range(60)})
        for number in range(1500)
    ]
    source = to_html("TunerResults", write(trials))
    assert len(source) < 8_000_000
    assert "The 200 best of 1500 are shown." in read_page(source).text


@pytest.mark.parametrize(
    "content", ["", "[", "3", '{"trials": 3}', '[{"score": 1}]', '[{"trial_id": 1, "score": "x"}]']
)
def test_damaged_files_are_named(tmp_path, content):
    (tmp_path / "tuner_results.json").write_text(content)
    with pytest.raises(ValueError, match=r"tuner_results\.json is not a result of a Tuner"):
        to_html("TunerResults", str(tmp_path))


def test_a_directory_without_results_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"has no tuner_results\.json"):
        to_html("TunerResults", str(tmp_path))


def test_values_find_their_place_on_an_axis():
    assert axis_of([1, 10, 100]).place(10) == 0.5
    assert axis_of([1, 2, 3]).place(2) == 0.5
    assert axis_of([5, 5]).place(5) == 0.5
    assert axis_of([-1e308, 1e308]).place(0) == 0.5
    assert axis_of(["a", 1, None]).labels == [(0.0, "a"), (1.0, "1")]
    assert axis_of([]).place(3) is not None
    many = axis_of([f"value {number}" for number in range(50)])
    assert many.labels[-1][1] == "others"
    assert many.place("value 49") == 1.0
