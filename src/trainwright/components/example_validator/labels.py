"""TFX's words for what its ExampleValidator is given and gives, for code that imports them."""

STATS = "stats"
SCHEMA = "schema"
ENVIRONMENT = "environment"
PREV_SPAN_FEATURE_STATISTICS = "prev_span_feature_statistics"
PREV_VERSION_FEATURE_STATISTICS = "prev_version_feature_statistics"
TRAINING_STATISTICS = "training_statistics"
FEATURES_NEEDED = "features_needed"
VALIDATION_CONFIG = "validation_config"
EXTERNAL_CONFIG_VERSION = "external_config_version"

SCHEMA_DIFF_PATH = "schema_diff_path"
