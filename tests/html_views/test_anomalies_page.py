"""The page of anomalies: what is wrong, how badly, and what the data looks like."""

import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import anomalies_pb2

from trainwright.html_views.anomalies_page import anomalies_page
from trainwright.html_views.artifact_files import read_anomalies, read_statistics


@pytest.fixture
def tfdv_anomalies(golden):
    """Anomalies that TFDV has written for a schema and statistics of that name."""

    def read(name):
        text = (golden / "expected" / f"validate-{name}.pbtxt").read_text()
        return text_format.Parse(text, anomalies_pb2.Anomalies())

    return read


def anomalies(**severities):
    """One anomaly for each name."""
    proto = anomalies_pb2.Anomalies()
    for name, severity in severities.items():
        info = proto.anomaly_info[name]
        info.path.step.append(name)
        info.severity = severity
        info.short_description = f"short {name}"
        info.description = f"long {name}"
    return proto


@pytest.mark.parametrize("name", ["mixed", "penguins"])
def test_the_golden_splits_are_well(read_page, golden, name):
    page = read_page(anomalies_page(read_anomalies(str(golden / name))))
    assert page.text.count("✓ no anomalies") == 4  # above and in its section, for both
    assert "mark bad" not in page.source


def test_severity_is_a_word_and_errors_come_first(read_page):
    page = read_page(anomalies_page({"eval": anomalies(a=1, b=2, c=0), "train": anomalies()}))
    assert page.rows[1:] == [
        ["b", "✖ error", "short blong b"],
        ["a", "▲ warning", "short along a"],
        ["c", "• no severity", "short clong c"],
    ]
    assert "train ✓ no anomalies eval ✖ 1 error ▲ 1 warning • 1 without severity" in page.text


def test_several_reasons_of_tfdv_are_a_list(read_page, tfdv_anomalies):
    page = read_page(anomalies_page({"train": tfdv_anomalies("float_range")}))
    assert page.row("f", "✖")[2].startswith("Multiple errors")
    items = [tag for tag, _ in page.elements if tag == "li"]
    assert len(items) == 2
    assert "Unexpectedly low values: -1.23457<0" in page.text


def test_a_dropped_shape_is_explained_in_plain_words(read_page):
    anomaly = anomalies(x=2)
    found = "Examples contain values missing from the schema:  Cash (~22%), Paris  (~24%),  (<1%). "
    anomaly.anomaly_info["x"].description = found
    anomaly.anomaly_info["x"].reason.add(type=anomalies_pb2.AnomalyInfo.INVALID_FEATURE_SHAPE)
    text = read_page(anomalies_page({"train": anomaly})).text
    assert "the schema: ␣Cash (~22%), Paris␣ (~24%), (empty string) (<1%).The schema" in text
    assert "The schema promises the same number of values in every example (shape)" in text
    assert "replace shape { … } of this feature in the schema by value_count { min: 1 }" in text


def test_drift_is_measured(read_page, tfdv_anomalies):
    page = read_page(anomalies_page({"train": tfdv_anomalies("drift_of_numbers")}))
    assert page.row("f", "drift") == [
        "f", "drift", "Jensen-Shannon divergence", "0.51531", "0.01", "✖ above"
    ]  # fmt: skip


def test_a_split_without_data_is_no_good_split(read_page, tfdv_anomalies):
    page = read_page(anomalies_page({"train": tfdv_anomalies("no_examples")}))
    assert "▲ no data" in page.text
    assert "The split had no examples to validate." in page.text
    assert "no anomalies" not in page.text


def test_an_anomaly_of_the_whole_dataset(read_page):
    proto = anomalies()
    proto.dataset_anomaly_info.severity = 2
    proto.dataset_anomaly_info.short_description = "Low num examples in dataset."
    page = read_page(anomalies_page({"train": proto}))
    assert page.row("the whole")[2] == "Low num examples in dataset."


def test_distributions_stand_beside_anomalies(read_page, golden):
    statistics = read_statistics(str(golden / "mixed"))
    found = {"eval": anomalies(city=2, age=1, unknown=2)}
    page = read_page(anomalies_page(found, statistics=statistics))
    for title in ("Values of city in train", "Values of city in eval", "Histogram of age in eval"):
        assert title in page.text
    assert len(page.row("unknown")) == len(page.row("city")) == 4
    assert page.row("city")[3] == "traineval"


def test_no_splits(read_page):
    assert "no split was validated" in read_page(anomalies_page({})).text


def test_hostile_words_are_only_text(read_page):
    hostile = "</td><script>alert('x')</script>\"&\x00\u202e\nsecond line"
    proto = anomalies()
    info = proto.anomaly_info[hostile]
    info.description = info.short_description = hostile
    for _ in range(2):
        info.reason.add(description=hostile)
    proto.drift_skew_info.add().drift_measurements.add(type=1, value=float("nan"))
    page = read_page(anomalies_page({hostile: proto}, title=hostile))
    assert "<script>alert('x')</script>" in page.text


@pytest.mark.not_quick  # takes seconds
def test_many_anomalies_have_a_sensible_size(read_page, statistics):
    many = {f"f{number}": 2 for number in range(10_000)}
    train = statistics()
    for name in many:
        train.numbers(name)
    text = anomalies_page({"train": anomalies(**many)}, statistics={"train": train.proto})
    assert len(text) < 4_000_000
    assert len(read_page(text).rows) == 10_001
