"""`trainwright.types.standard_component_specs` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.standard_component_specs import ANALYZER_CACHE_KEY as ANALYZER_CACHE_KEY
    from trainwright.types.standard_component_specs import ANOMALIES_KEY as ANOMALIES_KEY
    from trainwright.types.standard_component_specs import BASE_MODEL_KEY as BASE_MODEL_KEY
    from trainwright.types.standard_component_specs import BASELINE_MODEL_KEY as BASELINE_MODEL_KEY
    from trainwright.types.standard_component_specs import BLESSING_KEY as BLESSING_KEY
    from trainwright.types.standard_component_specs import CUSTOM_CONFIG_KEY as CUSTOM_CONFIG_KEY
    from trainwright.types.standard_component_specs import (
        DISABLE_STATISTICS_KEY as DISABLE_STATISTICS_KEY,
    )
    from trainwright.types.standard_component_specs import EVAL_ARGS_KEY as EVAL_ARGS_KEY
    from trainwright.types.standard_component_specs import EVAL_CONFIG_KEY as EVAL_CONFIG_KEY
    from trainwright.types.standard_component_specs import EVALUATION_KEY as EVALUATION_KEY
    from trainwright.types.standard_component_specs import EXAMPLE_SPLITS_KEY as EXAMPLE_SPLITS_KEY
    from trainwright.types.standard_component_specs import EXAMPLES_KEY as EXAMPLES_KEY
    from trainwright.types.standard_component_specs import EXCLUDE_SPLITS_KEY as EXCLUDE_SPLITS_KEY
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
        INFER_FEATURE_SHAPE_KEY as INFER_FEATURE_SHAPE_KEY,
    )
    from trainwright.types.standard_component_specs import INFRA_BLESSING_KEY as INFRA_BLESSING_KEY
    from trainwright.types.standard_component_specs import INPUT_BASE_KEY as INPUT_BASE_KEY
    from trainwright.types.standard_component_specs import INPUT_CONFIG_KEY as INPUT_CONFIG_KEY
    from trainwright.types.standard_component_specs import MODEL_BLESSING_KEY as MODEL_BLESSING_KEY
    from trainwright.types.standard_component_specs import MODEL_KEY as MODEL_KEY
    from trainwright.types.standard_component_specs import MODEL_RUN_KEY as MODEL_RUN_KEY
    from trainwright.types.standard_component_specs import MODULE_FILE_KEY as MODULE_FILE_KEY
    from trainwright.types.standard_component_specs import MODULE_PATH_KEY as MODULE_PATH_KEY
    from trainwright.types.standard_component_specs import OUTPUT_CONFIG_KEY as OUTPUT_CONFIG_KEY
    from trainwright.types.standard_component_specs import (
        OUTPUT_DATA_FORMAT_KEY as OUTPUT_DATA_FORMAT_KEY,
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
    from trainwright.types.standard_component_specs import RUN_FN_KEY as RUN_FN_KEY
    from trainwright.types.standard_component_specs import SCHEMA_FILE_KEY as SCHEMA_FILE_KEY
    from trainwright.types.standard_component_specs import SCHEMA_KEY as SCHEMA_KEY
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
    from trainwright.types.standard_component_specs import (
        UPDATED_ANALYZER_CACHE_KEY as UPDATED_ANALYZER_CACHE_KEY,
    )
    from trainwright.types.standard_component_specs import EvaluatorSpec as EvaluatorSpec
    from trainwright.types.standard_component_specs import (
        ExampleValidatorSpec as ExampleValidatorSpec,
    )
    from trainwright.types.standard_component_specs import (
        FileBasedExampleGenSpec as FileBasedExampleGenSpec,
    )
    from trainwright.types.standard_component_specs import (
        ImportSchemaGenSpec as ImportSchemaGenSpec,
    )
    from trainwright.types.standard_component_specs import PusherSpec as PusherSpec
    from trainwright.types.standard_component_specs import SchemaGenSpec as SchemaGenSpec
    from trainwright.types.standard_component_specs import StatisticsGenSpec as StatisticsGenSpec
    from trainwright.types.standard_component_specs import TrainerSpec as TrainerSpec
    from trainwright.types.standard_component_specs import TransformSpec as TransformSpec
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.standard_component_specs": (
                "ANALYZER_CACHE_KEY",
                "ANOMALIES_KEY",
                "BASELINE_MODEL_KEY",
                "BASE_MODEL_KEY",
                "BLESSING_KEY",
                "CUSTOM_CONFIG_KEY",
                "DISABLE_STATISTICS_KEY",
                "EVALUATION_KEY",
                "EVAL_ARGS_KEY",
                "EVAL_CONFIG_KEY",
                "EXAMPLES_KEY",
                "EXAMPLE_SPLITS_KEY",
                "EXCLUDE_SPLITS_KEY",
                "EvaluatorSpec",
                "ExampleValidatorSpec",
                "FAIRNESS_INDICATOR_THRESHOLDS_KEY",
                "FEATURE_SLICING_SPEC_KEY",
                "FORCE_TF_COMPAT_V1_KEY",
                "FileBasedExampleGenSpec",
                "HYPERPARAMETERS_KEY",
                "INFER_FEATURE_SHAPE_KEY",
                "INFRA_BLESSING_KEY",
                "INPUT_BASE_KEY",
                "INPUT_CONFIG_KEY",
                "ImportSchemaGenSpec",
                "MODEL_BLESSING_KEY",
                "MODEL_KEY",
                "MODEL_RUN_KEY",
                "MODULE_FILE_KEY",
                "MODULE_PATH_KEY",
                "OUTPUT_CONFIG_KEY",
                "OUTPUT_DATA_FORMAT_KEY",
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
                "RANGE_CONFIG_KEY",
                "RUN_FN_KEY",
                "SCHEMA_FILE_KEY",
                "SCHEMA_KEY",
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
                "TrainerSpec",
                "TransformSpec",
                "UPDATED_ANALYZER_CACHE_KEY",
            ),
        },
    )
