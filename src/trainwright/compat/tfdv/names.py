"""The names of TFDV: where our object of each is, and what to use instead of those not here."""

from __future__ import annotations

from trainwright.compat.stand_in_names import StandIn

_OURS = "trainwright.compat.tfdv"


def _from(module: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, f"{_OURS}.{module}")


_DISPLAYS = _from(
    "displays",
    "compare_slices",
    "display_anomalies",
    "display_schema",
    "get_statistics_html",
    "visualize_statistics",
)
_GENERATION = _from(
    "generation",
    "generate_statistics_from_csv",
    "generate_statistics_from_dataframe",
    "generate_statistics_from_tfrecord",
)
_STATISTICS_FILES = _from(
    "files",
    "load_sharded_statistics",
    "load_statistics",
    "load_stats_binary",
    "load_stats_text",
    "write_stats_text",
)
_STATISTICS_VIEWS = _from(
    "statistics_views",
    "CrossFeatureView",
    "DatasetListView",
    "DatasetView",
    "FeatureView",
    "get_feature_stats",
    "get_slice_stats",
)
_ANOMALIES_FILES = _from("files", "load_anomalies_text", "write_anomalies_text")
_SCHEMA_FILES = _from("files", "load_schema_text", "write_schema_text")
_SCHEMA_FEATURES = _from(
    "schema_features",
    "generate_dummy_schema_with_paths",
    "get_domain",
    "get_feature",
    "set_domain",
)
_INFERENCE = _from(
    "inference",
    "infer_schema",
    "update_schema",
    "validate_corresponding_slices",
    "validate_statistics",
)
_EXAMPLE_VALIDATION = _from(
    "example_validation", "validate_examples_in_csv", "validate_examples_in_tfrecord"
)
_SKEW_TABLES = _from(
    "feature_skew",
    "get_confusion_count_dataframes",
    "get_match_stats_dataframe",
    "get_skew_result_dataframe",
)
_OUTPUT = _from("files", "default_sharded_output_suffix", "default_sharded_output_supported")
_FEATURE_PATH = _from("feature_path", "FeaturePath")
_STATS_OPTIONS = _from("stats_options", "StatsOptions")

MODULES: dict[str, str | dict[str, str]] = {
    "": {
        **_ANOMALIES_FILES,
        **_DISPLAYS,
        **_EXAMPLE_VALIDATION,
        **_FEATURE_PATH,
        **_GENERATION,
        **_INFERENCE,
        **_OUTPUT,
        **_SCHEMA_FEATURES,
        **_SCHEMA_FILES,
        **_SKEW_TABLES,
        **_STATISTICS_FILES,
        **_STATISTICS_VIEWS,
        **_STATS_OPTIONS,
        "experimental_get_feature_value_slicer": f"{_OURS}.slicing:get_feature_value_slicer",
        # The name that the slicer had at first, and one that readers of anomalies look for here.
        "get_feature_value_slicer": f"{_OURS}.slicing",
        "load_anomalies_binary": f"{_OURS}.files",
        "validate_instance": f"{_OURS}.example_validation",
    },
    "api": {},
    "api.stats_api": _OUTPUT,
    "api.validation_api": {**_INFERENCE, **_from("example_validation", "validate_instance")},
    "constants": f"{_OURS}.constants",
    "skew": {},
    "skew.feature_skew_detector": _from(
        "feature_skew",
        "CONFUSION_KEY",
        "MATCH_STATS_KEY",
        "SKEW_PAIRS_KEY",
        "SKEW_RESULTS_KEY",
        "confusion_count_iterator",
        "match_stats_iterator",
        "skew_pair_iterator",
        "skew_results_iterator",
    ),
    "skew.protos": {},
    "skew.protos.feature_skew_results_pb2": "trainwright.proto.tfdv.feature_skew_results_pb2",
    "statistics": {},
    "statistics.stats_options": _STATS_OPTIONS,
    "types": {**_FEATURE_PATH, **_from("slicing", "SliceFunction")},
    "utils": {},
    "utils.anomalies_util": {
        **_ANOMALIES_FILES,
        **_from("files", "load_anomalies_binary"),
        **_from(
            "example_validation",
            "MULTIPLE_ERRORS_SHORT_DESCRIPTION",
            "get_anomalies_slicer",
            "remove_anomaly_types",
        ),
    },
    "utils.display_util": {
        **_DISPLAYS,
        **_SKEW_TABLES,
        **_from(
            "data_frames",
            "get_anomalies_dataframe",
            "get_drift_skew_dataframe",
            "get_schema_dataframe",
        ),
    },
    "utils.path": _FEATURE_PATH,
    "utils.schema_util": {
        **_SCHEMA_FEATURES,
        **_SCHEMA_FILES,
        **_from(
            "schema_features",
            "get_all_leaf_features",
            "get_bytes_features",
            "get_categorical_features",
            "get_multivalent_features",
            "is_categorical_feature",
            "look_up_feature",
        ),
    },
    "utils.slicing_util": _from(
        "slicing", "default_slicer", "generate_slices", "get_feature_value_slicer"
    ),
    "utils.stats_gen_lib": _GENERATION,
    "utils.stats_util": {
        **_STATISTICS_FILES,
        **_STATISTICS_VIEWS,
        **_from("files", "load_stats_tfrecord"),
        **_from("statistics_views", "get_custom_stats"),
    },
    "utils.validation_lib": _EXAMPLE_VALIDATION,
    # The first cell of TFDV's tutorials prints tfdv.version.__version__.
    "version": {"__version__": "tensorflow_data_validation"},
}

_GENERATE = (
    "It is a Beam transform: generate_statistics_from_tfrecord, _csv and _dataframe compute "
    "statistics on this machine, StatisticsGen in a pipeline."
)
_WRITE = (
    "It is a Beam transform: give output_path to generate_statistics_from_tfrecord or _csv, or "
    "write the statistics with write_stats_text."
)
_OWN_STATISTICS = (
    "Statistics of your own belong in a component of your own (@component); the default ones are "
    "all that are computed here."
)
_SKEW = (
    "It is a Beam transform: ExampleDiff finds feature skew in a pipeline, and the iterators of "
    "skew.feature_skew_detector read what it has found."
)
_INSIDE = "It is the inside of TFDV. The names of tensorflow_data_validation itself are here."
_SQL = (
    "There is no SQL engine here: slice with slicing_config, or with functions in "
    "StatsOptions(experimental_slice_functions=...)."
)
_TYPE = "It is an alias for annotations: use the type itself, such as str."

MISSING: dict[str, str] = {
    "CombinerStatsGenerator": _OWN_STATISTICS,
    "DetectFeatureSkew": _SKEW,
    "GenerateStatistics": _GENERATE,
    "MergeDatasetFeatureStatisticsList": (
        "It is a Beam transform: load_sharded_statistics puts statistics in several files together."
    ),
    "TransformStatsGenerator": _OWN_STATISTICS,
    "WriteStatisticsToBinaryFile": _WRITE,
    "WriteStatisticsToRecordsAndBinaryFile": _WRITE,
    "WriteStatisticsToTFRecord": _WRITE,
    "anomalies": "It is TFDV's C++: validate_statistics is here.",
    "api.stats_api.GenerateStatistics": _GENERATE,
    "api.stats_api.MergeDatasetFeatureStatisticsList": (
        "It is a Beam transform: load_sharded_statistics puts statistics in several files together."
    ),
    "api.stats_api.WriteStatisticsToBinaryFile": _WRITE,
    "api.stats_api.WriteStatisticsToRecordsAndBinaryFile": _WRITE,
    "api.stats_api.WriteStatisticsToTFRecord": _WRITE,
    "api.validation_api.DetectFeatureSkew": _SKEW,
    "api.validation_api.IdentifyAnomalousExamples": (
        "It is a Beam transform: validate_examples_in_tfrecord and validate_examples_in_csv find "
        "anomalous examples on this machine."
    ),
    "api.validation_api.WriteFeatureSkewResultsToTFRecord": _SKEW,
    "api.validation_api.WriteSkewPairsToTFRecord": _SKEW,
    "api.validation_api.custom_validate_statistics": (
        "Custom validations are SQL, which there is no engine for here: look at the statistics in "
        "Python, with DatasetListView."
    ),
    "api.validation_api.validate_statistics_internal": (
        "validate_statistics is here; for another version of the same data use "
        "trainwright.schemas.validation.validate_statistics(previous_version_statistics=...)."
    ),
    "api.validation_options": "Which anomalies count is the schema's to say.",
    "arrow": _INSIDE,
    "coders": (
        "It decodes CSV for Beam: generate_statistics_from_csv reads CSV files, CsvExampleGen "
        "turns them into examples."
    ),
    "constants.METRICS_NAMESPACE": "It names counters of Beam, which are not kept here.",
    "pywrap": "It is TFDV's C++: validate_statistics and infer_schema are here.",
    "skew": _SKEW,
    "statistics.generators": _OWN_STATISTICS,
    "statistics.stats_impl": _GENERATE,
    "types.FeatureCross": _TYPE,
    "types.FeatureName": _TYPE,
    "types.FeatureNameStatisticsType": _TYPE,
    "types.FeaturePathTuple": _TYPE,
    "types.LegacyExample": _TYPE,
    "types.PerFeatureStatsConfig": "All features get the same statistics here.",
    "types.SliceKey": _TYPE,
    "types.SliceKeysList": _TYPE,
    "types.SlicedRecordBatch": _TYPE,
    "types.VocabName": _TYPE,
    "types.VocabPath": _TYPE,
    "utils.artifacts_io_impl": "Statistics are files here, which load_statistics reads.",
    "utils.batch_util": _INSIDE,
    "utils.beam_runner_util": _INSIDE,
    "utils.bin_util": _INSIDE,
    "utils.display_util.get_natural_language_statistics_dataframes": (
        "Statistics of natural language are not computed here."
    ),
    "utils.example_weight_map": _INSIDE,
    "utils.feature_partition_util": _INSIDE,
    "utils.io_util": "Python's open reads and writes files.",
    "utils.metrics_util": _INSIDE,
    "utils.mutual_information_util": _INSIDE,
    "utils.path.FeatureName": _TYPE,
    "utils.path.FeaturePathTuple": _TYPE,
    "utils.preprocessing_util": _INSIDE,
    "utils.quantiles_util": _INSIDE,
    "utils.schema_util.get_bytes_features_categorical_value": (
        "get_bytes_features and get_categorical_features are here."
    ),
    "utils.schema_util.get_categorical_numeric_feature_types": (
        "get_categorical_features is here; get_feature(schema, path).type is the type."
    ),
    "utils.slicing_util.GenerateSlicesSqlDoFn": _SQL,
    "utils.slicing_util.convert_slicing_config_to_slice_functions": (
        "StatsOptions(slicing_config=...) slices by a config."
    ),
    "utils.slicing_util.convert_slicing_config_to_slice_functions_and_sqls": _SQL,
    "utils.slicing_util.format_slice_sql_query": _SQL,
    "utils.stats_gen_lib.get_csv_header": (
        "It reads a header: `next(csv.reader(open(path)))`, or pandas.read_csv(path, nrows=0)."
    ),
    "utils.stats_util.DOMAIN_INFO": _INSIDE,
    "utils.stats_util.get_feature_type": _INSIDE,
    "utils.stats_util.get_feature_type_from_arrow_type": _INSIDE,
    "utils.stats_util.make_dataset_feature_stats_proto": _INSIDE,
    "utils.stats_util.maybe_get_utf8": "Use `value.decode()`, which raises UnicodeDecodeError.",
    "utils.top_k_uniques_stats_util": _INSIDE,
    "utils.variance_util": _INSIDE,
    "utils.vocab_util": _INSIDE,
}

TFDV = StandIn(
    package="tensorflow_data_validation",
    title="TensorFlow Data Validation",
    distribution="tensorflow-data-validation",
    modules=MODULES,
    missing=MISSING,
)
