"""Names that programs take from tensorflow_data_validation, where it is not installed."""

import subprocess
import sys

import pytest
from google.protobuf import text_format
from google.protobuf.message import DecodeError
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
        from tensorflow_data_validation.skew.feature_skew_detector import (  # noqa: F401
            DetectFeatureSkew,
        )
    with pytest.raises(ValueError, match="ZetaSQL"):
        tfdv.validate_statistics(
            statistics_pb2.DatasetFeatureStatisticsList(),
            schema_pb2.Schema(),
            custom_validation_config="SELECT 1",
        )
    with pytest.raises(ValueError, match="No input paths found"):
        tfdv.load_sharded_statistics("/nowhere/FeatureStats.tfrecords")


RIDES = "fare,company,hour\n1.5,red,8\n2.5,blue,8\n,red,9\n70,green,9\n"


@pytest.fixture
def rides(tmp_path):
    path = tmp_path / "more_rides.csv"
    path.write_text(RIDES)
    return str(path)


@pytest.fixture
def ride_schema(rides):
    schema = tfdv.infer_schema(tfdv.generate_statistics_from_csv(rides))
    tfdv.set_domain(schema, "fare", schema_pb2.FloatDomain(max=50.0))
    tfdv.set_domain(schema, "company", schema_pb2.StringDomain(value=["red", "blue"]))
    return schema


def test_slicers_are_stored_as_a_slicing_config():
    slicer = tfdv.experimental_get_feature_value_slicer({"company": None, "hour": [8, 9]})
    options = tfdv.StatsOptions(experimental_slice_functions=[slicer])
    specs = StatsOptions.from_json(options.to_json()).slicing_config["slicing_specs"]
    assert specs == [
        {"feature_keys": ["company"], "feature_values": {"hour": "8"}},
        {"feature_keys": ["company"], "feature_values": {"hour": "9"}},
    ]
    with pytest.raises(TypeError, match="must be specified in an iterable"):
        tfdv.get_feature_value_slicer({"hour": 8})


def test_functions_slice_here_and_cannot_be_stored(rides):
    def by_parity(batch):
        yield "even", batch.slice(0, 2)

    options = tfdv.StatsOptions(experimental_slice_functions=[by_parity])
    found = tfdv.DatasetListView(tfdv.generate_statistics_from_csv(rides, stats_options=options))
    assert list(found.list_slices()) == ["All Examples", "even"]
    assert found.get_slice("even").proto().num_examples == 2
    with pytest.raises(ValueError, match="cannot be stored with an execution"):
        options.to_json()
    options.experimental_slice_functions = [lambda batch: 1 / 0]
    with pytest.raises(ValueError, match="raised an exception: ZeroDivisionError"):
        tfdv.generate_statistics_from_csv(rides, stats_options=options)
    with pytest.raises(ValueError, match="there is no SQL engine here; use slicing_config"):
        tfdv.StatsOptions(experimental_slice_sqls=["SELECT STRUCT(a) FROM example"])


def test_two_slices_and_some_features_are_shown(rides, capsys, monkeypatch):
    slicer = tfdv.get_feature_value_slicer({"hour": None})
    options = tfdv.StatsOptions(experimental_slice_functions=[slicer])
    sliced = tfdv.generate_statistics_from_csv(rides, stats_options=options)
    tfdv.compare_slices(sliced, "hour_8", "hour_9")
    assert "hour_8: 2 examples" in capsys.readouterr().out
    with pytest.raises(ValueError, match="Invalid slice key. Got 'hour_7'"):
        tfdv.compare_slices(sliced, "hour_7", "hour_8")
    page = tfdv.get_statistics_html(
        sliced, sliced, "before", "after", allowlist_features=[tfdv.FeaturePath(["fare"])]
    )
    assert "before" in page
    assert "company" not in page
    assert "company" in tfdv.get_statistics_html(sliced, denylist_features=["fare"])


def test_a_notebook_shows_a_sandboxed_frame(statistics, monkeypatch):
    from trainwright.compat.tfdv import displays
    from trainwright.notebook import visualizations

    pages = []
    monkeypatch.setattr(displays, "is_in_notebook", lambda: True)
    monkeypatch.setattr(visualizations, "show_page", pages.append)
    tfdv.visualize_statistics(statistics)
    tfdv.display_schema(tfdv.infer_schema(statistics))
    assert len(pages) == 2
    assert all(page.startswith("<!DOCTYPE html>") for page in pages)


def test_anomalous_rows_are_found_and_sampled(rides, ride_schema):
    pytest.importorskip("pandas")
    options = tfdv.StatsOptions(schema=ride_schema)
    found, samples = tfdv.validate_examples_in_csv(rides, options, num_sampled_examples=5)
    assert {one.name: one.num_examples for one in found.datasets} == {
        "company_ENUM_TYPE_UNEXPECTED_STRING_VALUES": 1,
        "fare_FLOAT_TYPE_BIG_FLOAT": 1,
    }
    assert list(samples["fare_FLOAT_TYPE_BIG_FLOAT"]["company"]) == [b"green"]
    with pytest.raises(ValueError, match="must include a schema"):
        tfdv.validate_examples_in_csv(rides, tfdv.StatsOptions())


def test_anomalous_examples_are_found_and_sampled(rides, ride_schema, tmp_path):
    from trainwright.data.example_writing.csv_to_examples import convert_csv_to_examples

    convert_csv_to_examples({"all": [rides]}, tmp_path / "examples")
    output = tmp_path / "found" / "anomalies.pb"
    found, samples = tfdv.validate_examples_in_tfrecord(
        str(tmp_path / "examples" / "Split-all" / "*"),
        tfdv.StatsOptions(schema=ride_schema),
        output_path=str(output),
        num_sampled_examples=1,
    )
    assert tfdv.load_statistics(str(output)) == found
    [example] = samples["company_ENUM_TYPE_UNEXPECTED_STRING_VALUES"]
    assert list(example.features.feature["fare"].float_list.value) == [70.0]


def test_other_csv_files_are_read(tmp_path, caplog):
    import gzip

    path = tmp_path / "rides.csv.gz"
    with gzip.open(path, "wt") as file:
        file.write("1.5;red\n2.5;blue\n")
    found = tfdv.generate_statistics_from_csv(
        str(path), column_names=["fare", "company"], delimiter=";", compression_type="gzip"
    )
    assert tfdv.DatasetListView(found).get_default_slice().get_feature("company")
    with pytest.raises(ValueError, match="is gzip, and compression_type is 'uncompressed'"):
        tfdv.generate_statistics_from_csv(str(path), compression_type="uncompressed")
    schema = tfdv.infer_schema(found)
    options = tfdv.StatsOptions(schema=schema, infer_type_from_schema=True)
    found = tfdv.generate_statistics_from_csv(
        str(path), ["fare", "colour"], ";", stats_options=options
    )
    dataset = tfdv.DatasetListView(found).get_default_slice()
    assert list(dataset.list_features()) == [tfdv.FeaturePath(["fare"])]
    assert "left out, because infer_type_from_schema is set" in caplog.text
    with pytest.raises(ValueError, match="A cell is not a number, and the schema says"):
        tfdv.generate_statistics_from_csv(
            str(path), ["company", "fare"], ";", stats_options=options
        )


def test_data_frames_of_any_shape():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "day": pandas.to_datetime(["2024-01-01", "2024-01-02"]),
            "kind": pandas.Categorical(["a", "b"]),
            "nothing": [None, None],
        }
    )
    found = tfdv.generate_statistics_from_dataframe(frame, n_jobs=-1)
    dataset = tfdv.DatasetListView(found).get_default_slice()
    assert dataset.get_feature("kind").string_statistics().unique == 2
    assert dataset.get_feature("day") is None
    with pytest.raises(TypeError, match="values of the types int, str: expected one type"):
        tfdv.generate_statistics_from_dataframe(pandas.DataFrame({"mixed": [1, "a"]}))
    with pytest.raises(TypeError, match="Must be a pandas DataFrame"):
        tfdv.generate_statistics_from_dataframe([1])
    with pytest.raises(ValueError, match="Invalid n_jobs parameter 0"):
        tfdv.generate_statistics_from_dataframe(frame, n_jobs=0)


def test_schemas_say_what_kind_features_are(ride_schema):
    from tensorflow_data_validation.utils import schema_util

    paths = schema_util.get_categorical_features(ride_schema)
    assert paths == {tfdv.FeaturePath(["company"])}
    assert schema_util.get_multivalent_features(ride_schema) == set()
    assert len(schema_util.get_all_leaf_features(ride_schema)) == 3
    assert schema_util.look_up_feature("nothing", ride_schema.feature) is None


def test_options_take_tfdvs_arguments(rides, caplog):
    pandas = pytest.importorskip("pandas")
    schema = schema_pb2.Schema()
    options = tfdv.StatsOptions(None, schema, experimental_use_sketch_based_topk_uniques=True)
    assert options.schema is schema
    assert options.use_sketch_based_topk_uniques
    labelled = tfdv.StatsOptions(label_feature="fare")
    assert tfdv.generate_statistics_from_dataframe(pandas.read_csv(rides), labelled).datasets
    assert "label_feature adds nothing to the statistics of a data frame" in caplog.text
    labelled.schema = tfdv.infer_schema(tfdv.generate_statistics_from_csv(rides))
    with pytest.raises(ValueError, match="label_feature is 'fare', which is .* not categorical"):
        tfdv.generate_statistics_from_csv(rides, stats_options=labelled)
    with pytest.raises(TypeError, match="expected a list of functions"):
        tfdv.StatsOptions(slice_functions=len)


def test_the_first_cell_of_tutorials_prints_the_version():
    import tensorflow_data_validation.version

    assert tfdv.version.__version__ == tfdv.__version__
    assert tensorflow_data_validation.version is tfdv.version


def test_a_directory_is_no_data(tmp_path):
    with pytest.raises(IsADirectoryError, match=r"is a directory: expected .*\*'\."):
        tfdv.generate_statistics_from_csv(str(tmp_path))
    with pytest.raises(IsADirectoryError, match="is a directory"):
        tfdv.generate_statistics_from_tfrecord(str(tmp_path))


@pytest.mark.parametrize(
    ("load", "content", "words"),
    [
        ("load_schema_text", b"fare,company\n", "is not Schema in text form: 1:1 : "),
        ("load_schema_text", b"\xff\xfe\x00", "is not Schema in text form: it is not UTF-8"),
        ("load_anomalies_text", b"x {", "is not Anomalies in text form"),
        ("load_statistics", b"fare,company\n", "is not DatasetFeatureStatisticsList in text"),
        ("load_stats_binary", b"\x0a\xff\xff", "is not DatasetFeatureStatisticsList in binary"),
        ("load_anomalies_binary", b"\x0a\xff\xff", "is not Anomalies in binary form"),
    ],
)
def test_files_of_another_kind_are_named(tmp_path, load, content, words):
    path = tmp_path / "given"
    path.write_bytes(content)
    with pytest.raises((text_format.ParseError, DecodeError)) as raised:
        getattr(tfdv, load)(str(path))
    assert str(path) in str(raised.value)
    assert words in str(raised.value)


def test_what_is_displayed_must_be_of_its_kind(statistics):
    with pytest.raises(TypeError, match="schema is of type DatasetFeatureStatisticsList, should"):
        tfdv.display_schema(statistics)
    with pytest.raises(TypeError, match="should be a Anomalies proto"):
        tfdv.display_anomalies(statistics)


def test_a_schema_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "schema.pbtxt"
    path.write_text('feature { name: "mine" }')
    link = tmp_path / "link.pbtxt"
    link.symlink_to(path)
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("no space")))
        with pytest.raises(OSError, match="no space"):
            tfdv.write_schema_text(schema_pb2.Schema(), str(path))
    assert tfdv.load_schema_text(str(path)).feature[0].name == "mine"
    tfdv.write_schema_text(schema_pb2.Schema(), str(link))
    assert link.is_symlink()
    assert path.read_text() == ""


@pytest.mark.parametrize(
    ("content", "arguments", "words"),
    [
        (b"1,2,3\n", {"column_names": ["a", "b"]}, "line 1: this row has 3 cells, and there are 2"),
        (b"a;b\n1;2\n3\n", {"delimiter": ";"}, "line 3: this row has 1 cells, .* with ';' between"),
        (b"a;b\nM\xfc;2\n", {"delimiter": ";"}, "Expected a CSV file in UTF-8"),
    ],
)
def test_rows_that_do_not_fit_are_those_of_the_users_file(tmp_path, content, arguments, words):
    path = tmp_path / "mine.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"mine.csv, .*{words}"):
        tfdv.generate_statistics_from_csv(str(path), **arguments)


def test_an_instance_is_a_record_batch(statistics):
    options = tfdv.StatsOptions(schema=tfdv.infer_schema(statistics))
    with pytest.raises(TypeError, match="instance is of type dict: expected a pyarrow"):
        tfdv.validate_instance({"fare": [1.0]}, options)


def test_the_page_has_lift_of_the_features_that_it_shows(rides):
    schema = schema_pb2.Schema()
    for name in ("company", "hour"):
        schema.feature.add(name=name, type=schema_pb2.BYTES)
    options = tfdv.StatsOptions(schema=schema, label_feature="company")
    found = tfdv.generate_statistics_from_csv(rides, stats_options=options)
    assert "highest lift" in tfdv.get_statistics_html(found)
    assert "highest lift" not in tfdv.get_statistics_html(found, denylist_features=["hour"])
