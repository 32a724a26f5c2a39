"""TFX's words for what its Transform is given and gives."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.transform_labels import (
        ANALYZE_DATA_PATHS_LABEL as ANALYZE_DATA_PATHS_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        ANALYZE_PATHS_FILE_FORMATS_LABEL as ANALYZE_PATHS_FILE_FORMATS_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        CACHE_INPUT_PATH_LABEL as CACHE_INPUT_PATH_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        CACHE_OUTPUT_PATH_LABEL as CACHE_OUTPUT_PATH_LABEL,
    )
    from trainwright.compat.components.transform_labels import CUSTOM_CONFIG as CUSTOM_CONFIG
    from trainwright.compat.components.transform_labels import DATA_VIEW_LABEL as DATA_VIEW_LABEL
    from trainwright.compat.components.transform_labels import (
        DISABLE_STATISTICS_LABEL as DISABLE_STATISTICS_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        EXAMPLES_DATA_FORMAT_LABEL as EXAMPLES_DATA_FORMAT_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        EXAMPLES_METADATA_LABEL as EXAMPLES_METADATA_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        FORCE_TF_COMPAT_V1_LABEL as FORCE_TF_COMPAT_V1_LABEL,
    )
    from trainwright.compat.components.transform_labels import FORMAT_TFRECORD as FORMAT_TFRECORD
    from trainwright.compat.components.transform_labels import (
        MAKE_BEAM_PIPELINE_FN as MAKE_BEAM_PIPELINE_FN,
    )
    from trainwright.compat.components.transform_labels import MODULE_FILE as MODULE_FILE
    from trainwright.compat.components.transform_labels import MODULE_PATH as MODULE_PATH
    from trainwright.compat.components.transform_labels import (
        PER_SET_STATS_OUTPUT_PATHS_LABEL as PER_SET_STATS_OUTPUT_PATHS_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        POST_TRANSFORM_OUTPUT_ANOMALIES_PATH_LABEL as POST_TRANSFORM_OUTPUT_ANOMALIES_PATH_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        POST_TRANSFORM_OUTPUT_SCHEMA_PATH_LABEL as POST_TRANSFORM_OUTPUT_SCHEMA_PATH_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        POST_TRANSFORM_OUTPUT_STATS_PATH_LABEL as POST_TRANSFORM_OUTPUT_STATS_PATH_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        PRE_TRANSFORM_OUTPUT_SCHEMA_PATH_LABEL as PRE_TRANSFORM_OUTPUT_SCHEMA_PATH_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        PRE_TRANSFORM_OUTPUT_STATS_PATH_LABEL as PRE_TRANSFORM_OUTPUT_STATS_PATH_LABEL,
    )
    from trainwright.compat.components.transform_labels import PREPROCESSING_FN as PREPROCESSING_FN
    from trainwright.compat.components.transform_labels import (
        SAVE_OPTIONS_LABEL as SAVE_OPTIONS_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        SCHEMA_PATH_LABEL as SCHEMA_PATH_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        STATS_OPTIONS_UPDATER_FN as STATS_OPTIONS_UPDATER_FN,
    )
    from trainwright.compat.components.transform_labels import (
        TEMP_OUTPUT_LABEL as TEMP_OUTPUT_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        TRANSFORM_DATA_PATHS_LABEL as TRANSFORM_DATA_PATHS_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        TRANSFORM_MATERIALIZE_OUTPUT_PATHS_LABEL as TRANSFORM_MATERIALIZE_OUTPUT_PATHS_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        TRANSFORM_METADATA_OUTPUT_PATH_LABEL as TRANSFORM_METADATA_OUTPUT_PATH_LABEL,
    )
    from trainwright.compat.components.transform_labels import (
        TRANSFORM_PATHS_FILE_FORMATS_LABEL as TRANSFORM_PATHS_FILE_FORMATS_LABEL,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.transform_labels": (
                "ANALYZE_DATA_PATHS_LABEL",
                "ANALYZE_PATHS_FILE_FORMATS_LABEL",
                "CACHE_INPUT_PATH_LABEL",
                "CACHE_OUTPUT_PATH_LABEL",
                "CUSTOM_CONFIG",
                "DATA_VIEW_LABEL",
                "DISABLE_STATISTICS_LABEL",
                "EXAMPLES_DATA_FORMAT_LABEL",
                "EXAMPLES_METADATA_LABEL",
                "FORCE_TF_COMPAT_V1_LABEL",
                "FORMAT_TFRECORD",
                "MAKE_BEAM_PIPELINE_FN",
                "MODULE_FILE",
                "MODULE_PATH",
                "PER_SET_STATS_OUTPUT_PATHS_LABEL",
                "POST_TRANSFORM_OUTPUT_ANOMALIES_PATH_LABEL",
                "POST_TRANSFORM_OUTPUT_SCHEMA_PATH_LABEL",
                "POST_TRANSFORM_OUTPUT_STATS_PATH_LABEL",
                "PREPROCESSING_FN",
                "PRE_TRANSFORM_OUTPUT_SCHEMA_PATH_LABEL",
                "PRE_TRANSFORM_OUTPUT_STATS_PATH_LABEL",
                "SAVE_OPTIONS_LABEL",
                "SCHEMA_PATH_LABEL",
                "STATS_OPTIONS_UPDATER_FN",
                "TEMP_OUTPUT_LABEL",
                "TRANSFORM_DATA_PATHS_LABEL",
                "TRANSFORM_MATERIALIZE_OUTPUT_PATHS_LABEL",
                "TRANSFORM_METADATA_OUTPUT_PATH_LABEL",
                "TRANSFORM_PATHS_FILE_FORMATS_LABEL",
            ),
        },
    )
