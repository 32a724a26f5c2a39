"""What programs take from tensorflow_data_validation, where it is not installed."""

import subprocess
import sys

import pytest
from tensorflow_metadata.proto.v0 import anomalies_pb2, path_pb2, schema_pb2, statistics_pb2

import tensorflow_data_validation as tfdv
from trainwright.statistics.stats_options import StatsOptions


@pytest.fixture
def statistics(tmp_path):
    path = tmp_path / "rides.csv"
    path.write_text("fare,company\n1.5,red\n2.5,blue\n,red\n")
    return tfdv.generate_statistics_from_csv(str(path))


def test_every_name_is_there():
    for name in tfdv.__all__:
        assert getattr(tfdv, name) is not None


def test_importing_it_loads_nothing_heavy():
    code = (
        "import sys, tensorflow_data_validation as tfdv; "
        "print([name for name in ('tensorflow', 'apache_beam', 'pandas') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_options_can_be_assigned_and_are_ours():
    options = tfdv.StatsOptions(weight_feature="weight")
    options.num_top_values = 3
    assert isinstance(options, StatsOptions)
    assert StatsOptions.from_any(options).num_top_values == 3


def test_a_schema_is_inferred_changed_and_validated_against(statistics, tmp_path):
    schema = tfdv.infer_schema(statistics)
    assert list(tfdv.get_domain(schema, "company").value) == ["blue", "red"]
    tfdv.set_domain(schema, "company", schema_pb2.StringDomain(name="company", value=["red"]))
    tfdv.get_feature(schema, "fare").presence.min_fraction = 1.0
    tfdv.write_schema_text(schema, str(tmp_path / "schema.pbtxt"))
    assert tfdv.load_schema_text(str(tmp_path / "schema.pbtxt")) == schema
    anomalies = tfdv.validate_statistics(statistics, schema)
    assert set(anomalies.anomaly_info) == {"company", "fare"}
    tfdv.write_anomalies_text(anomalies, str(tmp_path / "anomalies.pbtxt"))
    assert tfdv.load_anomalies_text(str(tmp_path / "anomalies.pbtxt")) == anomalies


def test_unknown_features_and_domains_are_named(statistics):
    schema = tfdv.infer_schema(statistics)
    with pytest.raises(ValueError, match="Feature fares not found in the schema; did you mean"):
        tfdv.get_feature(schema, "fares")
    with pytest.raises(ValueError, match="Feature fare has no domain associated with it"):
        tfdv.get_domain(schema, "fare")
    with pytest.raises(ValueError, match='Invalid global string domain "colours"'):
        tfdv.set_domain(schema, "company", "colours")
    with pytest.raises(TypeError, match="schema is of type str"):
        tfdv.get_feature("schema", "fare")


def test_features_within_structures_are_found():
    schema = tfdv.generate_dummy_schema_with_paths(
        [tfdv.FeaturePath(["trip", "fare"]), tfdv.FeaturePath(["trip", "miles"])]
    )
    assert len(schema.feature) == 1
    assert tfdv.get_feature(schema, tfdv.FeaturePath(["trip", "miles"])).name == "miles"


def test_views_find_features_and_slices(statistics):
    dataset = tfdv.DatasetListView(statistics).get_default_slice_or_die()
    fare = dataset.get_feature("fare")
    assert fare.numeric_statistics().mean == 2.0
    assert fare.common_statistics().num_missing == 1
    assert fare.string_statistics() is None
    assert dataset.get_feature(["company"]).string_statistics().unique == 2
    assert tfdv.FeaturePath(["fare"]) in dataset.list_features()
    assert (
        tfdv.get_feature_stats(statistics.datasets[0], tfdv.FeaturePath(["fare"])) == fare.proto()
    )
    with pytest.raises(ValueError, match="Feature tips not found in the dataset statistics"):
        tfdv.get_feature_stats(statistics.datasets[0], "tips")


@pytest.mark.parametrize("form", ["binary", "text"])
def test_statistics_are_read_in_any_form(statistics, tmp_path, form):
    path = str(tmp_path / "statistics")
    if form == "text":
        tfdv.write_stats_text(statistics, path)
    else:
        with open(path, "wb") as file:
            file.write(statistics.SerializeToString())
    assert tfdv.load_statistics(path) == statistics
    with pytest.raises(OSError, match="Invalid input path"):
        tfdv.load_statistics(str(tmp_path / "nowhere"))


def test_statistics_of_a_data_frame_leave_out_what_is_missing():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"fare": [1.5, None], "company": ["red", "blue"]})
    found = tfdv.generate_statistics_from_dataframe(frame)
    dataset = tfdv.DatasetListView(found).get_default_slice()
    assert dataset.get_feature("fare").common_statistics().num_non_missing == 1
    assert dataset.get_feature("company").string_statistics().unique == 2


def test_outside_of_a_notebook_text_is_shown(statistics, capsys):
    tfdv.visualize_statistics(statistics)
    assert "3 examples, 2 features" in capsys.readouterr().out
    tfdv.display_anomalies(anomalies_pb2.Anomalies())
    assert "No anomalies found." in capsys.readouterr().out
    assert tfdv.get_statistics_html(statistics, lhs_name="rides").startswith("<!DOCTYPE html>")


def test_modules_have_the_same_objects():
    from tensorflow_data_validation.utils import path, schema_util

    assert path.FeaturePath is tfdv.FeaturePath
    assert schema_util.get_feature is tfdv.get_feature
    step = path_pb2.Path(step=["a"])
    assert path.FeaturePath.from_proto(step).to_proto() == step


def test_what_is_only_tfdvs_says_so():
    with pytest.raises(AttributeError, match="part of TensorFlow Data Validation"):
        tfdv.GenerateStatistics  # noqa: B018
    with pytest.raises(ImportError, match="part of TensorFlow Data Validation"):
        from tensorflow_data_validation.skew import feature_skew_detector  # noqa: F401
    with pytest.raises(ValueError, match="ZetaSQL"):
        tfdv.validate_statistics(
            statistics_pb2.DatasetFeatureStatisticsList(),
            schema_pb2.Schema(),
            custom_validation_config="SELECT 1",
        )
    with pytest.raises(ValueError, match="No input paths found"):
        tfdv.load_sharded_statistics("/nowhere/FeatureStats.tfrecords")
