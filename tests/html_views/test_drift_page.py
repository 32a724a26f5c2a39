"""The page of a DistributionValidator: how far each feature has moved from the baseline."""

from __future__ import annotations

import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import anomalies_pb2

from trainwright.html_views.artifact_files import find_types, read_statistics
from trainwright.html_views.artifact_page import to_html
from trainwright.html_views.drift_page import drift_page

HOSTILE = "<script>alert(1)</script>"


def drift(path, value, threshold, kind="L_INFTY"):
    return f"""
      drift_skew_info {{
        path {{ step: "{path}" }}
        drift_measurements {{ type: {kind} value: {value} threshold: {threshold} }}
      }}"""


def anomaly(path, kind, description):
    return f"""
      anomaly_info {{
        key: "{path}"
        value {{
          path {{ step: "{path}" }}
          severity: ERROR
          reason {{ type: {kind} short_description: "short" description: "{description}" }}
        }}
      }}"""


def read(*parts):
    return text_format.Parse("".join(parts), anomalies_pb2.Anomalies())


@pytest.fixture
def moved():
    return read(
        drift("near", 0.09, 0.1),
        drift("far", 0.5, 0.1, "JENSEN_SHANNON_DIVERGENCE"),
        drift("still", 0.0, 0.1),
        anomaly("far", "COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH", "it is far away"),
        anomaly(HOSTILE, "STATS_NOT_AVAILABLE", f"no {HOSTILE} there"),
        'dataset_anomaly_info { reason { type: COMPARATOR_LOW_NUM_EXAMPLES description: "few" } }',
    )


def test_what_is_too_far_comes_first_then_what_is_near(read_page, moved):
    page = read_page(drift_page({"train_eval": moved}))
    assert [row[:2] for row in page.rows[1:]] == [
        [HOSTILE, "✖ not compared"],
        ["far", "✖ above"],
        ["near", "✓ within"],
        ["still", "✓ within"],
    ]
    assert page.row("far")[2] == "Jensen-Shannon divergence"
    assert page.row("near")[-2:] == ["0.09", "0.1"]
    assert "90.0% of the threshold" in page.source
    assert "train_eval ✖ 3 anomalies" in page.text
    assert "✖ the whole dataset few" in page.text
    assert "<script>alert" not in page.source


def test_a_pair_without_drift_says_so(read_page):
    page = read_page(drift_page({"train_train": read(drift("x", 0.01, 0.1))}))
    assert "train_train ✓ no drift" in page.text


def test_distributions_stand_side_by_side(read_page, golden):
    statistics = read_statistics(str(golden / "penguins"))
    found = read(drift("species", 0.2, 0.1), drift("body_mass_g", 0.2, 0.1))
    page = read_page(drift_page({"train_eval": found}, statistics=statistics, baseline=statistics))
    assert page.text.count("baseline eval") >= 2
    assert [tag for tag, _ in page.elements].count("svg") == 2 + 4


def test_an_artifact_of_pairs_has_this_page(read_page, tmp_path, golden, moved):
    directory = tmp_path / "5" / "SplitPair-train_train"
    directory.mkdir(parents=True)
    (directory / "SchemaDiff.pb").write_bytes(moved.SerializeToString())
    assert find_types(str(tmp_path / "5")) == ["ExampleAnomalies"]
    uri = str(golden / "penguins")
    page = read_page(
        to_html("ExampleAnomalies", str(tmp_path / "5"), statistics_uri=uri, baseline_uri=uri)
    )
    assert "train_train ✖ 3 anomalies" in page.text
    assert "of its threshold" in page.text
    alone = read_page(to_html("ExampleAnomalies", str(directory / "SchemaDiff.pb")))
    assert "of its threshold" in alone.text
