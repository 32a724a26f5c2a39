"""The specs of the standard components: what each takes and gives, under TFX's names."""

from __future__ import annotations

from typing import Any

from trainwright.proto import (
    bulk_inferrer_pb2,
    distribution_validator_pb2,
    evaluator_pb2,
    example_diff_pb2,
    example_gen_pb2,
    infra_validator_pb2,
    pusher_pb2,
    range_config_pb2,
    trainer_pb2,
    transform_pb2,
    tuner_pb2,
)
from trainwright.proto.tfma import config_pb2
from trainwright.types import standard_artifacts, system_types
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter

EXAMPLES_KEY = "examples"
STATISTICS_KEY = "statistics"
EXCLUDE_SPLITS_KEY = "exclude_splits"
STATS_OPTIONS_JSON_KEY = "stats_options_json"
ANOMALIES_KEY = "anomalies"
SCHEMA_KEY = "schema"
INFER_FEATURE_SHAPE_KEY = "infer_feature_shape"
SCHEMA_FILE_KEY = "schema_file"
TRANSFORM_GRAPH_KEY = "transform_graph"
PREPROCESSING_FN_KEY = "preprocessing_fn"
STATS_OPTIONS_UPDATER_FN_KEY = "stats_options_updater_fn"
FORCE_TF_COMPAT_V1_KEY = "force_tf_compat_v1"
SPLITS_CONFIG_KEY = "splits_config"
DISABLE_STATISTICS_KEY = "disable_statistics"
ANALYZER_CACHE_KEY = "analyzer_cache"
TRANSFORMED_EXAMPLES_KEY = "transformed_examples"
UPDATED_ANALYZER_CACHE_KEY = "updated_analyzer_cache"
PRE_TRANSFORM_SCHEMA_KEY = "pre_transform_schema"
PRE_TRANSFORM_STATS_KEY = "pre_transform_stats"
POST_TRANSFORM_SCHEMA_KEY = "post_transform_schema"
POST_TRANSFORM_STATS_KEY = "post_transform_stats"
POST_TRANSFORM_ANOMALIES_KEY = "post_transform_anomalies"
BASE_MODEL_KEY = "base_model"
HYPERPARAMETERS_KEY = "hyperparameters"
MODULE_FILE_KEY = "module_file"
MODULE_PATH_KEY = "module_path"
RUN_FN_KEY = "run_fn"
TRAINER_FN_KEY = "trainer_fn"
TRAIN_ARGS_KEY = "train_args"
EVAL_ARGS_KEY = "eval_args"
CUSTOM_CONFIG_KEY = "custom_config"
EVAL_CONFIG_KEY = "eval_config"
FEATURE_SLICING_SPEC_KEY = "feature_slicing_spec"
FAIRNESS_INDICATOR_THRESHOLDS_KEY = "fairness_indicator_thresholds"
EXAMPLE_SPLITS_KEY = "example_splits"
BASELINE_MODEL_KEY = "baseline_model"
EVALUATION_KEY = "evaluation"
BLESSING_KEY = "blessing"
MODEL_KEY = "model"
MODEL_RUN_KEY = "model_run"
MODEL_BLESSING_KEY = "model_blessing"
INFRA_BLESSING_KEY = "infra_blessing"
PUSH_DESTINATION_KEY = "push_destination"
PUSHED_MODEL_KEY = "pushed_model"
INPUT_BASE_KEY = "input_base"
INPUT_CONFIG_KEY = "input_config"
OUTPUT_CONFIG_KEY = "output_config"
OUTPUT_DATA_FORMAT_KEY = "output_data_format"
OUTPUT_FILE_FORMAT_KEY = "output_file_format"
RANGE_CONFIG_KEY = "range_config"
EXTERNAL_MODEL_KEY = "external_model"
EXTERNAL_BASELINE_MODEL_KEY = "external_baseline_model"
MODEL_SUBFOLDER_KEY = "model_subfolder"
ADD_SPLIT_NAME_KEY = "add_split_name"
CUSTOM_VALIDATION_CONFIG_KEY = "custom_validation_config"
SHARDED_STATS_OUTPUT_KEY = "sharded_stats_output"
SAMPLE_RATE_BY_SPLIT_KEY = "sample_rate_by_split"
SAVE_OPTIONS_KEY = "save_options"
SERVING_SPEC_KEY = "serving_spec"
VALIDATION_SPEC_KEY = "validation_spec"
REQUEST_SPEC_KEY = "request_spec"
TUNER_FN_KEY = "tuner_fn"
TUNE_ARGS_KEY = "tune_args"
BEST_HYPERPARAMETERS_KEY = "best_hyperparameters"
TUNER_RESULTS_KEY = "tuner_results"
MODEL_SPEC_KEY = "model_spec"
DATA_SPEC_KEY = "data_spec"
OUTPUT_EXAMPLE_SPEC_KEY = "output_example_spec"
INFERENCE_RESULT_KEY = "inference_result"
OUTPUT_EXAMPLES_KEY = "output_examples"
BASELINE_EXAMPLES_KEY = "baseline_examples"
EXAMPLE_DIFF_CONFIG_KEY = "example_diff_config"
EXAMPLE_DIFF_RESULT_KEY = "example_diff_result"
INCLUDE_SPLIT_PAIRS_KEY = "include_split_pairs"
BASELINE_STATISTICS_KEY = "baseline_statistics"
DISTRIBUTION_VALIDATOR_CONFIG_KEY = "distribution_validator_config"
VALIDATION_METRICS_KEY = "validation_metrics"
ARTIFACT_DISTRIBUTION_VALIDATOR_CONFIG_KEY = "artifact_distribution_validator_config"
# Ours: how many damaged records an ExampleGen may skip.
MAX_BAD_RECORDS_KEY = "max_bad_records"


class FileBasedExampleGenSpec(ComponentSpec):
    PARAMETERS = {
        INPUT_BASE_KEY: ExecutionParameter(type=str),
        INPUT_CONFIG_KEY: ExecutionParameter(type=example_gen_pb2.Input),
        OUTPUT_CONFIG_KEY: ExecutionParameter(type=example_gen_pb2.Output),
        OUTPUT_DATA_FORMAT_KEY: ExecutionParameter(type=int),
        OUTPUT_FILE_FORMAT_KEY: ExecutionParameter(type=int),
        CUSTOM_CONFIG_KEY: ExecutionParameter(type=example_gen_pb2.CustomConfig, optional=True),
        RANGE_CONFIG_KEY: ExecutionParameter(type=range_config_pb2.RangeConfig, optional=True),
        MAX_BAD_RECORDS_KEY: ExecutionParameter(type=int, optional=True),
    }
    INPUTS = {}
    OUTPUTS = {EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples)}


class QueryBasedExampleGenSpec(ComponentSpec):
    PARAMETERS = {
        INPUT_CONFIG_KEY: ExecutionParameter(type=example_gen_pb2.Input),
        OUTPUT_CONFIG_KEY: ExecutionParameter(type=example_gen_pb2.Output),
        OUTPUT_DATA_FORMAT_KEY: ExecutionParameter(type=int),
        OUTPUT_FILE_FORMAT_KEY: ExecutionParameter(type=int),
        CUSTOM_CONFIG_KEY: ExecutionParameter(type=example_gen_pb2.CustomConfig, optional=True),
        RANGE_CONFIG_KEY: ExecutionParameter(type=range_config_pb2.RangeConfig, optional=True),
    }
    INPUTS = {}
    OUTPUTS = {EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples)}
    TYPE_ANNOTATION = system_types.Process


class ImportSchemaGenSpec(ComponentSpec):
    PARAMETERS = {SCHEMA_FILE_KEY: ExecutionParameter(type=str)}
    INPUTS = {}
    OUTPUTS = {SCHEMA_KEY: ChannelParameter(type=standard_artifacts.Schema)}
    TYPE_ANNOTATION = system_types.Process


class StatisticsGenSpec(ComponentSpec):
    PARAMETERS = {
        STATS_OPTIONS_JSON_KEY: ExecutionParameter(type=str, optional=True),
        EXCLUDE_SPLITS_KEY: ExecutionParameter(type=str, optional=True),
        SHARDED_STATS_OUTPUT_KEY: ExecutionParameter(type=bool, optional=True),
        # A JSON dict from split to rate, as in TFX.
        SAMPLE_RATE_BY_SPLIT_KEY: ExecutionParameter(type=str, optional=True),
    }
    INPUTS = {
        EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples),
        SCHEMA_KEY: ChannelParameter(type=standard_artifacts.Schema, optional=True),
    }
    OUTPUTS = {STATISTICS_KEY: ChannelParameter(type=standard_artifacts.ExampleStatistics)}
    TYPE_ANNOTATION = system_types.Process


class SchemaGenSpec(ComponentSpec):
    PARAMETERS = {
        # A number, as in TFX: 1 is yes.
        INFER_FEATURE_SHAPE_KEY: ExecutionParameter(type=int, optional=True),
        EXCLUDE_SPLITS_KEY: ExecutionParameter(type=str, optional=True),
    }
    INPUTS = {STATISTICS_KEY: ChannelParameter(type=standard_artifacts.ExampleStatistics)}
    OUTPUTS = {SCHEMA_KEY: ChannelParameter(type=standard_artifacts.Schema)}
    TYPE_ANNOTATION = system_types.Process


class ExampleValidatorSpec(ComponentSpec):
    PARAMETERS = {
        EXCLUDE_SPLITS_KEY: ExecutionParameter(type=str, optional=True),
        # A message of tensorflow_data_validation, which need not be installed.
        CUSTOM_VALIDATION_CONFIG_KEY: ExecutionParameter(type=Any, optional=True, use_proto=True),
    }
    INPUTS = {
        STATISTICS_KEY: ChannelParameter(type=standard_artifacts.ExampleStatistics),
        SCHEMA_KEY: ChannelParameter(type=standard_artifacts.Schema),
    }
    OUTPUTS = {ANOMALIES_KEY: ChannelParameter(type=standard_artifacts.ExampleAnomalies)}


class TransformSpec(ComponentSpec):
    PARAMETERS = {
        MODULE_FILE_KEY: ExecutionParameter(type=str, optional=True),
        MODULE_PATH_KEY: ExecutionParameter(type=str, optional=True),
        # Each a dotted path, or the function itself.
        PREPROCESSING_FN_KEY: ExecutionParameter(type=Any, optional=True),
        STATS_OPTIONS_UPDATER_FN_KEY: ExecutionParameter(type=Any, optional=True),
        # Numbers, as in TFX: 1 is yes.
        FORCE_TF_COMPAT_V1_KEY: ExecutionParameter(type=int, optional=True),
        DISABLE_STATISTICS_KEY: ExecutionParameter(type=int, optional=True),
        CUSTOM_CONFIG_KEY: ExecutionParameter(type=str, optional=True),
        SPLITS_CONFIG_KEY: ExecutionParameter(type=transform_pb2.SplitsConfig, optional=True),
    }
    INPUTS = {
        EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples),
        SCHEMA_KEY: ChannelParameter(type=standard_artifacts.Schema),
        ANALYZER_CACHE_KEY: ChannelParameter(type=standard_artifacts.TransformCache, optional=True),
    }
    OUTPUTS = {
        TRANSFORM_GRAPH_KEY: ChannelParameter(type=standard_artifacts.TransformGraph),
        TRANSFORMED_EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples, optional=True),
        UPDATED_ANALYZER_CACHE_KEY: ChannelParameter(
            type=standard_artifacts.TransformCache, optional=True
        ),
        PRE_TRANSFORM_SCHEMA_KEY: ChannelParameter(type=standard_artifacts.Schema, optional=True),
        PRE_TRANSFORM_STATS_KEY: ChannelParameter(
            type=standard_artifacts.ExampleStatistics, optional=True
        ),
        POST_TRANSFORM_SCHEMA_KEY: ChannelParameter(type=standard_artifacts.Schema, optional=True),
        POST_TRANSFORM_STATS_KEY: ChannelParameter(
            type=standard_artifacts.ExampleStatistics, optional=True
        ),
        POST_TRANSFORM_ANOMALIES_KEY: ChannelParameter(
            type=standard_artifacts.ExampleAnomalies, optional=True
        ),
    }
    TYPE_ANNOTATION = system_types.Transform


class TrainerSpec(ComponentSpec):
    TYPE_ANNOTATION = system_types.Train
    PARAMETERS = {
        TRAIN_ARGS_KEY: ExecutionParameter(type=trainer_pb2.TrainArgs),
        EVAL_ARGS_KEY: ExecutionParameter(type=trainer_pb2.EvalArgs),
        MODULE_FILE_KEY: ExecutionParameter(type=str, optional=True),
        MODULE_PATH_KEY: ExecutionParameter(type=str, optional=True),
        # A dotted path, or the function itself.
        RUN_FN_KEY: ExecutionParameter(type=Any, optional=True),
        TRAINER_FN_KEY: ExecutionParameter(type=str, optional=True),
        CUSTOM_CONFIG_KEY: ExecutionParameter(type=str, optional=True),
    }
    INPUTS = {
        EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples),
        STATISTICS_KEY: ChannelParameter(type=standard_artifacts.ExampleStatistics, optional=True),
        TRANSFORM_GRAPH_KEY: ChannelParameter(
            type=standard_artifacts.TransformGraph, optional=True
        ),
        SCHEMA_KEY: ChannelParameter(type=standard_artifacts.Schema, optional=True),
        BASE_MODEL_KEY: ChannelParameter(type=standard_artifacts.Model, optional=True),
        HYPERPARAMETERS_KEY: ChannelParameter(
            type=standard_artifacts.HyperParameters, optional=True
        ),
    }
    OUTPUTS = {
        MODEL_KEY: ChannelParameter(type=standard_artifacts.Model),
        MODEL_RUN_KEY: ChannelParameter(type=standard_artifacts.ModelRun),
    }


class EvaluatorSpec(ComponentSpec):
    TYPE_ANNOTATION = system_types.Evaluate
    PARAMETERS = {
        EVAL_CONFIG_KEY: ExecutionParameter(type=config_pb2.EvalConfig, optional=True),
        FEATURE_SLICING_SPEC_KEY: ExecutionParameter(
            type=evaluator_pb2.FeatureSlicingSpec, optional=True
        ),
        # JSON lists, as in TFX.
        FAIRNESS_INDICATOR_THRESHOLDS_KEY: ExecutionParameter(type=str, optional=True),
        EXAMPLE_SPLITS_KEY: ExecutionParameter(type=str, optional=True),
        ADD_SPLIT_NAME_KEY: ExecutionParameter(type=bool, optional=True),
        MODULE_FILE_KEY: ExecutionParameter(type=str, optional=True),
        MODULE_PATH_KEY: ExecutionParameter(type=str, optional=True),
    }
    INPUTS = {
        EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples),
        MODEL_KEY: ChannelParameter(type=standard_artifacts.Model, optional=True),
        BASELINE_MODEL_KEY: ChannelParameter(type=standard_artifacts.Model, optional=True),
        SCHEMA_KEY: ChannelParameter(type=standard_artifacts.Schema, optional=True),
    }
    OUTPUTS = {
        EVALUATION_KEY: ChannelParameter(type=standard_artifacts.ModelEvaluation),
        BLESSING_KEY: ChannelParameter(type=standard_artifacts.ModelBlessing),
    }


class PusherSpec(ComponentSpec):
    TYPE_ANNOTATION = system_types.Deploy
    PARAMETERS = {
        PUSH_DESTINATION_KEY: ExecutionParameter(type=pusher_pb2.PushDestination, optional=True),
        CUSTOM_CONFIG_KEY: ExecutionParameter(type=str, optional=True),
    }
    INPUTS = {
        MODEL_KEY: ChannelParameter(type=standard_artifacts.Model, optional=True),
        MODEL_BLESSING_KEY: ChannelParameter(type=standard_artifacts.ModelBlessing, optional=True),
        INFRA_BLESSING_KEY: ChannelParameter(type=standard_artifacts.InfraBlessing, optional=True),
    }
    OUTPUTS = {PUSHED_MODEL_KEY: ChannelParameter(type=standard_artifacts.PushedModel)}


class ModelValidatorSpec(ComponentSpec):
    """The spec of TFX's first ModelValidator, which Evaluator has replaced."""

    PARAMETERS = {}
    INPUTS = {
        EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples),
        MODEL_KEY: ChannelParameter(type=standard_artifacts.Model),
    }
    OUTPUTS = {BLESSING_KEY: ChannelParameter(type=standard_artifacts.ModelBlessing)}


class InfraValidatorSpec(ComponentSpec):
    PARAMETERS = {
        SERVING_SPEC_KEY: ExecutionParameter(type=infra_validator_pb2.ServingSpec),
        VALIDATION_SPEC_KEY: ExecutionParameter(
            type=infra_validator_pb2.ValidationSpec, optional=True
        ),
        REQUEST_SPEC_KEY: ExecutionParameter(type=infra_validator_pb2.RequestSpec, optional=True),
    }
    INPUTS = {
        MODEL_KEY: ChannelParameter(type=standard_artifacts.Model),
        EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples, optional=True),
    }
    OUTPUTS = {BLESSING_KEY: ChannelParameter(type=standard_artifacts.InfraBlessing)}


class TunerSpec(ComponentSpec):
    PARAMETERS = {
        MODULE_FILE_KEY: ExecutionParameter(type=str, optional=True),
        # A dotted path, or the function itself.
        TUNER_FN_KEY: ExecutionParameter(type=Any, optional=True),
        TRAIN_ARGS_KEY: ExecutionParameter(type=trainer_pb2.TrainArgs),
        EVAL_ARGS_KEY: ExecutionParameter(type=trainer_pb2.EvalArgs),
        TUNE_ARGS_KEY: ExecutionParameter(type=tuner_pb2.TuneArgs, optional=True),
        CUSTOM_CONFIG_KEY: ExecutionParameter(type=str, optional=True),
    }
    INPUTS = {
        EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples),
        SCHEMA_KEY: ChannelParameter(type=standard_artifacts.Schema, optional=True),
        TRANSFORM_GRAPH_KEY: ChannelParameter(
            type=standard_artifacts.TransformGraph, optional=True
        ),
        BASE_MODEL_KEY: ChannelParameter(type=standard_artifacts.Model, optional=True),
    }
    OUTPUTS = {
        BEST_HYPERPARAMETERS_KEY: ChannelParameter(type=standard_artifacts.HyperParameters),
        TUNER_RESULTS_KEY: ChannelParameter(type=standard_artifacts.TunerResults),
    }


class BulkInferrerSpec(ComponentSpec):
    PARAMETERS = {
        MODEL_SPEC_KEY: ExecutionParameter(type=bulk_inferrer_pb2.ModelSpec, optional=True),
        DATA_SPEC_KEY: ExecutionParameter(type=bulk_inferrer_pb2.DataSpec, optional=True),
        OUTPUT_EXAMPLE_SPEC_KEY: ExecutionParameter(
            type=bulk_inferrer_pb2.OutputExampleSpec, optional=True
        ),
    }
    INPUTS = {
        EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples),
        MODEL_KEY: ChannelParameter(type=standard_artifacts.Model, optional=True),
        MODEL_BLESSING_KEY: ChannelParameter(type=standard_artifacts.ModelBlessing, optional=True),
    }
    OUTPUTS = {
        INFERENCE_RESULT_KEY: ChannelParameter(
            type=standard_artifacts.InferenceResult, optional=True
        ),
        OUTPUT_EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples, optional=True),
    }


class ExampleDiffSpec(ComponentSpec):
    PARAMETERS = {
        EXAMPLE_DIFF_CONFIG_KEY: ExecutionParameter(
            type=example_diff_pb2.ExampleDiffConfig, use_proto=True
        ),
        INCLUDE_SPLIT_PAIRS_KEY: ExecutionParameter(type=str, optional=True),
    }
    INPUTS = {
        EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples),
        BASELINE_EXAMPLES_KEY: ChannelParameter(type=standard_artifacts.Examples),
    }
    OUTPUTS = {EXAMPLE_DIFF_RESULT_KEY: ChannelParameter(type=standard_artifacts.ExamplesDiff)}
    TYPE_ANNOTATION = system_types.Process


class DistributionValidatorSpec(ComponentSpec):
    PARAMETERS = {
        INCLUDE_SPLIT_PAIRS_KEY: ExecutionParameter(type=str, optional=True),
        DISTRIBUTION_VALIDATOR_CONFIG_KEY: ExecutionParameter(
            type=distribution_validator_pb2.DistributionValidatorConfig, use_proto=True
        ),
        CUSTOM_VALIDATION_CONFIG_KEY: ExecutionParameter(type=Any, optional=True, use_proto=True),
    }
    INPUTS = {
        STATISTICS_KEY: ChannelParameter(type=standard_artifacts.ExampleStatistics),
        BASELINE_STATISTICS_KEY: ChannelParameter(type=standard_artifacts.ExampleStatistics),
    }
    OUTPUTS = {ANOMALIES_KEY: ChannelParameter(type=standard_artifacts.ExampleAnomalies)}
    TYPE_ANNOTATION = system_types.Process
