"""The page of statistics: what a reader sees, whatever is in the data."""

import math
import re
import time

import pytest
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.html_views import feature_table
from trainwright.html_views.artifact_files import read_statistics
from trainwright.html_views.statistics_page import statistics_page

INFINITY, NAN = math.inf, math.nan


@pytest.fixture
def golden_page(golden, read_page):
    return lambda name: read_page(statistics_page(read_statistics(str(golden / name))))


def test_numbers_of_tfdv_stand_side_by_side(golden_page):
    page = golden_page("mixed")
    assert page.row("train", "1344") == ["train", "1344", "10", "6", "4"]
    assert page.row("eval", "656") == ["eval", "656", "10", "6", "4"]
    # The feature's name spans the rows of both splits.
    assert page.row("age") == [
        "ageint", "train", "1250", "94 7.0%", "54.6", "21.023", "0", "18", "55", "90", "", ""
    ]  # fmt: skip
    below = next(index for index, row in enumerate(page.rows) if row[0].startswith("age")) + 1
    assert page.rows[below] == [
        "eval", "611", "45 6.9%", "54.37", "21.172", "0", "18", "56", "90"
    ]  # fmt: skip


def test_missing_means_without_a_value_and_is_explained(golden_page, read_page, statistics):
    # In the golden data cells of the CSV file are empty: the feature is there, without a value.
    assert "Missing: the example has no value, because it does not have the feature or has it " in (
        golden_page("mixed").text
    )
    not_there = read_page(statistics_page({"train": statistics().numbers("x", missing=10).proto}))
    assert not_there.row("x")[1:4] == ["train", "990", "10 1.0%"]
    assert "Missing:" in not_there.text
    full = read_page(statistics_page({"train": statistics().numbers("x").proto}))
    assert "Missing:" not in full.text


def test_spaces_and_empty_strings_can_be_seen(read_page, statistics):
    counts = {" Adelie": 500, "Adelie": 300, "Chin  strap ": 150, "": 50}
    split = statistics().texts("species ", counts).texts("blank", {"": 1000})
    page = read_page(statistics_page({"train": split.proto}))
    assert page.row("species␣")[5] == "␣Adelie"
    words = " ".join(page.words)
    assert "␣Adelie 50.0%" in words
    assert "Chin ␣strap␣ 15.0%" in words
    assert "(empty string) 5.0%" in words
    assert page.row("blank")[5] == "(empty string)"


def test_texts_show_their_top_values(golden_page):
    page = golden_page("penguins")
    assert page.row("island")[:8] == [
        "islandstring", "train", "223", "0", "3", "Biscoe", "112 50.2%", "6.13"
    ]  # fmt: skip
    assert "Biscoe 50.2%" in " ".join(page.words)
    assert "Torgersen 14.0%" in " ".join(page.words)


@pytest.mark.parametrize("name", ["mixed", "odd", "penguins", "ragged"])
def test_every_golden_feature_is_there(golden, golden_page, name):
    page = golden_page(name)
    names = {row[0] for row in page.rows}
    for split in read_statistics(str(golden / name)).values():
        for feature in split.datasets[0].features:
            assert [row for row in names if row.startswith(".".join(feature.path.step))]


def test_most_missing_first_then_by_name(read_page, statistics):
    train = statistics()
    for name, missing in (("b", 0), ("a", 0), ("half", 500), ("gone", 1000)):
        train.numbers(name, missing=missing)
    page = read_page(statistics_page({"train": train.proto}))
    shown = [row[0].split("float")[0] for row in page.rows if "float" in row[0]]
    assert shown == ["gone", "half", "a", "b"]


def test_splits_share_their_scale(read_page, statistics):
    """The same values look the same: the axis of both goes over the values of both."""
    train = statistics().numbers("x", buckets=((0, 50, 500), (50, 100, 500)))
    test = statistics().numbers("x", buckets=((0, 50, 1000), (50, 200, 0)))
    page = read_page(statistics_page({"train": train.proto, "eval": test.proto}))
    assert page.text.count("Histogram of x in train, from 0 to 200") == 1
    assert page.text.count("Histogram of x in eval, from 0 to 200") == 1
    paths = [attributes["d"] for tag, attributes in page.elements if tag == "path"]
    # In train the two halves are equally high, and half as high as all of eval at one place.
    train_bars, test_bars = paths[0], paths[5]
    assert train_bars == "M0 47V24.5H43.2V47zM44 47V24.5H87.2V47z"
    assert test_bars == "M0 47V2H43.2V47z"


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "</title></style></script><img src=x onerror=alert(1)>",
        "\"quotes' & <b>",
        "東京 \U0001f600 ‮right to left",
        "\x00\x01\x7f\x9f\ufffe binary",
        "line\nbreak\u2028",
        "",
        "x" * 100_000,
        "https://example.com/<a href=javascript:alert(1)>",
    ],
)
def test_hostile_names_and_values_are_only_text(read_page, statistics, hostile):
    train = statistics(name=hostile).texts(hostile, {hostile: 999, "b": 1}).numbers(hostile + "2")
    test = statistics(name=hostile).texts(hostile, {"b": 900, hostile: 100})
    text = statistics_page(
        {"train": train.proto, hostile or "eval": test.proto},
        title=hostile[:99],
        subtitle=hostile[:99],
    )
    # An address as data is text, and only as text it may be there.
    page = read_page(text.replace("https://example.com/", "https:example.com/"))
    assert "img" not in dict(page.elements)
    assert len(text) < 200_000
    if hostile.startswith("<script>"):
        assert hostile in page.text


def test_long_texts_are_cut_with_the_whole_as_a_hint(read_page, statistics):
    story = "once upon a time " * 20
    page = read_page(statistics_page({"train": statistics().texts("a", {story: 10}).proto}))
    assert story in page.hints
    assert "once upon a time onc…" in page.text


def test_no_splits_and_empty_splits(read_page, statistics):
    assert "There are no statistics here" in read_page(statistics_page({})).text
    nothing = statistics_pb2.DatasetFeatureStatisticsList()
    assert "no statistics" in read_page(statistics_page({"train": nothing})).text
    empty = statistics(num_examples=0)
    page = read_page(statistics_page({"train": empty.proto}))
    assert page.row("train")[:3] == ["train", "▲ 0", "0"]


def test_a_split_without_features_takes_no_room_beside_others(read_page, statistics):
    page = read_page(
        statistics_page({"train": statistics(0).proto, "eval": statistics().numbers("x").proto})
    )
    assert page.row("train")[:3] == ["train", "▲ 0", "0"]
    assert page.row("x")[:3] == ["xfloat", "eval", "1000"]
    assert "not in this split" not in page.text


def test_zero_examples_with_features(read_page, statistics):
    train = statistics(0).numbers("x", buckets=()).texts("y", {})
    page = read_page(statistics_page({"train": train.proto, "eval": train.proto}))
    assert page.row("x")[2:5] == ["0", "0", "–"]


@pytest.mark.parametrize(
    "buckets",
    [
        [(-INFINITY, INFINITY, 10)],
        [(-INFINITY, 0, 1), (0, 1, 5), (1, INFINITY, 1)],
        [(INFINITY, INFINITY, 3)],
        [(NAN, NAN, 3)],
        [(0, 1, NAN), (1, 2, INFINITY), (2, 3, -1)],
        [(-1.7e308, 0, 1), (0, 1.7e308, 1)],
        [(7, 7, 1000)],
        [(5e-324, 1e-323, 1)],
        [(3, 1, 10)],
    ],
)
def test_odd_histograms_are_drawn_or_left_out(read_page, statistics, buckets):
    train = statistics().numbers("x", buckets=buckets, mean=NAN, min=-INFINITY, max=INFINITY)
    page = read_page(statistics_page({"train": train.proto}))
    assert {"NaN", "-∞", "∞"} <= set(page.row("x"))
    for tag, attributes in page.elements:
        if tag == "path":
            assert "n" not in attributes["d"].lower(), attributes  # neither nan nor inf


def test_other_kinds_and_changed_types(read_page, statistics):
    train = statistics().other("trip", "struct_stats", 4).other("image", "bytes_stats", 3)
    train.numbers("changes")
    test = statistics().other("trip", "struct_stats", 4).texts("changes", {"a": 1})
    test.numbers("new")
    page = read_page(statistics_page({"train": train.proto, "eval": test.proto}))
    assert page.row("trip")[:3] == ["tripstruct", "train", "1000"]
    assert page.row("image")[0] == "imagebytesnot in eval"
    assert "string in this split" in page.text
    assert "types differ: float in train, string in eval" in page.text
    assert page.row("new")[:3] == ["newfloatnot in train", "train", "not in this split"]


def test_a_dotted_name_is_not_a_path(read_page, statistics):
    train = statistics().numbers("a.b", mean=1.5)
    train.dataset.features.add().CopyFrom(train.dataset.features[0])
    train.dataset.features[1].path.step[:] = ["a", "b"]
    train.dataset.features[1].num_stats.mean = 2.5
    page = read_page(statistics_page({"train": train.proto}))
    assert sum(row[0].startswith("a.b") for row in page.rows) == 2


def test_groups_of_further_features_are_folded(read_page, statistics, monkeypatch):
    monkeypatch.setattr(feature_table, "MOST_OPEN", 2)
    monkeypatch.setattr(feature_table, "GROUP_SIZE", 2)
    train = statistics()
    for name in "abcde":
        train.numbers(name).texts(f"{name}2", {"x": 600, "y": 400})
    page = read_page(statistics_page({"train": train.proto, "eval": train.proto}))
    assert "2 more features: c to d" in page.text
    assert "1 more feature: e2" in page.text
    groups = [attributes for tag, attributes in page.elements if tag == "details"]
    assert len(groups) == 4
    assert not any("open" in attributes for attributes in groups)
    assert "e in eval" in page.text  # its small picture


def test_slices_follow_the_splits_and_too_many_are_named(read_page, statistics):
    train = statistics(name="All Examples").numbers("x")
    for number in range(9):
        train.proto.datasets.add().CopyFrom(train.dataset)
        train.proto.datasets[-1].name = f"city_{number}"
    page = read_page(statistics_page({"train": train.proto, "eval": train.proto}))
    assert [row[0] for row in page.rows[1:4]] == ["train", "eval", "train · city_0"]
    assert "14 splits and slices more would not fit side by side" in page.text
    assert "eval · city_8" in page.text


def test_weighted_statistics_are_noted(read_page, statistics):
    train = statistics().numbers("x")
    train.dataset.features[0].num_stats.weighted_numeric_stats.mean = 6.25
    assert "5 weighted 6.25" in read_page(statistics_page({"train": train.proto})).row("x")


@pytest.mark.not_quick  # takes seconds
def test_ten_thousand_features(statistics):
    """One page that a browser opens: most of it is folded, and its size is sensible."""
    train, test = statistics(), statistics()
    buckets = [(bucket, bucket + 1, 100 + bucket) for bucket in range(10)]
    for number in range(5000):
        for split in (train, test):
            split.numbers(f"number_{number:05}", buckets=buckets)
            split.texts(f"text_{number:05}", {f"value {value}": 50 for value in range(20)})
    started = time.monotonic()
    text = statistics_page({"train": train.proto, "eval": test.proto})
    seconds = time.monotonic() - started
    assert len(text.encode()) < 16_000_000
    assert seconds < 60  # takes about 4; machines are shared
    names = re.findall("<b>((?:number|text)_[0-9]{5})</b>", text)
    assert len(names) == len(set(names)) == 10_000
    groups = 2 * ((5000 - feature_table.MOST_OPEN) // feature_table.GROUP_SIZE)
    assert text.count('<details class="group">') == groups


def test_lift_is_a_table_of_the_highest_and_the_lowest(read_page, statistics):
    split = statistics().texts("island", {"Dream": 1000}).proto
    cross = split.datasets[0].cross_features.add()
    cross.path_x.step.append("island")
    cross.path_y.step.append("<b>species")
    series = cross.categorical_cross_stats.lift.lift_series.add(y_string="<i>Adelie", y_count=12)
    for name, lift in {"Dream": 2.5, "Biscoe": 1, "Torgersen": 0.5, "<s>": 0}.items():
        series.lift_values.add(x_string=name, lift=lift)
    markup = statistics_page({"train": split})
    row = next(row for row in read_page(markup).rows if row[0] == "island")
    assert row[:4] == ["island", "train", "<b>species = <i>Adelie", "12"]
    assert row[4].replace(" ", "") == "Dream2.5Biscoe1Torgersen0.5"
    assert row[5] == "<s> 0"
    assert "<i>Adelie" not in markup
    assert "Lift" not in read_page(statistics_page({"train": statistics().numbers("x").proto})).text
