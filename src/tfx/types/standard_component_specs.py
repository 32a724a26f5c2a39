"""`trainwright.types.standard_component_specs` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.standard_component_specs import ADD_SPLIT_NAME_KEY as ADD_SPLIT_NAME_KEY
    from trainwright.types.standard_component_specs import ANALYZER_CACHE_KEY as ANALYZER_CACHE_KEY
    from trainwright.types.standard_component_specs import ANOMALIES_KEY as ANOMALIES_KEY
    from trainwright.types.standard_component_specs import (
        ARTIFACT_DISTRIBUTION_VALIDATOR_CONFIG_KEY as ARTIFACT_DISTRIBUTION_VALIDATOR_CONFIG_KEY,
    )
    from trainwright.types.standard_component_specs import BASE_MODEL_KEY as BASE_MODEL_KEY
    from trainwright.types.standard_component_specs import (
        BASELINE_EXAMPLES_KEY as BASELINE_EXAMPLES_KEY,
    )
    from trainwright.types.standard_component_specs import BASELINE_MODEL_KEY as BASELINE_MODEL_KEY
    from trainwright.types.standard_component_specs import (
        BASELINE_STATISTICS_KEY as BASELINE_STATISTICS_KEY,
    )
    from trainwright.types.standard_component_specs import (
        BEST_HYPERPARAMETERS_KEY as BEST_HYPERPARAMETERS_KEY,
    )
    from trainwright.types.standard_component_specs import BLESSING_KEY as BLESSING_KEY
    from trainwright.types.standard_component_specs import CUSTOM_CONFIG_KEY as CUSTOM_CONFIG_KEY
    from trainwright.types.standard_component_specs import (
        CUSTOM_VALIDATION_CONFIG_KEY as CUSTOM_VALIDATION_CONFIG_KEY,
    )
    from trainwright.types.standard_component_specs import DATA_SPEC_KEY as DATA_SPEC_KEY
    from trainwright.types.standard_component_specs import (
        DISABLE_STATISTICS_KEY as DISABLE_STATISTICS_KEY,
    )
    from trainwright.types.standard_component_specs import (
        DISTRIBUTION_VALIDATOR_CONFIG_KEY as DISTRIBUTION_VALIDATOR_CONFIG_KEY,
    )
    from trainwright.types.standard_component_specs import EVAL_ARGS_KEY as EVAL_ARGS_KEY
    from trainwright.types.standard_component_specs import EVAL_CONFIG_KEY as EVAL_CONFIG_KEY
    from trainwright.types.standard_component_specs import EVALUATION_KEY as EVALUATION_KEY
    from trainwright.types.standard_component_specs import (
        EXAMPLE_DIFF_CONFIG_KEY as EXAMPLE_DIFF_CONFIG_KEY,
    )
    from trainwright.types.standard_component_specs import (
        EXAMPLE_DIFF_RESULT_KEY as EXAMPLE_DIFF_RESULT_KEY,
    )
    from trainwright.types.standard_component_specs import EXAMPLE_SPLITS_KEY as EXAMPLE_SPLITS_KEY
    from trainwright.types.standard_component_specs import EXAMPLES_KEY as EXAMPLES_KEY
    from trainwright.types.standard_component_specs import EXCLUDE_SPLITS_KEY as EXCLUDE_SPLITS_KEY
    from trainwright.types.standard_component_specs import (
        EXTERNAL_BASELINE_MODEL_KEY as EXTERNAL_BASELINE_MODEL_KEY,
    )
    from trainwright.types.standard_component_specs import EXTERNAL_MODEL_KEY as EXTERNAL_MODEL_KEY
    from trainwright.types.standard_component_specs import (
        FAIRNESS_INDICATOR_THRESHOLDS_KEY as FAIRNESS_INDICATOR_THRESHOLDS_KEY,
    )
    from trainwright.types.standard_component_specs import (
        FEATURE_SLICING_SPEC_KEY as FEATURE_SLICING_SPEC_KEY,
    )
    from trainwright.types.standard_component_specs import (
        FORCE_TF_COMPAT_V1_KEY as FORCE_TF_COMPAT_V1_KEY,
    )
    from trainwright.types.standard_component_specs import (
        HYPERPARAMETERS_KEY as HYPERPARAMETERS_KEY,
    )
    from trainwright.types.standard_component_specs import (
        INCLUDE_SPLIT_PAIRS_KEY as INCLUDE_SPLIT_PAIRS_KEY,
    )
    from trainwright.types.standard_component_specs import (
        INFER_FEATURE_SHAPE_KEY as INFER_FEATURE_SHAPE_KEY,
    )
    from trainwright.types.standard_component_specs import (
        INFERENCE_RESULT_KEY as INFERENCE_RESULT_KEY,
    )
    from trainwright.types.standard_component_specs import INFRA_BLESSING_KEY as INFRA_BLESSING_KEY
    from trainwright.types.standard_component_specs import INPUT_BASE_KEY as INPUT_BASE_KEY
    from trainwright.types.standard_component_specs import INPUT_CONFIG_KEY as INPUT_CONFIG_KEY
    from trainwright.types.standard_component_specs import MODEL_BLESSING_KEY as MODEL_BLESSING_KEY
    from trainwright.types.standard_component_specs import MODEL_KEY as MODEL_KEY
    from trainwright.types.standard_component_specs import MODEL_RUN_KEY as MODEL_RUN_KEY
    from trainwright.types.standard_component_specs import MODEL_SPEC_KEY as MODEL_SPEC_KEY
    from trainwright.types.standard_component_specs import (
        MODEL_SUBFOLDER_KEY as MODEL_SUBFOLDER_KEY,
    )
    from trainwright.types.standard_component_specs import MODULE_FILE_KEY as MODULE_FILE_KEY
    from trainwright.types.standard_component_specs import MODULE_PATH_KEY as MODULE_PATH_KEY
    from trainwright.types.standard_component_specs import OUTPUT_CONFIG_KEY as OUTPUT_CONFIG_KEY
    from trainwright.types.standard_component_specs import (
        OUTPUT_DATA_FORMAT_KEY as OUTPUT_DATA_FORMAT_KEY,
    )
    from trainwright.types.standard_component_specs import (
        OUTPUT_EXAMPLE_SPEC_KEY as OUTPUT_EXAMPLE_SPEC_KEY,
    )
    from trainwright.types.standard_component_specs import (
        OUTPUT_EXAMPLES_KEY as OUTPUT_EXAMPLES_KEY,
    )
    from trainwright.types.standard_component_specs import (
        OUTPUT_FILE_FORMAT_KEY as OUTPUT_FILE_FORMAT_KEY,
    )
    from trainwright.types.standard_component_specs import (
        POST_TRANSFORM_ANOMALIES_KEY as POST_TRANSFORM_ANOMALIES_KEY,
    )
    from trainwright.types.standard_component_specs import (
        POST_TRANSFORM_SCHEMA_KEY as POST_TRANSFORM_SCHEMA_KEY,
    )
    from trainwright.types.standard_component_specs import (
        POST_TRANSFORM_STATS_KEY as POST_TRANSFORM_STATS_KEY,
    )
    from trainwright.types.standard_component_specs import (
        PRE_TRANSFORM_SCHEMA_KEY as PRE_TRANSFORM_SCHEMA_KEY,
    )
    from trainwright.types.standard_component_specs import (
        PRE_TRANSFORM_STATS_KEY as PRE_TRANSFORM_STATS_KEY,
    )
    from trainwright.types.standard_component_specs import (
        PREPROCESSING_FN_KEY as PREPROCESSING_FN_KEY,
    )
    from trainwright.types.standard_component_specs import (
        PUSH_DESTINATION_KEY as PUSH_DESTINATION_KEY,
    )
    from trainwright.types.standard_component_specs import PUSHED_MODEL_KEY as PUSHED_MODEL_KEY
    from trainwright.types.standard_component_specs import RANGE_CONFIG_KEY as RANGE_CONFIG_KEY
    from trainwright.types.standard_component_specs import REQUEST_SPEC_KEY as REQUEST_SPEC_KEY
    from trainwright.types.standard_component_specs import RUN_FN_KEY as RUN_FN_KEY
    from trainwright.types.standard_component_specs import (
        SAMPLE_RATE_BY_SPLIT_KEY as SAMPLE_RATE_BY_SPLIT_KEY,
    )
    from trainwright.types.standard_component_specs import SAVE_OPTIONS_KEY as SAVE_OPTIONS_KEY
    from trainwright.types.standard_component_specs import SCHEMA_FILE_KEY as SCHEMA_FILE_KEY
    from trainwright.types.standard_component_specs import SCHEMA_KEY as SCHEMA_KEY
    from trainwright.types.standard_component_specs import SERVING_SPEC_KEY as SERVING_SPEC_KEY
    from trainwright.types.standard_component_specs import (
        SHARDED_STATS_OUTPUT_KEY as SHARDED_STATS_OUTPUT_KEY,
    )
    from trainwright.types.standard_component_specs import SPLITS_CONFIG_KEY as SPLITS_CONFIG_KEY
    from trainwright.types.standard_component_specs import STATISTICS_KEY as STATISTICS_KEY
    from trainwright.types.standard_component_specs import (
        STATS_OPTIONS_JSON_KEY as STATS_OPTIONS_JSON_KEY,
    )
    from trainwright.types.standard_component_specs import (
        STATS_OPTIONS_UPDATER_FN_KEY as STATS_OPTIONS_UPDATER_FN_KEY,
    )
    from trainwright.types.standard_component_specs import TRAIN_ARGS_KEY as TRAIN_ARGS_KEY
    from trainwright.types.standard_component_specs import TRAINER_FN_KEY as TRAINER_FN_KEY
    from trainwright.types.standard_component_specs import (
        TRANSFORM_GRAPH_KEY as TRANSFORM_GRAPH_KEY,
    )
    from trainwright.types.standard_component_specs import (
        TRANSFORMED_EXAMPLES_KEY as TRANSFORMED_EXAMPLES_KEY,
    )
    from trainwright.types.standard_component_specs import TUNE_ARGS_KEY as TUNE_ARGS_KEY
    from trainwright.types.standard_component_specs import TUNER_FN_KEY as TUNER_FN_KEY
    from trainwright.types.standard_component_specs import TUNER_RESULTS_KEY as TUNER_RESULTS_KEY
    from trainwright.types.standard_component_specs import (
        UPDATED_ANALYZER_CACHE_KEY as UPDATED_ANALYZER_CACHE_KEY,
    )
    from trainwright.types.standard_component_specs import (
        VALIDATION_METRICS_KEY as VALIDATION_METRICS_KEY,
    )
    from trainwright.types.standard_component_specs import (
        VALIDATION_SPEC_KEY as VALIDATION_SPEC_KEY,
    )
    from trainwright.types.standard_component_specs import BulkInferrerSpec as BulkInferrerSpec
    from trainwright.types.standard_component_specs import (
        DistributionValidatorSpec as DistributionValidatorSpec,
    )
    from trainwright.types.standard_component_specs import EvaluatorSpec as EvaluatorSpec
    from trainwright.types.standard_component_specs import ExampleDiffSpec as ExampleDiffSpec
    from trainwright.types.standard_component_specs import (
        ExampleValidatorSpec as ExampleValidatorSpec,
    )
    from trainwright.types.standard_component_specs import (
        FileBasedExampleGenSpec as FileBasedExampleGenSpec,
    )
    from trainwright.types.standard_component_specs import (
        ImportSchemaGenSpec as ImportSchemaGenSpec,
    )
    from trainwright.types.standard_component_specs import InfraValidatorSpec as InfraValidatorSpec
    from trainwright.types.standard_component_specs import ModelValidatorSpec as ModelValidatorSpec
    from trainwright.types.standard_component_specs import PusherSpec as PusherSpec
    from trainwright.types.standard_component_specs import (
        QueryBasedExampleGenSpec as QueryBasedExampleGenSpec,
    )
    from trainwright.types.standard_component_specs import SchemaGenSpec as SchemaGenSpec
    from trainwright.types.standard_component_specs import StatisticsGenSpec as StatisticsGenSpec
    from trainwright.types.standard_component_specs import TrainerSpec as TrainerSpec
    from trainwright.types.standard_component_specs import TransformSpec as TransformSpec
    from trainwright.types.standard_component_specs import TunerSpec as TunerSpec
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.standard_component_specs": (
                "ADD_SPLIT_NAME_KEY",
                "ANALYZER_CACHE_KEY",
                "ANOMALIES_KEY",
                "ARTIFACT_DISTRIBUTION_VALIDATOR_CONFIG_KEY",
                "BASELINE_EXAMPLES_KEY",
                "BASELINE_MODEL_KEY",
                "BASELINE_STATISTICS_KEY",
                "BASE_MODEL_KEY",
                "BEST_HYPERPARAMETERS_KEY",
                "BLESSING_KEY",
                "BulkInferrerSpec",
                "CUSTOM_CONFIG_KEY",
                "CUSTOM_VALIDATION_CONFIG_KEY",
                "DATA_SPEC_KEY",
                "DISABLE_STATISTICS_KEY",
                "DISTRIBUTION_VALIDATOR_CONFIG_KEY",
                "DistributionValidatorSpec",
                "EVALUATION_KEY",
                "EVAL_ARGS_KEY",
                "EVAL_CONFIG_KEY",
                "EXAMPLES_KEY",
                "EXAMPLE_DIFF_CONFIG_KEY",
                "EXAMPLE_DIFF_RESULT_KEY",
                "EXAMPLE_SPLITS_KEY",
                "EXCLUDE_SPLITS_KEY",
                "EXTERNAL_BASELINE_MODEL_KEY",
                "EXTERNAL_MODEL_KEY",
                "EvaluatorSpec",
                "ExampleDiffSpec",
                "ExampleValidatorSpec",
                "FAIRNESS_INDICATOR_THRESHOLDS_KEY",
                "FEATURE_SLICING_SPEC_KEY",
                "FORCE_TF_COMPAT_V1_KEY",
                "FileBasedExampleGenSpec",
                "HYPERPARAMETERS_KEY",
                "INCLUDE_SPLIT_PAIRS_KEY",
                "INFERENCE_RESULT_KEY",
                "INFER_FEATURE_SHAPE_KEY",
                "INFRA_BLESSING_KEY",
                "INPUT_BASE_KEY",
                "INPUT_CONFIG_KEY",
                "ImportSchemaGenSpec",
                "InfraValidatorSpec",
                "MODEL_BLESSING_KEY",
                "MODEL_KEY",
                "MODEL_RUN_KEY",
                "MODEL_SPEC_KEY",
                "MODEL_SUBFOLDER_KEY",
                "MODULE_FILE_KEY",
                "MODULE_PATH_KEY",
                "ModelValidatorSpec",
                "OUTPUT_CONFIG_KEY",
                "OUTPUT_DATA_FORMAT_KEY",
                "OUTPUT_EXAMPLES_KEY",
                "OUTPUT_EXAMPLE_SPEC_KEY",
                "OUTPUT_FILE_FORMAT_KEY",
                "POST_TRANSFORM_ANOMALIES_KEY",
                "POST_TRANSFORM_SCHEMA_KEY",
                "POST_TRANSFORM_STATS_KEY",
                "PREPROCESSING_FN_KEY",
                "PRE_TRANSFORM_SCHEMA_KEY",
                "PRE_TRANSFORM_STATS_KEY",
                "PUSHED_MODEL_KEY",
                "PUSH_DESTINATION_KEY",
                "PusherSpec",
                "QueryBasedExampleGenSpec",
                "RANGE_CONFIG_KEY",
                "REQUEST_SPEC_KEY",
                "RUN_FN_KEY",
                "SAMPLE_RATE_BY_SPLIT_KEY",
                "SAVE_OPTIONS_KEY",
                "SCHEMA_FILE_KEY",
                "SCHEMA_KEY",
                "SERVING_SPEC_KEY",
                "SHARDED_STATS_OUTPUT_KEY",
                "SPLITS_CONFIG_KEY",
                "STATISTICS_KEY",
                "STATS_OPTIONS_JSON_KEY",
                "STATS_OPTIONS_UPDATER_FN_KEY",
                "SchemaGenSpec",
                "StatisticsGenSpec",
                "TRAINER_FN_KEY",
                "TRAIN_ARGS_KEY",
                "TRANSFORMED_EXAMPLES_KEY",
                "TRANSFORM_GRAPH_KEY",
                "TUNER_FN_KEY",
                "TUNER_RESULTS_KEY",
                "TUNE_ARGS_KEY",
                "TrainerSpec",
                "TransformSpec",
                "TunerSpec",
                "UPDATED_ANALYZER_CACHE_KEY",
                "VALIDATION_METRICS_KEY",
                "VALIDATION_SPEC_KEY",
            ),
        },
    )
